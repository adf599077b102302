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
    if (stale_ || !is_as_planned(positions)) plan(positions, budget);
    std::copy(positions.begin(), positions.end(), moves.begin());
    if (stale_) return;  // the budget ran out: everybody waits
    ++cursor_;
    for (std::size_t a = 0; a < units_.size(); ++a)
        if (positions[a] != kNowhere && cursor_ < units_[a].path.size())
            moves[a] = units_[a].path[cursor_];
    for (const AgentId agent : guard_.check(space_, rules_, positions, priorities_, moves))
        stale_ = units_[agent].refused = true;
}

// Is everybody where its path says, and does it go on?
bool Bcp::is_as_planned(std::span<const Vertex> positions) const {
    for (std::size_t a = 0; a < units_.size(); ++a) {
        if (positions[a] == kNowhere) continue;
        const Path& path = units_[a].path;
        if (path.empty()) return false;
        const std::size_t now = std::min(cursor_, path.size() - 1);
        if (path[now] != positions[a]) return false;
        const bool ended = now + 1 == path.size();
        // A path that was cut off goes on from its end; one that never began does not.
        if (ended && now > 0 && units_[a].goal != path[now]) return false;
    }
    return true;
}

void Bcp::plan(std::span<const Vertex> positions, Budget& budget) {
    const double begin = budget.elapsed();
    stale_ = true;
    cursor_ = 0;
    ++plannings_;
    for (Unit& unit : units_) {
        unit.hills.clear();
        unit.changed = true;
    }
    occupied_.assign(space_.size(), 0);
    for (const Vertex v : positions)
        if (v != kNowhere) occupied_[v] = 1;
    std::vector<Path> best;
    std::int64_t fewest = -1;
    for (std::int32_t k = 1;; ++k) {
        if (!budget.fits(bytes())) return;
        for (std::size_t a = 0; a < units_.size(); ++a)
            if (units_[a].changed && !search(units_[a], positions[a], budget)) return;
        ++iterations_;
        std::vector<Collision> found = find_collisions();
        const auto count = static_cast<std::int64_t>(found.size());
        if (!options_.first_only && (fewest < 0 || count < fewest)) {
            fewest = count;
            best.clear();
            for (const Unit& unit : units_) best.push_back(unit.path);
        }
        collisions_ = count;
        if (found.empty() || k == options_.iterations || !budget.look()) break;
        if (budget.elapsed() - begin >= options_.seconds) break;
        if (heap_hills(found) == 0) break;  // units that collide may not or cannot give way
    }
    if (!options_.first_only) {
        collisions_ = fewest;
        for (std::size_t a = 0; a < units_.size(); ++a) units_[a].path = best[a];
    }
    for (Unit& unit : units_) unit.refused = false;
    slowest_ = std::max(slowest_, budget.elapsed() - begin);
    stale_ = false;
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
bool Bcp::search(Unit& unit, Vertex from, Budget& budget) {
    unit.changed = false;
    unit.path.clear();
    if (from == kNowhere) return true;
    const bool goes = unit.goal != kNowhere && unit.goal != from && space_.is_open(unit.goal);
    if (goes && !(options_.inner ? ask(unit, from, budget) : find(unit, from, budget)))
        return false;
    if (!unit.path.empty()) return true;
    unit.path.push_back(from);
    if (!space_.is_open(from) && !space_.successors(from).empty())
        unit.path.push_back(space_.successors(from).front());
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
    unit.path = options_.inner(from, unit.goal, bias);
    const auto is_no_step = [&](Vertex a, Vertex b) {
        const auto next = space_.successors(a);
        return std::find(next.begin(), next.end(), b) == next.end();
    };
    if (unit.path.empty()) return true;
    if (unit.path.front() != from || unit.path.back() != unit.goal)
        throw std::invalid_argument("the inner search must return a path from start to goal");
    const auto gap = std::adjacent_find(unit.path.begin(), unit.path.end(), is_no_step);
    if (gap != unit.path.end())
        throw std::invalid_argument("the inner search went from vertex " + std::to_string(*gap) +
                                    " to " + std::to_string(*(gap + 1)) + ", which is no step");
    cut_off(unit.path);
    return true;
}

// The paper's k: of a path that was found, the first steps are kept, and the rest is planned when
// they are made.
void Bcp::cut_off(Path& path) const {
    const auto most = static_cast<std::size_t>(options_.longest) + 1;
    if (options_.longest > 0 && path.size() > most) path.resize(most);
}

// Our own search: A* or best-first by estimate and hills. The path stays empty if there is none.
bool Bcp::find(Unit& unit, Vertex from, Budget& budget) {
    const Vertex goal = unit.goal;
    ++stamp_;
    heap_.clear();
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
    push(from, 0, kNowhere);
    while (!heap_.empty()) {
        if (!budget.spend()) return false;
        const Vertex v = close_first(heap_, seen_, later);
        if (v == kNowhere) continue;
        if (v == goal) {
            for (Vertex u = v; u != kNowhere; u = seen_[u].parent) unit.path.push_back(u);
            std::reverse(unit.path.begin(), unit.path.end());
            cut_off(unit.path);
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

// Who has arrived stays; nobody knows where a path that was cut off goes on.
Vertex Bcp::place_at(const Unit& unit, Time t) const {
    const Path& path = unit.path;
    if (path.empty()) return kNowhere;
    if (t < static_cast<Time>(path.size())) return path[t];
    const bool stays = path.size() == 1 || path.back() == unit.goal;
    const bool gone = rules_.disappear && path.back() == unit.goal;
    return stays && !gone ? path.back() : kNowhere;
}

// Who is where when, where following is forbidden also in the step after, and all steps from one
// place to another; both sorted.
void Bcp::list_steps(std::vector<Presence>& presences, std::vector<Step>& steps) const {
    Time end = 0;
    for (const Unit& unit : units_) end = std::max(end, static_cast<Time>(unit.path.size()));
    for (AgentId a = 0; a < static_cast<AgentId>(units_.size()); ++a)
        for (Time t = 0; t < end; ++t) {
            const Vertex here = place_at(units_[a], t), next = place_at(units_[a], t + 1);
            if (here == kNowhere) break;
            presences.emplace_back(t, here, a);
            if (next == kNowhere || next == here) continue;
            steps.emplace_back(t, here, next, a);
            if (!rules_.following) presences.emplace_back(t + 1, here, a);
        }
    std::sort(presences.begin(), presences.end());
    std::sort(steps.begin(), steps.end());
}

// Swaps and crossings meet in no vertex.
void Bcp::find_on_the_way(const std::vector<Step>& steps, std::vector<Collision>& found) const {
    for (const auto& [time, from, to, agent] : steps) {
        const auto meet = [&, time = time, agent = agent](Move move) {
            const Step wanted{time, move.from, move.to, -1};
            for (auto k = std::upper_bound(steps.begin(), steps.end(), wanted);
                 k != steps.end() && std::get<0>(*k) == time && std::get<1>(*k) == move.from &&
                 std::get<2>(*k) == move.to;
                 ++k)
                if (agent < std::get<3>(*k))
                    found.push_back({time, kNowhere, {agent, std::get<3>(*k)}});
            return false;
        };
        if (rules_.following) meet({to, from});  // otherwise they have met already
        if (checks_crossings(space_, rules_)) space_.any_crossing({from, to}, meet);
    }
}

std::vector<Bcp::Collision> Bcp::find_collisions() const {
    std::vector<Presence> presences;
    std::vector<Step> steps;
    list_steps(presences, steps);
    std::vector<Collision> found;
    for (std::size_t k = 0; k < presences.size();) {
        const auto [time, place, first] = presences[k];
        Collision collision{time, place, {}};
        for (; k < presences.size() && std::get<0>(presences[k]) == time &&
               std::get<1>(presences[k]) == place;
             ++k)
            collision.units.push_back(std::get<2>(presences[k]));
        if (collision.units.size() > 1) found.push_back(std::move(collision));
    }
    find_on_the_way(steps, found);
    std::stable_sort(found.begin(), found.end(), [](const Collision& a, const Collision& b) {
        return std::tie(a.time, a.place) < std::tie(b.time, b.place);
    });
    return found;
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

// The highest priority; then the one that has arrived, since it will stay; then the lower index.
AgentId Bcp::winner(const Collision& collision) const {
    const auto rank = [&](AgentId a) {
        const bool arrived = collision.time + 1 >= static_cast<Time>(units_[a].path.size());
        return std::make_tuple(-std::int64_t{priorities_[a]}, !arrived, a);
    };
    return *std::min_element(collision.units.begin(), collision.units.end(),
                             [&](AgentId a, AgentId b) { return rank(a) < rank(b); });
}

void Bcp::set_open(Vertex v, bool open) {
    space_.set_open(v, open);
    stale_ = true;
}

void Bcp::set_goal(AgentId agent, Vertex goal) {
    units_[agent].goal = goal;
    stale_ = true;
}

void Bcp::set_priority(AgentId agent, std::int32_t priority) {
    priorities_[agent] = priority;
    stale_ = true;
}

AgentId Bcp::add_agent() {
    units_.emplace_back();
    priorities_.push_back(0);
    stale_ = true;
    return static_cast<AgentId>(units_.size()) - 1;
}

}  // namespace sidestep
