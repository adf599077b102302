// The world: the truth about positions, walls, goals and time. Planners propose; the guard
// disposes; everything that happens is recorded, so that a run can be replayed and judged.
//
// Agents keep their numbers for good, but a turn looks only at those who are there: who is gone
// costs memory, and no time.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "sidestep/model/archive.hpp"
#include "sidestep/model/body.hpp"
#include "sidestep/model/events.hpp"
#include "sidestep/model/facing.hpp"
#include "sidestep/model/rules.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/model/types.hpp"
#include "sidestep/world/body_guard.hpp"
#include "sidestep/world/guard.hpp"
#include "sidestep/world/jams.hpp"

namespace sidestep {

class World {
  public:
    // A slow agent in the middle of a move has a heading and some progress, in turns; one that has
    // to turn to go another way has a facing.
    struct State {
        Time time = 0;
        Space space = {};
        std::vector<Vertex> positions = {};
        std::vector<Vertex> goals = {};
        std::vector<std::int32_t> priorities = {};
        std::vector<Facing> facings = {};
        std::vector<Vertex> headings = {};
        std::vector<Time> progress = {};
        template <class Self, class Archive>
        static void fields(Self& self, Archive& archive) {
            archive(self.time, self.space, self.positions, self.goals, self.priorities,
                    self.facings, self.headings, self.progress);
        }
        static constexpr std::array<std::vector<std::int32_t> State::*, 6> kColumns = {
            &State::positions, &State::goals,    &State::priorities,
            &State::facings,   &State::headings, &State::progress};
    };
    // Where everybody was who was there at a time: without names, all of the first agents.
    struct Row {
        std::vector<AgentId> who = {};
        std::vector<Vertex> where = {};
        AgentId agent(std::size_t k) const {
            return who.empty() ? static_cast<AgentId>(k) : who[k];
        }
        template <class Self, class Archive>
        static void fields(Self& self, Archive& archive) {
            archive(self.who, self.where);
        }
    };

    // The state but for its space, which is the one given. `keep`: how many turns the record must
    // reach back; 0 for all. `patience`: after how many turns agents are stuck; 0 for never.
    World(Space space, Rules rules, State state, std::vector<Body> bodies, Time keep,
          Time patience = 0);

    // One turn. No targets: everybody waits, but for those in the middle of a move, who go on. A
    // slow agent moves when it has been given the same target for a whole period. An agent that has
    // a facing goes straight ahead, or turns: kTurnRight and kTurnLeft are targets, too. Returns
    // how many moves were refused.
    std::int32_t advance(std::span<const Vertex> targets);
    // The same with the targets of some agents; the others wait.
    std::int32_t advance(std::span<const AgentId> some, std::span<const Vertex> targets);
    // Puts agents in the middle of moves, for a record that begins there. Before the first turn.
    void resume(std::span<const Vertex> headings, std::span<const Time> progress);
    // How much of the record is kept, and after how many turns agents are stuck, from now on.
    void watch(Time keep, Time patience);
    void record_fault(EventKind kind) { record(kind, kNobody, kNowhere); }
    // What somebody else saw: another world of the same moves, or who has the tasks.
    void record_seen(EventKind kind, AgentId agent, std::int32_t value) {
        record(kind, agent, value);
    }

    void set_goal(AgentId agent, Vertex goal);
    void set_open(Vertex v, bool open);
    void set_priority(AgentId agent, std::int32_t priority);
    AgentId add(Vertex position, Body body = {}, Facing facing = kNoFacing);  // idle, priority 0
    void remove(AgentId agent);
    void sync(AgentId agent, Vertex position);

    // The whole state, for one made for the same problem to go on exactly as this one would.
    void save(Writer& writer) const;
    void load(Reader& reader);

