#include "sidestep/search/landmarks.hpp"

#include <algorithm>

namespace sidestep::search {

namespace {

Length longest(std::span<const Length> lengths) {
    Length most = 0;
    for (const Length length : lengths)
        if (length != kFar) most = std::max(most, length);
    return most;
}

// What is not known (kFarAway) cannot make a difference positive the wrong way: it stays far away.
std::uint32_t excess(std::uint32_t a, std::uint32_t b) { return a > b ? a - b : 0; }

}  // namespace

Landmarks::Landmarks(Geometry geometry, bool best_only, std::size_t count,
                     std::span<const Length> to, std::span<const Length> from)
    : geometry_(geometry),
      best_only_(best_only),
      count_(count),
      compact_(std::max(longest(to), longest(from))),
      to_(packed(to)),
      from_(packed(from)) {}

std::vector<std::uint32_t> Landmarks::packed(std::span<const Length> tables) const {
    std::vector<std::uint32_t> rows(tables.size());
    const std::size_t size = tables.size() / count_;
    for (std::size_t landmark = 0; landmark < count_; ++landmark)
        for (std::size_t v = 0; v < size; ++v)
            rows[v * count_ + landmark] = compact_.pack(tables[landmark * size + v]);
    return rows;
}

class Landmarks::Aimed final : public Aim {
  public:
    explicit Aimed(const Landmarks& all) : all_(all), geometry_(all.geometry_) {}

    bool set(Vertex start, Vertex goal, Budget&) override {
        geometry_.aim(goal);
        goal_ = goal;
        first_ = 0;
        last_ = all_.count_;
        if (!all_.best_only_) return true;
        std::uint32_t most = 0;
        std::size_t best = 0;
        for (std::size_t landmark = 0; landmark < all_.count_; ++landmark)
            if (const std::uint32_t here = bound(start, landmark, landmark + 1); here > most) {
                most = here;
                best = landmark;
            }
        first_ = best;
        last_ = best + 1;
        return true;
    }

    Length at(Vertex v) const override {
        return std::max(all_.compact_.unpack(bound(v, first_, last_), 1), geometry_.at(v));
    }

  private:
    std::uint32_t bound(Vertex v, std::size_t first, std::size_t last) const {
        const std::size_t here = static_cast<std::size_t>(v) * all_.count_,
                          there = static_cast<std::size_t>(goal_) * all_.count_;
        std::uint32_t most = 0;
        for (std::size_t i = first; i < last; ++i)
            most = std::max(most, excess(all_.to_[here + i], all_.to_[there + i]));
        const auto& from = all_.from_.empty() ? all_.to_ : all_.from_;
        for (std::size_t i = first; i < last; ++i)
            most = std::max(most, excess(from[there + i], from[here + i]));
        return most;
    }

    const Landmarks& all_;
    Geometry geometry_;
    Vertex goal_ = 0;
    std::size_t first_ = 0, last_ = 0;  // the landmarks that are asked
};

std::unique_ptr<Aim> Landmarks::aim() const { return std::make_unique<Aimed>(*this); }

}  // namespace sidestep::search
