#include "sidestep/search/regions.hpp"

#include <algorithm>
#include <utility>

namespace sidestep::search {

Regions::Regions(std::span<const std::uint8_t> passable, std::int32_t width, std::int32_t side,
                 std::int32_t widest)
    : region_(passable.size(), -1) {
    for (Vertex v = 0; v < static_cast<Vertex>(passable.size()); ++v)
        if (passable[v] && region_[v] < 0) fill(passable, width, side, v);
    gates_of_.resize(cells_.size());
    find_gates(width, side, widest, {0, 1});
    find_gates(width, side, widest, {1, 0});
}

// Everything in the square of `seed` that hangs together with it.
void Regions::fill(std::span<const std::uint8_t> passable, std::int32_t width, std::int32_t side,
                   Vertex seed) {
    const auto region = static_cast<RegionId>(cells_.size());
    std::vector<Vertex>& cells = cells_.emplace_back(1, seed);
    region_[seed] = region;
    const auto square = [&](Vertex v) { return std::pair{v / width / side, v % width / side}; };
    for (std::size_t i = 0; i < cells.size(); ++i)
        for (int direction = 0; direction < 4; ++direction) {
            const Vertex v = cells[i];
            const Offset cell{v / width, v % width};
            if (!passage(passable, width, cell, kDirections[direction]).open) continue;
            const Vertex u = v + kDirections[direction].row * width + kDirections[direction].col;
            if (region_[u] >= 0 || square(u) != square(seed)) continue;
            region_[u] = region;
            cells.push_back(u);
        }
}

// Runs along the borders between squares that are crossed by a step in this direction.
void Regions::find_gates(std::int32_t width, std::int32_t side, std::int32_t widest,
                         Offset across) {
    const auto height = static_cast<std::int32_t>(region_.size()) / width;
    const bool down = across.row != 0;
    const std::int32_t borders = down ? height : width, length = down ? width : height;
    const auto cell = [&](std::int32_t border, std::int32_t along) {
        return down ? border * width + along : along * width + border;
    };
    for (std::int32_t border = side; border < borders; border += side) {
        std::int32_t run = 0;  // cells of the gate so far
        for (std::int32_t along = 0; along < length; ++along) {
            const Vertex near = cell(border - 1, along), far = cell(border, along);
            const bool open = region_[near] >= 0 && region_[far] >= 0;
            if (!open || along % side == 0 || run == widest) run = 0;
            if (open && run++ == 0) {
                const auto gate = static_cast<GateId>(gates_.size());
                gates_.push_back({{region_[near], region_[far]}, {}});
                for (const RegionId region : gates_.back().regions)
                    gates_of_[region].push_back(gate);
            }
            if (open) gates_.back().cells.insert(gates_.back().cells.end(), {near, far});
        }
    }
}

// Dead ends

namespace {

// Depth first over regions, after Tarjan: `low` is the earliest region that can be reached from one
// without the gate it was entered through. Where that is the region itself, this gate is the only
// way to it, and to all regions that are still in no block: they become one.
class Blocks {
  public:
    explicit Blocks(const Regions& regions)
        : block(regions.count(), -1),
          regions_(regions),
          number_(regions.count(), -1),
          low_(regions.count(), -1) {
        for (RegionId root = 0; root < regions.count(); ++root) {
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
        if (visit.next == regions_.gates_of(here).size()) return false;
        const GateId gate = regions_.gates_of(here)[visit.next++];
        if (gate == visit.through) return true;
        const auto& ends = regions_.gates()[gate].regions;
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

    const Regions& regions_;
    std::vector<std::int32_t> number_, low_;
    std::vector<RegionId> open_;  // of no block yet
    std::vector<Visit> visits_;
    std::int32_t count_ = 0;
};

}  // namespace

DeadEnds::DeadEnds(Geometry geometry, Regions regions)
    : geometry_(geometry), regions_(std::move(regions)) {
    Blocks blocks(regions_);
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
        if (all_.regions_.of(start) < 0 || all_.regions_.of(goal) < 0) return true;
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

    Length at(Vertex v) const override { return marked_[block(v)] ? geometry_.at(v) : kFar; }

  private:
    std::int32_t block(Vertex v) const { return all_.block_[all_.regions_.of(v)]; }
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
    return regions_.bytes() + block_.size() * sizeof(std::int32_t) + tree_.size() * sizeof(Node);
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
