// What to try next, by what it gained so far: a kind of neighbourhood, a size and a tube.
//
// Each of the three is drawn by itself, as often as its weight says, and the weight follows the
// gain per 1,000 nodes; nodes and not seconds, so that runs can be repeated. One weight for each of
// 75 combinations would learn from fewer repairs. What a repair loses, which annealing allows,
// counts against it; whether that gains anything was not measured. Weights are whole numbers.
//
// Everything is drawn at least a tenth as often as the best. A floor that does not follow the best
// makes all alike in a crowd, where nothing gains much: with 400 agents on random-32-32-20 about
// half of the nodes went to neighbourhoods of 16 and 32 agents, which gained next to nothing.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "sidestep/solvers/lns/neighbourhoods.hpp"

namespace sidestep {

class Bandit {
  public:
    static constexpr std::array<std::int32_t, 5> kSizes{2, 4, 8, 16, 32};
    static constexpr std::array<std::int32_t, 3> kTubes{2, 10, 0};  // 0: none

    struct Arm {
        std::size_t kind, size, tube;
        NeighbourhoodKind neighbourhood() const { return static_cast<NeighbourhoodKind>(kind); }
        std::int32_t members() const { return kSizes[size]; }
        std::int32_t radius() const { return kTubes[tube]; }
    };

    Bandit() {
        kinds_.fill(kOne);
        sizes_.fill(kOne);
        tubes_.fill(kOne);
    }

    Arm draw(Dice& dice) const {
        return {drawn(kinds_, dice), drawn(sizes_, dice), drawn(tubes_, dice)};
    }
    void learn(Arm arm, std::int64_t gain, std::int64_t nodes) {
        const std::int64_t rate = gain * 1000 * kOne / (nodes + 1);
        for (std::int64_t* weight : {&kinds_[arm.kind], &sizes_[arm.size], &tubes_[arm.tube]})
            *weight = std::max<std::int64_t>(*weight + (rate - *weight) / kMemory, 0);
    }

  private:
    static constexpr std::int64_t kOne = 1 << 20, kLeastShare = 10, kMemory = 400;

    template <std::size_t kCount>
    static std::size_t drawn(const std::array<std::int64_t, kCount>& weights, Dice& dice) {
        const std::int64_t least =
            *std::max_element(weights.begin(), weights.end()) / kLeastShare + 1;
        const auto share = [&](std::size_t k) { return std::max(weights[k], least); };
        std::int64_t total = 0;
        for (std::size_t k = 0; k < kCount; ++k) total += share(k);
        auto left = static_cast<std::int64_t>(dice.roll() % static_cast<std::uint64_t>(total));
        std::size_t k = 0;
        while (left >= share(k)) left -= share(k++);
        return k;
    }

    std::array<std::int64_t, kNeighbourhoodKinds> kinds_;
    std::array<std::int64_t, kSizes.size()> sizes_;
    std::array<std::int64_t, kTubes.size()> tubes_;
};

}  // namespace sidestep
