#include "sidestep/model/random.hpp"

#include "arrays.hpp"

namespace sidestep::bindings {

void bind_random(nb::module_& m) {
    m.def(
        "shuffled",
        [](std::int32_t count, std::uint64_t seed, std::uint64_t draw) {
            if (count < 0) throw std::invalid_argument("there are 0 numbers or more");
            return copy_out(shuffled(count, seed, draw));
        },
        nb::arg("count"), nb::arg("seed"), nb::arg("draw") = 0,
        "The numbers below count in an order that depends on nothing but the seed and the draw.");
}

}  // namespace sidestep::bindings
