// Local Repair A* (Silver 2005): every agent follows its own route and replans when it bumps into
// somebody, more and more at random. The baseline that cooperative search is measured against.
#pragma once

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

class Lra {
  public:
    struct Options {
        std::uint32_t noise = 256;  // on the heuristic: up to agitation * noise, in 1/256 of a step
        bool moves_after_repair = true;       // in the same turn
        bool agitated_when_boxed_in = false;  // with every turn in which there is no route
    };

    Lra(Space space, Rules rules, Options options, std::uint64_t seed,
        std::span<const Vertex> goals);

    // One turn: the agents move one after another in this order. moves[i] is where i goes.
    void turn(std::span<const Vertex> positions, std::span<const AgentId> order, Budget& budget,
              std::span<Vertex> moves);

    void set_open(Vertex v, bool open);
    void set_goal(AgentId agent, Vertex goal);
    AgentId add_agent();  // idle
    // Only these agents are left, with new numbers in this order.
    void forget_all_but(std::span<const AgentId> kept);

    // The whole state, for one made for the same problem to go on exactly as this one would.
    void save(Writer& writer) const;
    void load(Reader& reader);

    std::int32_t size() const { return static_cast<std::int32_t>(agents_.size()); }
    const Space& space() const { return space_; }
    std::int64_t replans() const { return replans_; }

  private:
    struct Agent {
        Vertex goal = kNowhere;
        std::uint32_t agitation = 0;
        bool boxed_in = false;      // its last search found no route
        std::vector<Vertex> route;  // what is left of it, last step first
        template <class Self, class Archive>
        static void fields(Self& self, Archive& archive) {
            archive(self.goal, self.agitation, self.boxed_in, self.route);
        }
    };
    struct Others;
    struct Open {
        std::int64_t f;
        Cost g;
        Vertex vertex;
    };
    struct Seen {
        std::uint32_t stamp = 0;
        Cost g = 0;
        Vertex parent = kNowhere;
        bool closed = false;
    };

    bool is_clear(Move move) const;
    bool ensure_route(AgentId agent, Vertex from, Budget& budget);
    bool step_out(AgentId agent, Vertex from);
    bool plan(AgentId agent, Vertex from, Budget& budget);
    std::int64_t bytes() const;
    std::int64_t rank(const Agent& self, Vertex v, Cost g) const;

    Space space_;
    Rules rules_;
    Options options_;
    std::uint64_t seed_;
    std::vector<Agent> agents_;
    std::vector<AgentId> before_,
        now_;  // who stands on a vertex: at the start of the turn, and now
    std::span<Vertex> moves_;
    std::vector<Open> heap_;
    std::vector<Seen> seen_;
    std::uint32_t stamp_ = 0;
    std::uint64_t draw_ = 0;  // the search's own random number
    std::int64_t replans_ = 0;
};

}  // namespace sidestep
