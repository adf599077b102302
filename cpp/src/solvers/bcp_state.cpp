// The state of BCP as bytes, a planning and a search under way included.
#include <algorithm>
#include <array>
#include <utility>

#include "sidestep/solvers/bcp.hpp"

namespace sidestep {

namespace {

using Hill = std::array<std::int64_t, 2>;  // the place, and how high

}  // namespace

template <class Self, class Archive>
void Bcp::numbers(Self& self, Archive& archive) {
    archive(self.priorities_, self.cursor_, self.stale_, self.concerned_, self.planning_,
            self.iteration_, self.spent_, self.best_, self.fewest_, self.interrupted_,
            self.interrupted_at_, self.plannings_, self.iterations_, self.collisions_,
            self.slowest_);
}

void Bcp::save(Writer& writer) const {
    writer(space_);
    numbers(*this, writer);
    for (const Unit& unit : units_) {
        std::vector<Hill> hills;
        for (const auto& [place, height] : unit.hills) hills.push_back({place, height});
        std::sort(hills.begin(), hills.end());
        writer(unit.goal, unit.path, unit.next, unit.rest, hills, unit.changed, unit.needy,
               unit.has_next, unit.refused);
    }
    if (interrupted_ == kNobody) return;
    writer(heap_);
    std::vector<Vertex> seen;
    for (Vertex v = 0; v < space_.size(); ++v)
        if (seen_[v].stamp == stamp_) seen.push_back(v);
    writer(seen);
    for (const Vertex v : seen) writer(seen_[v].closed, seen_[v].g, seen_[v].parent);
}

void Bcp::load(Reader& reader) {
    Bcp other(space_, rules_, options_, {}, {});
    reader(other.space_);
    numbers(other, reader);
    const auto count = other.priorities_.size();
    const auto is_unit = [&](AgentId a) { return a >= 0 && static_cast<std::size_t>(a) < count; };
    require_saved(other.cursor_ <= static_cast<std::size_t>(kLatest), "a time");
    require_saved(other.interrupted_ == kNobody || is_unit(other.interrupted_), "a unit");
    require_saved_vertex(space_, other.interrupted_at_);
    require_saved(other.best_.empty() || other.best_.size() == count, "units");
    for (const Path& path : other.best_) require_saved_path(space_, path);
    other.units_.resize(count);
    for (Unit& unit : other.units_) {
        std::vector<Hill> hills;
        reader(unit.goal, unit.path, unit.next, unit.rest, hills, unit.changed, unit.needy,
               unit.has_next, unit.refused);
        require_saved_vertex(space_, unit.goal);
        for (const Path* path : {&unit.path, &unit.next, &unit.rest})
            require_saved_path(space_, *path);
        for (const auto& [place, height] : hills) unit.hills[static_cast<Vertex>(place)] = height;
    }
    if (other.interrupted_ != kNobody) other.load_search(reader);
    *this = std::move(other);
}

// The search under way. A way back leads to where it began: it costs less at every step.
void Bcp::load_search(Reader& reader) {
    std::vector<Vertex> seen;
    reader(heap_, seen);
    stamp_ = 1;
    require_saved_path(space_, seen);
    for (const Vertex v : seen) {
        seen_[v].stamp = stamp_;
        reader(seen_[v].closed, seen_[v].g, seen_[v].parent);
    }
    for (const Vertex v : seen) {
        const Vertex before = seen_[v].parent;
        require_saved_vertex(space_, before);
        const bool holds =
            before == kNowhere || (seen_[before].stamp == stamp_ && seen_[before].g < seen_[v].g);
        require_saved(holds, "a way back");
    }
    for (const Open& open : heap_)
        require_saved(space_.contains(open.vertex) && seen_[open.vertex].stamp == stamp_, "a heap");
}

}  // namespace sidestep
