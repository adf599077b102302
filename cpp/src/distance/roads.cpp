#include "sidestep/distance/roads.hpp"

#include <algorithm>
#include <bit>

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
    for (std::int32_t k = 0; k < across * down; ++k) {
        const Vertex corner = k / across * kBlockSide * space.width() + k % across * kBlockSide;
        const std::int32_t rows = std::min(kBlockSide, space.height() - space.row(corner));
        const std::int32_t cols = std::min(kBlockSide, space.width() - space.col(corner));
        if (add_block(space, all, corner, rows, cols)) numbers[k] = size() / kPerBlock - 1;
    }
    for (std::int32_t k = 0; k < across * down && !blocks_.empty(); ++k) {
        if (numbers[k] < 0) continue;
        const std::int32_t col = k % across;
        blocks_[numbers[k]].up = k >= across ? numbers[k - across] : -1;
        blocks_[numbers[k]].down = k + across < across * down ? numbers[k + across] : -1;
        blocks_[numbers[k]].left = col > 0 ? numbers[k - 1] : -1;
        blocks_[numbers[k]].right = col + 1 < across ? numbers[k + 1] : -1;
    }
}

// A block and its cells, if there is one that is open, or with `all` any.
bool Roads::add_block(const Space& space, bool all, Vertex corner, std::int32_t rows,
                      std::int32_t cols) {
    std::uint64_t open = 0, counted = 0;
    for (std::int32_t row = 0; row < rows; ++row)
        for (std::int32_t col = 0; col < cols; ++col) {
            const int inside = row * kBlockSide + col;
            const bool is_open = space.is_open(corner + row * space.width() + col);
            open |= std::uint64_t{is_open} << inside;
            counted |= std::uint64_t{is_open || all} << inside;
        }
    if (counted == 0) return false;
    const Spot first = size();
    vertices_.resize(vertices_.size() + kPerBlock, kNowhere);
    for (; counted != 0; counted &= counted - 1) {
        const int inside = std::countr_zero(counted);
        const Vertex v = corner + inside / kBlockSide * space.width() + inside % kBlockSide;
        spots_[v] = first + inside;
        vertices_[spots_[v]] = v;
    }
    if (space.is_four_connected()) blocks_.push_back({.open = open});
    return true;
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
    Spot* const row = forward_.spots.data() + std::int64_t{s} * forward_.width;
    const Vertex v = vertices_[s];
    if (v == kNowhere) {
        std::fill_n(row, forward_.width, s);
        return;
    }
    const auto offsets = space.offsets(v);
    for (std::int32_t k = 0; k < forward_.width; ++k) row[k] = spots_[v + offsets[k]];
    forward_.degree[s] = static_cast<std::int32_t>(space.successors(v).size());
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
