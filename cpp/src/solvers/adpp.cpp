#include "sidestep/solvers/adpp.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <optional>
#include <thread>
#include <utility>

#include "sidestep/model/random.hpp"
#include "sidestep/spacetime/search_loop.hpp"

namespace sidestep {

// Paths of others as a search sees them.
class Adpp::Among {
  public:
    Among(const Space& space, const Traffic& traffic) : space_(space), traffic_(traffic) {}

    Time last() const { return traffic_.settled(); }
    Time last_taken(Vertex v) const {
        const Time free = traffic_.free_from(v);
        return free == kForever ? kForever : free - 1;
    }
    bool taken(Vertex v, Time t) const { return traffic_.taken(v, t); }
    std::int64_t bytes() const { return traffic_.bytes(); }
    bool allows(Move move, Time t) const { return traffic_.conflicts(move, t) == 0; }

    template <class Visit>
    void each_step(Vertex from, Time t, Visit&& visit) const {
        each_allowed_step(space_, from, [&](Move move) { return allows(move, t); }, visit);
    }

  private:
    const Space& space_;
    const Traffic& traffic_;
};

struct Adpp::Bench {
    Bench(const Space& space, const Rules& rules) : traffic(space, rules) {}

    Traffic traffic;
    SpaceTimeSearch searcher;
    std::vector<Vertex> path;
    std::vector<Letter> letters;
    Counts counts;
};

// Who is to act, for threads that come for work. An agent is acted for by one thread at a time; if
// it gets letters meanwhile, it acts again afterwards. An agent that writes is acting, so `busy_`
// cannot fall to 0 while a letter is on its way: then, and only then, everything is quiet for good.
class Adpp::Schedule {
  public:
    explicit Schedule(std::int32_t agents) : turns_(agents, Turn::waits), busy_(agents) {
        for (Rank rank = 0; rank < agents; ++rank) waiting_.push_back(rank);
        over_ = agents == 0;
    }

    // Somebody has written to this agent.
    void call(Rank rank) {
        const std::lock_guard lock(door_);
        Turn& turn = turns_[rank];
        if (turn == Turn::acts) turn = Turn::acts_again;
        if (turn != Turn::rests) return;
        ++busy_;
        wait_in_line(rank);
    }

    // Who acts now; nobody: it is over.
    std::optional<Rank> next() {
        std::unique_lock lock(door_);
        work_.wait(lock, [this] { return over_ || !waiting_.empty(); });
        if (over_) return std::nullopt;
        const Rank rank = waiting_.front();
        waiting_.pop_front();
        turns_[rank] = Turn::acts;
        return rank;
    }

    // This agent has acted.
    void done(Rank rank) {
        const std::lock_guard lock(door_);
        if (turns_[rank] == Turn::acts_again) return wait_in_line(rank);
        turns_[rank] = Turn::rests;
        if (--busy_ == 0) finish();
    }

    void stop() {
        const std::lock_guard lock(door_);
        finish();
    }

    // Waits a little; is it over?
    bool is_over(std::chrono::milliseconds patience) {
        std::unique_lock lock(door_);
        return end_.wait_for(lock, patience, [this] { return over_; });
    }

    bool all_rest() const { return busy_ == 0; }

  private:
    enum class Turn : std::uint8_t { rests, waits, acts, acts_again };

    void wait_in_line(Rank rank) {
        turns_[rank] = Turn::waits;
        waiting_.push_back(rank);
        work_.notify_one();
    }
    void finish() {
        over_ = true;
        work_.notify_all();
        end_.notify_all();
    }

