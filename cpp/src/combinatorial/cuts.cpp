#include "sidestep/combinatorial/cuts.hpp"

#include <algorithm>

namespace sidestep {

namespace {
constexpr std::int32_t kUnseen = -1;
}  // namespace

bool Cuts::find(Budget& budget) {
    const auto size = static_cast<std::size_t>(roads_.size());
    entered_.assign(size, kUnseen);
    left_.assign(size, kUnseen);
    lowest_.assign(size, kUnseen);
    parent_.assign(size, kNowhere);
    order_.clear();
    for (Spot root = 0; root < roads_.size() && !is_directed_; ++root)
        if (entered_[root] == kUnseen && !visit(root, budget)) return false;
    gather();
    return true;
}

// All that can be reached from a root. `lowest_` is the first visited spot beside anything below.
bool Cuts::visit(Spot root, Budget& budget) {
    stack_.assign(1, {root, 0});
    while (!stack_.empty()) {
        if (!budget.tick()) return false;
        auto& [s, next] = stack_.back();
        if (next == 0) {
            entered_[s] = lowest_[s] = static_cast<std::int32_t>(order_.size());
            order_.push_back(s);
        }
        const auto beside = roads_.next(s);
        while (next < static_cast<std::int32_t>(beside.size()) &&
               entered_[beside[static_cast<std::size_t>(next)]] != kUnseen)
            lowest_[s] = std::min(lowest_[s], entered_[beside[static_cast<std::size_t>(next++)]]);
        if (next < static_cast<std::int32_t>(beside.size())) {
            const Spot below = beside[static_cast<std::size_t>(next++)];
            parent_[below] = s;
            stack_.push_back({below, 0});
            continue;
        }
        left_[s] = static_cast<std::int32_t>(order_.size());
        const Spot above = parent_[s];
        if (above != kNowhere) lowest_[above] = std::min(lowest_[above], lowest_[s]);
        stack_.pop_back();
    }
    return true;
}

// What hangs below a spot and leads past it nowhere is a part. A root with one part cuts nothing.
void Cuts::gather() {
    std::vector<std::int32_t> count(entered_.size(), 0);
    const auto is_part = [this](Spot s) {
        return parent_[s] != kNowhere && lowest_[s] >= entered_[parent_[s]];
    };
    for (const Spot s : order_) count[parent_[s] == kNowhere ? s : parent_[s]] += is_part(s);
    for (const Spot s : order_)
        if (parent_[s] == kNowhere && count[s] == 1) count[s] = 0;
    parts_begin_.assign(entered_.size() + 1, 0);
    for (std::size_t s = 0; s < count.size(); ++s) parts_begin_[s + 1] = parts_begin_[s] + count[s];
    parts_.resize(static_cast<std::size_t>(parts_begin_.back()));
    std::vector<std::int32_t> filled(parts_begin_.begin(), parts_begin_.end() - 1);
    for (const Spot s : order_)
        if (is_part(s) && count[parent_[s]] > 0)
            parts_[filled[parent_[s]]++] = {entered_[s], left_[s]};
}

std::int32_t Cuts::part(Spot s, Spot other) const {
    const auto begin = parts_.begin() + parts_begin_[s], end = parts_.begin() + parts_begin_[s + 1];
    const std::int32_t time = entered_[other];
    const auto after = std::upper_bound(begin, end, time,
                                        [](std::int32_t t, const Part& p) { return t < p.begin; });
    if (after == begin || (after - 1)->end <= time) return -1;  // what is not below it
    return static_cast<std::int32_t>(after - 1 - begin);
}

}  // namespace sidestep
