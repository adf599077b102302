// Where agents among walls head for next: downhill on the distances to the goal, and straight to
// the farthest point of that way that is in view.
#pragma once

#include <vector>

#include "sidestep/distance/distance.hpp"
#include "sidestep/model/archive.hpp"
#include "sidestep/model/budget.hpp"
#include "sidestep/model/types.hpp"
#include "sidestep/orca/walls.hpp"

namespace sidestep::orca {

class Routes {
  public:
    // `space` has the cells of the walls, 4-connected: a disc can make every such move.
    Routes(const Walls& walls, Space space) : walls_(walls), space_(std::move(space)) {}
    Routes(const Routes&) = delete;
    Routes& operator=(const Routes&) = delete;

    void add_agent() { agents_.emplace_back(); }
    void set_goal(AgentId agent, Vec goal);

    // How far everybody is on its way; goals are set before that is loaded.
    void save(Writer& writer) const;
    void load(Reader& reader);

    // The point to walk to from here: the goal itself once it is near and in view. Who has no way
    // stays in its cell. It means nothing if the budget ran out.
    Vec next(AgentId agent, Vec place, double radius, Budget& budget);

  private:
    struct Course {
        Vec goal;
        DistanceMap* distances = nullptr;
        Vertex target = kNowhere;    // whose map it is
        Vertex waypoint = kNowhere;  // the farthest cell on the way that was in view
        Vertex further = kNowhere;   // the one after it, if known
    };

    Vertex downhill(const Course& course, Vertex from, Budget& budget) const;
    bool is_near(Vec place, Vec target) const;

    const Walls& walls_;
    Space space_;
    Distances distances_{space_};
    std::vector<Course> agents_;
};

}  // namespace sidestep::orca
