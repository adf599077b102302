// The three lists of Explicit Estimation CBS (Li, Ruml and Koenig 2021; the search is that of
// Thayer and Ruml 2011): open nodes by lower bound (*cleanup*), by estimated cost (*open*), and,
// of those whose estimate is within a factor of the least, by how far they seem from a plan
// (*focal*).
//
// As the least estimate rises and falls, nodes enter and leave the focal list.
#pragma once

#include <compare>
#include <cstdint>
#include <set>

#include "sidestep/distance/distance.hpp"

namespace sidestep::eecbs {

// A factor of 1 or more, as a whole number of millionths, so that products are exact.
class Factor {
  public:
    static constexpr std::int64_t kOne = 1'000'000;
    explicit Factor(std::int64_t millionths) : millionths_(millionths) {}

    // The greatest whole number that is at most this many times `value`.
    std::int64_t times(std::int64_t value) const {
        return value / kOne * millionths_ + value % kOne * millionths_ / kOne;
    }

  private:
    std::int64_t millionths_;
};

// What the lists know of a node.
struct Listed {
    std::int32_t node;      // its number; the newer of two equals comes first
    Cost bound, cost;       // no plan below it costs less; what its own paths cost
    std::int64_t estimate;  // of what a plan below it costs, in 1024ths
    std::int32_t to_go;     // how many pairs collide
};

class Lists {
  public:
    explicit Lists(Factor factor) : factor_(factor) {}

    void add(const Listed& node);
    void remove(const Listed& node);
    bool empty() const { return cleanup_.empty(); }

    const Listed& best_bound() const { return *cleanup_.begin(); }
    const Listed& best_estimate() const { return *open_.begin(); }
    const Listed& most_promising() const { return *focal_.begin(); }
    std::size_t size() const { return cleanup_.size(); }
    std::size_t focal_size() const { return focal_.size(); }

  private:
    struct ByBound {
        bool operator()(const Listed& a, const Listed& b) const;
    };
    struct ByEstimate {
        bool operator()(const Listed& a, const Listed& b) const;
    };
    struct ByToGo {
        bool operator()(const Listed& a, const Listed& b) const;
    };
    void follow();

    const Factor factor_;
    std::set<Listed, ByBound> cleanup_;
    std::set<Listed, ByEstimate> open_;
    std::set<Listed, ByToGo> focal_;
    std::int64_t limit_ = -1;  // the greatest estimate in the focal list
};

}  // namespace sidestep::eecbs
