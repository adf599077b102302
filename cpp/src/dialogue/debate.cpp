// One dialogue: opening, proposals, evaluation, closing, as in the dialogue thesis.
#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <queue>
#include <set>
#include <tuple>
#include <utility>

#include "sidestep/dialogue/commitments.hpp"

namespace sidestep {

namespace {

// The sum of numbers, rounded only once, so that it does not depend on who voted first (Shewchuk's
// non-overlapping parts, as in Python's math.fsum).
double exact_sum(std::span<const double> values) {
    std::vector<double> parts;  // from small to large, without common digits
    for (double value : values) {
        std::size_t kept = 0;
        for (double part : parts) {
            if (std::abs(value) < std::abs(part)) std::swap(value, part);
            const double high = value + part;
            const double low = part - (high - value);
            if (low != 0) parts[kept++] = low;
            value = high;
        }
        parts.resize(kept);
        parts.push_back(value);
    }
    double sum = 0, rest = 0;
    while (!parts.empty() && rest == 0) {
        const double part = parts.back(), high = sum + part;
        parts.pop_back();
        rest = part - (high - sum);
        sum = high;
    }
    // Half-way between two numbers what is below decides.
    if (!parts.empty() && (rest < 0) == (parts.back() < 0)) {
        const double twice = rest * 2, rounded = sum + twice;
        if (twice == rounded - sum) sum = rounded;
    }
    return sum;
}

bool contains(std::span<const AgentId> agents, AgentId agent) {
    return std::find(agents.begin(), agents.end(), agent) != agents.end();
}

// Whom an order puts directly above an agent.
std::vector<AgentId> directly_above(AgentId agent, std::span<const Rank> order) {
    std::vector<AgentId> found;
    for (const Rank& rank : order)
        if (rank.inferior == agent) found.push_back(rank.superior);
    return found;
}

// The superiors of an agent in an order, and theirs.
std::vector<AgentId> all_above(AgentId agent, std::span<const Rank> order) {
    std::vector<AgentId> found = directly_above(agent, order);
    for (std::size_t k = 0; k < found.size(); ++k)
        for (const AgentId higher : directly_above(found[k], order))
            if (!contains(found, higher)) found.push_back(higher);
    return found;
}

}  // namespace

class Debate {
  public:
    Debate(Commitments& commitments, std::int32_t number, std::span<const AgentId> agents,
           Weights weights, Budget& budget)
        : commitments_(commitments),
          told_paths_(commitments.told_paths_),
          number_(number),
          agents_(agents),
          weights_(weights),
          budget_(budget),
          noted_(commitments.channel_.minutes().bytes()) {
        if (commitments.manners_.ask_bystanders) remember_bystanders();
        for (const AgentId agent : agents) {
            const auto path = told_paths_.path(agent);
            before_.push_back(
                {{path.begin(), path.end()}, told_paths_.cost(agent), told_paths_.count(agent)});
            others_.emplace_back();
            std::copy_if(agents.begin(), agents.end(), std::back_inserter(others_.back()),
                         [agent](AgentId other) { return other != agent; });
        }
    }

    ~Debate() { budget_.keeps(-held_); }

    // The stages; proposals and their evaluation as often as somebody wants to expand one.
    Commitments::Verdict run() {
        open();
        do {
            propose();
            while (tried_ < proposals_.size())
                if (!evaluate(proposals_[tried_]) || !take_in(tried_++))
                    return Commitments::Verdict::out_of_budget;
        } while (somebody_wants_more());
        return budget_.exhausted() ? Commitments::Verdict::out_of_budget : close();
    }

  private:
    struct Told {
        std::vector<Vertex> path;
        Cost cost;
        std::int32_t conflicts;
    };
    // There may be very many, which are all freed after the limit: they keep no paths.
    struct Proposal {
        AgentId proposer;
        Order order;
        double total = 0;  // of the votes
        bool vetoed = false;
        Order unsettled = {};  // two each who have no order and still collide
        auto place() const { return std::tuple(vetoed, total, proposer); }  // the least is best
    };
    using Paths = std::vector<std::vector<Vertex>>;  // of everybody, in the order of agents_
    struct ByOrder {
        using is_transparent = void;
        const Debate* debate;
        const Order& of(const Order& order) const { return order; }
        const Order& of(std::size_t k) const { return debate->proposals_[k].order; }
        bool operator()(const auto& one, const auto& other) const { return of(one) < of(other); }
    };

