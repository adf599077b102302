#include "sidestep/combinatorial/pebbles.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "agents.hpp"
#include "arrays.hpp"
#include "budget.hpp"
#include "enums.hpp"
#include "lease.hpp"

namespace sidestep::bindings {

namespace {

// The components of a space, which it keeps alive.
class AskedComponents {
  public:
    explicit AskedComponents(const Space& space) : components_(space) {}

    bool find(WatchedBudget& budget) {
        found_ = budget.run([&](Budget& b) { return components_.find(b); }) || found_;
        return found_;
    }

    BoolVectorOut together(const IntVector& starts, const IntVector& goals) const {
        const Components& all = known(starts, goals);
        auto same = std::make_unique_for_overwrite<bool[]>(starts.size());
        for (std::size_t a = 0; a < starts.size(); ++a) {
            const Vertex goal = goals.data()[a];
            same[a] = goal == kNowhere || all.labels()[goal] == all.labels()[starts.data()[a]];
        }
        return give<BoolVectorOut>(std::move(same), {starts.size()});
    }

    std::optional<std::pair<AgentId, Trap>> stuck(const Rules& rules, const IntVector& starts,
                                                  const IntVector& goals,
                                                  WatchedBudget& budget) const {
        const Components& all = known(starts, goals);
        require_apart(starts, "starts");
        if (!rules.disappear) require_apart(goals, "goals");  // else several may arrive at one
        for (std::size_t a = 0; a < starts.size(); ++a) {
            const std::int32_t label = all.labels()[starts.data()[a]];
            const Vertex goal = goals.data()[a];
            if (label < 0 || (goal != kNowhere && all.labels()[goal] != label))
                throw std::invalid_argument("every goal must be where its agent can get to");
        }
        const auto found = budget.run(
            [&](Budget& b) { return find_stuck(all, rules, view(starts), view(goals), b); });
        if (!found) return std::nullopt;
        return std::pair(found->agent, found->trap);
    }

  private:
    static void require_apart(const IntVector& places, const char* what) {
        std::vector<Vertex> sorted(places.data(), places.data() + places.size());
        std::erase(sorted, kNowhere);
        std::sort(sorted.begin(), sorted.end());
        if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
            throw std::invalid_argument(std::string(what) + " must be different places");
    }

    const Components& known(const IntVector& starts, const IntVector& goals) const {
        if (!found_) throw std::logic_error("the components are not all known yet");
        require_places(components_.space(), starts, goals);
        return components_;
    }

    Components components_;
    bool found_ = false;
};

}  // namespace

}  // namespace sidestep::bindings

SIDESTEP_THREADS_WAIT(sidestep::bindings::AskedComponents, "Components")

namespace sidestep::bindings {

void bind_pebbles(nb::module_& m) {
    bind_enum<Trap>(m, "Trap", "Where agents cannot pass each other.",
                    {{"full", Trap::full},
                     {"ring", Trap::ring},
                     {"tree", Trap::tree},
                     {"bridge", Trap::bridge},
                     {"odd", Trap::odd}});
    nb::class_<AskedComponents>(m, "Components",
                                "The connected components of a space that nobody changes.")
        .def(nb::init<const Space&>(), nb::arg("space"), nb::keep_alive<1, 2>())
        .def("find", &AskedComponents::find, nb::arg("budget"),
             "Finds what is not known yet; False: the budget ended, the next call goes on.")
        .def("together", &AskedComponents::together, nb::arg("starts").noconvert(),
             nb::arg("goals").noconvert(), "Per agent: is its goal where it can get to?")
        .def("find_stuck", &AskedComponents::stuck, nb::arg("rules"), nb::arg("starts").noconvert(),
             nb::arg("goals").noconvert(), nb::arg("budget"),
             "An agent that can never be served together with the others, or None.");
}

}  // namespace sidestep::bindings
