#include "sidestep/dialogue/commitments.hpp"

#include <algorithm>
#include <iterator>

namespace sidestep {

namespace {

// Puts a number into a list in order, unless it is there.
void include(std::vector<AgentId>& agents, AgentId agent) {
    const auto place = std::lower_bound(agents.begin(), agents.end(), agent);
    if (place == agents.end() || *place != agent) agents.insert(place, agent);
}

}  // namespace

Outcome Commitments::path_below(AgentId agent, std::span<const AgentId> others, Budget& budget,
                                std::vector<Vertex>& path, std::span<const Action> give_up) const {
    std::vector<AgentId> superiors = superiors_[agent];
    for (const AgentId other : others) include(superiors, other);
    std::vector<Action> without(give_up.begin(), give_up.end());
    if (!given_up_.empty())
        without.insert(without.end(), given_up_[agent].begin(), given_up_[agent].end());
    if (!manners_.find) return told_paths_.find(agent, superiors, budget, path, without);
    std::optional<std::vector<Vertex>> found = manners_.find(agent, superiors, without);
    if (!found) return Outcome::no_path;
    path = std::move(*found);
    return Outcome::found;
}

void Commitments::give_up(AgentId agent, Action action) {
    given_up_.resize(superiors_.size());
    given_up_[agent].push_back(action);
}

void Commitments::commit(std::span<const Rank> order) {
    for (const Rank& rank : order) include(superiors_[rank.inferior], rank.superior);
}

void Commitments::put_on_top(AgentId agent) {
    for (auto& superiors : superiors_) include(superiors, agent);
    superiors_[agent].clear();
}

void Commitments::set_superiors(AgentId agent, std::span<const AgentId> others) {
    superiors_[agent].clear();
    for (const AgentId other : others) include(superiors_[agent], other);
}

bool Commitments::is_above(AgentId superior, AgentId inferior) const {
    if (inferior >= size()) return false;  // it came later
    const auto& superiors = superiors_[inferior];
    return std::binary_search(superiors.begin(), superiors.end(), superior);
}

std::int64_t Commitments::orders() const {
    std::size_t sum = 0;
    for (const auto& superiors : superiors_) sum += superiors.size();
    return static_cast<std::int64_t>(sum);
}

std::optional<Rank> Commitments::broken_order() const {
    for (const Conflict& conflict : told_paths_.first_conflicts()) {
        const AgentId one = conflict.first, other = conflict.second;
        if (is_above(other, one)) return Rank{other, one};
        if (is_above(one, other)) return Rank{one, other};
    }
    return {};
}

void Commitments::conclude(std::int32_t dialogue, std::span<const AgentId> agents,
                           std::span<const Rank> order, std::span<const std::vector<Vertex>> paths,
                           bool known) {
    std::vector<AgentId> hearers;
    const auto all_but = [&](std::span<const AgentId> from, auto&& excluded) {
        hearers.clear();
        std::copy_if(from.begin(), from.end(), std::back_inserter(hearers),
                     [&](AgentId other) { return !excluded(other); });
    };
    for (const AgentId agent : agents) {
        all_but(agents, [&](AgentId other) { return other == agent; });
        channel_.say({dialogue, Stage::closing, agent, hearers, Act::adopt, order});
    }
    commit(order);
    for (std::size_t k = 0; k < agents.size(); ++k) {
        told_paths_.tell(agents[k], paths[k]);
        all_but(channel_.audience(agents[k]), [&](AgentId other) {
            return known && std::find(agents.begin(), agents.end(), other) != agents.end();
        });
        channel_.say({dialogue, Stage::closing, agents[k], hearers, Act::new_path, {}, paths[k]});
    }
}

}  // namespace sidestep
