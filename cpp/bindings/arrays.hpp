// Arrays in and out of Python. Arrays come in without conversion: a wrong type is an error, never a
// truncated copy.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sidestep/model/space.hpp"

namespace nb = nanobind;

namespace sidestep::bindings {

// An array that Python passes. nanobind reads the strides of a buffer that has none, such as that
// of an array of ctypes or of a single date of numpy; here these are no arrays.
template <class... Traits>
struct Passed : nb::ndarray<Traits...> {
    Passed() = default;
    Passed(nb::ndarray<Traits...> array) : nb::ndarray<Traits...>(std::move(array)) {}
};

inline bool is_without_strides(nb::handle object) noexcept {
    // Nearly all are of numpy, and to ask for a buffer takes a twentieth of a turn of a small
    // world.
    static const nb::handle numpy =
        nb::object(nb::module_::import_("numpy").attr("ndarray")).release();
    if (object.type().is(numpy)) return false;
    if (!PyObject_CheckBuffer(object.ptr())) return false;
    Py_buffer buffer;
    if (PyObject_GetBuffer(object.ptr(), &buffer, PyBUF_RECORDS_RO) != 0) {
        PyErr_Clear();
        return false;
    }
    const bool without = buffer.ndim > 0 && !buffer.strides;
    PyBuffer_Release(&buffer);
    return without;
}

template <class Value, class Shape>
using PassedArray = Passed<const Value, Shape, nb::c_contig, nb::device::cpu>;

using IntVector = PassedArray<std::int32_t, nb::ndim<1>>;
using IntPairs = PassedArray<std::int32_t, nb::shape<-1, 2>>;
using IntMatrix = PassedArray<std::int32_t, nb::ndim<2>>;
using BoolMatrix = PassedArray<bool, nb::ndim<2>>;
using IntVectorOut = nb::ndarray<nb::numpy, std::int32_t, nb::ndim<1>>;
using IntMatrixOut = nb::ndarray<nb::numpy, std::int32_t, nb::ndim<2>>;
using BoolVectorOut = nb::ndarray<nb::numpy, bool, nb::ndim<1>>;

inline std::span<const std::int32_t> view(const IntVector& array) {
    return {array.data(), array.size()};
}

inline std::span<const Move> view(const IntPairs& array) {
    static_assert(sizeof(Move) == 2 * sizeof(std::int32_t));
    return {reinterpret_cast<const Move*>(array.data()), array.shape(0)};
}

// An array that owns its memory.
template <class Array, class Value>
Array give(std::unique_ptr<Value[]> data, std::initializer_list<std::size_t> shape) {
    Value* raw = data.release();
    nb::capsule owner(raw, [](void* p) noexcept { delete[] static_cast<Value*>(p); });
    return Array(raw, shape, owner);
}

inline IntVectorOut copy_out(std::span<const std::int32_t> values) {
    auto data = std::make_unique_for_overwrite<std::int32_t[]>(values.size());
    std::copy(values.begin(), values.end(), data.get());
    return give<IntVectorOut>(std::move(data), {values.size()});
}

// A number that Python names, which may be anything.
template <class Number>
void require_within(Number value, Number least, Number most, const char* what) {
    if (value >= least && value <= most) return;  // what is not a number is not within
    throw std::invalid_argument(std::string(what) + " must be from " + std::to_string(least) +
                                " to " + std::to_string(most));
}

// The same of all of them. A turn asks this of every agent, so all are looked at in one pass
// without a branch, and again only to name the first that is not within.
inline void require_all_within(std::span<const std::int32_t> values, std::int32_t least,
                               std::int32_t most, const char* what) {
    bool all = true;
    for (const std::int32_t value : values) all &= (value >= least) & (value <= most);
    if (all) return;
    for (const std::int32_t value : values) require_within(value, least, most, what);
}

inline void require_time(Time time, const char* what) {
    require_within<Time>(time, 0, kLatest, what);
}

inline void require_size(const IntVector& array, std::size_t size, const char* what) {
    if (array.size() != size)
        throw std::invalid_argument(std::string(what) + " must have one entry per agent");
}

inline void require_vertex(const Space& space, Vertex v) {
    if (!space.contains(v)) throw std::invalid_argument("there is no vertex " + std::to_string(v));
}

inline void require_vertex_or_nowhere(const Space& space, Vertex v) {
    if (v != kNowhere) require_vertex(space, v);
}

// Vertices of a path, each the one before it or beside it. Walls do not matter: they may be new.
// Of a graph any two vertices will do, since nothing is computed from their numbers.
inline void require_path(const Space& space, std::span<const Vertex> path) {
    if (path.empty()) throw std::invalid_argument("a path has at least one vertex");
    Vertex before = path.front();
    for (const Vertex v : path) {
        require_vertex(space, v);
        const bool beside = !space.is_grid() || (std::abs(space.row(v) - space.row(before)) <= 1 &&
                                                 std::abs(space.col(v) - space.col(before)) <= 1);
        if (!beside)
            throw std::invalid_argument("from vertex " + std::to_string(before) + " to " +
                                        std::to_string(v) + " is no step");
        before = v;
    }
}

inline void require_grid(const BoolMatrix& passable, int connectivity, int corners) {
    constexpr std::size_t most = std::numeric_limits<Vertex>::max();
    if (passable.size() == 0 || passable.size() > most)
        throw std::invalid_argument("a grid has from 1 to 2^31 - 1 cells");
    if (connectivity != 4 && connectivity != 8)
        throw std::invalid_argument("connectivity is 4 or 8");
    require_within(corners, 0, 2, "corners");
}

// Pairs of numbers from 0 to `count` - 1.
inline void require_pairs(std::span<const Move> pairs, std::int32_t count, const char* what) {
    for (const Move pair : pairs)
        for (const std::int32_t number : {pair.from, pair.to})
            if (number < 0 || number >= count)
                throw std::invalid_argument("there is no " + std::string(what) + " " +
                                            std::to_string(number));
}

inline void require_edges(std::int32_t n, std::span<const Move> edges) {
    if (n < 1) throw std::invalid_argument("a graph has at least one vertex");
    require_pairs(edges, n, "vertex");
}

}  // namespace sidestep::bindings

namespace nanobind::detail {

template <class... Traits>
struct type_caster<sidestep::bindings::Passed<Traits...>> {
    using Array = make_caster<ndarray<Traits...>>;
    NB_TYPE_CASTER(sidestep::bindings::Passed<Traits...>, Array::Name)

    template <class Flags>
    bool from_python(handle source, Flags flags, cleanup_list* cleanup) noexcept {
        Array array;
        if (sidestep::bindings::is_without_strides(source)) return false;
        if (!array.from_python(source, flags, cleanup)) return false;
        value = std::move(array.value);
        return true;
    }
};

}  // namespace nanobind::detail
