#include "sidestep/distance/fields.hpp"

#include <atomic>
#include <cstring>
#include <thread>

namespace sidestep {

namespace {

// Between two looks at the clock.
constexpr std::size_t kSpotsPerLook = 16384, kBlocksPerLook = 4096;

// The lowest bits of eight bytes, side by side.
std::uint64_t lowest_bits(std::uint64_t bytes) {
    return (bytes & 0x0101010101010101) * 0x0102040810204080 >> 56;
}

// Cells of a block that have none to their left, or to their right, in it.
constexpr std::uint64_t kLeft = 0x0101010101010101, kRight = kLeft << 7;
constexpr std::int64_t kBytesPerTick = 256;  // of memory that is written for the first time

}  // namespace

Fields::Field* Fields::add(Spot goal, Budget& budget) {
    const auto [found, is_new] = fields_.try_emplace(goal);
    Field& field = found->second;
    if (!is_new) return &field;
    const std::int64_t bytes = bytes_of(field);
    if (!budget.fits(bytes_ + bytes) || !budget.tick(bytes / kBytesPerTick)) {
        fields_.erase(found);
        return nullptr;
    }
    bytes_ += bytes;
    field.goal_ = goal;
    field.frontier_ = {goal};
    if (!packs_) {
        const auto size = static_cast<std::size_t>(roads_.size());
        field.narrow_ = std::make_unique_for_overwrite<std::uint16_t[]>(size);
        std::fill_n(field.narrow_.get(), size, Field::kUnseen);
        if (costs_)
            field.reached_ = {{0, goal}};
        else
            field.narrow_[goal] = 0;
        return &field;
    }
    const auto count = 2 * static_cast<std::size_t>(words());
    field.packed_ = std::make_unique_for_overwrite<std::uint64_t[]>(count);
    std::fill_n(field.packed_.get(), count, ~std::uint64_t{0});
    if (!roads_.has_blocks()) return &field;
    const std::int32_t block = goal / Roads::kPerBlock;
    const std::uint64_t cell = std::uint64_t{1} << goal % Roads::kPerBlock;
    field.cells_ = {{block, cell}};
    field.packed_[2 * block] &= ~cell;
    field.packed_[2 * block + 1] &= ~cell;
    return &field;
}

Fields::Field* Fields::to(Spot goal, Spot origin, Budget& budget) {
    Field* const field = add(goal, budget);
    return field && reach(*field, origin, flood_, budget) ? field : nullptr;
}

bool Fields::make(std::span<const Spot> goals, std::span<const Spot> origins, int threads,
                  Budget& budget) {
    std::vector<Field*> wanted;
    for (const Spot goal : goals) {
        wanted.push_back(goal == kNowhere ? nullptr : add(goal, budget));
        if (goal != kNowhere && !wanted.back()) return false;
    }
    // The first who wants a field makes it, so that no two threads work on one.
    std::vector<std::size_t> makers;
    std::unordered_map<const Field*, std::size_t> made;
    for (std::size_t k = 0; k < wanted.size(); ++k)
        if (wanted[k] && made.try_emplace(wanted[k], k).second) makers.push_back(k);
    std::atomic<std::size_t> next = 0;
    std::atomic<bool> in_time = true;
    const auto work = [&](Budget& own) {
        Flood flood;
        for (std::size_t k = next++; k < makers.size() && in_time; k = next++)
            if (!reach(*wanted[makers[k]], origins[makers[k]], flood, own)) in_time = false;
    };
    std::vector<std::thread> others;
    std::atomic<std::int64_t> store = budget.nodes_left();
    // All shares are taken before anybody works on what they are taken from.
    std::vector<Budget> shares;
    for (int k = 1; k < threads; ++k)
        shares.push_back(budget.for_thread(store, 1, [&] { return !in_time.load(); }));
    for (Budget& share : shares) others.emplace_back([&] { work(share); });
    work(budget);
    for (std::thread& other : others) other.join();
    if (!in_time) budget.look();
    return in_time;
}

// Finds the distance of a spot, unless nothing leads there. False: the budget ran out.
bool Fields::reach(Field& field, Spot wanted, Flood& flood, Budget& budget) {
    if (packs_) return reach_packed(field, wanted, flood, budget);
    if (field.complete_ || field.has_seen(wanted)) return true;
    // One spot more than there are: a level writes behind its end before it decides to keep it.
    if (!costs_) flood.queue.resize(static_cast<std::size_t>(roads_.size()) + 1);
    const auto grow_in = [&](auto* words) {
        return costs_ ? grow_by_cost(field, words, wanted, flood, budget)
                      : grow(field, words, wanted, flood, budget);
    };
    if (field.narrow_) {
        if (!grow_in(field.narrow_.get())) return false;
        if (field.complete_ || field.has_seen(wanted)) return true;
        widen(field);
    }
    return grow_in(field.wide_.get());
}

bool Fields::reach_packed(Field& field, Spot wanted, Flood& flood, Budget& budget) const {
    const bool is_fresh = field.level_ == 0 && !field.complete_;
    if (!is_fresh && (field.complete_ || field.has_seen(wanted))) return true;
    if (roads_.has_blocks()) return grow_blocks(field, wanted, flood, budget);
    flood.queue.resize(static_cast<std::size_t>(roads_.size()) + 1);
    flood.codes.resize(static_cast<std::size_t>(words() * Field::kPerWord));
    if (is_fresh) {
        std::fill(flood.codes.begin(), flood.codes.end(), Field::kUnseenCode);
        flood.codes[field.goal_] = 0;
    } else {
        unpack(field, flood);
    }
    const bool in_time = grow(field, flood.codes.data(), wanted, flood, budget);
    pack(flood, field);
    return in_time;
}

// A distance no longer fits into 16 bits.
void Fields::widen(Field& field) {
    const auto size = static_cast<std::size_t>(roads_.size());
    field.wide_ = std::make_unique_for_overwrite<std::uint32_t[]>(size);
    for (std::size_t s = 0; s < size; ++s)
        field.wide_[s] = field.narrow_[s] == Field::kUnseen ? Field::kUnseenWide : field.narrow_[s];
    field.narrow_.reset();
    bytes_ += static_cast<std::int64_t>(size * (sizeof(std::uint32_t) - sizeof(std::uint16_t)));
}

// Visits level after level until the wanted spot is well inside, all is visited, or words are too
// short for the next level. False: the budget ran out, between two levels.
template <class Word>
bool Fields::grow(Field& field, Word* words, Spot wanted, Flood& flood, Budget& budget) const {
    constexpr bool kIsCode = sizeof(Word) == 1;
    constexpr Word kUnseen = kIsCode ? Word{Field::kUnseenCode} : static_cast<Word>(-1);
    constexpr Cost kNever = std::numeric_limits<Cost>::max();
    std::size_t begin = 0, end = field.frontier_.size(), looked = 0;
    std::copy(field.frontier_.begin(), field.frontier_.end(), flood.queue.begin());
    Cost last = kNever;
    bool in_time = budget.look();
    const auto arrive = [&] {
        last = field.level_ + kSlack;
        field.asked_ = wanted;
        field.distance_of_asked_ = field.level_;
    };
    if (words[wanted] != kUnseen) arrive();
    while (in_time && begin != end && field.level_ < last &&
           (kIsCode || static_cast<std::uint64_t>(field.level_) + 1 < kUnseen)) {
        ++field.level_;
        const Word level = static_cast<Word>(kIsCode ? field.level_ % 3 : field.level_);
        const std::size_t level_end = end;
        switch (roads_.backward().width) {
            case 4:
                end = next_level<Word, 4>(words, level, flood.queue.data(), begin, end);
                break;
            case 8:
                end = next_level<Word, 8>(words, level, flood.queue.data(), begin, end);
                break;
            default:
                end = next_level<Word, 0>(words, level, flood.queue.data(), begin, end);
        }
        begin = level_end;
        if (last == kNever && words[wanted] != kUnseen) arrive();
        if (end - looked >= kSpotsPerLook) {
            looked = end;
            in_time = budget.look();
        }
    }
    field.frontier_.assign(flood.queue.begin() + static_cast<std::ptrdiff_t>(begin),
                           flood.queue.begin() + static_cast<std::ptrdiff_t>(end));
    field.complete_ = begin == end;
    return in_time || field.complete_ || last != kNever;
}

// The spots beside those in [begin, end) of the queue that nobody has seen; returns the new end.
template <class Word, int kWidth>
std::size_t Fields::next_level(Word* words, Word level, Spot* queue, std::size_t begin,
                               std::size_t end) const {
    constexpr Word kUnseen = sizeof(Word) == 1 ? Word{Field::kUnseenCode} : static_cast<Word>(-1);
    const Roads::Rows& rows = roads_.backward();
    std::size_t tail = end;
    for (std::size_t k = begin; k != end; ++k) {
        const Spot* const row = rows.begin(queue[k]);
        const int width = kWidth ? kWidth : rows.degree[queue[k]];
        for (int i = 0; i < width; ++i) {
            const Spot s = row[i];
            const bool unseen = words[s] == kUnseen;
            queue[tail] = s;
            tail += unseen;
            words[s] = unseen ? level : words[s];
        }
    }
    return tail;
}

// The same in the order of costs: a bucket of spots for each, in a ring, since no step costs more
// than the dearest.
template <class Word>
bool Fields::grow_by_cost(Field& field, Word* words, Spot wanted, Flood& flood,
                          Budget& budget) const {
    constexpr Word kUnseen = static_cast<Word>(-1);
    constexpr Cost kNever = std::numeric_limits<Cost>::max();
    flood.buckets.resize(kRing);
    for (const auto& [cost, spot] : field.reached_) flood.buckets[cost % kRing].push_back(spot);
    std::size_t pending = field.reached_.size(), looked = 0;
    Cost last = kNever;
    bool in_time = budget.look();
    for (; in_time && pending > 0 && field.level_ <= last &&
           static_cast<std::uint64_t>(field.level_) < kUnseen;
         ++field.level_) {
        std::vector<Spot>& bucket = flood.buckets[field.level_ % kRing];
        for (const Spot s : bucket) {
            if (words[s] != kUnseen) continue;
            words[s] = static_cast<Word>(field.level_);
            for (const Spot from : roads_.backward().of(s)) {
                if (words[from] != kUnseen) continue;
                flood.buckets[(field.level_ + step(from, s)) % kRing].push_back(from);
                ++pending;
            }
            if (s != wanted) continue;
            last = field.level_ + kSlack;
            field.asked_ = wanted;
            field.distance_of_asked_ = field.level_;
        }
        pending -= bucket.size();
        looked += bucket.size();
        bucket.clear();
        if (looked < kSpotsPerLook) continue;
        looked = 0;
        in_time = budget.look();
    }
    keep_buckets(field, flood);
    return in_time || field.complete_ || last != kNever;
}

// What is left for the next time.
void Fields::keep_buckets(Field& field, Flood& flood) const {
    field.reached_.clear();
    for (Cost cost = field.level_; cost < field.level_ + kRing; ++cost) {
        std::vector<Spot>& bucket = flood.buckets[cost % kRing];
        for (const Spot s : bucket)
            if (!field.has_seen(s)) field.reached_.push_back({cost, s});
        bucket.clear();
    }
    field.complete_ = field.reached_.empty();
}

// The same, for whole blocks at once.
bool Fields::grow_blocks(Field& field, Spot wanted, Flood& flood, Budget& budget) const {
    constexpr Cost kNever = std::numeric_limits<Cost>::max();
    flood.reached.resize(roads_.blocks().size());
    Cost last = kNever;
    std::size_t looked = 0;
    bool in_time = budget.look();
    const auto arrive = [&] {
        last = field.level_ + kSlack;
        field.asked_ = wanted;
        field.distance_of_asked_ = field.level_;
    };
    if (field.has_seen(wanted)) arrive();
    while (in_time && !field.cells_.empty() && field.level_ < last) {
        ++field.level_;
        spread(field, flood);
        settle(field, flood);
        if (last == kNever && field.has_seen(wanted)) arrive();
        looked += field.cells_.size();
        if (looked >= kBlocksPerLook) {
            looked = 0;
            in_time = budget.look();
        }
    }
    field.complete_ = field.cells_.empty();
    return in_time || field.complete_ || last != kNever;
}

// Which cells are beside those of the last level.
void Fields::spread(const Field& field, Flood& flood) const {
    const std::span<const Roads::Block> blocks = roads_.blocks();
    const auto reach = [&](std::int32_t block, std::uint64_t cells) {
        if (cells == 0 || block < 0) return;
        if (flood.reached[block] == 0) flood.blocks.push_back(block);
        flood.reached[block] |= cells;
    };
    for (const auto& [block, cells] : field.cells_) {
        const Roads::Block& at = blocks[block];
        reach(block, cells << 8 | cells >> 8 | (cells & ~kRight) << 1 | (cells & ~kLeft) >> 1);
        reach(at.up, cells << 56);
        reach(at.down, cells >> 56);
        reach(at.left, (cells & kLeft) << 7);
        reach(at.right, (cells & kRight) >> 7);
    }
}

// Those of them that are open and were not seen are the next level.
void Fields::settle(Field& field, Flood& flood) const {
    const std::span<const Roads::Block> blocks = roads_.blocks();
    const int code = field.level_ % 3;
    field.cells_.clear();
    for (const std::int32_t block : flood.blocks) {
        std::uint64_t& low = field.packed_[2 * block];
        std::uint64_t& high = field.packed_[2 * block + 1];
        const std::uint64_t cells = flood.reached[block] & blocks[block].open & low & high;
        flood.reached[block] = 0;
        if (cells == 0) continue;
        if (code != 1) low &= ~cells;
        if (code != 2) high &= ~cells;
        field.cells_.push_back({block, cells});
    }
    flood.blocks.clear();
}

void Fields::pack(const Flood& flood, Field& field) const {
    const std::uint8_t* codes = flood.codes.data();
    for (std::int64_t w = 0; w < words(); ++w) {
        std::uint64_t low = 0, high = 0;
        for (int part = 0; part < 8; ++part, codes += 8) {
            std::uint64_t eight;
            std::memcpy(&eight, codes, sizeof eight);
            low |= lowest_bits(eight) << 8 * part;
            high |= lowest_bits(eight >> 1) << 8 * part;
        }
        field.packed_[2 * w] = low;
        field.packed_[2 * w + 1] = high;
    }
}

void Fields::unpack(const Field& field, Flood& flood) const {
    for (Spot s = 0; s < roads_.size(); ++s)
        flood.codes[s] = static_cast<std::uint8_t>(field.code(s));
}

Cost Fields::slow_change(Field& field, Spot from, Spot to, Budget& budget) {
    for (const Spot s : {from, to})
        if (!field.complete_ && !field.has_seen(s) && !reach(field, s, flood_, budget))
            return kUnknown;
    const bool leads_on = field.has_seen(to);
    if (!field.has_seen(from)) return leads_on ? -1 : 0;
    if (!leads_on) return kUnreachable;
    if (field.packed_) return kChanges[field.code(to) - field.code(from) + 2];
    return field.known(to) - field.known(from);
}

Cost Fields::at(Field& field, Spot s, Budget& budget) {
    if (!reach(field, s, flood_, budget)) return kNotReady;
    if (s == field.asked_) return field.distance_of_asked_;
    if (!field.has_seen(s)) return kUnreachable;
    return field.packed_ ? count_steps(field, s) : field.known(s);
}

// The way from s to the goal, always to a spot that is nearer. A goal that was closed cannot be
// entered: then no spot is nearer than those beside it.
Cost Fields::count_steps(const Field& field, Spot s) const {
    Cost steps = 0;
    for (; s != field.goal_; ++steps) {
        const int nearer = (field.code(s) + 2) % 3;
        const std::span<const Spot> beside = roads_.next(s);
        const auto next =
            std::ranges::find_if(beside, [&](Spot other) { return field.code(other) == nearer; });
        if (next == beside.end()) return steps + 1;
        s = *next;
    }
    return steps;
}

void Fields::changed(std::span<const Spot> around) {
    std::erase_if(fields_, [&](const auto& entry) {
        const Field& field = entry.second;
        const bool seen =
            std::any_of(around.begin(), around.end(), [&](Spot s) { return field.has_seen(s); });
        if (seen) bytes_ -= bytes_of(field);
        return seen;
    });
}

void Fields::keep(std::vector<Spot> goals) {
    std::sort(goals.begin(), goals.end());
    std::erase_if(fields_, [&](const auto& entry) {
        const bool kept = std::binary_search(goals.begin(), goals.end(), entry.first);
        if (!kept) bytes_ -= bytes_of(entry.second);
        return !kept;
    });
}

}  // namespace sidestep
