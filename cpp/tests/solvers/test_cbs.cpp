// Conflict-Based Search, part by part, and against a joint search over all agents at once.
#include "sidestep/solvers/cbs.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <set>
#include <vector>

#include "check.hpp"
#include "plain.hpp"
#include "sidestep/solvers/cbs/heuristic.hpp"
#include "sidestep/solvers/cbs/symmetry.hpp"
#include "sidestep/spacetime/conflicts.hpp"

namespace sidestep::cbs {

using plain::drawn;

namespace {

using Path = std::vector<Vertex>;

// A space that outlives what is built on it.
struct Fixture {
    Fixture(const plain::Ground& ground, const Rules& rules, Path starts, Path goals)
        : space(ground.compiled()), instance(space, rules, starts, goals), shared(instance) {}

    SetId set(AgentId agent, std::vector<Constraint> constraints) {
        return shared.sets.intern(agent, constraints);
    }
    // The agent's cheapest path under the constraints; nothing if there is none.
    std::optional<Path> path(AgentId agent, std::vector<Constraint> constraints,
                             const Traffic* traffic = nullptr) {
        shared.load(set(agent, constraints));
        Path found;
        const Outcome outcome =
            shared.low_level.find(agent, shared.table, traffic, budget, found, cost);
        if (outcome != Outcome::found) return std::nullopt;
        return found;
    }
    const ConstrainedDiagram& diagram(AgentId agent, std::vector<Constraint> constraints = {}) {
        REQUIRE(path(agent, constraints).has_value());
        return *shared.diagram(set(agent, constraints), cost, budget);
    }

