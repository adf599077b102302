#include "sidestep/search/regions.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace sidestep::search {

Partition::Partition(std::span<const std::uint8_t> passable, std::int32_t width, std::int32_t side)
    : width_(width), side_(side), region_(passable.size(), -1) {
    for (Vertex v = 0; v < static_cast<Vertex>(passable.size()); ++v)
        if (passable[v] && region_[v] < 0) fill(passable, v, count_++);
}

void Partition::change(std::span<const std::uint8_t> passable, Vertex v) {
    const auto height = static_cast<std::int32_t>(region_.size()) / width_;
    const std::int32_t top = v / width_ / side_ * side_, left = v % width_ / side_ * side_;
    const std::int32_t bottom = std::min(top + side_, height),
                       right = std::min(left + side_, width_);
    const auto each_cell = [&](auto&& visit) {
        for (std::int32_t row = top; row < bottom; ++row)
            for (std::int32_t col = left; col < right; ++col) visit(row * width_ + col);
    };
    std::vector<RegionId> before;
    each_cell([&](Vertex u) {
        if (region_[u] >= 0) before.push_back(region_[u]);
        region_[u] = -1;
    });
    std::sort(before.begin(), before.end());
    before.erase(std::unique(before.begin(), before.end()), before.end());
    free_.insert(free_.end(), before.begin(), before.end());
    each_cell([&](Vertex u) {
        if (!passable[u] || region_[u] >= 0) return;
        const RegionId region = free_.empty() ? count_++ : free_.back();
        if (!free_.empty()) free_.pop_back();
        fill(passable, u, region);
    });
}

// Everything in the square of `seed` that hangs together with it.
void Partition::fill(std::span<const std::uint8_t> passable, Vertex seed, RegionId region) {
    cells_.assign(1, seed);
    region_[seed] = region;
    const auto square = [&](Vertex v) { return std::pair{v / width_ / side_, v % width_ / side_}; };
    for (std::size_t i = 0; i < cells_.size(); ++i)
        for (int direction = 0; direction < 4; ++direction) {
            const Vertex v = cells_[i];
            const Offset cell{v / width_, v % width_};
            if (!passage(passable, width_, cell, kDirections[direction]).open) continue;
            const Vertex u = v + kDirections[direction].row * width_ + kDirections[direction].col;
            if (region_[u] >= 0 || square(u) != square(seed)) continue;
            region_[u] = region;
            cells_.push_back(u);
        }
}

Regions::Regions(Partition partition, std::int32_t widest)
    : partition_(std::move(partition)), cells_(count()), gates_of_(count()) {
    for (Vertex v = 0; v < static_cast<Vertex>(vertices()); ++v)
        if (of(v) >= 0) cells_[of(v)].push_back(v);
    std::int32_t run = 0;  // cells of the gate so far
    partition_.borders([&](Vertex near, Vertex far, bool begins) {
        if (begins || run == widest) {
            run = 0;
            const auto gate = static_cast<GateId>(gates_.size());
            gates_.push_back({{of(near), of(far)}, {}});
            for (const RegionId region : gates_.back().regions) gates_of_[region].push_back(gate);
        }
        ++run;
        gates_.back().cells.insert(gates_.back().cells.end(), {near, far});
    });
}

// Dead ends

namespace {

// Depth first over regions, after Tarjan: `low` is the earliest region that can be reached from one
// without the gate it was entered through. Where that is the region itself, this gate is the only
// way to it, and to all regions that are still in no block: they become one.
class Blocks {
  public:
    explicit Blocks(const Partition& partition)
        : block(partition.count(), -1),
          gates_of_(partition.count()),
          number_(partition.count(), -1),
          low_(partition.count(), -1) {
        partition.borders([&](Vertex near, Vertex far, bool begins) {
            if (!begins) return;
            const std::array<RegionId, 2> ends{partition.of(near), partition.of(far)};
            for (const RegionId region : ends)
                gates_of_[region].push_back(static_cast<GateId>(gates_.size()));
            gates_.push_back(ends);
        });
        for (RegionId root = 0; root < partition.count(); ++root) {
            if (number_[root] >= 0) continue;
            enter(root, -1);
            while (!visits_.empty())
                if (!look_further()) leave();
        }
    }

