// Distance fields: the exact distances of all spots to a goal, breadth-first from the goal
// outwards.
//
// One field per distinct goal. A field stops a little beyond the place from which it is asked for,
// and goes on from there when somebody asks further out; so on average little more than half of the
// space is visited. All searches share one queue, and distances are 16 bits wide unless one does
// not fit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <unordered_map>
#include <vector>

#include "sidestep/distance/distance.hpp"
#include "sidestep/distance/roads.hpp"
#include "sidestep/model/budget.hpp"

namespace sidestep {

class Fields {
  public:
    // How many levels beyond the one that was asked for a field reaches.
    static constexpr Cost kSlack = 16;

    explicit Fields(const Roads& roads) : roads_(roads) {}
    Fields(const Fields&) = delete;
    Fields& operator=(const Fields&) = delete;

    class Field {
      public:
        // The distance, if it is known already; else kNotReady.
        Cost known(Spot s) const {
            if (narrow_) [[likely]]
                return narrow_[s] != kUnseen ? narrow_[s] : beyond();
            return wide_[s] != kUnseenWide ? static_cast<Cost>(wide_[s]) : beyond();
        }

        // The distance, or a bound on it where it is not known yet. It is consistent: no step
        // brings an agent closer by more than one.
        Cost at_least(Spot s) const {
            const Cost distance = known(s);
            return distance != kNotReady ? distance : level_ + 1;
        }

        // It will be asked for soon.
        void prefetch(Spot s) const {
            if (narrow_)
                __builtin_prefetch(narrow_.get() + s);
            else
                __builtin_prefetch(wide_.get() + s);
        }

      private:
        friend class Fields;
        static constexpr std::uint16_t kUnseen = std::numeric_limits<std::uint16_t>::max();
        static constexpr std::uint32_t kUnseenWide = std::numeric_limits<std::uint32_t>::max();

        Cost beyond() const { return complete_ ? kUnreachable : kNotReady; }

        std::unique_ptr<std::uint16_t[]> narrow_;
        std::unique_ptr<std::uint32_t[]> wide_;
        std::vector<Spot> frontier_;  // the last level, if it is not complete
        Cost level_ = 0;              // the distance of the frontier
        bool complete_ = false;
    };

    // The field of a goal, which is made when first asked for: at least up to `origin`. Null: the
    // budget ran out.
    Field* to(Spot goal, Spot origin, Budget& budget);

    // The distance of s, found if need be: kUnreachable, or kNotReady if the budget ran out.
    Cost at(Field& field, Spot s, Budget& budget) {
        const Cost known = field.known(s);
        return known != kNotReady ? known : resume(field, s, budget);
    }

    // Something has changed at a spot: forgets the fields that have seen it, or one beside it.
    template <class Around>
    void changed(const Around& around) {
        std::erase_if(fields_, [&](const auto& entry) {
            const Field& field = entry.second;
            const bool seen = std::any_of(around.begin(), around.end(), [&](Spot s) {
                return field.narrow_ ? field.narrow_[s] != Field::kUnseen
                                     : field.wide_[s] != Field::kUnseenWide;
            });
            if (seen) bytes_ -= bytes_of(field);
            return seen;
        });
    }
    // Forgets the fields of all goals but these.
    void keep(std::vector<Spot> goals);

    // What all fields take.
    std::int64_t bytes() const { return bytes_; }

  private:
    Cost resume(Field& field, Spot s, Budget& budget);
    template <class Word>
    bool grow(Field& field, Word* distances, Spot wanted, Budget& budget);
    template <class Word, int kWidth>
    std::size_t next_level(Word* distances, Word distance, std::size_t begin, std::size_t end);
    void widen(Field& field);
    std::int64_t bytes_of(const Field& field) const {
        return std::int64_t{roads_.size()} * (field.narrow_ ? 2 : 4);
    }

    const Roads& roads_;
    std::unordered_map<Spot, Field> fields_;
    std::vector<Spot> queue_;
    std::int64_t bytes_ = 0;
};

}  // namespace sidestep
