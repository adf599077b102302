// Agents that plan one after another around each other's reservations: what CA*, HCA* and WHCA*
// (Silver 2005) share, and DiMPP, which tries simpler paths first. Python decides who plans when;
// this carries it out and keeps it safe.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sidestep/distance/distance.hpp"
#include "sidestep/model/body.hpp"
#include "sidestep/model/budget.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/spacetime/reservations.hpp"
#include "sidestep/spacetime/search.hpp"

namespace sidestep {

class Cooperation {
  public:
    struct Options {
        Time window = 0;         // steps that reservations are honoured for; 0: all the way
        bool exact = true;       // distances from RRA*, else by geometry
        bool hold_goals = true;  // without a window: is the goal reserved from arrival on?
    };

    // The moves over several turns that agents are in the middle of, per agent: where it leads
    // (kNowhere: in none), and how many turns it has taken so far.
    struct Begun {
        std::span<const Vertex> headings;
        std::span<const Time> progress;
    };

    Cooperation(Space space, Rules rules, Options options, std::span<const Vertex> positions,
                std::span<const Vertex> goals, std::span<const std::int32_t> priorities,
                std::span<const Body> bodies = {});  // none: all of one cell and turn
    // A copy goes on exactly as the original would; it only has to find its distances again.
    Cooperation(const Cooperation& other);
    Cooperation& operator=(const Cooperation&) = delete;

    // Plans one agent from where it is and reserves the path, or leaves it as it was.
    Outcome plan(AgentId agent, Budget& budget);
    // The same with less search, as DiMPP does it: first the path that the agent would take alone,
    // then that with one wait where it first collides, and a search only if neither fits.
    Outcome plan_simply(AgentId agent, Budget& budget);
    // Reserves a path that the agent found elsewhere, from where it is now; `stays`: for good at
    // its end. False: it collides with what is reserved, and nothing has changed.
    bool take(AgentId agent, std::span<const Vertex> path, bool stays);
    // Forgets all paths: everybody stands where it is now, unplanned.
    void clear();
    std::span<const Vertex> path(AgentId agent) const { return reservations_.path(agent); }

    // One turn. `positions` is where the agents really are (kNowhere: gone); who is not where its
    // path says, or has no path left, plans first, by `order` (who is not in it by its number),
    // then `due` in that order; but higher priorities before lower ones, and idle agents last. An
    // agent that finds no path waits where it stands, and those who counted on its cell plan again.
    // moves[i] is where i goes next; a slow agent says so in every turn of a move. `begun`
    // may be left out where all move every turn.
    void turn(Time now, std::span<const Vertex> positions, std::span<const AgentId> due,
              Budget& budget, std::span<Vertex> moves, Begun begun = {},
              std::span<const AgentId> order = {});

    // The same ahead of a turn, as far as the budget goes: who has planned by then does not plan
    // again in that turn, unless something has changed. A search that the budget cuts short begins
    // anew, after those of the others, when there is another. False: somebody has still to plan.
    bool think(Time now, std::span<const Vertex> positions, std::span<const AgentId> due,
               Budget& budget, Begun begun = {}, std::span<const AgentId> order = {});

    // `now`, if it is later than the last turn: who is then in the middle of a move goes on.
    void set_open(Vertex v, bool open, Time now = 0);
    void set_goal(AgentId agent, Vertex goal);
    void set_priority(AgentId agent, std::int32_t priority) { agents_[agent].priority = priority; }
    AgentId add_agent(Vertex position, Body body = {});  // idle, priority 0
    void remove_agent(AgentId agent);
    // Between turns: only these agents are left, with new numbers in this order.
    void forget_all_but(std::span<const AgentId> kept);

    // The whole state, for one made for the same problem to go on exactly as this one would.
    void save(Writer& writer) const;
    void load(Reader& reader);

    const Reservations& reservations() const { return reservations_; }
    Vertex position(AgentId agent) const { return agents_[agent].position; }
    const Body& body(AgentId agent) const { return agents_[agent].body; }
    const Space& space() const { return ground_.space; }

    // The distance from an agent to its goal by itself; kUnreachable, kNotReady.
    Cost distance(AgentId agent, Budget& budget);
    std::int64_t distance_bytes() const;
    std::int32_t size() const { return static_cast<std::int32_t>(agents_.size()); }

  private:
    struct Agent {
        Vertex position = kNowhere;
        Vertex goal = kNowhere;
        std::int32_t priority = 0;
        GoalDistances distances = {};
        std::vector<Vertex> alone = {};  // the path it would take alone, once asked for
        bool outdated = false;           // its path leads to an old goal or over a changed map
        bool failed = false;             // its last search found no path
        bool idle = false;               // this turn it has nowhere to go
        bool queued = false;
        Time thought = -1;    // of which turn it has thought ahead
        Time cut_short = -1;  // of which turn it was to, but for the budget
        Body body = {};
        MeasuredSpace* large =
            nullptr;  // the ground of agents of its size, if that is more than a cell
        template <class Self, class Archive>
        static void fields(Self& self, Archive& archive) {
            archive(self.position, self.goal, self.priority, self.alone, self.outdated, self.failed,
                    self.idle, self.thought, self.cut_short, self.body);
        }
    };

    struct Lifted {
        Time start;
        bool parked;
    };

    void embody(Agent& self, Body body);
    const Space& space(const Agent& self) const {
        return self.large ? self.large->space : ground_.space;
    }
    Distances& known_distances(const Agent& self) {
        return self.large ? self.large->distances : ground_.distances;
    }
    static Time rest_of_move(const Agent& self, std::span<const Vertex> path, Time elapsed);
    bool makes_move(AgentId agent, Vertex heading, Time progress) const;
    void evict_from_place_of(AgentId agent, Time t);
    DistanceMap* distances(Agent& self);
    SearchTask task(Agent& self, Budget& budget);
    bool make_room(Budget& budget);
    void keep(AgentId agent, const SearchTask& task);
    Time first_collision(std::span<const Vertex> path, bool stays) const;
    bool stays(const SearchTask& task) const;
    Lifted lift(AgentId agent);
    void put_back(AgentId agent, Lifted lifted);
    void leave_goal(Agent& self);
    Cost way(Agent& self, Budget& budget);
    Vertex destination(Agent& self, Budget& budget);
    bool follows_path(AgentId agent) const;
    void look_around(std::span<const Vertex> positions, Begun begun);
    void make_way_for_moves(Begun begun);
    void line_up(std::span<const AgentId> due, std::span<const AgentId> order);
    void enqueue(AgentId agent);
    AgentId next_in_line();
    void begin_turn(Time now, std::span<const Vertex> positions, std::span<const AgentId> due,
                    Begun begun, std::span<const AgentId> order);
    // False: the budget has ended and `later` is another, so that nothing was decided.
    bool replan(AgentId agent, Budget& budget, bool later = false);
    bool drift(AgentId agent);
    void hold(AgentId agent);
    void settle(AgentId agent);
    void evict(AgentId agent);
    void stand(AgentId agent);
    void stand(AgentId agent, Time now);

    MeasuredSpace ground_;
    Rules rules_;
    Options options_;
    std::map<std::int32_t, std::unique_ptr<MeasuredSpace>> large_;  // by size
    Reservations reservations_;
    SpaceTimeSearch search_;
    std::vector<Agent> agents_;
    std::deque<AgentId> queue_;
    std::vector<Vertex> path_, rest_;
};

}  // namespace sidestep
