#include "sidestep/dialogue/whereabouts.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace sidestep {

Whereabouts::Whereabouts(std::int32_t vertices, std::int32_t agents)
    : agents_(agents), staying_(vertices, kNobody) {
    fit(agents_.size());
}

// Rows wide enough for that many agents; what is in them is lost.
void Whereabouts::fit(std::size_t agents) {
    width_ = std::bit_ceil(std::max<std::size_t>(agents * 3, 16));
    shift_ = 32 - std::countr_zero(width_);
    rows_.clear();
}

void Whereabouts::clear() {
    for (Agent& agent : agents_) {
        if (agent.stays && !agent.path.empty()) staying_[agent.path.back()] = kNobody;
        agent.path.clear();
        agent.stays = false;
    }
    for (ZeroedWords& row : rows_) row.clear();
}

void Whereabouts::add_agent() {
    clear();
    agents_.emplace_back();
    fit(agents_.size());
}

void Whereabouts::put(AgentId agent, std::span<const Vertex> path, bool stays) {
    Agent& one = agents_[agent];
    one.path.assign(path.begin(), path.end());
    one.stays = stays;
    const Time steps = moving(one);
    while (last() < steps) rows_.emplace_back(width_);
    for (Time t = 0; t < steps; ++t) insert(path[t], t, agent);
    if (stays) one.next_staying = std::exchange(staying_[path.back()], agent);
}

void Whereabouts::take(AgentId agent) {
    Agent& one = agents_[agent];
    if (one.path.empty()) return;
    const Time steps = moving(one);
    for (Time t = 0; t < steps; ++t) erase(one.path[t], t, agent);
    if (one.stays) {
        AgentId* link = &staying_[one.path.back()];
        while (*link != agent) link = &agents_[*link].next_staying;
        *link = one.next_staying;
    }
    one.path.clear();
    one.stays = false;
}

void Whereabouts::insert(Vertex v, Time t, AgentId agent) {
    ZeroedWords& row = rows_[t];
    std::size_t k = home(v);
    while (row[k] != kEmpty) k = (k + 1) & (width_ - 1);
    row[k] = slot_of(v, agent);
}

// Closes the gap behind it: an entry that could be nearer to its home moves up.
void Whereabouts::erase(Vertex v, Time t, AgentId agent) {
    ZeroedWords& row = rows_[t];
    std::size_t gap = home(v);
    while (agent_of(row[gap]) != agent) gap = (gap + 1) & (width_ - 1);
    for (std::size_t k = (gap + 1) & (width_ - 1); row[k] != kEmpty; k = (k + 1) & (width_ - 1)) {
        const std::size_t from_home = (k - home(vertex_of(row[k]))) & (width_ - 1);
        if (from_home < ((k - gap) & (width_ - 1))) continue;
        row[gap] = row[k];
        gap = k;
    }
    row[gap] = kEmpty;
}

}  // namespace sidestep
