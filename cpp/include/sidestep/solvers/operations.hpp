// Operations: sequences of actions that an agent which has to turn may plan at once.
//
// A turn by itself brings nobody closer, so who looks one step ahead sees no reason to make
// it. An operation is 3 to 5 actions: forward, a turn to the right or to the left, or a wait. Of
// all sequences those are left out that end in a turn, wait after one, turn back, or turn by a half
// to the left: 17, 48 or 136 are left (Yukhnevich and Andreychuk 2026). Without its first action,
// and with a wait at its end, an operation is an operation again. Of length 1 there are just the
// four actions, which is what plain PIBT has.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sidestep {

class Operations {
  public:
    enum class Action : std::uint8_t { forward, right, left, wait };
    static constexpr std::int32_t kLongest = 5;

    explicit Operations(std::int32_t length);

    std::int32_t length() const { return length_; }
    std::int32_t size() const { return static_cast<std::int32_t>(shifted_.size()); }
    std::span<const Action> actions(std::int32_t operation) const {
        return {actions_.data() + static_cast<std::size_t>(operation) * length_,
                static_cast<std::size_t>(length_)};
    }
    // What is left of one after its first action, with a wait at the end.
    std::int32_t shifted(std::int32_t operation) const { return shifted_[operation]; }
    std::int32_t all_waits() const { return size() - 1; }

  private:
    bool is_sensible(std::span<const Action> actions) const;

    std::int32_t length_;
    std::vector<Action> actions_;  // in lexical order: what goes ahead early comes first
    std::vector<std::int32_t> shifted_;
};

}  // namespace sidestep
