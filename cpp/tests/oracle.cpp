// The oracle as a program: reads problems from stdin, prints the cost of the cheapest plan of each,
// or -1 if there is none. A problem is whitespace-separated numbers:
//
//   vertices width connectivity corners directed following crossing disappear free_goal_wait
//   edges conflicts agents          (how many of each; width is 0 for a graph)
//   open...  edge pairs...  conflict pairs...  starts...  goals...      (goal -1: idle)
#include "oracle.hpp"

#include <iostream>

namespace {

int read() {
    int value = 0;
    std::cin >> value;
    return value;
}

std::vector<sidestep::Move> read_moves(int count) {
    std::vector<sidestep::Move> moves;
    for (int k = 0; k < count; ++k) {
        const int from = read();
        moves.push_back({from, read()});
    }
    return moves;
}

std::vector<sidestep::Vertex> read_vertices(int count) {
    std::vector<sidestep::Vertex> vertices;
    for (int k = 0; k < count; ++k) vertices.push_back(read());
    return vertices;
}

}  // namespace

int main() {
    for (int vertices = 0; std::cin >> vertices;) {
        plain::Ground ground;
        ground.width = read();
        ground.connectivity = read();
        ground.corners = static_cast<sidestep::Corners>(read());
        ground.directed = read() != 0;
        sidestep::Rules rules;
        rules.following = read() != 0;
        rules.crossing = read() != 0;
        rules.disappear = read() != 0;
        rules.free_goal_wait = read() != 0;
        const int edges = read(), conflicts = read(), agents = read();
        for (const int open : read_vertices(vertices))
            ground.open.push_back(static_cast<std::uint8_t>(open));
        ground.edges = read_moves(edges);
        ground.conflicts = read_moves(conflicts);
        const auto starts = read_vertices(agents), goals = read_vertices(agents);
        std::cout << oracle::cheapest(ground, rules, starts, goals).value_or(-1) << std::endl;
    }
    return 0;
}
