#include "sidestep/search/lattice.hpp"

namespace sidestep::search {

Passage passage(std::span<const std::uint8_t> passable, std::int32_t width, Vertex v,
                Offset towards) {
    const auto height = static_cast<std::int32_t>(passable.size()) / width;
    const std::int32_t row = v / width + towards.row, col = v % width + towards.col;
    if (row < 0 || row >= height || col < 0 || col >= width) return {false, 0};
    if (!passable[v] || !passable[row * width + col]) return {false, 0};
    const bool is_diagonal = towards.row != 0 && towards.col != 0;
    const int blocked =
        is_diagonal ? !passable[v + towards.col] + !passable[v + towards.row * width] : 0;
    return {true, blocked};
}

template <int kCount>
Lattice<kCount>::Lattice(std::span<const std::uint8_t> passable, std::int32_t width,
                         Corners corners, Scale scale)
    : leads_(passable.size(), 0), width_(width), scale_(scale) {
    for (int direction = 0; direction < kCount; ++direction) {
        const Offset towards = kDirections[direction];
        offsets_[direction] = towards.row * width + towards.col;
        lengths_[direction] = direction < 4 ? scale.straight : scale.diagonal;
        for (Vertex v = 0; v < size(); ++v) {
            const Passage way = passage(passable, width, v, towards);
            if (way.open && way.blocked_corners <= static_cast<int>(corners))
                leads_[v] |= static_cast<std::uint8_t>(1 << direction);
        }
    }
}

template class Lattice<4>;
template class Lattice<8>;

}  // namespace sidestep::search
