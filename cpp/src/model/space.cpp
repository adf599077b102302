#include "sidestep/model/space.hpp"

#include <atomic>
#include <bit>
#include <unordered_map>
#include <utility>

namespace sidestep {

namespace {

std::uint64_t key(Move move) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(move.from)) << 32 |
           static_cast<std::uint32_t>(move.to);
}
bool less(Move a, Move b) { return key(a) < key(b); }
Move reversed(Move move) { return {move.to, move.from}; }

void sort_out(std::vector<Move>& moves) {
    std::sort(moves.begin(), moves.end(), less);
    moves.erase(std::unique(moves.begin(), moves.end()), moves.end());
}

// All edges of a graph in one direction, vertex by vertex.
struct Edges {
    std::vector<std::int32_t> first;
    std::vector<Vertex> ends;

    void assign(std::int32_t n, std::span<const Move> moves) {
        first.assign(static_cast<std::size_t>(n) + 1, 0);
        for (Move move : moves) ++first[move.from + 1];
        for (std::int32_t v = 0; v < n; ++v) first[v + 1] += first[v];
        ends.resize(moves.size());
        std::vector<std::int32_t> next(first.begin(), first.end() - 1);
        for (Move move : moves) ends[next[move.from]++] = move.to;
    }
};

// Those of them that can be used now.
struct ActiveEdges {
    std::vector<std::int32_t> degree;
    std::vector<Vertex> ends;

    void refresh(const Edges& all, Vertex v, std::span<const std::uint8_t> open) {
        std::int32_t kept = 0;
        for (std::int32_t k = all.first[v]; k < all.first[v + 1]; ++k)
            if (open[all.ends[k]]) ends[all.first[v] + kept++] = all.ends[k];
        degree[v] = kept;
    }
};

// The order of directions: straight ones first, so that a grid without diagonals has the first
// four.
constexpr std::array<std::array<int, 2>, 8> kSteps{
    {{-1, 0}, {0, 1}, {1, 0}, {0, -1}, {-1, 1}, {1, 1}, {1, -1}, {-1, -1}}};

// A search that tries the last of these first goes south before east; to meet it, one backwards
// goes west before north. All four such pairs together make this order, of straight directions.
constexpr std::array<int, 4> kWaysBack{2, 3, 0, 1};

// A row of cells and the rows beside it, with a closed cell at either end.
struct Lines {
    const std::uint8_t *up, *here, *down;
};

// The directions in which cells can be left, a bit each, in the order of kSteps. `diagonal` says of
// the end of a diagonal and of the two cells beside it whether it may be taken.
template <class Diagonal>
void write_leads(Lines lines, std::span<std::uint8_t> leads, Diagonal diagonal) {
    const auto [up, here, down] = lines;
    for (std::size_t k = 0; k < leads.size(); ++k) {
        const unsigned n = up[k + 1], e = here[k + 2], s = down[k + 1], w = here[k];
        const unsigned straight = n | e << 1 | s << 2 | w << 3;
        const unsigned slanted = diagonal(up[k + 2], n, e) << 4 | diagonal(down[k + 2], s, e) << 5 |
                                 diagonal(down[k], s, w) << 6 | diagonal(up[k], n, w) << 7;
        leads[k] = static_cast<std::uint8_t>(straight | slanted);
    }
}

void write_leads(Lines lines, std::span<std::uint8_t> leads, bool diagonal, Corners corners) {
    const auto none = [](unsigned end, unsigned a, unsigned b) { return end & a & b; };
    const auto one = [](unsigned end, unsigned a, unsigned b) { return end & (a | b); };
    const auto free = [](unsigned end, unsigned, unsigned) { return end; };
    if (!diagonal)
        write_leads(lines, leads, [](unsigned, unsigned, unsigned) { return 0u; });
    else if (corners == Corners::none)
        write_leads(lines, leads, none);
    else if (corners == Corners::one)
        write_leads(lines, leads, one);
    else
        write_leads(lines, leads, free);
}

}  // namespace

struct Space::Shape {
    std::int32_t size = 0, width = 0;
    bool diagonal = false, directed = false;
    Corners corners = Corners::none;
    std::vector<Directions> directions;  // of a grid, by the byte of a cell
    std::vector<Directions> ways_back;   // of a 4-connected one; of others they are the same
    Edges forward, backward;             // of a graph; backward only if directed
    std::unordered_map<std::uint64_t, std::vector<Move>> conflicts;
};

struct Space::Walls {
    std::vector<std::uint8_t> open, leads;
    ActiveEdges forward, backward;
};

Raster::Raster(std::int32_t width) : width_(width) {
    const auto divisor = static_cast<std::uint64_t>(width);
    shift_ = 31 + static_cast<std::int32_t>(std::bit_width(divisor - 1));
    factor_ = ((std::uint64_t{1} << shift_) + divisor - 1) / divisor;
}

