// What bindings of searches that plan all agents at once share: how one ended, and what it found.
#pragma once

#include <nanobind/stl/vector.h>

#include <vector>

#include "agents.hpp"
#include "arrays.hpp"
#include "budget.hpp"

namespace sidestep::bindings {

template <class Counts>
struct Answer {
    Outcome outcome = Outcome::no_path;
    std::vector<std::vector<Vertex>> paths;  // empty unless found
    std::int64_t lower_bound = 0;
    Counts counts;
};

// Runs a search that has run(budget), path(agent), lower_bound() and counts().
template <class Search>
auto answer_of(Search& search, std::size_t agents, Budget& budget) {
    Answer<std::decay_t<decltype(search.counts())>> answer;
    answer.outcome = search.run(budget);
    if (answer.outcome == Outcome::found)
        for (std::size_t a = 0; a < agents; ++a) {
            const auto path = search.path(a);
            answer.paths.emplace_back(path.begin(), path.end());
        }
    answer.lower_bound = search.lower_bound();
    answer.counts = search.counts();
    return answer;
}

// What an answer of any search tells: `Answer` above, or one of the core.
template <class Answer>
nb::class_<Answer> bind_answer(nb::module_& m, const char* name) {
    const auto paths = [](const Answer& answer) {
        std::vector<IntVectorOut> all;
        for (const auto& path : answer.paths) all.push_back(copy_out(path));
        return all;
    };
    return nb::class_<Answer>(m, name, "How a search ended, and what it found.")
        .def_ro("outcome", &Answer::outcome)
        .def_ro("lower_bound", &Answer::lower_bound)
        .def_prop_ro("paths", paths, nb::rv_policy::move,
                     "One per agent; none unless a plan was found.");
}

}  // namespace sidestep::bindings