    // Nobody in it has an earlier conflict, or it would not be its turn.
    void open() {
        for (const AgentId agent : agents_) say(Stage::opening, agent, Act::no_earlier);
    }

    // Everybody proposes that it goes before the others, or declines.
    void propose() {
        for (const AgentId agent : agents_) {
            Order order = wish(agent);
            say(Stage::proposal, agent, order.empty() ? Act::decline : Act::propose, order);
            if (order.empty()) continue;
            proposals_.push_back({agent, std::move(order)});
            known_.insert(proposals_.size() - 1);
        }
    }

    // First to go before everybody; later, before those whom a proposal leaves in conflict with it.
    Order wish(AgentId agent) {
        Order order;
        if (tried_ == 0) {
            for (const AgentId other : others_of(agent)) order.push_back({agent, other});
            return order;
        }
        // What cannot be expanded any more, or only to what is known, never can be.
        for (Ranking& bases = bases_[agent]; !bases.empty(); bases.pop()) {
            if (!budget_.tick()) return {};
            const Proposal& base = proposals_[bases.top().second];
            order = expanded(base, agent);
            if (order.size() > base.order.size() && !known_.contains(order)) return order;
        }
        return {};
    }

    // A proposal that was tried may be expanded, unless it was vetoed. False: it takes too much
    // time or memory, with all that was said about it.
    bool take_in(std::size_t k) {
        const Proposal& proposal = proposals_[k];
        if (!proposal.vetoed)
            for (const AgentId agent : agents_) bases_[agent].emplace(proposal.total, k);
        const std::size_t bytes =
            sizeof(Proposal) + kNode + agents_.size() * sizeof(Ranking::value_type) +
            (proposal.order.size() + proposal.unsettled.size()) * sizeof(Rank);
        const std::int64_t said = commitments_.channel_.minutes().bytes();
        const bool fits = budget_.keeps(static_cast<std::int64_t>(bytes) + said - noted_);
        held_ += static_cast<std::int64_t>(bytes);
        noted_ = said;
        return budget_.tick(static_cast<std::int64_t>(agents_.size() * agents_.size())) && fits;
    }

    // The order, with the agent also above those with whom it is left in conflict.
    static Order expanded(const Proposal& base, AgentId agent) {
        Order order = base.order;
        const std::vector<AgentId> above = all_above(agent, base.order);
        for (const auto& [one, other] : base.unsettled) {
            if (one != agent && other != agent) continue;
            const AgentId rival = one == agent ? other : one;
            if (!contains(above, rival)) order.push_back({agent, rival});
        }
        std::sort(order.begin(), order.end());
        return order;
    }

    // The order is tried: those above tell their paths first, those below plan around them; all
    // vote. Then everything is as before. False: there was no time to find out.
    bool evaluate(Proposal& proposal) {
        const std::vector<std::size_t> ranked = in_rank(proposal.order);
        paths_.resize(agents_.size());
        bool in_time = true;
        for (const std::size_t k : ranked) {
            in_time = follow(k, proposal);
            if (!in_time || proposal.vetoed) break;
        }
        if (in_time && !proposal.vetoed) {
            look_for_conflicts(proposal);
            if (!proposal.vetoed) vote(proposal, ranked);
            if (tried_ == 0 || proposal.place() < proposals_[best_].place()) {
                best_ = tried_;
                best_paths_ = paths_;
            }
        }
        for (std::size_t k = 0; k < agents_.size(); ++k)
            told_paths_.tell(agents_[k], before_[k].path);
        return in_time;
    }

    // The agent finds and tells a path that fits the proposal; without one it vetoes.
    bool follow(std::size_t k, Proposal& proposal) {
        const AgentId agent = agents_[k];
        const std::vector<AgentId> above = directly_above(agent, proposal.order);
        std::vector<Vertex>& path = paths_[k];
        if (above.empty() && commitments_.manners_.firsts_keep) {
            path = before_[k].path;
        } else {
            const Outcome outcome = commitments_.path_below(agent, above, budget_, path);
            if (outcome != Outcome::found) {
                if (budget_.exhausted()) return false;
                veto(agent, proposal);
                return true;
            }
            told_paths_.tell(agent, path);
        }
        say(Stage::evaluation, agent, Act::new_path, {}, path);
        return true;
    }

