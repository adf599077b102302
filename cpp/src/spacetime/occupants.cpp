#include "sidestep/spacetime/occupants.hpp"

#include <algorithm>

namespace sidestep {

namespace {

constexpr std::size_t kMostLists = 1 << 14;     // of a step
constexpr std::size_t kMostReserved = 1 << 30;  // bytes
constexpr std::size_t kSlice = 1 << 20;  // bytes that are moved between two looks at the clock

int shift_for(std::size_t vertices) {
    int shift = 0;
    while (vertices >> shift > kMostLists) ++shift;
    return shift;
}

// Room for that many, as `reserve` makes it, but slice by slice. False: the budget ended, and all
// is as it was.
template <class T>
bool reserve(LargeVector<T>& values, std::size_t room, Budget& budget) {
    if (room <= values.capacity()) return true;
    LargeVector<T> moved;
    moved.reserve(room);
    for (auto from = values.begin(); from != values.end();) {
        if (!budget.look()) return false;
        const auto some = std::min<std::ptrdiff_t>(kSlice / sizeof(T), values.end() - from);
        moved.insert(moved.end(), from, from + some);
        from += some;
    }
    values.swap(moved);
    return true;
}

}  // namespace

Occupants::Occupants(const Space& space, const Rules& rules, std::int32_t agents)
    : space_(space),
      rules_(rules),
      words_((static_cast<std::size_t>(space.size()) + 63) / 64),
      shift_(shift_for(static_cast<std::size_t>(space.size()))),
      lists_((static_cast<std::size_t>(space.size()) >> shift_) + 1),
      careful_(!rules.following || checks_crossings(space, rules)),
      paths_(static_cast<std::size_t>(agents)),
      bits_(words_, 0),
      parked_(static_cast<std::size_t>(space.size()), kNobody),
      next_parked_(static_cast<std::size_t>(agents), kNobody) {}

bool Occupants::make_room(Time last, Budget& budget) {
    if (last < last_) return true;
    const Time wanted = std::max<Time>(last + 1, last_ + last_ / 2);
    const auto rows = static_cast<std::size_t>(wanted) + 1;
    const std::size_t bytes =
        words_ * sizeof(bits_[0]) + (lists_ + paths_.size()) * sizeof(AgentId);
    if (!budget.fits(static_cast<std::int64_t>(rows * bytes))) return false;
    // What is reserved but not used costs nothing; to move everything once more does.
    const std::size_t room = std::max(rows, std::min(4 * rows, kMostReserved / bytes));
    if (!reserve(bits_, room * words_, budget) || !reserve(first_, room * lists_, budget) ||
        !reserve(next_, room * paths_.size(), budget))
        return false;
    while (last_ < wanted) {
        if (!budget.tick(static_cast<std::int64_t>(words_))) return false;
        add_step();
    }
    return true;
}

// One row more. Who is parked is so in it, too; the row that was the last had nobody else.
void Occupants::add_step() {
    const std::size_t held = bits_.size() - words_;
    bits_.resize(bits_.size() + words_);
    std::copy_n(bits_.begin() + static_cast<std::ptrdiff_t>(held), words_,
                bits_.end() - static_cast<std::ptrdiff_t>(words_));
    first_.resize(first_.size() + lists_, kNobody);
    next_.resize(next_.size() + paths_.size(), kNobody);
    ++last_;
}

void Occupants::put(AgentId agent, std::span<const Vertex> path, bool stays) {
    const auto end = static_cast<Time>(path.size()) - 1;
    while (end >= last_) add_step();
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

// Is anybody there who goes on?
bool Occupants::is_passed(Vertex v, Time t) const {
    if (t >= last_) return false;
    for (AgentId a = first_[at(v, t)]; a != kNobody; a = next_[entry(a, t)])
        if (is_on(a, v, t)) return true;
    return false;
}

void Occupants::clear_if_empty(Vertex v, Time t) {
    if (!is_passed(v, t) && !is_parked(v, t)) word(v, t) &= ~(std::uint64_t{1} << (v & 63));
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
