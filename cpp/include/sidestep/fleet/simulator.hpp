// Simulated robots: they go where they were told, at their own pace, and things go wrong.
//
// Time is in ticks. Lengths are in thousandths of a step along an edge (a diagonal has 1414),
// speeds in thousandths per tick, all whole numbers. A robot knows the visits that it has heard of,
// drives on through them, and is always able to stop at the last one. What goes wrong is drawn by a
// hash of (seed, what, tick, agent), so nothing depends on the order of evaluation.
//
// A message says all that is ahead, and a report all that is behind: those that come late, twice or
// never do no harm but that of the delay.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sidestep/model/space.hpp"

namespace sidestep {

inline constexpr std::int32_t kStepLength = 1000;

// How a robot drives.
struct Drive {
    std::int32_t speed = kStepLength;  // at most, per tick
    std::int32_t acceleration = 0;     // per tick and tick; 0: at once
    std::int32_t turn = 0;             // ticks that it stands to turn, on grids
};

// Chances are out of 2^32, per tick and robot, or per message.
struct Mishaps {
    std::uint32_t delay = 0, stop = 0, loss = 0, doubling = 0;
    std::int32_t shortest = 1, longest = 1;  // ticks of a delay
    std::int32_t lateness = 0;               // of a message, at most
};

// Visits that a robot is told of, or that it has finished.
struct Command {
    AgentId agent;
    std::int32_t first;  // the number of the first place
    std::vector<Vertex> places;
};
struct Finished {
    AgentId agent;
    std::int32_t number;
    Vertex place;
};

class Simulator {
  public:
    Simulator(const Space& space, std::span<const Vertex> starts, std::vector<Drive> drives,
              const Mishaps& mishaps, std::uint64_t seed);

    std::size_t size() const { return robots_.size(); }
    std::int32_t now() const { return now_; }
    const Space& space() const { return space_; }

    // A command is on its way.
    void send(AgentId agent, std::int32_t first, std::span<const Vertex> places);
    // One tick: commands come in, robots drive, reports go out.
    void tick();
    // The reports that come in at the end of this tick.
    std::span<const Finished> reports() const { return inbox_; }

    // Breaks down for good, where it is.
    void stop(AgentId agent) { robots_[agent].is_stopped = true; }
    bool is_stopped(AgentId agent) const { return robots_[agent].is_stopped; }

    // Where a robot is: on `from`, or `progress` thousandths on its way to `to`.
    struct Position {
        Vertex from, to;
        std::int32_t progress;
    };
    Position position(AgentId agent) const;

  private:
    struct Robot {
        std::vector<Vertex> ahead;  // places that it knows of and has not reached
        Vertex at;
        std::int32_t finished = 0, progress = 0, speed = 0;
        std::int32_t delayed_until = 0, turned_until = -1;
        std::int32_t heading = 0;  // the difference of the vertices of its last move
        bool is_stopped = false;
    };

    bool happens(std::uint64_t what, AgentId agent, std::uint32_t chance) const;
    std::uint64_t draw(std::uint64_t what, AgentId agent) const;
    std::int32_t copies(std::uint64_t what, AgentId agent) const;
    void hear(const Command& command);
    void drive(AgentId agent);
    void arrive(Robot& robot);
    bool has_to_turn(const Robot& robot, const Drive& drive) const;
    std::int32_t length(Vertex from, Vertex to) const;
    std::int64_t way_ahead(const Robot& robot, const Drive& drive) const;
    void report(AgentId agent);

    Space space_;
    std::vector<Robot> robots_;
    std::vector<Drive> drives_;
    Mishaps mishaps_;
    std::uint64_t seed_;
    std::int32_t now_ = 0;
    std::vector<std::vector<Command>> commands_;  // by the tick in which they come in, modulo
    std::vector<std::vector<Finished>> reports_;  // likewise
    std::vector<Finished> inbox_;
};

}  // namespace sidestep