    std::vector<std::int32_t> block;   // of a region
    std::vector<RegionId> hangs_from;  // per block: the region before it; its own for a root

  private:
    struct Visit {
        RegionId region;
        GateId through;
        std::size_t next;
    };

    void enter(RegionId region, GateId through) {
        number_[region] = low_[region] = count_++;
        open_.push_back(region);
        visits_.push_back({region, through, 0});
    }

    // Through the next gate, if there is one left.
    bool look_further() {
        Visit& visit = visits_.back();
        const RegionId here = visit.region;
        if (visit.next == gates_of_[here].size()) return false;
        const GateId gate = gates_of_[here][visit.next++];
        if (gate == visit.through) return true;
        const auto& ends = gates_[gate];
        const RegionId there = ends[0] == here ? ends[1] : ends[0];
        if (number_[there] < 0)
            enter(there, gate);
        else
            low_[here] = std::min(low_[here], number_[there]);
        return true;
    }

    void leave() {
        const RegionId here = visits_.back().region;
        visits_.pop_back();
        const RegionId before = visits_.empty() ? here : visits_.back().region;
        low_[before] = std::min(low_[before], low_[here]);
        if (low_[here] == number_[here]) close(here, before);
    }

    void close(RegionId first, RegionId before) {
        RegionId member;
        do {
            member = open_.back();
            open_.pop_back();
            block[member] = static_cast<std::int32_t>(hangs_from.size());
        } while (member != first);
        hangs_from.push_back(before);
    }

    std::vector<std::array<RegionId, 2>> gates_;
    std::vector<std::vector<GateId>> gates_of_;
    std::vector<std::int32_t> number_, low_;
    std::vector<RegionId> open_;  // of no block yet
    std::vector<Visit> visits_;
    std::int32_t count_ = 0;
};

}  // namespace

DeadEnds::DeadEnds(Geometry geometry, const Partition& partition)
    : geometry_(geometry), region_(partition.all().begin(), partition.all().end()) {
    Blocks blocks(partition);
    block_ = std::move(blocks.block);
    // A block is closed after those that hang from it, so parents have higher numbers.
    tree_.resize(blocks.hangs_from.size());
    for (std::size_t block = tree_.size(); block-- > 0;) {
        const std::int32_t parent = block_[blocks.hangs_from[block]];
        const bool is_root = parent == static_cast<std::int32_t>(block);
        tree_[block] = {parent, is_root ? 0 : tree_[parent].depth + 1};
    }
}

class DeadEnds::Aimed final : public Aim {
  public:
    explicit Aimed(const DeadEnds& all)
        : all_(all), geometry_(all.geometry_), marked_(all.tree_.size(), 0) {}

    // Marks the blocks between the two ends.
    bool set(Vertex start, Vertex goal, Budget&) override {
        geometry_.aim(goal);
        unmark();
        if (all_.region_[start] < 0 || all_.region_[goal] < 0) return true;
        std::int32_t a = block(start), b = block(goal);
        while (a != b) {
            std::int32_t& deeper = all_.tree_[a].depth < all_.tree_[b].depth ? b : a;
            mark(deeper);
            if (all_.tree_[deeper].parent == deeper) {  // nothing connects them: no way at all
                unmark();
                return true;
            }
            deeper = all_.tree_[deeper].parent;
        }
        mark(a);
        return true;
    }

    Length at(Vertex v) const override {
        const bool leads_on = all_.region_[v] >= 0 && marked_[block(v)];
        return leads_on ? geometry_.at(v) : kFar;
    }

  private:
    std::int32_t block(Vertex v) const { return all_.block_[all_.region_[v]]; }
    void unmark() {
        for (const std::int32_t block : on_the_way_) marked_[block] = 0;
        on_the_way_.clear();
    }
    void mark(std::int32_t block) {
        on_the_way_.push_back(block);
        marked_[block] = 1;
    }

    const DeadEnds& all_;
    Geometry geometry_;
    std::vector<std::uint8_t> marked_;
    std::vector<std::int32_t> on_the_way_;
};

std::unique_ptr<Aim> DeadEnds::aim() const { return std::make_unique<Aimed>(*this); }