    std::mutex door_;
    std::condition_variable work_, end_;
    std::deque<Rank> waiting_;
    std::vector<Turn> turns_;
    std::int32_t busy_;  // agents that do not rest
    bool over_ = false;
};

Adpp::Adpp(Space space, Rules rules, std::span<const Vertex> starts, std::span<const Vertex> goals,
           std::span<const AgentId> order, bool always)
    : space_(std::move(space)),
      rules_(rules),
      always_(always),
      rank_of_(order.size()),
      at_rank_(order.begin(), order.end()) {
    for (const AgentId agent : order) {
        rank_of_[agent] = size();
        agents_.emplace_back(size(), starts[agent], goals[agent]);
    }
}

std::span<const Vertex> Adpp::path(AgentId agent) const {
    const Told& own = agents_[rank_of_[agent]].own;
    return own ? std::span<const Vertex>(own->vertices) : std::span<const Vertex>();
}

// Reads what has come and plans again if need be.
Adpp::Thought Adpp::think(Agent& agent, Bench& bench, Budget& budget) {
    bench.letters.clear();
    {
        const std::lock_guard lock(agent.door);
        bench.letters.swap(agent.letters);
    }
    agent.above.resize(agent.rank);
    for (const Letter& letter : bench.letters) agent.above[letter.from] = letter.path;
    if (agent.own && !is_disturbed(agent, bench))
        return budget.tick() ? Thought::as_before : Thought::out_of_budget;

    look_at(agent, bench, [](Rank) { return true; });
    ++bench.counts.searches;
    const Outcome outcome = search(agent, bench, budget);
    if (outcome == Outcome::out_of_budget) return Thought::out_of_budget;
    Told fresh;
    if (outcome == Outcome::found)
        fresh = std::make_shared<const Path>(Path{std::move(bench.path), stays(agent)});
    if (!fresh && !agent.own) return Thought::as_before;
    if (fresh && agent.own && fresh->vertices == agent.own->vertices) return Thought::as_before;
    agent.own = fresh;
    return Thought::changed;
}

// Thinks, and writes to everybody below if its path is another now. False: the budget ran out.
template <class Call>
bool Adpp::act(Agent& agent, Bench& bench, Budget& budget, Call&& call) {
    const Thought thought = think(agent, bench, budget);
    if (thought != Thought::changed) return thought == Thought::as_before;
    for (Rank below = agent.rank + 1; below < size(); ++below) {
        {
            const std::lock_guard lock(agents_[below].door);
            agents_[below].letters.push_back({agent.rank, agent.own});
        }
        call(below);
    }
    bench.counts.letters += size() - 1 - agent.rank;
    if (agent.own)
        bench.counts.vertices +=
            (size() - 1 - agent.rank) * static_cast<std::int64_t>(agent.own->vertices.size());
    return true;
}

void Adpp::tell(AgentId reader, AgentId writer, std::span<const Vertex> path, bool stays) {
    Told told;
    if (!path.empty()) told = std::make_shared<const Path>(Path{{path.begin(), path.end()}, stays});
    Agent& agent = agents_[rank_of_[reader]];
    const std::lock_guard lock(agent.door);
    agent.letters.push_back({rank_of_[writer], std::move(told)});
}

bool Adpp::act(AgentId agent, Budget& budget) {
    Bench bench(space_, rules_);
    const Thought thought = think(agents_[rank_of_[agent]], bench, budget);
    add(bench.counts);
    return thought != Thought::out_of_budget;
}

// Is any path that it was just told a reason to plan again?
bool Adpp::is_disturbed(Agent& agent, Bench& bench) const {
    if (always_) return !bench.letters.empty();
    bench.traffic.clear();
    for (const Letter& letter : bench.letters) {
        const Told& path = agent.above[letter.from];  // which may be a later one, told since
        if (path) bench.traffic.add(letter.from, path->vertices, path->stays);
    }
    return !fits(agent, bench.traffic, agent.own->vertices);
}

// The paths of those above, of whom it knows and who are wanted. Everybody sees where all the
// others stand at time 0, which matters where nobody may enter a place that is just being left.
template <class Wanted>
void Adpp::look_at(const Agent& agent, Bench& bench, Wanted&& wanted) const {
    bench.traffic.clear();
    for (Rank rank = 0; rank < size(); ++rank) {
        if (rank < agent.rank && agent.above[rank] && wanted(rank))
            bench.traffic.add(rank, agent.above[rank]->vertices, agent.above[rank]->stays);
        else if (!rules_.following && rank != agent.rank)
            bench.traffic.add(rank, {&agents_[rank].start, 1}, false);
    }
}

DistanceMap& Adpp::distances(Agent& agent) const {
    if (!agent.distances)
        agent.distances =
            std::make_unique<DistanceMap>(space_, agent.pages, agent.goal, agent.start);
    return *agent.distances;
}

Cost Adpp::distance(AgentId who, Budget& budget) {
    Agent& agent = agents_[rank_of_[who]];
    return agent.goal == kNowhere ? 0 : distances(agent).at(agent.start, budget);
}

Outcome Adpp::search(Agent& agent, Bench& bench, Budget& budget) {
    SearchTask task;
    task.start = agent.start;
    task.goal = agent.goal;
    task.distances = agent.goal == kNowhere ? nullptr : &distances(agent);
    const Among others(space_, bench.traffic);
    return bench.searcher.run_among(space_, rules_, others, task, budget, bench.path);
}

bool Adpp::fits(const Agent& agent, const Traffic& traffic, std::span<const Vertex> path) const {
    const Time end = static_cast<Time>(path.size()) - 1;
    for (Time t = 0; t < end; ++t)
        if (traffic.conflicts({path[t], path[t + 1]}, t) > 0) return false;
    return stays(agent) ? !traffic.comes(path[end], end) : traffic.lets_leave(path[end], end);
}

bool Adpp::run_seeded(std::uint64_t seed, Budget& budget) {
    if (!has_room(budget)) return false;
    Bench bench(space_, rules_);
    std::vector<Rank> ready;
    std::vector<std::uint8_t> is_ready(agents_.size(), 0);
    const auto call = [&](Rank rank) {
        if (!std::exchange(is_ready[rank], 1)) ready.push_back(rank);
    };
    for (Rank rank = 0; rank < size(); ++rank) call(rank);
    bool quiet = true;
    for (std::uint64_t draw = mix(seed); quiet && !ready.empty(); draw = mix(draw)) {
        std::swap(ready[scaled(draw, static_cast<std::uint32_t>(ready.size() - 1))], ready.back());
        const Rank rank = ready.back();
        ready.pop_back();
        is_ready[rank] = 0;
        quiet = act(agents_[rank], bench, budget, call);
    }
    add(bench.counts);
    return quiet;
}

// What threads have spent and nobody has been charged for yet.
struct Adpp::Spent {
    std::atomic<std::int64_t> nodes = 0, moves = 0;

