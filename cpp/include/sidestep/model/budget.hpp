// What a search may use: time, nodes, memory; and whether somebody wants it to stop.
//
// A node is one expansion of a search for moves: in space-time, or LRA*'s in space. Finding
// distances is only timed, so that a node budget gives the same moves whether they were known
// before or not.
//
// Expansions of different searches are different amounts of work: one node may stand for the moves
// of one agent or of many. What they have in common is the single-agent move, so space-time and
// joint searches also count those that they generate. Nothing is limited by that.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

namespace sidestep {

enum class Stop : std::uint8_t { none, time, nodes, memory, asked };

class Budget {
  public:
    using Clock = std::chrono::steady_clock;

    // Called every few milliseconds while a search runs; true asks it to stop.
    using Poll = std::function<bool()>;

    Budget() = default;
    Budget(std::optional<double> seconds, std::optional<std::int64_t> nodes,
           std::optional<std::int64_t> bytes, Poll poll = nullptr);

    // For one of several threads that work on this budget at once: the same deadline, its share of
    // the memory, and nodes that are drawn from a common store, a few at a time, until it is empty.
    // A store begins with nodes_left(), and must outlive the thread.
    Budget for_thread(std::atomic<std::int64_t>& store, int threads, Poll poll) const;
    std::int64_t nodes_left() const { return node_limit_ - nodes_; }
    // What threads have spent of it, and why they stopped.
    void charge(std::int64_t nodes, std::int64_t moves) {
        nodes_ += nodes;
        moves_ += moves;
    }
    void end(Stop why) { stop(why); }

    // A part of the run may use at most `nodes` more. Returns the limit before, for
    // `widen` at the end of the part: if it was only the part's nodes that ran out, there are more.
    std::int64_t narrow(std::int64_t nodes) {
        return std::exchange(node_limit_, std::min(node_limit_, nodes_ + nodes));
    }
    void widen(std::int64_t limit) {
        node_limit_ = limit;
        if (why_ != Stop::nodes || nodes_ >= limit) return;
        why_ = Stop::none;
        next_look_ = ticks_;
    }

    // One expansion of a search for moves. False: stop now.
    bool spend() {
        if (nodes_ >= node_limit_ && !draw()) return stop(Stop::nodes);
        ++nodes_;
        return tick();
    }

    // Counts legal moves of single agents that were generated.
    void generate(std::int64_t moves) { moves_ += moves; }

    // As `spend`, for loops whose nodes take less time than counting them one by one: up to `most`
    // nodes at once. 0: stop now. What is not needed is given back.
    std::int64_t advance(std::int64_t most) {
        if (nodes_ >= node_limit_ && !draw()) {
            stop(Stop::nodes);
            return 0;
        }
        ticks_ += most - 1;
        if (!tick()) return 0;
        const std::int64_t granted = std::min(most, node_limit_ - nodes_);
        nodes_ += granted;
        return granted;
    }
    void give_back(std::int64_t nodes) { nodes_ -= nodes; }

    // One piece of other work of about the same size. False: stop now.
    bool tick() {
        if (++ticks_ < next_look_) return true;
        return look();
    }

    // The same for a piece of this many.
    bool tick(std::int64_t pieces) {
        ticks_ += pieces - 1;
        return tick();
    }

    // What a search and its results hold, besides what is kept. False: it is too much.
    bool fits(std::int64_t bytes) {
        held_ = bytes;
        return held_ + kept_ <= byte_limit_ || stop(Stop::memory);
    }
    // So much more is kept until the end of the run, such as distances. False: it is too much.
    bool keeps(std::int64_t more) {
        kept_ += more;
        return fits(held_);
    }
    std::int64_t bytes() const { return held_ + kept_; }

    // These bytes are about to be written in one go, to memory that was not written to before:
    // what grows is copied. False: that would last beyond the deadline, so the run ends now.
    bool has_time_to_write(std::int64_t bytes);

    // Looks at the clock and polls at once.
    bool look();

    bool exhausted() const { return why_ != Stop::none; }
    Stop why() const { return why_; }
    std::int64_t nodes() const { return nodes_; }
    std::int64_t moves() const { return moves_; }
    double elapsed() const;

  private:
    bool stop(Stop why) {
        if (why_ == Stop::none) why_ = why;
        next_look_ = 0;  // from now on every tick says stop
        return false;
    }

    bool draw();
    std::chrono::nanoseconds freeing() const;

    static constexpr std::int64_t kTicksPerLook = 128;
    static constexpr std::int64_t kNodesPerDraw = 64;
    static constexpr auto kPollInterval = std::chrono::milliseconds(10);
    // Giving memory back takes time, too, and comes after the last look. Writing to new memory is
    // mostly the time that the system needs to find pages for it.
    static constexpr std::int64_t kBytesFreedPerNanosecond = 7;
    static constexpr std::int64_t kBytesWrittenPerNanosecond = 1;

    Clock::time_point begin_ = Clock::now();
    Clock::time_point deadline_ = Clock::time_point::max();
    Clock::time_point next_poll_ = begin_ + kPollInterval;
    std::int64_t node_limit_ = std::numeric_limits<std::int64_t>::max();
    std::int64_t byte_limit_ = std::numeric_limits<std::int64_t>::max();
    std::int64_t nodes_ = 0, moves_ = 0, ticks_ = 0, next_look_ = kTicksPerLook;
    std::int64_t held_ = 0, kept_ = 0;  // bytes
    std::atomic<std::int64_t>* store_ = nullptr;
    Poll poll_;
    Stop why_ = Stop::none;
};

}  // namespace sidestep
