#include "sidestep/solvers/cbs/splitting.hpp"

#include <algorithm>
#include <tuple>

#include "sidestep/solvers/cbs/symmetry.hpp"

namespace sidestep::cbs {

namespace {

// Of conflicts of equal weight those come first that settle more.
int rank(Reason reason) {
    switch (reason) {
        case Reason::stop:
        case Reason::target:
            return 0;
        case Reason::corridor:
            return 1;
        case Reason::rectangle:
            return 2;
        default:
            return 3;
    }
}

}  // namespace

bool Splitting::needs_diagrams() const {
    return options_.prioritise || options_.heuristic != Heuristic::none || options_.rectangle ||
           options_.corridor;
}

bool Splitting::weigh(Conflict& conflict, const Party& one, const Party& two, Budget& budget) {
    if (conflict.weight != Weight::unknown) return true;
    if (options_.target && is_target(instance_, conflict, one, two))
        conflict.reason = Reason::target;
    if (!needs_diagrams()) return true;
    for (const Party* party : {&one, &two})
        if (!instance_.is_idle(party->agent) && !shared_.diagram(party->set, party->least, budget))
            return false;
    const bool is_about_goal = conflict.reason == Reason::target;
    const Split plain = is_about_goal ? target_split(instance_, conflict, one, two)
                                      : plain_split(instance_, conflict, one, two);
    conflict.weight = weight_of(one, two, plain);
    if (!is_about_goal) apply_symmetry(conflict, one, two, budget);
    return !budget.exhausted();
}

// A corridor or a rectangle, where that settles no less.
void Splitting::apply_symmetry(Conflict& conflict, const Party& one, const Party& two,
                               Budget& budget) {
    if (instance_.is_idle(one.agent) || instance_.is_idle(two.agent)) return;
    const auto take = [&](std::optional<Split> split, Reason reason) {
        if (!split) return false;
        const Weight weight = weight_of(one, two, *split);
        if (weight > conflict.weight) return false;
        conflict.weight = weight;
        conflict.reason = reason;
        conflict.split = std::make_shared<const Split>(std::move(*split));
        return true;
    };
    if (options_.corridor &&
        take(shared_.corridors.split(conflict, one, shared_.sets[one.set].constraints, two,
                                     shared_.sets[two.set].constraints, shared_.table, budget),
             Reason::corridor))
        return;
    if (options_.rectangle && conflict.weight != Weight::cardinal)
        take(rectangle_split(instance_, conflict, one, *shared_.sets[one.set].diagram, two,
                             *shared_.sets[two.set].diagram, budget),
             Reason::rectangle);
}

Weight Splitting::weight_of(const Party& one, const Party& two, const Split& split) const {
    const bool first = is_slack(one, split.first, split.first_possible);
    const bool second = is_slack(two, split.second, split.second_possible);
    if (first && second) return Weight::non_cardinal;
    return first || second ? Weight::semi_cardinal : Weight::cardinal;
}

// Can the agent keep these constraints at its least cost?
bool Splitting::is_slack(const Party& party, const std::vector<Constraint>& constraints,
                         bool possible) const {
    if (!possible) return false;
    if (instance_.is_idle(party.agent)) return true;
    return shared_.sets[party.set].diagram->survives(constraints);
}

const Conflict& Splitting::choose(std::span<const Conflict> conflicts) const {
    const auto order = [this](const Conflict& c) {
        const int weight = options_.prioritise ? static_cast<int>(c.weight) : 0;
        return std::tuple(weight, options_.prioritise ? rank(c.reason) : 0, c.time, c.first,
                          c.second);
    };
    return *std::min_element(
        conflicts.begin(), conflicts.end(),
        [&](const Conflict& a, const Conflict& b) { return order(a) < order(b); });
}

std::vector<std::vector<Imposed>> Splitting::split(const Conflict& conflict, const Party& one,
                                                   const Party& two) const {
    Split plain;
    if (!conflict.split)
        plain = conflict.reason == Reason::target ? target_split(instance_, conflict, one, two)
                                                  : plain_split(instance_, conflict, one, two);
    const Split& sides = conflict.split ? *conflict.split : plain;
    std::vector<std::vector<Imposed>> children;
    if (conflict.reason == Reason::target) {
        // The agent whose goal it is arrives later, or soon enough to keep all others away.
        const bool is_first = sides.first[0].kind == Constraint::Kind::later;
        const std::int32_t who = is_first ? conflict.first : conflict.second;
        children.push_back({{who, Constraint::later(conflict.time)}});
        children.push_back({{who, Constraint::within(conflict.time)}});
        return children;
    }
    const auto add = [&](std::int32_t agent, const std::vector<Constraint>& constraints) {
        auto& child = children.emplace_back();
        for (const Constraint& c : constraints) child.push_back({agent, c});
    };
    const bool is_plain = !conflict.split && sides.first_possible && sides.second_possible;
    if (options_.disjoint && is_plain &&
        add_disjoint(conflict, !instance_.is_idle(one.agent), sides, children))
        return children;
    if (sides.first_possible) add(conflict.first, sides.first);
    if (sides.second_possible) add(conflict.second, sides.second);
    return children;
}

// One agent must be part of the conflict or must not; if it must, no other agent can be. For what
// following and crossing are about that would need constraints of its own.
bool Splitting::add_disjoint(const Conflict& conflict, bool takes_first, const Split& sides,
                             std::vector<std::vector<Imposed>>& children) const {
    const bool is_move = conflict.reason == Reason::swap && instance_.rules.following;
    if (conflict.reason != Reason::vertex && !is_move) return false;
    const std::int32_t who = takes_first ? conflict.first : conflict.second;
    const Constraint& avoid = takes_first ? sides.first[0] : sides.second[0];
    const Move move{avoid.from, avoid.to};
    children.push_back({{who, avoid}});
    children.push_back({{who, is_move ? Constraint::visit_move(move, avoid.begin)
                                      : Constraint::visit(avoid.to, avoid.begin)}});
    return true;
}

}  // namespace sidestep::cbs
