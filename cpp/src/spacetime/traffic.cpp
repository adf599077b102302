#include "sidestep/spacetime/traffic.hpp"

#include <algorithm>
#include <bit>

#include "sidestep/model/collision.hpp"

namespace sidestep {

void Traffic::clear() {
    last_ = 0;
    bits_.assign(words_, 0);
    if (slots_.empty() || ++stamp_ == 0) {
        slots_.assign(std::max(slots_.size(), kFewSlots), Slot{});
        stamp_ = 1;
    }
    shift_ = 64 - std::countr_zero(slots_.size());
    steps_.clear();
    parkings_.clear();
    careful_ = !rules_.following || checks_crossings(space_, rules_);
}

// More rows; agents that are parked are so in them, too.
void Traffic::extend(Time last) {
    bits_.resize((static_cast<std::size_t>(last) + 1) * words_);
    // Who is on the last row but not parked there disappears after it.
    for (Time t = last_ + 1; t <= last; ++t)
        for (const Parked& parking : parkings_)
            bits_[static_cast<std::size_t>(t) * words_ + (parking.vertex >> 6)] |=
                std::uint64_t{1} << (parking.vertex & 63);
    last_ = last;
}

void Traffic::grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    shift_ = 64 - std::countr_zero(slots_.size());
    for (const Slot& slot : old)
        if (slot.stamp == stamp_) slots_[probe(slot.key)] = slot;
}

void Traffic::add(AgentId agent, std::span<const Vertex> path, bool stays) {
    const auto set = [this](Vertex v, Time t) {
        bits_[static_cast<std::size_t>(t) * words_ + (v >> 6)] |= std::uint64_t{1} << (v & 63);
    };
    const auto end = static_cast<Time>(path.size()) - 1;
    // One row more for who disappears: the last row holds for ever.
    if (end + !stays > last_) extend(end + !stays);
    while ((steps_.size() + parkings_.size() + path.size()) * 2 > slots_.size()) grow();
    for (Time t = 0; t <= end - stays; ++t) {
        set(path[t], t);
        std::int32_t& first = first_of(path[t], t);
        steps_.push_back({agent, t < end ? path[t + 1] : kNowhere, first});
        first = static_cast<std::int32_t>(steps_.size()) - 1;
    }
    if (!stays) return;
    const Vertex place = path[end];
    for (Time t = end; t <= last_; ++t) set(place, t);
    std::int32_t& first = first_of(place, kForever);
    parkings_.push_back({agent, end, place, first});
    first = static_cast<std::int32_t>(parkings_.size()) - 1;
}

template <class Wanted>
bool Traffic::any(AgentId self, Vertex v, Time t, Wanted&& wanted) const {
    if (!taken(v, t)) return false;
    for (std::int32_t k = first(v, kForever); k != kNone; k = parkings_[k].other)
        if (parkings_[k].since <= t && parkings_[k].agent != self && wanted(Next{v})) return true;
    for (std::int32_t k = first(v, t); k != kNone; k = steps_[k].other)
        if (steps_[k].agent != self && wanted(Next{steps_[k].next})) return true;
    return false;
}

// Everybody but one in the step from t to t + 1.
class Traffic::Others {
  public:
    Others(const Traffic& traffic, AgentId self, Time t) : traffic_(traffic), self_(self), t_(t) {}

    template <class Wanted>
    bool any_before(Vertex v, Wanted&& wanted) const {
        return traffic_.any(self_, v, t_, wanted);
    }
    template <class Wanted>
    bool any_after(Vertex v, Wanted&& wanted) const {
        return traffic_.any(self_, v, t_ + 1, wanted);
    }

  private:
    const Traffic& traffic_;
    AgentId self_;
    Time t_;
};

std::int32_t Traffic::count(AgentId self, Move move, Time t) const {
    std::int32_t sum = 0;
    any_collision(space_, rules_, move, Others(*this, self, t), [&](CollisionKind, const Next&) {
        ++sum;
        return false;  // go on to the next
    });
    return sum;
}

bool Traffic::is_parked_on(AgentId self, Vertex v) const {
    for (std::int32_t k = first(v, kForever); k != kNone; k = parkings_[k].other)
        if (parkings_[k].agent != self) return true;
    return false;
}

}  // namespace sidestep
