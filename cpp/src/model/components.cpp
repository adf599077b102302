#include "sidestep/model/components.hpp"

#include <stdexcept>
#include <thread>

namespace sidestep {

namespace {
constexpr Vertex kVerticesPerTick = 64;  // a tick stands for more work than one of these
}

Components::Components(const Space& space) : space_(space) {
    if (space.is_directed()) throw std::logic_error("a directed space has no connected components");
}

void Components::enter(Vertex v) {
    const auto degree = static_cast<std::int64_t>(space_.successors(v).size());
    Component& component = all_.back();
    label_[v] = static_cast<std::int32_t>(all_.size()) - 1;
    ++component.vertices;
    component.ends += degree;
    component.is_ring &= degree == 2;
    stack_.push_back(v);
}

bool Components::find(Budget& budget) {
    std::unique_lock working(working_, std::try_to_lock);
    for (; !working.owns_lock(); std::this_thread::yield()) {
        if (!budget.look()) return false;
        static_cast<void>(working.try_lock());
    }
    if (label_.empty()) label_.assign(static_cast<std::size_t>(space_.size()), -1);
    for (Vertex done = 1;; ++done) {
        if (done % kVerticesPerTick == 0 && !budget.tick()) return false;
        if (!stack_.empty()) {
            const Vertex v = stack_.back();
            stack_.pop_back();
            for (const Vertex u : space_.successors(v))
                if (label_[u] < 0) enter(u);
            continue;
        }
        if (root_ == space_.size()) break;
        if (const Vertex v = root_++; label_[v] < 0 && space_.is_open(v)) {
            all_.push_back({v});
            enter(v);
        }
    }
    stack_.shrink_to_fit();
    return true;
}

}  // namespace sidestep
