// What a planner turn by turn knows of an agent and its goal, and who goes first by that.
//
// In some worlds agents that arrive stay; in others they go on at once, since work never ends.
// There more arrive if the nearest go first, and nobody need keep clear of a goal once its agent is
// there. Which world it is, planners see: from what became of those who arrived.
#pragma once

#include <cstdint>
#include <tuple>

#include "sidestep/distance/distance.hpp"
#include "sidestep/model/archive.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/model/types.hpp"

namespace sidestep {

struct Errand {
    Vertex goal = kNowhere;
    std::int32_t priority = 0;
    std::int32_t off_goal = 0;  // turns since it was on its goal, or got it
    Vertex sought = kNowhere;   // its goal in the last turn
    Cost way = 0;               // how far it was when it set out

    void set_goal(Vertex to) {
        if (goal != to) off_goal = 0;  // it has just set out
        goal = to;
    }
    void set_out(Cost distance) {
        if (off_goal == 0) way = distance;
    }
    // Who takes longer than as many turns and twice its way is late.
    static constexpr std::int32_t kPatience = 100;
    bool is_late() const { return off_goal - kPatience > 2 * std::int64_t{way}; }

    template <class Self, class Archive>
    static void fields(Self& self, Archive& archive) {
        archive(self.goal, self.priority, self.off_goal, self.sought, self.way);
    }
};

inline void require_saved_errand(const Space& space, const Errand& saved) {
    for (const Vertex v : {saved.goal, saved.sought}) require_saved_vertex(space, v);
    require_saved(saved.off_goal >= 0, "a number of turns");
    require_saved(saved.way >= 0 && saved.way <= kUnreachable, "the length of a way");
}

// By priority, then who is late, for longest, then who is nearest to its goal: the smallest key
// goes first. Who is not on the way goes last.
inline auto nearest_first(const Errand& errand, bool on_the_way, Cost left) {
    return std::tuple(-std::int64_t{errand.priority},
                      on_the_way && errand.is_late() ? -errand.off_goal : 0,
                      on_the_way ? left : kUnreachable);
}

// What became of those who arrived.
class Arrivals {
  public:
    // At the beginning of a turn, once for every agent.
    void watch(Errand& errand, Vertex position) {
        if (errand.sought != kNowhere && position == errand.sought) {
            if (errand.goal == errand.sought)
                stayed_ += errand.off_goal > 0;
            else
                went_on_ += errand.goal != kNowhere;
        }
        errand.sought = errand.goal;
    }
    // Do most go on at once?
    bool going_on() const { return went_on_ > stayed_; }

    template <class Self, class Archive>
    static void fields(Self& self, Archive& archive) {
        archive(self.went_on_, self.stayed_);
    }

  private:
    std::uint64_t went_on_ = 0, stayed_ = 0;
};

}  // namespace sidestep
