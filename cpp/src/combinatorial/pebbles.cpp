#include "sidestep/combinatorial/pebbles.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "sidestep/combinatorial/loops.hpp"

namespace sidestep {

namespace {

using Index = std::int32_t;
constexpr Index kNone = -1;
constexpr Index kFar = 1 << 29;
constexpr Index kVerticesPerTick = 64;

// A component of a space and who is in it.
struct Part {
    Component component;
    std::vector<AgentId> agents;
    bool has_idle = false;

    bool is_full() const { return agents.size() == static_cast<std::size_t>(component.vertices); }
};

// The components that have agents, in their order.
std::vector<Part> parts_of(const Components& components, std::span<const Vertex> starts,
                           std::span<const Vertex> goals) {
    std::map<std::int32_t, Part> parts;
    for (std::size_t a = 0; a < starts.size(); ++a) {
        Part& part = parts[components.labels()[starts[a]]];
        part.component = components.of(starts[a]);
        part.agents.push_back(static_cast<AgentId>(a));
        part.has_idle |= goals[a] == kNowhere;
    }
    std::vector<Part> listed;
    for (auto& [label, part] : parts) listed.push_back(std::move(part));
    return listed;
}

class DisjointSets {
  public:
    explicit DisjointSets(std::size_t size) : parent_(size) {
        std::iota(parent_.begin(), parent_.end(), 0);
    }
    Index find(Index k) {
        while (parent_[k] != k) k = parent_[k] = parent_[parent_[k]];
        return k;
    }
    // The name of the second set is kept.
    void merge(Index one, Index other) { parent_[find(one)] = find(other); }

  private:
    std::vector<Index> parent_;
};

// A tree of which the vertices are numbered from a root outwards, so that every number is greater
// than its parent's and the first k always hang together: the last are the leaves, where the agents
// are gathered, and the first are the holes.
class Tree {
  public:
    Tree(const Space& space, const Part& part)
        : size_(part.component.vertices),
          holes_(size_ - static_cast<Index>(part.agents.size())),
          number_(space.size(), kNone) {}

    // To be called first. False: the budget ended.
    bool number_from(const Space& space, Vertex root, Budget& budget);

    // Per number from `holes_` on: the agent that ends up there if all are gathered.
    std::vector<AgentId> gather(const Part& part, std::span<const Vertex> places) const;

    // Per number a name of its class.
    std::vector<Index> classes() const;

    Index holes() const { return holes_; }

  private:
    std::vector<Index> nearest_junctions_outside() const;
    bool holes_are_a_path_between_two_crowds() const;

