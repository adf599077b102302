// Enumerations of the core, by name.
#pragma once

#include <nanobind/nanobind.h>

#include <initializer_list>
#include <utility>

namespace sidestep::bindings {

template <class Enum>
void bind_enum(nanobind::module_& m, const char* name, const char* doc,
               std::initializer_list<std::pair<const char*, Enum>> values) {
    nanobind::enum_<Enum> bound(m, name, doc);
    for (const auto& [called, value] : values) bound.value(called, value);
}

}  // namespace sidestep::bindings
