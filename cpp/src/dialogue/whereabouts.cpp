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
    slots_.clear();
    rows_ = 0;
}

void Whereabouts::clear() {
    for (Agent& agent : agents_) {
        if (agent.stays && !agent.path.empty()) staying_[agent.path.back()] = kNobody;
        agent.path.clear();
        agent.stays = false;
    }
    std::fill(slots_.begin(), slots_.end(), Slot{});
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
    if (steps > rows_) {
        rows_ = steps;
        slots_.resize(static_cast<std::size_t>(rows_) * width_);
    }
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
    Slot* row = slots_.data() + static_cast<std::size_t>(t) * width_;
    std::size_t k = home(v);
    while (row[k].agent != kNobody) k = (k + 1) & (width_ - 1);
    row[k] = {v, agent};
}

// Closes the gap behind it: an entry that could be nearer to its home moves up.
void Whereabouts::erase(Vertex v, Time t, AgentId agent) {
    Slot* row = slots_.data() + static_cast<std::size_t>(t) * width_;
    std::size_t gap = home(v);
    while (row[gap].agent != agent) gap = (gap + 1) & (width_ - 1);
    for (std::size_t k = (gap + 1) & (width_ - 1); row[k].agent != kNobody;
         k = (k + 1) & (width_ - 1)) {
        const std::size_t from_home = (k - home(row[k].vertex)) & (width_ - 1);
        if (from_home < ((k - gap) & (width_ - 1))) continue;
        row[gap] = row[k];
        gap = k;
    }
    row[gap] = Slot{};
}

}  // namespace sidestep
