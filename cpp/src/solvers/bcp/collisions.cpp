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
