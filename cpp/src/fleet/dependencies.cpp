#include "sidestep/fleet/dependencies.hpp"

#include <algorithm>
#include <numeric>

#include "sidestep/model/collision.hpp"

namespace sidestep {

namespace {

std::uint64_t key(Move move) {
    return std::uint64_t{static_cast<std::uint32_t>(move.from)} << 32 |
           static_cast<std::uint32_t>(move.to);
}

// The cells that a body covers in one place and not in another; either may be nowhere.
template <class Call>
void each_only_in(const Body& body, Vertex at, Vertex but, Call&& call) {
    if (at == kNowhere) return;
    if (but == kNowhere)
        body.each_cell(at, call);
    else
        body.each_cell_except(at, but, call);
}

// A number that was given back, or a new one.
template <class Value>
std::int32_t keep(std::vector<Value>& all, std::vector<std::int32_t>& free, const Value& value) {
    if (free.empty()) {
        all.push_back(value);
        return static_cast<std::int32_t>(all.size()) - 1;
    }
    const std::int32_t id = free.back();
    free.pop_back();
    all[id] = value;
    return id;
}

}  // namespace

Dependencies::Dependencies(const Space& space, const Rules& rules, const Agents& agents)
    : space_(space),
      rules_(rules),
      bodies_(agents.bodies),
      routes_(agents.size()),
      mover_of_(agents.size(), -1),
      leaver_(static_cast<std::size_t>(space.size()), kNoVisit) {
    const auto is_small = [](const Body& body) { return body.size == 1; };
    may_turn_ = !crosses() && std::all_of(bodies_.begin(), bodies_.end(), is_small);
    for (std::size_t a = 0; a < routes_.size(); ++a) {
        routes_[a].place = agents.positions[a];
        dirty_.push_back(static_cast<AgentId>(a));
    }
}

Dependencies Dependencies::committed() const {
    Agents agents;
    agents.bodies = bodies_;
    for (const Route& route : routes_) agents.positions.push_back(route.place);
    Dependencies same(space_, rules_, agents);
    for (AgentId a = 0; a < static_cast<AgentId>(routes_.size()); ++a) {
        Route& route = same.routes_[a];
        route.finished = route.released = finished(a);
        for (std::int32_t number = finished(a) + 1; number <= released(a); ++number) {
            same.append(a, place(a, number));
            same.leave(route.ahead.back());
            same.pass(route.ahead.back());
        }
        route.released = released(a);
    }
    same.turned_ = turned_;
    return same;
}

bool Dependencies::crosses() const { return checks_crossings(space_, rules_); }

// All at once: to grow step by step copies most of it several times. False: too little memory.
bool Dependencies::reserve(const PlanRows& rows, Budget& budget) {
    std::vector<std::size_t> moves(rows.agents, 0);
    for (std::size_t t = 1; t < rows.count(); ++t)
        for (std::size_t a = 0; a < rows.agents; ++a) moves[a] += rows[t][a] != rows[t - 1][a];
    const std::size_t all = std::accumulate(moves.begin(), moves.end(), std::size_t{0});
    const std::size_t bytes = all * (sizeof(Visit) + sizeof(Link) + sizeof(VisitId)) +
                              leaver_.size() * sizeof(VisitId) + routes_.size() * sizeof(Route);
    if (!budget.fits(static_cast<std::int64_t>(bytes))) return false;
    for (std::size_t a = 0; a < rows.agents; ++a)
        routes_[a].ahead.reserve(routes_[a].ahead.size() + moves[a]);
    visits_.reserve(visits_.size() + all);
    links_.reserve(links_.size() + all);
    return true;
}

bool Dependencies::add(const PlanRows& rows, Budget& budget) {
    if (!reserve(rows, budget)) return false;
    for (std::size_t t = 1; t < rows.count(); ++t) {
        if (!budget.look()) return false;
        add_visits(rows[t - 1], rows[t]);
        if (find_ring(static_cast<Time>(t))) return false;
    }
    for (AgentId a = 0; a < static_cast<AgentId>(routes_.size()); ++a) mark_dirty(a);
    return true;
}

// Everybody leaves before anybody enters: who follows waits for the one in front.
void Dependencies::add_visits(std::span<const Vertex> before, std::span<const Vertex> after) {
    movers_.clear();
    for (AgentId a = 0; a < static_cast<AgentId>(routes_.size()); ++a) {
        if (before[a] == after[a]) continue;
        append(a, after[a]);
        movers_.push_back(routes_[a].ahead.back());
        leave(movers_.back());
    }
    for (const VisitId id : movers_) link_entered(id);
    if (!crosses()) return;
    for (const VisitId id : movers_) link_crossings(id);
    for (const VisitId id : movers_) pass(id);
}

void Dependencies::append(AgentId a, Vertex place) {
    const Visit visit{a, total(a) + 1, place, 0, kNoLink, kNoLink};
    routes_[a].ahead.push_back(keep(visits_, free_visits_, visit));
}

void Dependencies::leave(VisitId id) {
    const Visit& visit = visits_[id];
    const Move move = move_of(visit);
    each_only_in(bodies_[visit.agent], move.from, move.to,
                 [&](Vertex cell) { leaver_[cell] = id; });
}

void Dependencies::link_entered(VisitId id) {
    const Visit& visit = visits_[id];
    const Move move = move_of(visit);
    each_only_in(bodies_[visit.agent], move.to, move.from, [&](Vertex cell) {
        if (leaver_[cell] != kNoVisit) link(leaver_[cell], id);
    });
}

void Dependencies::pass(VisitId id) {
    const Move move = move_of(visits_[id]);
    if (!crosses() || bodies_[visits_[id].agent].size > 1 || move.to == kNowhere) return;
    if (space_.any_crossing(move, [](Move) { return true; })) passing_[key(move)] = id;
}

// Two moves that cross share no place. (Larger agents overlap with who would cross.) Those along
// one move follow each other by its places, so the last one is enough.
void Dependencies::link_crossings(VisitId id) {
    const Move move = move_of(visits_[id]);
    if (bodies_[visits_[id].agent].size > 1 || move.to == kNowhere) return;
    space_.any_crossing(move, [&](Move other) {
        const auto found = passing_.find(key(other));
        if (found != passing_.end()) link(found->second, id);
        return false;
    });
}

void Dependencies::link(VisitId from, VisitId to) {
    if (visits_[from].agent == visits_[to].agent) return;  // its own order is enough
    for (LinkId l = visits_[to].in; l != kNoLink; l = links_[l].next_in)
        if (links_[l].from == from) return;
    const LinkId l = keep(links_, free_links_, Link{from, to, visits_[to].in, visits_[from].out});
    visits_[to].in = visits_[from].out = l;
    ++visits_[to].waiting;
}

// Takes a link out of both lists, which are short.
void Dependencies::unlink(LinkId l) {
    const Link gone = links_[l];
    LinkId* in = &visits_[gone.to].in;
    while (*in != l) in = &links_[*in].next_in;
    *in = gone.next_in;
    LinkId* out = &visits_[gone.from].out;
    while (*out != l) out = &links_[*out].next_out;
    *out = gone.next_out;
    --visits_[gone.to].waiting;
    free_links_.push_back(l);
}

// The number of a visit among those of this step; -1: it is of another one.
std::int32_t Dependencies::in_step(VisitId id) const {
    const std::int32_t k = mover_of_[visits_[id].agent];
    return k >= 0 && movers_[k] == id ? k : -1;
}

// Of those who move in this step: peels off who waits for nobody else among them.
bool Dependencies::find_ring(Time step) {
    std::vector<std::int32_t> behind(movers_.size(), 0);
    std::vector<std::size_t> free;
    for (std::size_t k = 0; k < movers_.size(); ++k)
        mover_of_[visits_[movers_[k]].agent] = static_cast<std::int32_t>(k);
    for (std::size_t k = 0; k < movers_.size(); ++k) {
        for (LinkId l = visits_[movers_[k]].in; l != kNoLink; l = links_[l].next_in)
            behind[k] += in_step(links_[l].from) >= 0;
        if (behind[k] == 0) free.push_back(k);
    }
    for (std::size_t done = 0; done < free.size(); ++done)
        for (LinkId l = visits_[movers_[free[done]]].out; l != kNoLink; l = links_[l].next_out) {
            const std::int32_t k = in_step(links_[l].to);
            if (k >= 0 && --behind[k] == 0) free.push_back(static_cast<std::size_t>(k));
        }
    const bool is_ring = free.size() < movers_.size();
    if (is_ring) ring_ = Ring{step, ring_among(behind)};
    for (const VisitId id : movers_) mover_of_[visits_[id].agent] = -1;
    return is_ring;
}

// Everybody who is left waits for another who is left: follow that until somebody comes twice.
std::vector<AgentId> Dependencies::ring_among(std::span<const std::int32_t> behind) const {
    const auto next = [&](std::int32_t k) {
        LinkId l = visits_[movers_[k]].in;
        const auto is_left = [&](VisitId id) {
            return in_step(id) >= 0 && behind[in_step(id)] > 0;
        };
        while (!is_left(links_[l].from)) l = links_[l].next_in;
        return in_step(links_[l].from);
    };
    std::vector<std::uint8_t> seen(movers_.size(), 0);
    std::int32_t k = 0;
    while (behind[k] == 0) ++k;
    for (; !seen[k]; k = next(k)) seen[k] = 1;
    std::vector<AgentId> agents;
    for (; seen[k] != 2; k = next(k)) {
        seen[k] = 2;
        agents.push_back(visits_[movers_[k]].agent);
    }
    return agents;
}

Vertex Dependencies::place(AgentId a, std::int32_t number) const {
    return number == routes_[a].finished ? routes_[a].place : visits_[visit_of(a, number)].place;
}

void Dependencies::mark_dirty(AgentId a) {
    if (!routes_[a].is_dirty) dirty_.push_back(a);
    routes_[a].is_dirty = true;
}

void Dependencies::finish(AgentId a, std::int32_t number) {
    Route& route = routes_[a];
    while (route.finished < number) {
        const VisitId id = route.ahead[route.begin];
        forget(id);
        route.place = visits_[id].place;
        ++route.begin;
        ++route.finished;
        free_visits_.push_back(id);
        mark_dirty(a);
    }
    if (route.begin > 64 && 2 * route.begin > route.ahead.size()) {
        route.ahead.erase(route.ahead.begin(),
                          route.ahead.begin() + static_cast<std::ptrdiff_t>(route.begin));
        route.begin = 0;
    }
}

// A visit is finished: nobody waits for it any more.
void Dependencies::forget(VisitId id) {
    const Visit& visit = visits_[id];
    while (visit.out != kNoLink) {
        mark_dirty(visits_[links_[visit.out].to].agent);
        unlink(visit.out);
    }
    const Move move = move_of(visit);
    each_only_in(bodies_[visit.agent], move.from, move.to, [&](Vertex cell) {
        if (leaver_[cell] == id) leaver_[cell] = kNoVisit;
    });
    if (passing_.empty()) return;
    const auto found = passing_.find(key(move));
    if (found != passing_.end() && found->second == id) passing_.erase(found);
}

void Dependencies::release(std::int32_t ahead, std::int32_t worth) {
    for (const AgentId a : dirty_) {
        Route& route = routes_[a];
        route.is_dirty = false;
        const std::int32_t most = std::min(total(a), route.finished + ahead);
        while (route.released < most &&
               (visits_[visit_of(a, route.released + 1)].waiting == 0 || turn(a, worth)))
            ++route.released;
    }
    dirty_.clear();
}

std::vector<Dependencies::Wait> Dependencies::waits(AgentId a) const {
    std::vector<Wait> all;
    if (released(a) == total(a)) return all;
    const Visit& next = visits_[visit_of(a, released(a) + 1)];
    for (LinkId l = next.in; l != kNoLink; l = links_[l].next_in) {
        const Visit& other = visits_[links_[l].from];
        all.push_back({other.agent, other.number, next.place});
    }
    std::sort(all.begin(), all.end(),
              [](const Wait& one, const Wait& other) { return one.other < other.other; });
    return all;
}

}  // namespace sidestep
