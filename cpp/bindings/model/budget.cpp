#include "budget.hpp"
#include "enums.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <string>

namespace sidestep::bindings {

namespace {

// A callback may lead back to its budget: the garbage collector must see that, to free them.
int traverse(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    if (nb::inst_ready(self)) Py_VISIT(nb::inst_ptr<WatchedBudget>(self)->poll().ptr());
    return 0;
}

int clear(PyObject* self) {
    nb::inst_ptr<WatchedBudget>(self)->drop_poll();
    return 0;
}

}  // namespace

void bind_budget(nb::module_& m) {
    bind_enum<Stop>(m, "Stop", "Why a budget is at its end.",
                    {{"none", Stop::none},
                     {"time", Stop::time},
                     {"nodes", Stop::nodes},
                     {"memory", Stop::memory},
                     {"asked", Stop::asked}});

    PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                           {Py_tp_clear, reinterpret_cast<void*>(clear)},
                           {0, nullptr}};
    nb::class_<WatchedBudget>(m, "Budget", nb::type_slots(slots),
                              "What a search may use. It begins to run when it is made.")
        .def(
            "__init__",
            [](WatchedBudget* self, std::optional<double> seconds,
               std::optional<std::int64_t> nodes, std::optional<std::int64_t> bytes,
               nb::object poll) {
                const bool wrong =
                    (seconds && !(*seconds >= 0)) || nodes.value_or(0) < 0 || bytes.value_or(0) < 0;
                if (wrong) throw std::invalid_argument("a limit is a number, 0 or more");
                new (self) WatchedBudget(seconds, nodes, bytes, std::move(poll));
            },
            nb::arg("seconds") = nb::none(), nb::arg("nodes") = nb::none(),
            nb::arg("bytes") = nb::none(), nb::arg("poll") = nb::none())
        .def("look", &WatchedBudget::look, "Looks at the clock and polls now; False: stop.")
        .def(
            "narrow",
            [](WatchedBudget& self, std::int64_t nodes) {
                if (nodes < 0) throw std::invalid_argument("a limit is a number, 0 or more");
                return self.narrow(std::min(nodes, std::int64_t{1} << 61));
            },
            nb::arg("nodes"),
            "At most this many nodes more, until `widen` is given what it returns.")
        .def("widen", &WatchedBudget::widen, nb::arg("limit"), "The limit before `narrow` again.")
        .def("keeps", &WatchedBudget::keeps, nb::arg("more"),
             "Counts bytes that are kept until the end of the run; False: stop.")
        .def_prop_ro("bytes", [](const WatchedBudget& b) { return b.budget().bytes(); })
        .def_prop_ro("exhausted", [](const WatchedBudget& b) { return b.budget().exhausted(); })
        .def_prop_ro("why", [](const WatchedBudget& b) { return b.budget().why(); })
        .def_prop_ro("nodes", [](const WatchedBudget& b) { return b.budget().nodes(); })
        .def_prop_ro("moves", [](const WatchedBudget& b) { return b.budget().moves(); })
        .def_prop_ro("elapsed", [](const WatchedBudget& b) { return b.budget().elapsed(); });
}

}  // namespace sidestep::bindings
