#include "sidestep/solvers/lns/improver.hpp"

#include <algorithm>

namespace sidestep {

namespace {

// A number of steps, `mean` thousandths on average: one more as long as the dice say so.
std::int64_t allowed_steps(std::int32_t mean, Dice& dice) {
    std::int64_t steps = 0;
    while (mean > 0 && dice.below(mean + 1000) < mean) ++steps;
    return steps;
}

}  // namespace

Improver::Improver(LivePlan plan, std::uint64_t seed)
    : plan_(std::move(plan)),
      neighbourhoods_(plan_),
      seed_(seed),
      best_(plan_.cost()),
      tube_(static_cast<std::size_t>(plan_.roads().size())),
      is_saved_(static_cast<std::size_t>(plan_.size())) {}

std::int64_t Improver::bytes() const {
    return plan_.bytes() + neighbourhoods_.bytes() + search_.bytes() +
           static_cast<std::int64_t>(tube_.size() * sizeof(std::uint32_t));
}

bool Improver::repair(std::int32_t temperature, Budget& budget) {
    Dice dice(seed_, static_cast<std::uint64_t>(repairs_));
    const std::int64_t nodes = budget.nodes();
    const Bandit::Arm arm = bandit_.draw(dice);
    members_ = neighbourhoods_.choose(arm.neighbourhood(), arm.members(), dice, budget);
    if (!budget.tick()) return false;
    ++repairs_;
    const std::int64_t before = plan_.cost();
    if (!members_.empty() &&
        plan_members(allowed_steps(temperature, dice), arm.radius(), dice, budget)) {
        accept();
    } else if (out_of_budget_) {
        out_of_budget_ = false;
        return false;
    }
    bandit_.learn(arm, std::max<std::int64_t>(before - plan_.cost(), 0), budget.nodes() - nodes);
    return true;
}

// Lifts the members and plans them one after another. If that costs more than allowed, all is as it
// was before.
bool Improver::plan_members(std::int64_t allowed, std::int32_t tube, Dice& dice, Budget& budget) {
    std::int64_t to_come = 0;
    old_cost_ = new_cost_ = 0;
    for (const AgentId agent : members_) {
        plan_.lift(agent);
        old_cost_ += plan_.cost(agent);
        to_come += plan_.planned(agent).distance;
    }
    found_.resize(std::max(found_.size(), members_.size()));
    IntervalTask task;
    task.salt = dice.roll();
    task.held = bytes() - plan_.lines().bytes();
    for (std::size_t k = 0; k < members_.size(); ++k) {
        const PlannedAgent& planned = plan_.planned(members_[k]);
        to_come -= planned.distance;
        const std::int64_t bound = old_cost_ + allowed - new_cost_ - to_come;
        task.start = planned.start;
        task.goal = planned.goal;
        task.field = planned.field;
        task.bound = planned.field
                         ? static_cast<Cost>(std::min<std::int64_t>(bound, kUnreachable - 1))
                         : kUnreachable - 1;
        if (tube > 0) {
            mark_tube(members_[k], tube);
            task.tube = tube_;
            task.tube_mark = tube_mark_;
        }
        const Outcome outcome = bound < planned.distance
                                    ? Outcome::no_path
                                    : search_.run(plan_.lines(), task, budget, found_[k]);
        const auto arrival = static_cast<Time>(found_[k].size()) - 1;
        out_of_budget_ = outcome == Outcome::out_of_budget ||
                         (outcome == Outcome::found && !plan_.lines().make_room(arrival, budget));
        if (out_of_budget_ || outcome != Outcome::found) {
            undo(k);
            return false;
        }
        new_cost_ += search_.cost();
        plan_.lines().put(found_[k], plan_.parks(members_[k]));
    }
    return true;
}

void Improver::undo(std::size_t planned) {
    for (std::size_t k = 0; k < planned; ++k)
        plan_.lines().take(found_[k], plan_.parks(members_[k]));
    for (const AgentId agent : members_) plan_.lay(agent);
}

// The members have new paths, which the lines know already.
void Improver::accept() {
    ++accepted_;
    if (remembers_)
        changes_.push_back(
            {members_,
             {found_.begin(), found_.begin() + static_cast<std::ptrdiff_t>(members_.size())}});
    const std::span<SpotPath> paths(found_.data(), members_.size());
    plan_.replace(members_, paths);
    keep_journal();
}

// found_ has the paths that the members had.
void Improver::keep_journal() {
    if (plan_.cost() < best_) {
        best_ = plan_.cost();
        for (const AgentId agent : saved_agents_) is_saved_[agent] = 0;
        saved_agents_.clear();
        saved_.clear();
        return;
    }
    for (std::size_t k = 0; k < members_.size(); ++k) {
        const AgentId agent = members_[k];
        if (is_saved_[agent] || found_[k] == plan_.path(agent)) continue;
        is_saved_[agent] = 1;
        saved_agents_.push_back(agent);
        saved_.push_back(found_[k]);
    }
}

void Improver::restore_best() {
    for (const AgentId agent : saved_agents_) {
        plan_.lift(agent);
        is_saved_[agent] = 0;
    }
    plan_.replace(saved_agents_, saved_);
    for (const AgentId agent : saved_agents_) plan_.lay(agent);
    saved_agents_.clear();
    saved_.clear();
}

std::vector<SpotPath> Improver::best_paths() const {
    std::vector<SpotPath> paths(plan_.paths().begin(), plan_.paths().end());
    for (std::size_t k = 0; k < saved_agents_.size(); ++k) paths[saved_agents_[k]] = saved_[k];
    return paths;
}

bool Improver::adopt(std::span<const SpotPath> paths, Budget& budget) {
    members_.clear();
    std::vector<SpotPath> changed;
    std::size_t longest = 1;
    for (AgentId a = 0; a < plan_.size(); ++a) {
        if (paths[a] == plan_.path(a)) continue;
        members_.push_back(a);
        changed.push_back(paths[a]);
        longest = std::max(longest, paths[a].size());
    }
    if (!plan_.lines().make_room(static_cast<Time>(longest) - 1, budget)) return false;
    for (const AgentId agent : members_) plan_.lift(agent);
    plan_.replace(members_, changed);
    for (const AgentId agent : members_) plan_.lay(agent);
    best_ = plan_.cost();
    return true;
}

bool Improver::try_change(std::span<const AgentId> agents, std::span<SpotPath> paths,
                          Budget& budget) {
    std::int64_t gain = 0;
    std::size_t longest = 1;
    for (std::size_t k = 0; k < agents.size(); ++k) {
        gain += plan_.cost(agents[k]) - plan_.cost_of(agents[k], paths[k]);
        longest = std::max(longest, paths[k].size());
    }
    if (gain < 0 || !plan_.lines().make_room(static_cast<Time>(longest) - 1, budget)) return false;
    for (const AgentId agent : agents) plan_.lift(agent);
    std::size_t fitting = 0;
    while (fitting < agents.size() &&
           plan_.lines().allows(paths[fitting], plan_.parks(agents[fitting]))) {
        plan_.lines().put(paths[fitting], plan_.parks(agents[fitting]));
        ++fitting;
    }
    if (fitting == agents.size()) {
        plan_.replace(agents, paths);
        best_ = std::min(best_, plan_.cost());
        return true;
    }
    for (std::size_t k = 0; k < fitting; ++k) plan_.lines().take(paths[k], plan_.parks(agents[k]));
    for (const AgentId agent : agents) plan_.lay(agent);
    return false;
}

// The spots within some steps of the agent's path, marked with a number of their own.
void Improver::mark_tube(AgentId agent, std::int32_t radius) {
    if (++tube_mark_ == 0) {
        std::fill(tube_.begin(), tube_.end(), 0);
        tube_mark_ = 1;
    }
    queue_.clear();
    const auto mark = [&](Spot s) {
        if (tube_[s] == tube_mark_) return;
        tube_[s] = tube_mark_;
        queue_.push_back(s);
    };
    for (const Spot s : plan_.path(agent)) mark(s);
    std::size_t begin = 0;
    for (std::int32_t step = 0; step < radius; ++step) {
        const std::size_t end = queue_.size();
        for (; begin < end; ++begin)
            for (const Spot s : plan_.roads().next(queue_[begin])) mark(s);
    }
}

}  // namespace sidestep