    const Index size_, holes_;
    std::vector<Index> number_;  // by vertex
    std::vector<Index> parent_, degree_;
};

bool Tree::number_from(const Space& space, Vertex root, Budget& budget) {
    std::vector<Vertex> order{root};
    parent_.push_back(kNone);
    number_[root] = 0;
    for (Index k = 0; k < static_cast<Index>(order.size()); ++k) {
        if (k % kVerticesPerTick == 0 && !budget.tick()) return false;
        const auto near = space.successors(order[k]);
        degree_.push_back(static_cast<Index>(near.size()));
        for (const Vertex v : near) {
            if (number_[v] != kNone) continue;
            number_[v] = static_cast<Index>(order.size());
            order.push_back(v);
            parent_.push_back(k);
        }
    }
    return true;
}

// Fills the leaves from the last one on. The nearest agent on the way to the root can go there;
// if there is none, then the one nearest to the root, since nobody is in between.
std::vector<AgentId> Tree::gather(const Part& part, std::span<const Vertex> places) const {
    std::vector<AgentId> at(size_, kNobody), gathered(size_, kNobody);
    for (const AgentId a : part.agents) at[number_[places[a]]] = a;
    DisjointSets nearest(static_cast<std::size_t>(size_) + 1);  // from the parent's number + 1 on
    const auto leave = [&](Index k) { nearest.merge(k + 1, parent_[k] + 1); };
    for (Index k = 0; k < size_; ++k)
        if (at[k] == kNobody) leave(k);
    Index first = 0;
    for (Index k = size_ - 1; k >= holes_; --k) {
        Index from = nearest.find(k + 1) - 1;
        if (from == kNone) {
            while (at[first] == kNobody) ++first;
            from = first;
        }
        gathered[k] = at[from];
        at[from] = kNobody;
        leave(from);
    }
    return gathered;
}

// The distance to the nearest branching among the vertices that are not below.
std::vector<Index> Tree::nearest_junctions_outside() const {
    std::vector<Index> below(size_, kFar), second(size_, kFar), outside(size_, kFar);
    // Of a vertex: the nearest below or at it, and the nearest below it by another child.
    const auto own = [&](Index k) { return degree_[k] >= 3 ? 0 : below[k]; };
    for (Index k = size_ - 1; k > 0; --k) {
        const Index way = own(k) + 1, up = parent_[k];
        if (way < below[up])
            second[up] = std::exchange(below[up], way);
        else
            second[up] = std::min(second[up], way);
    }
    for (Index k = 1; k < size_; ++k) {
        const Index up = parent_[k];
        const Index beside = below[up] == own(k) + 1 ? second[up] : below[up];
        outside[k] = 1 + (degree_[up] >= 3 ? 0 : std::min(outside[up], beside));
    }
    return outside;
}

// Then nobody can go from one end of the path to the other past somebody who comes from there.
bool Tree::holes_are_a_path_between_two_crowds() const {
    std::vector<Index> empty_neighbours(holes_, 0);
    for (Index k = 1; k < holes_; ++k) {
        ++empty_neighbours[k];
        ++empty_neighbours[parent_[k]];
    }
    for (Index k = 0; k < holes_; ++k) {
        if (empty_neighbours[k] > 2) return false;
        if (empty_neighbours[k] == 2 && degree_[k] > 2) return false;
    }
    return true;
}

// Two agents change places where the tree branches: both must get there, with two branches free. So
// there must be a hole for every step of the way and two more.
std::vector<Index> Tree::classes() const {
    DisjointSets sets(static_cast<std::size_t>(size_));
    const bool is_path = holes_are_a_path_between_two_crowds();
    const std::vector<Index> outside = nearest_junctions_outside();
    std::vector<Index> sibling(size_, kNone);  // a child of the vertex; of holes that are not one
                                               // path: of the root
    for (Index k = holes_; k < size_ && holes_ >= 2; ++k) {
        const Index up = parent_[k];
        if (up >= holes_ && outside[up] + 2 <= holes_) sets.merge(k, up);
        // Those beside each other change places once the way out is free for two.
        Index& other = sibling[up < holes_ && !is_path ? 0 : up];
        if (other == kNone)
            other = k;
        else
            sets.merge(k, other);
    }
    std::vector<Index> names(size_);
    for (Index k = 0; k < size_; ++k) names[k] = sets.find(k);
    return names;
}

std::optional<AgentId> stuck_on_tree(const Space& space, const Part& part,
                                     std::span<const Vertex> starts, std::span<const Vertex> goals,
                                     Budget& budget) {
    Tree tree(space, part);
    if (!tree.number_from(space, part.component.first, budget)) return std::nullopt;
    // What follows takes a few times as long as a look at every vertex; each of it is one piece.
    const auto before = tree.gather(part, starts);
    if (!budget.look()) return std::nullopt;
    const auto after = tree.gather(part, goals);
    if (!budget.look()) return std::nullopt;
    const auto classes = tree.classes();
    std::vector<Index> class_of(starts.size(), kNone);
    for (std::size_t k = 0; k < before.size(); ++k)
        if (before[k] != kNobody) class_of[before[k]] = classes[k];
    for (std::size_t k = 0; k < after.size(); ++k)
        if (after[k] != kNobody && class_of[after[k]] != classes[k]) return after[k];
    return std::nullopt;
}

// Who is where, by vertex: nobody before a use of it, and nobody after.
using Occupants = std::vector<AgentId>;

// Around a ring everybody keeps the same neighbours. There is at least one agent.
std::optional<AgentId> stuck_around(std::span<const Vertex> around, std::span<const AgentId> agents,
                                    std::span<const Vertex> starts, std::span<const Vertex> goals,
                                    Occupants& at) {
    const auto in_order = [&](std::span<const Vertex> places) {
        std::vector<AgentId> order;
        for (const AgentId a : agents) at[places[a]] = a;
        for (const Vertex v : around)
            if (at[v] != kNobody) order.push_back(std::exchange(at[v], kNobody));
        return order;
    };
    const auto before = in_order(starts);
    auto after = in_order(goals);
    std::rotate(after.begin(), std::find(after.begin(), after.end(), before.front()), after.end());
    const auto [one, other] = std::mismatch(before.begin(), before.end(), after.begin());
    return one == before.end() ? std::nullopt : std::optional(*one);
}

std::optional<AgentId> stuck_on_ring(const Space& space, const Part& part,
                                     std::span<const Vertex> starts, std::span<const Vertex> goals,
                                     Budget& budget) {
    const auto length = static_cast<std::size_t>(part.component.vertices);
    std::vector<Vertex> around{part.component.first};
    while (around.size() < length) {
        if (around.size() % kVerticesPerTick == 0 && !budget.tick()) return std::nullopt;
        const auto near = space.successors(around.back());
        const bool back = around.size() > 1 && near[0] == around[around.size() - 2];
        around.push_back(near[back]);
    }
    Occupants at(space.size(), kNobody);
    return stuck_around(around, part.agents, starts, goals, at);
}

std::optional<AgentId> first_away(std::span<const AgentId> agents, std::span<const Vertex> starts,
                                  std::span<const Vertex> goals) {
    for (const AgentId a : agents)
        if (starts[a] != goals[a]) return a;
    return std::nullopt;
}

// The vertices of a region that is a ring, one beside the other.
std::vector<Vertex> around_of(const Space& space, const Regions& regions, const Region& ring) {
    std::vector<Vertex> around{ring.vertices.front()};
    Vertex before = kNowhere;
    while (around.size() < ring.vertices.size()) {
        const Vertex here = around.back();
        for (const Vertex to : space.successors(here)) {
            if (to == before || regions.of(to) != regions.of(here)) continue;
            around.push_back(to);
            break;
        }
        before = here;
    }
    return around;
}

// Do the agents have to be exchanged in pairs an odd number of times? They fill a region.
bool is_odd_permutation(std::span<const AgentId> agents, std::span<const Vertex> starts,
                        std::span<const Vertex> goals, Occupants& at) {
    for (const AgentId a : agents) at[starts[a]] = a;
    bool is_odd = false;
    for (const AgentId a : agents) {
        if (at[starts[a]] == kNobody) continue;  // in a cycle that was looked at
        at[starts[a]] = kNobody;
        for (AgentId next = at[goals[a]]; next != kNobody; next = at[goals[next]]) {
            at[starts[next]] = kNobody;
            is_odd = !is_odd;
        }
    }
    return is_odd;
}

// Where every place is taken agents only go around loops, all those of a loop at once. Whether
// there is a plan is known but for a region of several loops of which one is even: there, nearly
// always.
std::optional<Stuck> stuck_in_loops(const Space& space, const Part& part,
                                    std::span<const Vertex> starts, std::span<const Vertex> goals,
                                    Budget& budget) {
    Regions regions(space);
    if (!regions.find(part.component.first, budget)) return std::nullopt;
    std::vector<std::vector<AgentId>> inside(regions.all().size());
    for (const AgentId a : part.agents) {
        if (regions.of(starts[a]) != regions.of(goals[a])) return Stuck{a, Trap::bridge};
        inside[static_cast<std::size_t>(regions.of(starts[a]))].push_back(a);
    }
    Occupants at(space.size(), kNobody);
    for (std::size_t k = 0; k < inside.size(); ++k) {
        const Region& region = regions.all()[k];
        if (!budget.look()) return std::nullopt;
        if (region.is_ring()) {
            const auto around = around_of(space, regions, region);
            if (const auto a = stuck_around(around, inside[k], starts, goals, at))
                return Stuck{*a, Trap::ring};
        } else if (region.all_odd && is_odd_permutation(inside[k], starts, goals, at)) {
            return Stuck{*first_away(inside[k], starts, goals), Trap::odd};
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<Stuck> find_stuck(const Components& components, const Rules& rules,
                                std::span<const Vertex> starts, std::span<const Vertex> goals,
                                Budget& budget) {
    if (rules.disappear) return std::nullopt;
    const Space& space = components.space();
    for (const Part& part : parts_of(components, starts, goals)) {
        if (budget.exhausted()) return std::nullopt;
        if (part.has_idle) continue;
        const bool is_tree = part.component.is_tree();
        std::optional<AgentId> agent;
        Trap trap = Trap::full;
        if (part.is_full() && (is_tree || !rules.following)) {
            agent = first_away(part.agents, starts, goals);
        } else if (is_tree) {
            trap = Trap::tree;
            agent = stuck_on_tree(space, part, starts, goals, budget);
        } else if (part.component.is_ring) {
            trap = Trap::ring;
            agent = stuck_on_ring(space, part, starts, goals, budget);
        } else if (part.is_full()) {
            if (const auto found = stuck_in_loops(space, part, starts, goals, budget)) return found;
        }
        if (agent) return Stuck{*agent, trap};
    }
    return std::nullopt;
}

}  // namespace sidestep
