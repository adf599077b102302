// Several agents at once, each in its decision diagram: is there a way for all of them that keeps
// the rules? A depth-first search over joint states (the low level of ICTS; Sharon, Stern,
// Goldenberg and Felner 2013).
//
// A dead end is remembered by those who are to blame for it, not by everybody, and the search goes
// straight back to the last of them that had a choice (conflict-directed backjumping; Prosser
// 1993). So agents that have nothing to do with a failure are not tried in all their ways, and in
// the end the search can say who has no way together.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "sidestep/model/budget.hpp"
#include "sidestep/model/rules.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/model/types.hpp"
#include "sidestep/solvers/icts/cost_diagram.hpp"
#include "sidestep/spacetime/search.hpp"

namespace sidestep::icts {

// What all parts of a solver hold together, against the memory of the budget.
class Holding {
  public:
    // False: it is too much.
    bool add(std::int64_t bytes, Budget& budget) {
        held_ += bytes;
        most_ = std::max(most_, held_ + kept_);
        return budget.fits(held_);
    }
    // What distances take, which the budget hears of from themselves.
    void kept(std::int64_t bytes) { kept_ = bytes; }
    void drop(std::int64_t bytes) { held_ -= bytes; }
    std::int64_t most() const { return most_; }

  private:
    std::int64_t held_ = 0, kept_ = 0, most_ = 0;
};

// A set of keys that are some words long, numbered in the order of their insertion.
class PackedSet {
  public:
    void clear(std::size_t words_per_key);
    // The number of the key, and whether it is new.
    std::pair<std::uint32_t, bool> insert(const std::uint64_t* key);
    bool contains(const std::uint64_t* key) const;
    const std::uint64_t* operator[](std::uint32_t number) const {
        return keys_.data() + number * words_;
    }
    std::size_t size() const { return count_; }
    std::int64_t bytes() const {
        return static_cast<std::int64_t>(keys_.capacity() * sizeof(std::uint64_t) +
                                         slots_.capacity() * sizeof(std::uint32_t));
    }

  private:
    std::size_t home(const std::uint64_t* key) const;
    void grow();

    std::size_t words_ = 1, count_ = 0;
    std::vector<std::uint64_t> keys_;
    std::vector<std::uint32_t> slots_;  // a power of two of them: number + 1, or 0
};

// Where agents that should be avoided are, a bit per vertex and time. A preference, not a rule:
// two of them in one place are one bit.
class Occupied {
  public:
    void clear(std::int32_t vertices, Time horizon);
    void add(std::span<const Vertex> path, bool stays) { set(path, stays, true); }
    void remove(std::span<const Vertex> path, bool stays) { set(path, stays, false); }
    bool busy(Move move, Time t) const {
        if (t + 1 > horizon_) return false;
        return at(move.to, t + 1) ||
               (move.from != move.to && at(move.to, t) && at(move.from, t + 1));
    }
    std::int64_t bytes() const { return static_cast<std::int64_t>(bits_.capacity() * 8); }

  private:
    bool at(Vertex v, Time t) const { return bits_[t * words_ + (v >> 6)] >> (v & 63) & 1; }
    void set(std::span<const Vertex> path, bool stays, bool busy);

    std::size_t words_ = 0;
    Time horizon_ = -1;
    std::vector<std::uint64_t> bits_;
};

// A set of walkers, a bit each; from the 65th on they share bits, which only makes it coarser.
using Blame = std::uint64_t;
inline Blame blame_of(std::size_t walker) { return Blame{1} << (walker & 63); }

// An agent in a joint search: its diagram and, if given, which of its nodes may be used and because
// of whom the others may not.
struct Walker {
    const CostDiagram* diagram;
    const std::uint8_t* alive = nullptr;
    Blame pruned_by = 0;
};

class Walk {
  public:
    Walk(const Space& space, const Rules& rules, Holding& holding);

    // Moves that meet `traffic`, if given, are tried last.
    Outcome run(std::span<const Walker> walkers, const Occupied* traffic, Budget& budget);

    // After `no_path`: walkers that have no way together, whatever the others do.
    Blame culprits() const { return culprits_; }
    // They were found without a search.
    void give_up(Blame culprits) { culprits_ = culprits; }

    // After `found`: the path of a walker, from time 0 to its cost.
    void copy_path(std::size_t walker, std::vector<Vertex>& path) const;

  private:
    using Index = std::int32_t;
    static constexpr Index kFree = -1;
    static constexpr std::size_t kMostMasks = 16;  // per level
    struct Others;
    struct Mask {
        Blame blame;
        std::size_t fields;  // where its bits of a packed state begin
    };

    static Blame bit(Index walker) { return blame_of(static_cast<std::size_t>(walker)); }

    CostDiagram::Node& node(Time t, Index walker) { return nodes_[t * count_ + walker]; }
    CostDiagram::Node node(Time t, Index walker) const { return nodes_[t * count_ + walker]; }
    Vertex place(Time t, Index walker) const {
        const CostDiagram& diagram = *walkers_[walker].diagram;
        return rules_.disappear && t > diagram.cost() ? kNowhere : diagram.vertex(node(t, walker));
    }
    void prepare(std::span<const Walker> walkers);
    void put(std::vector<Index>& places, Time t);
    void take_away(std::vector<Index>& places, Time t);
    void line_up(Time t);
    void begin(Time t, Index rank);
    bool retreat(Time& t, Index& rank, Blame blame);
    Blame choose(Time t, Index rank);
    Blame against(Move move) const;
    void undo(Time t, Index rank);
    void pack(Time t, std::uint64_t* key, const Blame* fields) const;
    void learn(Time t, Blame blame);
    Blame known_dead(Time t);
    const std::uint64_t* masked(const Mask& mask);
    bool hold(Budget& budget);

    const Space& space_;
    const Rules& rules_;
    Holding& holding_;
    std::span<const Walker> walkers_;
    const Occupied* traffic_ = nullptr;
    Index count_ = 0;
    Time end_ = 0;
    // Per time and walker: where it is, who chooses in which order, and which choice comes next.
    std::vector<CostDiagram::Node> nodes_;
    std::vector<Index> order_;
    std::vector<std::uint32_t> next_;
    std::vector<Blame> blame_;
    std::vector<Index> here_, there_;  // per vertex: who is there now, and who goes there next
    std::vector<int> bits_;            // per walker, of its node within a level
    // Dead ends: packed states of those to blame for them, and who that can be on each level.
    std::size_t words_ = 1;
    PackedSet dead_;
    std::vector<std::vector<Mask>> masks_;
    std::vector<std::uint64_t> key_, masked_, fields_;
    Blame culprits_ = 0;
    std::int64_t held_ = 0;
};

}  // namespace sidestep::icts
