// Where the paths of units collide, and who may go on.
#include <algorithm>
#include <tuple>

#include "sidestep/model/collision.hpp"
#include "sidestep/solvers/bcp.hpp"

namespace sidestep {

// Who has arrived stays; nobody knows where a path that was cut off goes on.
Vertex Bcp::place_at(const Unit& unit, Time t) const {
    const Path& path = unit.path;
    if (path.empty()) return kNowhere;
    if (t < static_cast<Time>(path.size())) return path[t];
    const bool stays = path.size() == 1 || path.back() == unit.goal;
    const bool gone = rules_.disappear && path.back() == unit.goal;
    return stays && !gone ? path.back() : kNowhere;
}

// Who is where at a time, where following is forbidden also who was there just before, and all
// steps from one place to another after it; both sorted.
void Bcp::list_steps(Time t, std::vector<Presence>& presences, std::vector<Step>& steps) const {
    presences.clear();
    steps.clear();
    for (AgentId a = 0; a < static_cast<AgentId>(units_.size()); ++a) {
        const Vertex here = place_at(units_[a], t);
        if (here == kNowhere) continue;
        presences.emplace_back(here, a);
        const Vertex next = place_at(units_[a], t + 1);
        if (next != kNowhere && next != here) steps.emplace_back(here, next, a);
        if (rules_.following || t == 0) continue;
        const Vertex before = place_at(units_[a], t - 1);
        if (before != here) presences.emplace_back(before, a);
    }
    std::sort(presences.begin(), presences.end());
    std::sort(steps.begin(), steps.end());
}

// Swaps and crossings meet in no vertex.
void Bcp::find_on_the_way(Time t, const std::vector<Step>& steps,
                          std::vector<Collision>& found) const {
    for (const auto& [from, to, agent] : steps) {
        const auto meet = [&, agent = agent](Move move) {
            const Step wanted{move.from, move.to, -1};
            for (auto k = std::upper_bound(steps.begin(), steps.end(), wanted);
                 k != steps.end() && std::get<0>(*k) == move.from && std::get<1>(*k) == move.to;
                 ++k)
                if (agent < std::get<2>(*k))
                    found.push_back({t, kNowhere, {agent, std::get<2>(*k)}});
            return false;
        };
        if (rules_.following) meet({to, from});  // otherwise they have met already
        if (checks_crossings(space_, rules_)) space_.any_crossing({from, to}, meet);
    }
}

// By time, and then by place. False: the budget ran out.
bool Bcp::find_collisions(std::vector<Collision>& found, Budget& budget) const {
    std::vector<Presence> presences;
    std::vector<Step> steps;
    Time end = 0;
    for (const Unit& unit : units_) end = std::max(end, static_cast<Time>(unit.path.size()));
    for (Time t = 0; t < end; ++t) {
        if (!budget.tick(static_cast<std::int64_t>(units_.size()))) return false;
        list_steps(t, presences, steps);
        find_on_the_way(t, steps, found);
        for (std::size_t k = 0; k < presences.size();) {
            const Vertex place = presences[k].first;
            const std::size_t first = k;
            while (k < presences.size() && presences[k].first == place) ++k;
            if (k - first == 1) continue;
            Collision& collision = found.emplace_back(Collision{t, place, {}});
            for (std::size_t i = first; i < k; ++i) collision.units.push_back(presences[i].second);
        }
    }
    return true;
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

}  // namespace sidestep
