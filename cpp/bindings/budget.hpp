// A budget that Python can watch: Ctrl-C and callbacks are served while the core runs without the
// GIL.
#pragma once

#include <nanobind/nanobind.h>

#include <exception>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

#include "gil.hpp"
#include "sidestep/model/budget.hpp"

namespace sidestep::bindings {

namespace nb = nanobind;

class WatchedBudget {
  public:
    // `poll` is None or a callable of (seconds, nodes) so far that returns whether to stop.
    WatchedBudget(std::optional<double> seconds, std::optional<std::int64_t> nodes,
                  std::optional<std::int64_t> bytes, nb::object poll)
        : poll_(std::move(poll)), budget_(seconds, nodes, bytes, [this] { return ask_python(); }) {}
    WatchedBudget(const WatchedBudget&) = delete;
    WatchedBudget& operator=(const WatchedBudget&) = delete;

    // Runs core code without the GIL; an exception from a callback or a signal surfaces afterwards.
    template <class Work>
    auto run(Work&& work) {
        const InUse in_use(*this);
        auto result = [&] {
            try {
                const WithoutGil released;
                return work(budget_);
            } catch (...) {
                rethrow();  // what a callback raised comes first
                throw;
            }
        }();
        rethrow();
        return result;
    }

    bool look() {
        const bool more = budget_.look();
        rethrow();
        return more;
    }
    bool keeps(std::int64_t more) { return budget_.keeps(more); }
    std::int64_t narrow(std::int64_t nodes) { return budget_.narrow(nodes); }
    void widen(std::int64_t limit) { budget_.widen(limit); }
    const Budget& budget() const { return budget_; }
    nb::handle poll() const { return poll_; }
    void drop_poll() { poll_ = nb::none(); }

  private:
    // A callback may use the budget of the call that it is called from; another thread may not.
    class InUse {
      public:
        explicit InUse(WatchedBudget& budget) : budget_(budget) {
            const auto thread = std::this_thread::get_id();
            if (budget.runs_ > 0 && budget.thread_ != thread)
                throw std::runtime_error("this budget is in use in another thread");
            budget.thread_ = thread;
            ++budget.runs_;
        }
        ~InUse() { --budget_.runs_; }
        InUse(const InUse&) = delete;
        InUse& operator=(const InUse&) = delete;

      private:
        WatchedBudget& budget_;
    };

    bool ask_python() {
        return with_gil([this] {
            try {
                return until_python_ends([this] { return ask(); });
            } catch (...) {
                raised_ = std::current_exception();
                return true;
            }
        });
    }
    bool ask() {
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        return !poll_.is_none() && nb::cast<bool>(poll_(budget_.elapsed(), budget_.nodes()));
    }
    void rethrow() {
        if (raised_) std::rethrow_exception(std::exchange(raised_, nullptr));
    }

    nb::object poll_;
    Budget budget_;
    std::exception_ptr raised_;
    int runs_ = 0;  // calls that are running on it, one inside another
    std::thread::id thread_;
};

}  // namespace sidestep::bindings
