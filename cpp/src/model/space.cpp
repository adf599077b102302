#include "sidestep/model/space.hpp"

#include <algorithm>
#include <array>

namespace sidestep {

void Space::Adjacency::assign(std::int32_t n, std::vector<Move> moves) {
    first_.assign(static_cast<std::size_t>(n) + 1, 0);
    degree_.assign(n, 0);
    for (Move move : moves) ++first_[move.from + 1];
    for (std::int32_t v = 0; v < n; ++v) first_[v + 1] += first_[v];
    all_.resize(moves.size());
    active_.resize(moves.size());
    std::vector<std::int32_t> next(first_.begin(), first_.end() - 1);
    for (Move move : moves) all_[next[move.from]++] = move.to;
}

Space Space::grid(std::span<const std::uint8_t> passable, std::int32_t width, int connectivity,
                  Corners corners) {
    Space space;
    space.open_.assign(passable.begin(), passable.end());
    space.diagonal_ = connectivity == 8;
    space.corners_ = corners;
    const std::int32_t n = space.size(), height = n / width;
    space.cells_.reserve(n);
    for (Vertex v = 0; v < n; ++v) space.cells_.push_back({v / width, v % width});

    constexpr std::array<Cell, 8> steps{
        {{-1, 0}, {0, 1}, {1, 0}, {0, -1}, {-1, 1}, {1, 1}, {1, -1}, {-1, -1}}};
    std::vector<Move> moves;
    moves.reserve(static_cast<std::size_t>(n) * connectivity);
    for (Vertex v = 0; v < n; ++v) {
        for (int direction = 0; direction < connectivity; ++direction) {
            const std::int32_t row = space.cells_[v].row + steps[direction].row;
            const std::int32_t col = space.cells_[v].col + steps[direction].col;
            if (row >= 0 && row < height && col >= 0 && col < width)
                moves.push_back({v, row * width + col});
        }
    }
    space.forward_.assign(n, std::move(moves));
    for (Vertex v = 0; v < n; ++v) space.refresh(v);
    return space;
}

Space Space::graph(std::int32_t n, std::span<const Move> edges, bool directed,
                   std::span<const Move> conflicts) {
    Space space;
    space.open_.assign(n, 1);
    space.directed_ = directed;
    std::vector<Move> moves(edges.begin(), edges.end());
    const auto reversed = [](Move move) { return Move{move.to, move.from}; };
    if (!directed)
        for (Move edge : edges) moves.push_back(reversed(edge));
    const auto less = [](Move a, Move b) { return key(a) < key(b); };
    const auto same = [](Move a, Move b) { return key(a) == key(b); };
    std::sort(moves.begin(), moves.end(), less);
    moves.erase(std::unique(moves.begin(), moves.end(), same), moves.end());
    if (directed) {
        std::vector<Move> backward;
        for (Move move : moves) backward.push_back(reversed(move));
        space.backward_.assign(n, std::move(backward));
    }
    space.forward_.assign(n, std::move(moves));
    for (Vertex v = 0; v < n; ++v) space.refresh(v);

    const auto ways = [&](Move edge) {
        std::vector<Move> both{edge};
        if (!directed) both.push_back(reversed(edge));
        return both;
    };
    for (Move pair : conflicts) {
        // Parallel edges are one lane, which cannot be in its own way.
        const Move first = edges[pair.from], second = edges[pair.to];
        if (same(first, second) || (!directed && same(first, reversed(second)))) continue;
        for (Move one : ways(edges[pair.from])) {
            for (Move other : ways(edges[pair.to])) {
                space.conflicts_[key(one)].push_back(other);
                space.conflicts_[key(other)].push_back(one);
            }
        }
    }
    for (auto& [move, others] : space.conflicts_) {
        std::sort(others.begin(), others.end(), less);
        others.erase(std::unique(others.begin(), others.end(), same), others.end());
    }
    return space;
}

bool Space::connects(Vertex from, Vertex to) const {
    const auto near = successors(from);
    return std::find(near.begin(), near.end(), to) != near.end();
}

bool Space::allows(Move move) const {
    if (!is_open(move.to)) return false;
    if (!diagonal_ || corners_ == Corners::free) return true;
    const std::int32_t cols = cells_[move.to].col - cells_[move.from].col;
    if (cols == 0 || cells_[move.to].row == cells_[move.from].row) return true;
    const int blocked = !is_open(move.from + cols) + !is_open(move.to - cols);
    return blocked <= static_cast<int>(corners_);
}

void Space::refresh(Vertex v) {
    forward_.refresh(v, [&](Vertex u) { return allows({v, u}); });
    if (directed_) backward_.refresh(v, [&](Vertex u) { return is_open(u); });
}

bool Space::fits(Vertex v, std::int32_t size) const {
    const auto [row, col] = cells_[v];
    const std::int32_t height = this->size() / width();
    if (row + size > height || col + size > width()) return false;
    for (std::int32_t down = 0; down < size; ++down)
        for (std::int32_t right = 0; right < size; ++right)
            if (!is_open(v + down * width() + right)) return false;
    return true;
}

Space Space::for_size(std::int32_t size) const {
    std::vector<std::uint8_t> open(open_.size());
    for (Vertex v = 0; v < this->size(); ++v) open[v] = fits(v, size);
    return grid(open, width(), diagonal_ ? 8 : 4, corners_);
}

void Space::set_open(Vertex v, bool open) {
    if (is_open(v) == open) return;
    open_[v] = open;
    // Edges into v and diagonals that pass it all start within one edge of it.
    around(v, [&](Vertex u) { refresh(u); });
}

}  // namespace sidestep
