// Joint search and pairwise pruning against the enumeration of all combinations of paths.
#include "sidestep/solvers/icts/walk.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "check.hpp"
#include "plain.hpp"
#include "sidestep/solvers/icts/pairs.hpp"

using namespace sidestep;
using namespace sidestep::icts;
using plain::drawn;

namespace {

using Path = std::vector<Vertex>;
using Places = std::vector<Vertex>;

// Some agents on random ground with a diagram each.
struct Crowd {
    Crowd(plain::Ground given, Rules rules_given) : ground(std::move(given)), rules(rules_given) {
        space = std::make_unique<Space>(ground.compiled());
        distances = std::make_unique<Distances>(*space);
    }
    // False: it cannot have that cost.
    bool add(Vertex start, Vertex goal, int raises) {
        Budget budget;
        CostDiagram::Journey who{start, goal, &distances->acquire(goal, start), rules.disappear, 0};
        who.detour = shortest_detour(*space, goal, *who.distances, budget);
        Cost cost = who.distances->at(start, budget);
        while (raises-- > 0 && cost < kUnreachable) cost = next_cost(who, cost);
        if (cost >= kUnreachable) return false;
        diagrams.push_back(*CostDiagram::build(*space, who, cost, budget));
        return true;
    }
    std::vector<Walker> walkers() const {
        std::vector<Walker> all;
        for (const CostDiagram& diagram : diagrams) all.push_back({&diagram});
        return all;
    }
    Vertex place(std::size_t a, CostDiagram::Node node, Time t) const {
        return rules.disappear && t > diagrams[a].cost() ? kNowhere : diagrams[a].vertex(node);
    }

    plain::Ground ground;
    Rules rules;
    std::unique_ptr<Space> space;
    std::unique_ptr<Distances> distances;
    std::vector<CostDiagram> diagrams;
};

// Walks through everything, step by step; notes every node on a way for all.
class Enumeration {
  public:
    explicit Enumeration(const Crowd& crowd) : crowd_(crowd) {
        for (const CostDiagram& diagram : crowd.diagrams) {
            useful.emplace_back(diagram.size(), 0);
            end_ = std::max(end_, diagram.cost());
        }
        solvable = walk(0, std::vector<CostDiagram::Node>(crowd.diagrams.size(), 0));
    }
    bool solvable = false;
    std::vector<std::vector<std::uint8_t>> useful;

  private:
    using Nodes = std::vector<CostDiagram::Node>;

    bool walk(Time t, const Nodes& nodes) {
        if (const auto known = known_.find({t, nodes}); known != known_.end()) return false;
        bool any = t == end_;
        if (t < end_) extend(t, nodes, {}, any);
        if (any)
            for (std::size_t a = 0; a < nodes.size(); ++a) useful[a][nodes[a]] = 1;
        else
            known_.insert({t, nodes});
        return any;
    }
    void extend(Time t, const Nodes& nodes, Nodes next, bool& any) {
        const std::size_t a = next.size();
        if (a == nodes.size()) {
            Places before, after;
            for (std::size_t b = 0; b < a; ++b) {
                before.push_back(crowd_.place(b, nodes[b], t));
                after.push_back(crowd_.place(b, next[b], t + 1));
            }
            if (plain::fault_in_step(crowd_.ground, crowd_.rules, before, after).empty())
                any |= walk(t + 1, next);
            return;
        }
        next.push_back(nodes[a]);
        if (t >= crowd_.diagrams[a].cost()) return extend(t, nodes, next, any);
        for (const CostDiagram::Node node : crowd_.diagrams[a].successors(nodes[a])) {
            next.back() = node;
            extend(t, nodes, next, any);
        }
    }

    const Crowd& crowd_;
    Time end_ = 0;
    std::set<std::pair<Time, Nodes>> known_;
};

std::optional<Crowd> random_crowd(plain::Random& random, int agents) {
    Crowd crowd(plain::random_ground(random, 3), plain::random_rules(random));
    auto starts = crowd.ground.open_vertices(), goals = starts;
    random.shuffle(starts);
    random.shuffle(goals);
    if (static_cast<int>(starts.size()) < agents) return std::nullopt;
    for (int a = 0; a < agents; ++a)
        if (!crowd.add(starts[a], goals[a], random.below(3))) return std::nullopt;
    return crowd;
}

std::string fault_in(const Crowd& crowd, const Walk& search) {
    std::vector<Path> paths(crowd.diagrams.size());
    Time end = 0;
    for (std::size_t a = 0; a < paths.size(); ++a) {
        search.copy_path(a, paths[a]);
        end = std::max(end, crowd.diagrams[a].cost());
    }
    const auto at = [&](const Path& path, Time t) {
        if (t < static_cast<Time>(path.size())) return path[t];
        return crowd.rules.disappear ? kNowhere : path.back();
    };
    for (Time t = 0; t < end; ++t) {
        Places before, after;
        for (const Path& path : paths) {
            before.push_back(at(path, t));
            after.push_back(at(path, t + 1));
        }
        const auto fault = plain::fault_in_step(crowd.ground, crowd.rules, before, after);
        if (!fault.empty()) return fault;
    }
    return "";
}

}  // namespace

