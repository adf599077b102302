#include "sidestep/solvers/operations.hpp"

#include <algorithm>

namespace sidestep {

namespace {

constexpr std::int32_t kActions = 4;

using Action = Operations::Action;

bool is_turn(Action action) { return action == Action::right || action == Action::left; }

}  // namespace

Operations::Operations(std::int32_t length) : length_(length) {
    std::int32_t sequences = 1;
    for (std::int32_t k = 0; k < length; ++k) sequences *= kActions;
    for (std::int32_t number = 0; number < sequences; ++number) {
        std::vector<Action> actions(static_cast<std::size_t>(length));
        std::int32_t rest = number;
        for (auto action = actions.rbegin(); action != actions.rend(); ++action, rest /= kActions)
            *action = static_cast<Action>(rest % kActions);
        if (is_sensible(actions)) actions_.insert(actions_.end(), actions.begin(), actions.end());
    }
    const auto count = static_cast<std::int32_t>(actions_.size()) / length;
    shifted_.assign(static_cast<std::size_t>(count), count - 1);
    for (std::int32_t operation = 0; operation < count; ++operation) {
        std::vector<Action> rest(actions(operation).begin() + 1, actions(operation).end());
        rest.push_back(Action::wait);
        for (std::int32_t other = 0; other < count; ++other)
            if (std::ranges::equal(actions(other), rest)) shifted_[operation] = other;
    }
}

bool Operations::is_sensible(std::span<const Action> actions) const {
    if (actions.size() == 1) return true;
    if (is_turn(actions.back())) return false;
    for (std::size_t k = 0; k + 1 < actions.size(); ++k) {
        if (!is_turn(actions[k])) continue;
        if (actions[k + 1] == Action::wait) return false;
        if (is_turn(actions[k + 1]) && actions[k + 1] != actions[k]) return false;
        if (actions[k] == Action::left && actions[k + 1] == Action::left) return false;
        if (k > 0 && actions[k - 1] == actions[k] && actions[k + 1] == actions[k]) return false;
    }
    return true;
}

}  // namespace sidestep
