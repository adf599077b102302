// What the core must do, done the slow and obvious way, and random worlds to compare the two in.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sidestep/model/random.hpp"
#include "sidestep/model/rules.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/model/types.hpp"

namespace plain {

using sidestep::AgentId;
using sidestep::Corners;
using sidestep::kNobody;
using sidestep::kNowhere;
using sidestep::Move;
using sidestep::Rules;
using sidestep::Time;
using sidestep::Vertex;

// Draws that are the same in every run.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(sidestep::mix(seed)) {}
    int below(int n) {
        state_ = sidestep::mix(state_);
        return static_cast<int>((state_ >> 33) % static_cast<std::uint64_t>(n));
    }
    int between(int low, int high) { return low + below(high - low + 1); }
    bool chance(int percent) { return below(100) < percent; }
    template <class T>
    void shuffle(std::vector<T>& values) {
        for (std::size_t k = values.size(); k > 1; --k)
            std::swap(values[k - 1], values[below(static_cast<int>(k))]);
    }

  private:
    std::uint64_t state_;
};

// A grid or a graph as its description, without anything derived from it.
struct Ground {
    std::vector<std::uint8_t> open;
    int width = 0;  // 0 for a graph
    int connectivity = 4;
    Corners corners = Corners::none;
    std::vector<Move> edges;
    std::vector<Move> conflicts;
    bool directed = false;

    int size() const { return static_cast<int>(open.size()); }

    sidestep::Space compiled() const {
        if (width > 0) return sidestep::Space::grid(open, width, connectivity, corners);
        auto space = sidestep::Space::graph(size(), edges, directed, conflicts);
        for (Vertex v = 0; v < size(); ++v)
            if (!open[v]) space.set_open(v, false);
        return space;
    }

    bool is_edge(Move edge, Move move) const {
        return (edge.from == move.from && edge.to == move.to) ||
               (!directed && edge.from == move.to && edge.to == move.from);
    }

    bool connects(Vertex from, Vertex to) const {
        if (!open[to] || from == to) return false;
        if (width == 0) {
            for (const Move edge : edges)
                if (is_edge(edge, {from, to})) return true;
            return false;
        }
        const int down = to / width - from / width, right = to % width - from % width;
        if (std::abs(down) > 1 || std::abs(right) > 1) return false;
        if (down == 0 || right == 0) return true;
        const int blocked = !open[from + right] + !open[from + down * width];
        return connectivity == 8 && blocked <= static_cast<int>(corners);
    }

    // Two moves that nobody may make in one step, unless the rules allow crossing.
    bool cross(Move a, Move b) const {
        if (width == 0) {
            if (is_edge(a, b)) return false;  // two on one edge swap, or meet at its end
            for (const Move pair : conflicts)
                if ((is_edge(edges[pair.from], a) && is_edge(edges[pair.to], b)) ||
                    (is_edge(edges[pair.from], b) && is_edge(edges[pair.to], a)))
                    return true;
            return false;
        }
        const auto row = [&](Vertex v) { return v / width; };
        const auto col = [&](Vertex v) { return v % width; };
        const bool diagonal = row(a.from) != row(a.to) && col(a.from) != col(a.to);
        const Move other{row(a.from) * width + col(a.to), row(a.to) * width + col(a.from)};
        return diagonal && ((b.from == other.from && b.to == other.to) ||
                            (b.from == other.to && b.to == other.from));
    }

    // The steps from every vertex to the goal, -1 where there is no way.
    std::vector<int> distances_to(Vertex goal) const {
        std::vector<int> steps(open.size(), -1);
        steps[goal] = 0;
        std::vector<Vertex> reached{goal};
        for (std::size_t k = 0; k < reached.size(); ++k)
            for (Vertex u = 0; u < size(); ++u)
                if (steps[u] < 0 && connects(u, reached[k])) {
                    steps[u] = steps[reached[k]] + 1;
                    reached.push_back(u);
                }
        return steps;
    }

    std::vector<Vertex> open_vertices() const {
        std::vector<Vertex> all;
        for (Vertex v = 0; v < size(); ++v)
            if (open[v]) all.push_back(v);
        return all;
    }
};

// Rows of '.' and '#'.
inline Ground drawn(std::string_view rows, int connectivity = 4, Corners corners = Corners::none) {
    Ground ground;
    ground.connectivity = connectivity;
    ground.corners = corners;
    for (const char c : rows) {
        if (c == '\n' && ground.width == 0) ground.width = ground.size();
        if (c == '.' || c == '#') ground.open.push_back(c == '.');
    }
    if (ground.width == 0) ground.width = ground.size();
    return ground;
}

inline Ground random_grid(Random& random, int max_side) {
    Ground ground;
    ground.width = random.between(2, max_side);
    ground.connectivity = random.chance(50) ? 4 : 8;
    ground.corners = static_cast<Corners>(random.below(3));
    ground.open.assign(ground.width * random.between(2, max_side), 1);
    for (auto& open : ground.open) open = !random.chance(20);
    return ground;
}

