#include <algorithm>

#include "sidestep/model/random.hpp"
#include "sidestep/orca/crowd.hpp"

namespace sidestep::orca {

namespace {

constexpr double kThere = 1e-9;  // this near to a vertex of a plan is there
constexpr double kApart = 1e-9;  // agents nearer than that are taken to be this far apart
// Neighbours are avoided as if they were a little larger. In a throng the paper's program lets
// agents press into each other; this is what they press into, instead of locking like marbles in a
// funnel.
constexpr double kElbowRoom = 1.05;
// Slower than this share of the wanted speed is stuck; after this many seconds an agent goes
// astray, for this many.
constexpr double kStuck = 0.1, kPatience = 0.5, kAstray = 1;
constexpr double kPi = 3.141592653589793;

// Straight to the target, as fast as possible but not beyond it.
Vec towards(Vec target, Vec place, double max_speed, double dt) {
    const Vec way = target - place;
    const double distance = length(way);
    if (distance <= max_speed * dt) return way / dt;
    return way * (max_speed / distance);
}

}  // namespace

Crowd::Crowd(Manners manners, std::span<const Vec> places, std::span<const double> radii,
             std::span<const double> max_speeds)
    : manners_(manners),
      places_(places.begin(), places.end()),
      velocities_(places.size()),
      goals_(places_),
      radii_(radii.begin(), radii.end()),
      max_speeds_(max_speeds.begin(), max_speeds.end()),
      moods_(places.size()),
      wanted_(places.size()),
      chosen_(places.size()),
      careful_(places.size()) {
    for (const double radius : radii) max_radius_ = std::max(max_radius_, radius);
    for (const double speed : max_speeds) max_speed_ = std::max(max_speed_, speed);
}

void Crowd::set_walls(std::span<const std::uint8_t> passable, std::int32_t width) {
    walls_ = std::make_unique<Walls>(passable, width);
    routes_ = std::make_unique<Routes>(*walls_, Space::grid(passable, width, 4, Corners::none));
    for (std::size_t a = 0; a < places_.size(); ++a) {
        routes_->add_agent();
        routes_->set_goal(static_cast<AgentId>(a), goals_[a]);
    }
}

void Crowd::set_goal(AgentId agent, Vec goal) {
    goals_[agent] = goal;
    if (routes_) routes_->set_goal(agent, goal);
}

void Crowd::follow(std::span<const Vertex> plan) {
    const auto n = static_cast<AgentId>(places_.size());
    itinerary_ = std::make_unique<Itinerary>(plan, n);
    for (AgentId a = 0; a < n; ++a) goals_[a] = walls_->centre(plan[plan.size() - n + a]);
}

void Crowd::save(Writer& writer) const {
    writer(places_, velocities_, goals_, moods_, steps_);
    if (routes_) routes_->save(writer);
    if (itinerary_) itinerary_->save(writer);
}

void Crowd::load(Reader& reader) {
    const std::size_t count = places_.size();
    std::vector<Vec> places, velocities, goals;
    std::vector<Mood> moods;
    reader(places, velocities, goals, moods, steps_);
    for (const std::size_t size : {places.size(), velocities.size(), goals.size(), moods.size()})
        require_saved(size == count, "agents");
    for (const auto* all : {&places, &velocities, &goals})
        for (const Vec v : *all)
            require_saved(std::abs(v.row) <= 1e9 && std::abs(v.col) <= 1e9, "a place");
    for (std::size_t a = 0; a < count; ++a) set_goal(static_cast<AgentId>(a), goals[a]);
    places_ = std::move(places);
    velocities_ = std::move(velocities);
    moods_ = std::move(moods);
    if (routes_) routes_->load(reader);
    if (itinerary_) itinerary_->load(reader);
}

void Crowd::set_place(AgentId agent, Vec place) {
    places_[agent] = place;
    velocities_[agent] = {};
}

bool Crowd::has_arrived(AgentId agent, double tolerance) const {
    if (itinerary_ && !itinerary_->is_last(agent)) return false;
    const Vec rest = goals_[agent] - places_[agent];
    return dot(rest, rest) <= tolerance * tolerance;
}

bool Crowd::step(double dt, Budget& budget) {
    if (!budget.look()) return false;
    if (places_.empty()) return true;
    if (!want(dt, budget)) return false;
    index_.build(places_, cell_side());
    touching_.clear();
    index_.all([&](AgentId agent) {
        if (budget.exhausted() || !budget.tick()) return;
        chosen_[agent] = choose(agent, dt, false);
        for (const AgentId other : close_)
            if (agent < other) touching_.emplace_back(agent, other);
    });
    if (budget.exhausted()) return false;
    guard(dt);
    ++steps_;
    for (std::size_t a = 0; a < places_.size(); ++a) {
        velocities_[a] = chosen_[a];
        places_[a] = places_[a] + chosen_[a] * dt;
        if (itinerary_)
            note_arrival(static_cast<AgentId>(a), dt);
        else
            note_mood(static_cast<AgentId>(a), dt);
    }
    return true;
}

// What everybody would do if there were nobody else.
bool Crowd::want(double dt, Budget& budget) {
    if (itinerary_) itinerary_->decide();
    for (AgentId a = 0; a < static_cast<AgentId>(places_.size()); ++a) {
        if (!budget.tick()) return false;
        const Vec wanted = towards(target(a, budget), places_[a], max_speeds_[a], dt);
        const bool strays = moods_[a].astray > 0 && dot(wanted, wanted) > 0;
        wanted_[a] = strays ? moods_[a].whim * max_speeds_[a] : wanted;
    }
    return true;
}

Vec Crowd::target(AgentId agent, Budget& budget) {
    if (itinerary_) return walls_->centre(itinerary_->next(agent));
    return walls_ ? routes_->next(agent, places_[agent], radii_[agent], budget) : goals_[agent];
}

// An agent that goes straight on need not stop at a vertex that it passes in the next step.
void Crowd::note_arrival(AgentId agent, double dt) {
    const Vertex here = itinerary_->here(agent), next = itinerary_->next(agent);
    if (next == here) return;
    const Vec there = walls_->centre(next);
    const Vec turn =
        walls_->centre(itinerary_->after_next(agent)) - there - (there - walls_->centre(here));
    const bool straight_on = dot(turn, turn) == 0;
    const double reached = straight_on ? max_speeds_[agent] * dt : 0;
    if (length(there - places_[agent]) <= reached + kThere) itinerary_->arrive(agent);
}

// An agent that has been stuck for a while may go somewhere at random for a moment: agents that
// press from all sides alike would stand there for ever. Half of them do, so that not all do the
// same.
void Crowd::note_mood(AgentId agent, double dt) {
    Mood& mood = moods_[agent];
    if (mood.astray > 0) {
        mood.astray -= dt;
        return;
    }
    const Vec wanted = wanted_[agent], got = velocities_[agent];
    mood.stuck = dot(got, got) < kStuck * kStuck * dot(wanted, wanted) ? mood.stuck + dt : 0;
    if (mood.stuck < kPatience) return;
    const std::uint64_t draw = mix(mix(steps_) + static_cast<std::uint64_t>(agent));
    const auto part = [](std::uint64_t bits) {
        return static_cast<double>(bits & 0xFFFF) / 0x8000 - 1;
    };
    mood = {0, draw >> 63 ? kAstray : 0, {part(draw), part(draw >> 16)}};
}

// Cells of which, if everybody were spread evenly, the neighbours of an agent fill about eight.
double Crowd::cell_side() const {
    Vec low = places_.front(), high = low;
    for (const Vec place : places_) {
        low = {std::min(low.row, place.row), std::min(low.col, place.col)};
        high = {std::max(high.row, place.row), std::max(high.col, place.col)};
    }
    const double area = (high.row - low.row) * (high.col - low.col);
    const double each = area / static_cast<double>(places_.size());
    const double side = 0.65 * std::sqrt((manners_.neighbours + 1) * each / kPi);
    const double reach = 2 * (max_radius_ + max_speed_ * manners_.horizon);
    return std::max(2 * max_radius_, std::min(side, reach));
}

// Finds the nearest agents that matter within the horizon, and all that could be touched in this
// step.
void Crowd::look_around(AgentId agent, double dt) {
    const Vec place = places_[agent];
    const auto most = static_cast<std::size_t>(itinerary_ ? 0 : manners_.neighbours);
    const double speed = max_speeds_[agent], radius = radii_[agent];
    const double reach = radius + max_radius_ + (speed + max_speed_) * manners_.horizon;
    const double touch = radius + max_radius_ + (speed + max_speed_) * dt;
    double limit = most ? reach * reach : 0;  // of the squared distance
    nearest_.clear();
    close_.clear();
    const auto visit = [&](AgentId other, Vec there) {
        const Vec offset = there - place;
        const double squared = dot(offset, offset);
        if (squared >= std::max(limit, touch * touch) || other == agent) return;
        bool close = false;
        if (squared < touch * touch) {
            const double contact = radius + radii_[other] + (speed + max_speeds_[other]) * dt;
            close = squared < contact * contact;
            if (close) close_.push_back(other);
        }
        if (squared >= limit) return;
        if (walls_ && !close && !walls_->sees(place, there)) return;
        if (nearest_.size() < most) nearest_.emplace_back();
        std::size_t k = nearest_.size() - 1;
        for (; k > 0 && nearest_[k - 1].squared > squared; --k) nearest_[k] = nearest_[k - 1];
        nearest_[k] = {squared, other};
        if (nearest_.size() == most) limit = nearest_.back().squared;
    };
    index_.around(place, visit,
                  [&](double squared) { return squared >= touch * touch && squared >= limit; });
    std::sort(close_.begin(), close_.end());
}

Other Crowd::seen_from(AgentId agent, AgentId other, std::span<const Vec> velocities) const {
    Vec offset = places_[other] - places_[agent];
    if (dot(offset, offset) < kApart * kApart) offset = {agent < other ? kApart : -kApart, 0};
    return {offset, velocities[other], radii_[agent] + radii_[other]};
}

Vec Crowd::choose(AgentId agent, double dt, bool careful) {
    const double max_speed = max_speeds_[agent];
    look_around(agent, dt);
    if (itinerary_) return careful ? slowed(agent, dt) : wanted_[agent];
    planes_.clear();
    if (walls_)
        walls_->half_planes(places_[agent], radii_[agent], max_speed, manners_.wall_horizon,
                            planes_);
    if (careful)
        for (const AgentId other : close_)
            planes_.push_back(half_of_gap(seen_from(agent, other, velocities_), dt));
    const std::size_t hard = planes_.size();
    for (const Near& near : nearest_) {
        Other other = seen_from(agent, near.agent, velocities_);
        other.radii *= kElbowRoom;
        const HalfPlane plane = reciprocal(other, velocities_[agent], manners_.horizon, dt);
        if (plane.bound > -max_speed) planes_.push_back(plane);  // others never matter
    }
    Vec wanted = wanted_[agent];
    const auto forbids = [&](const HalfPlane& plane) { return plane.excess(wanted) > 0; };
    if (std::any_of(planes_.begin(), planes_.end(), forbids))
        wanted = wanted + to_the_right(wanted) * manners_.keep_right;
    return program_.best(planes_, hard, wanted, max_speed);
}

// An agent by a plan goes straight from vertex to vertex and never aside: one that is in the way
// is on its way out of it. So it slows down and nothing else.
Vec Crowd::slowed(AgentId agent, double dt) const {
    Vec v = wanted_[agent];
    for (const AgentId other : close_) {
        const HalfPlane plane = half_of_gap(seen_from(agent, other, velocities_), dt);
        if (plane.excess(v) > 0) v = v * (plane.bound / dot(plane.normal, v));
    }
    return v;
}

// Both of two that would touch choose again, carefully. Careful agents never touch each other, so
// this ends when everybody is careful at the latest.
void Crowd::guard(double dt) {
    std::fill(careful_.begin(), careful_.end(), 0);
    std::vector<AgentId> again;
    do {
        again.clear();
        for (const auto& [a, b] : touching_) {
            if (careful_[a] && careful_[b]) continue;
            if (!would_touch(seen_from(a, b, chosen_), chosen_[a], dt)) continue;
            for (const AgentId agent : {a, b})
                if (!careful_[agent]) {
                    careful_[agent] = 1;
                    again.push_back(agent);
                }
        }
        for (const AgentId agent : again) chosen_[agent] = choose(agent, dt, true);
    } while (!again.empty());
}

}  // namespace sidestep::orca
