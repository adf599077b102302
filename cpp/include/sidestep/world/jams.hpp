// Who is stuck, and behind whom.
//
// An agent *gets on* when it is nearer to its goal than it has been since it was given that goal,
// by its distance on the map without agents. It waits for the agents that hold the places beside
// it that are nearer to its goal. It is *stuck* when neither it nor anybody for whom it waits, nor
// anybody for whom they wait, and so on, has got on for a number of turns (of a slow agent: of its
// moves). Turns on its goal do not count; as many of these, and it begins anew. It is stuck until
// it gets on, arrives, is given another goal, is put elsewhere or is gone.
//
// Distances cost far more than a look at positions. In a large world they are found only for
// agents that lose time: that wait, come back to one of the last places where they were, or come no
// nearer to their goals as the crow flies. Of others it is taken for granted that they get on, so
// that some jams in which everybody runs about are found later; an agent that is said to be stuck
// has not got on. A turn has only a number of vertices to search for that: who could not be
// measured goes on in the next turn, and of who has been somewhere new meanwhile it is taken for
// granted that it got on there. A copy, or a world that was loaded, catches up with the searches of
// the original, and reports what the original does.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "sidestep/distance/distance.hpp"
#include "sidestep/model/archive.hpp"
#include "sidestep/model/body.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/model/types.hpp"
#include "sidestep/world/agent_at.hpp"

namespace sidestep {

// What a look at a world sees, after a turn.
struct Situation {
    Time now;
    std::span<const Vertex> positions, goals, headings;
    std::span<const Time> progress;
    std::span<const Body> bodies;
    std::span<const std::uint8_t> finished;  // gone, on its goal, or without one
    const Space& space;
    const std::map<std::int32_t, Space>& large;  // where agents of a size fit, if that is over 1
    std::span<const AgentId> present;            // those included who went in this turn

    const Space& places(AgentId agent) const {
        const std::int32_t size = bodies[agent].size;
        return size == 1 ? space : large.at(size);
    }
};

class Jams {
  public:
    struct Stuck {
        AgentId agent;
        Time since;
        AgentId behind;  // kNobody: nobody is in its way, or there is no way
    };

    // `patience`: after how many turns without getting on agents are stuck; 0: nobody looks.
    explicit Jams(Time patience) : patience_(patience) {}
    // A copy catches up with the searches of the original when it has to know distances.
    Jams(const Jams& other)
        : patience_(other.patience_),
          first_(other.first_),
          watches_(other.watches_),
          measures_(other.with_searches()),
          is_behind_(true) {}
    Jams(Jams&&) = default;
    Jams& operator=(const Jams&) = delete;
    Jams& operator=(Jams&&) = default;
    ~Jams() = default;

    void add(Vertex position);
    // A new goal or a new place: the agent begins anew. Returns whether it was stuck.
    bool begin_anew(AgentId agent, Vertex position);
    // A place of agents of this size has opened or closed. To be called after that.
    void changed(std::int32_t size, Vertex v, std::span<const AgentId> present);

    // To be called before places open or close.
    void catch_up(const Situation& world);

    // One look, after every turn. Then `found` and `freed` say what is new.
    void look(const Situation& world);
    std::span<const Stuck> found() const { return found_; }
    std::span<const AgentId> freed() const { return freed_; }

    std::vector<Stuck> all(std::span<const AgentId> present) const;
    bool looks() const { return patience_ > 0; }
    std::size_t size() const { return watches_.size(); }  // 0 if nobody looks

    void save(Writer& writer) const { writer(patience_, first_, watches_, with_searches()); }
    void load(Reader& reader, const Space& space);

  private:
    static constexpr std::size_t kTrail = 4;
    static constexpr AgentId kAgentsPerMeasure = 64;      // of these one may be measured in a turn,
    static constexpr std::int64_t kSmallWorld = 1 << 16;  // vertices x agents: all are, at once
    static constexpr Cost kUnknown = -1;
    static constexpr std::int64_t kStepsPerTurn = 1
                                                  << 14;  // vertices searched, about a millisecond

