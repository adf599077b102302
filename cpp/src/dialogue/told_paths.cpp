#include "sidestep/dialogue/told_paths.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "sidestep/dialogue/in_the_way.hpp"
#include "sidestep/model/collision.hpp"
#include "sidestep/model/random.hpp"
#include "sidestep/spacetime/search_loop.hpp"

namespace sidestep {

namespace {

// Does it come back to a place? A wait is no loop.
bool has_loop(std::span<const Vertex> path) {
    std::vector<Vertex> places(path.begin(), path.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    std::sort(places.begin(), places.end());
    return std::adjacent_find(places.begin(), places.end()) != places.end();
}

}  // namespace

ToldPaths::ToldPaths(Space space, Rules rules, Options options, std::span<const Vertex> positions,
                     std::span<const Vertex> goals)
    : ground_(std::move(space)),
      rules_(rules),
      options_(options),
      whereabouts_(ground_.space.size(), static_cast<std::int32_t>(positions.size())),
      agents_(positions.size()),
      conflicts_(positions.size()) {
    for (std::size_t k = 0; k < positions.size(); ++k) {
        agents_[k].position = positions[k];
        agents_[k].goal = agents_[k].heading = goals[k];
    }
}

void ToldPaths::begin(std::span<const Vertex> positions) {
    ground_.distances.trim();
    whereabouts_.clear();
    for (AgentId agent = 0; agent < size(); ++agent) {
        Agent& self = agents_[agent];
        self.position = positions[agent];
        self.known.clear();
        self.fingerprint = 0;
        conflicts_[agent].clear();
    }
}

DistanceMap& ToldPaths::distances(Agent& self) {
    return self.distances.get(ground_.distances, self.goal, self.position);
}

Cost ToldPaths::distance(AgentId agent, Budget& budget) {
    Agent& self = agents_[agent];
    if (self.goal == kNowhere || self.position == kNowhere) return 0;
    return distances(self).at(self.position, budget);
}

// Where the agent heads for. In a window it makes room while its goal is closed or cut off; all the
// way it has no path then, which is for others to say.
Vertex ToldPaths::destination(AgentId agent, Budget& budget) {
    const Vertex goal = agents_[agent].goal;
    if (!options_.window || goal == kNowhere) return goal;
    if (!ground_.space.is_open(goal) || distance(agent, budget) >= kUnreachable) return kNowhere;
    return goal;
}

SearchTask ToldPaths::task_of(AgentId agent) {
    Agent& self = agents_[agent];
    SearchTask task;
    task.start = self.position;
    task.goal = self.heading;
    task.distances = self.heading == kNowhere ? nullptr : &distances(self);
    task.window = options_.window;
    return task;
}

Outcome ToldPaths::find(AgentId agent, std::span<const AgentId> superiors, Budget& budget,
                        std::vector<Vertex>& path, std::span<const Action> given_up) {
    agents_[agent].heading = destination(agent, budget);
    const Superiors others(*this, superiors);
    const auto search_among = [&](const auto& in_the_way) {
        if (options_.cache && recall(agent, in_the_way, path)) return Outcome::found;
        const SearchTask task = task_of(agent);
        const Outcome outcome =
            search_.run_among(ground_.space, rules_, in_the_way, task, budget, path);
        if (outcome != Outcome::found) return outcome;
        if (given_up.empty() && !options_.window && options_.loop_free)
            straighten(agent, others, budget, path);
        if (options_.cache && !remember(agent, path, budget)) return Outcome::out_of_budget;
        return outcome;
    };
    if (given_up.empty()) return search_among(others);
    return search_among(Restrained(others, ground_.space, given_up));
}

// Before an agent has been on its goal every step costs the same, so that of two equally long ways
// there one is as good as the other for itself, and the one without loops better for who watches.
// Not so in a window: stepping to and fro is what gets some agents out of the way of others.
// Without it WDPCA*-2 solved 84% of the thesis's instances instead of 87%.
void ToldPaths::straighten(AgentId agent, const Superiors& superiors, Budget& budget,
                           std::vector<Vertex>& path) {
    Agent& self = agents_[agent];
    if (self.heading == kNowhere) return;
    const auto arrival = std::find(path.begin(), path.end(), self.heading);
    const auto end = arrival == path.end() ? arrival : arrival + 1;
    if (!has_loop({path.begin(), end})) return;
    LoopFree search(superiors, distances(self), budget, {path.begin(), end}, self.heading,
                    ground_.space.size());
    if (search.find()) std::copy(search.path().begin(), search.path().end(), path.begin());
}

AgentId ToldPaths::plan_alone(Budget& budget) {
    std::vector<Vertex> path;
    AgentId failed = kNobody;
    for (AgentId agent = 0; agent < size(); ++agent) {
        if (agents_[agent].position == kNowhere) continue;
        const bool found = find(agent, {}, budget, path) == Outcome::found;
        if (!found && failed == kNobody) failed = agent;
        if (!found && !options_.window) break;
        tell(agent, found ? path : standing(agent));
    }
    return failed;
}

std::vector<Vertex> ToldPaths::standing(AgentId agent) const {
    return std::vector<Vertex>(static_cast<std::size_t>(options_.window) + 1,
                               agents_[agent].position);
}

Cost ToldPaths::price(Agent& self, std::span<const Vertex> path) {
    const bool idle = self.heading == kNowhere;
    const bool free_at_goal = options_.window || rules_.free_goal_wait;
    Cost cost = 0;
    for (std::size_t t = 1; t < path.size(); ++t) {
        const bool waits = path[t] == path[t - 1];
        const bool at_home = idle || (free_at_goal && path[t] == self.heading);
        cost += waits && at_home && ground_.space.is_open(path[t]) ? 0 : 1;
    }
    if (!options_.window || idle) return cost;
    Budget patience;
    return cost + distances(self).at(path.back(), patience);
}

Cost ToldPaths::cost(AgentId agent) { return price(agents_[agent], path(agent)); }

bool ToldPaths::remember(AgentId agent, std::span<const Vertex> path, Budget& budget) {
    Agent& self = agents_[agent];
    const Cost cost = price(self, path);
    const auto place =
        std::upper_bound(self.known.begin(), self.known.end(), cost,
                         [](Cost value, const Known& known) { return value < known.cost; });
    self.known.insert(place, {cost, {path.begin(), path.end()}});
    return budget.keeps(static_cast<std::int64_t>(sizeof(Known) + path.size_bytes()));
}

template <class Others>
bool ToldPaths::recall(AgentId agent, const Others& others, std::vector<Vertex>& path) const {
    for (const Known& known : agents_[agent].known) {
        if (!others.allow(known.path, stays(agent))) continue;
        path = known.path;
        return true;
    }
    return false;
}

void ToldPaths::tell(AgentId agent, std::span<const Vertex> path) {
    if (std::ranges::equal(path, whereabouts_.path(agent))) return;  // nothing new
    forget_conflicts(agent);
    whereabouts_.take(agent);
    whereabouts_.put(agent, path, stays(agent));
    find_conflicts(agent);
    std::uint64_t fingerprint = mix(static_cast<std::uint64_t>(agent));
    for (const Vertex v : path) fingerprint = mix(fingerprint ^ static_cast<std::uint64_t>(v));
    agents_[agent].fingerprint = fingerprint;
}

void ToldPaths::forget_conflicts(AgentId agent) {
    for (const Clash& clash : conflicts_[agent])
        std::erase_if(conflicts_[clash.other],
                      [agent](const Clash& theirs) { return theirs.other == agent; });
    conflicts_[agent].clear();
}

void ToldPaths::find_conflicts(AgentId agent) {
    // After its end it still stands in the way of those who move, if it stays.
    const Time end = whereabouts_.end(agent);
    const Time last = stays(agent) ? std::max(end, whereabouts_.last()) : end;
    for (Time t = 0; t <= last; ++t) {
        if (t > 0) meet(agent, t);
        if (t < horizon()) move(agent, t);
    }
}

// Who is in the same place at t? Two that stay there for good are so once, not for ever.
void ToldPaths::meet(AgentId agent, Time t) {
    const Time end = whereabouts_.end(agent);
    whereabouts_.any(whereabouts_.at(agent, t), t, [&](AgentId other) {
        if (other != agent && t <= std::max(end, whereabouts_.end(other)))
            add(agent, other, t, CollisionKind::vertex);
        return false;
    });
}

// With whom does its move from t to t + 1 collide?
void ToldPaths::move(AgentId agent, Time t) {
    const Move move{whereabouts_.at(agent, t), whereabouts_.at(agent, t + 1)};
    if (move.from == move.to) return;
    const Whereabouts::Step others(whereabouts_, t);
    const auto note = [&](CollisionKind kind, const Whereabouts::Step::Other& other) {
        add(agent, other.agent, t, kind);
        return false;  // look at all of them
    };
    if (move.to != kNowhere) any_on_the_way(ground_.space, rules_, move, others, note);
    any_follower(rules_, move.from, others, [&](CollisionKind kind, const auto& other) {
        const Vertex before = whereabouts_.at(other.agent, t);
        return before != move.from && before != move.to && note(kind, other);
    });
}

// Once per other agent and time, in however many ways they collide.
void ToldPaths::add(AgentId agent, AgentId other, Time t, CollisionKind kind) {
    auto& own = conflicts_[agent];
    for (auto clash = own.rbegin(); clash != own.rend() && clash->time == t; ++clash)
        if (clash->other == other) return;
    own.push_back({other, t, kind});
    conflicts_[other].push_back({agent, t, kind});
}

bool ToldPaths::collide(AgentId one, AgentId other) const {
    return std::any_of(conflicts_[one].begin(), conflicts_[one].end(),
                       [other](const Clash& clash) { return clash.other == other; });
}

std::vector<AgentId> ToldPaths::colliding(AgentId agent) const {
    std::vector<AgentId> others;
    for (const Clash& clash : conflicts_[agent]) others.push_back(clash.other);
    std::sort(others.begin(), others.end());
    others.erase(std::unique(others.begin(), others.end()), others.end());
    return others;
}

std::vector<Conflict> ToldPaths::first_conflicts() const {
    std::vector<Conflict> found;
    for (AgentId agent = 0; agent < size(); ++agent)
        for (const Clash& clash : conflicts_[agent])
            if (agent < clash.other)
                found.push_back({clash.time, clash.kind, agent, clash.other,
                                 whereabouts_.at(agent, clash.time)});
    const auto pair_first = [](const Conflict& c) { return std::tuple(c.first, c.second, c.time); };
    std::sort(found.begin(), found.end(),
              [&](const auto& a, const auto& b) { return pair_first(a) < pair_first(b); });
    const auto same_pair = [](const Conflict& a, const Conflict& b) {
        return a.first == b.first && a.second == b.second;
    };
    found.erase(std::unique(found.begin(), found.end(), same_pair), found.end());
    const auto rank = [](const Conflict& c) { return std::tuple(c.time, c.first, c.second); };
    std::sort(found.begin(), found.end(),
              [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
    return found;
}

std::uint64_t ToldPaths::fingerprint() const {
    std::uint64_t sum = 0;
    for (const Agent& self : agents_) sum += self.fingerprint;
    return sum;
}

std::int64_t ToldPaths::known() const {
    std::size_t sum = 0;
    for (const Agent& self : agents_) sum += self.known.size();
    return static_cast<std::int64_t>(sum);
}

void ToldPaths::set_open(Vertex v, bool open) { ground_.set_open(v, open); }

void ToldPaths::set_goal(AgentId agent, Vertex goal) {
    Agent& self = agents_[agent];
    self.distances.release(ground_.distances, self.goal);
    self.goal = self.heading = goal;
}

AgentId ToldPaths::add_agent(Vertex position) {
    agents_.push_back({});
    agents_.back().position = position;
    conflicts_.emplace_back();
    whereabouts_.add_agent();
    for (auto& own : conflicts_) own.clear();  // nobody has told anything any more
    return size() - 1;
}

void ToldPaths::remove_agent(AgentId agent) {
    forget_conflicts(agent);
    whereabouts_.take(agent);
    set_goal(agent, kNowhere);
    agents_[agent].position = kNowhere;
    agents_[agent].fingerprint = 0;
}

void ToldPaths::save(Writer& writer) const { writer(ground_.space, options_.window, agents_); }

void ToldPaths::load(Reader& reader) {
    Space space = ground_.space;
    Time window = 0;
    std::vector<Agent> agents;
    reader(space, window, agents);
    require_saved(window >= 0 && window <= kLongestWindow, "a window");
    for (const Agent& self : agents)
        for (const Vertex v : {self.position, self.goal, self.heading})
            require_saved_vertex(space, v);
    for (Agent& self : agents_) self.distances.release(ground_.distances, self.goal);
    for (Vertex v = 0; v < space.size(); ++v)
        if (space.is_open(v) != ground_.space.is_open(v)) ground_.set_open(v, space.is_open(v));
    options_.window = window;
    agents_ = std::move(agents);
    whereabouts_ = Whereabouts(space.size(), size());
    conflicts_.assign(agents_.size(), {});
}

}  // namespace sidestep
