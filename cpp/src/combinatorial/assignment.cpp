#include "sidestep/combinatorial/assignment.hpp"

#include <algorithm>
#include <limits>

namespace sidestep {

namespace {

constexpr std::int32_t kNone = -1;

// Row by row along shortest augmenting paths: each new row takes its cheapest column, and the
// row that had it looks for another, as far as need be. Prices of rows and columns keep all reduced
// costs at 0 or more, so that Dijkstra's algorithm finds the path.
//
// Nearly all the time goes into the loop of `relax`, which has no branches, so that compilers make
// it do several columns at once: as many as `Price` is narrow.
template <class Price>
class Assignment {
  public:
    // All costs, less `least`, must be at most `highest(rows)`.
    Assignment(std::span<const std::int64_t> costs, std::int64_t least, std::int32_t rows,
               std::int32_t columns)
        : costs_(costs.size()),
          columns_(columns),
          row_price_(rows, 0),
          column_price_(columns, 0),
          taker_(columns, kNone),
          length_(columns),
          before_(columns),
          done_(columns, 0) {
        std::ranges::transform(costs, costs_.begin(), [least](std::int64_t cost) {
            return static_cast<Price>(cost - least);
        });
    }

    // Prices and lengths add up at most a cost per row, and four such sums stay below `kFar`.
    static std::int64_t highest(std::int32_t rows) { return kFar / 4 / (rows + 1); }

    void add(std::int32_t row) {
        std::int32_t column = nearest_free_column(row);
        while (column != kNone) {  // everybody on the path moves on by one
            const std::int32_t from = before_[column];
            taker_[column] = from == kNone ? row : taker_[from];
            column = from;
        }
    }

    std::vector<std::int32_t> columns_of_rows() const {
        std::vector<std::int32_t> found(row_price_.size(), kNone);
        for (std::int32_t column = 0; column < columns_; ++column)
            if (taker_[column] != kNone) found[taker_[column]] = column;
        return found;
    }

  private:
    static constexpr Price kFar = std::numeric_limits<Price>::max() / 2;

    const Price* costs_of(std::int32_t row) const {
        return costs_.data() + static_cast<std::size_t>(row) * columns_;
    }

    std::int32_t nearest_free_column(std::int32_t row) {
        std::ranges::fill(length_, kFar);
        std::ranges::fill(before_, kNone);
        reached_.clear();
        std::int32_t from = kNone, asking = row;
        Price so_far = 0;
        while (true) {
            so_far = relax(costs_of(asking), so_far - row_price_[asking], from);
            const std::int32_t nearest = first_at(so_far);
            reached_.push_back({nearest, so_far});
            if (taker_[nearest] == kNone) {
                change_prices(row, so_far);
                return nearest;
            }
            done_[nearest] = kFar;
            from = nearest;
            asking = taker_[nearest];
        }
    }

    // Updates all lengths, and returns the least of a column that is not done. One that is done
    // has a length that no other way undercuts.
    Price relax(const Price* costs, Price so_far, std::int32_t from) {
        Price* const lengths = length_.data();
        std::int32_t* const before = before_.data();
        const Price *const prices = column_price_.data(), *const done = done_.data();
        Price least = std::numeric_limits<Price>::max();
        for (std::int32_t column = 0; column < columns_; ++column) {
            const Price old = lengths[column];
            const std::int32_t old_before = before[column];
            const Price length = so_far + costs[column] - prices[column];
            const Price less = length < old ? length : old;
            before[column] = length < old ? from : old_before;
            lengths[column] = less;
            const Price open = less + done[column];
            least = open < least ? open : least;
        }
        return least;
    }

    std::int32_t first_at(Price length) const {
        std::int32_t column = 0;
        while (length_[column] != length || done_[column] != 0) ++column;
        return column;
    }

    void change_prices(std::int32_t row, Price total) {
        row_price_[row] += total;
        for (const auto& [column, length] : reached_) {
            const Price change = total - length;
            column_price_[column] -= change;
            if (taker_[column] != kNone) row_price_[taker_[column]] += change;
            done_[column] = 0;
        }
    }

    struct Reached {
        std::int32_t column;
        Price length;
    };

    std::vector<Price> costs_;
    const std::int32_t columns_;
    std::vector<Price> row_price_, column_price_;
    std::vector<std::int32_t> taker_;  // per column
    // Of the search for one row, per column:
    std::vector<Price> length_;
    std::vector<std::int32_t> before_;  // the column whose taker would move here
    std::vector<Price> done_;           // kFar if so, else 0
    std::vector<Reached> reached_;      // those that are done, and the one that is taken
};

template <class Price>
std::vector<std::int32_t> assigned(std::span<const std::int64_t> costs, std::int64_t least,
                                   std::int32_t rows, std::int32_t columns) {
    Assignment<Price> assignment(costs, least, rows, columns);
    for (std::int32_t row = 0; row < rows; ++row) assignment.add(row);
    return assignment.columns_of_rows();
}

}  // namespace

std::vector<std::int32_t> assign(std::span<const std::int64_t> costs, std::int32_t rows,
                                 std::int32_t columns) {
    if (costs.empty()) return {};
    const auto [least, most] = std::ranges::minmax(costs);
    const bool is_narrow = most - least <= Assignment<std::int32_t>::highest(rows);
    return (is_narrow ? assigned<std::int32_t> : assigned<std::int64_t>)(costs, least, rows,
                                                                         columns);
}

}  // namespace sidestep
