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

// A path of an agent around its superiors, in place of the search: for tests and teaching.
using PathFinder = std::function<std::optional<std::vector<Vertex>>(
    AgentId agent, const std::vector<AgentId>& superiors)>;

class Commitments {
  public:
    // If `firsts_keep`, who goes first in an order keeps the path that it has told; otherwise it
    // looks for one like all others, since its superiors may have come in the way.
    Commitments(ToldPaths& told_paths, Channel& channel, bool firsts_keep, PathFinder find)
        : told_paths_(told_paths),
          channel_(channel),
          firsts_keep_(firsts_keep),
          find_(std::move(find)),
          superiors_(static_cast<std::size_t>(told_paths.size())) {}

    // The agent's path around its superiors and these others.
    Outcome path_below(AgentId agent, std::span<const AgentId> others, Budget& budget,
                       std::vector<Vertex>& path) const;
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
    bool firsts_keep_;
    PathFinder find_;
    std::vector<std::vector<AgentId>> superiors_;  // per agent, by number
};

}  // namespace sidestep
