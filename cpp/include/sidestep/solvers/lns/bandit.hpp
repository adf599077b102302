// What to try next, by what it gained so far: a kind of neighbourhood with a size, and a tube.
//
// Kind and size are drawn together, since a size that gains with one kind does not with another;
// the tube is drawn by itself. Of each is known what it gained and how many nodes it took, of which
// the past counts ever less; nodes and not seconds, so that runs can be repeated. What a repair
// loses, which annealing allows, does not count: gains and losses come to nothing while it is warm,
// and then nothing would be learnt. What gains half as much per node as the best gets a quarter of
// its nodes, and nothing less than a hundredth of them. All numbers are whole.
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

    Arm draw(Dice& dice) const {
        const std::size_t pair = drawn(pairs_, dice);
        return {pair / kSizes.size(), pair % kSizes.size(), drawn(tubes_, dice)};
    }
    void learn(Arm arm, std::int64_t gain, std::int64_t nodes) {
        for (Record* record : {&pairs_[arm.kind * kSizes.size() + arm.size], &tubes_[arm.tube]})
            record->add(std::min(gain, kMostGain), std::min(nodes, kMostNodes));
    }

  private:
    static constexpr std::int64_t kOne = 1 << 12;  // of what is summed up
    static constexpr std::int64_t kMemory = 100;   // draws that count
    static constexpr std::int64_t kOverhead = 20;  // what a repair takes besides, in nodes
    static constexpr std::int64_t kMostGain = 1'000'000, kMostNodes = 1'000'000'000;
    static constexpr std::int64_t kBest = 1 << 10, kLeast = kBest / 10;  // relative rates

    // Sums over the draws of one choice. At first it seems to gain a lot, so that it is tried.
    struct Record {
        std::int64_t gain = 2 * kOne, nodes = 2000 * kOne, draws = kOne;

        void add(std::int64_t gained, std::int64_t spent) {
            gain += gained * kOne - gain / kMemory;
            nodes += (spent + kOverhead) * kOne - nodes / kMemory;
            draws += kOne - draws / kMemory;
        }
        std::int64_t rate() const { return (gain << 24) / nodes; }
        std::int64_t nodes_per_draw() const { return nodes / draws; }
    };

    template <std::size_t kCount>
    static std::size_t drawn(const std::array<Record, kCount>& records, Dice& dice) {
        std::int64_t best = 1;
        for (const Record& record : records) best = std::max(best, record.rate());
        std::array<std::int64_t, kCount> shares;
        std::int64_t total = 0;
        for (std::size_t k = 0; k < kCount; ++k) {
            const std::int64_t relative = std::max(records[k].rate() * kBest / best, kLeast);
            shares[k] = (relative * relative << 30) / records[k].nodes_per_draw() + 1;
            total += shares[k];
        }
        auto left = static_cast<std::int64_t>(dice.roll() % static_cast<std::uint64_t>(total));
        std::size_t k = 0;
        while (left >= shares[k]) left -= shares[k++];
        return k;
    }

    std::array<Record, kNeighbourhoodKinds * kSizes.size()> pairs_;
    std::array<Record, kTubes.size()> tubes_;
};

}  // namespace sidestep
