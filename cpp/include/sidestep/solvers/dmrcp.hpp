// Altruistic coordination (DMRCP; Wei, Hindriks and Jonker 2016): agents that see and talk no
// further than two places, and help those who ask them.
//
// Every turn each agent decides on its next place by local rules. It moves forwards on a shortest
// way of its own if it can. If somebody stands there it asks for room; who is asked moves on if
// that is possible, else dodges to the side, else retreats ahead of the other, and may ask the next
// one in turn. Who is cornered refuses, and if it wants to go where the request came from, the two
// turn heads: from now on it is the other that makes room. Otherwise one waits.
//
// Who stands longest away from its goal speaks first; everybody tells those around it since when.
// Two agents can only come into each other's way if they are within two places, so nothing else has
// to be known.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sidestep/distance/distance.hpp"
#include "sidestep/model/archive.hpp"
#include "sidestep/model/budget.hpp"
#include "sidestep/model/rules.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/model/types.hpp"

namespace sidestep {

class Dmrcp {
  public:
    struct Counts {
        std::int64_t forwards = 0, waits = 0, dodges = 0, retreats = 0;
        std::int64_t turned_heads = 0;
        std::int64_t requests = 0;  // each with its answer
        std::int64_t told = 0;      // how often an agent told another within reach where it stands
        template <class Self, class Archive>
        static void fields(Self& self, Archive& archive) {
            archive(self.forwards, self.waits, self.dodges, self.retreats, self.turned_heads,
                    self.requests, self.told);
        }
    };

    Dmrcp(Space space, Rules rules, std::uint64_t seed, std::span<const Vertex> goals,
          std::span<const std::int32_t> priorities);
    // A copy goes on exactly as the original would; it only has to find its distances again.
    Dmrcp& operator=(const Dmrcp&) = delete;

    // One turn: moves[i] is where agent i goes. No two of the moves collide.
    void turn(Time now, std::span<const Vertex> positions, Budget& budget, std::span<Vertex> moves);

    void set_open(Vertex v, bool open);
    void set_goal(AgentId agent, Vertex goal);
    void set_priority(AgentId agent, std::int32_t priority);
    AgentId add_agent();
    void remove_agent(AgentId agent) { set_goal(agent, kNowhere); }
    // Only these agents are left, with new numbers in this order.
    void forget_all_but(std::span<const AgentId> kept);

    // The distance to the agent's goal by itself; kUnreachable, kNotReady.
    Cost distance(AgentId agent, Vertex from, Budget& budget);
    // A number for where everybody was in the last turn, and who spoke before whom. When it comes
    // again and nothing has changed from outside, everything will.
    std::uint64_t fingerprint() const { return fingerprint_; }
    const Counts& counts() const { return counts_; }
    const Space& space() const { return ground_.space; }
    // The whole state, for one made for the same problem to go on exactly as this one would.
    void save(Writer& writer) const;
    void load(Reader& reader);

    std::int32_t size() const { return static_cast<std::int32_t>(agents_.size()); }

  private:
    // Who speaks first: higher priorities, then those who are away from their goals for longer.
    struct Standing {
        std::int32_t priority = 0;
        Time since = 0;
        AgentId number = kNobody;
        template <class Self, class Archive>
        static void fields(Self& self, Archive& archive) {
            archive(self.priority, self.since, self.number);
        }
        bool operator==(const Standing&) const = default;
    };
    struct Agent {
        Vertex goal = kNowhere;
        std::int32_t priority = 0;
        GoalDistances distances;
        Standing standing{};
        // In this turn:
        Vertex here = kNowhere;
        Vertex target = kNowhere;  // kNowhere: not decided yet
        Cost way = 0;              // to the goal; 0 for who has nowhere to go
        bool guesses = false;      // its distances are not ready: it goes by geometry
        bool content = false;      // it has no wish to move
        std::uint8_t kind = 0;     // of the option it takes
        template <class Self, class Archive>
        static void fields(Self& self, Archive& archive) {
            archive(self.goal, self.priority, self.standing);
        }
    };
    struct Others;
    struct Option {
        Vertex to;
        Cost way;
        std::uint8_t kind;  // forwards, aside, or along the way of who asks
        std::uint8_t occupied;
        std::uint64_t tie;
    };
    // What comes of an option: a place to go; one next turn; a dead end or another who has nowhere
    // else to go; or nothing, for now.
    enum class Found : std::uint8_t { place, place_soon, corner, nothing };
    struct Reply {
        bool moves = false;
        bool cornered = false;    // there is nowhere to go, now or later, but back to who asks
        AgentId rival = kNobody;  // of those cornered, one who wants to go there
    };

    void look_around(Time now, std::span<const Vertex> positions, Budget& budget);
    void line_up();
    Cost way_from(AgentId agent, Vertex v);
    void list_options(AgentId agent, AgentId asker);
    Reply decide(AgentId agent, AgentId asker, int passed_on);
    Found attempt(AgentId agent, const Option& option, AgentId asker, int passed_on,
                  AgentId& rival);
    void speak(AgentId agent);
    bool may_decide();
    bool is_clear(AgentId agent, Vertex to) const;
    void go(AgentId agent, Vertex to);
    void stay(AgentId agent) { go(agent, agents_[agent].here); }
    void show_way(AgentId agent, Vertex next);
    void count_moves();
    std::int64_t within_reach(Vertex v);

    MeasuredSpace ground_;
    Rules rules_;
    std::uint64_t seed_;
    std::vector<Agent> agents_;
    Budget* budget_ = nullptr;
    std::vector<AgentId> line_;                   // who speaks when
    std::vector<AgentId> occupant_;               // per vertex who is there
    std::vector<AgentId> claim_;                  // per vertex who is going to be there
    std::vector<Option> options_;                 // of all who are being asked
    std::vector<std::uint32_t> shown_, reached_;  // per vertex, stamps
    std::uint32_t shown_stamp_ = 0, reached_stamp_ = 0;
    std::uint64_t fingerprint_ = 0;
    Counts counts_;
};

}  // namespace sidestep
