// Who is where at which time, where paths may collide: what agents have told each other so far.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sidestep/model/types.hpp"

namespace sidestep {

// A small hash table per step of time, and a list per vertex of those who stay there for good. A
// table grows with those who are in it: who tells a long path first pays for that path alone.
class Whereabouts {
  public:
    Whereabouts(std::int32_t vertices, std::int32_t agents);

    void clear();
    void add_agent();
    // The agent is nowhere, or on a path from time 0 on, at the end of which it stays or is gone.
    void put(AgentId agent, std::span<const Vertex> path, bool stays);
    void take(AgentId agent);

    Vertex at(AgentId agent, Time t) const {
        const auto& path = agents_[agent].path;
        if (t < static_cast<Time>(path.size())) return path[t];
        return agents_[agent].stays ? path.back() : kNowhere;
    }
    std::span<const Vertex> path(AgentId agent) const { return agents_[agent].path; }
    bool stays(AgentId agent) const { return agents_[agent].stays; }
    // When the agent is at the end of its path; -1: it has none.
    Time end(AgentId agent) const { return static_cast<Time>(agents_[agent].path.size()) - 1; }
    // From this time on, nobody moves.
    Time last() const { return static_cast<Time>(rows_.size()); }
    std::int32_t size() const { return static_cast<std::int32_t>(agents_.size()); }
    std::int64_t bytes() const {
        return static_cast<std::int64_t>(rows_.size() * sizeof(Row) +
                                         slots_ * sizeof(std::uint64_t));
    }

    // Does anybody who is on v at t satisfy `wanted`?
    template <class Wanted>
    bool any(Vertex v, Time t, Wanted&& wanted) const {
        for (AgentId who = staying_[v]; who != kNobody; who = agents_[who].next_staying)
            if (end(who) <= t && wanted(who)) return true;
        if (t >= last()) return false;
        return rows_[t].any(v, wanted);
    }

    // Everybody in the step from t to t + 1.
    class Step {
      public:
        Step(const Whereabouts& all, Time t) : all_(all), t_(t) {}

        struct Other {
            const Whereabouts& all;
            AgentId agent;
            Time t;
            bool goes(Vertex v) const { return all.at(agent, t + 1) == v; }
        };
        template <class Wanted>
        bool any_before(Vertex v, Wanted&& wanted) const {
            return all_.any(v, t_, [&](AgentId who) { return wanted(Other{all_, who, t_}); });
        }
        template <class Wanted>
        bool any_after(Vertex v, Wanted&& wanted) const {
            return all_.any(v, t_ + 1, [&](AgentId who) { return wanted(Other{all_, who, t_}); });
        }

      private:
        const Whereabouts& all_;
        Time t_;
    };

  private:
    // An agent on a vertex is one word; no agent on no vertex is 0.
    static constexpr std::uint64_t kEmpty = 0;
    static std::uint64_t slot_of(Vertex v, AgentId agent) {
        return static_cast<std::uint64_t>(v) << 32 | (static_cast<std::uint32_t>(agent) + 1u);
    }
    static Vertex vertex_of(std::uint64_t slot) { return static_cast<Vertex>(slot >> 32); }
    static AgentId agent_of(std::uint64_t slot) {
        return static_cast<AgentId>(static_cast<std::uint32_t>(slot) - 1u);
    }

    struct Agent {
        std::vector<Vertex> path;
        bool stays = false;
        AgentId next_staying = kNobody;
    };

    // Who is where at one time. At most half of its slots are taken, so that looking up ends soon;
    // those on one vertex are met in the order in which they came.
    class Row {
      public:
        void clear();
        void insert(Vertex v, AgentId agent);
        void erase(Vertex v, AgentId agent);
        std::size_t size() const { return slots_.size(); }
        template <class Wanted>
        bool any(Vertex v, Wanted&& wanted) const {
            for (std::size_t k = home(v); slots_[k] != kEmpty; k = after(k))
                if (vertex_of(slots_[k]) == v && wanted(agent_of(slots_[k]))) return true;
            return false;
        }

      private:
        static constexpr std::size_t kFewest = 8;
        std::size_t home(Vertex v) const {
            return static_cast<std::uint32_t>(v) * 0x9E3779B1u >> shift_;
        }
        std::size_t after(std::size_t k) const { return (k + 1) & (slots_.size() - 1); }
        void put(std::uint64_t slot);
        void grow();

        std::vector<std::uint64_t> slots_ = std::vector<std::uint64_t>(kFewest, kEmpty);
        std::size_t taken_ = 0;
        int shift_ = 32 - std::countr_zero(kFewest);
    };

    Time moving(const Agent& agent) const {
        return static_cast<Time>(agent.path.size()) - (agent.stays ? 1 : 0);
    }

    std::vector<Agent> agents_;
    std::vector<AgentId> staying_;  // per vertex the first of those who stay there
    std::vector<Row> rows_;         // by time
    std::size_t slots_ = 0;         // of all rows together
};

}  // namespace sidestep