Space Space::grid(std::span<const std::uint8_t> passable, std::int32_t width, int connectivity,
                  Corners corners) {
    auto shape = std::make_shared<Shape>();
    shape->size = static_cast<std::int32_t>(passable.size());
    shape->width = width;
    shape->diagonal = connectivity == 8;
    shape->corners = corners;
    const auto in_order = [width](std::span<const int> order) {
        std::vector<Directions> table(std::size_t{1} << order.size());
        for (std::size_t byte = 0; byte < table.size(); ++byte)
            for (const int k : order)
                if (byte >> k & 1)
                    table[byte].offsets[table[byte].count++] = kSteps[k][0] * width + kSteps[k][1];
        return table;
    };
    constexpr std::array<int, 8> every{0, 1, 2, 3, 4, 5, 6, 7};
    shape->directions = in_order({every.data(), static_cast<std::size_t>(connectivity)});
    if (!shape->diagonal) shape->ways_back = in_order(kWaysBack);
    auto walls = std::make_shared<Walls>();
    walls->open.resize(passable.size());
    std::transform(passable.begin(), passable.end(), walls->open.begin(),
                   [](std::uint8_t cell) -> std::uint8_t { return cell != 0; });
    walls->leads.resize(passable.size());
    refresh(*shape, *walls, {0, 0, shape->size / width, width});
    Space space;
    space.shape_ = std::move(shape);
    space.read(std::move(walls));
    return space;
}

Space Space::graph(std::int32_t n, std::span<const Move> edges, bool directed,
                   std::span<const Move> conflicts) {
    auto shape = std::make_shared<Shape>();
    shape->size = n;
    shape->directed = directed;
    std::vector<Move> moves(edges.begin(), edges.end());
    if (!directed) std::transform(edges.begin(), edges.end(), std::back_inserter(moves), reversed);
    sort_out(moves);
    shape->forward.assign(n, moves);
    std::transform(moves.begin(), moves.end(), moves.begin(), reversed);
    if (directed) shape->backward.assign(n, moves);

    const auto ways = [&](Move edge) {
        std::vector<Move> both{edge};
        if (!directed) both.push_back(reversed(edge));
        return both;
    };
    for (Move pair : conflicts) {
        // Parallel edges are one lane, which cannot be in its own way.
        const Move first = edges[pair.from], second = edges[pair.to];
        if (first == second || (!directed && first == reversed(second))) continue;
        for (Move one : ways(first)) {
            for (Move other : ways(second)) {
                shape->conflicts[key(one)].push_back(other);
                shape->conflicts[key(other)].push_back(one);
            }
        }
    }
    for (auto& [move, others] : shape->conflicts) sort_out(others);

    auto walls = std::make_shared<Walls>();
    walls->open.assign(n, 1);
    walls->forward = {std::vector<std::int32_t>(n), shape->forward.ends};
    if (directed) walls->backward = {std::vector<std::int32_t>(n), shape->backward.ends};
    for (Vertex v = 0; v < n; ++v) refresh(*shape, *walls, v);
    Space space;
    space.shape_ = std::move(shape);
    space.read(std::move(walls));
    return space;
}

void Space::read(std::shared_ptr<Walls> walls) {
    walls_ = std::move(walls);
    open_ = walls_->open.data();
    size_ = shape_->size;
    directed_ = shape_->directed;
    diagonal_ = shape_->diagonal;
    crossings_ = diagonal_ || !shape_->conflicts.empty();
    if (shape_->width > 0) {
        raster_ = Raster(shape_->width);
        leads_ = walls_->leads.data();
        directions_ = shape_->directions.data();
        ways_back_ = diagonal_ ? directions_ : shape_->ways_back.data();
        return;
    }
    const auto lists = [](const Edges& all, const ActiveEdges& active) {
        return Lists{all.first.data(), active.degree.data(), all.ends.data(), active.ends.data()};
    };
    ahead_ = lists(shape_->forward, walls_->forward);
    behind_ = directed_ ? lists(shape_->backward, walls_->backward) : ahead_;
}

// Walls that nobody else reads.
Space::Walls& Space::own_walls() {
    if (walls_.use_count() > 1) read(std::make_shared<Walls>(*walls_));
    // The last one that let go of them may have read them on another thread: that comes before.
    std::atomic_thread_fence(std::memory_order_acquire);
    return *walls_;
}

