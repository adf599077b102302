// The agents of a problem as they cross into the core: an entry per agent in every column.
#pragma once

#include <cstdint>
#include <vector>

#include "sidestep/model/body.hpp"
#include "sidestep/model/facing.hpp"
#include "sidestep/model/space.hpp"

namespace sidestep {

struct Agents {
    std::vector<Vertex> positions;  // kNowhere: not there
    std::vector<Vertex> goals;      // kNowhere: none
    std::vector<std::int32_t> priorities;
    std::vector<Body> bodies;
    std::vector<Facing> facings;  // kNoFacing: it need not turn

    std::size_t size() const { return positions.size(); }
};

}  // namespace sidestep
