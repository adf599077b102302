// A round of commitments (PCA*, DPCA* and WDPCA* of the dialogue thesis): to which orders every
// agent has committed itself, and the dialogues in which those who collide agree on another.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "sidestep/dialogue/channel.hpp"
#include "sidestep/dialogue/told_paths.hpp"
#include "sidestep/model/budget.hpp"

namespace sidestep {

// What a vote is made of: the change in path cost and in conflicts, and what is left unsettled.
struct Weights {
    double length = 1, conflicts = 1, partial = 0;
};

// A path of an agent around its superiors, without what it has given up, in place of the search.
using PathFinder = std::function<std::optional<std::vector<Vertex>>(
    AgentId agent, const std::vector<AgentId>& superiors, std::span<const Action> given_up)>;

// What a proposal means to one agent: all that its vote may be made of.
struct Stake {
    std::int32_t dialogue;
    AgentId agent, proposer;
    std::span<const Rank> order;
    std::span<const Vertex> before = {}, after = {};  // its told path, and that under the order
    Cost cost = 0, longer = 0;                        // of the latter, and how much more that is
    std::int32_t conflicts = 0, more = 0;             // before, and how many more there are
    bool unsettled = false;  // is it left in conflict with others in the dialogue?
    double sum = 0;          // of these by the weights: the thesis's vote
};
// A vote in place of the weighted sum; without a number it is a veto.
using Voter = std::function<std::optional<double>(const Stake&)>;

class Commitments {
  public:
    struct Manners {
        // Who goes first in an order keeps the path that it has told; otherwise it looks for one
        // like all others, since its superiors may have come in the way.
        bool firsts_keep = true;
        // Those who collide with one in a dialogue, before or under a proposal, are asked.
        bool ask_bystanders = false;
        PathFinder find = {};
        Voter voter = {};
    };
    Commitments(ToldPaths& told_paths, Channel& channel, Manners manners)
        : told_paths_(told_paths),
          channel_(channel),
          manners_(std::move(manners)),
          superiors_(static_cast<std::size_t>(told_paths.size())) {}

    // The agent's path around its superiors and these others, without what it has given up nor
    // what it would `give_up` besides.
    Outcome path_below(AgentId agent, std::span<const AgentId> others, Budget& budget,
                       std::vector<Vertex>& path, std::span<const Action> give_up = {}) const;
    // From now on the agent does not do that.
    void give_up(AgentId agent, Action action);
    // From now on this order holds. Nobody knows all orders; together they may go round in circles.
    void commit(std::span<const Rank> order);
    // Everybody is below this agent from now on, and nobody above it.
    void put_on_top(AgentId agent);
    // Whom the agent plans around, by number.
    std::span<const AgentId> superiors(AgentId agent) const { return superiors_[agent]; }
    // From now on the agent plans around these, and nobody else.
    void set_superiors(AgentId agent, std::span<const AgentId> others);
    // How many orders hold. They only become more, but for the two above.
    std::int64_t orders() const;
    // The first two who collide although they have an order between them.
    std::optional<Rank> broken_order() const;

    // Those in a conflict adopt an order for good and tell the paths that come of it, to everybody,
    // or, if they are `known` to those in the conflict, to all others.
    void conclude(std::int32_t dialogue, std::span<const AgentId> agents,
                  std::span<const Rank> order, std::span<const std::vector<Vertex>> paths,
                  bool known);

    enum class Verdict : std::uint8_t { adopted, nothing_works, out_of_budget };
    // A dialogue of those in a conflict until they adopt an order.
    Verdict debate(std::int32_t dialogue, std::span<const AgentId> agents, Weights weights,
                   Budget& budget);

    const ToldPaths& told_paths() const { return told_paths_; }
    const Channel& channel() const { return channel_; }
    std::int32_t size() const { return static_cast<std::int32_t>(superiors_.size()); }

  private:
    friend class Debate;
    bool is_above(AgentId superior, AgentId inferior) const;

    ToldPaths& told_paths_;
    Channel& channel_;
    Manners manners_;
    std::vector<std::vector<AgentId>> superiors_;  // per agent, by number
    std::vector<std::vector<Action>> given_up_;    // per agent; empty while nobody has
};

}  // namespace sidestep
