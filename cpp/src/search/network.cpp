#include "sidestep/search/network.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace sidestep::search {

Network::Arcs::Arcs(std::int32_t size, std::span<const Step> steps, bool reversed)
    : first(static_cast<std::size_t>(size) + 1, 0), arcs(steps.size()) {
    const auto ends = [reversed](const Step& step) {
        return reversed ? std::pair{step.to, step.from} : std::pair{step.from, step.to};
    };
    for (const Step& step : steps) ++first[ends(step).first + 1];
    for (std::size_t v = 1; v < first.size(); ++v) first[v] += first[v - 1];
    std::vector<std::size_t> next(first.begin(), first.end() - 1);
    for (const Step& step : steps) {
        const auto [from, to] = ends(step);
        arcs[next[from]++] = {to, step.length};
    }
    end = std::move(next);
    const std::vector<std::uint8_t> none(static_cast<std::size_t>(size), 0);
    for (Vertex v = 0; v < size; ++v) sort(v, none);
}

void Network::Arcs::sort(Vertex v, const std::vector<std::uint8_t>& closed) {
    const auto begin = arcs.begin() + static_cast<std::ptrdiff_t>(first[v]);
    const auto last = arcs.begin() + static_cast<std::ptrdiff_t>(first[v + 1]);
    std::sort(begin, last, [&](const Arc& a, const Arc& b) {
        return std::tuple(closed[a.to], a.to, a.length) < std::tuple(closed[b.to], b.to, b.length);
    });
    const auto usable = [&](const Arc& arc) { return !closed[arc.to]; };
    const auto count = closed[v] ? 0 : std::partition_point(begin, last, usable) - begin;
    end[v] = first[v] + static_cast<std::size_t>(count);
}

Network::Network(std::int32_t size, std::span<const Step> steps)
    : forward_(size, steps, false),
      backward_(size, steps, true),
      is_symmetric_(forward_ == backward_),
      closed_(static_cast<std::size_t>(size), 0) {
    if (is_symmetric_) backward_ = Arcs(0, {}, true);
}

void Network::set_open(Vertex v, bool open) {
    closed_[v] = !open;
    const Arcs& back = is_symmetric_ ? forward_ : backward_;
    std::vector<Vertex> before, after;
    for (const Arc& arc : back.all(v)) before.push_back(arc.to);
    for (const Arc& arc : forward_.all(v)) after.push_back(arc.to);
    forward_.sort(v, closed_);
    for (const Vertex u : before) forward_.sort(u, closed_);
    if (is_symmetric_) return;
    backward_.sort(v, closed_);
    for (const Vertex u : after) backward_.sort(u, closed_);
}

}  // namespace sidestep::search
