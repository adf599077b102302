import assert from "node:assert/strict";
import { test } from "node:test";

import { costLine, costWords } from "../../src/sidestep/viewer/player/costs.js";

const ROWS = [
  [1, 200],
  [2, 150],
  [4, 100],
];

test("the line begins with the first plan and falls in steps to the last, over a floor that is the bound", () => {
  assert.equal(costLine({ rows: ROWS, bound: 0 }), "M75 0H150V22.5H300V45");
});

test("without a bound the last plan is the floor", () => {
  assert.equal(costLine({ rows: ROWS, bound: null }), "M75 0H150V45H300V90");
});

test("a cost that stayed as it was, at the moment it began, has a line, too", () => {
  const rows = [
    [0, 7],
    [0, 7],
  ];
  assert.equal(costLine({ rows, bound: 7 }), "M0 90H0V90");
});

test("the sentence has both ends, and the bound if there is one", () => {
  const rows = [
    [0.25, 124884],
    [10.4, 115048],
  ];
  const fell = "The cost fell from 124,884 after 0.25 s to 115,048 after 10 s";
  assert.equal(costWords({ rows, bound: 83547 }), `${fell}; no plan costs less than 83,547.`);
  assert.equal(costWords({ rows, bound: null }), `${fell}.`);
});
