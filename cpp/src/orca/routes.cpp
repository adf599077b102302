#include "sidestep/orca/routes.hpp"

#include <cmath>

namespace sidestep::orca {

namespace {

constexpr double kView = 16;  // cells: looking farther costs time and gains little
constexpr int kAdvances = 4;  // cells by which a waypoint moves on in one step

}  // namespace

void Routes::set_goal(AgentId agent, Vec goal) {
    Course& course = agents_[static_cast<std::size_t>(agent)];
    if (course.distances) distances_.release(course.target);
    course = Course{goal, nullptr, walls_.cell(goal)};
}

void Routes::save(Writer& writer) const {
    for (const Course& course : agents_) writer(course.waypoint, course.further);
}

void Routes::load(Reader& reader) {
    for (Course& course : agents_) {
        reader(course.waypoint, course.further);
        require_saved_vertex(space_, course.waypoint);
        require_saved_vertex(space_, course.further);
    }
}

Vec Routes::next(AgentId agent, Vec place, double radius, Budget& budget) {
    Course& course = agents_[static_cast<std::size_t>(agent)];
    if (is_near(place, course.goal) && walls_.passes(place, course.goal, radius))
        return course.goal;

    const Vertex here = walls_.cell(place);
    if (here == kNowhere || course.target == kNowhere) return course.goal;  // outside of the grid
    if (!course.distances) course.distances = &distances_.acquire(course.target, here);
    const auto in_view = [&](Vertex v) {
        const Vec centre = walls_.centre(v);
        return is_near(place, centre) && walls_.passes(place, centre, radius);
    };
    Vertex &waypoint = course.waypoint, &further = course.further;
    // The centre of its own cell can always be reached, and from there the next one.
    if (waypoint == kNowhere || !in_view(waypoint)) {
        waypoint = here;
        further = kNowhere;
    }
    for (int k = 0; k < kAdvances; ++k) {
        if (further == kNowhere) further = downhill(course, waypoint, budget);
        if (budget.exhausted()) {
            further = kNowhere;  // what it says is not known yet
            return course.goal;
        }
        if (further == kNowhere || !in_view(further)) break;
        waypoint = further;
        further = kNowhere;
    }
    return walls_.centre(waypoint);
}

// The cell beside this one that is one step nearer; of several, the nearest as the crow flies.
Vertex Routes::downhill(const Course& course, Vertex from, Budget& budget) const {
    const Cost here = course.distances->at(from, budget);
    if (here == kNotReady || here >= kUnreachable) return kNowhere;
    const Vec target = walls_.centre(course.target);
    Vertex best = kNowhere;
    double least = 0;
    for (const Vertex v : space_.successors(from)) {
        if (course.distances->at(v, budget) != here - 1) continue;
        const Vec rest = target - walls_.centre(v);
        const double squared = dot(rest, rest);
        if (best == kNowhere || squared < least) {
            best = v;
            least = squared;
        }
    }
    return best;
}

bool Routes::is_near(Vec place, Vec target) const {
    const Vec way = target - place;
    return std::abs(way.row) <= kView && std::abs(way.col) <= kView;
}

}  // namespace sidestep::orca
