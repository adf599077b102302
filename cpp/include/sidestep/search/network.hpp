// Vertices and steps of any length between them: graphs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sidestep/model/space.hpp"
#include "sidestep/search/length.hpp"

namespace sidestep::search {

class Network : public ByVertex<Network> {
  public:
    struct Step {
        Vertex from, to;
        std::uint32_t length;
    };

    Network(std::int32_t size, std::span<const Step> steps);

    std::int32_t size() const { return static_cast<std::int32_t>(forward_.first.size()) - 1; }
    int bucket_shift() const { return kUnitSteps.bucket_shift(); }
    // Is every way as long as the way back?
    bool is_symmetric() const { return is_symmetric_; }
    // What leads to a closed vertex, or from one, is not visited.
    void set_open(Vertex v, bool open);

    template <class Visit>
    void successors(Vertex v, Visit&& visit) const {
        forward_.visit(v, visit);
    }
    template <class Visit>
    void predecessors(Vertex v, Visit&& visit) const {
        (is_symmetric_ ? forward_ : backward_).visit(v, visit);
    }

  private:
    struct Arc {
        Vertex to;
        std::uint32_t length;
        bool operator==(const Arc&) const = default;
    };
    struct Arcs {
        std::vector<std::size_t> first, end;  // those between open vertices end here
        std::vector<Arc> arcs;
        Arcs(std::int32_t size, std::span<const Step> steps, bool reversed);
        template <class Visit>
        void visit(Vertex v, Visit&& visit) const {
            for (std::size_t arc = first[v]; arc < end[v]; ++arc)
                visit(arcs[arc].to, Length{arcs[arc].length}, -1);
        }
        std::span<const Arc> all(Vertex v) const {
            return std::span(arcs).subspan(first[v], first[v + 1] - first[v]);
        }
        void sort(Vertex v, const std::vector<std::uint8_t>& closed);
        bool operator==(const Arcs&) const = default;
    };
    Arcs forward_, backward_;  // sorted by vertex, those that cannot be used last
    bool is_symmetric_;
    std::vector<std::uint8_t> closed_;
};

}  // namespace sidestep::search
