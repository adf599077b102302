#include "sidestep/world/world.hpp"

#include <algorithm>
#include <stdexcept>

namespace sidestep {

World::World(Space space, Rules rules, State state, std::vector<Body> bodies, Time keep,
             Time patience)
    : rules_(rules),
      state_(std::move(state)),
      finished_(state_.positions.size(), 1),
      bodies_(std::move(bodies)),
      jams_(patience),
      keep_(keep) {
    state_.facings.resize(state_.positions.size(), kNoFacing);
    entry_facings_ = state_.facings;
    state_.headings.resize(state_.positions.size(), kNowhere);
    state_.progress.resize(state_.positions.size(), 0);
    state_.space = std::move(space);
    for (const Body& body : bodies_) embody(body);
    for (AgentId a = 0; a < static_cast<AgentId>(state_.positions.size()); ++a) {
        count(a);
        if (state_.positions[a] != kNowhere) present_.push_back(a);
    }
    for (const Vertex position : state_.positions) jams_.add(position);
    first_ = as_of_now();
}

World::Past World::as_of_now() const {
    Past past{{state_.time, state_.space}, present_, static_cast<AgentId>(bodies_.size())};
    for (const auto column : State::kColumns)
        for (const AgentId a : present_) (past.state.*column).push_back((state_.*column)[a]);
    return past;
}

World::State World::first_state() const {
    const auto count = static_cast<std::size_t>(first_.count);
    State whole{first_.state.time, first_.state.space};
    for (const auto column : State::kColumns) {
        (whole.*column).assign((state_.*column).begin(), (state_.*column).begin() + first_.count);
    }
    whole.positions.assign(count, kNowhere);
    whole.headings.assign(count, kNowhere);
    whole.progress.assign(count, 0);
    for (const auto column : State::kColumns)
        for (std::size_t k = 0; k < first_.who.size(); ++k)
            (whole.*column)[first_.who[k]] = (first_.state.*column)[k];
    return whole;
}

void World::resume(std::span<const Vertex> headings, std::span<const Time> progress) {
    state_.headings.assign(headings.begin(), headings.end());
    state_.progress.assign(progress.begin(), progress.end());
    first_ = as_of_now();
}

void World::watch(Time keep, Time patience) {
    keep_ = keep;
    jams_ = Jams(patience);
    for (const Vertex position : state_.positions) jams_.add(position);
}

void World::embody(Body body) {
    all_unit_ = all_unit_ && body.is_unit();
    if (body.size > 1 && !large_.contains(body.size))
        large_.emplace(body.size, space().for_size(body.size));
}

// Brings up to date whether an agent still has somewhere to go.
void World::count(AgentId agent) {
    const bool finished =
        state_.positions[agent] == kNowhere || state_.goals[agent] == kNowhere || on_goal(agent);
    unfinished_ += (finished_[agent] != 0) - finished;
    finished_[agent] = finished;
}

// The same, and reports an agent in a closed place.
void World::notice(AgentId agent) {
    count(agent);
    const Vertex here = state_.positions[agent];
    if (here != kNowhere && !places(agent).is_open(here)) record(EventKind::trapped, agent, here);
}

std::span<const AgentId> World::let_safe_moves_happen() {
    return guard_.check(space(), rules_, state_.positions, state_.priorities, targets_, present_);
}

// The same among agents of different sizes and speeds. A target that is accepted becomes the place
// where the agent is after this turn, which for a slow agent may be where it was.
std::span<const AgentId> World::let_safe_strides_happen() {
    strides_.clear();
    for (const AgentId a : present_)
        strides_.push_back({bodies_[a], &places(a), state_.positions[a], targets_[a],
                            state_.headings[a], state_.progress[a], state_.priorities[a]});
    turned_down_.clear();
    for (const AgentId k : body_guard_.check(space(), rules_, strides_))
        turned_down_.push_back(present_[k]);
    for (std::size_t k = 0; k < present_.size(); ++k) {
        const AgentId a = present_[k];
        const Stride& stride = strides_[k];
        const bool slow = stride.moves() && !stride.arrives();
        if (stride.progress && stride.target != stride.heading)
            record(EventKind::turned_back, a, stride.heading);
        if (slow && stride.next_progress() == 1) record(EventKind::set_out, a, stride.target);
        state_.headings[a] = slow ? stride.target : kNowhere;
        state_.progress[a] = slow ? stride.next_progress() : 0;
        targets_[a] = slow ? stride.position : stride.target;
    }
    return turned_down_;
}

// Of an agent that has a facing: it turns where it stands, or may go straight ahead.
void World::turn_or_face(AgentId agent) {
    const Vertex here = state_.positions[agent];
    Facing& facing = state_.facings[agent];
    Vertex& target = targets_[agent];
    if (target == kTurnRight || target == kTurnLeft) {
        facing = target == kTurnRight ? to_the_right(facing) : to_the_left(facing);
        record(EventKind::turned, agent, facing);
        target = here;
    } else if (target != here && target != ahead(space(), here, facing)) {
        target = space().size();  // no such vertex, so it is refused
    }
}

std::int32_t World::advance(std::span<const Vertex> targets) {
    asked_.resize(bodies_.size());
    for (const AgentId a : present_) {
        if (targets.empty())
            asked_[a] = state_.progress[a] ? state_.headings[a] : state_.positions[a];
        else
            asked_[a] = targets[a];
    }
    return go();
}

std::int32_t World::advance(std::span<const AgentId> some, std::span<const Vertex> targets) {
    asked_.resize(bodies_.size());
    for (const AgentId a : present_) asked_[a] = state_.positions[a];
    for (std::size_t k = 0; k < some.size(); ++k) asked_[some[k]] = targets[k];
    return go();
}

// One turn in which all who are there have asked for something.
std::int32_t World::go() {
    if (state_.time >= kLatest) throw std::overflow_error("a world lasts 2^29 turns, not longer");
    targets_.resize(bodies_.size());
    for (const AgentId a : present_) {
        targets_[a] = asked_[a];
        if (rules_.disappear && on_goal(a))
            targets_[a] = kNowhere;
        else if (targets_[a] == kNowhere)
            targets_[a] = space().size();  // nobody may vanish: no such vertex, so it is refused
        else if (state_.facings[a] != kNoFacing)
            turn_or_face(a);
    }
    const auto refused = all_unit_ ? let_safe_moves_happen() : let_safe_strides_happen();
    for (const AgentId a : refused) record(EventKind::refused, a, asked_[a]);
    const bool all_are_there = present_.size() == bodies_.size();
    rows_.push_back({all_are_there ? std::vector<AgentId>{} : present_, {}});
    for (const AgentId a : present_) rows_.back().where.push_back(state_.positions[a]);
    ++state_.time;
    for (const AgentId a : present_) {
        const bool was_there = on_goal(a);
        state_.positions[a] = targets_[a];
        notice(a);
        if (on_goal(a) && !was_there) record(EventKind::arrived, a, state_.positions[a]);
        if (was_there && !on_goal(a) && state_.positions[a] != kNowhere)
            record(EventKind::left, a, state_.positions[a]);
    }
    look_for_jams();
    std::erase_if(present_, [&](AgentId a) { return state_.positions[a] == kNowhere; });
    forget();
    return static_cast<std::int32_t>(refused.size());
}

void World::look_for_jams() {
    jams_.look(situation());
    for (const AgentId a : jams_.freed()) record(EventKind::unstuck, a, state_.positions[a]);
    for (const Jams::Stuck& stuck : jams_.found()) {
        record(EventKind::stuck, stuck.agent, stuck.since);
        record(EventKind::behind, stuck.agent, stuck.behind);
    }
}

// The agent has a new goal or a new place: what it did before says nothing of how it gets on.
void World::begin_anew(AgentId agent) {
    if (jams_.begin_anew(agent, state_.positions[agent]))
        record(EventKind::unstuck, agent, state_.positions[agent]);
}

// Drops the older half of the record when it is twice as long as it must be.
void World::forget() {
    if (keep_ == 0) return;
    const auto recorded = static_cast<Time>(rows_.size());
    if (recorded != keep_ && recorded != 2 * keep_) return;
    if (recorded == 2 * keep_) {
        first_ = std::move(later_);
        rows_.erase(rows_.begin(), rows_.begin() + keep_);
        const auto old = static_cast<std::ptrdiff_t>(later_events_ - forgotten_);
        events_.erase(events_.begin(), events_.begin() + old);
        forgotten_ = later_events_;
    }
    later_ = as_of_now();
    later_events_ = event_count();
}

std::vector<Event> World::changes(std::size_t since) const {
    std::vector<Event> found;
    for (auto event = events_.rbegin(); event != events_.rend(); ++event) {
        if (found.size() + since >= changes_) break;
        if (is_change(*event)) found.push_back(*event);
    }
    std::reverse(found.begin(), found.end());
    return found;
}

void World::save(Writer& writer) const {
    const bool is_cut = later_.state.space.size() > 0;
    writer(state_, bodies_, entry_facings_, keep_, first_, is_cut);
    if (is_cut) writer(later_);
    writer(static_cast<std::uint64_t>(later_events_), rows_, events_,
           static_cast<std::uint64_t>(forgotten_), static_cast<std::uint64_t>(changes_));
    jams_.save(writer);
}

namespace {

// A state whose agents are at most the given number, in places on the map.
void require_state(const World::State& state, std::size_t most) {
    const std::size_t count = state.positions.size();
    require_saved(count <= most, "there are too many agents");
    for (const std::size_t size :
         {state.goals.size(), state.priorities.size(), state.facings.size(), state.headings.size(),
          state.progress.size()})
        require_saved(size == count, "agents");
    require_saved(state.time >= 0 && state.time <= kLatest, "a time");
    for (const Facing facing : state.facings) require_saved_facing(state.space, facing);
    for (const auto* places : {&state.positions, &state.goals, &state.headings})
        for (const Vertex v : *places) require_saved_vertex(state.space, v);
}

// Agents by number.
void require_who(std::span<const AgentId> who, std::size_t most) {
    for (std::size_t k = 0; k < who.size(); ++k)
        require_saved(who[k] >= 0 && static_cast<std::size_t>(who[k]) < most &&
                          (k == 0 || who[k - 1] < who[k]),
                      "agents");
}

}  // namespace

void World::load(Reader& reader) {
    World other(space(), rules_, {}, {}, 0);
    other.first_.state.space = other.later_.state.space = space();
    bool is_cut = false;
    std::uint64_t later_events = 0, forgotten = 0, changes = 0;
    reader(other.state_, other.bodies_, other.entry_facings_, other.keep_, other.first_, is_cut);
    if (is_cut)
        reader(other.later_);
    else
        other.later_ = {};
    reader(later_events, other.rows_, other.events_, forgotten, changes);
    other.jams_.load(reader, space());
    const std::size_t count = other.state_.positions.size();
    require_state(other.state_, count);
    for (const Past* past : {&other.first_, &other.later_}) {
        require_state(past->state, count);
        require_saved(past->count >= 0 && static_cast<std::size_t>(past->count) <= count, "agents");
        require_who(past->who, static_cast<std::size_t>(past->count));
        require_saved(past->who.size() == past->state.positions.size(), "agents");
    }
    require_saved(other.bodies_.size() == count, "agents");
    require_saved(other.entry_facings_.size() == count, "agents");
    for (const Facing facing : other.entry_facings_) require_saved_facing(space(), facing);
    require_saved(other.jams_.size() == (other.jams_.looks() ? count : 0), "jams");
    require_saved(other.keep_ >= 0 && other.keep_ <= kLatest, "what is kept");
    for (const Row& row : other.rows_) {
        require_who(row.who, count);
        require_saved(row.where.size() <= count, "a row is too long");
        require_saved(row.who.empty() || row.who.size() == row.where.size(), "a row");
    }
    require_saved(later_events >= forgotten || !is_cut, "events");
    require_saved(!is_cut || later_events - forgotten <= other.events_.size(), "events");
    other.later_events_ = static_cast<std::size_t>(later_events);
    other.forgotten_ = static_cast<std::size_t>(forgotten);
    other.changes_ = static_cast<std::size_t>(changes);
    other.count_again();
    *this = std::move(other);
    jams_.catch_up(situation());
}

// All that follows from the state, once that is another one.
void World::count_again() {
    const auto count = static_cast<AgentId>(state_.positions.size());
    const std::int32_t width = space().is_grid() ? space().width() : 1;
    unfinished_ = 0;
    finished_.assign(state_.positions.size(), 1);
    present_.clear();
    for (AgentId a = 0; a < count; ++a) {
        Body& body = bodies_[a];
        body.width = width;
        require_saved_place(space(), state_.positions[a], body);
        require_saved_place(space(), state_.headings[a], body);
        require_saved(state_.progress[a] >= 0 && state_.progress[a] < body.period, "progress");
        require_saved((state_.progress[a] > 0) == (state_.headings[a] != kNowhere), "a move");
        embody(body);
        this->count(a);
        if (state_.positions[a] != kNowhere) present_.push_back(a);
    }
    std::vector<Vertex> places;
    for (const AgentId a : present_)
        bodies_[a].each_cell(state_.positions[a], [&](Vertex v) { places.push_back(v); });
    std::sort(places.begin(), places.end());
    require_saved(std::adjacent_find(places.begin(), places.end()) == places.end(),
                  "two agents are in one place");
}

std::vector<Facing> World::first_facings() const {
    std::vector<Facing> facings = first_state().facings;
    facings.insert(facings.end(),
                   entry_facings_.begin() + static_cast<std::ptrdiff_t>(facings.size()),
                   entry_facings_.end());
    return facings;
}

void World::set_goal(AgentId agent, Vertex goal) {
    state_.goals[agent] = goal;
    record(EventKind::goal, agent, goal);
    // An agent that finds itself at its goal is gone before it gets anywhere.
    if (rules_.disappear && on_goal(agent) && state_.progress[agent]) turn_back(agent);
    notice(agent);
    begin_anew(agent);
}

void World::set_open(Vertex v, bool open) {
    if (space().is_open(v) == open) return;
    jams_.catch_up(situation());
    state_.space.set_open(v, open);
    record(open ? EventKind::free : EventKind::block, kNobody, v);
    jams_.changed(1, v, present_);
    for (auto& [size, places] : large_)
        space().refit(places, size, v,
                      [&, size](Vertex place) { jams_.changed(size, place, present_); });
    for (const AgentId a : present_) {
        if (state_.progress[a] && !places(a).connects(state_.positions[a], state_.headings[a]))
            turn_back(a);
        if (bodies_[a].covers(state_.positions[a], v)) notice(a);
    }
}

void World::set_priority(AgentId agent, std::int32_t priority) {
    state_.priorities[agent] = priority;
    record(EventKind::priority, agent, priority);
}

AgentId World::add(Vertex position, Body body, Facing facing) {
    const auto agent = static_cast<AgentId>(state_.positions.size());
    state_.positions.push_back(position);
    if (position != kNowhere) present_.push_back(agent);
    state_.goals.push_back(kNowhere);
    state_.priorities.push_back(0);
    state_.facings.push_back(facing);
    entry_facings_.push_back(facing);
    state_.headings.push_back(kNowhere);
    state_.progress.push_back(0);
    bodies_.push_back(body);
    embody(body);
    finished_.push_back(1);
    jams_.add(position);
    record(EventKind::add, agent, position);
    return agent;
}

void World::remove(AgentId agent) {
    record(EventKind::remove, agent, state_.positions[agent]);
    state_.positions[agent] = kNowhere;
    std::erase(present_, agent);
    stop(agent);
    notice(agent);
    begin_anew(agent);
}

void World::sync(AgentId agent, Vertex position) {
    record(EventKind::displaced, agent, state_.positions[agent]);
    state_.positions[agent] = position;
    stop(agent);
    record(EventKind::sync, agent, position);
    // Who was on its way there has to stop: the place turns out to be taken.
    for (const AgentId a : present_) {
        if (state_.progress[a] && bodies_[a].overlaps(state_.headings[a], bodies_[agent], position))
            turn_back(a);
    }
    notice(agent);
    begin_anew(agent);
}

// An agent that is taken away or put elsewhere is no longer in the middle of a move.
void World::stop(AgentId agent) {
    state_.headings[agent] = kNowhere;
    state_.progress[agent] = 0;
}

void World::turn_back(AgentId agent) {
    record(EventKind::turned_back, agent, state_.headings[agent]);
    stop(agent);
}

AgentId World::bound_for(Vertex goal, AgentId except, const Body& body) const {
    for (const AgentId a : present_) {
        if (state_.goals[a] == kNowhere || a == except) continue;
        if (bodies_[a].overlaps(state_.goals[a], body, goal)) return a;
    }
    return kNobody;
}

AgentId World::occupant(Vertex v, const Body& body, AgentId except) const {
    for (const AgentId a : present_) {
        if (a == except) continue;
        if (bodies_[a].overlaps(state_.positions[a], body, v)) return a;
        if (state_.progress[a] && bodies_[a].overlaps(state_.headings[a], body, v)) return a;
    }
    return kNobody;
}

}  // namespace sidestep
