// Arrays in and out of Python. Arrays come in without conversion: a wrong type is an error, never a
// truncated copy.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "sidestep/model/space.hpp"

namespace nb = nanobind;

namespace sidestep::bindings {

using IntVector = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using IntPairs = nb::ndarray<const std::int32_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
using IntMatrix = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using BoolMatrix = nb::ndarray<const bool, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
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

}  // namespace sidestep::bindings
