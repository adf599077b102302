// Dependencies turned round: an agent that would have to wait goes first, where others are not
// near.
//
// The idea is that of switchable graphs (Berndt et al. 2020, SADG; Su, Veerapaneni, Li 2024, BTPG).
// The rule is ours: the agent's next visits, up to the first that waits for nobody, all come before
// those of others in the same places. Then none of them waits for anybody, and only they are waited
// for in a new way, so that no cycle can arise and none has to be looked for.
#include <algorithm>

#include "sidestep/fleet/dependencies.hpp"

namespace sidestep {

namespace {

constexpr std::int32_t kMostTurns = 64;  // visits at once: corridors are shorter, as a rule
constexpr std::int32_t kMostHops = 64;   // of a chain of waits that is followed

}  // namespace

bool Dependencies::turn(AgentId a, std::int32_t worth) {
    if (!may_turn_ || worth == 0) return false;
    turns_.clear();
    const std::int32_t first = released(a) + 1;
    std::int32_t others = 0, harm = 0;
    for (std::int32_t number = first;; ++number) {
        if (visits_[visit_of(a, number)].waiting == 0) break;
        // Where it ends for good nobody could ever pass.
        if (number == total(a) || number - first == kMostTurns) return false;
        const std::optional<Turn> found = find_turn(a, number);
        if (!found) return false;
        others += found->others;
        harm = std::max(harm, found->harm);
        turns_.push_back(*found);
    }
    const Visit& last = visits_[turns_.front().last];
    if (visits_until(last.agent, last.number) <= std::int64_t{worth} * harm) return false;
    for (const Turn& turn : turns_)
        if (comes_twice(turn)) return false;
    for (const Turn& turn : turns_) apply(turn);
    turned_ += others;
    return true;
}

// Who is still to come to the place of a visit before it, from the last to the first: none of them
// may have been released to.
std::optional<Dependencies::Turn> Dependencies::find_turn(AgentId a, std::int32_t number) const {
    const VisitId entering = visit_of(a, number), leaving = visit_of(a, number + 1);
    Turn turn{entering, leaving, links_[visits_[entering].in].from, kNoVisit, 0, 0};
    const std::int32_t away = number + 1 - finished(a);
    for (LinkId l = visits_[entering].in; l != kNoLink; l = visits_[turn.first].in) {
        const Visit& gone = visits_[links_[l].from];
        const std::int32_t comes = gone.number - 1;
        if (gone.agent == a || comes <= released(gone.agent)) return std::nullopt;
        turn.harm += std::max(0, away - visits_until(gone.agent, comes - 1));
        turn.first = visit_of(gone.agent, comes);
        ++turn.others;
    }
    return turn;
}

// Does the agent, or the first of the others, come there twice in a row, without another in
// between? No link says so.
bool Dependencies::comes_twice(const Turn& turn) const {
    const Visit &entering = visits_[turn.entering], &first = visits_[turn.first];
    if (visits_again(first.agent, finished(first.agent), first.number - 1, entering.place))
        return true;
    return visits_[turn.leaving].out == kNoLink &&
           visits_again(entering.agent, entering.number + 2, total(entering.agent), entering.place);
}

bool Dependencies::visits_again(AgentId a, std::int32_t from, std::int32_t to, Vertex place) const {
    for (std::int32_t number = from; number <= to; ++number)
        if (this->place(a, number) == place) return true;
    return false;
}

// At least how many visits, one after another, until the agent has finished this one: its own, and
// those of the ones that it now waits for.
std::int32_t Dependencies::visits_until(AgentId a, std::int32_t number) const {
    std::int32_t least = number - finished(a), behind = 0;
    for (std::int32_t hop = 0; hop < kMostHops && number > released(a); ++hop) {
        const Visit& next = visits_[visit_of(a, released(a) + 1)];
        if (next.in == kNoLink) break;
        behind += number - released(a);
        const Visit& other = visits_[links_[next.in].from];
        a = other.agent;
        number = other.number;
        least = std::max(least, behind + number - finished(a));
    }
    return least;
}

// From "…, first, …, last, the agent, next" to "…, the agent, first, …, last, next".
void Dependencies::apply(const Turn& turn) {
    unlink(visits_[turn.entering].in);
    const LinkId out = visits_[turn.leaving].out;
    if (out != kNoLink) {
        const VisitId next = links_[out].to;
        unlink(out);
        link(turn.last, next);
    }
    link(turn.leaving, turn.first);
}

}  // namespace sidestep
