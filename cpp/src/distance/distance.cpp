#include "sidestep/distance/distance.hpp"

#include <algorithm>
#include <cstring>
#include <ranges>
#include <utility>

namespace sidestep {

bool distance_table(const Space& space, Vertex goal, Budget& budget, std::span<Cost> table) {
    std::fill(table.begin(), table.end(), kUnreachable);
    // Room for one vertex more: every neighbour is written behind the last, and kept only if
    // new. That way there is no branch to mispredict, which is most of what a simple search costs.
    std::vector<Vertex> queue(table.size() + 1);
    std::size_t head = 0, tail = 0;
    if (space.is_open(goal)) {
        queue[tail++] = goal;
        table[goal] = 0;
    }
    for (; head < tail; ++head) {
        if (head % 64 == 0 && !budget.tick()) return false;
        const Vertex v = queue[head];
        const Cost cost = table[v] + 1;
        for (const Vertex u : space.predecessors(v)) {
            const bool is_new = table[u] == kUnreachable;
            queue[tail] = u;
            tail += is_new;
            table[u] = is_new ? cost : table[u];
        }
    }
    return true;
}

Surroundings surroundings(const Space& space, Vertex goal, std::int32_t most) {
    Surroundings found;
    std::vector<std::uint8_t> seen(static_cast<std::size_t>(space.size()), 0);
    const auto enter = [&](Vertex v, Cost distance) {
        if (std::exchange(seen[v], 1)) return;
        found.vertices.push_back(v);
        found.distances.push_back(distance);
    };
    if (space.is_open(goal)) enter(goal, 0);
    std::size_t head = 0;
    while (head < found.vertices.size() && std::cmp_less(found.vertices.size(), most)) {
        for (const std::size_t level = found.vertices.size(); head < level; ++head) {
            const Vertex v = found.vertices[head];
            const Cost distance = found.distances[head] + 1;
            for (const Vertex u : space.predecessors(v)) enter(u, distance);
        }
    }
    found.complete = head == found.vertices.size();
    return found;
}

std::byte* PagePool::take() {
    if (free_.empty()) {
        slabs_.push_back(
            std::make_unique_for_overwrite<std::byte[]>(pages_per_slab_ * page_bytes_));
        for (std::size_t k = pages_per_slab_; k-- > 0;)
            free_.push_back(slabs_.back().get() + k * page_bytes_);
        made_ += pages_per_slab_;
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
    taken_ = 0;
    lowest_f_ = space_.estimate(goal_, origin_);
    if (!space_.is_open(goal_)) return;
    slot<std::uint16_t>(goal_) = static_cast<std::uint16_t>(encode(0));
    open_[lowest_f_ & 3].push_back(goal_);
}

void DistanceMap::clear() {
    for (std::byte*& page : pages_) {
        if (page) pool_.give_back(page);
        page = nullptr;
    }
    page_bits_ = kNarrowBits;
    for (auto& stack : open_) stack.clear();
}

template <class Word>
Word& DistanceMap::slot(Vertex v) {
    // The same as page_bits_, but known to the compiler.
    constexpr int kBits = sizeof(Word) == sizeof(std::uint16_t) ? kNarrowBits : kWideBits;
    std::byte*& page = pages_[static_cast<std::uint32_t>(v) >> kBits];
    if (!page) page = pool_.take();
    return word<Word>(page, v);
}

// Distances no longer fit in 16 bits: copies them into words of 32.
void DistanceMap::widen() {
    std::vector<std::byte*> narrow((space_.size() >> kWideBits) + 1, nullptr);
    narrow.swap(pages_);
    page_bits_ = kWideBits;
    for (std::size_t k = 0; k < narrow.size(); ++k) {
        if (!narrow[k]) continue;
        for (Vertex v = static_cast<Vertex>(k) << kNarrowBits, end = v + (1 << kNarrowBits);
             v < end; ++v)
            if (const auto known = word<std::uint16_t>(narrow[k], v))
                slot<std::uint32_t>(v) = known;
        pool_.give_back(narrow[k]);
    }
}

Cost DistanceMap::resume(Vertex wanted, Budget& budget) {
    if (wanted == goal_) return 0;
    if (!space_.is_open(wanted)) return leave_closed(wanted, budget);
    const std::size_t before = pool_.bytes();
    const Cost cost = search_on(wanted, budget);
    std::size_t more = pool_.bytes() - before;
    if (!std::exchange(counted_, true)) more += pages_.capacity() * sizeof(pages_[0]);
    return more == 0 || budget.keeps(static_cast<std::int64_t>(more)) ? cost : kNotReady;
}

Cost DistanceMap::resume(Vertex wanted, Steps& steps) {
    if (wanted == goal_) return 0;
    if (wanted != kNowhere && !space_.is_open(wanted)) return leave_closed(wanted, steps);
    const std::int64_t before = steps.left;
    const Cost cost = search_on(wanted, steps);
    taken_ += before - steps.left;
    return cost;
}

void DistanceMap::catch_up(std::int64_t taken) {
    Steps steps{std::max<std::int64_t>(taken - taken_, 0)};
    resume(kNowhere, steps);  // which no search finds
}

template <class Meter>
Cost DistanceMap::search_on(Vertex wanted, Meter& meter) {
    if (!is_wide()) {
        if (const auto cost = resume_in<std::uint16_t>(wanted, meter)) return *cost;
        widen();
    }
    return *resume_in<std::uint32_t>(wanted, meter);
}

// Nothing: the next distance does not fit into a Word.
template <class Word, class Meter>
std::optional<Cost> DistanceMap::resume_in(Vertex wanted, Meter& meter) {
    int empty = 0;
    const Space::Estimate estimate = space_.estimate_to(origin_);
    while (empty < 4) {
        auto& stack = open_[lowest_f_ & 3];
        if (stack.empty()) {
            ++lowest_f_;
            ++empty;
            continue;
        }
        if (!meter.tick()) return kNotReady;
        empty = 0;
        const Vertex v = stack.back();
        Word& known = slot<Word>(v);
        if (known & kClosed) {  // a better copy of it came first
            stack.pop_back();
            continue;
        }
        const Cost g = decode(known) + 1;
        if (encode(g) > std::numeric_limits<Word>::max()) return std::nullopt;
        stack.pop_back();
        known |= kClosed;
        // Reversed, so that ties break in the same direction as in the forward search.
        for (Vertex u : space_.ways_back(v) | std::views::reverse) {
            Word& seen = slot<Word>(u);
            // One comparison for "seen, and closed or at no higher cost": unseen wraps to the
            // largest.
            if (static_cast<Word>(seen - 1) <= static_cast<Word>(encode(g))) continue;
            seen = static_cast<Word>(encode(g));
            open_[(g + estimate(u)) & 3].push_back(u);
        }
        if (v == wanted) return g - 1;
    }
    lowest_f_ -= empty;
    return kUnreachable;
}

// The search never enters closed vertices; an agent that one closed under is one step from outside.
template <class Meter>
Cost DistanceMap::leave_closed(Vertex v, Meter& meter) {
    Cost best = kUnreachable;
    for (Vertex u : space_.successors(v)) {
        const Cost cost = at(u, meter);
        if (cost == kNotReady) return kNotReady;
        best = std::min(best, cost + 1);
    }
    return std::min(best, kUnreachable);
}

Cost DistanceMap::path(Vertex v, Budget& budget, std::vector<Vertex>& path) {
    const Cost length = at(v, budget);
    if (length < 0 || length >= kUnreachable) return length;
    path.push_back(v);
    for (Cost left = length; left-- > 0;) {
        // What gave v its distance was expanded before it, and so were all around a closed
        // vertex that `at` was asked about: nothing is searched here.
        for (const Vertex u : space_.successors(v)) {
            const std::uint32_t word = load(u);
            if (!(word & kClosed) || decode(word) != left) continue;
            v = u;
            break;
        }
        path.push_back(v);
    }
    return length;
}

void DistanceMap::rest() {
    for (auto& stack : open_) stack.shrink_to_fit();
}

std::size_t DistanceMap::overhead() const {
    std::size_t sum = pages_.capacity() * sizeof(pages_[0]);
    for (const auto& stack : open_) sum += stack.capacity() * sizeof(Vertex);
    return sum;
}

bool DistanceMap::touches(Vertex v) const {
    bool touched = v == goal_;
    space_.around(v, [&](Vertex u) { touched |= load(u) != 0; });
    return touched;
}

Distances::~Distances() {
    for (auto& [goal, entry] : maps_)
        if (entry.map) entry.map->abandon();
}

DistanceMap& Distances::acquire(Vertex goal, Vertex origin) {
    Entry& entry = maps_[goal];
    if (!entry.map) {
        // Now and then, so that making many maps does not count all of them every time.
        if (++made_since_trim_ * 16 > maps_.size()) {
            trim();
            made_since_trim_ = 0;
        }
        entry.map = std::make_unique<DistanceMap>(space_, pool_, goal, origin);
    } else if (entry.users == 0) {
        std::erase(unused_, goal);
    }
    ++entry.users;
    return *entry.map;
}

void Distances::release(Vertex goal) {
    Entry& entry = maps_.at(goal);
    if (--entry.users > 0) return;
    if (cap_bytes_ == 0) {
        maps_.erase(goal);
        return;
    }
    entry.map->rest();
    unused_.push_back(goal);
}

std::size_t Distances::bytes() const {
    std::size_t sum = pool_.bytes_in_use();
    for (const auto& [goal, entry] : maps_)
        if (entry.map) sum += entry.map->overhead();
    return sum;
}

void Distances::trim() {
    // Counting everything takes a while; the queues are less than pages and directories.
    const std::size_t directory = ((space_.size() >> DistanceMap::kNarrowBits) + 1) * sizeof(void*);
    if (unused_.empty() || pool_.bytes_in_use() + maps_.size() * directory < cap_bytes_ / 2) return;
    std::size_t total = bytes(), dropped = 0;
    for (; total > cap_bytes_ && dropped < unused_.size(); ++dropped) {
        const std::size_t pages = pool_.bytes_in_use();
        total -= maps_.at(unused_[dropped]).map->overhead();
        maps_.erase(unused_[dropped]);
        total -= pages - pool_.bytes_in_use();
    }
    unused_.erase(unused_.begin(), unused_.begin() + static_cast<std::ptrdiff_t>(dropped));
}

void Distances::changed(Vertex v) {
    for (auto& [goal, entry] : maps_)
        if (entry.map && entry.map->touches(v)) entry.map->restart();
}

std::span<const Cost> DistanceTables::to(Vertex goal, Budget& budget) {
    const auto [found, is_new] = tables_.try_emplace(goal);
    if (!is_new) return found->second;
    found->second.resize(static_cast<std::size_t>(space_.size()));
    if (distance_table(space_, goal, budget, found->second)) return found->second;
    tables_.erase(found);
    return {};
}

}  // namespace sidestep
