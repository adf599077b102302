// One call at a time: what works without the GIL must not be touched meanwhile, neither by another
// thread nor by a callback of its own call.
//
// A bound type that is declared with SIDESTEP_ONE_CALL_AT_A_TIME is leased to a call when the call
// takes it as an argument, and given back when the call ends; another call that wants it raises a
// RuntimeError. Of one that is declared with SIDESTEP_THREADS_WAIT, which has locks of its own,
// only a callback is refused: it would wait for itself. The list of what is at work is only touched
// with the GIL held.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace sidestep::bindings {

class Lease {
  public:
    Lease() = default;
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease() {
        if (!object_) return;
        const auto mine = [this](const Entry& entry) { return entry.lease == this; };
        std::erase_if(at_work(), mine);
    }

    enum class Kind {
        alone,   // for this call alone
        inside,  // for what the call uses inside, which its callbacks may use, too
        waits    // other threads are let in, and wait there
    };
    void take(const void* object, const char* what, Kind kind) {
        if (object_ || !object) return;
        const auto thread = std::this_thread::get_id();
        for (const Entry& entry : at_work())
            if (entry.object == object && !get_along({this, object, thread, kind}, entry))
                throw std::runtime_error(std::string(what) +
                                         " is at work in another call: one call at a time");
        at_work().push_back({this, object, thread, kind});
        object_ = object;
    }

  private:
    struct Entry {
        const Lease* lease;
        const void* object;
        std::thread::id thread;
        Kind kind;
    };
    static std::vector<Entry>& at_work() {
        static std::vector<Entry> entries;
        return entries;
    }
    static bool get_along(const Entry& one, const Entry& before) {
        const bool same_thread = one.thread == before.thread;
        return before.kind == Kind::inside ? same_thread : one.kind == Kind::waits && !same_thread;
    }

    const void* object_ = nullptr;
};

template <class Type, Lease::Kind kind>
class LeasingCaster : public nanobind::detail::type_caster_base<Type> {
    using Base = nanobind::detail::type_caster_base<Type>;

  public:
    operator Type*() {
        Type* object = Base::operator Type*();
        lease_.take(object, nanobind::detail::type_caster<Type>::kWhat, kind);
        return object;
    }
    operator Type&() {
        Type& object = Base::operator Type&();
        lease_.take(&object, nanobind::detail::type_caster<Type>::kWhat, kind);
        return object;
    }

  private:
    Lease lease_;
};

}  // namespace sidestep::bindings

// In the global namespace, before the type is bound or taken as an argument.
#define SIDESTEP_LEASED(TYPE, WHAT, KIND)                                                  \
    template <>                                                                            \
    struct nanobind::detail::type_caster<TYPE>                                             \
        : sidestep::bindings::LeasingCaster<TYPE, sidestep::bindings::Lease::Kind::KIND> { \
        static constexpr const char* kWhat = WHAT;                                         \
    };
#define SIDESTEP_ONE_CALL_AT_A_TIME(TYPE, WHAT) SIDESTEP_LEASED(TYPE, WHAT, alone)
#define SIDESTEP_THREADS_WAIT(TYPE, WHAT) SIDESTEP_LEASED(TYPE, WHAT, waits)
