#include "sidestep/budget.hpp"

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

bool Budget::look() {
    if (exhausted()) return false;
    const auto now = Clock::now();
    if (now >= deadline_) return stop(Stop::time);
    if (poll_ && now >= next_poll_) {
        if (poll_()) return stop(Stop::asked);
        next_poll_ = now + kPollInterval;
    }
    next_look_ = ticks_ + kTicksPerLook;
    return true;
}

double Budget::elapsed() const {
    return std::chrono::duration<double>(Clock::now() - begin_).count();
}

}  // namespace sidestep
