#include "sidestep/spacetime/occupants.hpp"

#include <algorithm>

namespace sidestep {

Occupants::Occupants(const Space& space, const Rules& rules, std::int32_t agents)
    : space_(space),
      rules_(rules),
      vertices_(static_cast<std::size_t>(space.size())),
      words_((vertices_ + 63) / 64),
      careful_(!rules.following || checks_crossings(space, rules)),
      paths_(static_cast<std::size_t>(agents)),
      bits_(words_, 0),
      parked_(vertices_, kNobody),
      next_parked_(static_cast<std::size_t>(agents), kNobody) {}

// More rows. Who is parked is so in them, too; the row that was the last had nobody else.
void Occupants::extend(Time last) {
    const auto rows = static_cast<std::size_t>(last) + 1;
    bits_.reserve(rows * words_);
    const std::vector<std::uint64_t> held(bits_.end() - static_cast<std::ptrdiff_t>(words_),
                                          bits_.end());
    for (Time t = last_; t < last; ++t) bits_.insert(bits_.end(), held.begin(), held.end());
    first_.resize(rows * vertices_, kNobody);
    next_.resize(rows * paths_.size(), kNobody);
    last_ = last;
}

void Occupants::put(AgentId agent, std::span<const Vertex> path, bool stays) {
    const auto end = static_cast<Time>(path.size()) - 1;
    if (end >= last_) extend(std::max<Time>(end + 1, last_ + last_ / 2));
    paths_[agent] = {path, stays};
    for (Time t = 0; t <= end - stays; ++t) {
        const Vertex v = path[t];
        word(v, t) |= std::uint64_t{1} << (v & 63);
        next_[entry(agent, t)] = first_[at(v, t)];
        first_[at(v, t)] = agent;
    }
    if (!stays) return;
    const Vertex v = path.back();
    next_parked_[agent] = parked_[v];
    parked_[v] = agent;
    for (Time t = end; t <= last_; ++t) word(v, t) |= std::uint64_t{1} << (v & 63);
}

void Occupants::take(AgentId agent) {
    const Path path = paths_[agent];
    const Time end = path.end();
    const Vertex place = path.vertices.back();
    if (path.stays) {
        AgentId* link = &parked_[place];
        while (*link != agent) link = &next_parked_[*link];
        *link = next_parked_[agent];
    }
    for (Time t = 0; t <= end - path.stays; ++t) {
        const Vertex v = path.vertices[t];
        AgentId* link = &first_[at(v, t)];
        while (*link != agent) link = &next_[entry(*link, t)];
        *link = next_[entry(agent, t)];
        clear_if_empty(v, t);
    }
    if (path.stays)
        for (Time t = end; t <= last_; ++t) clear_if_empty(place, t);
    paths_[agent] = {};
}

bool Occupants::is_parked(Vertex v, Time t) const {
    for (AgentId a = parked_[v]; a != kNobody; a = next_parked_[a])
        if (paths_[a].end() <= t) return true;
    return false;
}

void Occupants::clear_if_empty(Vertex v, Time t) {
    if (first_[at(v, t)] == kNobody && !is_parked(v, t))
        word(v, t) &= ~(std::uint64_t{1} << (v & 63));
}

std::int32_t Occupants::count(Move move, Time t, AgentId self) const {
    return count_collisions(space_, rules_, move, OthersInStep{*this, self, t});
}

std::int32_t Occupants::collisions_after(Vertex v, Time t, AgentId self, bool stays) const {
    std::int32_t sum = 0;
    const auto met = [&](const OtherAgent&) {
        ++sum;
        return false;
    };
    if (!stays && rules_.following) return 0;
    const Time last = stays ? last_ : t + 1;
    for (Time later = t + 1; later <= last; ++later)
        if (taken(v, later)) any(self, v, later, met);
    return sum;
}

}  // namespace sidestep
