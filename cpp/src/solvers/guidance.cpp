#include "sidestep/solvers/guidance.hpp"

#include <algorithm>

#include "sidestep/model/random.hpp"

namespace sidestep {

namespace {

constexpr std::int32_t kNone = -1;
// A stamp and a cost share a word.
constexpr std::uint32_t kCostBits = 12;
constexpr std::uint32_t kLastStamp = (std::uint32_t{1} << (32 - kCostBits)) - 1;
constexpr std::int32_t kGreatestCost = (1 << kCostBits) - 1;
constexpr std::int32_t kLeastWindow = 2;
// What kAuto stands for.
constexpr std::int64_t kCrowded = 10;  // open places per agent
constexpr std::int32_t kShort = 16, kLong = 32, kLongFrom = 24;
constexpr Cost kCostIfShort = 2, kCostIfLong = 4;

std::int64_t bytes_of(const Roads& roads, std::int32_t window, std::size_t cell) {
    return window * (roads.size() * static_cast<std::int64_t>(cell) +
                     roads.roads() * static_cast<std::int64_t>(sizeof(std::uint16_t)));
}

}  // namespace

Guidance::Options Guidance::chosen(Options asked, std::int64_t agents, std::int64_t places) {
    if (asked.window == kAuto) asked.window = agents * kCrowded > places ? kLong : kShort;
    const bool is_auto = asked.collision == kAuto;
    asked.collision_going_on = is_auto ? kCostIfShort : asked.collision;
    if (is_auto) asked.collision = asked.window >= kLongFrom ? kCostIfLong : kCostIfShort;
    return asked;
}

Guidance::Guidance(const Roads& roads, Fields& fields, const Rules& rules, Options options)
    : roads_(roads),
      fields_(fields),
      rules_(rules),
      window_(std::max(options.window, kLeastWindow)),
      collisions_{options.collision, options.collision_going_on},
      renewed_every_(options.renewed_every) {
    while (window_ > kLeastWindow && bytes_of(roads_, window_, sizeof(Cell)) > kMostBytes)
        window_ /= 2;
}

std::int64_t Guidance::bytes() const {
    return bytes_of(roads_, window_, sizeof(Cell)) +
           static_cast<std::int64_t>(reverse_.size() * sizeof(Road) + steps_.size() * sizeof(Step) +
                                     nodes_.capacity() * sizeof(Node));
}

void Guidance::changed() {
    forget();
    reverse_.clear();
}

void Guidance::forget() {
    for (std::size_t a = 0; a < plans_.size(); ++a) take_all(static_cast<AgentId>(a));
    empty_ = true;
}

bool Guidance::plan(std::span<const Travel> travels, std::span<const Spot> from,
                    std::span<const AgentId> order, std::uint64_t draw, std::span<Spot> guided,
                    Budget& budget, bool going_on) {
    going_on_ = going_on;
    collision_ = collisions_[going_on];
    if (plans_.size() != from.size()) {
        forget();
        plans_.assign(from.size(), {});
        steps_.assign(from.size() * (static_cast<std::size_t>(window_) + 1), {});
    }
    if (!budget.look()) return false;
    make_tables();
    travels_ = travels;
    from_ = from;
    draw_ = draw;
    if (!empty_) advance();
    empty_ = false;
    for (std::int32_t depth = 0; depth < window_; ++depth) layers_[depth] = layer(now_ + depth);
    for (const AgentId agent : order) {
        if (plan_for(agent, budget)) continue;
        forget();
        return false;
    }
    for (std::size_t a = 0; a < from.size(); ++a) {
        const auto agent = static_cast<AgentId>(a);
        guided[a] = plans_[a].until > now_ ? step(agent, now_ + 1).spot : kNowhere;
    }
    return true;
}

void Guidance::make_tables() {
    const auto window = static_cast<std::size_t>(window_);
    if (cells_.empty()) cells_.resize(window * static_cast<std::size_t>(roads_.size()));
    // Rows of a graph may have become longer: then nothing is in the tables.
    used_.resize(window * static_cast<std::size_t>(roads_.roads()));
    layers_.resize(window);
    if (reverse_.empty()) find_reverse();
}

void Guidance::save(Writer& writer) const { writer(now_, empty_, plans_, steps_); }

void Guidance::load(Reader& reader) {
    changed();
    try {
        reader(now_, empty_, plans_, steps_);
        require_saved(now_ >= 0 && now_ <= kLatest, "a time");
        require_saved(steps_.size() == plans_.size() * (static_cast<std::size_t>(window_) + 1),
                      "the length of a path");
        make_tables();
        for (std::size_t a = 0; a < plans_.size(); ++a) require_path(static_cast<AgentId>(a));
    } catch (...) {
        plans_.clear();
        steps_.clear();
        throw;
    }
    const std::vector<Plan> plans = plans_;
    for (std::size_t a = 0; a < plans_.size(); ++a)
        for (Time time = now_ + 1; time <= plans_[a].until; ++time)
            put(static_cast<AgentId>(a), time);
    plans_ = plans;  // who was disturbed is known already
}

// Does a path that was read keep to the roads?
void Guidance::require_path(AgentId agent) {
    const Plan& plan = plans_[agent];
    require_saved(plan.until <= now_ + window_, "the end of a path");
    for (Time time = now_; time <= plan.until; ++time) {
        const Step& at = step(agent, time);
        require_saved(at.spot >= 0 && at.spot < roads_.size(), "a path leaves the map");
        if (time == plan.until) break;
        const auto row = static_cast<Road>(roads_.road(at.spot));
        const bool waits = at.left_by == kNoRoad;
        require_saved(waits || (at.left_by >= row && at.left_by < row + roads_.degree(at.spot)),
                      "a path leaves the roads");
        const Spot next = waits ? at.spot : roads_.next(at.spot)[at.left_by - row];
        require_saved(step(agent, time + 1).spot == next, "a path is torn");
    }
}

void Guidance::copy(const Guidance& other) {
    cells_ = other.cells_;
    used_ = other.used_;
    reverse_ = other.reverse_;
    steps_ = other.steps_;
    plans_ = other.plans_;
    now_ = other.now_;
    empty_ = other.empty_;
    stamp_ = other.stamp_;
}

// Time goes on by one: what everybody had planned for it is no longer planned.
void Guidance::advance() {
    if (now_ >= kLatest) forget();  // and begins anew, with all tables empty
    now_ = now_ >= kLatest ? 0 : now_ + 1;
    for (std::size_t a = 0; a < plans_.size(); ++a)
        if (plans_[a].until >= now_) take(static_cast<AgentId>(a), now_);
}

bool Guidance::plan_for(AgentId agent, Budget& budget) {
    Plan& plan = plans_[agent];
    const Spot here = from_[agent];
    const Travel& travel = travels_[agent];
    const bool leaves = rules_.disappear && is_home(agent);
    if (here == kNowhere || leaves || (travel.field && travel.field->is_cut_off(here))) {
        take_all(agent);
        return true;
    }
    const bool is_on_track = plan.until >= now_ && step(agent, now_).spot == here;
    if (is_home(agent) && !rules_.free_goal_wait) {
        if (is_on_track && plan.stays) return follow(agent, budget);
        stay(agent);
        return true;
    }
    const bool is_kept = plan.direct || (now_ + agent) % renewed_every_ != 0;
    const bool goes_on = plan.until > now_;  // its path has not ended here
    if (is_on_track && is_kept && goes_on && !plan.disturbed) return follow(agent, budget);
    return search(agent, budget);
}

// Puts the last step of a path that is kept behind its end, the cheapest one.
bool Guidance::follow(AgentId agent, Budget& budget) {
    Plan& plan = plans_[agent];
    plan.disturbed = false;
    Step& last = step(agent, plan.until);
    if (ends(agent, last.spot)) return true;
    const Travel& travel = travels_[agent];
    const Layer layer = this->layer(plan.until);
    std::int32_t least = cost_of(layer, travel, last.spot, last.spot, kNoRoad, budget);
    Spot next = last.spot;
    Road by = kNoRoad;
    Road road = static_cast<Road>(roads_.road(last.spot));
    for (const Spot s : plan.stays ? std::span<const Spot>() : roads_.next(last.spot)) {
        if (least == 0) break;
        const std::int32_t cost = cost_of(layer, travel, last.spot, s, road, budget);
        if (cost < least) {
            least = cost;
            next = s;
            by = road;
        }
        ++road;
    }
    if (!budget.tick()) return false;
    last.left_by = by;
    step(agent, ++plan.until) = {next, kNoRoad};
    plan.direct = plan.direct && least == 0;
    put(agent, plan.until);
    return true;
}

Guidance::Layer Guidance::layer(Time time) {
    const auto spots = static_cast<std::size_t>(roads_.size());
    const auto roads = static_cast<std::size_t>(roads_.roads());
    return {time > now_ ? cells_.data() + slot(time) * spots : nullptr,
            cells_.data() + slot(time + 1) * spots, used_.data() + slot(time) * roads};
}

// What a step costs more since others plan to be there, or to come the other way. Who does is
// `from` then.
inline std::int32_t Guidance::collisions(const Layer& layer, Spot from, Spot to, Road road) const {
    std::int32_t cost = layer.next[to].count ? collision_ : 0;
    if (road == kNoRoad) return cost;
    if (layer.next[from].count && reverse_[road] != kNoRoad && layer.used[reverse_[road]])
        cost += collision_;
    if (!rules_.following && layer.now && layer.now[to].count) cost += collision_;
    return cost;
}

// What it costs more than the distance that it gains to go from a spot to one beside it, or to
// wait.
inline std::int32_t Guidance::cost_of(const Layer& layer, const Travel& travel, Spot from, Spot to,
                                      Road road, Budget& budget) {
    std::int32_t cost = 1;
    if (from == to)
        cost = travel.field && to != travel.goal;
    else if (travel.field)
        cost = fields_.step(from, to) + fields_.change(*travel.field, from, to, budget);
    return cost + collisions(layer, from, to, road);
}

// Plans a path by A*, in which last come is first served.
bool Guidance::search(AgentId agent, Budget& budget) {
    take_all(agent);
    if (stamp_ == kLastStamp) {
        for (Cell& cell : cells_) cell.best = 0;
        stamp_ = 0;
    }
    ++stamp_;
    turn_ = static_cast<std::uint32_t>(mix(draw_ + static_cast<std::uint64_t>(agent)) >> 32);
    nodes_.clear();
    lowest_ = highest_ = 0;
    if (buckets_.empty()) buckets_.push_back(kNone);
    nodes_.push_back({from_[agent], kNone, kNone, kNoRoad, 0, 0});
    buckets_[0] = 0;
    std::int32_t node = kNone;
    bool in_time = true;
    while (in_time && pop(node)) {
        const Node& found = nodes_[node];
        if (found.depth == window_ || (found.depth > 0 && ends(agent, found.spot))) {
            adopt(agent, node);
            break;
        }
        in_time = expand(travels_[agent], node, budget);
    }
    std::fill(buckets_.begin(), buckets_.begin() + static_cast<std::ptrdiff_t>(highest_) + 1,
              kNone);
    return in_time;
}

inline bool Guidance::pop(std::int32_t& node) {
    while (lowest_ <= highest_ && buckets_[lowest_] == kNone) ++lowest_;
    if (lowest_ > highest_) return false;
    node = buckets_[lowest_];
    buckets_[lowest_] = nodes_[node].next;
    return true;
}

bool Guidance::expand(const Travel& travel, std::int32_t node, Budget& budget) {
    const Node from = nodes_[node];
    const Layer& layer = layers_[from.depth];
    // A cheaper way there was found since.
    if (layer.now && layer.now[from.spot].best < stamped(from.cost)) return true;
    if (!budget.spend()) return false;
    const std::int32_t depth = from.depth + 1;
    const std::int32_t waiting =
        from.cost + cost_of(layer, travel, from.spot, from.spot, kNoRoad, budget);
    generate(layer.next[from.spot], {from.spot, node, kNone, kNoRoad, depth, waiting});
    const std::span<const Spot> beside = roads_.next(from.spot);
    const Road first = static_cast<Road>(roads_.road(from.spot));
    const auto count = static_cast<std::uint32_t>(beside.size());
    std::uint32_t k = count ? turn_ % count : 0;
    for (std::uint32_t i = 0; i < count; ++i, k = k + 1 == count ? 0 : k + 1) {
        const Spot to = beside[k];
        std::int32_t cost = from.cost + fields_.step(from.spot, to);
        if (travel.field) cost += fields_.change(*travel.field, from.spot, to, budget);
        if (cost < 0) return false;  // the budget ran out
        Cell& there = layer.next[to];
        if (cost > kGreatestCost ||
            (there.best >> kCostBits == stamp_ && there.best <= stamped(cost)))
            continue;
        const Road road = first + static_cast<Road>(k);
        generate(there,
                 {to, node, kNone, road, depth, cost + collisions(layer, from.spot, to, road)});
    }
    return true;
}

inline std::uint32_t Guidance::stamped(std::int32_t cost) const {
    return stamp_ << kCostBits | static_cast<std::uint32_t>(cost);
}

inline void Guidance::generate(Cell& there, Node node) {
    if (node.cost > kGreatestCost) return;
    const std::uint32_t mine = stamped(node.cost);
    if (there.best >> kCostBits == stamp_ && there.best <= mine) return;
    there.best = mine;
    const auto bucket = static_cast<std::size_t>(node.cost);
    if (bucket >= buckets_.size()) buckets_.resize(2 * bucket + 1, kNone);
    node.next = buckets_[bucket];
    nodes_.push_back(node);
    buckets_[bucket] = static_cast<std::int32_t>(nodes_.size()) - 1;
    highest_ = std::max(highest_, bucket);
}

// The path that ends at a node becomes that of the agent.
void Guidance::adopt(AgentId agent, std::int32_t last) {
    Plan& plan = plans_[agent];
    plan = {now_ + nodes_[last].depth, nodes_[last].cost == 0, false, false};
    Road left_by = kNoRoad;
    for (std::int32_t k = last; k != kNone; k = nodes_[k].parent) {
        step(agent, now_ + nodes_[k].depth) = {nodes_[k].spot, left_by};
        left_by = nodes_[k].came_by;
    }
    for (Time time = now_ + 1; time <= plan.until; ++time) put(agent, time);
}

// It means to stay where it is, whatever the others do.
void Guidance::stay(AgentId agent) {
    take_all(agent);
    plans_[agent] = {now_ + window_, true, false, true};
    step(agent, now_) = {from_[agent], kNoRoad};
    for (Time time = now_ + 1; time <= now_ + window_; ++time) {
        step(agent, time) = {from_[agent], kNoRoad};
        put(agent, time);
    }
}

// Enters into the tables that it arrives somewhere at a time.
void Guidance::put(AgentId agent, Time time) {
    const Step& before = step(agent, time - 1);
    const Spot to = step(agent, time).spot;
    Cell& there = cell(to, time);
    disturb(there, agent);
    ++there.count;
    there.sum = static_cast<std::uint16_t>(there.sum + agent);
    if (before.left_by == kNoRoad) return;
    ++used(before.left_by, time - 1);
    const Road against = reverse_[before.left_by];
    if (against != kNoRoad && used(against, time - 1)) disturb(cell(before.spot, time), agent);
}

// Who is there alone is disturbed, too.
void Guidance::disturb(const Cell& cell, AgentId agent) {
    if (cell.count == 0) return;
    if (cell.count == 1) plans_[cell.sum].disturbed = true;
    plans_[agent].disturbed = true;
}

void Guidance::take(AgentId agent, Time time) {
    const Step& before = step(agent, time - 1);
    Cell& there = cell(step(agent, time).spot, time);
    --there.count;
    there.sum = static_cast<std::uint16_t>(there.sum - agent);
    if (before.left_by != kNoRoad) --used(before.left_by, time - 1);
}

void Guidance::take_all(AgentId agent) {
    Plan& plan = plans_[agent];
    for (Time time = now_ + 1; time <= plan.until; ++time) take(agent, time);
    plan.until = -1;
    plan.stays = false;
}

bool Guidance::is_consistent() const {
    std::vector<Cell> cells(cells_.size());
    std::vector<std::uint16_t> used(used_.size());
    for (std::size_t a = 0; a < plans_.size(); ++a)
        for (Time time = now_ + 1; time <= plans_[a].until; ++time) {
            const auto agent = static_cast<AgentId>(a);
            const Step& before = steps_[place(agent, time - 1)];
            Cell& there = cells[slot(time) * static_cast<std::size_t>(roads_.size()) +
                                steps_[place(agent, time)].spot];
            ++there.count;
            there.sum = static_cast<std::uint16_t>(there.sum + a);
            if (before.left_by != kNoRoad)
                ++used[slot(time - 1) * static_cast<std::size_t>(roads_.roads()) + before.left_by];
        }
    const auto same = [](const Cell& one, const Cell& other) {
        return one.count == other.count && one.sum == other.sum;
    };
    return std::equal(cells_.begin(), cells_.end(), cells.begin(), same) && used_ == used;
}

// Looks each pair of roads up in the shorter one of their rows.
void Guidance::find_reverse() {
    reverse_.assign(static_cast<std::size_t>(roads_.roads()), kNoRoad);
    for (Spot s = 0; s < roads_.size(); ++s) {
        Road there = static_cast<Road>(roads_.road(s)) - 1;
        for (const Spot to : roads_.next(s)) {
            ++there;
            if (roads_.degree(to) > roads_.degree(s)) continue;
            const std::span<const Spot> back = roads_.next(to);
            const auto found = std::find(back.begin(), back.end(), s);
            if (found == back.end()) continue;
            reverse_[there] = static_cast<Road>(roads_.road(to) + (found - back.begin()));
            reverse_[reverse_[there]] = there;
        }
    }
}

}  // namespace sidestep
