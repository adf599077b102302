// Configurations that a search has seen: where all agents are at once, and for how long each has
// been off its goal.
//
// A configuration takes two or four bytes per agent and is found again by a hash that changes with
// those who move; equal hashes are compared agent by agent.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sidestep/distance/roads.hpp"
#include "sidestep/model/random.hpp"

namespace sidestep {

class Configurations {
  public:
    using Number = std::int32_t;

    Configurations(std::size_t agents, std::int32_t spots);

    std::int64_t size() const { return static_cast<std::int64_t>(hashes_.size()); }

    // The part of one agent in the hash of a configuration, which is their sum.
    static std::uint64_t hash(std::size_t agent, Spot s) {
        return mix(static_cast<std::uint64_t>(agent) << 32 | static_cast<std::uint32_t>(s));
    }
    std::uint64_t hash_of(Number number) const { return hashes_[number]; }

    // Its number, or -1 if it is new.
    Number find(std::span<const Spot> spots, std::uint64_t hash) const;
    // A new one.
    Number add(std::span<const Spot> spots, std::span<const std::uint16_t> since,
               std::uint64_t hash);
    void read(Number number, std::span<Spot> spots, std::span<std::uint16_t> since) const;
    void read(Number number, std::span<Spot> spots) const;

    std::int64_t bytes() const;
    std::int64_t bytes_of_one() const { return static_cast<std::int64_t>(words_ * 2 + 16); }

  private:
    static constexpr std::size_t kPerSlab = 64;

    const std::uint16_t* at(Number number) const {
        return slabs_[static_cast<std::size_t>(number) / kPerSlab].get() +
               static_cast<std::size_t>(number) % kPerSlab * words_;
    }
    bool is_equal(Number number, std::span<const Spot> spots) const;
    void grow();

    std::size_t agents_;
    bool narrow_;        // spots fit into 16 bits
    std::size_t words_;  // of 16 bits, per configuration
    std::vector<std::unique_ptr<std::uint16_t[]>> slabs_;
    std::vector<std::uint64_t> hashes_;
    std::vector<Number> table_;  // open addressing
};

}  // namespace sidestep
