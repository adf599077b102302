// Asynchronous Decentralised Prioritised Planning (Čáp et al. 2012, 2013): agents with fixed
// priorities that all plan at once.
//
// Who has a new path sends it to everybody below; who is told a path that collides with its own
// plans again. Agents act when they have letters to read, in any order, on several threads or one
// at a time in an order drawn from a seed. An agent knows of others only what they wrote to it.
// When nobody has an unread letter and nobody acts, everybody who has a path keeps clear of all
// above: each has read the last path that each of them sent, and has not been disturbed since.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "sidestep/distance/distance.hpp"
#include "sidestep/model/budget.hpp"
#include "sidestep/model/rules.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/model/types.hpp"
#include "sidestep/spacetime/search.hpp"
#include "sidestep/spacetime/traffic.hpp"

namespace sidestep {

class Adpp {
  public:
    struct Counts {
        std::int64_t letters = 0;   // one per reader
        std::int64_t vertices = 0;  // in all letters
        std::int64_t searches = 0;
    };

    // `order` has all agents, the highest priority first. `always`: agents search again whenever
    // they are told anything, not only if it collides with their path; then they end with the paths
    // that planning one after another would give.
    Adpp(Space space, Rules rules, std::span<const Vertex> starts, std::span<const Vertex> goals,
         std::span<const AgentId> order, bool always);
    Adpp(const Adpp&) = delete;
    Adpp& operator=(const Adpp&) = delete;

    // Until nobody has anything left to do. False: the budget ran out. One at a time, whose turn it
    // is drawn by the seed; or on several threads, while the calling one watches the budget.
    bool run_seeded(std::uint64_t seed, Budget& budget);
    bool run_threads(std::int32_t threads, Budget& budget);

    // One agent by itself, whose letters come from elsewhere: it is told where another of a higher
    // priority goes (an empty path: nowhere that it knows of), and reads that when it acts. False:
    // the budget ran out.
    void tell(AgentId reader, AgentId writer, std::span<const Vertex> path, bool stays);
    bool act(AgentId agent, Budget& budget);

    // The distance from an agent to its goal by itself; kUnreachable, kNotReady.
    Cost distance(AgentId agent, Budget& budget);
    Vertex start(AgentId agent) const { return agents_[rank_of_[agent]].start; }
    bool is_above(AgentId one, AgentId other) const { return rank_of_[one] < rank_of_[other]; }
    const Space& space() const { return space_; }
    // Empty: it has found none.
    std::span<const Vertex> path(AgentId agent) const;
    // For an agent without a path, enough of those above it to leave it none, all of which it would
    // otherwise collide with; empty if the budget ran out.
    std::vector<AgentId> blockers(AgentId agent, Budget& budget);

    std::int32_t size() const { return static_cast<std::int32_t>(agents_.size()); }
    const Counts& counts() const { return counts_; }

  private:
    using Rank = std::int32_t;  // 0 is the highest
    struct Path {
        std::vector<Vertex> vertices;
        bool stays;  // at its end, for good
    };
    using Told = std::shared_ptr<const Path>;
    struct Letter {
        Rank from;
        Told path;  // null: the sender has none any more
    };
    struct Agent {
        Agent(Rank own_rank, Vertex from, Vertex to) : rank(own_rank), start(from), goal(to) {}

        Rank rank;
        Vertex start, goal;
        // What follows is touched only by what acts for the agent.
        std::vector<Told> above;  // by rank, what it was told last
        Told own;
        PagePool pages{DistanceMap::kPageBytes, 4};
        std::unique_ptr<DistanceMap> distances;  // when first needed
        // Where others leave their letters.
        std::mutex door;
        std::vector<Letter> letters;
    };
    class Among;
    class Schedule;
    struct Bench;  // what a thread works with
    struct Spent;

    enum class Thought : std::uint8_t { as_before, changed, out_of_budget };

    Thought think(Agent& agent, Bench& bench, Budget& budget);
    template <class Call>
    bool act(Agent& agent, Bench& bench, Budget& budget, Call&& call);
    void work_off(Schedule& schedule, Bench& bench, Budget& share, Spent& spent);
    bool is_disturbed(Agent& agent, Bench& bench) const;
    Outcome search(Agent& agent, Bench& bench, Budget& budget);
    DistanceMap& distances(Agent& agent) const;
    template <class Wanted>
    void look_at(const Agent& agent, Bench& bench, Wanted&& wanted) const;
    bool stays(const Agent& agent) const { return !rules_.disappear || agent.goal == kNowhere; }
    bool fits(const Agent& agent, const Traffic& traffic, std::span<const Vertex> path) const;
    bool collides(const Agent& agent, std::span<const Vertex> path, Rank other,
                  Traffic& traffic) const;
    bool has_room(Budget& budget) const;
    void add(const Counts& counts);

    Space space_;
    Rules rules_;
    bool always_;
    std::vector<Rank> rank_of_;
    std::vector<AgentId> at_rank_;
    std::deque<Agent> agents_;  // by rank
    Counts counts_;
};

}  // namespace sidestep
