// The state of an object as bytes, for Python to keep.
#pragma once

#include <nanobind/nanobind.h>

#include "sidestep/model/archive.hpp"

namespace sidestep::bindings {

namespace nb = nanobind;

template <class Thing>
nb::bytes saved(const Thing& thing) {
    Writer writer;
    thing.save(writer);
    return nb::bytes(reinterpret_cast<const char*>(writer.bytes.data()), writer.bytes.size());
}
template <class Thing>
void load(Thing& thing, const nb::bytes& bytes) {
    Reader reader({reinterpret_cast<const std::uint8_t*>(bytes.c_str()), bytes.size()});
    thing.load(reader);
    reader.require_end();
}
template <class Thing>
void bind_saving(nb::class_<Thing>& thing) {
    thing
        .def("saved", &saved<Thing>,
             "The state as bytes, for `load` of one made for the same problem.")
        .def("load", &load<Thing>, nb::arg("bytes"));
}

}  // namespace sidestep::bindings
