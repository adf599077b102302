#include "sidestep/search/four_way.hpp"

#include <cstdlib>
#include <utility>

namespace sidestep::search {

namespace {

// By direction: upwards, downwards, to the left, to the right.
unsigned directions_to_goal(Offset at) {
    return unsigned{at.row > 0} | unsigned{at.row < 0} << 1 | unsigned{at.col > 0} << 2 |
           unsigned{at.col < 0} << 3;
}

}  // namespace

void FourWay::begin(Vertex start, Vertex goal) {
    ground_.forget();
    now_.clear();
    later_.clear();
    start_ = start;
    goal_ = goal;
    geometry_.aim(goal);
    ground_.lower(start, 0);
    now_.make_room();
    now_.push({Grid::arrival(start, -1), 0});
}

Ending FourWay::run(Budget& budget) {
    // Members would be read again after every length that is written, since it may be one of them:
    // the loop has them in variables of its own.
    const ShortGround::Now ground = ground_.now();
    const Geometry geometry = geometry_;
    const Grid::Steps steps = map_->steps();
    Pile now = std::move(now_), later = std::move(later_);
    const Vertex goal = goal_;
    bool found = start_ == goal;
    std::int64_t granted = 0;  // nodes that may be expanded before the budget is asked again
    Ending ending = Ending::no_path;
    while (!found) {
        if (now.empty()) {
            std::swap(now, later);
            if (now.empty()) break;
        }
        const Open next = now.pop();
        const Vertex v = Grid::vertex_of(next.arrival);
        if (!ground.is_at(v, next.g)) continue;
        if (granted == 0 && (granted = budget.advance(kNodesAtOnce)) == 0) {
            now.push(next);
            ending = Ending::out_of_budget;
            break;
        }
        --granted;
        const unsigned towards = directions_to_goal(geometry.around(v).from_goal());
        now.make_room();
        later.make_room();
        steps.onwards(next.arrival, [&](Vertex u, int direction) {
            if (!ground.lower(u, next.g + 1)) return;
            found |= u == goal;
            const Open open{Grid::arrival(u, direction), next.g + 1};
            if (towards >> direction & 1)
                now.push(open);
            else
                later.push(open);
        });
    }
    now_ = std::move(now);
    later_ = std::move(later);
    budget.give_back(granted);
    return found ? Ending::found : ending;
}

Vertex FourWay::most_promising() const {
    Vertex best = start_;
    Length least = kFar;
    const Pile& open = now_.empty() ? later_ : now_;  // all of one f
    for (const Open& entry : open) {
        const Vertex v = Grid::vertex_of(entry.arrival);
        const Length h = geometry_.at(v);
        if (!entry.is_still(ground_.at(v)) || h > least || (h == least && v > best)) continue;
        least = h;
        best = v;
    }
    return best;
}

}  // namespace sidestep::search