    Space space;
    Instance instance;
    SharedState shared;
    Budget budget;
    Cost cost = 0;
};

Cost cost_of(const Instance& instance, AgentId a, const Path& path) {
    if (instance.is_idle(a)) return 0;
    if (instance.counts_every_step()) return static_cast<Cost>(path.size()) - 1;
    Cost sum = 0;
    for (std::size_t t = 0; t + 1 < path.size(); ++t)
        sum += path[t] != instance.goals[a] || path[t + 1] != instance.goals[a];
    return sum;
}

// Every way of one agent of up to `longest` steps that ends on its goal.
std::vector<Path> all_paths(const Instance& instance, AgentId a, std::size_t longest) {
    std::vector<Path> open{{instance.starts[a]}}, found;
    while (!open.empty()) {
        Path path = std::move(open.back());
        open.pop_back();
        if (path.back() == instance.goals[a]) {
            found.push_back(path);
            if (instance.vanishes(a)) continue;
        }
        if (path.size() > longest) continue;
        const Vertex last = path.back();
        path.push_back(last);
        open.push_back(path);
        for (const Vertex to : instance.space.successors(last)) {
            path.back() = to;
            open.push_back(path);
        }
    }
    return found;
}

bool keeps_all(const Instance& instance, AgentId a, const Path& path,
               const std::vector<Constraint>& constraints) {
    return std::all_of(constraints.begin(), constraints.end(),
                       [&](const Constraint& c) { return keeps(instance, {a, path}, c); });
}

std::vector<Constraint> random_constraints(plain::Random& random, const Space& space, Time latest) {
    std::vector<Constraint> all;
    for (int k = random.below(6); k-- > 0;) {
        const Vertex v = random.below(space.size());
        const Time t = random.between(1, latest);
        const auto near = space.successors(v);
        switch (random.below(6)) {
            case 0:
                all.push_back(Constraint::avoid(v, t, t + random.below(3)));
                break;
            case 1:
                if (!near.empty())
                    all.push_back(Constraint::avoid_move(
                        {v, near[random.below(static_cast<int>(near.size()))]}, t));
                break;
            case 2:
                if (random.chance(30)) all.push_back(Constraint::visit(v, t));
                break;
            default:
                all.push_back(Constraint::avoid(v, t));
        }
    }
    return all;
}

// The least sum of costs of a plan of at most `longest` steps, by all states of all agents.
// `sum_of_costs` is charged by letting an agent promise to stay where it has arrived.
std::optional<Cost> joint_cost(const Instance& instance, Time longest) {
    using State = std::vector<std::pair<Vertex, bool>>;  // where, and has it promised to stay
    const auto n = static_cast<AgentId>(instance.starts.size());
    const auto options = [&](AgentId a, std::pair<Vertex, bool> at) {
        std::vector<std::pair<std::pair<Vertex, bool>, Cost>> all;
        const Vertex goal = instance.goals[a];
        if (at.first == kNowhere || (instance.vanishes(a) && at.first == goal))
            return all = {{{kNowhere, true}, 0}};
        if (at.second) return all = {{at, 0}};
        const auto add = [&](Vertex to) {
            const bool is_free = instance.is_idle(a) ||
                                 (!instance.counts_every_step() && to == at.first && to == goal);
            all.push_back({{to, false}, is_free ? 0 : 1});
            if (to == goal) all.push_back({{to, true}, is_free ? 0 : 1});
        };
        add(at.first);
        for (const Vertex to : instance.space.successors(at.first)) add(to);
        return all;
    };
    std::vector<State> starts{{}};
    for (AgentId a = 0; a < n; ++a) {
        std::vector<State> more;
        for (State state : starts)
            for (const bool stays : {false, true}) {
                if (stays && instance.starts[a] != instance.goals[a]) continue;
                state.resize(a);
                state.emplace_back(instance.starts[a], stays);
                more.push_back(state);
            }
        starts = more;
    }
    std::map<State, Cost> here;
    for (const State& state : starts) here[state] = 0;
    std::optional<Cost> best;
    for (Time t = 0; t <= longest; ++t) {
        std::map<State, Cost> then;
        for (const auto& [state, cost] : here) {
            bool is_end = true;
            for (AgentId a = 0; a < n; ++a)
                is_end &= instance.is_idle(a) || state[a].second ||
                          (instance.vanishes(a) && state[a].first == instance.goals[a]);
            if (is_end && (!best || cost < *best)) best = cost;
            if (best && cost >= *best) continue;
            const auto extend = [&](auto&& self, State& next, Cost sum) -> void {
                const auto a = static_cast<AgentId>(next.size());
                if (a == n) {
                    const auto known = then.find(next);
                    if (known == then.end() || known->second > sum) then[next] = sum;
                    return;
                }
                for (const auto& [to, step] : options(a, state[a])) {
                    bool collision = false;
                    for (AgentId b = 0; b < a; ++b)
                        collision |=
                            collides(instance.space, instance.rules, {state[a].first, to.first},
                                     {state[b].first, next[b].first});
                    if (collision) continue;
                    next.push_back(to);
                    self(self, next, sum + step);
                    next.pop_back();
                }
            };
            State next;
            extend(extend, next, cost);
        }
        here.swap(then);
    }
    return best;
}

std::vector<Path> sample_places(plain::Random& random, const plain::Ground& ground, int agents) {
    auto starts = ground.open_vertices(), goals = starts;
    random.shuffle(starts);
    random.shuffle(goals);
    starts.resize(agents);
    goals.resize(agents);
    return {starts, goals};
}

bool reaches(Instance& instance, Budget& budget) {
    for (std::size_t a = 0; a < instance.starts.size(); ++a)
        if (instance.goals[a] != kNowhere &&
            instance.distances_to(instance.goals[a], budget)[instance.starts[a]] >= kUnreachable)
            return false;
    return true;
}

}  // namespace

TEST("constraints: a table forbids what its set says") {
    ConstraintTable table(9);
    table.load(std::vector{Constraint::avoid(4, 2), Constraint::avoid_move({1, 2}, 3),
                           Constraint::avoid(5, 1, kForever), Constraint::visit(7, 6)},
               8, true);
    CHECK(table.bans(4, 2));
    CHECK(!table.bans(4, 3));
    CHECK(table.bans(Move{1, 2}, 3));
    CHECK(!table.bans(Move{2, 2}, 3));
    CHECK(!table.bans(Move{1, 2}, 4));
    CHECK(!table.bans(5, 0));
    CHECK(table.bans(5, 1000));
    CHECK(table.bans(3, 6));  // it has to be elsewhere
    CHECK(!table.bans(7, 6));
    CHECK_EQ(table.last(), 6);
    CHECK_EQ(table.earliest_end(), 6);
    table.load(std::vector{Constraint::avoid(8, 3), Constraint::later(9), Constraint::within(12)},
               8, true);
    CHECK_EQ(table.earliest_end(), 10);
    CHECK_EQ(table.latest_end(), 12);
    CHECK(!table.bans(4, 2));
    table.load({}, 8, true);
    CHECK_EQ(table.earliest_end(), 0);
    CHECK(!table.bans(8, 3));
}

TEST("constraints: equal sets have one number, whatever their order") {
    ConstraintSets sets;
    std::vector one{Constraint::avoid(1, 2), Constraint::avoid(3, 4), Constraint::avoid(1, 2)};
    std::vector two{Constraint::avoid(3, 4), Constraint::avoid(1, 2)};
    std::vector three = two;
    const SetId first = sets.intern(0, one);
    CHECK_EQ(sets.intern(0, two), first);
    CHECK(sets.intern(1, three) != first);
    CHECK_EQ(sets[first].constraints.size(), 2);
}

TEST("constraints: what one agent must do keeps the others away") {
    std::vector<Constraint> others;
    add_for_others(Constraint::within(5), 7, others);
    CHECK(others == std::vector{Constraint::avoid(7, 5, kForever)});
    others.clear();
    add_for_others(Constraint::visit_move({1, 2}, 3), 7, others);
    CHECK_EQ(others.size(), 3);
    others.clear();
    add_for_others(Constraint::avoid(1, 2), 7, others);
    CHECK(others.empty());
}

TEST("low level: no path under the same constraints is cheaper") {
    plain::Random random(41);
    int compared = 0;
    for (int round = 0; round < 500; ++round) {
        const auto ground = plain::random_ground(random, 3);
        if (ground.open_vertices().size() < 2) continue;
        const auto places = sample_places(random, ground, 1);
        Fixture f(ground, plain::random_rules(random), places[0], places[1]);
        if (!reaches(f.instance, f.budget)) continue;
        const auto constraints = random_constraints(random, f.space, 4);
        constexpr std::size_t kLongest = 7;
        std::optional<Cost> least;
        for (const Path& path : all_paths(f.instance, 0, kLongest))
            if (keeps_all(f.instance, 0, path, constraints)) {
                const Cost cost = cost_of(f.instance, 0, path);
                least = std::min(least.value_or(cost), cost);
            }
        const auto found = f.path(0, constraints);
        if (found) {
            CHECK(keeps_all(f.instance, 0, *found, constraints));
            CHECK_EQ(cost_of(f.instance, 0, *found), f.cost);
            if (f.cost <= static_cast<Cost>(kLongest) - 2) CHECK_EQ(f.cost, least.value_or(-1));
            ++compared;
        } else {
            CHECK(!least);
        }
    }
    CHECK(compared > 200);
}

TEST("low level: of equally cheap paths one that meets nobody") {
    Fixture f(drawn("...\n..."), {}, {0, 2}, {5, 0});
    Traffic traffic(f.space, f.instance.rules);
    traffic.add(1, Path{2, 1, 0}, true);
    for (const Vertex barred : {3, 4}) {  // whatever else holds, it finds the way around
        const auto path = f.path(0, {Constraint::avoid(barred, 9)}, &traffic);
        REQUIRE(path.has_value());
        CHECK_EQ(path->size(), 4);
        CHECK_EQ((*path)[1], 3);
    }
}

TEST("low level: nowhere to go is no path, not a search without end") {
    Fixture f(drawn(".."), {}, {0}, {1});
    CHECK(!f.path(0, {Constraint::avoid(1, 0, kForever)}));
    CHECK(!f.path(0, {Constraint::avoid(0, 1), Constraint::avoid(1, 1)}));
    CHECK(!f.path(0, {Constraint::within(0)}));
    CHECK(f.path(0, {Constraint::later(5)}));
    CHECK_EQ(f.cost, 6);
}

TEST("diagrams: exactly the cheapest paths") {
    plain::Random random(42);
    int compared = 0;
    for (int round = 0; round < 400; ++round) {
        const auto ground = plain::random_ground(random, 3);
        if (ground.open_vertices().size() < 2) continue;
        const auto places = sample_places(random, ground, 1);
        Fixture f(ground, plain::random_rules(random), places[0], places[1]);
        if (!reaches(f.instance, f.budget)) continue;
        const auto constraints = random_constraints(random, f.space, 3);
        if (!f.path(0, constraints) || f.cost > 5) continue;
        const ConstrainedDiagram& diagram =
            *f.shared.diagram(f.set(0, constraints), f.cost, f.budget);
        if (diagram.last() > 7) continue;
        std::set<std::pair<Time, Vertex>> expected, found;
        for (Path path : all_paths(f.instance, 0, static_cast<std::size_t>(diagram.last()))) {
            if (cost_of(f.instance, 0, path) != f.cost) continue;
            if (!keeps_all(f.instance, 0, path, constraints)) continue;
            if (f.instance.vanishes(0) && static_cast<Time>(path.size()) <= diagram.last())
                continue;
            for (Time t = 0; t <= diagram.last(); ++t)
                expected.insert({t, f.instance.at(0, path, t)});
        }
        for (Time t = 0; t <= diagram.last(); ++t)
            for (const auto& node : diagram.level(t)) found.insert({t, node.vertex});
        CHECK(found == expected);
        ++compared;
    }
    CHECK(compared > 100);
}

TEST("diagrams: what survives more constraints costs no more, what does not costs more") {
    plain::Random random(43);
    for (int round = 0; round < 500; ++round) {
        const auto ground = plain::random_ground(random, 4);
        if (ground.open_vertices().size() < 2) continue;
        const auto places = sample_places(random, ground, 1);
        Fixture f(ground, plain::random_rules(random), places[0], places[1]);
        if (!reaches(f.instance, f.budget)) continue;
        auto more = random_constraints(random, f.space, 5);
        std::erase_if(more, [](const Constraint& c) { return c.kind == Constraint::Kind::visit; });
        REQUIRE(f.path(0, {}).has_value());
        const Cost alone = f.cost;
        const bool survives = f.diagram(0).survives(more);
        const bool costs_the_same = f.path(0, more).has_value() && f.cost == alone;
        // A free wait on the goal lets the diagram end before all that is forbidden has passed.
        if (f.instance.counts_every_step())
            CHECK_EQ(survives, costs_the_same);
        else
            CHECK(survives || !costs_the_same);
    }
}

TEST("conflicts: each split parts the two, and no plan is lost") {
    plain::Random random(44);
    int seen = 0;
    for (int round = 0; round < 300; ++round) {
        const auto ground = plain::random_ground(random, 3);
        if (ground.open_vertices().size() < 3) continue;
        const auto places = sample_places(random, ground, 2);
        Fixture f(ground, plain::random_rules(random), places[0], places[1]);
        if (!reaches(f.instance, f.budget)) continue;
        const auto a = f.path(0, {}), b = f.path(1, {});
        std::vector<Conflict> conflicts;
        find_between(f.instance, 0, 1, {0, *a}, {1, *b}, conflicts);
        const auto others_a = all_paths(f.instance, 0, 5), others_b = all_paths(f.instance, 1, 5);
        for (const Conflict& conflict : conflicts) {
            const Split split = plain_split(f.instance, conflict, {0, *a}, {1, *b});
            CHECK(!split.first_possible || !keeps_all(f.instance, 0, *a, split.first));
            CHECK(!split.second_possible || !keeps_all(f.instance, 1, *b, split.second));
            ++seen;
            for (int k = 0; k < 200 && !others_a.empty() && !others_b.empty(); ++k) {
                const Path& one = others_a[random.below(static_cast<int>(others_a.size()))];
                const Path& two = others_b[random.below(static_cast<int>(others_b.size()))];
                std::vector<Conflict> left;
                find_between(f.instance, 0, 1, {0, one}, {1, two}, left);
                if (left.empty())
                    CHECK(keeps_all(f.instance, 0, one, split.first) ||
                          keeps_all(f.instance, 1, two, split.second));
            }
        }
    }
    CHECK(seen > 50);
}

TEST("conflicts: the same as all pairs at all times") {
    plain::Random random(45);
    for (int round = 0; round < 500; ++round) {
        const auto ground = plain::random_ground(random, 4);
        if (ground.open_vertices().size() < 3) continue;
        const auto places = sample_places(random, ground, 2);
        Fixture f(ground, plain::random_rules(random), places[0], places[1]);
        std::vector<Path> paths;
        for (AgentId a = 0; a < 2; ++a) {
            Path path{places[0][a]};
            for (int k = random.below(7); k-- > 0;) {
                const auto near = f.space.successors(path.back());
                if (!near.empty() && random.chance(80))
                    path.push_back(near[random.below(static_cast<int>(near.size()))]);
            }
            paths.push_back(path);
        }
        std::vector<Conflict> found;
        find_between(f.instance, 0, 1, {0, paths[0]}, {1, paths[1]}, found);
        const std::vector<std::span<const Vertex>> spans(paths.begin(), paths.end());
        const auto expected = find_conflicts(f.space, f.instance.rules, spans);
        REQUIRE(found.size() == expected.size());
        for (std::size_t k = 0; k < found.size(); ++k) CHECK_EQ(found[k].time, expected[k].time);
    }
}

TEST("symmetry: two in a corridor, and nobody comes through before the other is out") {
    Fixture f(drawn("#.#####.#\n.........\n#.#####.#"), {}, {9, 17}, {17, 9});
    const auto a = f.path(0, {}), b = f.path(1, {});
    std::vector<Conflict> conflicts;
    find_between(f.instance, 0, 1, {0, *a}, {1, *b}, conflicts);
    REQUIRE(conflicts.size() == 1);
    const auto split =
        f.shared.corridors.split(conflicts[0], {0, *a}, {}, {1, *b}, {}, f.shared.table, f.budget);
    REQUIRE(split.has_value());
    // The corridor is from 10 to 16, six steps; each is at its end after seven.
    CHECK(split->first == std::vector{Constraint::avoid(16, 0, 13)});
    CHECK(split->second == std::vector{Constraint::avoid(10, 0, 13)});
}

TEST("symmetry: a way around a corridor bounds what is forbidden") {
    Fixture f(drawn(".....\n.###.\n....."), {}, {0, 4}, {4, 0});
    const auto a = f.path(0, {}), b = f.path(1, {});
    std::vector<Conflict> conflicts;
    find_between(f.instance, 0, 1, {0, *a}, {1, *b}, conflicts);
    REQUIRE(!conflicts.empty());
    const auto split =
        f.shared.corridors.split(conflicts[0], {0, *a}, {}, {1, *b}, {}, f.shared.table, f.budget);
    REQUIRE(split.has_value());
    CHECK_EQ(split->first[0].end, 7);  // around it takes eight
}

TEST("symmetry: a rectangle bars one of two agents from a whole side") {
    Fixture f(drawn("....\n....\n....\n...."), {}, {1, 4}, {13, 7});
    const ConstrainedDiagram &one = f.diagram(0), &two = f.diagram(1);
    Fixture g(drawn("....\n....\n....\n...."), {}, {1, 4}, {14, 11});
    const Path a{1, 5, 9, 10, 14}, b{4, 5, 9, 10, 11};
    std::vector<Conflict> conflicts;
    find_between(g.instance, 0, 1, {0, a}, {1, b}, conflicts);
    REQUIRE(!conflicts.empty());
    const auto split = rectangle_split(g.instance, conflicts[0], {0, a}, g.diagram(0), {1, b},
                                       g.diagram(1), g.budget);
    REQUIRE(split.has_value());
    CHECK(split->first.size() + split->second.size() > 2);
    CHECK(!g.diagram(0).survives(split->first));
    CHECK(!g.diagram(1).survives(split->second));
    // Straight ways leave no choice: one place is all they share.
    CHECK_EQ(one.only(1), 5);
    CHECK_EQ(two.only(1), 5);
    Budget spent(0.0, std::nullopt, std::nullopt);
    while (spent.tick()) continue;
    CHECK(!rectangle_split(g.instance, conflicts[0], {0, a}, g.diagram(0), {1, b}, g.diagram(1),
                           spent)
               .has_value());
}

TEST("heuristic: the least cover of weighted edges, by trying all") {
    plain::Random random(46);
    for (int round = 0; round < 200; ++round) {
        constexpr int n = 5;
        std::vector<Edge> edges;
        for (std::int32_t i = 0; i < n; ++i)
            for (std::int32_t j = i + 1; j < n; ++j)
                if (random.chance(40)) edges.push_back({i, j, random.between(1, 3)});
        Cost best = 100;
        for (int code = 0; code < 1024; ++code) {
            int values[n], rest = code;
            Cost sum = 0;
            for (int& value : values) {
                value = rest % 4;
                rest /= 4;
                sum += value;
            }
            if (std::all_of(edges.begin(), edges.end(), [&](const Edge& e) {
                    return values[e.first] + values[e.second] >= e.weight;
                }))
                best = std::min(best, sum);
        }
        CHECK_EQ(least_cover(edges), best);
    }
}

TEST("heuristic: two agents depend on each other where all their cheapest paths collide") {
    Fixture f(drawn("...\n..."), {}, {0, 2}, {2, 0});
    CHECK(!go_together(f.instance, 0, f.diagram(0), 1, f.diagram(1), f.budget));
    Fixture g(drawn("...\n..."), {}, {0, 2}, {5, 3});
    CHECK(go_together(g.instance, 0, g.diagram(0), 1, g.diagram(1), g.budget));
}

TEST("search: costs are those of a joint search, with every option") {
    plain::Random random(47);
    int compared = 0;
    for (int round = 0; round < 250; ++round) {
        const auto ground = plain::random_ground(random, 3);
        if (ground.open_vertices().size() < 4) continue;
        auto places = sample_places(random, ground, 2);
        if (random.chance(15)) places[1][random.below(2)] = kNowhere;
        const Rules rules = plain::random_rules(random);
        Fixture f(ground, rules, places[0], places[1]);
        if (!reaches(f.instance, f.budget)) continue;
        const auto expected = joint_cost(f.instance, 10);
        if (!expected || *expected > 8) continue;
        const Options options{random.chance(70), random.chance(70),
                              random.chance(30), static_cast<Heuristic>(random.below(4)),
                              random.chance(70), random.chance(70),
                              random.chance(70)};
        Budget budget(20.0, 50'000, std::nullopt);
        const Answer answer = solve(f.space, rules, {places[0], places[1]}, options, budget);
        CHECK(answer.outcome != Outcome::no_path);
        CHECK(answer.lower_bound <= *expected);
        if (answer.outcome != Outcome::found) continue;
        ++compared;
        CHECK_EQ(answer.lower_bound, *expected);
        std::vector<Conflict> conflicts;
        find_between(f.instance, 0, 1, {0, answer.paths[0]}, {1, answer.paths[1]}, conflicts);
        CHECK(conflicts.empty());
    }
    CHECK(compared > 80);
}

TEST("search: a budget ends it, and it says so") {
    const auto ground = drawn("....");
    Fixture f(ground, {}, {0, 3}, {3, 0});  // they can never pass
    Budget nodes(std::nullopt, 5'000, std::nullopt), none(0.0, std::nullopt, std::nullopt);
    const Path starts{0, 3}, goals{3, 0};
    CHECK(solve(f.space, {}, {starts, goals}, {}, nodes).outcome == Outcome::out_of_budget);
    CHECK(nodes.why() == Stop::nodes);
    CHECK(solve(f.space, {}, {starts, goals}, {}, none).outcome == Outcome::out_of_budget);
    Budget little(std::nullopt, std::nullopt, 100);
    CHECK(solve(f.space, {}, {starts, goals}, {}, little).outcome == Outcome::out_of_budget);
    CHECK(little.why() == Stop::memory);
}

TEST("search: nobody needs no plan, and a goal that is cut off has none") {
    const Space space = drawn(".#.").compiled();
    Budget budget;
    CHECK(solve(space, {}, Task{}, {}, budget).outcome == Outcome::found);
    const Path start{0}, goal{2};
    CHECK(solve(space, {}, {start, goal}, {}, budget).outcome == Outcome::no_path);
}

}  // namespace sidestep::cbs
