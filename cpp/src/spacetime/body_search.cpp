// The search of a large or slow agent. By itself, so that compilers find the usual one as it was.
#include "sidestep/spacetime/search.hpp"
#include "sidestep/spacetime/search_loop.hpp"

namespace sidestep {

namespace {

// As a large or slow agent sees them. The space has the places of its body.
class ReservedForBody : public ReservedPaths {
  public:
    ReservedForBody(const Space& places, const Rules& rules, const Reservations& reservations,
                    Body body)
        : ReservedPaths(places, rules, reservations), body_(body) {}

    Time turns_per_move() const { return body_.period; }
    Time last_taken(Vertex v) const { return reservations_.last_taken_under(body_, v); }
    bool taken(Vertex v, Time t) const { return reservations_.taken_under(body_, v, t); }
    bool allows(Move move, Time t) const {
        return reservations_.allows(space_, rules_, body_, move, t);
    }

    template <class Visit>
    void each_step(Vertex from, Time t, Visit&& visit) const {
        each_allowed_step(space_, from, [&](Move move) { return allows(move, t); }, visit);
    }

  private:
    Body body_;
};

}  // namespace

Outcome SpaceTimeSearch::run(const Space& places, const Rules& rules,
                             const Reservations& reservations, Body body, const SearchTask& task,
                             Budget& budget, std::vector<Vertex>& path) {
    if (body.is_unit()) return run(places, rules, reservations, task, budget, path);
    return run_among(places, rules, ReservedForBody(places, rules, reservations, body), task,
                     budget, path);
}

}  // namespace sidestep
