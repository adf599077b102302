#include "sidestep/distance/fields.hpp"

#include <algorithm>
#include <cstring>

namespace sidestep {

namespace {

constexpr std::size_t kSpotsPerLook = 16384;  // between two looks at the clock

}  // namespace

Fields::Field* Fields::to(Spot goal, Spot origin, Budget& budget) {
    const auto [found, is_new] = fields_.try_emplace(goal);
    Field& field = found->second;
    if (is_new) {
        const auto size = static_cast<std::size_t>(roads_.size());
        bytes_ += static_cast<std::int64_t>(size * sizeof(std::uint16_t));
        if (!budget.fits(bytes_)) {
            bytes_ -= static_cast<std::int64_t>(size * sizeof(std::uint16_t));
            fields_.erase(found);
            return nullptr;
        }
        field.narrow_ = std::make_unique_for_overwrite<std::uint16_t[]>(size);
        std::memset(field.narrow_.get(), 0xFF, size * sizeof(std::uint16_t));
        field.narrow_[goal] = 0;
        field.frontier_ = {goal};
    }
    return at(field, origin, budget) == kNotReady ? nullptr : &field;
}

Cost Fields::resume(Field& field, Spot s, Budget& budget) {
    // One spot more than there are: a level writes behind its end before it decides to keep it.
    queue_.resize(static_cast<std::size_t>(roads_.size()) + 1);
    if (field.narrow_) {
        if (!grow(field, field.narrow_.get(), s, budget)) return kNotReady;
        if (field.known(s) != kNotReady) return field.known(s);
        widen(field);
    }
    return grow(field, field.wide_.get(), s, budget) ? field.known(s) : kNotReady;
}

// Visits level after level until the wanted spot is well inside, all is visited, or words are too
// short for the next level. False: the budget ran out, between two levels.
template <class Word>
bool Fields::grow(Field& field, Word* distances, Spot wanted, Budget& budget) {
    constexpr Word kUnseen = std::numeric_limits<Word>::max();
    std::size_t begin = 0, end = field.frontier_.size(), looked = 0;
    std::copy(field.frontier_.begin(), field.frontier_.end(), queue_.begin());
    Cost last = std::numeric_limits<Cost>::max();
    bool in_time = budget.look();
    while (in_time && begin != end && field.level_ < last &&
           static_cast<std::uint64_t>(field.level_) + 1 < kUnseen) {
        const Word distance = static_cast<Word>(++field.level_);
        const std::size_t level_end = end;
        switch (roads_.backward().width) {
            case 4:
                end = next_level<Word, 4>(distances, distance, begin, end);
                break;
            case 8:
                end = next_level<Word, 8>(distances, distance, begin, end);
                break;
            default:
                end = next_level<Word, 0>(distances, distance, begin, end);
        }
        begin = level_end;
        if (last == std::numeric_limits<Cost>::max() && distances[wanted] != kUnseen)
            last = field.level_ + kSlack;
        if (end - looked >= kSpotsPerLook) {
            looked = end;
            in_time = budget.look();
        }
    }
    field.frontier_.assign(queue_.begin() + static_cast<std::ptrdiff_t>(begin),
                           queue_.begin() + static_cast<std::ptrdiff_t>(end));
    field.complete_ = begin == end;
    return in_time || field.known(wanted) != kNotReady;
}

// The spots beside those in [begin, end) of the queue that nobody has seen; returns the new end.
template <class Word, int kWidth>
std::size_t Fields::next_level(Word* distances, Word distance, std::size_t begin, std::size_t end) {
    constexpr Word kUnseen = std::numeric_limits<Word>::max();
    const Roads::Rows& rows = roads_.backward();
    Spot* const queue = queue_.data();
    std::size_t tail = end;
    for (std::size_t k = begin; k != end; ++k) {
        const Spot* const row = rows.begin(queue[k]);
        const int width = kWidth ? kWidth : rows.degree[queue[k]];
        for (int i = 0; i < width; ++i) {
            const Spot s = row[i];
            const bool unseen = distances[s] == kUnseen;
            queue[tail] = s;
            tail += unseen;
            distances[s] = unseen ? distance : distances[s];
        }
    }
    return tail;
}

void Fields::keep(std::vector<Spot> goals) {
    std::sort(goals.begin(), goals.end());
    std::erase_if(fields_, [&](const auto& entry) {
        const bool kept = std::binary_search(goals.begin(), goals.end(), entry.first);
        if (!kept) bytes_ -= bytes_of(entry.second);
        return !kept;
    });
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

}  // namespace sidestep
