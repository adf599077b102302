#include "sidestep/solvers/bcp.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <tuple>

#include "sidestep/model/collision.hpp"
#include "sidestep/search/open_heap.hpp"

namespace sidestep {

namespace {

// exp(-x), made of nothing but sums and products, so that it is the same on every machine.
double falling(double x) {
    const double y = x / 1024;
    double power = 1 - y * (1 - y / 2 * (1 - y / 3 * (1 - y / 4)));
    for (int k = 0; k < 10; ++k) power *= power;
    return power;
}

}  // namespace

Bcp::Bcp(Space space, Rules rules, BiasOptions options, std::span<const Vertex> goals,
         std::span<const std::int32_t> priorities)
    : space_(std::move(space)),
      rules_(rules),
      options_(options),
      priorities_(priorities.begin(), priorities.end()),
      seen_(space_.size()) {
    for (const Vertex goal : goals) {
        units_.emplace_back();
        units_.back().goal = goal;
    }
}

void Bcp::turn(std::span<const Vertex> positions, Budget& budget, std::span<Vertex> moves) {
    if (planning_ || !is_as_planned(positions)) {
        begin_planning(positions);
        plan(positions, budget);
    }
    std::copy(positions.begin(), positions.end(), moves.begin());
    ++cursor_;
    for (std::size_t a = 0; a < units_.size(); ++a) {
        const Unit& unit = units_[a];
        const bool waits = unit.refused && unit.needy;  // until it has another path
        if (positions[a] != kNowhere && cursor_ < unit.path.size() && !waits)
            moves[a] = unit.path[cursor_];
    }
    for (const AgentId agent : guard_.check(space_, rules_, positions, priorities_, moves)) {
        need(units_[agent]);
        units_[agent].refused = true;
        stale_ = !planning_;
    }
}

// Is everybody where its path says, and does it go on? When a path that was cut off ends, all plan.
bool Bcp::is_as_planned(std::span<const Vertex> positions) {
    bool as_planned = !stale_ && !concerned_;
    for (std::size_t a = 0; a < units_.size(); ++a) {
        if (positions[a] == kNowhere) continue;
        const Unit& unit = units_[a];
        if (unit.path.empty() || place_now(unit) != positions[a]) {
            as_planned = false;
        } else if (cursor_ > 0 && cursor_ + 1 >= unit.path.size() && unit.path.size() > 1 &&
                   unit.goal != positions[a]) {
            stale_ = true;
            as_planned = false;
        }
    }
    return as_planned;
}

// Where its path says that it is.
Vertex Bcp::place_now(const Unit& unit) const {
    return unit.path[std::min(cursor_, unit.path.size() - 1)];
}

// Begins a planning, or goes on with the one under way. All plan after a failed move and when a
// path that was cut off has ended; otherwise those do whom something concerns, and the rest keep
// theirs.
void Bcp::begin_planning(std::span<const Vertex> positions) {
    if (!planning_) {
        ++plannings_;
        iteration_ = 0;
        spent_ = 0;
        for (Unit& unit : units_) unit.hills.clear();
    }
    planning_ = true;
    for (std::size_t a = 0; a < units_.size(); ++a) {
        follow(units_[a], positions[a]);
        if (stale_) units_[a].changed = true;
    }
    cursor_ = 0;
    stale_ = concerned_ = false;
    occupied_.assign(space_.size(), 0);
    for (const Vertex v : positions)
        if (v != kNowhere) occupied_[v] = 1;
}

// Its paths from where it is now. It may have stayed where it was, or be somewhere else altogether.
void Bcp::follow(Unit& unit, Vertex here) {
    const auto forget_until = [](Path& path, std::size_t now) {
        path.erase(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(now));
    };
    const std::size_t last = unit.path.empty() ? 0 : unit.path.size() - 1;
    const std::size_t now = std::min(cursor_, last);
    const std::size_t before = cursor_ > 0 ? std::min(cursor_ - 1, last) : now;
    if (!unit.path.empty() && unit.path[now] == here) {
        forget_until(unit.path, now);
        if (now > 0) unit.refused = false;
        // It has gone as far as its path leads, while others were planning.
        if (now > 0 && unit.path.size() == 1 && unit.goal != here) need(unit);
    } else if (!unit.path.empty() && unit.path[before] == here) {
        forget_until(unit.path, before);
    } else {
        unit.path.clear();
        unit.rest.clear();
        if (here != kNowhere) unit.path.push_back(here);
        unit.needy = unit.changed = true;
    }
    if (!unit.has_next) return;
    if (unit.next.size() > 1 && unit.next[1] == here) forget_until(unit.next, 1);
    if (!unit.next.empty() && unit.next.front() == here) return;
    unit.has_next = false;  // it has gone another way meanwhile, and keeps to that if it may
    unit.changed |= unit.needy;
}

// What it has will not do.
void Bcp::need(Unit& unit) {
    unit.has_next = false;
    unit.changed = unit.needy = concerned_ = true;
}

void Bcp::plan(std::span<const Vertex> positions, Budget& budget) {
    const double begin = budget.elapsed();
    while (iterate(positions, budget, begin)) {
    }
    if (!options_.first_only) use_fewest();
    spent_ += budget.elapsed() - begin;
    if (planning_) return;  // it goes on in the next turn
    for (Unit& unit : units_) unit.refused = false;
    slowest_ = std::max(slowest_, spent_);
}

// An iteration, or what is left of it. False: the planning is over, or the budget is.
bool Bcp::iterate(std::span<const Vertex> positions, Budget& budget, double begin) {
    if (!budget.fits(bytes())) return false;
    for (AgentId a = 0; a < size(); ++a)
        if (units_[a].changed && !search(a, positions[a], budget)) return false;
    for (Unit& unit : units_)
        if (std::exchange(unit.has_next, false)) {
            unit.path.swap(unit.next);
            unit.needy = false;
        }
    interrupted_ = -1;
    std::vector<Collision> found;
    if (!find_collisions(found, budget)) return false;
    ++iterations_;
    collisions_ = static_cast<std::int64_t>(found.size());
    if (!options_.first_only && (fewest_ < 0 || collisions_ < fewest_)) {
        fewest_ = collisions_;
        best_.clear();
        for (const Unit& unit : units_) best_.push_back(unit.path);
    }
    const double seconds = spent_ + budget.elapsed() - begin;
    // If no hill was added, units that collide may not or cannot give way.
    planning_ = !found.empty() && ++iteration_ < options_.iterations &&
                seconds < options_.seconds && heap_hills(found) > 0;
    return planning_ && budget.look();
}

// The whole set of paths with the fewest collisions is what they go by.
void Bcp::use_fewest() {
    if (fewest_ < 0) return;
    collisions_ = fewest_;
    fewest_ = -1;
    for (std::size_t a = 0; a < units_.size(); ++a) units_[a].path.swap(best_[a]);
}

std::int64_t Bcp::bytes() const {
    constexpr std::size_t per_hill = 4 * sizeof(void*) + sizeof(std::pair<Vertex, std::int64_t>);
    std::size_t sum = seen_.size() * sizeof(Seen) + heap_.capacity() * sizeof(Open);
    for (const Unit& unit : units_)
        sum += unit.path.capacity() * sizeof(Vertex) + unit.hills.size() * per_hill;
    return static_cast<std::int64_t>(sum);
}

// The path of one unit. False: the budget ran out. A unit without a way stands, or leaves a place
// that has closed.
bool Bcp::search(AgentId agent, Vertex from, Budget& budget) {
    Unit& unit = units_[agent];
    unit.next.clear();
    const bool goes =
        from != kNowhere && unit.goal != kNowhere && unit.goal != from && space_.is_open(unit.goal);
    if (goes && !(options_.inner ? ask(unit, from, budget) : find(agent, from, budget)))
        return false;
    unit.changed = false;
    unit.has_next = true;
    if (!unit.next.empty() || from == kNowhere) return true;
    unit.next.push_back(from);
    if (!space_.is_open(from) && !space_.successors(from).empty())
        unit.next.push_back(space_.successors(from).front());
    return true;
}

// Asks the search from elsewhere. It knows nothing of walls but what the bias says.
bool Bcp::ask(Unit& unit, Vertex from, Budget& budget) {
    if (!budget.spend()) return false;
    constexpr double never = std::numeric_limits<double>::infinity();
    std::vector<double> bias(space_.size());
    for (Vertex v = 0; v < space_.size(); ++v)
        bias[v] = space_.is_open(v) ? static_cast<double>(hill_at(unit, v)) / kUnit : never;
    if (unit.refused)
        for (const Vertex v : space_.successors(from))
            if (occupied_[v]) bias[v] = never;
    unit.next = options_.inner(from, unit.goal, bias);
    const auto is_no_step = [&](Vertex a, Vertex b) {
        const auto next = space_.successors(a);
        return std::find(next.begin(), next.end(), b) == next.end();
    };
    if (unit.next.empty()) return true;
    if (unit.next.front() != from || unit.next.back() != unit.goal)
        throw std::invalid_argument("the inner search must return a path from start to goal");
    const auto gap = std::adjacent_find(unit.next.begin(), unit.next.end(), is_no_step);
    if (gap != unit.next.end())
        throw std::invalid_argument("the inner search went from vertex " + std::to_string(*gap) +
                                    " to " + std::to_string(*(gap + 1)) + ", which is no step");
    shorten(unit);
    return true;
}

// The paper's k: of a path that was found, the first steps are kept, and the rest is planned when
// they are made. Where nothing is in its way, a unit then never takes a longer way than the rest:
// so it arrives, however little its search may care for the length of ways.
void Bcp::shorten(Unit& unit) const {
    if (options_.longest == 0) return;
    if (unit.hills.empty() && !unit.refused && unit.rest.size() > 1 &&
        unit.rest.front() == unit.next.front() && unit.rest.back() == unit.goal &&
        unit.rest.size() < unit.next.size())
        unit.next.swap(unit.rest);
    unit.rest.clear();
    const auto most = static_cast<std::ptrdiff_t>(options_.longest);
    if (std::ssize(unit.next) <= most + 1) return;
    unit.rest.assign(unit.next.begin() + most, unit.next.end());
    unit.next.resize(static_cast<std::size_t>(most) + 1);
}

// Our own search: A* or best-first by estimate and hills. The path stays empty if there is none.
// A search that the budget ends goes on in the next turn if its unit is still there.
bool Bcp::find(AgentId agent, Vertex from, Budget& budget) {
    Unit& unit = units_[agent];
    const Vertex goal = unit.goal;
    const auto later = [](const Open& a, const Open& b) {
        return a.rank != b.rank ? a.rank > b.rank : a.g != b.g ? a.g < b.g : a.vertex > b.vertex;
    };
    const auto push = [&](Vertex v, std::int64_t g, Vertex parent) {
        const std::int64_t hill = hill_at(unit, v);
        if (options_.in_cost && v != from) g += hill;
        if (seen_[v].stamp == stamp_ && g >= seen_[v].g) return;
        seen_[v] = {stamp_, false, g, parent};
        const std::int64_t behind = options_.greedy ? 0 : g;
        heap_.push_back({behind + estimate(v, goal) + (options_.in_cost ? 0 : hill), g, v});
        std::push_heap(heap_.begin(), heap_.end(), later);
    };
    if (interrupted_ != agent || interrupted_at_ != from) {
        ++stamp_;
        heap_.clear();
        push(from, 0, kNowhere);
    }
    interrupted_ = -1;
    while (!heap_.empty()) {
        if (!budget.spend()) {
            interrupted_ = agent;
            interrupted_at_ = from;
            return false;
        }
        const Vertex v = close_first(heap_, seen_, later);
        if (v == kNowhere) continue;
        if (v == goal) {
            for (Vertex u = v; u != kNowhere; u = seen_[u].parent) unit.next.push_back(u);
            std::reverse(unit.next.begin(), unit.next.end());
            shorten(unit);
            return true;
        }
        for (const Vertex u : space_.successors(v))
            if (!(unit.refused && v == from && occupied_[u]) &&
                (seen_[u].stamp != stamp_ || !seen_[u].closed))
                push(u, seen_[v].g + kUnit, v);
    }
    return true;
}

// As the crow flies, which may be too much where diagonals cost as little as other steps; the paper
// wants it so. Nothing is known on a graph.
std::int64_t Bcp::estimate(Vertex v, Vertex goal) const {
    if (options_.width == 0) return 0;
    const double rows = space_.row(v) - space_.row(goal), cols = space_.col(v) - space_.col(goal);
    return static_cast<std::int64_t>(std::sqrt(rows * rows + cols * cols) * kUnit);
}

std::int64_t Bcp::hill_at(const Unit& unit, Vertex v) const {
    if (unit.hills.empty()) return 0;
    const auto found = unit.hills.find(v);
    return found == unit.hills.end() ? 0 : found->second;
}

// A Gaussian over the distance to the place: in a straight line on a grid, in steps on a graph.
void Bcp::add_hill(Unit& unit, Vertex place, std::size_t sigma) {
    unit.changed = true;
    const double variance = static_cast<double>(sigma * sigma);
    const auto height = [&](double squared) {
        if (options_.trimmed && squared > 4 * variance) return std::int64_t{0};
        return static_cast<std::int64_t>(options_.height * kUnit *
                                         falling(squared / (2 * variance)));
    };
    if (options_.width > 0) {
        const std::int32_t width = options_.width, rows = space_.size() / width;
        std::int32_t reach = 0;
        while (reach < std::max(rows, width) && height(1.0 * (reach + 1) * (reach + 1)) > 0)
            ++reach;
        const std::int32_t row = space_.row(place), col = space_.col(place);
        for (std::int32_t r = std::max(0, row - reach); r <= std::min(rows - 1, row + reach); ++r)
            for (std::int32_t c = std::max(0, col - reach); c <= std::min(width - 1, col + reach);
                 ++c)
                unit.hills[r * width + c] +=
                    height(1.0 * (r - row) * (r - row) + 1.0 * (c - col) * (c - col));
        return;
    }
    ++stamp_;
    std::vector<Vertex> ring{place}, next;
    seen_[place].stamp = stamp_;
    for (double steps = 0; !ring.empty() && height(steps * steps) > 0; ++steps) {
        next.clear();
        for (const Vertex v : ring) {
            unit.hills[v] += height(steps * steps);
            for (const Vertex u : space_.successors(v))
                if (seen_[u].stamp != stamp_) {
                    seen_[u].stamp = stamp_;
                    next.push_back(u);
                }
        }
        std::swap(ring, next);
    }
}

// Returns how many hills were added.
std::int64_t Bcp::heap_hills(std::vector<Collision>& collisions) {
    std::int64_t hills = 0;
    std::vector<std::uint8_t> collided(units_.size(), 0);
    for (Collision& collision : collisions) {
        if (options_.discard_rest) {
            std::erase_if(collision.units, [&](AgentId agent) { return collided[agent]; });
            if (collision.units.size() < 2) continue;
        }
        const AgentId first = winner(collision);
        for (const AgentId agent : collision.units) {
            Unit& unit = units_[agent];
            if (agent == first || (options_.first_only && collided[agent])) continue;
            if (unit.path.size() < 2) continue;  // it stands and cannot plan otherwise
            const Vertex place =
                collision.place != kNowhere ? collision.place : place_at(unit, collision.time + 1);
            add_hill(unit, place, collision.units.size());
            ++hills;
        }
        for (const AgentId agent : collision.units) collided[agent] = 1;
    }
    return hills;
}

// Those plan again whose path a closed vertex breaks, or to whom an opened one may be of use. Until
// they have a path, they go as far as the old one leads.
void Bcp::set_open(Vertex v, bool open) {
    space_.set_open(v, open);
    interrupted_ = -1;
    for (Unit& unit : units_) {
        if (!is_open_way(unit.rest)) unit.rest.clear();
        if (unit.has_next && !is_open_way(unit.next)) need(unit);
        if (unit.path.empty()) continue;
        if (open) {
            if (may_gain(unit, v)) unit.changed = concerned_ = true;
            continue;
        }
        for (std::size_t k = cursor_; k + 1 < unit.path.size(); ++k)
            if (!space_.connects(unit.path[k], unit.path[k + 1])) {
                unit.path.resize(k + 1);
                need(unit);
            }
        if (place_now(unit) == v) need(unit);
    }
}

bool Bcp::is_open_way(const Path& path) const {
    return std::adjacent_find(path.begin(), path.end(), [&](Vertex a, Vertex b) {
               return !space_.connects(a, b);
           }) == path.end();
}

// Could a way by that vertex be shorter than its path? Diagonal or not, no step gets further than
// one row and one column.
bool Bcp::may_gain(const Unit& unit, Vertex opened) const {
    const Vertex here = place_now(unit);
    if (unit.goal == kNowhere || unit.goal == here) return false;
    if (unit.path.back() != unit.goal || options_.width == 0) return true;
    const auto apart = [&](Vertex a, Vertex b) {
        return std::max(std::abs(space_.row(a) - space_.row(b)),
                        std::abs(space_.col(a) - space_.col(b)));
    };
    const auto left = static_cast<std::int32_t>(unit.path.size() - 1 - cursor_);
    return apart(here, opened) + apart(opened, unit.goal) < left;
}

void Bcp::set_goal(AgentId agent, Vertex goal) {
    Unit& unit = units_[agent];
    unit.goal = goal;
    unit.hills.clear();
    unit.rest.clear();
    if (interrupted_ == agent) interrupted_ = -1;
    if (cursor_ < unit.path.size()) unit.path.resize(cursor_ + 1);
    need(unit);
}

void Bcp::set_priority(AgentId agent, std::int32_t priority) {
    priorities_[agent] = priority;
    stale_ = true;
}

AgentId Bcp::add_agent() {
    units_.emplace_back();
    priorities_.push_back(0);
    concerned_ = true;
    return static_cast<AgentId>(units_.size()) - 1;
}

void Bcp::forget_all_but(std::span<const AgentId> kept) {
    std::vector<Unit> units;
    std::vector<std::int32_t> priorities;
    std::vector<Path> best;
    AgentId interrupted = kNobody;
    for (const AgentId agent : kept) {
        if (agent == interrupted_) interrupted = static_cast<AgentId>(units.size());
        units.push_back(std::move(units_[agent]));
        priorities.push_back(priorities_[agent]);
        if (!best_.empty()) best.push_back(std::move(best_[agent]));
    }
    units_ = std::move(units);
    priorities_ = std::move(priorities);
    best_ = std::move(best);
    interrupted_ = interrupted;
}

}  // namespace sidestep
