#include "sidestep/solvers/lra.hpp"

#include <algorithm>
#include <limits>

#include "sidestep/model/collision.hpp"
#include "sidestep/model/random.hpp"
#include "sidestep/search/open_heap.hpp"

namespace sidestep {

Lra::Lra(Space space, Rules rules, Options options, std::uint64_t seed,
         std::span<const Vertex> goals)
    : space_(std::move(space)),
      rules_(rules),
      options_(options),
      seed_(seed),
      before_(space_.size(), kNobody),
      now_(space_.size(), kNobody),
      seen_(space_.size()) {
    for (Vertex goal : goals) set_goal(add_agent(), goal);
}

void Lra::turn(std::span<const Vertex> positions, std::span<const AgentId> order, Budget& budget,
               std::span<Vertex> moves) {
    std::copy(positions.begin(), positions.end(), moves.begin());
    moves_ = moves;
    for (AgentId a = 0; a < static_cast<AgentId>(positions.size()); ++a)
        if (positions[a] != kNowhere) before_[positions[a]] = now_[positions[a]] = a;

    for (const AgentId agent : order) {
        const Vertex from = positions[agent];
        if (from == kNowhere || !ensure_route(agent, from, budget)) continue;
        auto& route = agents_[agent].route;
        const Vertex to = route.back();
        if (!is_clear({from, to})) continue;  // even the repaired route is blocked: wait
        route.pop_back();
        moves[agent] = to;
        now_[from] = kNobody;
        now_[to] = agent;
    }
    for (std::size_t a = 0; a < positions.size(); ++a)
        if (positions[a] != kNowhere)
            before_[positions[a]] = now_[positions[a]] = now_[moves[a]] = kNobody;
}

// Those who have moved already in this turn, and those who still stand.
struct Lra::Others {
    const Lra& lra;
    struct Other {
        Vertex target;
        bool goes(Vertex v) const { return target == v; }
    };
    template <class Wanted>
    bool any_before(Vertex v, Wanted&& wanted) const {
        const AgentId there = lra.before_[v];
        return there != kNobody && wanted(Other{lra.moves_[there]});
    }
    template <class Wanted>
    bool any_after(Vertex v, Wanted&& wanted) const {
        return lra.now_[v] != kNobody && wanted(Other{v});
    }
};

// May an agent make this move? Nobody enters the place that it leaves before it has moved.
bool Lra::is_clear(Move move) const {
    const Others others{*this};
    const auto any = [](CollisionKind, const Others::Other&) { return true; };
    return !any_meeting(move, others, any) && !any_on_the_way(space_, rules_, move, others, any);
}

// Makes sure that there is a next step from here, repairing the route if somebody is in the way.
bool Lra::ensure_route(AgentId agent, Vertex from, Budget& budget) {
    Agent& self = agents_[agent];
    const Vertex goal = self.goal;
    if (goal == kNowhere || from == goal || !space_.is_open(goal)) return step_out(agent, from);
    auto& route = self.route;
    const bool valid = !route.empty() && space_.connects(from, route.back());
    if (valid && is_clear({from, route.back()})) return true;
    const bool forced = valid || (self.boxed_in && options_.agitated_when_boxed_in);
    if (forced) {
        ++self.agitation;
        ++replans_;
    }
    const bool found = plan(agent, from, budget);
    self.boxed_in = !found;
    if (found) return !forced || options_.moves_after_repair;
    return step_out(agent, from);
}

// An agent with nowhere to go stays, unless its place has closed: then any open one will do.
bool Lra::step_out(AgentId agent, Vertex from) {
    if (space_.is_open(from)) return false;
    for (const Vertex to : space_.successors(from))
        if (is_clear({from, to})) {
            agents_[agent].route.assign(1, to);
            return true;
        }
    return false;
}

// A* by geometry, around closed vertices and the agents right beside this one.
bool Lra::plan(AgentId agent, Vertex from, Budget& budget) {
    Agent& self = agents_[agent];
    self.route.clear();
    if (!budget.fits(bytes())) return false;
    draw_ = mix(draw_ ^ seed_);
    ++stamp_;
    heap_.clear();
    const auto later = [](const Open& a, const Open& b) {
        return a.f != b.f ? a.f > b.f : a.g != b.g ? a.g < b.g : a.vertex > b.vertex;
    };
    const auto push = [&](Vertex v, Cost g, Vertex parent) {
        seen_[v] = {stamp_, g, parent, false};
        heap_.push_back({rank(self, v, g), g, v});
        std::push_heap(heap_.begin(), heap_.end(), later);
    };
    push(from, 0, kNowhere);
    for (const Vertex u : space_.successors(from))
        if (now_[u] != kNobody) seen_[u] = {stamp_, 0, kNowhere, true};  // a wall, this once
    while (!heap_.empty()) {
        if (!budget.spend()) return false;
        const Vertex v = close_first(heap_, seen_, later);
        if (v == kNowhere) continue;
        if (v == self.goal) {
            for (Vertex u = v; u != from; u = seen_[u].parent) self.route.push_back(u);
            return true;
        }
        for (const Vertex u : space_.successors(v)) {
            if (v == from && !is_clear({v, u})) continue;
            const Cost g = seen_[v].g + 1;
            if (seen_[u].stamp != stamp_ || (!seen_[u].closed && g < seen_[u].g)) push(u, g, v);
        }
    }
    return false;
}

std::int64_t Lra::rank(const Agent& self, Vertex v, Cost g) const {
    constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max() - 1;
    const std::uint64_t range = std::min(std::uint64_t{self.agitation} * options_.noise, most);
    const std::int64_t steps = std::int64_t{g} + space_.estimate(v, self.goal);
    return steps * 256 +
           scaled(mix(draw_ + static_cast<std::uint64_t>(v)), static_cast<std::uint32_t>(range));
}

std::int64_t Lra::bytes() const {
    return static_cast<std::int64_t>((before_.size() + now_.size()) * sizeof(AgentId) +
                                     seen_.size() * sizeof(Seen) + heap_.capacity() * sizeof(Open));
}

void Lra::set_open(Vertex v, bool open) {
    space_.set_open(v, open);
    for (Agent& self : agents_) {
        self.route.clear();
        self.boxed_in = false;
    }
}

void Lra::set_goal(AgentId agent, Vertex goal) {
    agents_[agent] = Agent{};
    agents_[agent].goal = goal;
}

void Lra::save(Writer& writer) const { writer(space_, agents_, draw_, replans_); }

void Lra::load(Reader& reader) {
    Space space = space_;
    std::vector<Agent> agents;
    std::uint64_t draw = 0;
    std::int64_t replans = 0;
    reader(space, agents, draw, replans);
    for (const Agent& self : agents) {
        require_saved_vertex(space, self.goal);
        require_saved_path(space, self.route);
    }
    space_ = std::move(space);
    agents_ = std::move(agents);
    draw_ = draw;
    replans_ = replans;
}

void Lra::forget_all_but(std::span<const AgentId> kept) {
    std::vector<Agent> left;
    for (const AgentId agent : kept) left.push_back(std::move(agents_[agent]));
    agents_ = std::move(left);
}

AgentId Lra::add_agent() {
    agents_.emplace_back();
    return static_cast<AgentId>(agents_.size()) - 1;
}

}  // namespace sidestep
