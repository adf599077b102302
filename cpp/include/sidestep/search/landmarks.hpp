// ALT: the distances to a few landmarks bound the distance between any two vertices (Goldberg and
// Harrelson 2005). ALTBESTP asks, per search, only the landmark that serves its two ends best
// (Cazenave 2006). Both take geometry where that knows more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sidestep/model/budget.hpp"
#include "sidestep/search/estimate.hpp"
#include "sidestep/search/length.hpp"

namespace sidestep::search {

// Lengths in 32 bits: rounded down to the least power of two that makes the longest of them fit.
class Compact {
  public:
    static constexpr std::uint32_t kFarAway = ~std::uint32_t{0};
    // Three of them can be added up.
    explicit Compact(Length longest) {
        while ((longest >> shift_) >= kFarAway / 8) ++shift_;
    }
    std::uint32_t pack(Length length) const {
        return length == kFar ? kFarAway : static_cast<std::uint32_t>(length >> shift_);
    }
    // A lower bound on the lengths whose packed sums or differences are this, of `parts` roundings.
    Length unpack(std::uint32_t packed, std::uint32_t parts) const {
        if (packed >= kFarAway / 2) return kFar;
        if (shift_ != 0) packed -= packed < parts ? packed : parts;
        return Length{packed} << shift_;
    }

  private:
    int shift_ = 0;
};

class Landmarks final : public Estimate {
  public:
    // Distances of all vertices to the landmarks, a table after another; and from them, if those
    // differ.
    Landmarks(Geometry geometry, bool best_only, std::size_t count, std::span<const Length> to,
              std::span<const Length> from);

    std::unique_ptr<Aim> aim() const override;
    std::size_t bytes() const override {
        return (to_.size() + from_.size()) * sizeof(std::uint32_t);
    }

  private:
    class Aimed;
    std::vector<std::uint32_t> packed(std::span<const Length> tables) const;

    Geometry geometry_;
    bool best_only_;
    std::size_t count_;
    Compact compact_;
    std::vector<std::uint32_t> to_, from_;  // all landmarks of a vertex side by side
};

}  // namespace sidestep::search