    void charge(Budget& budget) { budget.charge(nodes.exchange(0), moves.exchange(0)); }
};

// Acts for one agent after another, until there is nothing left to do or to spend.
void Adpp::work_off(Schedule& schedule, Bench& bench, Budget& share, Spent& spent) {
    while (const auto rank = schedule.next()) {
        const std::int64_t nodes_before = share.nodes(), moves_before = share.moves();
        const bool more =
            act(agents_[*rank], bench, share, [&schedule](Rank below) { schedule.call(below); });
        spent.nodes += share.nodes() - nodes_before;
        spent.moves += share.moves() - moves_before;
        if (!more) return;
        schedule.done(*rank);
    }
}

bool Adpp::run_threads(std::int32_t threads, Budget& budget) {
    if (!has_room(budget)) return false;
    Schedule schedule(size());
    std::atomic<std::int64_t> store = budget.nodes_left();
    Spent spent;
    std::atomic<bool> stop = false;
    std::mutex door;  // to what the threads leave behind
    std::exception_ptr raised;
    Stop why = Stop::none;

    const auto work = [&](Budget share) {
        Bench bench(space_, rules_);
        try {
            work_off(schedule, bench, share, spent);
        } catch (...) {
            const std::lock_guard lock(door);
            raised = std::current_exception();
        }
        {
            const std::lock_guard lock(door);
            add(bench.counts);
            if (why == Stop::none) why = share.why();
        }
        schedule.stop();  // nobody comes for more once one thread has left
    };

    {
        std::vector<std::jthread> workers;
        for (std::int32_t k = 0; k < std::min(threads, size()); ++k)
            workers.emplace_back(
                work, budget.for_thread(store, threads, [&stop] { return stop.load(); }));
        while (!schedule.is_over(std::chrono::milliseconds(5))) {
            spent.charge(budget);
            if (budget.look()) continue;
            stop = true;
            schedule.stop();
        }
    }  // the workers have ended
    spent.charge(budget);
    if (raised) std::rethrow_exception(raised);
    if (why != Stop::none && !budget.exhausted()) budget.end(why);
    return schedule.all_rest();
}

// Everybody remembers a path of everybody above.
bool Adpp::has_room(Budget& budget) const {
    const std::int64_t views = static_cast<std::int64_t>(size()) * (size() - 1) / 2;
    return budget.keeps(views * static_cast<std::int64_t>(sizeof(Told))) && budget.look();
}

void Adpp::add(const Counts& counts) {
    counts_.letters += counts.letters;
    counts_.vertices += counts.vertices;
    counts_.searches += counts.searches;
}

// Plans around nobody, then around those whom that path collides with, and so on: usually a few of
// them are enough to block every way.
std::vector<AgentId> Adpp::blockers(AgentId who, Budget& budget) {
    Agent& agent = agents_[rank_of_[who]];
    agent.above.resize(agent.rank);  // before it has acted it has heard of nobody
    Bench bench(space_, rules_);
    Traffic other(space_, rules_);
    std::vector<std::uint8_t> chosen(agent.above.size(), 0);
    bool grown = true;
    while (grown) {
        look_at(agent, bench, [&](Rank rank) { return chosen[rank] != 0; });
        const Outcome outcome = search(agent, bench, budget);
        if (outcome == Outcome::out_of_budget) return {};
        if (outcome == Outcome::no_path) break;
        grown = false;
        for (Rank rank = 0; rank < agent.rank; ++rank)
            if (!chosen[rank] && collides(agent, bench.path, rank, other))
                chosen[rank] = grown = true;
    }
    std::vector<AgentId> found;
    for (Rank rank = 0; rank < agent.rank; ++rank)
        if (chosen[rank]) found.push_back(at_rank_[rank]);
    return found;
}

bool Adpp::collides(const Agent& agent, std::span<const Vertex> path, Rank other,
                    Traffic& traffic) const {
    if (!agent.above[other]) return false;
    traffic.clear();
    traffic.add(other, agent.above[other]->vertices, agent.above[other]->stays);
    return !fits(agent, traffic, path);
}

}  // namespace sidestep
