#include "sidestep/search/weighted.hpp"

namespace sidestep::search {

WeightedLattice::WeightedLattice(const Terrain& terrain)
    : passable_(terrain.passable.begin(), terrain.passable.end()),
      leads_(passable_.size(), 0),
      factors_(terrain.factors.begin(), terrain.factors.end()),
      width_(terrain.width),
      connectivity_(terrain.connectivity),
      corners_(terrain.corners),
      scale_(terrain.scale),
      corner_cost_(terrain.corner_cost * terrain.scale.straight) {
    if (factors_.empty()) factors_.assign(passable_.size(), 1);
    for (std::size_t k = 0; k < kByVertex.size(); ++k) {
        const Offset towards = kDirections[kByVertex[k]];
        offsets_[k] = towards.row * width_ + towards.col;
        lengths_[k] = kByVertex[k] < 4 ? scale_.straight : scale_.diagonal;
    }
    for (Vertex v = 0; v < size(); ++v) look(v);
}

void WeightedLattice::look(Vertex v) {
    leads_[v] = 0;
    const Offset cell{v / width_, v % width_};
    for (std::size_t k = 0; passable_[v] && k < kByVertex.size(); ++k) {
        if (kByVertex[k] >= connectivity_) continue;
        const Passage way = passage(passable_, width_, cell, kDirections[kByVertex[k]]);
        if (way.open && way.blocked_corners <= static_cast<int>(corners_))
            leads_[v] |= static_cast<std::uint8_t>(1 << k);
    }
}

void WeightedLattice::set_open(Vertex v, bool open) {
    passable_[v] = open;
    each_around(size(), width_, v, [this](Vertex u) { look(u); });
}

bool WeightedLattice::is_symmetric() const {
    for (Vertex v = 0; v < size(); ++v) {
        bool even = true;
        successors(v, [&](Vertex u, Length, int) { even = even && factors_[u] == factors_[v]; });
        if (!even) return false;
    }
    return true;
}

}  // namespace sidestep::search
