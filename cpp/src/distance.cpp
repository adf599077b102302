#include "sidestep/distance.hpp"

#include <algorithm>
#include <cstring>
#include <ranges>

namespace sidestep {

std::byte* PagePool::take() {
    if (free_.empty()) {
        slabs_.push_back(std::make_unique_for_overwrite<std::byte[]>(kPagesPerSlab * page_bytes_));
        for (std::size_t k = kPagesPerSlab; k-- > 0;)
            free_.push_back(slabs_.back().get() + k * page_bytes_);
        made_ += kPagesPerSlab;
    }
    std::byte* page = free_.back();
    free_.pop_back();
    std::memset(page, 0, page_bytes_);
    return page;
}

DistanceMap::DistanceMap(const Space& space, PagePool& pool, Vertex goal, Vertex origin)
    : space_(space),
      pool_(pool),
      goal_(goal),
      origin_(origin),
      pages_((space.size() >> kNarrowBits) + 1, nullptr) {
    restart();
}

void DistanceMap::restart() {
    clear();
    lowest_f_ = space_.estimate(goal_, origin_);
    if (space_.is_open(goal_)) open(goal_, 0);
}

void DistanceMap::clear() {
    for (std::byte*& page : pages_) {
        if (page) pool_.give_back(page);
        page = nullptr;
    }
    for (auto& stack : open_) stack.clear();
}

void DistanceMap::store(Vertex v, std::uint32_t word) {
    if (page_bits_ == kNarrowBits && word > std::numeric_limits<std::uint16_t>::max()) widen();
    std::byte*& page = pages_[v >> page_bits_];
    if (!page) page = pool_.take();
    const std::int32_t slot = v & ((1 << page_bits_) - 1);
    if (page_bits_ == kNarrowBits)
        reinterpret_cast<std::uint16_t*>(page)[slot] = static_cast<std::uint16_t>(word);
    else
        reinterpret_cast<std::uint32_t*>(page)[slot] = word;
}

void DistanceMap::widen() {
    std::vector<std::byte*> narrow((space_.size() >> kWideBits) + 1, nullptr);
    narrow.swap(pages_);
    page_bits_ = kWideBits;
    for (std::size_t k = 0; k < narrow.size(); ++k) {
        if (!narrow[k]) continue;
        const auto* words = reinterpret_cast<const std::uint16_t*>(narrow[k]);
        for (Vertex slot = 0; slot < 1 << kNarrowBits; ++slot)
            if (words[slot]) store((static_cast<Vertex>(k) << kNarrowBits) + slot, words[slot]);
        pool_.give_back(narrow[k]);
    }
}

void DistanceMap::open(Vertex v, Cost g) {
    store(v, encode(g));
    open_[(g + space_.estimate(v, origin_)) & 3].push_back(v);
}

Cost DistanceMap::resume(Vertex wanted, Budget& budget) {
    if (wanted == goal_) return 0;
    if (!space_.is_open(wanted)) return leave_closed(wanted, budget);
    int empty = 0;
    while (empty < 4) {
        auto& stack = open_[lowest_f_ & 3];
        if (stack.empty()) {
            ++lowest_f_;
            ++empty;
            continue;
        }
        if (!budget.tick()) return kNotReady;
        empty = 0;
        const Vertex v = stack.back();
        stack.pop_back();
        const std::uint32_t word = load(v);
        if (word & kClosed) continue;  // a better copy of it came first
        store(v, word | kClosed);
        const Cost g = decode(word) + 1;
        // Reversed, so that ties break in the same direction as in the forward search.
        for (Vertex u : space_.predecessors(v) | std::views::reverse) {
            const std::uint32_t seen = load(u);
            if (seen == 0 || (!(seen & kClosed) && g < decode(seen))) open(u, g);
        }
        if (v == wanted) return g - 1;
    }
    lowest_f_ -= empty;
    return kUnreachable;
}

// The search never enters closed vertices; an agent that one closed under is one step from outside.
Cost DistanceMap::leave_closed(Vertex v, Budget& budget) {
    Cost best = kUnreachable;
    for (Vertex u : space_.successors(v)) {
        const Cost cost = at(u, budget);
        if (cost == kNotReady) return kNotReady;
        best = std::min(best, cost + 1);
    }
    return std::min(best, kUnreachable);
}

bool DistanceMap::touches(Vertex v) const {
    bool touched = v == goal_;
    space_.around(v, [&](Vertex u) { touched |= load(u) != 0; });
    return touched;
}

DistanceMap& Distances::acquire(Vertex goal, Vertex origin) {
    Entry& entry = maps_[goal];
    if (!entry.map) {
        evict();
        entry.map = std::make_unique<DistanceMap>(space_, pool_, goal, origin);
    } else if (entry.users == 0) {
        std::erase(unused_, goal);
    }
    ++entry.users;
    return *entry.map;
}

void Distances::release(Vertex goal) {
    Entry& entry = maps_.at(goal);
    if (--entry.users == 0) unused_.push_back(goal);
}

void Distances::evict() {
    while (bytes() > cap_bytes_ && !unused_.empty()) {
        maps_.erase(unused_.front());
        unused_.erase(unused_.begin());
    }
}

void Distances::changed(Vertex v) {
    for (auto& [goal, entry] : maps_)
        if (entry.map && entry.map->touches(v)) entry.map->restart();
}

}  // namespace sidestep
