// A crowd of round agents in continuous space: optimal reciprocal collision avoidance (van den
// Berg, Guy, Lin and Manocha 2011).
//
// In every step each agent takes, of the velocities that keep it clear of its neighbours for a
// while, the one nearest to what it would like. Walls always hold. Between agents the program of
// the paper may have no answer in a throng; so a guard looks at the velocities before they are
// used, and an agent that would touch another chooses again, this time in the nearer half of every
// gap. That always leaves standing still, so agents that do not overlap never will.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sidestep/model/archive.hpp"
#include "sidestep/model/budget.hpp"
#include "sidestep/orca/avoidance.hpp"
#include "sidestep/orca/itinerary.hpp"
#include "sidestep/orca/linear_program.hpp"
#include "sidestep/orca/neighbours.hpp"
#include "sidestep/orca/routes.hpp"
#include "sidestep/orca/walls.hpp"

namespace sidestep::orca {

struct Manners {
    double horizon = 2;            // seconds for which neighbours are avoided
    double wall_horizon = 0.5;     // and walls
    std::int32_t neighbours = 10;  // how many of the nearest are looked at
    double keep_right = 0.3;       // an agent that has to give way leans to this side
};

class Crowd {
  public:
    Crowd(Manners manners, std::span<const Vec> places, std::span<const double> radii,
          std::span<const double> max_speeds);

    void set_walls(std::span<const std::uint8_t> passable, std::int32_t width);
    void set_goal(AgentId agent, Vec goal);
    // Instead of goals: a plan without diagonal moves. It needs walls.
    void follow(std::span<const Vertex> plan);
    void set_place(AgentId agent, Vec place);
    bool fits(Vec place, double radius) const { return !walls_ || walls_->fits(place, radius); }

    // One step of dt seconds. False: the budget ran out, and the rest of the step was not made.
    bool step(double dt, Budget& budget);

    // Within this distance of the goal, and with nothing left to follow?
    bool has_arrived(AgentId agent, double tolerance) const;

    // The whole state, for one made with the same manners, walls and plan to go on exactly as this
    // one would.
    void save(Writer& writer) const;
    void load(Reader& reader);

    bool has_walls() const { return walls_ != nullptr; }
    std::int32_t cells() const { return walls_->cells(); }  // of the grid that the walls are in
    double shortest_horizon() const { return std::min(manners_.horizon, manners_.wall_horizon); }
    std::span<const Vec> places() const { return places_; }
    std::span<const Vec> velocities() const { return velocities_; }
    std::span<const Vec> goals() const { return goals_; }

  private:
    struct Mood {
        double stuck = 0;   // for how many seconds
        double astray = 0;  // for how many more, with the velocity of its whim
        Vec whim;           // as a share of the maximum speed
        template <class Self, class Archive>
        static void fields(Self& self, Archive& archive) {
            archive(self.stuck, self.astray, self.whim);
        }
    };
    struct Near {
        double squared;
        AgentId agent;
        auto operator<=>(const Near&) const = default;
    };

    bool want(double dt, Budget& budget);
    Vec target(AgentId agent, Budget& budget);
    void note_arrival(AgentId agent, double dt);
    void note_mood(AgentId agent, double dt);
    double cell_side() const;
    void look_around(AgentId agent, double dt);
    Other seen_from(AgentId agent, AgentId other, std::span<const Vec> velocities) const;
    Vec choose(AgentId agent, double dt, bool careful);
    Vec slowed(AgentId agent, double dt) const;
    void guard(double dt);

    Manners manners_;
    std::vector<Vec> places_, velocities_, goals_;
    std::vector<double> radii_, max_speeds_;
    double max_radius_ = 0, max_speed_ = 0;
    std::unique_ptr<Walls> walls_;
    std::unique_ptr<Routes> routes_;
    std::unique_ptr<Itinerary> itinerary_;

    Neighbours index_;
    LinearProgram program_;
    std::uint64_t steps_ = 0;
    std::vector<Mood> moods_;
    std::vector<Vec> wanted_, chosen_;
    std::vector<HalfPlane> planes_;
    std::vector<Near> nearest_;                          // of one agent, nearest first
    std::vector<AgentId> close_;                         // whom it could touch in this step
    std::vector<std::pair<AgentId, AgentId>> touching_;  // all pairs that could
    std::vector<std::uint8_t> careful_;
};

}  // namespace sidestep::orca
