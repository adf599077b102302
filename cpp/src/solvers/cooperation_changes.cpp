// What cooperating agents hear between turns: walls, goals, who comes and who goes; and their state
// as bytes.
#include <algorithm>
#include <utility>

#include "sidestep/model/archive.hpp"
#include "sidestep/solvers/cooperation.hpp"

namespace sidestep {

void Cooperation::set_open(Vertex v, bool open, Time now) {
    now = std::max(now, reservations_.now());
    ground_.set_open(v, open);
    for (auto& [size, ground] : large_)
        ground_.space.refit(ground->space, size, v,
                            [&](Vertex u) { ground->distances.changed(u); });
    for (AgentId agent = 0; agent < size(); ++agent) {
        const Space& places = space(agents_[agent]);
        const auto possible = [&](std::span<const Vertex> path, Time k) {
            return k == 0 || path[k] == path[k - 1] || places.connects(path[k - 1], path[k]);
        };
        agents_[agent].alone.clear();
        const auto path = reservations_.path(agent);
        const Time elapsed = reservations_.now() - reservations_.start(agent);
        const Time end = static_cast<Time>(path.size()) - 1;  // where a parked agent is for good
        const Vertex last = path.empty() ? kNowhere : path.back();
        const Time under_way = now - reservations_.start(agent);
        const Time rest = rest_of_move(agents_[agent], path, under_way);
        for (Time k = std::min(std::max(elapsed, 0), end); k >= 0 && k <= end; ++k) {
            if (possible(path, k) && (open || !agents_[agent].body.covers(path[k], v))) continue;
            // Its path leads through the new wall, or stays in it; the move under way may not.
            if (rest && possible(path, under_way + rest)) {
                stand(agent, now);
                agents_[agent].outdated = true;
            } else {
                reservations_.release(agent);
            }
            break;
        }
        // Who could not reach its goal may be able to now; in a window all plan again soon anyway.
        if (open && !options_.window && last != agents_[agent].goal) agents_[agent].outdated = true;
    }
}

void Cooperation::leave_goal(Agent& self) {
    self.distances.release(known_distances(self), self.goal);
}

void Cooperation::set_goal(AgentId agent, Vertex goal) {
    Agent& self = agents_[agent];
    leave_goal(self);
    self.goal = goal;
    self.alone.clear();
    self.outdated = true;
}

AgentId Cooperation::add_agent(Vertex position, Body body) {
    agents_.push_back({position});
    embody(agents_.back(), body);
    reservations_.add_agent(body);
    return size() - 1;
}

void Cooperation::save(Writer& writer) const {
    writer(ground_.space, agents_);
    reservations_.save(writer);
}

void Cooperation::load(Reader& reader) {
    Space space = ground_.space;
    std::vector<Agent> agents;
    reader(space, agents);
    Reservations reservations = Reservations::loaded(reader, space);
    require_saved(reservations.size() == static_cast<std::int32_t>(agents.size()), "agents");
    for (Agent& self : agents) {
        self.body.width = space.is_grid() ? space.width() : 1;
        require_saved_place(space, self.position, self.body);
        require_saved_place(space, self.goal, self.body);
        require_saved_path(space, self.alone);
    }
    for (Vertex v = 0; v < space.size(); ++v)
        if (ground_.space.is_open(v) != space.is_open(v)) ground_.set_open(v, space.is_open(v));
    agents_ = std::move(agents);
    large_.clear();
    for (Agent& self : agents_) embody(self, self.body);
    reservations_ = std::move(reservations);
    queue_.clear();
}

void Cooperation::forget_all_but(std::span<const AgentId> kept) {
    std::vector<std::uint8_t> stays(agents_.size(), 0);
    for (const AgentId agent : kept) stays[agent] = 1;
    for (AgentId agent = 0; agent < size(); ++agent)
        if (!stays[agent]) leave_goal(agents_[agent]);
    std::vector<Agent> left;
    for (const AgentId agent : kept) left.push_back(std::move(agents_[agent]));
    agents_ = std::move(left);
    reservations_.forget_all_but(kept);
}

void Cooperation::remove_agent(AgentId agent) {
    leave_goal(agents_[agent]);
    agents_[agent].position = agents_[agent].goal = kNowhere;
    reservations_.release(agent);
}

}  // namespace sidestep