inline Ground random_graph(Random& random, int max_size) {
    Ground ground;
    const int n = random.between(4, max_size);
    ground.open.assign(n, 1);
    ground.directed = random.chance(50);
    const int edges = random.between(n, 3 * n);
    for (int k = 0; k < edges; ++k) {
        const Vertex from = random.below(n), to = random.below(n);
        if (from != to) ground.edges.push_back({from, to});
    }
    if (ground.edges.empty()) ground.edges.push_back({0, 1});
    const int m = static_cast<int>(ground.edges.size());
    for (int k = random.below(2 * n); k-- > 0;)
        ground.conflicts.push_back({random.below(m), random.below(m)});
    for (auto& open : ground.open) open = !random.chance(10);
    return ground;
}

inline Ground random_ground(Random& random, int max_side = 5) {
    return random.chance(70) ? random_grid(random, max_side)
                             : random_graph(random, max_side * max_side);
}

inline Rules random_rules(Random& random) {
    return {random.chance(50), random.chance(50), random.chance(50), random.chance(50)};
}

// What is wrong with a step in which everybody goes from before[i] to after[i]; empty if nothing.
// kNowhere in `before`: not there; only in `after`: it disappears.
inline std::string fault_in_step(const Ground& ground, const Rules& rules,
                                 std::span<const Vertex> before, std::span<const Vertex> after) {
    const auto name = [](const char* what, std::size_t a, std::size_t b) {
        return std::string(what) + " of agents " + std::to_string(a) + " and " + std::to_string(b);
    };
    for (std::size_t a = 0; a < before.size(); ++a) {
        if (before[a] == kNowhere && after[a] != kNowhere) return name("appearance", a, a);
        if (after[a] == kNowhere || before[a] == after[a]) continue;
        if (after[a] < 0 || after[a] >= ground.size() || !ground.connects(before[a], after[a]))
            return name("impossible move", a, a);
    }
    for (std::size_t a = 0; a < before.size(); ++a) {
        if (after[a] == kNowhere) continue;
        for (std::size_t b = 0; b < before.size(); ++b) {
            if (a == b || before[b] == kNowhere) continue;
            if (after[a] == after[b]) return name("vertex conflict", a, b);
            if (before[a] == after[a]) continue;
            const bool enters_behind = after[a] == before[b];
            if (enters_behind && after[b] == before[a]) return name("swap", a, b);
            if (enters_behind && !rules.following) return name("following", a, b);
            if (!rules.crossing && after[b] != kNowhere && after[b] != before[b] &&
                ground.cross({before[a], after[a]}, {before[b], after[b]}))
                return name("crossing", a, b);
        }
    }
    return "";
}

// What somebody holds from `start` on; parked: the last vertex for ever.
struct Promise {
    Time start = 0;
    std::vector<Vertex> path;
    bool parked = false;

    Vertex at(Time t) const {
        if (path.empty() || t < start) return kNowhere;
        const auto k = static_cast<std::size_t>(t - start);
        if (k < path.size()) return path[k];
        return parked ? path.back() : kNowhere;
    }
    Time end() const { return start + static_cast<Time>(path.size()) - 1; }
};

// The reservation table as a list of promises.
struct Promises {
    std::vector<Promise> of;

    AgentId holder(Vertex v, Time t) const {
        for (std::size_t a = 0; a < of.size(); ++a)
            if (of[a].at(t) == v) return static_cast<AgentId>(a);
        return kNobody;
    }
    Time last(Time now) const {
        Time latest = now - 1;
        for (const Promise& promise : of)
            if (!promise.path.empty()) latest = std::max(latest, promise.end());
        return latest;
    }
    // The last time from `now` on at which v is taken; nothing if never, kForever if for good.
    std::optional<Time> last_taken(Vertex v, Time now) const {
        std::optional<Time> latest;
        for (const Promise& promise : of) {
            if (promise.parked && promise.path.back() == v) return sidestep::kForever;
            for (Time t = now; t <= promise.end(); ++t)
                if (promise.at(t) == v) latest = std::max(latest.value_or(t), t);
        }
        return latest;
    }
    // May somebody else go from `from` at t to `to` at t + 1?
    bool allow(const Ground& ground, const Rules& rules, Move move, Time t) const {
        for (const Promise& promise : of) {
            const Vertex here = promise.at(t), next = promise.at(t + 1);
            if (next == move.to) return false;
            if (move.from == move.to) continue;
            if (here == move.to && next == move.from) return false;
            if (!rules.following && (here == move.to || next == move.from)) return false;
            const bool moves = here != kNowhere && next != kNowhere && here != next;
            if (!rules.crossing && moves && ground.cross(move, {here, next})) return false;
        }
        return true;
    }
    // Can this promise be added without two agents in one place? (`except` is replaced by it.)
    bool fits(const Promise& wanted, AgentId except, Time now) const {
        const Time horizon = std::max(last(now), wanted.end()) + 1;
        for (std::size_t a = 0; a < of.size(); ++a)
            for (Time t = now; t <= horizon; ++t)
                if (static_cast<AgentId>(a) != except && wanted.at(t) != kNowhere &&
                    wanted.at(t) == of[a].at(t))
                    return false;
        return true;
    }
};

}  // namespace plain
