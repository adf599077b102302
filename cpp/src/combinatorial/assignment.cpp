#include "sidestep/combinatorial/assignment.hpp"

#include <limits>

namespace sidestep {

namespace {

constexpr std::int32_t kNone = -1;

// Row by row along shortest augmenting paths: each new row takes its cheapest column, and the
// row that had it looks for another, as far as need be. Prices of rows and columns keep all reduced
// costs at 0 or more, so that Dijkstra's algorithm finds the path.
class Assignment {
  public:
    Assignment(std::span<const std::int64_t> costs, std::int32_t rows, std::int32_t columns)
        : costs_(costs),
          columns_(columns),
          row_price_(rows, 0),
          column_price_(columns, 0),
          taker_(columns, kNone),
          length_(columns),
          before_(columns),
          done_(columns) {}

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
    static constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max();

    std::int64_t reduced(std::int32_t row, std::int32_t column) const {
        return costs_[static_cast<std::size_t>(row) * columns_ + column] - row_price_[row] -
               column_price_[column];
    }

    std::int32_t nearest_free_column(std::int32_t row) {
        length_.assign(columns_, kFar);
        before_.assign(columns_, kNone);
        done_.assign(columns_, false);
        std::int32_t from = kNone, asking = row;
        std::int64_t so_far = 0;
        while (true) {
            std::int32_t nearest = kNone;
            for (std::int32_t column = 0; column < columns_; ++column) {
                if (done_[column]) continue;
                const std::int64_t length = so_far + reduced(asking, column);
                if (length < length_[column]) {
                    length_[column] = length;
                    before_[column] = from;
                }
                if (nearest == kNone || length_[column] < length_[nearest]) nearest = column;
            }
            done_[nearest] = true;
            so_far = length_[nearest];
            if (taker_[nearest] == kNone) {
                change_prices(row, so_far);
                return nearest;
            }
            from = nearest;
            asking = taker_[nearest];
        }
    }

    void change_prices(std::int32_t row, std::int64_t total) {
        row_price_[row] += total;
        for (std::int32_t column = 0; column < columns_; ++column) {
            if (!done_[column]) continue;
            const std::int64_t change = total - length_[column];
            column_price_[column] -= change;
            if (taker_[column] != kNone) row_price_[taker_[column]] += change;
        }
    }

    const std::span<const std::int64_t> costs_;
    const std::int32_t columns_;
    std::vector<std::int64_t> row_price_, column_price_;
    std::vector<std::int32_t> taker_;  // per column
    // Of the search for one row, per column:
    std::vector<std::int64_t> length_;
    std::vector<std::int32_t> before_;  // the column whose taker would move here
    std::vector<char> done_;
};

}  // namespace

std::vector<std::int32_t> assign(std::span<const std::int64_t> costs, std::int32_t rows,
                                 std::int32_t columns) {
    Assignment assignment(costs, rows, columns);
    for (std::int32_t row = 0; row < rows; ++row) assignment.add(row);
    return assignment.columns_of_rows();
}

}  // namespace sidestep
