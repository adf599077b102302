#include "sidestep/solvers/dmrcp.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "sidestep/model/collision.hpp"
#include "sidestep/model/random.hpp"

namespace sidestep {

namespace {
constexpr std::uint8_t kForwards = 0, kAside = 1, kAlong = 2;
constexpr int kPlacesShown = 8;     // of the way that a request clears
constexpr int kMostPassedOn = 256;  // a request that has gone through more hands is refused
}  // namespace

Dmrcp::Dmrcp(Space space, Rules rules, std::uint64_t seed, std::span<const Vertex> goals,
             std::span<const std::int32_t> priorities)
    : ground_(std::move(space)),
      rules_(rules),
      seed_(mix(seed)),
      occupant_(ground_.space.size(), kNobody),
      claim_(ground_.space.size(), kNobody),
      shown_(ground_.space.size(), 0),
      reached_(ground_.space.size(), 0) {
    for (std::size_t k = 0; k < goals.size(); ++k) {
        const AgentId agent = add_agent();
        agents_[agent].goal = goals[k];
        set_priority(agent, priorities[k]);
    }
}

void Dmrcp::save(Writer& writer) const { writer(ground_.space, agents_, fingerprint_, counts_); }

void Dmrcp::load(Reader& reader) {
    Space space = ground_.space;
    std::vector<Agent> agents;
    std::uint64_t fingerprint = 0;
    Counts counts;
    reader(space, agents, fingerprint, counts);
    for (const Agent& self : agents) require_saved_vertex(space, self.goal);
    for (Vertex v = 0; v < space.size(); ++v)
        if (ground_.space.is_open(v) != space.is_open(v)) set_open(v, space.is_open(v));
    agents_ = std::move(agents);
    fingerprint_ = fingerprint;
    counts_ = counts;
}

void Dmrcp::turn(Time now, std::span<const Vertex> positions, Budget& budget,
                 std::span<Vertex> moves) {
    budget_ = &budget;
    ground_.distances.trim();
    look_around(now, positions, budget);
    line_up();
    for (const AgentId agent : line_)
        if (agents_[agent].target == kNowhere) speak(agent);
    count_moves();
    for (AgentId agent = 0; agent < size(); ++agent) {
        const Agent& self = agents_[agent];
        moves[agent] = self.target;
        if (self.here != kNowhere) occupant_[self.here] = claim_[self.target] = kNobody;
    }
}

// Where everybody is, how far it has to go, and whether it wants to.
void Dmrcp::look_around(Time now, std::span<const Vertex> positions, Budget& budget) {
    line_.clear();
    for (AgentId agent = 0; agent < size(); ++agent) {
        Agent& self = agents_[agent];
        self.here = positions[agent];
        self.target = kNowhere;
        if (self.here == kNowhere) continue;
        line_.push_back(agent);
        occupant_[self.here] = agent;
        const Cost way = distance(agent, self.here, budget);
        self.guesses = way == kNotReady;
        self.way = self.guesses ? ground_.space.estimate(self.here, self.goal) : way;
        if (self.way >= kUnreachable) self.way = 0;
        self.content = self.way == 0 && ground_.space.is_open(self.here);
        if (self.content && !self.guesses) self.standing = {self.priority, now, agent};
        if (rules_.disappear && self.here == self.goal) stay(agent);  // for the last time
    }
}

void Dmrcp::line_up() {
    const auto key = [this](AgentId agent) {
        const Agent& self = agents_[agent];
        const Standing& own = self.standing;
        return std::tuple(self.content, -std::int64_t{own.priority}, own.since, own.number, agent);
    };
    std::sort(line_.begin(), line_.end(), [&](AgentId a, AgentId b) { return key(a) < key(b); });
    fingerprint_ = 0;
    for (const AgentId agent : line_)
        fingerprint_ =
            mix(fingerprint_ ^ mix(static_cast<std::uint64_t>(agents_[agent].here) << 32 |
                                   static_cast<std::uint32_t>(agent)));
}

Cost Dmrcp::distance(AgentId agent, Vertex from, Budget& budget) {
    Agent& self = agents_[agent];
    if (self.goal == kNowhere || from == kNowhere) return 0;
    if (!ground_.space.is_open(self.goal)) return kUnreachable;
    return self.distances.get(ground_.distances, self.goal, from).at(from, budget);
}

// The way from another place, for who has somewhere to go; places it cannot reach it from are far.
Cost Dmrcp::way_from(AgentId agent, Vertex v) {
    const Agent& self = agents_[agent];
    if (self.way == 0 && self.here != self.goal) return 0;
    if (self.guesses) return ground_.space.estimate(v, self.goal);
    const Cost way = distance(agent, v, *budget_);
    return way == kNotReady ? kUnreachable : way;
}

// Nobody has asked: the agent goes its way, or waits.
void Dmrcp::speak(AgentId agent) {
    if (agents_[agent].content) return stay(agent);
    const Reply reply = decide(agent, kNobody, 0);
    if (reply.moves || reply.rival == kNobody) return;
    std::swap(agents_[agent].standing, agents_[reply.rival].standing);
    ++counts_.turned_heads;
}

// The agent finds a place to go, or stays. It may ask agents in its way to move.
Dmrcp::Reply Dmrcp::decide(AgentId agent, AgentId asker, int passed_on) {
    if (passed_on > kMostPassedOn || !may_decide()) return stay(agent), Reply{};
    if (!rules_.following) stay(agent);  // unless it finds a place
    const std::size_t first = options_.size();
    list_options(agent, asker);
    Found found = Found::nothing;
    AgentId rival = kNobody;
    bool cornered = true;
    for (std::size_t k = first; k < options_.size(); ++k) {
        found = attempt(agent, options_[k], asker, passed_on, rival);
        if (found == Found::place || found == Found::place_soon) break;
        cornered &= found == Found::corner;
    }
    options_.resize(first);
    if (found == Found::place) return {.moves = true};
    stay(agent);
    if (found == Found::place_soon || !cornered) return {};
    const Agent& self = agents_[agent];
    const bool wants_back = asker != kNobody && way_from(agent, agents_[asker].here) < self.way;
    return {.cornered = true, .rival = rival == kNobody && wants_back ? agent : rival};
}

Dmrcp::Found Dmrcp::attempt(AgentId agent, const Option& option, AgentId asker, int passed_on,
                            AgentId& rival) {
    const auto [to, kind] = std::pair(option.to, option.kind);  // options may move in memory
    const AgentId other = occupant_[to];
    if (!is_clear(agent, to))
        return other == asker && other != kNobody ? Found::corner : Found::nothing;
    const bool undecided = other != kNobody && agents_[other].target == kNowhere;
    if (other != kNobody && !undecided && !rules_.following) return Found::nothing;
    if (!undecided || rules_.following) {
        go(agent, to);
        agents_[agent].kind = kind;
    }
    if (!undecided) return Found::place;

    if (asker == kNobody) show_way(agent, to);
    ++counts_.requests;
    const Reply reply = decide(other, agent, passed_on + 1);
    if (rival == kNobody) rival = reply.rival;
    if (reply.moves) return rules_.following ? Found::place : Found::place_soon;
    return reply.cornered ? Found::corner : Found::nothing;
}

// Where the agent may go, best first. On its own it only goes forwards, or sideways; when it is
// asked to make room anywhere, but rather not along the way of who asks.
void Dmrcp::list_options(AgentId agent, AgentId asker) {
    const Agent& self = agents_[agent];
    const std::size_t first = options_.size();
    const bool trapped = !ground_.space.is_open(self.here);
    for (const Vertex to : ground_.space.successors(self.here)) {
        const Cost way = way_from(agent, to);
        if (way >= kUnreachable && !trapped) continue;  // it would never come back
        Option option{to, way, kAside, occupant_[to] != kNobody, 0};
        if (way < self.way)
            option.kind = kForwards;
        else if (asker == kNobody && !trapped && (way > self.way || option.occupied))
            continue;  // nobody is asked to make room for a step that leads no nearer
        else if (asker != kNobody && shown_[to] == shown_stamp_)
            option.kind = kAlong;
        option.tie = mix(seed_ ^ (static_cast<std::uint64_t>(agent) << 32 | to));
        options_.push_back(option);
    }
    const auto rank = [](const Option& o) {
        const bool forwards = o.kind == kForwards;
        return std::tuple(o.kind, forwards ? o.way : 0, o.occupied, o.way, o.tie, o.to);
    };
    std::sort(options_.begin() + static_cast<std::ptrdiff_t>(first), options_.end(),
              [&](const Option& a, const Option& b) { return rank(a) < rank(b); });
}

// Deciding takes next to no time. So when time runs out while distances are being found, which goes
// on next turn, nobody has to stand for that.
bool Dmrcp::may_decide() { return budget_->spend() || budget_->why() == Stop::time; }

// What everybody has decided so far.
struct Dmrcp::Others {
    const Dmrcp& all;
    struct Other {
        Vertex target;  // kNowhere: not decided yet
        bool goes(Vertex v) const { return target == v; }
    };
    template <class Wanted>
    bool any_before(Vertex v, Wanted&& wanted) const {
        const AgentId there = all.occupant_[v];
        return there != kNobody && wanted(Other{all.agents_[there].target});
    }
};

// May the agent go there, given what has been decided so far? Whether it may follow is decided by
// who asks.
bool Dmrcp::is_clear(AgentId agent, Vertex to) const {
    if (claim_[to] != kNobody) return false;
    return !any_on_the_way(
        ground_.space, rules_, {agents_[agent].here, to}, Others{*this},
        [](CollisionKind kind, const Others::Other&) { return kind != CollisionKind::following; });
}

// Decides, perhaps for the time being, where the agent goes. Who stays takes its place back from
// the one that asked for it.
void Dmrcp::go(AgentId agent, Vertex to) {
    Agent& self = agents_[agent];
    if (self.target != kNowhere && claim_[self.target] == agent) claim_[self.target] = kNobody;
    self.target = to;
    claim_[to] = agent;
}

// The next places of who asks for room, which those who make it had better leave free.
void Dmrcp::show_way(AgentId agent, Vertex next) {
    ++shown_stamp_;
    Cost way = way_from(agent, next);
    for (int k = 0; k < kPlacesShown && way < kUnreachable; ++k) {
        shown_[next] = shown_stamp_;
        const auto nearer = std::ranges::find_if(ground_.space.successors(next), [&](Vertex v) {
            return way_from(agent, v) == way - 1;
        });
        if (way == 0 || nearer == ground_.space.successors(next).end()) return;
        next = *nearer;
        --way;
    }
}

void Dmrcp::count_moves() {
    for (const AgentId agent : line_) {
        const Agent& self = agents_[agent];
        counts_.told += within_reach(self.here);
        if (self.target == self.here)
            counts_.waits += !self.content;
        else if (self.kind == kForwards)
            ++counts_.forwards;
        else
            ++(self.kind == kAside ? counts_.dodges : counts_.retreats);
    }
}

// How many others are within two cells of it, or two steps on a graph.
std::int64_t Dmrcp::within_reach(Vertex v) {
    std::int64_t count = 0;
    if (ground_.space.is_grid()) {
        const std::int32_t width = ground_.space.width(), height = ground_.space.size() / width;
        const std::int32_t row = ground_.space.row(v), col = ground_.space.col(v);
        for (std::int32_t r = std::max(row - 2, 0); r <= std::min(row + 2, height - 1); ++r)
            for (std::int32_t c = std::max(col - 2, 0); c <= std::min(col + 2, width - 1); ++c)
                count += occupant_[r * width + c] != kNobody;
        return count - 1;
    }
    ++reached_stamp_;
    const auto visit = [&](Vertex u) {
        count +=
            std::exchange(reached_[u], reached_stamp_) != reached_stamp_ && occupant_[u] != kNobody;
    };
    visit(v);
    for (const Vertex u : ground_.space.successors(v)) {
        visit(u);
        for (const Vertex w : ground_.space.successors(u)) visit(w);
    }
    return count - 1;
}

void Dmrcp::set_open(Vertex v, bool open) { ground_.set_open(v, open); }

void Dmrcp::set_goal(AgentId agent, Vertex goal) {
    Agent& self = agents_[agent];
    self.distances.release(ground_.distances, self.goal);
    self.goal = goal;
}

void Dmrcp::set_priority(AgentId agent, std::int32_t priority) {
    agents_[agent].priority = agents_[agent].standing.priority = priority;
}

AgentId Dmrcp::add_agent() {
    agents_.emplace_back();
    agents_.back().standing.number = size() - 1;
    return size() - 1;
}

void Dmrcp::forget_all_but(std::span<const AgentId> kept) {
    std::vector<Agent> left;
    for (const AgentId agent : kept) {
        left.push_back(std::move(agents_[agent]));
        // It may be the number of somebody else, who may be gone: the order stays.
        AgentId& number = left.back().standing.number;
        number = static_cast<AgentId>(std::ranges::lower_bound(kept, number) - kept.begin());
    }
    for (Agent& gone : agents_) gone.distances.release(ground_.distances, gone.goal);
    agents_ = std::move(left);
}

}  // namespace sidestep
