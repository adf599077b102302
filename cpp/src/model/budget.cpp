#include "sidestep/model/budget.hpp"

#include <algorithm>

namespace sidestep {

namespace {
constexpr double kForever = 1e9;  // seconds: beyond this, adding to the clock could overflow
}

Budget::Budget(std::optional<double> seconds, std::optional<std::int64_t> nodes,
               std::optional<std::int64_t> bytes, Poll poll)
    : poll_(std::move(poll)) {
    if (seconds && *seconds < kForever)
        deadline_ = begin_ + std::chrono::duration_cast<Clock::duration>(
                                 std::chrono::duration<double>(std::max(*seconds, 0.0)));
    if (nodes) node_limit_ = *nodes;
    if (bytes) byte_limit_ = *bytes;
}

Budget Budget::for_thread(std::atomic<std::int64_t>& store, int threads, Poll poll) const {
    Budget share = *this;
    share.nodes_ = share.node_limit_ = share.ticks_ = 0;
    share.next_look_ = kTicksPerLook;
    share.byte_limit_ /= threads;
    share.kept_ /= threads;
    share.held_ = 0;
    share.store_ = &store;
    share.poll_ = std::move(poll);
    return share;
}

// Takes some more nodes out of the common store.
bool Budget::draw() {
    if (!store_) return false;
    std::int64_t left = store_->load(), taken = 0;
    do {
        taken = std::min(left, kNodesPerDraw);
        if (taken <= 0) return false;
    } while (!store_->compare_exchange_weak(left, left - taken));
    node_limit_ += taken;
    return true;
}

bool Budget::look() {
    if (exhausted()) return false;
    const auto now = Clock::now();
    if (now >= deadline_ - freeing()) return stop(Stop::time);
    if (poll_ && now >= next_poll_) {
        if (poll_()) return stop(Stop::asked);
        next_poll_ = now + kPollInterval;
    }
    next_look_ = ticks_ + kTicksPerLook;
    return true;
}

bool Budget::has_time_to_write(std::int64_t bytes) {
    if (!look()) return false;
    if (deadline_ == Clock::time_point::max()) return true;
    const std::chrono::nanoseconds writing(bytes / kBytesWrittenPerNanosecond);
    return Clock::now() + writing < deadline_ - freeing() || stop(Stop::time);
}

// What was held before the run may be given back in it: then there is less than nothing to free.
std::chrono::nanoseconds Budget::freeing() const {
    return std::chrono::nanoseconds(std::max<std::int64_t>(bytes(), 0) / kBytesFreedPerNanosecond);
}

double Budget::elapsed() const {
    return std::chrono::duration<double>(Clock::now() - begin_).count();
}

}  // namespace sidestep