    // A proposal that leaves two in conflict whom it puts in order is void; others are only
    // unsettled.
    void look_for_conflicts(Proposal& proposal) {
        for (const Rank& rank : proposal.order)
            if (told_paths_.collide(rank.superior, rank.inferior))
                return veto(rank.inferior, proposal);
        for (std::size_t k = 0; k < agents_.size(); ++k)
            for (std::size_t m = k + 1; m < agents_.size(); ++m) {
                const AgentId one = agents_[k], other = agents_[m];
                const auto is_theirs = [&](const Rank& rank) {
                    return rank == Rank{one, other} || rank == Rank{other, one};
                };
                if (std::ranges::none_of(proposal.order, is_theirs) &&
                    told_paths_.collide(one, other))
                    proposal.unsettled.push_back({one, other});
            }
    }

    // How much worse everybody fares than before the dialogue, by the weights or by what its voter
    // says: lower is better. Bystanders speak first, then those who had to give way.
    void vote(Proposal& proposal, std::span<const std::size_t> ranked) {
        const std::vector<AgentId> asked = bystanders(proposal);
        std::vector<double> votes;
        for (const AgentId agent : asked)
            if (!cast(bystander_stake(agent, proposal), proposal, votes)) return;
        for (std::size_t k = ranked.size(); k-- > 0;)
            if (!cast(stake(ranked[k], proposal), proposal, votes)) return;
        for (std::size_t k = 0; k < votes.size(); ++k) {
            const bool by_bystander = k < asked.size();
            const AgentId agent =
                by_bystander ? asked[k] : agents_[ranked[ranked.size() - 1 - (k - asked.size())]];
            say(Stage::evaluation, agent, Act::vote, proposal.order, {}, votes[k]);
        }
        proposal.total = exact_sum(votes);
    }

    // Adds an agent's vote; false if it is a veto.
    bool cast(const Stake& stake, Proposal& proposal, std::vector<double>& votes) {
        const Voter& voter = commitments_.manners_.voter;
        const std::optional<double> vote = voter ? voter(stake) : stake.sum;
        if (!vote) {
            veto(stake.agent, proposal);
            return false;
        }
        votes.push_back(*vote);
        return true;
    }

    // What the proposal that is tried means to one in the dialogue.
    Stake stake(std::size_t k, const Proposal& proposal) {
        const AgentId agent = agents_[k];
        const auto concerns = [agent](const Rank& two) {
            return two.superior == agent || two.inferior == agent;
        };
        Stake stake{number_, agent, proposal.proposer, proposal.order};
        stake.before = before_[k].path;
        stake.after = paths_[k];
        stake.cost = told_paths_.cost(agent);
        stake.longer = stake.cost - before_[k].cost;
        stake.conflicts = before_[k].conflicts;
        stake.more = told_paths_.count(agent) - before_[k].conflicts;
        stake.unsettled = std::ranges::any_of(proposal.unsettled, concerns);
        stake.sum = weights_.length * stake.longer;
        stake.sum += weights_.conflicts * stake.more;
        stake.sum += weights_.partial * stake.unsettled;
        return stake;
    }

    // Who collides with one in the dialogue before it, and how many conflicts everybody has.
    void remember_bystanders() {
        for (AgentId agent = 0; agent < told_paths_.size(); ++agent)
            conflicts_before_.push_back(told_paths_.count(agent));
        for (const AgentId agent : agents_)
            for (const AgentId other : told_paths_.colliding(agent))
                if (!contains(agents_, other)) colliding_before_.insert(other);
    }

    // The proposer asks all in reach who collide with one in the dialogue, before it or now.
    std::vector<AgentId> bystanders(const Proposal& proposal) {
        if (!commitments_.manners_.ask_bystanders) return {};
        std::set<AgentId> found = colliding_before_;
        for (const AgentId agent : agents_)
            for (const AgentId other : told_paths_.colliding(agent))
                if (!contains(agents_, other)) found.insert(other);
        const auto reach = commitments_.channel_.audience(proposal.proposer);
        std::vector<AgentId> asked;
        for (const AgentId other : found)
            if (contains(reach, other)) asked.push_back(other);
        if (!asked.empty())
            commitments_.channel_.say(
                {number_, Stage::evaluation, proposal.proposer, asked, Act::ask, proposal.order});
        return asked;
    }

