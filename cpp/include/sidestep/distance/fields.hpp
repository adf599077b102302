// Distance fields: how far all spots are from a goal, breadth-first from the goal outwards.
//
// One field per distinct goal. A field stops a little beyond the place from which it is asked for,
// and goes on from there when somebody asks further out; so on average little more than half of the
// space is visited.
//
// Who only wants to know which neighbour is nearer keeps *changes*: where every road leads both
// ways, the distances of two spots beside each other differ by one at most, so distances modulo 3
// are enough. Such a field takes two bits per spot, eight times less than a 16-bit distance, which
// is what counts where thousands of agents look into fields of their own. On 4-connected grids with
// blocks a level of it is found for 8x8 cells at once, by shifting words.
//
// With step costs, a distance is what the steps cost together. Then it is not breadth-first but in
// the order of costs, and distances are kept.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "sidestep/distance/distance.hpp"
#include "sidestep/distance/roads.hpp"
#include "sidestep/distance/step_costs.hpp"
#include "sidestep/model/budget.hpp"

namespace sidestep {

class Fields {
  public:
    // How many levels beyond the one that was asked for a field reaches.
    static constexpr Cost kSlack = 16;
    // The budget ran out before a change was known.
    static constexpr Cost kUnknown = std::numeric_limits<Cost>::min();

    // What a field keeps. Where roads are one-way, changes need distances.
    enum class Kept : std::uint8_t { distances, changes };
    // Step costs, if there are any, must outlive the fields.
    explicit Fields(const Roads& roads, Kept kept = Kept::distances,
                    const StepCosts* costs = nullptr)
        : roads_(roads),
          costs_(costs),
          packs_(kept == Kept::changes && !roads.is_directed() && !costs) {}
    Fields(const Fields&) = delete;
    Fields& operator=(const Fields&) = delete;

    // Some cells of a block, a bit each.
    struct Cells {
        std::int32_t block;
        std::uint64_t cells;
    };

    // A spot that can be reached, perhaps at less cost another way.
    struct Reached {
        Cost cost;
        Spot spot;
    };

    class Field {
      public:
        // The distance, if it is known already; else kNotReady. Only where distances are kept.
        Cost known(Spot s) const {
            if (narrow_) [[likely]]
                return narrow_[s] != kUnseen ? narrow_[s] : beyond();
            return wide_[s] != kUnseenWide ? static_cast<Cost>(wide_[s]) : beyond();
        }

        // The distance, or a bound on it where it is not known yet. It is consistent: no step
        // brings an agent closer by more than one. Not where steps have costs.
        Cost at_least(Spot s) const {
            const Cost distance = known(s);
            return distance != kNotReady ? distance : level_ + 1;
        }

        // It will be asked for soon.
        void prefetch(Spot s) const {
            if (packed_)
                __builtin_prefetch(packed_.get() + 2 * (s / kPerWord));
            else if (narrow_)
                __builtin_prefetch(narrow_.get() + s);
            else
                __builtin_prefetch(wide_.get() + s);
        }

        // Does nothing lead from there to the goal, as far as is known?
        bool is_cut_off(Spot s) const { return complete_ && !has_seen(s); }

      private:
        friend class Fields;
        static constexpr Spot kPerWord = Roads::kPerBlock;
        static constexpr std::uint8_t kUnseenCode = 3;
        static constexpr std::uint16_t kUnseen = std::numeric_limits<std::uint16_t>::max();
        static constexpr std::uint32_t kUnseenWide = std::numeric_limits<std::uint32_t>::max();

        int code(Spot s) const {
            const std::uint64_t* const words = packed_.get() + 2 * (s / kPerWord);
            const int bit = s % kPerWord;
            return static_cast<int>((words[0] >> bit & 1) | (words[1] >> bit & 1) << 1);
        }
        bool has_seen(Spot s) const {
            if (packed_) return code(s) != kUnseenCode;
            return narrow_ ? narrow_[s] != kUnseen : wide_[s] != kUnseenWide;
        }
        Cost beyond() const { return complete_ ? kUnreachable : kNotReady; }

        std::unique_ptr<std::uint64_t[]> packed_;  // distances modulo 3: two words per 64 spots
        std::unique_ptr<std::uint16_t[]> narrow_;  // distances
        std::unique_ptr<std::uint32_t[]> wide_;    // if one does not fit into 16 bits
        // The last level, if it is not complete: as spots, or as cells of blocks.
        std::vector<Spot> frontier_;
        std::vector<Cells> cells_;
        std::vector<Reached> reached_;             // the same, where steps have costs
        Cost level_ = 0;                           // the distance of the frontier
        Spot goal_ = kNowhere, asked_ = kNowhere;  // asked_: its distance is known
        Cost distance_of_asked_ = 0;
        bool complete_ = false;
    };

