#include "sidestep/search/lattice.hpp"

namespace sidestep::search {

Passage passage(std::span<const std::uint8_t> passable, std::int32_t width, Offset cell,
                Offset towards) {
    const std::int32_t row = cell.row + towards.row, col = cell.col + towards.col;
    if (row < 0 || col < 0 || col >= width) return {false, 0};
    const Vertex v = cell.row * width + cell.col, u = row * width + col;
    if (u >= static_cast<Vertex>(passable.size()) || !passable[v] || !passable[u])
        return {false, 0};
    const bool is_diagonal = towards.row != 0 && towards.col != 0;
    const int blocked =
        is_diagonal ? !passable[v + towards.col] + !passable[v + towards.row * width] : 0;
    return {true, blocked};
}

template <int kCount>
Lattice<kCount>::Lattice(std::span<const std::uint8_t> passable, std::int32_t width,
                         Corners corners, Scale scale)
    : leads_(passable.size(), 0), width_(width), corners_(corners), scale_(scale) {
    for (int direction = 0; direction < kCount; ++direction) {
        const Offset towards = kDirections[direction];
        offsets_[direction] = towards.row * width + towards.col;
        lengths_[direction] = direction < 4 ? scale.straight : scale.diagonal;
    }
    for (Vertex v = 0; v < size(); ++v) look(passable, v);
}

template <int kCount>
void Lattice<kCount>::look(std::span<const std::uint8_t> passable, Vertex v) {
    leads_[v] = 0;
    if (!passable[v]) return;
    const Offset cell{v / width_, v % width_};
    for (int direction = 0; direction < kCount; ++direction) {
        const Passage way = passage(passable, width_, cell, kDirections[direction]);
        if (way.open && way.blocked_corners <= static_cast<int>(corners_))
            leads_[v] |= static_cast<std::uint8_t>(1 << direction);
    }
}

template <int kCount>
void Lattice<kCount>::changed(std::span<const std::uint8_t> passable, Vertex v) {
    each_around(size(), width_, v, [&](Vertex u) { look(passable, u); });
}

template class Lattice<4>;
template class Lattice<8>;

}  // namespace sidestep::search
