import assert from "node:assert/strict";
import { test } from "node:test";

import { EVENT, IDLE } from "../../src/sidestep/viewer/player/constants.js";
import { History } from "../../src/sidestep/viewer/player/history.js";

const EVENTS = [
  [10, EVENT.BLOCK, -1, 2],
  [11, EVENT.ARRIVED, 0, 1],
  [11, EVENT.GOAL, 0, 3],
  [12, EVENT.FREE, -1, 2],
  [13, EVENT.REMOVE, 0, 3],
];

function history() {
  return new History(10, Uint8Array.of(1, 1, 1, 1), Int32Array.of(1), EVENTS);
}

test("goals and walls are those of the row, forth and back", () => {
  const one = history();
  for (const [row, open, goal] of [
    [0, 0, 1],
    [3, 1, IDLE],
    [1, 0, 3],
    [2, 1, 3],
    [0, 0, 1],
  ]) {
    const { open: walls, goals } = one.at(row);
    assert.deepEqual([walls[2], goals[0]], [open, goal], `row ${row}`);
  }
});

test("the version of the walls changes with walls only", () => {
  const one = history();
  const [before, after] = [one.at(0).walls, one.at(1).walls];
  assert.equal(before, after);
  assert.notEqual(one.at(2).walls, after);
});

test("a fresh one begins at the beginning and leaves the first as it is", () => {
  const one = history();
  one.at(3);
  assert.equal(one.fresh().goals[0], 1);
  assert.equal(one.goals[0], IDLE);
});