    Time time() const { return state_.time; }
    std::int32_t unfinished() const { return unfinished_; }
    const Space& space() const { return state_.space; }
    bool is_open(Vertex v) const { return space().is_open(v); }
    // Who holds a cell of what a body would cover at v, other than `except`; or kNobody.
    AgentId occupant(Vertex v, const Body& body = {}, AgentId except = kNobody) const;
    // A present agent, other than `except`, whose goal overlaps this one; or kNobody.
    AgentId bound_for(Vertex goal, AgentId except, const Body& body = {}) const;
    std::span<const Vertex> positions() const { return state_.positions; }
    std::span<const Vertex> goals() const { return state_.goals; }
    std::span<const std::int32_t> priorities() const { return state_.priorities; }
    std::span<const Facing> facings() const { return state_.facings; }
    // Those at the first row, or when an agent was added after it.
    std::vector<Facing> first_facings() const;
    std::span<const Vertex> headings() const { return state_.headings; }
    std::span<const Time> progress() const { return state_.progress; }
    std::span<const Body> bodies() const { return bodies_; }

    std::vector<Jams::Stuck> stuck() const { return jams_.all(present_); }

    // Who is there, by number.
    std::span<const AgentId> present() const { return present_; }
    const State& state() const { return state_; }
    // The record: the state at the time of the first row, before its changes; the rows up to now,
    // which is not among them; the events.
    State first_state() const;
    Time first_time() const { return first_.state.time; }
    const Space& first_space() const { return first_.state.space; }
    const std::vector<Row>& rows() const { return rows_; }
    // The events from the given one on, counted since the world began.
    std::span<const Event> events(std::size_t since = 0) const {
        const std::size_t known = since > forgotten_ ? since - forgotten_ : 0;
        return std::span(events_).subspan(std::min(known, events_.size()));
    }
    // How many changes from outside there have been, and those from the given one on.
    std::size_t change_count() const { return changes_; }
    std::vector<Event> changes(std::size_t since) const;
    std::size_t event_count() const { return forgotten_ + events_.size(); }

  private:
    // The state at a time, of those who were there then; who had gone by then has not changed.
    struct Past {
        State state;
        std::vector<AgentId> who;
        AgentId count = 0;  // how many agents there had been
        template <class Self, class Archive>
        static void fields(Self& self, Archive& archive) {
            archive(self.state, self.who, self.count);
        }
    };
    Past as_of_now() const;
    std::int32_t go();
    void record(EventKind kind, AgentId agent, std::int32_t value) {
        events_.push_back({state_.time, static_cast<std::int32_t>(kind), agent, value});
        changes_ += is_change(events_.back());
    }
    bool on_goal(AgentId agent) const {
        const Vertex here = state_.positions[agent];
        return here != kNowhere && here == state_.goals[agent];
    }
    const Space& places(AgentId agent) const {
        const std::int32_t size = bodies_[agent].size;
        return size == 1 ? space() : large_.at(size);
    }
    void embody(Body body);
    void turn_or_face(AgentId agent);
    std::span<const AgentId> let_safe_moves_happen();
    std::span<const AgentId> let_safe_strides_happen();
    void stop(AgentId agent);
    void turn_back(AgentId agent);
    void count(AgentId agent);
    void count_again();
    void notice(AgentId agent);
    void begin_anew(AgentId agent);
    Situation situation() const {
        return {state_.time, state_.positions, state_.goals, state_.headings, state_.progress,
                bodies_,     finished_,        space(),      large_,          present_};
    }
    void look_for_jams();
    void forget();

    Rules rules_;
    State state_;                          // as of now
    std::vector<Vertex> asked_, targets_;  // what was proposed; what comes of it; of who is there
    std::vector<AgentId> present_;         // who is there, by number: the others cost nothing
    std::vector<std::uint8_t> finished_;   // gone, on its goal, or without one
    std::int32_t unfinished_ = 0;
    Guard guard_;
    std::vector<Body> bodies_;
    std::vector<Facing> entry_facings_;  // with which everybody came in
    bool all_unit_ = true;
    std::map<std::int32_t, Space> large_;  // where agents of a size fit, if that is over 1
    BodyGuard body_guard_;
    std::vector<Stride> strides_;       // of who is there
    std::vector<AgentId> turned_down_;  // whose strides were refused
    Jams jams_;

    Time keep_;
    Past first_, later_;  // `later_` becomes the first one when the record is cut
    std::size_t later_events_ = 0;
    std::vector<Row> rows_;
    std::vector<Event> events_;
    std::size_t forgotten_ = 0;  // events that are no longer in the record
    std::size_t changes_ = 0;    // from outside, since the world began
};

}  // namespace sidestep
