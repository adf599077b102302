#include "sidestep/fleet/simulator.hpp"

#include <algorithm>

#include "sidestep/model/random.hpp"

namespace sidestep {

namespace {

constexpr std::int32_t kDiagonalLength = 1414;

// What is drawn; the copies of one message have numbers of their own.
enum : std::uint64_t { kDelay = 1, kLength, kStop, kCommand = 16, kReport = 32 };

// How far a robot gets that goes this fast in this tick and then brakes.
std::int64_t stopping_length(std::int64_t speed, std::int64_t braking) {
    const std::int64_t ticks = speed / braking;
    return (ticks + 1) * speed - braking * ticks * (ticks + 1) / 2;
}

std::int32_t fastest_that_stops(std::int32_t most, std::int32_t braking, std::int64_t room) {
    std::int32_t least = 0;
    most = static_cast<std::int32_t>(std::min<std::int64_t>(most, room));
    if (braking == 0) return most;
    while (least < most) {
        const std::int32_t middle = least + (most - least + 1) / 2;
        if (stopping_length(middle, braking) <= room)
            least = middle;
        else
            most = middle - 1;
    }
    return std::max(least, std::int32_t{1});
}

}  // namespace

Simulator::Simulator(const Space& space, std::span<const Vertex> starts, std::vector<Drive> drives,
                     const Mishaps& mishaps, std::uint64_t seed)
    : space_(space),
      drives_(std::move(drives)),
      mishaps_(mishaps),
      seed_(mix(seed)),
      commands_(static_cast<std::size_t>(mishaps.lateness) + 2),
      reports_(static_cast<std::size_t>(mishaps.lateness) + 2) {
    for (const Vertex start : starts) {
        Robot robot;
        robot.at = start;
        robots_.push_back(std::move(robot));
    }
}

std::uint64_t Simulator::draw(std::uint64_t what, AgentId agent) const {
    return mix(mix(mix(seed_ + what) + static_cast<std::uint64_t>(now_)) +
               static_cast<std::uint64_t>(agent));
}

bool Simulator::happens(std::uint64_t what, AgentId agent, std::uint32_t chance) const {
    return chance > 0 && draw(what, agent) >> 32 < chance;
}

std::int32_t Simulator::copies(std::uint64_t what, AgentId agent) const {
    if (happens(what, agent, mishaps_.loss)) return 0;
    return happens(what + 1, agent, mishaps_.doubling) ? 2 : 1;
}

void Simulator::send(AgentId agent, std::int32_t first, std::span<const Vertex> places) {
    for (std::int32_t copy = copies(kCommand, agent); copy > 0; --copy) {
        const std::uint64_t random = draw(kCommand + 1 + static_cast<std::uint64_t>(copy), agent);
        const auto late = scaled(random, static_cast<std::uint32_t>(mishaps_.lateness));
        commands_[(static_cast<std::size_t>(now_) + 1 + late) % commands_.size()].push_back(
            {agent, first, {places.begin(), places.end()}});
    }
}

void Simulator::report(AgentId agent) {
    const Robot& robot = robots_[agent];
    for (std::int32_t copy = copies(kReport, agent); copy > 0; --copy) {
        const std::uint64_t random = draw(kReport + 1 + static_cast<std::uint64_t>(copy), agent);
        const auto late = scaled(random, static_cast<std::uint32_t>(mishaps_.lateness));
        reports_[(static_cast<std::size_t>(now_) + late) % reports_.size()].push_back(
            {agent, robot.finished, robot.at});
    }
}

void Simulator::tick() {
    ++now_;
    auto& due = commands_[static_cast<std::size_t>(now_) % commands_.size()];
    for (const Command& command : due) hear(command);
    due.clear();
    for (AgentId a = 0; a < static_cast<AgentId>(robots_.size()); ++a) {
        drive(a);
        report(a);
    }
    auto& said = reports_[static_cast<std::size_t>(now_) % reports_.size()];
    inbox_.swap(said);
    said.clear();
}

// A command begins at a visit that the robot knows, or at the next one; what it knows stays.
void Simulator::hear(const Command& command) {
    Robot& robot = robots_[command.agent];
    const auto next = robot.finished + static_cast<std::int32_t>(robot.ahead.size()) + 1;
    if (command.first > next) return;
    const auto known = static_cast<std::size_t>(next - command.first);
    if (known >= command.places.size()) return;
    robot.ahead.insert(robot.ahead.end(),
                       command.places.begin() + static_cast<std::ptrdiff_t>(known),
                       command.places.end());
}

std::int32_t Simulator::length(Vertex from, Vertex to) const {
    if (!space_.is_grid() || to == kNowhere) return kStepLength;
    const bool is_straight =
        space_.row(from) == space_.row(to) || space_.col(from) == space_.col(to);
    return is_straight ? kStepLength : kDiagonalLength;
}

bool Simulator::has_to_turn(const Robot& robot, const Drive& drive) const {
    return drive.turn > 0 && space_.is_grid() && robot.progress == 0 && robot.heading != 0 &&
           robot.ahead.front() != kNowhere && robot.ahead.front() - robot.at != robot.heading;
}

// How far it may go before it has to stand: to turn, or since it knows no further.
std::int64_t Simulator::way_ahead(const Robot& robot, const Drive& drive) const {
    std::int64_t way = -robot.progress;
    Vertex from = robot.at;
    for (const Vertex to : robot.ahead) {
        const bool turns =
            drive.turn > 0 && from != robot.at && to - from != robot.ahead[0] - robot.at;
        if (to == kNowhere || turns) break;
        way += length(from, to);
        from = to;
    }
    return way;
}

void Simulator::arrive(Robot& robot) {
    const Vertex to = robot.ahead.front();
    if (to != kNowhere) robot.heading = to - robot.at;
    robot.at = to;
    robot.ahead.erase(robot.ahead.begin());
    ++robot.finished;
}

void Simulator::drive(AgentId agent) {
    Robot& robot = robots_[agent];
    const Drive& how = drives_[agent];
    if (happens(kStop, agent, mishaps_.stop)) robot.is_stopped = true;
    if (now_ >= robot.delayed_until && happens(kDelay, agent, mishaps_.delay)) {
        const auto spread = static_cast<std::uint32_t>(mishaps_.longest - mishaps_.shortest);
        const auto more = static_cast<std::int32_t>(scaled(draw(kLength, agent), spread));
        robot.delayed_until = now_ + mishaps_.shortest + more;
    }
    if (robot.is_stopped || now_ < robot.delayed_until || robot.ahead.empty()) {
        robot.speed = 0;
        return;
    }
    if (robot.ahead.front() == kNowhere) return arrive(robot);  // it leaves the map
    if (has_to_turn(robot, how)) {
        if (robot.turned_until < 0) robot.turned_until = now_ + how.turn;
        robot.speed = 0;
        if (now_ < robot.turned_until) return;
        robot.heading = robot.ahead.front() - robot.at;
    }
    robot.turned_until = -1;
    const std::int32_t faster = how.acceleration == 0 ? how.speed : robot.speed + how.acceleration;
    robot.speed =
        fastest_that_stops(std::min(faster, how.speed), how.acceleration, way_ahead(robot, how));
    robot.progress += robot.speed;
    if (robot.progress < length(robot.at, robot.ahead.front())) return;
    robot.progress -= length(robot.at, robot.ahead.front());
    arrive(robot);
}

Simulator::Position Simulator::position(AgentId agent) const {
    const Robot& robot = robots_[agent];
    if (robot.progress == 0) return {robot.at, robot.at, 0};
    return {robot.at, robot.ahead.front(), robot.progress};
}

}  // namespace sidestep
