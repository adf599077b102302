#include "sidestep/combinatorial/loops.hpp"

#include <algorithm>

namespace sidestep {

namespace {

constexpr std::int32_t kUnseen = -1;
constexpr std::size_t kVerticesPerTick = 64;

}  // namespace

bool Regions::find(Vertex root, Budget& budget) {
    const auto size = static_cast<std::size_t>(space_.size());
    depth_.assign(size, kUnseen);
    highest_.assign(size, 0);
    through_.assign(size, 0);
    region_.assign(size, kUnseen);
    parent_.assign(size, kNowhere);
    even_.assign(size, false);
    order_.clear();
    all_.clear();
    if (!visit_all(root, budget)) return false;
    gather();
    return true;
}

// Depth first, without recursion: paths are as long as maps are large.
bool Regions::visit_all(Vertex root, Budget& budget) {
    std::vector<std::size_t> next{0};
    std::vector<Vertex> path{root};
    depth_[root] = highest_[root] = 0;
    order_.push_back(root);
    while (!path.empty()) {
        const Vertex v = path.back();
        const auto near = space_.successors(v);
        if (next.back() == near.size()) {
            path.pop_back();
            next.pop_back();
            if (!path.empty()) highest_[path.back()] = std::min(highest_[path.back()], highest_[v]);
            continue;
        }
        const Vertex to = near[next.back()++];
        if (depth_[to] == kUnseen) {
            if (order_.size() % kVerticesPerTick == 0 && !budget.tick()) return false;
            depth_[to] = highest_[to] = depth_[v] + 1;
            parent_[to] = v;
            order_.push_back(to);
            path.push_back(to);
            next.push_back(0);
        } else if (to != parent_[v] && depth_[to] < depth_[v]) {
            close_loop(v, to);
        }
    }
    return true;
}

void Regions::close_loop(Vertex v, Vertex above) {
    highest_[v] = std::min(highest_[v], depth_[above]);
    ++through_[v];
    --through_[above];
    if ((depth_[v] - depth_[above]) % 2 == 1) even_[v] = true;
}

// Outwards, regions begin behind bridges. Two loops through one edge are parts of a third: one of
// the three is even.
void Regions::gather() {
    for (auto v = order_.rbegin(); v != order_.rend(); ++v)
        if (parent_[*v] != kNowhere) through_[parent_[*v]] += through_[*v];
    for (const Vertex v : order_) {
        const bool behind_bridge = parent_[v] == kNowhere || highest_[v] == depth_[v];
        if (behind_bridge) {
            region_[v] = static_cast<std::int32_t>(all_.size());
            all_.emplace_back();
        } else {
            region_[v] = region_[parent_[v]];
        }
        Region& region = all_[static_cast<std::size_t>(region_[v])];
        region.vertices.push_back(v);
        region.all_odd &= !even_[v] && (behind_bridge || through_[v] == 1);
    }
    for (const Vertex v : order_)
        for (const Vertex to : space_.successors(v))
            if (region_[to] == region_[v] && to != parent_[v] && depth_[to] < depth_[v])
                ++all_[static_cast<std::size_t>(region_[v])].loops;
}

}  // namespace sidestep
