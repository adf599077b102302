#include "sidestep/dialogue/channel.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace sidestep {

void Minutes::note(const Utterance& said) {
    if (parts_.empty() || parts_.back().entries.size() == kInPart) parts_.emplace_back();
    auto& [entries, numbers, ranks] = parts_.back();
    Entry entry{said.dialogue, said.speaker, said.stage, said.act, said.vote, 0, 0, 0, 0, 0};
    entry.hearers = numbers.size();
    numbers.insert(numbers.end(), said.hearers.begin(), said.hearers.end());
    entry.path = numbers.size();
    numbers.insert(numbers.end(), said.path.begin(), said.path.end());
    entry.end = numbers.size();
    entry.order = ranks.size();
    ranks.insert(ranks.end(), said.order.begin(), said.order.end());
    entry.order_end = ranks.size();
    entries.push_back(entry);
    bytes_ += static_cast<std::int64_t>(
        sizeof(Entry) + (said.hearers.size() + said.path.size()) * sizeof(std::int32_t) +
        said.order.size() * sizeof(Rank));
}

Utterance Minutes::operator[](std::size_t k) const {
    const Part& part = parts_[k / kInPart];
    const Entry& entry = part.entries[k % kInPart];
    const std::span<const std::int32_t> numbers(part.numbers);
    const std::span<const Rank> ranks(part.ranks);
    return {entry.dialogue,
            entry.stage,
            entry.speaker,
            numbers.subspan(entry.hearers, entry.path - entry.hearers),
            entry.act,
            ranks.subspan(entry.order, entry.order_end - entry.order),
            numbers.subspan(entry.path, entry.end - entry.path),
            entry.vote};
}

void Channel::set_reach(Reach reach, std::int32_t cells) {
    reach_ = reach;
    cells_ = cells;
}

void Channel::gather(std::span<const Vertex> positions) {
    positions_.assign(positions.begin(), positions.end());
    audiences_.resize(positions.size());
    has_audience_.assign(positions.size(), false);
    present_.clear();
    for (AgentId agent = 0; agent < static_cast<AgentId>(positions.size()); ++agent)
        if (positions[agent] != kNowhere) present_.push_back(agent);
}

std::span<const AgentId> Channel::audience(AgentId speaker) {
    if (speaker < 0 || speaker >= static_cast<AgentId>(audiences_.size()))
        throw std::invalid_argument("agent " + std::to_string(speaker) + " has not been gathered");
    auto& audience = audiences_[speaker];
    if (has_audience_[speaker]) return audience;
    has_audience_[speaker] = true;
    audience.clear();
    if (positions_[speaker] == kNowhere) return audience;
    for (const AgentId hearer : present_)
        if (hearer != speaker && hears(hearer, speaker)) audience.push_back(hearer);
    return audience;
}

bool Channel::hears(AgentId hearer, AgentId speaker) const {
    if (reach_ == Reach::ring) return hearer == next_in_ring(speaker);
    if (reach_ == Reach::all) return true;
    const Vertex one = positions_[hearer], other = positions_[speaker];
    return std::abs(one / width_ - other / width_) <= cells_ &&
           std::abs(one % width_ - other % width_) <= cells_;
}

AgentId Channel::next_in_ring(AgentId speaker) const {
    const auto next = std::ranges::upper_bound(present_, speaker);
    return next == present_.end() ? present_.front() : *next;
}

void Channel::say(const Utterance& said) {
    minutes_.note(said);
    const auto hearers = static_cast<std::int64_t>(said.hearers.size());
    std::int64_t size = kHead + kVertex * static_cast<std::int64_t>(said.path.size());
    size += 2 * kAgent * static_cast<std::int64_t>(said.order.size());
    if (said.has_vote()) size += kVote;
    messages_ += hearers;
    bytes_ += hearers * size;
}

void Channel::announce(AgentId speaker, std::span<const Vertex> path) {
    say({kNoDialogue, Stage::exchange, speaker, audience(speaker), Act::new_path, {}, path});
}

void Channel::go_first(AgentId speaker) {
    say({kNoDialogue, Stage::exchange, speaker, audience(speaker), Act::go_first});
}

void Channel::count(std::int64_t messages, std::int64_t agents, std::int64_t vertices) {
    messages_ += messages;
    bytes_ += kHead * messages + kAgent * agents + kVertex * vertices;
}

}  // namespace sidestep