    // Of every agent, small: it is looked at in every turn.
    struct Watch {
        std::array<Vertex, kTrail> trail;  // the last different places where it was
        Time waited =
            0;          // turns since it last got on, as far as is known, but for those on its goal
        Time lost = 0;  // two per turn that it lost, less one per turn that it did not
        std::int32_t crow = 0;    // how far its goal was, as the crow flies, a trail ago
        std::uint8_t oldest = 1;  // of the trail
        bool is_measured = false, is_stuck = false;
        bool is_unsure = false;  // of how far parts of its trail are from its goal
        template <class Self, class Archive>
        static void fields(Self& self, Archive& archive) {
            archive(self.trail, self.waited, self.lost, self.crow, self.oldest, self.is_measured,
                    self.is_stuck, self.is_unsure);
        }
    };
    // What is known only of one that is measured.
    struct Measure {
        Time rested = 0;       // turns on its goal, while it has waited
        Time since = 0;        // when it last got on, when it was found stuck
        Cost best = kUnknown;  // the least distance since it is measured
        AgentId behind = kNobody;
        std::int32_t size = 1;    // of the agent,
        Vertex goal = kNowhere;   // and its goal,
        GoalDistances to_goal{};  // as long as these hold
        // Of a copy: the search that it has to catch up with, and how many steps that has taken.
        Vertex origin = kNowhere;
        std::int64_t taken = 0;
        template <class Self, class Archive>
        static void fields(Self& self, Archive& archive) {
            archive(self.rested, self.since, self.best, self.behind, self.size, self.goal,
                    self.origin, self.taken);
        }
    };
    // One that is measured, and whether it is where it was not long ago.
    struct Asking {
        AgentId agent;
        bool is_back, is_first;  // is it measured for the first time?
    };
    // Whom a candidate waits for: a part of `blockers_`.
    struct Waiting {
        AgentId agent;
        std::size_t first, last;
    };

    Time patience(const Situation& world, AgentId agent) const {
        const auto turns = std::int64_t{patience_} * world.bodies[agent].period;
        return static_cast<Time>(std::min(turns, std::int64_t{1} << 30));
    }
    bool is_candidate(const Situation& world, AgentId agent) const {
        const Watch& watch = watches_[agent];
        return watch.is_measured && !watch.is_unsure && watch.waited >= patience(world, agent);
    }
    void follow(const Situation& world, AgentId agent);
    void begin_to_measure(const Situation& world, AgentId agent, bool is_back);
    void answer(const Situation& world);
    bool settle(const Situation& world, const Asking& asking);
    Cost least_of_trail(const Situation& world, AgentId agent);
    std::vector<Measure> with_searches() const;
    void let_rest(const Situation& world, AgentId agent);
    bool leave_trail(Watch& watch, Vertex v);
    void release(AgentId agent);
    void got_on(AgentId agent, Cost left);
    DistanceMap& search_of(const Situation& world, AgentId agent, Vertex origin);
    Cost distance(const Situation& world, AgentId agent, Vertex v) {
        return search_of(world, agent, v).at(v, steps_);
    }
    void tell_who_is_stuck(const Situation& world);
    void hold_places(const Situation& world, bool hold);
    bool ask_whom_it_waits_for(const Situation& world, AgentId agent);
    void see_who_may_get_on(const Situation& world);

    Time patience_;
    AgentId first_ = 0;  // who is measured first in the next turn
    std::vector<Watch> watches_;
    std::vector<Measure> measures_;
    std::vector<Stuck> found_;
    std::vector<AgentId> freed_;

    // What is only known for a while.
    Steps steps_;
    AgentId may_measure_ = 0;
    bool is_small_ = false;
    bool is_behind_ = false;  // are there searches to catch up with?
    std::map<std::int32_t, std::unique_ptr<Distances>> distances_;  // by size
    std::vector<Asking> asking_;
    std::vector<AgentId> candidates_;
    AgentAt holders_;
    std::vector<Waiting> waiting_;
    std::vector<AgentId> blockers_;
    std::vector<std::uint8_t> may_get_on_;  // by agent, of who is there
};

}  // namespace sidestep
