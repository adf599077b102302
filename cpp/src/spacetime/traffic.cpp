#include "sidestep/spacetime/traffic.hpp"

#include <algorithm>
#include <utility>

#include "sidestep/model/collision.hpp"

namespace sidestep {

void Traffic::clear() {
    last_ = 0;
    for (std::size_t k = 0; k < touched_count_; ++k) bits_[touched_[k]] = 0;
    touched_count_ = 0;
    firsts_.clear(kFewSlots);
    steps_.clear();
    parkings_.clear();
    careful_ = !rules_.following || checks_crossings(space_, rules_);
}

// As many bits may be set then, one by one.
void Traffic::make_room(std::size_t sets) {
    const std::size_t wanted = touched_count_ + sets;
    if (touched_.size() < wanted) touched_.resize(std::max(wanted, 2 * touched_.size()));
}

// Every step of every path comes here: written without a branch.
inline void Traffic::set(Vertex v, Time t) {
    const std::size_t word = static_cast<std::size_t>(t) * words_ + (v >> 6);
    std::uint64_t& bits = bits_[word];
    touched_[touched_count_] = word;
    touched_count_ += bits == 0;
    bits |= std::uint64_t{1} << (v & 63);
}

// More rows; agents that are parked are so in them, too.
void Traffic::extend(Time last) {
    const std::size_t wanted = (static_cast<std::size_t>(last) + 1) * words_;
    if (bits_.size() < wanted) {
        ZeroedWords more(std::max(wanted, 2 * bits_.size()));
        for (std::size_t k = 0; k < touched_count_; ++k) more[touched_[k]] = bits_[touched_[k]];
        bits_ = std::move(more);
    }
    // Who is on the last row but not parked there disappears after it.
    make_room(static_cast<std::size_t>(last - last_) * parkings_.size());
    for (Time t = last_ + 1; t <= last; ++t)
        for (const Parked& parking : parkings_) set(parking.vertex, t);
    last_ = last;
}

void Traffic::add(AgentId agent, std::span<const Vertex> path, bool stays) {
    const auto end = static_cast<Time>(path.size()) - 1;
    // One row more for who disappears: the last row holds for ever.
    if (end + !stays > last_) extend(end + !stays);
    make_room(static_cast<std::size_t>(last_) + 1);
    for (Time t = 0; t <= end - stays; ++t) {
        set(path[t], t);
        std::int32_t& first = firsts_.at(path[t], t, kNone);
        steps_.push_back({agent, t < end ? path[t + 1] : kNowhere, first});
        first = static_cast<std::int32_t>(steps_.size()) - 1;
    }
    if (!stays) return;
    const Vertex place = path[end];
    for (Time t = end; t <= last_; ++t) set(place, t);
    std::int32_t& first = firsts_.at(place, kForever, kNone);
    parkings_.push_back({agent, end, place, first});
    first = static_cast<std::int32_t>(parkings_.size()) - 1;
}

template <class Wanted>
bool Traffic::any(AgentId self, Vertex v, Time t, Wanted&& wanted) const {
    if (!taken(v, t)) return false;
    for (std::int32_t k = firsts_.get(v, kForever, kNone); k != kNone; k = parkings_[k].other) {
        const Parked& parked = parkings_[k];
        if (parked.since <= t && parked.agent != self && wanted(OtherAgent{parked.agent, v}))
            return true;
    }
    for (std::int32_t k = firsts_.get(v, t, kNone); k != kNone; k = steps_[k].other)
        if (steps_[k].agent != self && wanted(OtherAgent{steps_[k].agent, steps_[k].next}))
            return true;
    return false;
}

std::int32_t Traffic::count(AgentId self, Move move, Time t) const {
    return count_collisions(space_, rules_, move, OthersInStep{*this, self, t});
}

bool Traffic::is_parked_on(AgentId self, Vertex v) const {
    for (std::int32_t k = firsts_.get(v, kForever, kNone); k != kNone; k = parkings_[k].other)
        if (parkings_[k].agent != self) return true;
    return false;
}

}  // namespace sidestep
