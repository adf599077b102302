// Which agent is at a vertex, for the length of one call. Memory is touched only where agents are,
// however large the map.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#include "sidestep/model/types.hpp"

namespace sidestep {

// A copy begins empty: between calls there is nothing in it. A call that writes agents writes
// kNobody there in the end.
class AgentAt {
  public:
    AgentAt() = default;
    AgentAt(const AgentAt&) {}
    AgentAt& operator=(const AgentAt&) { return *this; }

    // To be called before the others.
    void prepare(std::int32_t vertices) {
        if (vertices <= size_) return;
        // Zeroed memory that nobody has touched yet takes no room.
        agents_.reset(static_cast<AgentId*>(
            std::calloc(static_cast<std::size_t>(vertices), sizeof(AgentId))));
        if (!agents_) throw std::bad_alloc();
        size_ = vertices;
    }
    AgentId operator[](Vertex v) const { return ~agents_[v]; }
    void set(Vertex v, AgentId agent) { agents_[v] = ~agent; }

  private:
    static_assert(~kNobody == 0);
    struct Free {
        void operator()(AgentId* agents) const { std::free(agents); }
    };
    std::unique_ptr<AgentId[], Free> agents_;
    std::int32_t size_ = 0;
};

}  // namespace sidestep
