#include "sidestep/solvers/icts/walk.hpp"

#include <algorithm>
#include <bit>

#include "sidestep/model/collision.hpp"
#include "sidestep/model/random.hpp"

namespace sidestep::icts {

void PackedSet::clear(std::size_t words_per_key) {
    constexpr std::size_t few = 64;
    if (slots_.size() > few && count_ * 16 < slots_.size()) {
        for (std::uint32_t number = 0; number < count_; ++number) {
            std::size_t k = home((*this)[number]);
            // Whatever was put further on because of a full slot lies in one run behind it.
            for (; slots_[k] != 0; k = (k + 1) & (slots_.size() - 1)) slots_[k] = 0;
        }
    } else {
        slots_.assign(std::max(slots_.size(), few), 0);
    }
    words_ = words_per_key;
    count_ = 0;
    keys_.clear();
}

std::size_t PackedSet::home(const std::uint64_t* key) const {
    std::uint64_t hash = 0;
    for (std::size_t k = 0; k < words_; ++k) hash = mix(hash ^ key[k]);
    return hash & (slots_.size() - 1);
}

std::pair<std::uint32_t, bool> PackedSet::insert(const std::uint64_t* key) {
    if (count_ * 2 >= slots_.size()) grow();
    std::size_t k = home(key);
    for (; slots_[k] != 0; k = (k + 1) & (slots_.size() - 1))
        if (std::equal(key, key + words_, (*this)[slots_[k] - 1])) return {slots_[k] - 1, false};
    keys_.insert(keys_.end(), key, key + words_);
    slots_[k] = static_cast<std::uint32_t>(++count_);
    return {slots_[k] - 1, true};
}

bool PackedSet::contains(const std::uint64_t* key) const {
    std::size_t k = home(key);
    for (; slots_[k] != 0; k = (k + 1) & (slots_.size() - 1))
        if (std::equal(key, key + words_, (*this)[slots_[k] - 1])) return true;
    return false;
}

void PackedSet::grow() {
    slots_.assign(slots_.size() * 2, 0);
    for (std::uint32_t number = 0; number < count_; ++number) {
        std::size_t k = home((*this)[number]);
        while (slots_[k] != 0) k = (k + 1) & (slots_.size() - 1);
        slots_[k] = number + 1;
    }
}

void Occupied::clear(std::int32_t vertices, Time horizon) {
    words_ = static_cast<std::size_t>(vertices) / 64 + 1;
    horizon_ = horizon;
    bits_.assign(words_ * (horizon + 1), 0);
}

void Occupied::set(std::span<const Vertex> path, bool stays, bool busy) {
    const auto length = static_cast<Time>(path.size());
    const Time last = stays ? horizon_ : std::min(horizon_, length - 1);
    for (Time t = 0; t <= last; ++t) {
        const Vertex v = path[std::min(t, length - 1)];
        const std::uint64_t bit = std::uint64_t{1} << (v & 63);
        std::uint64_t& word = bits_[t * words_ + (v >> 6)];
        word = busy ? word | bit : word & ~bit;
    }
}

Walk::Walk(const Space& space, const Rules& rules, Holding& holding)
    : space_(space),
      rules_(rules),
      holding_(holding),
      here_(space.size(), kFree),
      there_(space.size(), kFree) {}

void Walk::prepare(std::span<const Walker> walkers) {
    walkers_ = walkers;
    count_ = static_cast<Index>(walkers.size());
    end_ = 0;
    int bits = 0;
    bits_.clear();
    for (const Walker& walker : walkers) {
        end_ = std::max(end_, walker.diagram->cost());
        bits_.push_back(std::bit_width(walker.diagram->widest() - 1));
        bits += bits_.back();
    }
    bits += std::bit_width(static_cast<std::uint32_t>(end_));
    // A field may straddle no word, so leave room for what that wastes.
    words_ = static_cast<std::size_t>(bits) / 32 + 1;
    key_.assign(words_ + 1, 0);
    masked_.assign(words_ + 1, 0);
    dead_.clear(words_ + 1);
    masks_.resize(std::max(masks_.size(), static_cast<std::size_t>(end_) + 1));
    for (Time t = 0; t <= end_; ++t) masks_[t].clear();
    fields_.clear();
    culprits_ = 0;
    const std::size_t cells = static_cast<std::size_t>(end_ + 1) * count_;
    nodes_.resize(std::max(nodes_.size(), cells));
    order_.resize(std::max(order_.size(), cells));
    next_.resize(std::max(next_.size(), cells));
    blame_.resize(std::max(blame_.size(), cells));
}

void Walk::put(std::vector<Index>& places, Time t) {
    for (Index a = 0; a < count_; ++a)
        if (const Vertex v = place(t, a); v != kNowhere) places[v] = a;
}

void Walk::take_away(std::vector<Index>& places, Time t) {
    for (Index a = 0; a < count_; ++a)
        if (const Vertex v = place(t, a); v != kNowhere) places[v] = kFree;
}

Outcome Walk::run(std::span<const Walker> walkers, const Occupied* traffic, Budget& budget) {
    prepare(walkers);
    traffic_ = traffic;
    if (!hold(budget)) return Outcome::out_of_budget;
    for (Index a = 0; a < count_; ++a) node(0, a) = 0;
    put(here_, 0);
    Outcome outcome = end_ == 0 || count_ == 0 ? Outcome::found : Outcome::no_path;
    Time t = 0;
    Index rank = 0;
    if (outcome == Outcome::no_path) line_up(0);
    while (outcome == Outcome::no_path) {
        Blame blame = 0;
        if (!budget.tick()) {
            outcome = Outcome::out_of_budget;
        } else if (rank < count_) {
            blame = choose(t, rank);
            if (blame == 0 && ++rank < count_) begin(t, rank);
        } else if (t + 1 == end_) {
            outcome = Outcome::found;
        } else if ((blame = known_dead(t + 1)) == 0) {
            if (!budget.spend() || !hold(budget)) outcome = Outcome::out_of_budget;
            take_away(here_, t);
            here_.swap(there_);
            line_up(++t);
            rank = 0;
        }
        if (blame != 0 && !retreat(t, rank, blame)) break;
    }
    if (outcome == Outcome::out_of_budget) {
        std::fill(here_.begin(), here_.end(), kFree);
        std::fill(there_.begin(), there_.end(), kFree);
    } else {
        take_away(here_, t);
        if (outcome == Outcome::found && t < end_) take_away(there_, t + 1);
    }
    return outcome;
}

// Those with the fewest choices choose first.
void Walk::line_up(Time t) {
    Index* order = order_.data() + t * count_;
    const auto choices = [&](Index a) {
        const CostDiagram& diagram = *walkers_[a].diagram;
        return t >= diagram.cost() ? std::size_t{1} : diagram.successors(node(t, a)).size();
    };
    for (Index a = 0; a < count_; ++a) {
        Index k = a;
        const std::size_t mine = choices(a);
        for (; k > 0 && choices(order[k - 1]) > mine; --k) order[k] = order[k - 1];
        order[k] = a;
    }
    begin(t, 0);
}

void Walk::begin(Time t, Index rank) {
    next_[t * count_ + rank] = 0;
    blame_[t * count_ + rank] = 0;
}

// Nothing is left for the one at `rank`, and those in `blame` are why: goes back to the last of
// them that has chosen, skipping those that have nothing to do with it. False: there is none.
bool Walk::retreat(Time& t, Index& rank, Blame blame) {
    for (;;) {
        while (rank > 0) {
            undo(t, --rank);
            if ((blame & bit(order_[t * count_ + rank])) == 0) continue;
            blame_[t * count_ + rank] |= blame;
            return true;
        }
        if (t == 0) {
            culprits_ = blame;
            return false;
        }
        learn(t, blame);
        here_.swap(there_);
        put(here_, --t);
        rank = count_;
    }
}

// Lets the one at `rank` take its next choice that agrees with those before it. If there is none:
// who is to blame, itself included.
Blame Walk::choose(Time t, Index rank) {
    const Index a = order_[t * count_ + rank];
    const CostDiagram& diagram = *walkers_[a].diagram;
    std::uint32_t& next = next_[t * count_ + rank];
    Blame& blame = blame_[t * count_ + rank];
    const CostDiagram::Node from = node(t, a);
    if (t >= diagram.cost()) {  // at its goal for good, or gone
        if (next++ > 0) return blame | bit(a);
        node(t + 1, a) = from;
        const Vertex v = rules_.disappear ? kNowhere : diagram.vertex(from);
        if (v == kNowhere) return 0;
        if ((blame |= against({v, v})) != 0) return blame | bit(a);
        there_[v] = a;
        return 0;
    }
    const auto near = diagram.successors(from);
    const std::size_t rounds = traffic_ ? 2 : 1;
    for (; next < near.size() * rounds; ++next) {
        const bool last_round = next >= near.size();
        const CostDiagram::Node to = near[last_round ? next - near.size() : next];
        if (walkers_[a].alive && !walkers_[a].alive[to]) {
            blame |= walkers_[a].pruned_by;
            continue;
        }
        const Move move{diagram.vertex(from), diagram.vertex(to)};
        if (traffic_ && traffic_->busy(move, t) != last_round) continue;
        if (const Blame others = against(move)) {
            blame |= others;
            continue;
        }
        node(t + 1, a) = to;
        there_[move.to] = a;
        ++next;
        return 0;
    }
    return blame | bit(a);
}

// Those who are there, and where those go who have chosen before in this step.
struct Walk::Others {
    const Walk& walk;
    struct Other {
        const Walk& walk;
        Index walker;
        bool goes(Vertex v) const { return walk.there_[v] == walker; }
    };
    template <class Wanted>
    bool any_before(Vertex v, Wanted&& wanted) const {
        return walk.here_[v] != kFree && wanted(Other{walk, walk.here_[v]});
    }
};

// Who is against a move, of those who are there or have chosen before in this step; 0: nobody.
Blame Walk::against(Move move) const {
    if (there_[move.to] != kFree) return bit(there_[move.to]);
    if (move.from == move.to) return 0;
    Blame blame = 0;
    any_on_the_way(space_, rules_, move, Others{*this},
                   [&](CollisionKind, const Others::Other& other) {
                       blame = bit(other.walker);
                       return true;
                   });
    return blame;
}

void Walk::undo(Time t, Index rank) {
    const Vertex v = place(t + 1, order_[t * count_ + rank]);
    if (v != kNowhere) there_[v] = kFree;
}

// Packs the joint state, first the time. With `fields`, the bits of those to blame are set instead.
void Walk::pack(Time t, std::uint64_t* key, const Blame* fields) const {
    std::fill(key, key + words_, 0);
    int used = std::bit_width(static_cast<std::uint32_t>(end_));
    key[0] = fields ? (std::uint64_t{1} << used) - 1 : static_cast<std::uint64_t>(t);
    for (Index a = 0; a < count_; ++a) {
        if (bits_[a] == 0) continue;
        if (used + bits_[a] > 64) {
            used = 0;
            ++key;
        }
        const CostDiagram& diagram = *walkers_[a].diagram;
        std::uint64_t value = node(t, a) - diagram.first(std::min(t, diagram.cost()));
        if (fields) value = (*fields & bit(a)) != 0 ? (std::uint64_t{1} << bits_[a]) - 1 : 0;
        *key |= value << used;
        used += bits_[a];
    }
}

// Where those to blame are at time t, there is no way on, wherever the others are.
void Walk::learn(Time t, Blame blame) {
    auto& masks = masks_[t];
    const auto find = [&] {
        return std::find_if(masks.begin(), masks.end(),
                            [&](const Mask& known) { return known.blame == blame; });
    };
    auto mask = find();
    if (mask == masks.end() && masks.size() >= kMostMasks) {  // enough: blame everybody
        blame = ~Blame{0};
        mask = find();
    }
    if (mask == masks.end()) {
        mask = masks.insert(mask, {blame, fields_.size()});
        fields_.resize(fields_.size() + words_);
        pack(t, fields_.data() + mask->fields, &blame);
    }
    pack(t, key_.data(), nullptr);
    dead_.insert(masked(*mask));
}

// Is the joint state at t dead? Then who is to blame, else 0.
Blame Walk::known_dead(Time t) {
    if (masks_[t].empty()) return 0;
    pack(t, key_.data(), nullptr);
    for (const Mask& mask : masks_[t])
        if (dead_.contains(masked(mask))) return mask.blame;
    return 0;
}

const std::uint64_t* Walk::masked(const Mask& mask) {
    for (std::size_t k = 0; k < words_; ++k) masked_[k] = key_[k] & fields_[mask.fields + k];
    masked_[words_] = mask.blame;
    return masked_.data();
}

bool Walk::hold(Budget& budget) {
    const std::int64_t now = dead_.bytes();
    const std::int64_t more = now - held_;
    held_ = now;
    return more == 0 || holding_.add(more, budget);
}

void Walk::copy_path(std::size_t walker, std::vector<Vertex>& path) const {
    const CostDiagram& diagram = *walkers_[walker].diagram;
    path.clear();
    for (Time t = 0; t <= diagram.cost(); ++t)
        path.push_back(diagram.vertex(node(t, static_cast<Index>(walker))));
}

}  // namespace sidestep::icts
