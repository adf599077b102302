// Neighbourhoods: which agents plan again together, and in which order.
//
// delayed    an agent that loses much time, and whom it meets on shorter ways (Li et al. 2021)
// crossing   those who pass a junction around one time (the same)
// random     anybody
// ejection   an agent that loses time takes the shorter way on which it meets the fewest; it plans
//            first, and they make way
// target     an agent whose goal is free late, those who pass it, and those who stand on its way
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sidestep/model/budget.hpp"
#include "sidestep/model/random.hpp"
#include "sidestep/solvers/lns/live_plan.hpp"
#include "sidestep/spacetime/stamped_table.hpp"

namespace sidestep {

enum class NeighbourhoodKind : std::uint8_t { delayed, crossing, random, ejection, target };
inline constexpr std::int32_t kNeighbourhoodKinds = 5;

// Random numbers of one repair: hashes of the seed, the number of the repair and a count.
class Dice {
  public:
    Dice(std::uint64_t seed, std::uint64_t repair) : base_(mix(seed + mix(repair))) {}
    std::uint64_t roll() { return mix(base_ + ++rolled_); }
    // A whole number from 0 to n - 1.
    std::int32_t below(std::int32_t n) {
        return static_cast<std::int32_t>(scaled(roll(), static_cast<std::uint32_t>(n - 1)));
    }

  private:
    std::uint64_t base_, rolled_ = 0;
};

class Neighbourhoods {
  public:
    explicit Neighbourhoods(LivePlan& plan);

    // The members, at most `size` of them, in the order in which they shall plan; none if nothing
    // can be gained. The plan is as it was when this returns.
    const std::vector<AgentId>& choose(NeighbourhoodKind kind, std::int32_t size, Dice& dice,
                                       Budget& budget);
    std::int64_t bytes() const;

  private:
    struct State {
        Spot spot;
        Time time;
        std::int32_t parent;
    };

    bool full() const { return static_cast<std::int32_t>(members_.size()) >= size_; }
    void add(AgentId agent);
    AgentId most_delayed(Dice& dice);
    void delayed(Dice& dice);
    void walk(AgentId agent, Dice& dice);
    void crossing(Dice& dice);
    void look_around(Spot s, Time t);
    void random(Dice& dice);
    void target(Dice& dice);
    void passing(AgentId agent);
    void standing(AgentId agent, Dice& dice);

    void ejection(Dice& dice, Budget& budget);
    std::int32_t find_wished(AgentId agent, Time arrival, Budget& budget);
    bool expand(std::int32_t number, Time arrival, std::uint32_t collisions);
    bool reach(Spot s, Time t, std::int32_t parent, std::uint32_t collisions);
    void add_in_the_way(std::int32_t number);
    void add_beside(Dice& dice);
    void shuffle(std::size_t first, Dice& dice);

    LivePlan& plan_;
    std::int32_t size_ = 0;
    std::vector<AgentId> members_;
    std::vector<std::uint64_t> member_of_;  // by agent: of which choice
    std::uint64_t choice_ = 0;
    std::vector<std::uint64_t> chosen_;  // by agent: when it last was the first of a neighbourhood
    std::vector<Spot> queue_;

    // The search of a wished path: buckets by collisions.
    AgentId wishing_ = kNobody;
    std::vector<State> states_;
    std::vector<std::vector<std::int32_t>> open_;
    StampedTable<std::uint32_t> fewest_;  // collisions, by spot and time
};

}  // namespace sidestep
