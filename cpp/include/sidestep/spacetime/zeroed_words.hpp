// Words that are 0 until they are written. The system gives pages of memory when they are first
// written, so a large table costs what is used of it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

namespace sidestep {

class ZeroedWords {
  public:
    explicit ZeroedWords(std::size_t size)
        : words_(static_cast<std::uint64_t*>(std::calloc(size, sizeof(std::uint64_t)))),
          size_(size) {
        if (!words_ && size > 0) throw std::bad_alloc();
    }
    ZeroedWords(const ZeroedWords& other) : ZeroedWords(other.size_) {
        std::copy_n(other.words_.get(), size_, words_.get());
    }
    ZeroedWords(ZeroedWords&&) noexcept = default;
    ZeroedWords& operator=(ZeroedWords&&) noexcept = default;

    std::size_t size() const { return size_; }
    const std::uint64_t* data() const { return words_.get(); }
    void clear() { std::fill_n(words_.get(), size_, 0); }
    std::uint64_t& operator[](std::size_t index) { return words_[index]; }

  private:
    struct Free {
        void operator()(std::uint64_t* words) const { std::free(words); }
    };
    std::unique_ptr<std::uint64_t[], Free> words_;
    std::size_t size_;
};

}  // namespace sidestep
