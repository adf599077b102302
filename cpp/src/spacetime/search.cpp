#include "sidestep/spacetime/search.hpp"

#include <bit>
#include <utility>

#include "sidestep/spacetime/search_loop.hpp"

namespace sidestep {

void StateTable::prepare(std::int32_t vertices, std::int32_t layers) {
    if (++stamp_ == 0) {  // wrapped: old stamps could be taken for new ones
        dense_.clear();
        slots_.clear();
        blocks_.clear();
        stamp_ = 1;
    }
    const std::uint64_t states = static_cast<std::uint64_t>(vertices) * layers;
    hashed_ = states > kMaxDense;
    layers_ = hashed_ ? (layers + 7) / 8 : layers;
    blocks_in_use_ = 0;
    if (hashed_)
        use_slots(kFewSlots);
    else if (dense_.size() < states)
        dense_.resize(states, Entry{0, 0});
}

std::int64_t StateTable::bytes() const {
    return static_cast<std::int64_t>(dense_.size() * sizeof(Entry) + slots_.size() * sizeof(Slot) +
                                     blocks_.size() * sizeof(Block));
}

void StateTable::use_slots(std::size_t count) {
    if (slots_.size() < count) slots_.resize(count);
    slots_in_use_ = count;
    slot_shift_ = 64 - std::countr_zero(count);
}

// The slot of a key, or the free one where it belongs.
std::size_t StateTable::probe(std::uint64_t key) const {
    std::size_t k = key * 0x9E3779B97F4A7C15u >> slot_shift_;
    while (slots_[k].stamp == stamp_ && slots_[k].key != key) k = (k + 1) & (slots_in_use_ - 1);
    return k;
}

StateTable::Block& StateTable::block(std::uint64_t key) {
    std::size_t k = probe(key);
    if (slots_[k].stamp != stamp_) {
        if (blocks_in_use_ * 2 >= slots_in_use_) {
            grow();
            k = probe(key);
        }
        if (blocks_.size() == blocks_in_use_) blocks_.resize(blocks_.size() * 2 + 64);
        slots_[k] = {key, stamp_, static_cast<std::uint32_t>(blocks_in_use_++)};
    }
    return blocks_[slots_[k].block];
}

void StateTable::grow() {
    std::vector<Slot> used;
    for (std::size_t k = 0; k < slots_in_use_; ++k)
        if (slots_[k].stamp == stamp_) used.push_back(std::exchange(slots_[k], Slot{}));
    use_slots(slots_in_use_ * 2);
    for (const Slot& slot : used) slots_[probe(slot.key)] = slot;
}

namespace {

// As an agent of one cell sees them.
class ReservedForUnit : public ReservedPaths {
  public:
    ReservedForUnit(const Space& space, const Rules& rules, const Reservations& reservations)
        : ReservedPaths(space, rules, reservations),
          check_crossings_(checks_crossings(space, rules)) {}

    Time last_taken(Vertex v) const { return reservations_.last_taken(v); }
    bool taken(Vertex v, Time t) const { return reservations_.taken(v, t); }
    bool allows(Move move, Time t) const { return reservations_.allows(space_, rules_, move, t); }

    template <class Visit>
    void each_step(Vertex from, Time t, Visit&& visit) const {
        const std::uint64_t* here = reservations_.row(t);
        const std::uint64_t* next = reservations_.row(t + 1);
        const bool entered_behind = Reservations::bit(next, from);
        if (!entered_behind) visit(from);
        if (entered_behind && !rules_.following) return;
        const AgentId follower = entered_behind ? reservations_.holder(from, t + 1) : kNobody;
        for (const Vertex to : space_.successors(from)) {
            if (Reservations::bit(next, to)) continue;
            if (Reservations::bit(here, to)) {
                if (!rules_.following) continue;
                if (entered_behind && reservations_.holder(to, t) == follower) continue;  // swap
            }
            if (check_crossings_ && space_.any_crossing({from, to}, [&](Move other) {
                    return reservations_.moves(other, t);
                }))
                continue;
            visit(to);
        }
    }

  private:
    bool check_crossings_;
};

}  // namespace

Outcome SpaceTimeSearch::run(const Space& space, const Rules& rules,
                             const Reservations& reservations, const SearchTask& task,
                             Budget& budget, std::vector<Vertex>& path) {
    return run_among(space, rules, ReservedForUnit(space, rules, reservations), task, budget, path);
}

}  // namespace sidestep
