#include "sidestep/distance/roads.hpp"

#include <algorithm>

namespace sidestep {

namespace {

// A tile of 16-bit distances is a cache line: an agent and its neighbours are mostly in one.
constexpr std::int32_t kTileRows = 4, kTileCols = 8;

// Calls visit(v) for all cells of a grid, one tile of this size after another, and row by row in
// each.
template <class Visit>
void for_each_in_tiles(const Space& space, std::int32_t rows, std::int32_t cols, Visit&& visit) {
    const std::int32_t height = space.height(), width = space.width();
    for (std::int32_t top = 0; top < height; top += rows)
        for (std::int32_t left = 0; left < width; left += cols)
            for (std::int32_t row = top; row < std::min(top + rows, height); ++row)
                for (std::int32_t col = left; col < std::min(left + cols, width); ++col)
                    visit(row * width + col);
}

}  // namespace

Roads::Roads(const Space& space, bool all, bool blocks)
    : spots_(static_cast<std::size_t>(space.size()), kNowhere), directed_(space.is_directed()) {
    const auto add = [&](Vertex v) {
        if (!all && !space.is_open(v)) return;
        spots_[v] = static_cast<Spot>(vertices_.size());
        vertices_.push_back(v);
    };
    vertices_.reserve(spots_.size());  // pages that are not used are not taken
    if (space.is_grid() && blocks) {
        number_blocks(space, all);
    } else if (space.is_grid() && !all) {
        for_each_in_tiles(space, kTileRows, kTileCols, add);
    } else {
        for (Vertex v = 0; v < space.size(); ++v) add(v);
    }
    fill_all(space);
}

// Numbers the cells of a grid, one block after another.
void Roads::number_blocks(const Space& space, bool all) {
    const std::int32_t across = (space.width() + kBlockSide - 1) / kBlockSide;
    const std::int32_t down = (space.height() + kBlockSide - 1) / kBlockSide;
    std::vector<std::int32_t> numbers(static_cast<std::size_t>(across) * down, -1);
    vertices_.reserve(numbers.size() * kPerBlock);
    std::int32_t count = 0;
    for_each_in_tiles(space, kBlockSide, kBlockSide, [&](Vertex v) {
        if (!all && !space.is_open(v)) return;
        const std::int32_t row = space.row(v), col = space.col(v);
        std::int32_t& number = numbers[row / kBlockSide * across + col / kBlockSide];
        if (number < 0) {
            number = count++;
            vertices_.resize(vertices_.size() + kPerBlock, kNowhere);
            if (space.is_four_connected()) blocks_.emplace_back();
        }
        const Spot inside = row % kBlockSide * kBlockSide + col % kBlockSide;
        spots_[v] = number * kPerBlock + inside;
        vertices_[spots_[v]] = v;
        if (!blocks_.empty() && space.is_open(v))
            blocks_[number].open |= std::uint64_t{1} << inside;
    });
    for (std::int32_t k = 0; k < across * down && !blocks_.empty(); ++k) {
        if (numbers[k] < 0) continue;
        const std::int32_t col = k % across;
        blocks_[numbers[k]].up = k >= across ? numbers[k - across] : -1;
        blocks_[numbers[k]].down = k + across < across * down ? numbers[k + across] : -1;
        blocks_[numbers[k]].left = col > 0 ? numbers[k - 1] : -1;
        blocks_[numbers[k]].right = col + 1 < across ? numbers[k + 1] : -1;
    }
}

void Roads::fill_all(const Space& space) {
    if (space.is_grid()) return fill_grid(space);
    fill(forward_, [&](Vertex v) { return space.successors(v); });
    if (directed_) fill(backward_, [&](Vertex v) { return space.predecessors(v); });
}

// Rows for all cells around, so that every wall in them may open.
void Roads::fill_grid(const Space& space) {
    forward_.width = space.is_four_connected() ? 4 : 8;
    forward_.degree.resize(vertices_.size());
    forward_.spots.resize(vertices_.size() * static_cast<std::size_t>(forward_.width));
    for (Spot s = 0; s < size(); ++s) fill_row(space, s);
}

void Roads::fill_row(const Space& space, Spot s) {
    Spot* row = forward_.spots.data() + std::int64_t{s} * forward_.width;
    Spot* const end = row + forward_.width;
    if (vertices_[s] != kNowhere)
        for (const Vertex u : space.successors(vertices_[s])) *row++ = spots_[u];
    forward_.degree[s] = forward_.width - static_cast<std::int32_t>(end - row);
    std::fill(row, end, s);
}

// Rows of a graph.
template <class Neighbours>
void Roads::fill(Rows& rows, Neighbours&& neighbours) const {
    rows = {};
    rows.degree.resize(vertices_.size());
    std::int32_t widest = 1;
    std::int64_t edges = 0;
    for (std::size_t s = 0; s < vertices_.size(); ++s) {
        rows.degree[s] = static_cast<std::int32_t>(neighbours(vertices_[s]).size());
        widest = std::max(widest, rows.degree[s]);
        edges += rows.degree[s];
    }
    rows.width = widest <= kWidestRow ? widest : 0;
    if (rows.width) {
        rows.spots.reserve(vertices_.size() * static_cast<std::size_t>(rows.width));
    } else {
        rows.spots.reserve(static_cast<std::size_t>(edges));
        rows.first.reserve(vertices_.size());
    }
    for (std::size_t s = 0; s < vertices_.size(); ++s) {
        if (!rows.width) rows.first.push_back(static_cast<std::int64_t>(rows.spots.size()));
        for (const Vertex u : neighbours(vertices_[s])) rows.spots.push_back(spots_[u]);
        if (rows.width)
            rows.spots.resize((s + 1) * static_cast<std::size_t>(rows.width), static_cast<Spot>(s));
    }
}

void Roads::changed(const Space& space, Vertex v) {
    if (!space.is_grid()) return fill_all(space);
    space.around(v, [&](Vertex u) { fill_row(space, spots_[u]); });
    if (blocks_.empty()) return;
    const std::uint64_t cell = std::uint64_t{1} << spots_[v] % kPerBlock;
    std::uint64_t& open = blocks_[spots_[v] / kPerBlock].open;
    open = space.is_open(v) ? open | cell : open & ~cell;
}

std::vector<Spot> Roads::spots(std::span<const Vertex> vertices) const {
    std::vector<Spot> spots;
    spots.reserve(vertices.size());
    for (const Vertex v : vertices) spots.push_back(spot(v));
    return spots;
}

std::int64_t Roads::bytes() const {
    const auto of = [](const Rows& rows) {
        return static_cast<std::int64_t>(rows.spots.size() * sizeof(Spot) +
                                         rows.degree.size() * sizeof(std::int32_t) +
                                         rows.first.size() * sizeof(std::int64_t));
    };
    return of(forward_) + of(backward_) +
           static_cast<std::int64_t>((spots_.size() + vertices_.size()) * sizeof(Spot) +
                                     blocks_.size() * sizeof(Block));
}

}  // namespace sidestep
