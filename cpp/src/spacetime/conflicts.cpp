#include "sidestep/spacetime/conflicts.hpp"

#include <algorithm>
#include <tuple>

namespace sidestep {

namespace {

class ConflictScan {
  public:
    ConflictScan(const Space& space, const Rules& rules,
                 std::span<const std::span<const Vertex>> paths)
        : space_(space), rules_(rules), paths_(paths), first_at_(space.size(), kNobody) {
        next_at_.resize(paths.size(), kNobody);
    }

    std::vector<Conflict> find(Budget& budget) {
        std::size_t longest = 0;
        for (const auto& path : paths_) longest = std::max(longest, path.size());
        const auto agents = static_cast<std::int64_t>(paths_.size());
        for (Time t = 0; t < static_cast<Time>(longest) && budget.tick(agents); ++t) step(t);
        const auto rank = [](const Conflict& c) {
            return std::tuple(c.time, c.first, c.second, static_cast<int>(c.kind));
        };
        std::sort(found_.begin(), found_.end(),
                  [&](const Conflict& a, const Conflict& b) { return rank(a) < rank(b); });
        return std::move(found_);
    }

  private:
    Vertex at(AgentId a, Time t) const {
        const auto& path = paths_[a];
        if (t < static_cast<Time>(path.size())) return path[t];
        return rules_.disappear || path.empty() ? kNowhere : path.back();
    }

    // Calls visit(other) for every agent on v at the time that the lists stand for.
    template <class Visit>
    void each_at(Vertex v, Visit&& visit) const {
        for (AgentId b = first_at_[v]; b != kNobody; b = next_at_[b]) visit(b);
    }

    // Everything at time t, and on the way from t to t + 1.
    void step(Time t) {
        const auto count = static_cast<AgentId>(paths_.size());
        for (AgentId a = 0; a < count; ++a) {
            const Vertex v = at(a, t);
            if (v == kNowhere) continue;
            each_at(v, [&](AgentId b) { add(t, CollisionKind::vertex, a, b); });
            next_at_[a] = first_at_[v];
            first_at_[v] = a;
        }
        for (AgentId a = 0; a < count; ++a)
            if (at(a, t) != kNowhere) look_ahead(a, t);
        for (AgentId a = 0; a < count; ++a)
            if (at(a, t) != kNowhere) first_at_[at(a, t)] = kNobody;
    }

    // Those who are there at the time that the lists stand for, and where they go.
    struct Others {
        const ConflictScan& scan;
        Time t;
        template <class Wanted>
        bool any_before(Vertex v, Wanted&& wanted) const {
            bool found = false;
            scan.each_at(v, [&](AgentId b) { found |= wanted(OtherAgent{b, scan.at(b, t + 1)}); });
            return found;
        }
    };

    void look_ahead(AgentId a, Time t) {
        const Move move{at(a, t), at(a, t + 1)};
        if (move.to == kNowhere || move.from == move.to) return;
        any_on_the_way(space_, rules_, move, Others{*this, t},
                       [&](CollisionKind kind, const OtherAgent& other) {
                           // Only who follows finds that; what else they do both find.
                           if (kind == CollisionKind::following || a < other.agent)
                               add(t, kind, a, other.agent);
                           return false;  // look at all of them
                       });
    }

    void add(Time t, CollisionKind kind, AgentId a, AgentId b) {
        const auto [first, second] = std::minmax(a, b);
        found_.push_back({t, kind, first, second, at(first, t)});
    }

    const Space& space_;
    const Rules& rules_;
    std::span<const std::span<const Vertex>> paths_;
    std::vector<AgentId> first_at_, next_at_;  // per vertex a list of who is there
    std::vector<Conflict> found_;
};

}  // namespace

std::vector<Conflict> find_conflicts(const Space& space, const Rules& rules,
                                     std::span<const std::span<const Vertex>> paths,
                                     Budget& budget) {
    return ConflictScan(space, rules, paths).find(budget);
}

}  // namespace sidestep
