#include "sidestep/solvers/joint.hpp"

#include <nanobind/stl/optional.h>

#include <optional>
#include <unordered_map>

#include "arrays.hpp"
#include "budget.hpp"
#include "paths.hpp"

namespace sidestep::bindings {

namespace {

// Groups of agents planned one after another, with what they share: the space and the distances.
class JointPlanner {
  public:
    JointPlanner(const Space& space, const Rules& rules)
        : space_(space), rules_(rules), search_(space_, rules_) {}

    // None: the outcome is no plan. Paths come and go as columns, -1 where an agent is gone.
    nb::object plan(const IntVector& starts, const IntVector& goals, bool decompose,
                    Duplicates duplicates, bool pairs, Cost at_least,
                    std::optional<Cost> cost_limit, const std::optional<IntMatrix>& illegal,
                    const std::optional<IntMatrix>& avoid, WatchedBudget& budget) {
        require_size(goals, starts.size(), "goals");
        for (const Vertex v : view(starts)) require_vertex(space_, v);
        for (const Vertex v : view(goals))
            if (v != kNowhere) require_vertex(space_, v);
        const auto forbidden = traffic(space_, rules_, illegal);
        const auto disliked = traffic(space_, rules_, avoid);
        std::vector<std::vector<Vertex>> paths;
        outcome_ = budget.run([&](Budget& b) {
            std::vector<const Cost*> distances;
            for (const Vertex goal : view(goals)) {
                const Cost* table = goal == kNowhere ? nullptr : this->table(goal, b);
                if (goal != kNowhere && !table) return Outcome::out_of_budget;
                distances.push_back(table);
            }
            const JointTask task{view(starts),       view(goals),
                                 distances,          decompose,
                                 duplicates,         pairs,
                                 at_least,           cost_limit.value_or(kUnreachable),
                                 pointer(forbidden), pointer(disliked)};
            return search_.run(task, b, paths);
        });
        return outcome_ == Outcome::found ? nb::cast(matrix(paths)) : nb::none();
    }

    Outcome outcome() const { return outcome_; }
    Cost cost() const { return search_.cost(); }
    std::int64_t expanded() const { return search_.expanded(); }
    std::int64_t expanded_standard() const { return search_.expanded_standard(); }
    std::int64_t generated() const { return search_.generated(); }

  private:
    const Cost* table(Vertex goal, Budget& budget) {
        auto [found, is_new] = tables_.try_emplace(goal);
        if (is_new) {
            found->second.resize(static_cast<std::size_t>(space_.size()));
            if (!distance_table(space_, goal, budget, found->second)) {
                tables_.erase(found);
                return nullptr;
            }
        }
        return found->second.data();
    }

    static IntMatrixOut matrix(const std::vector<std::vector<Vertex>>& paths) {
        const std::size_t rows = paths.empty() ? 1 : paths.front().size(), count = paths.size();
        auto data = std::make_unique_for_overwrite<std::int32_t[]>(rows * count);
        for (std::size_t column = 0; column < count; ++column)
            for (std::size_t row = 0; row < rows; ++row)
                data[row * count + column] = paths[column][row];
        return give<IntMatrixOut>(std::move(data), {rows, count});
    }

    Space space_;
    Rules rules_;
    JointSearch search_;
    std::unordered_map<Vertex, std::vector<Cost>> tables_;
    Outcome outcome_ = Outcome::no_path;
};

}  // namespace

void bind_joint(nb::module_& m) {
    nb::enum_<Duplicates>(m, "Duplicates", "Which nodes of operator decomposition are the same.")
        .value("post_move", Duplicates::post_move)
        .value("standard", Duplicates::standard);

    nb::class_<JointPlanner>(m, "JointPlanner", "Optimal plans for groups of agents.")
        .def(nb::init<const Space&, const Rules&>(), nb::arg("space"), nb::arg("rules"))
        .def("plan", &JointPlanner::plan, nb::arg("starts").noconvert(),
             nb::arg("goals").noconvert(), nb::kw_only(), nb::arg("decompose"),
             nb::arg("duplicates"), nb::arg("pairs"), nb::arg("at_least"),
             nb::arg("cost_limit").none(), nb::arg("illegal").none(), nb::arg("avoid").none(),
             nb::arg("budget"), "The cheapest paths as columns, or None: see `outcome`.")
        .def_prop_ro("outcome", &JointPlanner::outcome)
        .def_prop_ro("cost", &JointPlanner::cost)
        .def_prop_ro("expanded", &JointPlanner::expanded)
        .def_prop_ro("expanded_standard", &JointPlanner::expanded_standard)
        .def_prop_ro("generated", &JointPlanner::generated);
}

}  // namespace sidestep::bindings
