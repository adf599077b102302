#include "sidestep/traffic.hpp"

#include <algorithm>

namespace sidestep {

void Traffic::add(std::span<const Vertex> path, bool stays) {
    const auto index = static_cast<std::int32_t>(paths_.size());
    const auto length = static_cast<Time>(path.size());
    paths_.push_back(
        {{path.begin(), path.end()}, std::vector<std::int32_t>(path.size(), -1), stays});
    for (Time t = 0; t < length; ++t) {
        auto [slot, is_new] = first_.try_emplace(key(path[t], t), index);
        if (!is_new) {
            paths_[index].next[t] = slot->second;
            slot->second = index;
        }
        Time& last = last_visit_.try_emplace(path[t], t).first->second;
        last = std::max(last, t);
    }
    if (stays) {
        parked_[path.back()].push_back({index, length});
        last_visit_[path.back()] = kForever;
    }
    settled_ = std::max(settled_, length);
}

void Traffic::settle() {
    words_ = (static_cast<std::size_t>(space_.size()) + 63) / 64;
    bits_.assign(words_ * (static_cast<std::size_t>(settled_) + 1), 0);
    for (std::int32_t path = 0; path < static_cast<std::int32_t>(paths_.size()); ++path)
        for (Time t = 0; t <= settled_; ++t)
            if (const Vertex v = at(path, t); v != kNowhere)
                bits_[static_cast<std::size_t>(t) * words_ + static_cast<std::size_t>(v >> 6)] |=
                    std::uint64_t{1} << (v & 63);
}

std::int32_t Traffic::conflicts(Move move, Time t) const {
    std::int32_t count = 0;
    each_on(move.to, t + 1, [&](std::int32_t) { ++count; });
    if (move.from == move.to) return count;
    each_on(move.to, t, [&](std::int32_t path) { count += at(path, t + 1) == move.from; });
    if (!rules_.crossing && space_.has_crossings()) {
        space_.any_crossing(move, [&](Move other) {
            each_on(other.from, t,
                    [&](std::int32_t path) { count += at(path, t + 1) == other.to; });
            return false;
        });
    }
    return rules_.following ? count : count + following(move, t);
}

// Who is only just leaving the target, and who comes after us into the place that we leave.
std::int32_t Traffic::following(Move move, Time t) const {
    std::int32_t count = 0;
    each_on(move.to, t, [&](std::int32_t path) {
        const Vertex next = at(path, t + 1);
        count += next != move.to && next != move.from;
    });
    each_on(move.from, t + 1, [&](std::int32_t path) {
        const Vertex before = at(path, t);
        count += before != move.from && before != move.to;
    });
    return count;
}

bool Traffic::comes(Vertex v, Time t) const {
    const auto found = last_visit_.find(v);
    return found != last_visit_.end() && found->second >= t;
}

}  // namespace sidestep
