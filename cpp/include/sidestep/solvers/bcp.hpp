// Biased Cost Pathfinding (Geramifard, Chubak and Bulitko 2006): every unit plans alone, and where
// plans collide, a hill is heaped on the place for all but the most important unit, until no
// collisions are left or the patience is used up.
//
// A planning may take several turns. Meanwhile units go by the last whole set of paths: the one
// that the last iteration left, or the one before.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sidestep/distance/distance.hpp"
#include "sidestep/model/archive.hpp"
#include "sidestep/model/budget.hpp"
#include "sidestep/model/rules.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/model/types.hpp"
#include "sidestep/world/guard.hpp"

namespace sidestep {

// A search from elsewhere: the path from a vertex to a goal, both included; empty if there is none.
// `bias` is what hills add to every vertex, in steps; infinite where nobody may go.
using InnerSearch =
    std::function<std::vector<Vertex>(Vertex from, Vertex goal, std::span<const double> bias)>;

struct BiasOptions {
    std::int32_t width;         // of the grid; 0: the space is a graph
    double height = 1;          // of a hill, in steps
    bool in_cost = false;       // hills raise the cost of steps instead of the estimate
    bool greedy = false;        // the inner search ignores the way behind it: best-first
    bool trimmed = true;        // hills end at two sigma
    bool first_only = true;     // only the first collision of every unit counts
    bool discard_rest = false;  // then what comes after it is not there for the others either
    std::int32_t iterations = 1;
    std::int32_t longest = 0;  // the most steps of a planned path; 0: no limit
    double seconds = std::numeric_limits<double>::infinity();  // for one planning
    InnerSearch inner;                                         // instead of our own
};

class Bcp {
  public:
    Bcp(Space space, Rules rules, BiasOptions options, std::span<const Vertex> goals,
        std::span<const std::int32_t> priorities);

    // One turn: plans if something is not as planned, then moves. Of several that would enter one
    // vertex the one with the highest priority does. moves[i] is where i goes.
    void turn(std::span<const Vertex> positions, Budget& budget, std::span<Vertex> moves);

    void set_open(Vertex v, bool open);
    void set_goal(AgentId agent, Vertex goal);
    void set_priority(AgentId agent, std::int32_t priority);
    AgentId add_agent();  // idle, priority 0
    // Only these agents are left, with new numbers in this order.
    void forget_all_but(std::span<const AgentId> kept);

    // The whole state, for one made for the same problem to go on exactly as this one would.
    void save(Writer& writer) const;
    void load(Reader& reader);

    std::int32_t size() const { return static_cast<std::int32_t>(units_.size()); }
    const Space& space() const { return space_; }
    std::int64_t plannings() const { return plannings_; }
    std::int64_t iterations() const { return iterations_; }
    std::int64_t collisions() const { return collisions_; }  // in the plan that is followed
    double slowest_planning() const { return slowest_; }     // in seconds

  private:
    // Costs and hills are whole numbers of this fraction of a step.
    static constexpr std::int64_t kUnit = 1024;
    using Path = std::vector<Vertex>;

    struct Unit {
        Vertex goal = kNowhere;
        Path path;  // of the last whole set; where it is now is at the cursor
        Path next;  // what it has found in the iteration under way
        Path rest;  // what was cut off a path, from its end on
        std::unordered_map<Vertex, std::int64_t> hills;  // what they add up to; only looked up
        bool changed = true;                             // it has to plan
        bool needy = true;      // what it has will not do: if the next path fails it, too, again
        bool has_next = false;  // which may be empty
        // Its last move failed: units beside it are walls, this once.
        bool refused = false;
    };
    // Units that are in one place at one time, or in each other's way on the way there.
    struct Collision {
        Time time;
        Vertex place;  // kNowhere: where each of them goes
        std::vector<AgentId> units;
    };
    struct Open {
        std::int64_t rank, g;
        Vertex vertex;
        template <class Self, class Archive>
        static void fields(Self& self, Archive& archive) {
            archive(self.rank, self.g, self.vertex);
        }
    };
    struct Seen {
        std::uint32_t stamp = 0;
        bool closed = false;
        std::int64_t g = 0;
        Vertex parent = kNowhere;
    };

    template <class Self, class Archive>
    static void numbers(Self& self, Archive& archive);
    void load_search(Reader& reader);
    bool is_as_planned(std::span<const Vertex> positions);
    void begin_planning(std::span<const Vertex> positions);
    void follow(Unit& unit, Vertex here);
    void need(Unit& unit);
    void plan(std::span<const Vertex> positions, Budget& budget);
    bool iterate(std::span<const Vertex> positions, Budget& budget, double begin);
    void use_fewest();
    std::int64_t bytes() const;
    bool search(AgentId agent, Vertex from, Budget& budget);
    bool find(AgentId agent, Vertex from, Budget& budget);
    bool ask(Unit& unit, Vertex from, Budget& budget);
    void shorten(Unit& unit) const;
    Vertex place_now(const Unit& unit) const;
    bool is_open_way(const Path& path) const;
    bool may_gain(const Unit& unit, Vertex opened) const;
    std::int64_t estimate(Vertex v, Vertex goal) const;
    std::int64_t hill_at(const Unit& unit, Vertex v) const;
    void add_hill(Unit& unit, Vertex place, std::size_t sigma);

    Vertex place_at(const Unit& unit, Time t) const;
    using Presence = std::pair<Vertex, AgentId>;
    using Step = std::tuple<Vertex, Vertex, AgentId>;
    bool find_collisions(std::vector<Collision>& found, Budget& budget) const;
    void list_steps(Time t, std::vector<Presence>& presences, std::vector<Step>& steps) const;
    void find_on_the_way(Time t, const std::vector<Step>& steps,
                         std::vector<Collision>& found) const;
    std::int64_t heap_hills(std::vector<Collision>& collisions);
    AgentId winner(const Collision& collision) const;

    Space space_;
    Rules rules_;
    BiasOptions options_;
    std::vector<Unit> units_;
    std::vector<std::int32_t> priorities_;
    Guard guard_;
    std::size_t cursor_ = 0;  // how many steps of the paths have been made
    bool stale_ = true;       // all have to plan
    bool concerned_ = false;  // some have
    // The planning under way: how many iterations and seconds it has taken, and the set with the
    // fewest collisions.
    bool planning_ = false;
    std::int32_t iteration_ = 0;
    double spent_ = 0;
    std::vector<Path> best_;
    std::int64_t fewest_ = -1;
    AgentId interrupted_ = -1;  // whose search is in the heap
    Vertex interrupted_at_ = kNowhere;
    std::vector<Open> heap_;
    std::vector<Seen> seen_;
    std::uint32_t stamp_ = 0;
    std::vector<std::uint8_t> occupied_;  // while planning, who stands where
    std::int64_t plannings_ = 0, iterations_ = 0, collisions_ = 0;
    double slowest_ = 0;
};

}  // namespace sidestep
