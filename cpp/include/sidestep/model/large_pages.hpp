// An allocator for arrays that are as large as the map and written from end to end. Linux then
// hands out pages of 2 MB instead of 4 kB where it can: the first write to a page is what making
// such an array mostly costs.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace sidestep {

template <class T>
class LargePages {
  public:
    using value_type = T;

    LargePages() = default;
    template <class U>
    LargePages(const LargePages<U>&) {}

    T* allocate(std::size_t count) {
        if (!is_large(count)) return static_cast<T*>(::operator new(count * sizeof(T)));
        void* const memory = ::operator new(count * sizeof(T), std::align_val_t{kPage});
#ifdef __linux__
        madvise(memory, count * sizeof(T), MADV_HUGEPAGE);  // a wish: nothing depends on it
#endif
        return static_cast<T*>(memory);
    }
    void deallocate(T* memory, std::size_t count) {
        if (is_large(count))
            ::operator delete(memory, std::align_val_t{kPage});
        else
            ::operator delete(memory);
    }
    bool operator==(const LargePages&) const { return true; }

  private:
    static constexpr std::size_t kPage = std::size_t{2} << 20;
    static bool is_large(std::size_t count) { return count * sizeof(T) >= kPage; }
};

template <class T>
using LargeVector = std::vector<T, LargePages<T>>;

}  // namespace sidestep
