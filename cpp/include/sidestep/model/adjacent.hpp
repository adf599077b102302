// The vertices beside a vertex, in a fixed order. A grid lists them as offsets, which many cells
// have in common, a graph as vertices, which are offsets from 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <ranges>

#include "sidestep/model/types.hpp"

namespace sidestep {

class Adjacent {
  public:
    class Iterator {
      public:
        using value_type = Vertex;
        using reference = Vertex;
        using pointer = void;
        using difference_type = std::ptrdiff_t;
        using iterator_category = std::input_iterator_tag;  // it refers to nothing that is stored
        using iterator_concept = std::bidirectional_iterator_tag;

        Iterator() = default;
        Iterator(Vertex base, const std::int32_t* offset) : base_(base), offset_(offset) {}
        Vertex operator*() const { return base_ + *offset_; }
        Iterator& operator++() { return ++offset_, *this; }
        Iterator& operator--() { return --offset_, *this; }
        Iterator operator++(int) { return {base_, offset_++}; }
        Iterator operator--(int) { return {base_, offset_--}; }
        bool operator==(const Iterator& other) const { return offset_ == other.offset_; }

      private:
        Vertex base_ = 0;
        const std::int32_t* offset_ = nullptr;
    };

    Adjacent() = default;
    Adjacent(Vertex base, const std::int32_t* offsets, std::int32_t count)
        : base_(base), first_(offsets), last_(offsets + count) {}

    Iterator begin() const { return {base_, first_}; }
    Iterator end() const { return {base_, last_}; }
    std::size_t size() const { return static_cast<std::size_t>(last_ - first_); }
    bool empty() const { return first_ == last_; }
    Vertex operator[](std::size_t k) const { return base_ + first_[k]; }
    Vertex front() const { return base_ + *first_; }

  private:
    Vertex base_ = 0;
    const std::int32_t *first_ = nullptr, *last_ = nullptr;
};

}  // namespace sidestep

// Its iterators outlive it: what they point to belongs to the space.
template <>
inline constexpr bool std::ranges::enable_borrowed_range<sidestep::Adjacent> = true;