    // The field of a goal, which is made when first asked for: at least up to `origin`. Null: the
    // budget ran out.
    Field* to(Spot goal, Spot origin, Budget& budget);
    // What a step from a spot to one beside it costs.
    Cost step(Spot from, Spot to) const {
        return costs_ ? costs_->of(roads_.vertex(from), roads_.vertex(to)) : 1;
    }
    // The same of many goals at once, on as many threads; what is found does not depend on them.
    // `origins[k]` belongs to `goals[k]`; a goal that is nowhere has no field. False: the budget
    // ran out, and what was found is kept.
    bool make(std::span<const Spot> goals, std::span<const Spot> origins, int threads,
              Budget& budget);

    // By how much the distance grows from a spot to one beside it: below 0 it is nearer.
    // kUnreachable: no way leads on from there; kUnknown: the budget ran out. From where no way
    // leads on, every spot that has one is nearer.
    Cost change(Field& field, Spot from, Spot to, Budget& budget) {
        if (field.packed_) [[likely]] {
            const int here = field.code(from), there = field.code(to);
            if (here != Field::kUnseenCode && there != Field::kUnseenCode) [[likely]]
                return kChanges[there - here + 2];
        }
        return slow_change(field, from, to, budget);
    }

    // The distance of s, found if need be: kUnreachable, or kNotReady if the budget ran out. Where
    // only changes are kept, a way is walked to its end, unless it is that of the `origin`.
    Cost at(Field& field, Spot s, Budget& budget);

    // Something has changed at these spots: forgets the fields that have seen one of them.
    void changed(std::span<const Spot> around);
    // Forgets the fields of all goals but these.
    void keep(std::vector<Spot> goals);

    // What all fields take.
    std::int64_t bytes() const { return bytes_; }

  private:
    // What one search at a time needs.
    struct Flood {
        std::vector<Spot> queue;
        std::vector<std::uint8_t> codes;     // of all spots: distances modulo 3
        std::vector<std::uint64_t> reached;  // of all blocks: cells beside the last level
        std::vector<std::int32_t> blocks;    // those that have any
        std::vector<Cells> next;
        std::vector<std::vector<Spot>> buckets;  // by cost, in a ring
    };
    static constexpr Cost kRing = StepCosts::kDearest + 1;
    // By the difference of two distances modulo 3.
    static constexpr std::array<Cost, 5> kChanges{1, -1, 0, 1, -1};

    Field* add(Spot goal, Budget& budget);
    Cost slow_change(Field& field, Spot from, Spot to, Budget& budget);
    bool reach(Field& field, Spot wanted, Flood& flood, Budget& budget);
    bool reach_packed(Field& field, Spot wanted, Flood& flood, Budget& budget) const;
    template <class Word>
    bool grow(Field& field, Word* words, Spot wanted, Flood& flood, Budget& budget) const;
    template <class Word, int kWidth>
    std::size_t next_level(Word* words, Word level, Spot* queue, std::size_t begin,
                           std::size_t end) const;
    template <class Word>
    bool grow_by_cost(Field& field, Word* words, Spot wanted, Flood& flood, Budget& budget) const;
    void keep_buckets(Field& field, Flood& flood) const;
    bool grow_blocks(Field& field, Spot wanted, Flood& flood, Budget& budget) const;
    void spread(const Field& field, Flood& flood) const;
    void settle(Field& field, Flood& flood) const;
    Cost count_steps(const Field& field, Spot s) const;
    void pack(const Flood& flood, Field& field) const;
    void unpack(const Field& field, Flood& flood) const;
    std::int64_t words() const { return (roads_.size() + Field::kPerWord - 1) / Field::kPerWord; }
    std::int64_t bytes_of(const Field& field) const {
        return packs_ ? words() * 16 : std::int64_t{roads_.size()} * (field.wide_ ? 4 : 2);
    }
    void widen(Field& field);

    const Roads& roads_;
    const StepCosts* costs_;
    bool packs_;
    std::unordered_map<Spot, Field> fields_;
    Flood flood_;
    std::atomic<std::int64_t> bytes_ = 0;
};

}  // namespace sidestep
