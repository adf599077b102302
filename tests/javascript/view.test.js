import assert from "node:assert/strict";
import { test } from "node:test";

import { GridSpace } from "../../src/sidestep/viewer/player/space.js";
import { View } from "../../src/sidestep/viewer/player/view.js";

function view() {
  const made = new View(new GridSpace({ height: 10, width: 20, connectivity: 4, corners: "none" }));
  made.resize(416, 416);
  return made;
}

test("a map that is shown whole is in the middle and fills the smaller side", () => {
  const made = view();
  assert.equal(made.scale, 20);
  assert.deepEqual(made.middle, [10, 5]);
});

test("a point of the world and one of the canvas are the same point", () => {
  const made = view();
  made.zoom(2, 30, 40);
  const [x, y] = made.toScreen(...made.toWorld(12, 34));
  assert.ok(Math.hypot(x - 12, y - 34) < 1e-9);
});

test("zooming leaves the point under the pointer where it is", () => {
  const made = view();
  const before = made.toWorld(200, 220);
  made.zoom(1.5, 200, 220);
  const after = made.toWorld(200, 220);
  assert.ok(Math.hypot(before[0] - after[0], before[1] - after[1]) < 1e-9);
});

test("the middle of what is shown stays on the map, and a new size shows it whole again only if it was", () => {
  const made = view();
  made.zoom(3);
  made.pan(1e6, 1e6);
  assert.deepEqual(made.middle.map(Math.round), [0, 0]);
  const { scale } = made;
  made.resize(300, 300);
  assert.equal(made.scale, scale);
  made.fit();
  made.resize(216, 216);
  assert.equal(made.scale, 10);
});
