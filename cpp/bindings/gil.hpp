// The GIL: given up while the core works, and asked for again.
//
// When a process ends, Python 3.13 and older end every other thread that asks for the GIL: they
// unwind its stack (pthread_exit). Where a frame of C++ lets nothing through, that is
// std::terminate, and the process aborts. Here such a thread sleeps until the process is gone, as
// Python 3.14 has it itself; nothing of it is taken apart meanwhile. Frames of
// others that let nothing through cannot be mended here: std::terminate has a handler for them.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <thread>
#if __has_include(<cxxabi.h>)
#include <cxxabi.h>
#endif

namespace nb = nanobind;

namespace sidestep::bindings {

[[noreturn]] inline void sleep_for_ever() {
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

// The end of Python, as its atexit says it, and the thread that it comes to.
struct End {
    std::atomic<bool> begun = false;
    std::thread::id thread;
    std::terminate_handler handler = nullptr;  // that there was before ours
};
inline End the_end;

// From the end of Python on, no thread but the one that ends it aborts the process.
inline void sleep_at_the_end() {
    const auto begin = [] {
        the_end.thread = std::this_thread::get_id();
        the_end.begun = true;
    };
    nb::module_::import_("atexit").attr("register")(nb::cpp_function(begin));
    the_end.handler = std::set_terminate([] {
        if (the_end.begun && std::this_thread::get_id() != the_end.thread) sleep_for_ever();
        if (the_end.handler) the_end.handler();
        std::abort();
    });
}

// Work that runs Python, which may end this thread.
template <class Work>
auto until_python_ends(Work&& work) {
#ifdef __GLIBCXX__
    try {
        return work();
    } catch (const abi::__forced_unwind&) {
        sleep_for_ever();
    }
#else
    return work();  // without glibc, pthread_exit does not unwind the frames of C++
#endif
}

class WithoutGil {
  public:
    WithoutGil() : state_(PyEval_SaveThread()) {}
    WithoutGil(const WithoutGil&) = delete;
    WithoutGil& operator=(const WithoutGil&) = delete;
    ~WithoutGil() {
        until_python_ends([this] { PyEval_RestoreThread(state_); });
    }

  private:
    PyThreadState* state_;
};

// Calls Python from core code that runs without the GIL.
template <class Work>
auto with_gil(Work&& work) {
    PyGILState_STATE state{};
    until_python_ends([&] { state = PyGILState_Ensure(); });
    struct Held {
        PyGILState_STATE state;
        ~Held() { PyGILState_Release(state); }
    } held{state};
    return until_python_ends(work);
}

}  // namespace sidestep::bindings
