// Vertices and steps of any length between them: graphs, and grids whose cells differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sidestep/model/space.hpp"
#include "sidestep/search/length.hpp"

namespace sidestep::search {

class Network {
  public:
    struct Step {
        Vertex from, to;
        std::uint32_t length;
    };

    // `width` is that of the grid that it was made from, 0 if it is none.
    Network(std::int32_t size, std::span<const Step> steps, std::int32_t width, Scale scale);

    std::int32_t size() const { return static_cast<std::int32_t>(forward_.first.size()) - 1; }
    std::int32_t width() const { return width_; }
    const Scale& scale() const { return scale_; }
    int bucket_shift() const { return scale_.bucket_shift(); }
    // Is every way as long as the way back?
    bool is_symmetric() const { return is_symmetric_; }

    static Arrival arrival(Vertex v, int) { return v; }
    static Vertex vertex_of(Arrival arrival) { return arrival; }
    template <class Visit>
    void onwards(Arrival arrival, Visit&& visit) const {
        successors(arrival, visit);
    }

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
        std::vector<std::size_t> first;
        std::vector<Arc> arcs;
        Arcs(std::int32_t size, std::span<const Step> steps, bool reversed);
        template <class Visit>
        void visit(Vertex v, Visit&& visit) const {
            for (std::size_t arc = first[v]; arc < first[v + 1]; ++arc)
                visit(arcs[arc].to, Length{arcs[arc].length}, -1);
        }
        bool operator==(const Arcs&) const = default;
    };
    std::int32_t width_;
    Scale scale_;
    Arcs forward_, backward_;  // sorted by vertex
    bool is_symmetric_;
};

}  // namespace sidestep::search