TEST("random worlds: joint search finds a way for all exactly where there is one") {
    plain::Random random(71);
    int solvable = 0, unsolvable = 0;
    for (int round = 0; round < 1500; ++round) {
        const auto crowd = random_crowd(random, random.between(1, 4));
        if (!crowd) continue;
        Holding holding;
        Walk search(*crowd->space, crowd->rules, holding);
        Occupied traffic;
        traffic.clear(crowd->ground.size(), 6);
        traffic.add(Path{crowd->ground.open_vertices().front()}, true);
        const bool expected = Enumeration(*crowd).solvable;
        for (const Occupied* others :
             {static_cast<const Occupied*>(nullptr), &std::as_const(traffic)}) {
            Budget budget;
            const auto walkers = crowd->walkers();
            const Outcome outcome = search.run(walkers, others, budget);
            if (!CHECK_EQ(outcome == Outcome::found, expected)) return;
            if (expected && !CHECK_EQ(fault_in(*crowd, search), "")) return;
        }
        ++(expected ? solvable : unsolvable);
    }
    CHECK(solvable > 200);
    CHECK(unsolvable > 200);
}

TEST("random worlds: those it blames have no way together, without the others") {
    plain::Random random(72);
    int fewer = 0;
    for (int round = 0; round < 2000; ++round) {
        auto crowd = random_crowd(random, 4);
        if (!crowd) continue;
        Holding holding;
        Walk search(*crowd->space, crowd->rules, holding);
        Budget budget;
        if (search.run(crowd->walkers(), nullptr, budget) != Outcome::no_path) continue;
        std::vector<CostDiagram> blamed;
        for (std::size_t a = 0; a < 4; ++a)
            if ((search.culprits() & blame_of(a)) != 0) blamed.push_back(crowd->diagrams[a]);
        fewer += blamed.size() < 4;
        crowd->diagrams = std::move(blamed);
        if (!CHECK_EQ(!Enumeration(*crowd).solvable, true)) return;
    }
    CHECK(fewer > 100);
}

TEST("random worlds: pruning by pairs keeps exactly what some way for both uses") {
    plain::Random random(73);
    int pruned = 0;
    for (int round = 0; round < 1000; ++round) {
        const auto crowd = random_crowd(random, 2);
        if (!crowd) continue;
        const Enumeration all(*crowd);
        Budget budget;
        Survivors left;
        const Outcome outcome = find_survivors(*crowd->space, crowd->rules, crowd->diagrams[0],
                                               crowd->diagrams[1], budget, left);
        if (!CHECK_EQ(outcome == Outcome::found, all.solvable)) return;
        if (!all.solvable) continue;
        if (!CHECK_EQ(left.first, all.useful[0]) || !CHECK_EQ(left.second, all.useful[1])) return;
        pruned += std::count(left.first.begin(), left.first.end(), 0) > 0;
    }
    CHECK(pruned > 50);
}

TEST("a joint search ends with its budget, its memory, and can be used again") {
    Crowd crowd(drawn("....\n....\n...."), {});
    CHECK(crowd.add(0, 11, 2));
    CHECK(crowd.add(11, 0, 2));
    CHECK(crowd.add(3, 8, 2));
    const auto walkers = crowd.walkers();
    Holding holding;
    Walk search(*crowd.space, crowd.rules, holding);
    Budget few(std::nullopt, 2, std::nullopt);
    CHECK_EQ(search.run(walkers, nullptr, few) == Outcome::out_of_budget, true);
    Budget enough;
    CHECK_EQ(search.run(walkers, nullptr, enough) == Outcome::found, true);
    CHECK_EQ(fault_in(crowd, search), "");
    Holding own;
    Walk poor(*crowd.space, crowd.rules, own);
    Budget no_memory(std::nullopt, std::nullopt, 1);
    CHECK_EQ(poor.run(walkers, nullptr, no_memory) == Outcome::out_of_budget, true);
    CHECK(no_memory.why() == Stop::memory);
}

TEST("packed keys are told apart, numbered, and forgotten") {
    PackedSet set;
    for (int times = 0; times < 3; ++times) {
        set.clear(2);
        const std::uint64_t count = times == 1 ? 5 : 5000;
        for (std::uint64_t k = 0; k < count; ++k) {
            const std::uint64_t key[] = {k % 7, k};
            CHECK(!set.contains(key));
            CHECK_EQ(set.insert(key).first, k);
            CHECK(!set.insert(key).second);
        }
        CHECK_EQ(set.size(), count);
    }
}