std::int64_t Space::bytes() const {
    std::size_t sum = walls_->open.size() + walls_->leads.size() +
                      (shape_->directions.size() + shape_->ways_back.size()) * sizeof(Directions);
    for (const Edges* edges : {&shape_->forward, &shape_->backward})
        sum += (edges->first.size() + edges->ends.size()) * sizeof(Vertex);
    for (const ActiveEdges* edges : {&walls_->forward, &walls_->backward})
        sum += (edges->degree.size() + edges->ends.size()) * sizeof(Vertex);
    for (const auto& [move, others] : shape_->conflicts)
        sum += sizeof(move) + sizeof(others) + others.size() * sizeof(Move);
    return static_cast<std::int64_t>(sum);
}

bool Space::connects(Vertex from, Vertex to) const {
    const auto near = successors(from);
    return std::find(near.begin(), near.end(), to) != near.end();
}

std::span<const Move> Space::conflicts_of(Move move) const {
    const auto found = shape_->conflicts.find(key(move));
    return found == shape_->conflicts.end() ? std::span<const Move>() : found->second;
}

// The directions that stay on the grid.
std::uint8_t Space::inside(Vertex v) const {
    std::array<std::array<std::uint8_t, 3>, 3> near{};
    for (std::int32_t row = 0; row < 3; ++row)
        for (std::int32_t col = 0; col < 3; ++col)
            near[row][col] = this->row(v) + row > 0 && this->row(v) + row <= height() &&
                             this->col(v) + col > 0 && this->col(v) + col <= width();
    std::uint8_t directions = 0;
    write_leads({near[0].data(), near[1].data(), near[2].data()}, {&directions, 1}, diagonal_,
                Corners::free);
    return directions;
}

// Finds anew in which directions these cells can be left.
void Space::refresh(const Shape& shape, Walls& walls, Rectangle cells) {
    const std::int32_t height = shape.size / shape.width;
    std::vector<std::uint8_t> buffer(3 * (static_cast<std::size_t>(cells.width) + 2));
    const auto line = [&](std::int32_t row) {
        const std::size_t number = static_cast<std::size_t>(row - cells.top + 1) % 3;
        return buffer.data() + number * buffer.size() / 3;
    };
    const std::int32_t left = std::max(cells.left - 1, 0);
    const std::int32_t right = std::min(cells.left + cells.width + 1, shape.width);
    const auto copy_row = [&](std::int32_t row) {
        const bool exists = row >= 0 && row < height;
        const auto begin = walls.open.data() + (exists ? row : 0) * std::ptrdiff_t{shape.width};
        std::uint8_t* out = line(row) + (left - cells.left + 1);
        if (exists)
            std::copy(begin + left, begin + right, out);
        else
            std::fill_n(out, right - left, std::uint8_t{0});
    };
    copy_row(cells.top - 1);
    copy_row(cells.top);
    for (std::int32_t row = cells.top; row < cells.top + cells.height; ++row) {
        copy_row(row + 1);
        std::uint8_t* leads = walls.leads.data() + row * std::ptrdiff_t{shape.width} + cells.left;
        write_leads({line(row - 1), line(row), line(row + 1)},
                    {leads, static_cast<std::size_t>(cells.width)}, shape.diagonal, shape.corners);
    }
}

// The same at a vertex of a graph.
void Space::refresh(const Shape& shape, Walls& walls, Vertex v) {
    walls.forward.refresh(shape.forward, v, walls.open);
    if (shape.directed) walls.backward.refresh(shape.backward, v, walls.open);
}

bool Space::fits(Vertex v, std::int32_t size) const {
    const auto last_row = std::int64_t{v} + std::int64_t{size - 1} * width();
    if (last_row >= this->size() || col(v) + size > width()) return false;
    for (std::int32_t down = 0; down < size; ++down)
        for (std::int32_t right = 0; right < size; ++right)
            if (!is_open(v + down * width() + right)) return false;
    return true;
}

Space Space::for_size(std::int32_t size) const {
    auto walls = std::make_shared<Walls>(*walls_);
    for (Vertex v = 0; v < this->size(); ++v) walls->open[v] = fits(v, size);
    refresh(*shape_, *walls, {0, 0, height(), width()});
    Space places = *this;
    places.read(std::move(walls));
    return places;
}

void Space::set_open(Vertex v, bool open) {
    if (is_open(v) == open) return;
    Walls& walls = own_walls();
    walls.open[v] = open;
    // Edges into v and diagonals that pass it all start within one edge of it.
    if (!is_grid()) return around(v, [&](Vertex u) { refresh(*shape_, walls, u); });
    const std::int32_t top = std::max(row(v) - 1, 0), left = std::max(col(v) - 1, 0);
    const std::int32_t bottom = std::min(row(v) + 2, height());
    const std::int32_t right = std::min(col(v) + 2, width());
    refresh(*shape_, walls, {top, left, bottom - top, right - left});
}

}  // namespace sidestep
