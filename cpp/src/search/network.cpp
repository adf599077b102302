#include "sidestep/search/network.hpp"

#include <algorithm>
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
    const auto before = [](const Arc& a, const Arc& b) {
        return a.to != b.to ? a.to < b.to : a.length < b.length;
    };
    for (std::size_t v = 0; v + 1 < first.size(); ++v)
        std::sort(arcs.begin() + static_cast<std::ptrdiff_t>(first[v]),
                  arcs.begin() + static_cast<std::ptrdiff_t>(first[v + 1]), before);
}

Network::Network(std::int32_t size, std::span<const Step> steps, std::int32_t width, Scale scale)
    : width_(width),
      scale_(scale),
      forward_(size, steps, false),
      backward_(size, steps, true),
      is_symmetric_(forward_ == backward_) {
    if (is_symmetric_) backward_ = Arcs(0, {}, true);
}

}  // namespace sidestep::search
