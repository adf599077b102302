// State as bytes, and back: what a planner or a world must know to go on exactly as it would.
//
// A class lists what it keeps once, in `fields(self, archive)`; a `Writer` puts it down and a
// `Reader` takes it up. Numbers are written as they are in memory, the lowest byte first on every
// machine we build for. A reader trusts nothing: too few bytes, too many, or a number that cannot
// be are a std::invalid_argument. What was found only to be faster is left out.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "sidestep/model/body.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/model/types.hpp"

namespace sidestep {

template <class T>
concept Number = std::is_arithmetic_v<T> || std::is_enum_v<T>;

[[noreturn]] inline void refuse_saved(const char* what) {
    throw std::invalid_argument(std::string("what was saved is damaged: ") + what);
}
inline void require_saved(bool holds, const char* what) {
    if (!holds) refuse_saved(what);
}

class Writer {
  public:
    static constexpr bool kReads = false;
    template <class... T>
    void operator()(const T&... values) {
        (put(values), ...);
    }
    std::vector<std::uint8_t> bytes;

  private:
    template <Number T>
    void put(const T& value) {
        const auto* data = reinterpret_cast<const std::uint8_t*>(&value);
        bytes.insert(bytes.end(), data, data + sizeof(T));
    }
    template <class T>
    void put(const std::vector<T>& values) {
        put(static_cast<std::uint64_t>(values.size()));
        if constexpr (Number<T>) {
            const auto* data = reinterpret_cast<const std::uint8_t*>(values.data());
            bytes.insert(bytes.end(), data, data + values.size() * sizeof(T));
        } else {
            for (const T& value : values) put(value);
        }
    }
    template <class T, std::size_t kCount>
    void put(const std::array<T, kCount>& values) {
        for (const T& value : values) put(value);
    }
    void put(const Body& body) { (*this)(body.size, body.period); }
    // The walls; the rest of a space is known to who reads it.
    void put(const Space& space) {
        put(space.size());
        bytes.insert(bytes.end(), space.open().begin(), space.open().end());
    }
    template <class T>
        requires requires(const T& value, Writer& writer) { T::fields(value, writer); }
    void put(const T& value) {
        T::fields(value, *this);
    }
};

class Reader {
  public:
    static constexpr bool kReads = true;
    explicit Reader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    template <class... T>
    void operator()(T&... values) {
        (take(values), ...);
    }
    void require_end() const { require_saved(at_ == bytes_.size(), "it is too long"); }

  private:
    std::size_t left() const { return bytes_.size() - at_; }
    template <Number T>
    void take(T& value) {
        require_saved(left() >= sizeof(T), "it is too short");
        if constexpr (std::is_same_v<T, bool>)
            value = bytes_[at_] != 0;
        else
            std::memcpy(&value, bytes_.data() + at_, sizeof(T));
        at_ += sizeof(T);
    }
    template <class T>
    void take(std::vector<T>& values) {
        std::uint64_t count = 0;
        take(count);
        const std::size_t least = Number<T> ? sizeof(T) : 1;
        require_saved(count <= left() / least, "it is too short");
        values.assign(static_cast<std::size_t>(count), T{});
        if constexpr (Number<T>) {
            if (count > 0) std::memcpy(values.data(), bytes_.data() + at_, count * sizeof(T));
            at_ += static_cast<std::size_t>(count) * sizeof(T);
        } else {
            for (T& value : values) take(value);
        }
    }
    template <class T, std::size_t kCount>
    void take(std::array<T, kCount>& values) {
        for (T& value : values) take(value);
    }
    void take(Body& body) {
        (*this)(body.size, body.period);
        require_saved(body.size >= 1 && body.size <= (1 << 15), "a size");
        require_saved(body.period >= 1 && body.period <= kLongestPeriod, "a period");
    }
    void take(Space& space) {
        std::int32_t size = 0;
        take(size);
        require_saved(size == space.size(), "it is of another map");
        require_saved(left() >= static_cast<std::size_t>(size), "it is too short");
        for (Vertex v = 0; v < size; ++v) {
            const bool open = bytes_[at_++] != 0;
            if (space.is_open(v) != open) space.set_open(v, open);
        }
    }
    template <class T>
        requires requires(T& value, Reader& reader) { T::fields(value, reader); }
    void take(T& value) {
        T::fields(value, *this);
    }

    std::span<const std::uint8_t> bytes_;
    std::size_t at_ = 0;
};

// Checks of what was read, in the words of the spaces that it is for.
inline void require_saved_vertex(const Space& space, Vertex v) {
    require_saved(v == kNowhere || space.contains(v), "a place is not on the map");
}
inline void require_saved_place(const Space& space, Vertex v, const Body& body) {
    require_saved_vertex(space, v);
    if (v == kNowhere || body.size == 1) return;
    require_saved(space.is_grid() && space.row(v) + body.size <= space.height() &&
                      space.col(v) + body.size <= space.width(),
                  "an agent leaves the map");
}
inline void require_saved_path(const Space& space, std::span<const Vertex> path) {
    for (const Vertex v : path) require_saved(space.contains(v), "a path leaves the map");
}

}  // namespace sidestep
