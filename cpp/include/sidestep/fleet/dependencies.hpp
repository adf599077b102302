// The dependency graph of a plan: who must have left a place before another enters it.
//
// Hoenig, Kiesel, Tinka, Durham, Ayanian 2019: "Persistent and Robust Execution of MAPF Schedules
// in Warehouses"; Ma, Kumar, Koenig 2017: "Multi-Agent Path Finding with Delay Probabilities".
//
// A visit is an agent's stay on one place of its way; waits vanish. Visit k may begin when the one
// that was there before has *left*: has finished its own next visit. So nothing is assumed of
// speeds, and what is executed keeps the order of the plan. Visits are linked as the plan is read,
// step by step, by who was last to leave each cell: one look-up per cell, whatever the number of
// agents.
//
// Why there is no cycle: a visit waits for visits of the same step of the plan or an earlier one.
// In one step it waits for who moves out of its way, and that chain ends unless it is a ring, all
// of which moves at once. A plan with a ring is refused.
//
// What was released is never taken back. Finished visits are forgotten: memory is for what is
// ahead.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "sidestep/model/agents.hpp"
#include "sidestep/model/budget.hpp"
#include "sidestep/model/rules.hpp"
#include "sidestep/model/space.hpp"

namespace sidestep {

using VisitId = std::int32_t;
inline constexpr VisitId kNoVisit = -1;

// A plan as rows of places; row 0 is where the visits that are released end.
struct PlanRows {
    std::span<const Vertex> places;
    std::size_t agents;
    std::size_t count() const { return agents == 0 ? 0 : places.size() / agents; }
    std::span<const Vertex> operator[](std::size_t row) const {
        return places.subspan(row * agents, agents);
    }
};

class Dependencies {
  public:
    // Agents that move at once, each into the place of the next, and the step of the plan.
    struct Ring {
        Time step;
        std::vector<AgentId> agents;
    };
    // An agent waits for another to finish a visit, so that a place becomes free.
    struct Wait {
        AgentId other;
        std::int32_t number;
        Vertex place;
    };

    Dependencies(const Space& space, const Rules& rules, const Agents& agents);

    // The same without visits that are not released.
    Dependencies committed() const;

    // Links the visits of a plan, behind those there are. False: the budget ended, or there is a
    // `ring`; then this object is of no further use.
    bool add(const PlanRows& rows, Budget& budget);
    const std::optional<Ring>& ring() const { return ring_; }

    std::size_t size() const { return routes_.size(); }
    const Space& space() const { return space_; }
    std::span<const Body> bodies() const { return bodies_; }
    // How many visits the agent has finished, may make, and will make; the start is not counted.
    std::int32_t finished(AgentId a) const { return routes_[a].finished; }
    std::int32_t released(AgentId a) const { return routes_[a].released; }
    std::int32_t total(AgentId a) const { return routes_[a].finished + left(routes_[a]); }
    // The place of a visit that is not forgotten: the last finished one, or one after it.
    Vertex place(AgentId a, std::int32_t number) const;

    // The agent has finished this many of its visits, of which all were released.
    void finish(AgentId a, std::int32_t number);
    // Releases what is free, at most `ahead` visits beyond the finished ones. An agent that would
    // have to wait may go first if it saves more than `worth` visits for each that others lose; 0:
    // nobody may.
    void release(std::int32_t ahead, std::int32_t worth);
    // How many dependencies were turned round so far.
    std::int64_t turned() const { return turned_; }

    // What the agent's first visit that is not released waits for.
    std::vector<Wait> waits(AgentId a) const;

    // Calls visit(before, after) for every link: the one must be finished before the other begins.
    template <class Call>
    void each_link(Call&& call) const {
        for (const Route& route : routes_)
            for (std::size_t k = route.begin; k < route.ahead.size(); ++k)
                for (LinkId l = visits_[route.ahead[k]].in; l != kNoLink; l = links_[l].next_in)
                    call(visits_[links_[l].from], visits_[links_[l].to]);
    }

    struct Visit {
        AgentId agent;
        std::int32_t number;
        Vertex place;  // kNowhere: it leaves the map
        std::int32_t waiting;
        std::int32_t in, out;  // the first of its links
    };

  private:
    using LinkId = std::int32_t;
    static constexpr LinkId kNoLink = -1;

    struct Link {
        VisitId from, to;
        LinkId next_in, next_out;
    };
    struct Route {
        std::vector<VisitId> ahead;  // unfinished visits, from `begin` on
        std::size_t begin = 0;
        std::int32_t finished = 0, released = 0;
        Vertex place = kNowhere;  // of the last finished visit
        bool is_dirty = true;     // something may have become free
    };

    static std::int32_t left(const Route& route) {
        return static_cast<std::int32_t>(route.ahead.size() - route.begin);
    }
    VisitId visit_of(AgentId a, std::int32_t number) const {
        const Route& route = routes_[a];
        return route.ahead[route.begin + static_cast<std::size_t>(number - route.finished - 1)];
    }
    Move move_of(const Visit& visit) const {
        return {place(visit.agent, visit.number - 1), visit.place};
    }
    bool reserve(const PlanRows& rows, Budget& budget);
    void add_visits(std::span<const Vertex> before, std::span<const Vertex> after);
    void append(AgentId a, Vertex place);
    void leave(VisitId id);
    void link_entered(VisitId id);
    void link_crossings(VisitId id);
    void link(VisitId from, VisitId to);
    void unlink(LinkId l);
    void forget(VisitId id);
    void pass(VisitId id);
    std::int32_t in_step(VisitId id) const;
    bool find_ring(Time step);
    std::vector<AgentId> ring_among(std::span<const std::int32_t> behind) const;
    void mark_dirty(AgentId a);
    bool crosses() const;

    // A visit that is to come before all others that are still to come to its place.
    struct Turn {
        VisitId entering, leaving;  // of the agent that goes first
        VisitId last, first;        // the last to leave the place before it, the first to enter it
        std::int32_t others;        // how many these are,
        std::int32_t harm;          // and how many visits they have to wait longer
    };
    bool turn(AgentId a, std::int32_t worth);
    std::optional<Turn> find_turn(AgentId a, std::int32_t number) const;
    bool comes_twice(const Turn& turn) const;
    bool visits_again(AgentId a, std::int32_t from, std::int32_t to, Vertex place) const;
    std::int32_t visits_until(AgentId a, std::int32_t number) const;
    void apply(const Turn& turn);

    Space space_;
    Rules rules_;
    bool may_turn_ = false;  // everybody is of one cell, and nothing crosses: one link per visit
    std::vector<Body> bodies_;
    std::vector<Visit> visits_;
    std::vector<VisitId> free_visits_;
    std::vector<Link> links_;
    std::vector<LinkId> free_links_;
    std::vector<Route> routes_;
    std::vector<std::int32_t> mover_of_;  // per agent, while a step is read: its number there
    std::vector<AgentId> dirty_;
    std::vector<VisitId> leaver_;                         // per cell: the last visit that leaves it
    std::unordered_map<std::uint64_t, VisitId> passing_;  // per move that may be crossed: the last
    std::vector<VisitId> movers_;                         // of the step that is being read
    std::vector<Turn> turns_;
    std::int64_t turned_ = 0;
    std::optional<Ring> ring_;
};

}  // namespace sidestep
