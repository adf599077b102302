#include "sidestep/solvers/eecbs/lists.hpp"

#include <limits>
#include <tuple>

namespace sidestep::eecbs {

bool Lists::ByBound::operator()(const Listed& a, const Listed& b) const {
    return std::tuple(a.bound, a.to_go, -a.node) < std::tuple(b.bound, b.to_go, -b.node);
}

bool Lists::ByEstimate::operator()(const Listed& a, const Listed& b) const {
    return std::tuple(a.estimate, a.to_go, -a.node) < std::tuple(b.estimate, b.to_go, -b.node);
}

bool Lists::ByToGo::operator()(const Listed& a, const Listed& b) const {
    return std::tuple(a.to_go, a.estimate, -a.node) < std::tuple(b.to_go, b.estimate, -b.node);
}

void Lists::add(const Listed& node) {
    cleanup_.insert(node);
    open_.insert(node);
    if (node.estimate <= limit_) focal_.insert(node);
    follow();
}

void Lists::remove(const Listed& node) {
    cleanup_.erase(node);
    open_.erase(node);
    focal_.erase(node);
    follow();
}

// The focal list follows the least estimate: those between the old limit and the new one come in or
// go out.
void Lists::follow() {
    const std::int64_t limit = open_.empty() ? -1 : factor_.times(open_.begin()->estimate);
    if (limit == limit_) return;
    const auto above = [this](std::int64_t estimate) {
        const Listed least{std::numeric_limits<std::int32_t>::max(), 0, 0, estimate + 1,
                           std::numeric_limits<std::int32_t>::min()};
        return open_.lower_bound(least);
    };
    const bool rises = limit > limit_;
    const auto end = above(rises ? limit : limit_);
    for (auto it = above(rises ? limit_ : limit); it != end; ++it)
        rises ? void(focal_.insert(*it)) : void(focal_.erase(*it));
    limit_ = limit;
}

}  // namespace sidestep::eecbs
