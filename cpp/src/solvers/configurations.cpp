#include "sidestep/solvers/configurations.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace sidestep {

namespace {

constexpr Configurations::Number kEmpty = -1;
constexpr std::uint16_t kNarrowNowhere = std::numeric_limits<std::uint16_t>::max();

}  // namespace

Configurations::Configurations(std::size_t agents, std::int32_t spots)
    : agents_(agents),
      narrow_(spots < kNarrowNowhere),
      words_(agents * (narrow_ ? 2 : 3)),
      table_(1024, kEmpty) {}

std::int64_t Configurations::bytes() const {
    return static_cast<std::int64_t>(slabs_.size() * kPerSlab * words_ * sizeof(std::uint16_t) +
                                     hashes_.size() * sizeof(std::uint64_t) +
                                     table_.size() * sizeof(Number));
}

Configurations::Number Configurations::find(std::span<const Spot> spots, std::uint64_t hash) const {
    const std::size_t mask = table_.size() - 1;
    for (std::size_t k = mix(hash) & mask; table_[k] != kEmpty; k = (k + 1) & mask)
        if (hashes_[table_[k]] == hash && is_equal(table_[k], spots)) return table_[k];
    return kEmpty;
}

Configurations::Number Configurations::add(std::span<const Spot> spots,
                                           std::span<const std::uint16_t> since,
                                           std::uint64_t hash) {
    const auto number = static_cast<Number>(hashes_.size());
    if (hashes_.size() % kPerSlab == 0)
        slabs_.push_back(std::make_unique_for_overwrite<std::uint16_t[]>(kPerSlab * words_));
    hashes_.push_back(hash);
    std::uint16_t* const words =
        slabs_.back().get() + static_cast<std::size_t>(number) % kPerSlab * words_;
    std::copy(since.begin(), since.end(), words);
    if (narrow_)
        std::transform(spots.begin(), spots.end(), words + agents_,
                       [](Spot s) { return static_cast<std::uint16_t>(s); });
    else
        std::memcpy(words + agents_, spots.data(), agents_ * sizeof(Spot));
    if (2 * hashes_.size() > table_.size()) grow();
    const std::size_t mask = table_.size() - 1;
    std::size_t k = mix(hash) & mask;
    while (table_[k] != kEmpty) k = (k + 1) & mask;
    table_[k] = number;
    return number;
}

void Configurations::read(Number number, std::span<Spot> spots,
                          std::span<std::uint16_t> since) const {
    std::copy_n(at(number), agents_, since.begin());
    read(number, spots);
}

void Configurations::read(Number number, std::span<Spot> spots) const {
    const std::uint16_t* const words = at(number) + agents_;
    if (!narrow_) {
        std::memcpy(spots.data(), words, agents_ * sizeof(Spot));
        return;
    }
    for (std::size_t a = 0; a < agents_; ++a)
        spots[a] = words[a] == kNarrowNowhere ? kNowhere : words[a];
}

bool Configurations::is_equal(Number number, std::span<const Spot> spots) const {
    const std::uint16_t* const words = at(number) + agents_;
    if (!narrow_) return std::memcmp(words, spots.data(), agents_ * sizeof(Spot)) == 0;
    return std::equal(spots.begin(), spots.end(), words, [](Spot s, std::uint16_t word) {
        return static_cast<std::uint16_t>(s) == word;
    });
}

// All but the configuration that was just added are put into a table twice as large.
void Configurations::grow() {
    table_.assign(2 * table_.size(), kEmpty);
    const std::size_t mask = table_.size() - 1;
    for (std::size_t number = 0; number + 1 < hashes_.size(); ++number) {
        std::size_t k = mix(hashes_[number]) & mask;
        while (table_[k] != kEmpty) k = (k + 1) & mask;
        table_[k] = static_cast<Number>(number);
    }
}

}  // namespace sidestep
