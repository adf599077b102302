// What agents say to each other, who hears it, and how much that is.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "sidestep/model/types.hpp"

namespace sidestep {

// In the order of the words in Python.
enum class Stage : std::uint8_t { exchange, opening, proposal, evaluation, closing };
enum class Act : std::uint8_t {
    no_earlier,
    hold,
    propose,
    decline,
    new_path,
    vote,
    veto,
    expand,
    no_further,
    adopt,
    go_first,
    ask
};

inline constexpr std::int32_t kNoDialogue = -1;

struct Rank {
    AgentId superior, inferior;
    auto operator<=>(const Rank&) const = default;
};
using Order = std::vector<Rank>;

// One thing said by one agent to others. What it refers to belongs to somebody else.
struct Utterance {
    std::int32_t dialogue;
    Stage stage;
    AgentId speaker;
    std::span<const AgentId> hearers;
    Act act;
    std::span<const Rank> order = {};
    std::span<const Vertex> path = {};
    double vote = std::numeric_limits<double>::quiet_NaN();

    bool has_vote() const { return !std::isnan(vote); }
};

// Utterances one after another, in little space: most are never read. They are kept in parts, since
// one long list would be copied whenever it grows, and a long dialogue has no time for that.
class Minutes {
  public:
    void note(const Utterance& said);
    std::size_t size() const {
        return parts_.empty() ? 0 : (parts_.size() - 1) * kInPart + parts_.back().entries.size();
    }
    std::int64_t bytes() const { return bytes_; }
    Utterance operator[](std::size_t k) const;

  private:
    static constexpr std::size_t kInPart = 4096;  // entries
    struct Entry {
        std::int32_t dialogue;
        AgentId speaker;
        Stage stage;
        Act act;
        double vote;
        std::size_t hearers, path, end;  // where they begin in numbers, and end
        std::size_t order, order_end;    // in ranks
    };
    struct Part {
        std::vector<Entry> entries;
        std::vector<std::int32_t> numbers;
        std::vector<Rank> ranks;
    };
    std::vector<Part> parts_;
    std::int64_t bytes_ = 0;
};

class Channel {
  public:
    enum class Reach : std::uint8_t { all, cells, ring };

    // The width of the grid, by which vertices have rows and columns.
    explicit Channel(std::int32_t width) : width_(width) {}

    // Who hears an agent that speaks to everybody: all, those at most `cells` away in both
    // directions, or only the next in the ring.
    void set_reach(Reach reach, std::int32_t cells);
    // Everybody is there now; who is nowhere hears nothing.
    void gather(std::span<const Vertex> positions);
    std::span<const AgentId> audience(AgentId speaker);

    // Notes what is said and counts it: a message per hearer.
    void say(const Utterance& said);
    // Outside of any dialogue, an agent tells everybody in reach its path.
    void announce(AgentId speaker, std::span<const Vertex> path);
    // Outside of any dialogue, an agent says that it goes before everybody in reach.
    void go_first(AgentId speaker);
    // Messages of which nobody takes minutes, with the agents and vertices in all of them.
    void count(std::int64_t messages, std::int64_t agents, std::int64_t vertices);

    // What was said since the last time.
    Minutes take_minutes() { return std::exchange(minutes_, {}); }
    const Minutes& minutes() const { return minutes_; }
    std::int64_t messages() const { return messages_; }
    std::int64_t bytes() const { return bytes_; }

    // So much was said before; who is where is said anew in every round.
    void go_on_from(std::int64_t messages, std::int64_t bytes) {
        messages_ = messages;
        bytes_ = bytes;
    }

  private:
    // What a message takes in a plain binary form: a head, and each agent, vertex and vote in it.
    static constexpr std::int64_t kHead = 4, kAgent = 4, kVertex = 4, kVote = 8;

    bool hears(AgentId hearer, AgentId speaker) const;
    AgentId next_in_ring(AgentId speaker) const;

    std::int32_t width_;
    Reach reach_ = Reach::all;
    std::int32_t cells_ = 0;
    std::vector<Vertex> positions_;
    std::vector<AgentId> present_;                 // who is somewhere
    std::vector<std::vector<AgentId>> audiences_;  // found when somebody speaks
    std::vector<bool> has_audience_;
    Minutes minutes_;
    std::int64_t messages_ = 0;
    std::int64_t bytes_ = 0;
};

}  // namespace sidestep
