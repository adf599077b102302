#include "sidestep/spacetime/timelines.hpp"

#include <algorithm>
#include <bit>

#include "sidestep/model/collision.hpp"

namespace sidestep {

namespace {

constexpr Time kFirstEnd = 128;
constexpr Timelines::Word kAll = ~Timelines::Word{0};

// The bits of a word from `first` to `last`, counted from the beginning of the word.
Timelines::Word bits(Time first, Time last) {
    return kAll << first & kAll >> (Timelines::kBits - 1 - last);
}

}  // namespace

Timelines::Timelines(const Space& space, Rules rules, const Roads& roads, Time margin)
    : roads_(&roads), rules_(rules), margin_(margin) {
    const std::int32_t spots = roads.size();
    places_.reserve(static_cast<std::size_t>(spots));
    for (Spot s = 0; s < spots; ++s) {
        places_.push_back(lines_);
        lines_ += 1 + roads.degree(s);
    }
    reverse_.assign(static_cast<std::size_t>(lines_), lines_);
    for (Spot s = 0; s < spots; ++s) {
        Line n = places_[s];
        for (const Spot to : roads.next(s)) {
            const std::int32_t back = edge(to, s);
            reverse_[++n] = back < 0 ? lines_ : places_[to] + 1 + back;
        }
    }
    if (checks_crossings(space, rules)) find_crossings(space);
    plain_ = rules.following && margin == 0 && crossing_first_.empty();
    parked_.assign(static_cast<std::size_t>(spots), kForever);
    end_ = kFirstEnd;
    stride_ = end_ / kBits + 1;
    words_.assign(static_cast<std::size_t>((std::int64_t{lines_} + 1) * stride_), 0);
}

std::int64_t Timelines::bytes_at_first(const Roads& roads) {
    constexpr auto per_line =
        static_cast<std::int64_t>((kFirstEnd / kBits + 1) * sizeof(Word) + sizeof(Line));
    return (roads.size() + roads.roads()) * per_line;
}

// The number of an edge among those that leave a spot, or -1.
std::int32_t Timelines::edge(Spot from, Spot to) const {
    const auto next = roads_->next(from);
    const auto found = std::find(next.begin(), next.end(), to);
    return found == next.end() ? -1 : static_cast<std::int32_t>(found - next.begin());
}

Move Timelines::edge_of(Line n) const {
    const auto after = std::upper_bound(places_.begin(), places_.end(), n);
    const auto from = static_cast<Spot>(after - places_.begin()) - 1;
    return {from, roads_->next(from)[n - places_[from] - 1]};
}

void Timelines::find_crossings(const Space& space) {
    crossing_first_.reserve(static_cast<std::size_t>(lines_) + 1);
    for (Spot s = 0; s < roads_->size(); ++s) {
        crossing_first_.push_back(static_cast<std::int32_t>(crossings_.size()));
        for (const Spot to : roads_->next(s)) {
            crossing_first_.push_back(static_cast<std::int32_t>(crossings_.size()));
            space.any_crossing({roads_->vertex(s), roads_->vertex(to)}, [&](Move move) {
                const Spot a = roads_->spot(move.from), b = roads_->spot(move.to);
                const std::int32_t k = a == kNowhere || b == kNowhere ? -1 : edge(a, b);
                if (k >= 0) crossings_.push_back(places_[a] + 1 + k);
                return false;
            });
        }
    }
    crossing_first_.push_back(static_cast<std::int32_t>(crossings_.size()));
}

bool Timelines::make_room(Time last, Budget& budget) {
    const Time wanted = last + margin_ + 1;
    if (wanted <= end_) return true;
    Time end = end_;
    while (end < wanted) end *= 2;
    const std::int64_t stride = end / kBits + 1, size = (std::int64_t{lines_} + 1) * stride;
    const auto more = size * static_cast<std::int64_t>(sizeof(Word));
    if (!budget.fits(bytes() + more) || !budget.has_time_to_write(more)) return false;
    std::vector<Word> words(static_cast<std::size_t>(size));
    for (Line n = 0; n <= lines_; ++n)
        std::copy_n(line(n), stride_ - 1, words.data() + std::int64_t{n} * stride);
    const std::int64_t before = stride_;
    words_ = std::move(words);
    stride_ = stride;
    end_ = end;
    for (Spot s = 0; s < roads_->size(); ++s)
        if (parked_[s] != kForever)
            std::fill(own(places_[s]) + before - 1, own(places_[s]) + stride_, kAll);
    return true;
}

// Calls range(line, first, last) for all that a path takes.
template <class Range>
void Timelines::each_range(std::span<const Spot> path, bool parks, Range&& range) const {
    const auto steps = static_cast<Time>(path.size());
    for (Time first = 0; first < steps;) {
        const Spot s = path[first];
        Time last = first;
        while (last + 1 < steps && path[last + 1] == s) ++last;
        const Line n = place(s);
        const bool stays = parks && last + 1 == steps;
        range(n, first, stays ? end_ - 1 : last + margin_);
        if (last + 1 < steps) range(n + 1 + edge(s, path[last + 1]), last, last);
        first = last + 1;
    }
}

void Timelines::put(std::span<const Spot> path, bool parks) {
    each_range(path, parks, [&](Line n, Time first, Time last) { set(n, first, last); });
    if (!parks) return;
    parked_[path.back()] = static_cast<Time>(path.size()) - 1;
    own(place(path.back()))[stride_ - 1] = kAll;
}

void Timelines::take(std::span<const Spot> path, bool parks) {
    each_range(path, parks, [&](Line n, Time first, Time last) { unset(n, first, last); });
    if (!parks) return;
    parked_[path.back()] = kForever;
    own(place(path.back()))[stride_ - 1] = 0;
}

template <class Visit>
void Timelines::each_word(Line n, Time first, Time last, Visit&& visit) {
    Word* const words = own(n);
    for (Time w = first / kBits; w <= last / kBits; ++w)
        visit(words[w], w * kBits,
              bits(std::max(first - w * kBits, 0), std::min(last - w * kBits, kBits - 1)));
}

void Timelines::set(Line n, Time first, Time last) {
    each_word(n, first, last, [&](Word& word, Time begin, Word mask) {
        for (Word again = word & mask; again; again &= again - 1)
            ++twice_[key(n, begin + std::countr_zero(again))];
        word |= mask;
    });
}

void Timelines::unset(Line n, Time first, Time last) {
    each_word(n, first, last, [&](Word& word, Time begin, Word mask) {
        if (twice_.empty()) {
            word &= ~mask;
            return;
        }
        for (; mask; mask &= mask - 1) {
            const auto found = twice_.find(key(n, begin + std::countr_zero(mask)));
            if (found == twice_.end())
                word &= ~(mask & -mask);
            else if (--found->second == 0)
                twice_.erase(found);
        }
    });
}

bool Timelines::allows(std::span<const Spot> path, bool parks) const {
    const auto last = static_cast<Time>(path.size()) - 1;
    for (Time t = 0; t < last; ++t) {
        if (!is_free(path[t], t, t + margin_)) return false;
        if (path[t] == path[t + 1]) continue;
        const std::int32_t k = edge(path[t], path[t + 1]);
        const bool vanishes = !parks && t + 1 == last;
        if (departure(path[t], k, path[t + 1], t, t, vanishes) == kForever) return false;
    }
    if (parks) return free_from(path.back()) <= last;
    const bool behind = !rules_.following && last == 0 && taken(path.back(), margin_ + 1);
    return is_free(path.back(), last, last + margin_) && !behind;
}

Time Timelines::free_from(Spot s) const {
    if (parked_[s] != kForever) return kForever;
    const Word* const words = line(place(s));
    for (std::int64_t w = stride_ - 1; w-- > 0;)
        if (words[w]) return static_cast<Time>((w + 1) * kBits) - std::countl_zero(words[w]);
    return 0;
}

Time Timelines::any_departure(Spot s, std::int32_t k, Spot to, Time t, Time last,
                              bool vanishes) const {
    const Line n = place(s) + 1 + k;
    const Word *const there = line(place(to)), *const here = line(place(s)),
                      *const back = line(reverse(n));
    const auto crossed = crossing(n);
    for (Time w = t / kBits; w < stride_ - 1 && w * kBits <= last; ++w) {
        const auto later = [w](const Word* words, Time steps) {
            return steps < kBits ? words[w] >> steps | words[w + 1] << (kBits - steps)
                                 : words[w + 1];
        };
        Word blocked = later(there, 1) | back[w];
        for (Time more = 1; more <= margin_; ++more)
            blocked |= later(there, 1 + more) | later(here, more);
        if (!rules_.following) {
            blocked |= there[w] | later(here, 1 + margin_);
            if (vanishes) blocked |= later(there, 2 + margin_);
        }
        for (const Line other : crossed) blocked |= line(other)[w];
        if (w == t / kBits) blocked |= ~(kAll << t % kBits);
        if (blocked == kAll) continue;
        const Time found = w * kBits + std::countr_one(blocked);
        return found <= last ? found : kForever;
    }
    const Time beyond = std::max(t, end_);
    return beyond <= last && parked_[to] == kForever ? beyond : kForever;
}

std::int64_t Timelines::bytes() const {
    return static_cast<std::int64_t>(words_.size() * sizeof(Word) +
                                     (places_.size() + reverse_.size() + crossing_first_.size() +
                                      crossings_.size() + parked_.size()) *
                                         sizeof(std::int32_t) +
                                     twice_.size() * 2 * sizeof(std::uint64_t));
}

bool Timelines::operator==(const Timelines& other) const {
    if (lines_ != other.lines_ || parked_ != other.parked_ || twice_ != other.twice_) return false;
    const std::int64_t words = std::min(stride_, other.stride_) - 1;
    for (Line n = 0; n <= lines_; ++n)
        if (!std::equal(line(n), line(n) + words, other.line(n))) return false;
    const Timelines& longer = stride_ > other.stride_ ? *this : other;
    for (Spot s = 0; s < roads_->size(); ++s)
        for (Line n = place(s); n <= place(s) + roads_->degree(s); ++n) {
            const Word rest = n == place(s) && parked_[s] != kForever ? kAll : 0;
            if (!std::all_of(longer.line(n) + words, longer.line(n) + longer.stride_,
                             [&](Word word) { return word == rest; }))
                return false;
        }
    return true;
}

}  // namespace sidestep
