#include "sidestep/solvers/cooperation.hpp"

#include <algorithm>
#include <array>

#include "sidestep/model/collision.hpp"

namespace sidestep {

Cooperation::Cooperation(Space space, Rules rules, Options options,
                         std::span<const Vertex> positions, std::span<const Vertex> goals,
                         std::span<const std::int32_t> priorities, std::span<const Body> bodies)
    : ground_(std::move(space)),
      rules_(rules),
      options_(options),
      reservations_(ground_.space.size(), bodies.empty()
                                              ? std::vector<Body>(positions.size())
                                              : std::vector<Body>(bodies.begin(), bodies.end())),
      agents_(positions.size()) {
    for (std::size_t k = 0; k < positions.size(); ++k) {
        agents_[k].position = positions[k];
        agents_[k].goal = goals[k];
        agents_[k].priority = priorities[k];
        if (!bodies.empty()) embody(agents_[k], bodies[k]);
    }
    clear();
}

Cooperation::Cooperation(const Cooperation& other)
    : ground_(other.ground_),
      rules_(other.rules_),
      options_(other.options_),
      reservations_(other.reservations_),
      agents_(other.agents_) {
    for (const auto& [size, ground] : other.large_)
        large_[size] = std::make_unique<MeasuredSpace>(*ground);
    for (Agent& self : agents_) embody(self, self.body);
}

void Cooperation::embody(Agent& self, Body body) {
    self.body = body;
    if (body.size == 1) return;
    auto& ground = large_[body.size];
    if (!ground) ground = std::make_unique<MeasuredSpace>(ground_.space.for_size(body.size));
    self.large = ground.get();
}

void Cooperation::clear() {
    reservations_.clear();
    for (AgentId agent = 0; agent < size(); ++agent)
        if (agents_[agent].position != kNowhere) stand(agent);
}

// Holds the agent's place at this moment, and after it only the rest of a move that has begun.
void Cooperation::stand(AgentId agent) { stand(agent, reservations_.now()); }

void Cooperation::stand(AgentId agent, Time now) {
    const auto path = reservations_.path(agent);
    const Time start = reservations_.start(agent);
    const Time rest = rest_of_move(agents_[agent], path, now - start);
    rest_.assign(1, agents_[agent].position);
    if (rest) rest_.assign(path.begin() + (now - start), path.begin() + (now - start) + rest + 1);
    reservations_.reserve(agent, now, rest_, false);
}

bool Cooperation::take(AgentId agent, std::span<const Vertex> path, bool stays) {
    const Lifted lifted = lift(agent);
    if (first_collision(path, stays) != kForever) return put_back(agent, lifted), false;
    reservations_.reserve(agent, reservations_.now(), path, stays);
    return true;
}

DistanceMap* Cooperation::distances(Agent& self) {
    if (!options_.exact || self.goal == kNowhere) return nullptr;
    return &self.distances.get(known_distances(self), self.goal, self.position);
}

// The distance of an agent that has a goal, whether or not its searches are guided by it.
Cost Cooperation::way(Agent& self, Budget& budget) {
    return self.distances.get(known_distances(self), self.goal, self.position)
        .at(self.position, budget);
}

Cost Cooperation::distance(AgentId agent, Budget& budget) {
    Agent& self = agents_[agent];
    if (self.goal == kNowhere || self.position == kNowhere) return 0;
    const Cost moves = way(self, budget);
    if (moves == kNotReady || moves >= kUnreachable) return moves;
    return static_cast<Cost>(
        std::min<std::int64_t>(std::int64_t{moves} * self.body.period, kUnreachable));
}

std::int64_t Cooperation::distance_bytes() const {
    std::size_t sum = ground_.distances.bytes();
    for (const auto& [size, ground] : large_) sum += ground->distances.bytes();
    return static_cast<std::int64_t>(sum);
}

// Where the agent heads for: nowhere in particular while its goal is closed or cut off.
Vertex Cooperation::destination(Agent& self, Budget& budget) {
    if (self.goal == kNowhere || !space(self).is_open(self.goal)) return kNowhere;
    // Without exact distances it takes a search in vain to become suspicious; the next one is
    // spared.
    if (!options_.exact && !self.failed) return self.goal;
    return way(self, budget) >= kUnreachable ? kNowhere : self.goal;
}

// Takes an agent's reservations out of the table, to be put back if nothing better is found.
Cooperation::Lifted Cooperation::lift(AgentId agent) {
    const auto path = reservations_.path(agent);
    rest_.assign(path.begin(), path.end());
    const Lifted lifted{reservations_.start(agent), reservations_.parked(agent)};
    reservations_.release(agent);
    return lifted;
}

void Cooperation::put_back(AgentId agent, Lifted lifted) {
    if (!rest_.empty()) reservations_.reserve(agent, lifted.start, rest_, lifted.parked);
}

SearchTask Cooperation::task(Agent& self, Budget& budget) {
    SearchTask task;
    task.start = self.position;
    task.goal = destination(self, budget);
    task.distances = distances(self);
    task.now = reservations_.now();
    task.window = options_.window;
    task.stays = options_.hold_goals || task.goal == kNowhere;
    return task;
}

// Is the agent for good where such a path ends?
bool Cooperation::stays(const SearchTask& task) const {
    const bool idle = task.goal == kNowhere;
    return !options_.window && (idle || (options_.hold_goals && !rules_.disappear));
}

// Can path_, which begins now, be reserved within the budget?
bool Cooperation::make_room(Budget& budget) {
    return reservations_.make_room(reservations_.now() + static_cast<Time>(path_.size()) - 1,
                                   budget);
}

// Reserves path_, which begins now, also where the search began at the end of a move.
void Cooperation::keep(AgentId agent, const SearchTask& task) {
    reservations_.reserve(agent, reservations_.now(), path_, stays(task));
    agents_[agent].outdated = false;
}

// How many turns are left of the move that an agent is in the middle of, `elapsed` steps along its
// path; 0: it is in none.
Time Cooperation::rest_of_move(const Agent& self, std::span<const Vertex> path, Time elapsed) {
    const Time end = static_cast<Time>(path.size()) - 1;
    const Time longest = std::min(self.body.period - 1, end - elapsed);
    if (elapsed < 0 || elapsed > end || path[elapsed] != self.position) return 0;
    for (Time turns = 1; turns <= longest; ++turns)
        if (path[elapsed + turns] != self.position) return turns;
    return 0;
}

Outcome Cooperation::plan(AgentId agent, Budget& budget) {
    Agent& self = agents_[agent];
    const Lifted lifted = lift(agent);
    SearchTask wanted = task(self, budget);
    // A move that has begun is made; the search goes on from where it ends.
    const Time rest = rest_of_move(self, rest_, wanted.now - lifted.start);
    const auto begun = rest_.begin() + (rest ? wanted.now - lifted.start : 0);
    if (rest) {
        wanted.start = begun[rest];
        wanted.now += rest;
        if (wanted.window) wanted.window = std::max(wanted.window - rest, 1);
    }
    Outcome outcome =
        search_.run(space(self), rules_, reservations_, self.body, wanted, budget, path_);
    self.failed = outcome == Outcome::no_path;
    if (outcome == Outcome::found) {
        path_.insert(path_.begin(), begun, begun + rest);
        if (!make_room(budget)) outcome = Outcome::out_of_budget;
    }
    if (outcome == Outcome::found)
        keep(agent, wanted);
    else
        put_back(agent, lifted);
    return outcome;
}

Outcome Cooperation::plan_simply(AgentId agent, Budget& budget) {
    Agent& self = agents_[agent];
    const Lifted lifted = lift(agent);
    const SearchTask wanted = task(self, budget);
    if (self.alone.empty() || self.alone.front() != self.position) {
        const Reservations nobody(ground_.space.size(), 0);
        const Outcome outcome = search_.run(ground_.space, rules_, nobody, wanted, budget, path_);
        if (outcome != Outcome::found) return put_back(agent, lifted), outcome;
        self.alone = path_;
    }
    path_ = self.alone;
    Time collision = first_collision(path_, stays(wanted));
    if (collision != kForever) {
        path_.insert(path_.begin() + collision, path_[collision]);
        collision = first_collision(path_, stays(wanted));
    }
    if (collision == kForever && make_room(budget)) return keep(agent, wanted), Outcome::found;
    put_back(agent, lifted);
    return collision == kForever ? Outcome::out_of_budget : plan(agent, budget);
}

// After how many steps the path first collides with a reservation; kForever: it does not.
Time Cooperation::first_collision(std::span<const Vertex> path, bool stays) const {
    const Time now = reservations_.now(), end = static_cast<Time>(path.size()) - 1;
    for (Time t = 0; t < end; ++t)
        if (!reservations_.allows(ground_.space, rules_, {path[t], path[t + 1]}, now + t)) return t;
    const auto entered = [&] { return reservations_.taken(path[end], now + end + 1); };
    const bool passed = stays && reservations_.last_taken(path[end]) >= now + end;
    return passed || (!stays && !may_disappear(rules_, entered)) ? end : kForever;
}

// Is the agent where its path says, with a step left to take?
bool Cooperation::follows_path(AgentId agent) const {
    const auto path = reservations_.path(agent);
    const Time elapsed = reservations_.now() - reservations_.start(agent);
    if (path.empty()) return false;
    const Time end = static_cast<Time>(path.size()) - 1;
    if (elapsed >= end) return reservations_.parked(agent) && path[end] == agents_[agent].position;
    return path[elapsed] == agents_[agent].position;
}

void Cooperation::enqueue(AgentId agent) {
    if (agents_[agent].queued) return;
    agents_[agent].queued = true;
    queue_.push_back(agent);
}

// Is a slow agent in the move that its path says, with as much of it behind it?
bool Cooperation::makes_move(AgentId agent, Vertex heading, Time progress) const {
    const Agent& self = agents_[agent];
    if (self.body.period == 1) return true;
    const auto path = reservations_.path(agent);
    const Time elapsed = reservations_.now() - reservations_.start(agent);
    const Time rest = rest_of_move(self, path, elapsed);
    if (progress != (rest ? self.body.period - rest : 0)) return false;
    return progress == 0 || heading == path[elapsed + rest];
}

void Cooperation::turn(Time now, std::span<const Vertex> positions, std::span<const AgentId> due,
                       Budget& budget, std::span<Vertex> moves, Begun begun,
                       std::span<const AgentId> order) {
    begin_turn(now, positions, due, begun, order);
    while (!queue_.empty()) replan(next_in_line(), budget);
    for (AgentId agent = 0; agent < size(); ++agent) {
        const auto path = reservations_.path(agent);
        const Time elapsed = now - reservations_.start(agent);
        const bool ahead = elapsed + 1 < static_cast<Time>(path.size());
        const Vertex next =
            ahead ? next_place(path, elapsed, agents_[agent].body.period) : kNowhere;
        moves[agent] = next == kNowhere ? positions[agent] : next;
    }
}

bool Cooperation::think(Time now, std::span<const Vertex> positions, std::span<const AgentId> due,
                        Budget& budget, Begun begun, std::span<const AgentId> order) {
    begin_turn(now, positions, due, begun, order);
    std::stable_partition(queue_.begin(), queue_.end(),
                          [&](AgentId agent) { return agents_[agent].cut_short != now; });
    bool done = true;
    while (!queue_.empty() && done) {
        const AgentId agent = next_in_line();
        done = replan(agent, budget, true);
        (done ? agents_[agent].thought : agents_[agent].cut_short) = now;
    }
    while (!queue_.empty()) next_in_line();  // the turn itself finds out again who they are
    return done;
}

void Cooperation::begin_turn(Time now, std::span<const Vertex> positions,
                             std::span<const AgentId> due, Begun begun,
                             std::span<const AgentId> order) {
    reservations_.advance(now);
    ground_.distances.trim();
    for (auto& [size, ground] : large_) ground->distances.trim();
    look_around(positions, begun);
    line_up(due, order);
}

AgentId Cooperation::next_in_line() {
    const AgentId agent = queue_.front();
    queue_.pop_front();
    agents_[agent].queued = false;
    return agent;
}

// Takes note of where everybody really is; those whose paths no longer hold lose them.
void Cooperation::look_around(std::span<const Vertex> positions, Begun begun) {
    bool unknown_move = false;
    for (AgentId agent = 0; agent < size(); ++agent) {
        agents_[agent].position = positions[agent];
        const bool present = positions[agent] != kNowhere;
        const bool on_path = present && follows_path(agent) &&
                             (begun.progress.empty() ||
                              makes_move(agent, begun.headings[agent], begun.progress[agent]));
        if (present && (agents_[agent].outdated || !on_path)) enqueue(agent);
        if (!on_path) reservations_.release(agent);
        unknown_move |=
            present && !on_path && !begun.headings.empty() && begun.headings[agent] != kNowhere;
    }
    if (unknown_move) make_way_for_moves(begun);
    // Only now that no wrong path is left: where somebody stands, nobody else has a reservation.
    for (std::size_t k = 0; k < queue_.size(); ++k) {
        const AgentId agent = queue_[k];
        if (!reservations_.path(agent).empty()) continue;
        stand(agent);
        // Somebody may have meant to enter this place when nobody was expected here.
        if (!rules_.following) evict_from_place_of(agent, reservations_.now() + 1);
    }
}

// Somebody is in a move that was not planned here, as after another planner's turn. It is made to
// its end; all others plan again, since their paths do not know of it.
void Cooperation::make_way_for_moves(Begun begun) {
    for (AgentId agent = 0; agent < size(); ++agent)
        if (!reservations_.path(agent).empty()) evict(agent);
    for (AgentId agent = 0; agent < size(); ++agent) {
        const Agent& self = agents_[agent];
        const Vertex heading = begun.headings[agent];
        if (self.position == kNowhere || heading == kNowhere) continue;
        if (!reservations_.path(agent).empty() || !space(self).connects(self.position, heading))
            continue;
        path_.assign(std::max(self.body.period - begun.progress[agent], 1), self.position);
        path_.push_back(heading);
        reservations_.reserve(agent, reservations_.now(), path_, false);
    }
}

// An agent that has reserved what this one covers now for time t makes other plans.
void Cooperation::evict_from_place_of(AgentId agent, Time t) {
    agents_[agent].body.each_cell(agents_[agent].position, [&](Vertex v) {
        const AgentId other = reservations_.holder(v, t);
        if (other != kNobody) evict(other);
    });
}

// Who plans this turn, in order. Who has nowhere to go plans last, and so makes room for the
// others.
void Cooperation::line_up(std::span<const AgentId> due, std::span<const AgentId> order) {
    if (!queue_.empty() && !order.empty()) {
        std::vector<std::size_t> rank(agents_.size());
        for (std::size_t k = 0; k < rank.size(); ++k) rank[k] = rank.size() + k;
        for (std::size_t k = 0; k < order.size(); ++k) rank[order[k]] = k;
        std::sort(queue_.begin(), queue_.end(),
                  [&](AgentId a, AgentId b) { return rank[a] < rank[b]; });
    }
    for (const AgentId agent : due) {
        const bool thought = agents_[agent].thought == reservations_.now() && follows_path(agent);
        if (agents_[agent].position != kNowhere && !thought) enqueue(agent);
    }
    for (const AgentId agent : queue_) {
        const Vertex goal = agents_[agent].goal;
        agents_[agent].idle = goal == kNowhere || !space(agents_[agent]).is_open(goal);
    }
    std::stable_sort(queue_.begin(), queue_.end(), [&](AgentId a, AgentId b) {
        const Agent &one = agents_[a], &other = agents_[b];
        return one.idle != other.idle ? other.idle : one.priority > other.priority;
    });
}

// Takes away an agent's path: for now it only stands where it is.
void Cooperation::evict(AgentId agent) {
    stand(agent);
    enqueue(agent);
}

bool Cooperation::replan(AgentId agent, Budget& budget, bool later) {
    Agent& self = agents_[agent];
    const bool arrived = self.position == self.goal && space(self).is_open(self.goal);
    const Time elapsed = reservations_.now() - reservations_.start(agent);
    const bool under_way = rest_of_move(self, reservations_.path(agent), elapsed) > 0;
    if (!options_.window && !options_.hold_goals && arrived && !under_way) {
        settle(agent);
        return true;
    }
    Outcome outcome = Outcome::out_of_budget;
    if (!budget.exhausted()) {
        if (!self.idle && destination(self, budget) == kNowhere) {
            self.idle = true;  // cut off, as it turns out: after all others, then
            enqueue(agent);
            return true;
        }
        outcome = plan(agent, budget);
    }
    if (outcome == Outcome::found) return true;
    if (later && outcome == Outcome::out_of_budget) return false;
    // What is left of the old path is still free of collisions; better than standing, unless it
    // leads the wrong way while the search is merely waiting for its turn.
    const bool wrong_way = self.outdated && outcome == Outcome::out_of_budget && !under_way;
    if (follows_path(agent) && !wrong_way) return true;
    if (!drift(agent) && !follows_path(agent)) hold(agent);
    return true;
}

// One step straight towards the goal, if that is safe: for agents whose distances are not ready.
bool Cooperation::drift(AgentId agent) {
    const Agent& self = agents_[agent];
    if (self.goal == kNowhere) return false;
    const Time now = reservations_.now();
    const Vertex from = self.position;
    const Lifted lifted = lift(agent);  // its own reservations must not stand in its way
    const Space& places = space(self);
    Cost best = places.estimate(from, self.goal);
    Vertex target = kNowhere;
    for (const Vertex to : places.successors(from)) {
        const Cost cost = places.estimate(to, self.goal);
        if (cost < best && reservations_.allows(places, rules_, self.body, {from, to}, now)) {
            best = cost;
            target = to;
        }
    }
    if (target == kNowhere) {
        put_back(agent, lifted);
        return false;
    }
    path_.assign(self.body.period, from);
    path_.push_back(target);
    reservations_.reserve(agent, now, path_, false);
    return true;
}

// Waits one step. The holder of the cell at that time must make other plans: standing still is
// always possible, since no two agents stand in one place, so this ends. A large or slow agent
// stays for as long as it takes it to leave all its cells, and plans again next turn: else the
// others would enter before it is gone.
void Cooperation::hold(AgentId agent) {
    const Time now = reservations_.now();
    Agent& self = agents_[agent];
    const Time turns = self.body.size * self.body.period;
    reservations_.release(agent);
    for (Time t = now + 1; t <= now + turns; ++t) evict_from_place_of(agent, t);
    path_.assign(turns + 1, self.position);
    reservations_.reserve(agent, now, path_, false);
    if (turns > 1) self.outdated = true;
}

// The agent has arrived and stays; those who planned to pass its goal plan again.
void Cooperation::settle(AgentId agent) {
    const Time now = reservations_.now();
    const Vertex here = agents_[agent].position;
    reservations_.release(agent);
    for (Time t = now + 1; t <= reservations_.last(); ++t) evict_from_place_of(agent, t);
    reservations_.reserve(agent, now, {&here, 1}, true);
}

}  // namespace sidestep
