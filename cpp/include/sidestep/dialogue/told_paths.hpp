// What agents have that settle their conflicts among themselves (PCA*, DPCA* and WDPCA* of the
// dialogue thesis): the path that each has told the others, where told paths collide, and the paths
// that each has found so far.
//
// Told paths may collide; an agent searches around those of its superiors only. Conflicts are kept
// up to date path by path, so that trying an order costs in proportion to the paths that it
// changes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sidestep/dialogue/whereabouts.hpp"
#include "sidestep/distance/distance.hpp"
#include "sidestep/model/archive.hpp"
#include "sidestep/model/budget.hpp"
#include "sidestep/model/rules.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/model/types.hpp"
#include "sidestep/spacetime/conflicts.hpp"
#include "sidestep/spacetime/search.hpp"

namespace sidestep {

// One thing that an agent does: to be in a place at a time or, with a `from`, to go there from that
// in the step after it.
struct Action {
    Vertex from = kNowhere, to = kNowhere;
    Time time = 0;
};

class ToldPaths {
  public:
    struct Options {
        Time window = 0;    // steps that agents plan ahead, then the terminal edge; 0: all the way
        bool cache = true;  // may agents use paths again that they found under other orders?
        bool loop_free = true;  // all the way: of equally cheap paths, one without loops
    };

    static constexpr Time kLongestWindow = 1 << 16;  // whole windows are stored

    ToldPaths(Space space, Rules rules, Options options, std::span<const Vertex> positions,
              std::span<const Vertex> goals);
    // A copy goes on exactly as the original would; it only has to find its distances again.
    ToldPaths(const ToldPaths&) = default;
    ToldPaths& operator=(const ToldPaths&) = delete;

    // Everybody is there, has told nothing and knows of no path.
    void begin(std::span<const Vertex> positions);

    // A cheapest path of the agent that collides with no path its superiors have told, or, from the
    // cache, the cheapest of those known that does not. All the way, if an equally cheap one
    // without loops, which nobody would understand, is wanted and soon found, it is that one. None
    // of the actions is on the path that it has given up; then loops do not matter.
    Outcome find(AgentId agent, std::span<const AgentId> superiors, Budget& budget,
                 std::vector<Vertex>& path, std::span<const Action> given_up = {});
    // Everybody finds a path regardless of the others and tells it. Returns the first who found
    // none (in a window it stands, and the others go on), or kNobody.
    AgentId plan_alone(Budget& budget);
    // Everybody hears the agent's path, in place of what it told before.
    void tell(AgentId agent, std::span<const Vertex> path);
    // A path on which the agent stays where it is.
    std::vector<Vertex> standing(AgentId agent) const;

    Vertex position(AgentId agent) const { return agents_[agent].position; }
    std::span<const Vertex> path(AgentId agent) const { return whereabouts_.path(agent); }
    // What the told path costs, the terminal edge included.
    Cost cost(AgentId agent);
    // With how many others the told path collides, each counted once per time.
    std::int32_t count(AgentId agent) const {
        return static_cast<std::int32_t>(conflicts_[agent].size());
    }
    // Do the told paths of the two collide?
    bool collide(AgentId one, AgentId other) const;
    // All with whom the told path of an agent collides, by number.
    std::vector<AgentId> colliding(AgentId agent) const;
    // The first conflict of every two whose paths collide, by time and agents.
    std::vector<Conflict> first_conflicts() const;
    // A number that tells one set of told paths from another.
    std::uint64_t fingerprint() const;
    // How many paths are known from the cache, of all agents together. They only become more.
    std::int64_t known() const;

    // The distance from an agent to its goal by itself; kUnreachable, kNotReady.
    Cost distance(AgentId agent, Budget& budget);

    void set_open(Vertex v, bool open);
    void set_goal(AgentId agent, Vertex goal);
    AgentId add_agent(Vertex position);
    void remove_agent(AgentId agent);
    const Space& space() const { return ground_.space; }
    Time window() const { return options_.window; }
    // To be followed by begin(): paths told so far were for the other window.
    void set_window(Time window) { options_.window = window; }
    std::int32_t size() const { return static_cast<std::int32_t>(agents_.size()); }

    // Between two rounds: told paths are not saved.
    void save(Writer& writer) const;
    void load(Reader& reader);

  private:
    class Superiors;
    class Restrained;
    class LoopFree;
    struct Known {
        Cost cost;
        std::vector<Vertex> path;
    };
    struct Agent {
        Vertex position = kNowhere;
        Vertex goal = kNowhere;
        Vertex heading = kNowhere;  // the goal, unless that cannot be reached for now
        GoalDistances distances;
        std::vector<Known> known;  // cheapest first
        std::uint64_t fingerprint = 0;

        template <class Self, class Archive>
        static void fields(Self& self, Archive& archive) {
            archive(self.position, self.goal, self.heading);
        }
    };
    struct Clash {
        AgentId other;
        Time time;
        CollisionKind kind;
    };

    Time horizon() const { return options_.window ? options_.window : kForever - 1; }
    bool stays(AgentId agent) const {
        return !options_.window && (!rules_.disappear || agents_[agent].goal == kNowhere);
    }
    DistanceMap& distances(Agent& self);
    Vertex destination(AgentId agent, Budget& budget);
    Cost price(Agent& self, std::span<const Vertex> path);
    void straighten(AgentId agent, const Superiors& superiors, Budget& budget,
                    std::vector<Vertex>& path);
    bool remember(AgentId agent, std::span<const Vertex> path, Budget& budget);
    template <class Others>
    bool recall(AgentId agent, const Others& others, std::vector<Vertex>& path) const;
    SearchTask task_of(AgentId agent);
    void forget_conflicts(AgentId agent);
    void find_conflicts(AgentId agent);
    void meet(AgentId agent, Time t);
    void move(AgentId agent, Time t);
    void add(AgentId agent, AgentId other, Time t, CollisionKind kind);

    MeasuredSpace ground_;
    Rules rules_;
    Options options_;
    Whereabouts whereabouts_;
    SpaceTimeSearch search_;
    std::vector<Agent> agents_;
    std::vector<std::vector<Clash>> conflicts_;  // per agent its own
};

}  // namespace sidestep
