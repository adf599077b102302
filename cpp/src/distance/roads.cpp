#include "sidestep/distance/roads.hpp"

#include <algorithm>
#include <utility>

namespace sidestep {

namespace {

// A tile of 16-bit distances is a cache line: an agent and its neighbours are mostly in one.
constexpr std::int32_t kTileRows = 4, kTileCols = 8;

void sort_by_tile(const Space& space, std::vector<Vertex>& vertices) {
    const auto tile = [&](Vertex v) {
        return std::pair(space.row(v) / kTileRows, space.col(v) / kTileCols);
    };
    std::stable_sort(vertices.begin(), vertices.end(),
                     [&](Vertex a, Vertex b) { return tile(a) < tile(b); });
}

}  // namespace

Roads::Roads(const Space& space, bool all, bool blocks)
    : spots_(static_cast<std::size_t>(space.size()), kNowhere), directed_(space.is_directed()) {
    if (space.is_grid() && blocks) {
        number_blocks(space, all);
    } else {
        for (Vertex v = 0; v < space.size(); ++v)
            if (all || space.is_open(v)) vertices_.push_back(v);
        if (space.is_grid() && !all) sort_by_tile(space, vertices_);
        for (std::size_t s = 0; s < vertices_.size(); ++s)
            spots_[vertices_[s]] = static_cast<Spot>(s);
    }
    fill_all(space);
}

// Numbers the cells of a grid, one block after another.
void Roads::number_blocks(const Space& space, bool all) {
    const std::int32_t across = (space.width() + kBlockSide - 1) / kBlockSide;
    const std::int32_t down = (space.height() + kBlockSide - 1) / kBlockSide;
    std::vector<std::int32_t> numbers(static_cast<std::size_t>(across) * down, -1);
    const auto block_of = [&](Vertex v) -> std::int32_t& {
        return numbers[static_cast<std::size_t>(space.row(v) / kBlockSide) * across +
                       space.col(v) / kBlockSide];
    };
    for (Vertex v = 0; v < space.size(); ++v)
        if (all || space.is_open(v)) block_of(v) = 0;
    std::int32_t count = 0;
    for (std::int32_t& number : numbers)
        if (number == 0) number = count++;
    vertices_.assign(static_cast<std::size_t>(count) * kPerBlock, kNowhere);
    if (space.is_four_connected()) blocks_.resize(static_cast<std::size_t>(count));
    for (Vertex v = 0; v < space.size(); ++v) {
        if (!all && !space.is_open(v)) continue;
        const Spot inside = space.row(v) % kBlockSide * kBlockSide + space.col(v) % kBlockSide;
        spots_[v] = block_of(v) * kPerBlock + inside;
        vertices_[spots_[v]] = v;
        if (!blocks_.empty() && space.is_open(v))
            blocks_[block_of(v)].open |= std::uint64_t{1} << inside;
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

void Roads::fill_all(const Space& space) {
    // A grid has rows for all cells around, so that every wall in them may open.
    const std::int32_t width = !space.is_grid() ? 1 : space.is_four_connected() ? 4 : 8;
    fill(forward_, width, [&](Vertex v) { return space.successors(v); });
    if (directed_) fill(backward_, width, [&](Vertex v) { return space.predecessors(v); });
}

// Rows of at least this width.
template <class Neighbours>
void Roads::fill(Rows& rows, std::int32_t width, Neighbours&& neighbours) const {
    rows = {};
    rows.degree.resize(vertices_.size());
    std::int32_t widest = width;
    std::int64_t edges = 0;
    for (std::size_t s = 0; s < vertices_.size(); ++s) {
        if (vertices_[s] == kNowhere) continue;
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
        if (vertices_[s] != kNowhere)
            for (const Vertex u : neighbours(vertices_[s])) rows.spots.push_back(spots_[u]);
        if (rows.width)
            rows.spots.resize((s + 1) * static_cast<std::size_t>(rows.width), static_cast<Spot>(s));
    }
}

void Roads::changed(const Space& space, Vertex v) {
    if (!space.is_grid()) return fill_all(space);
    space.around(v, [&](Vertex u) { refill(space, u); });
    if (blocks_.empty()) return;
    const std::uint64_t cell = std::uint64_t{1} << spots_[v] % kPerBlock;
    std::uint64_t& open = blocks_[spots_[v] / kPerBlock].open;
    open = space.is_open(v) ? open | cell : open & ~cell;
}

void Roads::refill(const Space& space, Vertex v) {
    const Spot s = spots_[v];
    Spot* row = forward_.spots.data() + std::int64_t{s} * forward_.width;
    Spot* const end = row + forward_.width;
    for (const Vertex u : space.successors(v)) *row++ = spots_[u];
    forward_.degree[s] = forward_.width - static_cast<std::int32_t>(end - row);
    std::fill(row, end, s);
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
