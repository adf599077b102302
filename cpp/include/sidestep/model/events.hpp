// What can happen in a world, as rows of four numbers: time, kind, agent, value.
#pragma once

#include <array>
#include <cstdint>

namespace sidestep {

// Changes from outside begin at 0, what the world saw at 16, faults of planners at 32. The numbers
// are in files, so they never change.
enum class EventKind : std::int32_t {
    goal = 0,
    block = 1,
    free = 2,
    add = 3,
    remove = 4,
    priority = 5,
    sync = 6,
    arrived = 16,
    left = 17,
    trapped = 18,
    displaced = 19,
    set_out = 20,
    turned_back = 21,
    refused = 32,
    late = 33,
    raised = 34,
};

// Their names, for who shows or stores them.
struct EventName {
    EventKind kind;
    const char* name;
};
inline constexpr EventName kEventNames[] = {
    {EventKind::goal, "goal"},
    {EventKind::block, "block"},
    {EventKind::free, "free"},
    {EventKind::add, "add"},
    {EventKind::remove, "remove"},
    {EventKind::priority, "priority"},
    {EventKind::sync, "sync"},
    {EventKind::arrived, "arrived"},
    {EventKind::left, "left"},
    {EventKind::trapped, "trapped"},
    {EventKind::displaced, "displaced"},
    {EventKind::set_out, "set_out"},
    {EventKind::turned_back, "turned_back"},
    {EventKind::refused, "refused"},
    {EventKind::late, "late"},
    {EventKind::raised, "raised"},
};

using Event = std::array<std::int32_t, 4>;  // time, kind, agent, value

// Does it come from outside, so that planners must hear of it and a replay must apply it?
inline bool is_change(const Event& event) {
    return event[1] < static_cast<std::int32_t>(EventKind::arrived);
}

}  // namespace sidestep