std::size_t DeadEnds::bytes() const {
    return region_.size() * sizeof(RegionId) + block_.size() * sizeof(std::int32_t) +
           tree_.size() * sizeof(Node);
}

// Gateways

Gateways::Gateways(Geometry geometry, Regions regions, Length longest)
    : geometry_(geometry),
      regions_(std::move(regions)),
      compact_(longest),
      first_(regions_.vertices(), 0) {
    std::size_t entries = 0;
    for (RegionId region = 0; region < regions_.count(); ++region)
        for (const Vertex v : regions_.cells()[region]) {
            first_[v] = entries;
            entries += regions_.gates_of(region).size();
        }
    between_.assign(regions_.gates().size() * regions_.gates().size(), Compact::kFarAway);
    to_own_gates_.assign(entries, Compact::kFarAway);
}

void Gateways::learn(GateId gate, std::span<const Length> lengths) {
    const auto& gates = regions_.gates();
    for (std::size_t other = 0; other < gates.size(); ++other)
        for (const Vertex v : gates[other].cells) {
            std::uint32_t& known = between_[gate * gates.size() + other];
            known = std::min(known, compact_.pack(lengths[v]));
        }
    for (const RegionId region : gates[gate].regions) {
        const auto& own = regions_.gates_of(region);
        const auto place = std::find(own.begin(), own.end(), gate) - own.begin();
        for (const Vertex v : regions_.cells()[region])
            to_own_gates_[first_[v] + place] = compact_.pack(lengths[v]);
    }
}

class Gateways::Aimed final : public Aim {
  public:
    explicit Aimed(const Gateways& all)
        : all_(all),
          geometry_(all.geometry_),
          onwards_(all.regions_.gates().size()),
          known_(all.regions_.count(), 0) {}

    bool set(Vertex, Vertex goal, Budget&) override {
        geometry_.aim(goal);
        goal_ = goal;
        home_ = all_.regions_.of(goal);
        if (++search_ == 0) {  // the numbers have run out: begin again
            std::fill(known_.begin(), known_.end(), 0);
            search_ = 1;
        }
        return true;
    }

    Length at(Vertex v) const override {
        const RegionId region = all_.regions_.of(v);
        const Length straight = geometry_.at(v);
        if (region == home_ || region < 0 || home_ < 0) return straight;
        if (known_[region] != search_) look_onwards(region);
        const std::uint32_t* distances = all_.to_own_gates_.data() + all_.first_[v];
        std::uint32_t least = Compact::kFarAway;
        for (const GateId gate : all_.regions_.gates_of(region))
            least = std::min(least, sum(*distances++, onwards_[gate]));
        return std::max(all_.compact_.unpack(least, 0), straight);
    }

  private:
    static std::uint32_t sum(std::uint32_t a, std::uint32_t b) {
        constexpr std::uint32_t far = Compact::kFarAway;
        return a == far || b == far ? far : a + b;
    }
    // From the gates of a region to the goal, each through the best gate of the goal's region.
    void look_onwards(RegionId region) const {
        known_[region] = search_;
        const std::size_t gates = all_.regions_.gates().size();
        for (const GateId gate : all_.regions_.gates_of(region)) {
            const std::uint32_t* distances = all_.to_own_gates_.data() + all_.first_[goal_];
            std::uint32_t least = Compact::kFarAway;
            for (const GateId last : all_.regions_.gates_of(home_))
                least = std::min(least, sum(all_.between_[gate * gates + last], *distances++));
            onwards_[gate] = least;
        }
    }

    const Gateways& all_;
    Geometry geometry_;
    Vertex goal_ = 0;
    RegionId home_ = -1;
    mutable std::vector<std::uint32_t> onwards_;  // per gate: to the goal
    mutable std::vector<std::uint32_t> known_;    // per region: the search whose `onwards` it has
    std::uint32_t search_ = 0;
};

std::unique_ptr<Aim> Gateways::aim() const { return std::make_unique<Aimed>(*this); }

std::size_t Gateways::bytes() const {
    return regions_.bytes() + first_.size() * sizeof(std::size_t) +
           (between_.size() + to_own_gates_.size()) * sizeof(std::uint32_t);
}

}  // namespace sidestep::search
