import assert from "node:assert/strict";
import { test } from "node:test";

import { GridSpace, distancesTo, spaceOf } from "../../src/sidestep/viewer/player/space.js";

const grid = (corners, connectivity = 8) => new GridSpace({ height: 2, width: 2, connectivity, corners });

test("a diagonal passes as many blocked corners as the grid allows", () => {
  for (const [corners, most] of [
    ["none", 0],
    ["one", 1],
    ["free", 2],
  ])
    for (let blocked = 0; blocked <= 2; blocked++) {
      const open = Uint8Array.of(1, blocked < 1 ? 1 : 0, blocked < 2 ? 1 : 0, 1);
      assert.equal(grid(corners).successors(0, open).includes(3), blocked <= most, `${corners} ${blocked}`);
    }
});

test("with four neighbours there are no diagonals", () => {
  assert.deepEqual(
    grid("free", 4)
      .successors(0, Uint8Array.of(1, 1, 1, 1))
      .sort(),
    [1, 2],
  );
});

test("the other diagonal of a move, and none of a straight one", () => {
  assert.deepEqual(grid("none").otherDiagonal(0, 3).sort(), [1, 2]);
  assert.equal(grid("none").otherDiagonal(0, 1), null);
});

test("distances go around walls, leave closed cells and do not enter them", () => {
  const space = new GridSpace({ height: 2, width: 4, connectivity: 4, corners: "none" });
  const open = Uint8Array.of(1, 0, 1, 1, 1, 1, 1, 0);
  assert.deepEqual([...distancesTo(0, space, open)], [0, 1, 4, 5, 1, 2, 3, 4]);
});

test("a directed graph is gone through along its edges", () => {
  const space = spaceOf({
    kind: "graph",
    vertices: 3,
    directed: true,
    places: Float32Array.of(0, 0, 1, 0, 2, 0),
    edges: Int32Array.of(0, 1, 1, 2),
  });
  assert.deepEqual([...distancesTo(2, space, Uint8Array.of(1, 1, 1))], [2, 1, 0]);
  assert.deepEqual([...distancesTo(0, space, Uint8Array.of(1, 1, 1))], [0, -1, -1]);
  assert.equal(space.place(2), "vertex 2");
});