    // The path of a bystander stays; what changes is with how many others it collides.
    Stake bystander_stake(AgentId agent, const Proposal& proposal) {
        Stake stake{number_, agent, proposal.proposer, proposal.order};
        stake.before = stake.after = told_paths_.path(agent);
        stake.cost = told_paths_.cost(agent);
        stake.conflicts = conflicts_before_[agent];
        stake.more = told_paths_.count(agent) - conflicts_before_[agent];
        stake.sum = weights_.conflicts * stake.more;
        return stake;
    }

    // Nobody votes on this proposal, and nobody expands it.
    void veto(AgentId agent, Proposal& proposal) {
        proposal.vetoed = true;
        say(Stage::evaluation, agent, Act::veto, proposal.order);
    }

    // An agent with something left to propose asks for another round of proposals.
    bool somebody_wants_more() {
        bool somebody = false;
        for (const AgentId agent : agents_) {
            const Order order = wish(agent);
            say(Stage::evaluation, agent, order.empty() ? Act::no_further : Act::expand, order);
            somebody |= !order.empty();
        }
        return somebody;
    }

    // The proposal with the lowest sum of votes is adopted; ties go to who proposed first.
    Commitments::Verdict close() {
        if (proposals_.empty() || proposals_[best_].vetoed)
            return Commitments::Verdict::nothing_works;
        commitments_.conclude(number_, agents_, proposals_[best_].order, best_paths_, true);
        return Commitments::Verdict::adopted;
    }

    // Superiors before inferiors, otherwise by number.
    std::vector<std::size_t> in_rank(std::span<const Rank> order) const {
        std::vector<std::size_t> ranked(agents_.size()), above;
        std::iota(ranked.begin(), ranked.end(), 0);
        for (const AgentId agent : agents_) above.push_back(all_above(agent, order).size());
        std::ranges::stable_sort(ranked, {}, [&](std::size_t k) { return above[k]; });
        return ranked;
    }

    // All others in the dialogue; for a bystander, everybody in it.
    std::span<const AgentId> others_of(AgentId agent) const {
        const auto place = std::find(agents_.begin(), agents_.end(), agent);
        if (place == agents_.end()) return agents_;
        return others_[place - agents_.begin()];
    }

    // To everybody in the dialogue.
    void say(Stage stage, AgentId speaker, Act act, std::span<const Rank> order = {},
             std::span<const Vertex> path = {},
             double vote = std::numeric_limits<double>::quiet_NaN()) {
        commitments_.channel_.say(
            {number_, stage, speaker, others_of(speaker), act, order, path, vote});
    }

    Commitments& commitments_;
    ToldPaths& told_paths_;
    const std::int32_t number_;
    const std::span<const AgentId> agents_;  // by number
    const Weights weights_;
    Budget& budget_;
    std::vector<Told> before_;                    // per agent
    std::vector<std::vector<AgentId>> others_;    // per agent
    std::vector<std::int32_t> conflicts_before_;  // of everybody, where bystanders are asked
    std::set<AgentId> colliding_before_;          // the bystanders that there were before
    std::vector<Proposal> proposals_;
    std::size_t tried_ = 0;     // how many of them were tried
    std::size_t best_ = 0;      // of these
    Paths paths_, best_paths_;  // under the one that is tried, and the best
    std::set<std::size_t, ByOrder> known_{
        ByOrder{this}};                       // all that were proposed, by their orders
    static constexpr std::size_t kNode = 48;  // bytes of an element of that
    // What each agent may still expand, by the sum of votes, the lowest first.
    using Base = std::pair<double, std::size_t>;
    using Ranking = std::priority_queue<Base, std::vector<Base>, std::greater<>>;
    std::map<AgentId, Ranking> bases_;
    std::int64_t held_ = 0;  // bytes that the proposals take
    std::int64_t noted_;     // bytes that had been said, at the last look
};

Commitments::Verdict Commitments::debate(std::int32_t dialogue, std::span<const AgentId> agents,
                                         Weights weights, Budget& budget) {
    return Debate(*this, dialogue, agents, weights, budget).run();
}

}  // namespace sidestep
