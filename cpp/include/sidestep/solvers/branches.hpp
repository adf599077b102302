// From one node of a search tree to another: up to their common ancestor, and down again.
#pragma once

#include <cstdint>
#include <vector>

namespace sidestep {

// A Node has a parent and a depth, 0 at the root. undo(node) takes back what parts a node from its
// parent, redo(node) does it again.
template <class Node, class Undo, class Redo>
void walk(Node* from, Node* to, Undo&& undo, Redo&& redo) {
    std::vector<Node*> down;
    const auto note = [&] {
        down.push_back(to);
        to = to->parent;
    };
    while (to->depth > from->depth) note();
    while (from != to) {
        undo(*from);
        if (from->depth == to->depth) note();
        from = from->parent;
    }
    for (auto it = down.rbegin(); it != down.rend(); ++it) redo(**it);
}

}  // namespace sidestep
