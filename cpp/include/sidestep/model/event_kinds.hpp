// Written by scripts/write_constants.py from src/sidestep/model/events.py: change it there.
#pragma once

#include <cstdint>

namespace sidestep {

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
    stuck = 22,
    behind = 23,
    unstuck = 24,
    task = 25,
    errand = 26,
    due = 27,
    taken = 28,
    finished = 29,
    given_back = 30,
    rescued = 31,
    refused = 32,
    late = 33,
    raised = 34,
    turned = 48,
};

inline constexpr std::int32_t kFirstSeenByWorld = 16;  // below: changes

// Must a row name an agent?
constexpr bool needs_agent(EventKind kind) {
    switch (kind) {
        case EventKind::goal:
        case EventKind::add:
        case EventKind::remove:
        case EventKind::priority:
        case EventKind::sync:
        case EventKind::arrived:
        case EventKind::left:
        case EventKind::trapped:
        case EventKind::displaced:
        case EventKind::set_out:
        case EventKind::turned_back:
        case EventKind::stuck:
        case EventKind::behind:
        case EventKind::unstuck:
        case EventKind::taken:
        case EventKind::finished:
        case EventKind::given_back:
        case EventKind::rescued:
        case EventKind::refused:
        case EventKind::turned:
            return true;
        default:
            return false;
    }
}

// Is it written down as it is told?
constexpr bool is_reported(EventKind kind) {
    switch (kind) {
        case EventKind::stuck:
        case EventKind::behind:
        case EventKind::unstuck:
        case EventKind::task:
        case EventKind::errand:
        case EventKind::due:
        case EventKind::taken:
        case EventKind::finished:
        case EventKind::given_back:
        case EventKind::rescued:
            return true;
        default:
            return false;
    }
}

}  // namespace sidestep
