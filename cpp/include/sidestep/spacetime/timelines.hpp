// Time lines: when places are taken and when edges are used, a bit per step of time.
//
// A *line* is the row of bits of one spot or of one directed edge. The lines of a spot and of the
// edges that leave it lie side by side, so a safe interval is a scan for a bit, and whether an edge
// can be taken is read 64 steps at a time. Putting a path in or taking it out costs a bit per step,
// and nothing is rebuilt for a search. Lines do not say who is there.
//
// An agent that stays at the end of its path is *parked* there: its bits are set to the end of the
// lines, and hold beyond it. Beyond the end nobody else is anywhere.
//
// With a *margin* of k, every place stays taken for k steps more (k-robust plans: nobody collides
// if agents are late by up to k steps). Who plans needs its own places free for as long.
//
// Paths may collide: what is taken twice is counted, and is free when the last one is out.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "sidestep/distance/roads.hpp"
#include "sidestep/model/budget.hpp"
#include "sidestep/model/rules.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/model/types.hpp"

namespace sidestep {

class Timelines {
  public:
    using Word = std::uint64_t;
    using Line = std::int32_t;  // its number
    static constexpr Time kBits = 64;
    static constexpr Time kMostMargin = 32;

    Timelines(const Space& space, Rules rules, const Roads& roads, Time margin = 0);

    // What lines of nobody take, or a little more: so much is written when they are made.
    static std::int64_t bytes_at_first(const Roads& roads);

    // Makes the lines long enough for paths until this time. False: the budget ended, and nothing
    // has changed. The lines are doubled, so this takes time seldom.
    bool make_room(Time last, Budget& budget);

    // path[k] is taken at time k, with the edges between; `parks`: the last spot from then on. The
    // lines must be long enough, and two must not park in one spot.
    void put(std::span<const Spot> path, bool parks);
    // Takes out what was put in with the same arguments.
    void take(std::span<const Spot> path, bool parks);

    // Could this path be put in without colliding with anything? The lines must be long enough.
    bool allows(std::span<const Spot> path, bool parks) const;

    bool taken(Spot s, Time t) const {
        return t < end() ? bit(line(place(s)), t) : parked_[s] != kForever;
    }
    // The first time from t on at which s is taken: kForever if never.
    Time next_taken(Spot s, Time t) const {
        if (t >= end_) return parked_[s] == kForever ? kForever : t;
        const Word* const words = line(place(s));
        Time w = t / kBits;
        Word found = words[w] >> t % kBits << t % kBits;
        while (!found && w + 1 < stride_) found = words[++w];
        return found ? w * kBits + std::countr_zero(found) : kForever;
    }
    // The first time from t on at which nobody is on s: kForever if never.
    Time next_free(Spot s, Time t) const {
        while (t < end_ && taken(s, t)) ++t;
        return t >= end_ && parked_[s] != kForever ? kForever : t;
    }
    // Is nobody there from `first` to `last`?
    bool is_free(Spot s, Time first, Time last) const { return next_taken(s, first) > last; }
    // From when on s is free for good: kForever if somebody is parked there.
    Time free_from(Spot s) const;
    // Is the edge number k of s used in the step after t?
    bool used(Spot s, std::int32_t k, Time t) const { return line_taken(place(s) + 1 + k, t); }

    // The first time from t to `last` at which the edge number k of s, which leads to `to`, can be
    // taken: kForever if there is none. It says nothing of s itself but what following forbids.
    Time departure(Spot s, std::int32_t k, Spot to, Time t, Time last, bool vanishes) const {
        if (!plain_ || t >= end_) return any_departure(s, k, to, t, last, vanishes);
        // Mostly there is one within the first word.
        const Word* const there = line(place(to)) + t / kBits;
        const Word blocked =
            there[0] >> 1 | there[1] << (kBits - 1) | line(reverse(place(s) + 1 + k))[t / kBits];
        const Word possible = ~blocked >> t % kBits;
        if (!possible) return any_departure(s, k, to, t, last, vanishes);
        const Time found = t + std::countr_zero(possible);
        return found <= last ? found : kForever;
    }

    // Lines for loops of their own: the line of a spot, and beside it those of its edges.
    Line place(Spot s) const { return places_[s]; }
    const Word* line(Line n) const { return words_.data() + std::int64_t{n} * stride_; }
    bool line_taken(Line n, Time t) const { return t < end_ && bit(line(n), t); }
    // The spots that the line of an edge connects.
    Move edge_of(Line n) const;
    // The line of the way back, or one without bits.
    Line reverse(Line edge) const { return reverse_[edge]; }
    // The lines of the edges that cross this one, if that is forbidden.
    std::span<const Line> crossing(Line edge) const {
        if (crossing_first_.empty()) return {};
        return {crossings_.data() + crossing_first_[edge],
                static_cast<std::size_t>(crossing_first_[edge + 1] - crossing_first_[edge])};
    }

    const Roads& roads() const { return *roads_; }
    const Rules& rules() const { return rules_; }
    Time margin() const { return margin_; }
    Time end() const { return end_; }  // of the lines
    bool collides() const { return !twice_.empty(); }
    std::int64_t bytes() const;
    // The same bits, whatever the length of the lines?
    bool operator==(const Timelines& other) const;

  private:
    static bool bit(const Word* line, Time t) { return line[t >> 6] >> (t & 63) & 1; }
    static std::uint64_t key(Line n, Time t) {
        return static_cast<std::uint64_t>(n) << 32 | static_cast<std::uint32_t>(t);
    }
    Word* own(Line n) { return words_.data() + std::int64_t{n} * stride_; }
    std::int32_t edge(Spot from, Spot to) const;
    Time any_departure(Spot s, std::int32_t k, Spot to, Time t, Time last, bool vanishes) const;
    void find_crossings(const Space& space);
    template <class Range>
    void each_range(std::span<const Spot> path, bool parks, Range&& range) const;
    void set(Line n, Time first, Time last);
    void unset(Line n, Time first, Time last);
    template <class Visit>
    void each_word(Line n, Time first, Time last, Visit&& visit);

    const Roads* roads_;
    Rules rules_;
    Time margin_;
    bool plain_ = false;  // no margin, and only places and swaps can collide
    Time end_ = 0;
    std::int64_t stride_ = 0;  // words of a line: one more than there are, for steps beyond the end
    std::vector<Line> places_;
    std::vector<Line> reverse_;
    std::vector<std::int32_t> crossing_first_;  // by line; empty if crossing is allowed
    std::vector<Line> crossings_;
    Line lines_ = 0;  // and one more, whose bits are never set
    std::vector<Word> words_;
    std::vector<Time> parked_;                               // since when; kForever: nobody
    std::unordered_map<std::uint64_t, std::int32_t> twice_;  // how many more have taken it
};

}  // namespace sidestep
