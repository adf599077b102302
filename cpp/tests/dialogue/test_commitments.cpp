// Commitments: who hears what, commitments, and a dialogue stage by stage.
#include <algorithm>
#include <vector>

#include "check.hpp"
#include "plain.hpp"
#include "sidestep/dialogue/channel.hpp"
#include "sidestep/dialogue/commitments.hpp"

using namespace sidestep;
using plain::drawn;

namespace {

using Agents = std::vector<AgentId>;
using Path = std::vector<Vertex>;

Agents heard(Channel& channel, AgentId speaker) {
    const auto audience = channel.audience(speaker);
    return {audience.begin(), audience.end()};
}

std::vector<Act> acts(const Minutes& minutes) {
    std::vector<Act> found;
    for (std::size_t k = 0; k < minutes.size(); ++k) found.push_back(minutes[k].act);
    return found;
}

// Two agents that would pass through each other in a corridor with one bay, above the middle, which
// only the first can reach in time.
struct Corridor {
    Space space = drawn("##.##\n.....").compiled();
    ToldPaths told_paths{space, {}, {}, std::vector<Vertex>{6, 9}, std::vector<Vertex>{9, 5}};
    Channel channel{5};
    Budget budget;
    Commitments commitments;

    explicit Corridor(PathFinder find = {})
        : commitments(told_paths, channel, {.find = std::move(find)}) {
        channel.gather(std::vector<Vertex>{6, 9});
        told_paths.plan_alone(budget);
    }
};

}  // namespace

TEST("who hears an agent depends on the reach") {
    Channel channel(5);
    channel.gather(std::vector<Vertex>{0, 6, kNowhere, 14});
    CHECK_EQ(heard(channel, 0), (Agents{1, 3}));
    CHECK_EQ(heard(channel, 2), Agents{});
    channel.set_reach(Channel::Reach::cells, 1);
    channel.gather(std::vector<Vertex>{0, 6, kNowhere, 14});
    CHECK_EQ(heard(channel, 0), Agents{1});
    CHECK_EQ(heard(channel, 3), Agents{});
    channel.set_reach(Channel::Reach::ring, 0);
    channel.gather(std::vector<Vertex>{0, 6, kNowhere, 14});
    CHECK_EQ(heard(channel, 1), Agents{3});
    CHECK_EQ(heard(channel, 3), Agents{0});
    channel.gather(std::vector<Vertex>{3});
    CHECK_EQ(heard(channel, 0), Agents{});  // alone in its ring
}

TEST("minutes have what was said, once, and its size is counted per hearer") {
    Channel channel(5);
    const Agents hearers{1, 2};
    const Order order{{0, 1}, {0, 2}};
    const Path path{3, 4};
    channel.say({7, Stage::proposal, 0, hearers, Act::propose, order});
    channel.say({7, Stage::evaluation, 1, hearers, Act::new_path, {}, path});
    channel.say({7, Stage::evaluation, 1, hearers, Act::vote, order, {}, 0.5});
    CHECK_EQ(channel.messages(), 6);
    CHECK_EQ(channel.bytes(), 2 * (4 + 16) + 2 * (4 + 8) + 2 * (4 + 16 + 8));
    const Minutes minutes = channel.take_minutes();
    REQUIRE(minutes.size() == 3);
    CHECK(std::ranges::equal(minutes[0].order, order));
    CHECK(std::ranges::equal(minutes[1].path, path));
    CHECK(std::ranges::equal(minutes[1].hearers, hearers));
    CHECK(!minutes[1].has_vote());
    CHECK_EQ(minutes[2].vote, 0.5);
    CHECK_EQ(channel.take_minutes().size(), 0);
}

TEST("two agree on the order that leaves both a path, and are committed to it") {
    Corridor corridor;
    const Agents both{0, 1};
    CHECK(!corridor.commitments.broken_order());
    CHECK(corridor.commitments.debate(0, both, {1, 3, 0}, corridor.budget) ==
          Commitments::Verdict::adopted);
    CHECK(corridor.told_paths.first_conflicts().empty());
    CHECK(std::ranges::equal(corridor.told_paths.path(0), Path{6, 7, 2, 7, 8, 9}));
    const Minutes minutes = corridor.channel.take_minutes();
    const std::vector<Act> said{Act::no_earlier, Act::no_earlier, Act::propose,    Act::propose,
                                Act::new_path,   Act::veto,       Act::new_path,   Act::new_path,
                                Act::vote,       Act::vote,       Act::no_further, Act::no_further,
                                Act::adopt,      Act::adopt,      Act::new_path,   Act::new_path};
    REQUIRE(acts(minutes) == said);
    CHECK_EQ(minutes[5].speaker, 1);
    CHECK_EQ(minutes[8].speaker, 0);  // who gives way votes first: two steps more, a conflict less
    CHECK_EQ(minutes[8].vote, 2 - 3);
    CHECK_EQ(minutes[9].vote, -3);
    CHECK(minutes[12].order[0] == (Rank{1, 0}));
    CHECK(minutes[14].hearers.empty());  // there is nobody else to tell
    corridor.told_paths.tell(0, Path{6, 7, 8, 9});
    CHECK(corridor.commitments.broken_order() == (Rank{1, 0}));
}

TEST("who finds no path vetoes; if all do there is nothing to adopt") {
    int asked = 0;
    Corridor corridor([&asked](AgentId, const Agents&, std::span<const Action>) {
        ++asked;
        return std::optional<Path>{};
    });
    corridor.told_paths.tell(0, Path{6, 7, 8, 9});
    corridor.told_paths.tell(1, Path{9, 8, 7, 6, 5});
    const Agents both{0, 1};
    CHECK(corridor.commitments.debate(0, both, {}, corridor.budget) ==
          Commitments::Verdict::nothing_works);
    CHECK_EQ(asked, 2);
    const auto said = acts(corridor.channel.take_minutes());
    CHECK_EQ(std::count(said.begin(), said.end(), Act::veto), 2);
    CHECK_EQ(std::count(said.begin(), said.end(), Act::adopt), 0);
    CHECK(std::ranges::equal(corridor.told_paths.path(0), Path{6, 7, 8, 9}));  // all is as before
}

TEST("without time for the evaluation told paths are as before") {
    Corridor corridor;
    const Path before(corridor.told_paths.path(1).begin(), corridor.told_paths.path(1).end());
    Budget none(std::nullopt, 0, std::nullopt);
    const Agents both{0, 1};
    CHECK(corridor.commitments.debate(0, both, {}, none) == Commitments::Verdict::out_of_budget);
    CHECK(std::ranges::equal(corridor.told_paths.path(1), before));
}

TEST("who is on top has no superiors, and all others have it") {
    Agents asked;
    Corridor corridor([&asked](AgentId, const Agents& superiors, std::span<const Action>) {
        asked = superiors;
        return std::optional<Path>{};
    });
    corridor.commitments.commit(Order{{0, 1}});
    Path path;
    corridor.commitments.path_below(1, {}, corridor.budget, path);
    CHECK_EQ(asked, Agents{0});
    corridor.commitments.put_on_top(1);
    corridor.commitments.path_below(1, {}, corridor.budget, path);
    CHECK_EQ(asked, Agents{});
    corridor.commitments.path_below(0, {}, corridor.budget, path);
    CHECK_EQ(asked, Agents{1});
}
