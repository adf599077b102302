#include "sidestep/solvers/lns/holders.hpp"

#include <utility>

namespace sidestep {

void Holders::put(AgentId agent, std::span<const Spot> path, bool parks) {
    const std::size_t steps = path.size() - (parks ? 1 : 0);
    for (std::size_t t = 0; t < steps; ++t) {
        if ((used_ + 1) * 2 > slots_.size()) grow();
        const std::uint64_t wanted = key(path[t], static_cast<Time>(t));
        slots_[probe(wanted)] = {wanted, agent};
        ++used_;
    }
    if (parks) parked_[path.back()] = {agent, static_cast<Time>(steps)};
}

void Holders::take(std::span<const Spot> path, bool parks) {
    const std::size_t steps = path.size() - (parks ? 1 : 0);
    for (std::size_t t = 0; t < steps; ++t) erase(probe(key(path[t], static_cast<Time>(t))));
    if (parks) parked_[path.back()] = {};
}

// Moves up what was pushed on by the slot that becomes empty.
void Holders::erase(std::size_t at) {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t next = (at + 1) & mask; slots_[next].agent != kNobody;
         next = (next + 1) & mask) {
        const std::size_t home = mix(slots_[next].key) & mask;
        if (((next - home) & mask) < ((next - at) & mask)) continue;
        slots_[at] = slots_[next];
        at = next;
    }
    slots_[at] = {};
    --used_;
}

void Holders::grow() {
    std::vector<Slot> before(slots_.empty() ? 1024 : slots_.size() * 2);
    std::swap(before, slots_);
    for (const Slot& slot : before)
        if (slot.agent != kNobody) slots_[probe(slot.key)] = slot;
}

}  // namespace sidestep
