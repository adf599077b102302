#include "sidestep/dialogue/whereabouts.hpp"

#include <algorithm>
#include <utility>

namespace sidestep {

Whereabouts::Whereabouts(std::int32_t vertices, std::int32_t agents)
    : agents_(agents), staying_(vertices, kNobody) {}

void Whereabouts::clear() {
    for (Agent& agent : agents_) {
        if (agent.stays && !agent.path.empty()) staying_[agent.path.back()] = kNobody;
        agent.path.clear();
        agent.stays = false;
    }
    for (Row& row : rows_) row.clear();
}

void Whereabouts::add_agent() {
    clear();
    agents_.emplace_back();
}

void Whereabouts::put(AgentId agent, std::span<const Vertex> path, bool stays) {
    Agent& one = agents_[agent];
    one.path.assign(path.begin(), path.end());
    one.stays = stays;
    const Time steps = moving(one);
    if (last() < steps) {
        slots_ += (static_cast<std::size_t>(steps) - rows_.size()) * Row().size();
        rows_.resize(steps);
    }
    for (Time t = 0; t < steps; ++t) {
        Row& row = rows_[t];
        slots_ -= row.size();
        row.insert(path[t], agent);
        slots_ += row.size();
    }
    if (stays) one.next_staying = std::exchange(staying_[path.back()], agent);
}

void Whereabouts::take(AgentId agent) {
    Agent& one = agents_[agent];
    if (one.path.empty()) return;
    const Time steps = moving(one);
    for (Time t = 0; t < steps; ++t) rows_[t].erase(one.path[t], agent);
    if (one.stays) {
        AgentId* link = &staying_[one.path.back()];
        while (*link != agent) link = &agents_[*link].next_staying;
        *link = one.next_staying;
    }
    one.path.clear();
    one.stays = false;
}

void Whereabouts::Row::clear() {
    std::ranges::fill(slots_, kEmpty);
    taken_ = 0;
}

void Whereabouts::Row::insert(Vertex v, AgentId agent) {
    if (2 * ++taken_ > slots_.size()) grow();
    put(slot_of(v, agent));
}

void Whereabouts::Row::put(std::uint64_t slot) {
    std::size_t k = home(vertex_of(slot));
    while (slots_[k] != kEmpty) k = after(k);
    slots_[k] = slot;
}

// Begins behind an empty slot: nobody is taken out before somebody who came earlier.
void Whereabouts::Row::grow() {
    const std::vector<std::uint64_t> before =
        std::exchange(slots_, std::vector<std::uint64_t>(2 * slots_.size(), kEmpty));
    --shift_;
    const auto gap = std::ranges::find(before, kEmpty);
    for (auto slot = gap; slot != before.end(); ++slot)
        if (*slot != kEmpty) put(*slot);
    for (auto slot = before.begin(); slot != gap; ++slot) put(*slot);
}

// Closes the gap behind it: an entry that could be nearer to its home moves up.
void Whereabouts::Row::erase(Vertex v, AgentId agent) {
    std::size_t gap = home(v);
    while (agent_of(slots_[gap]) != agent) gap = after(gap);
    for (std::size_t k = after(gap); slots_[k] != kEmpty; k = after(k)) {
        const std::size_t mask = slots_.size() - 1;
        const std::size_t from_home = (k - home(vertex_of(slots_[k]))) & mask;
        if (from_home < ((k - gap) & mask)) continue;
        slots_[gap] = slots_[k];
        gap = k;
    }
    slots_[gap] = kEmpty;
    --taken_;
}

}  // namespace sidestep
