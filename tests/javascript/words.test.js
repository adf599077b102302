import assert from "node:assert/strict";
import { test } from "node:test";

import { EVENT } from "../../src/sidestep/viewer/player/constants.js";
import { EVENT_TEXTS } from "../../src/sidestep/viewer/player/events.js";
import { count, filled, listed, shortened } from "../../src/sidestep/viewer/player/text.js";
import { doing, questionAbout, whyItWaits } from "../../src/sidestep/viewer/player/words.js";
import { film } from "./scenes.js";

const YIELD = "a b . A\n. . . .\n\na b . .\n. . . .\n\n. a . .\n. b . .\n\n. . a .\n. b . .\n\n. . . a\n. b . .";

test("an agent waits for one that stands in its way", () => {
  assert.equal(whyItWaits(film(YIELD), 0, 0), "waits for b, which stands on (0, 1)");
});

test("what an agent does is said at every time", () => {
  const scene = film(YIELD);
  assert.deepEqual(
    [1, 2, 3, 4].map((row) => doing(scene, 0, row)),
    [
      "goes to (0, 1), 2 steps from its goal",
      "goes to (0, 2), 1 step from its goal",
      "arrives at its goal (0, 3)",
      "is at its goal (0, 3)",
    ],
  );
});

test("of agents that are large or slow only what is sure is said", () => {
  const scene = film(YIELD, { entry: { periods: Int32Array.of(1, 2) } });
  assert.equal(whyItWaits(scene, 0, 0), "waits");
});

test("a question that the page cannot answer is a command to type, in words of a shell", () => {
  const entry = { question: "sidestep explain plan.json", names: ["a", "it's b"], startTime: 10 };
  const scene = film(YIELD, { entry });
  assert.equal(questionAbout(scene, 0, 6, 3), "sidestep explain plan.json --agent a --time 13 --not 1,2");
  const other = "sidestep explain plan.json --agent 'it'\\''s b' --time 14 --not PLACE";
  assert.equal(questionAbout(scene, 1, -1, 99), other);
});

test("the events of a trace are told in order, and waits once each", () => {
  const events = Int32Array.from(
    [
      [3, EVENT.TURNED_BACK, 1, 6],
      [1, EVENT.GOAL, 1, 5],
      [1, EVENT.GOAL, 0, -1],
      [2, EVENT.LATE, -1, -1],
      [2, EVENT.SET_OUT, 1, 6],
    ].flat(),
  );
  const { entries } = film(YIELD, { entry: { events } });
  assert.deepEqual(
    entries.map(({ row, group, text }) => [row, group, text]),
    [
      [0, "waits", "a waits for b, which stands on (0, 1)"],
      [0, "waits", "b waits although (1, 1) is free"],
      [1, "changes", "b is sent to (1, 1)"],
      [1, "changes", "a has no goal any more"],
      [2, "refusals", "the planner is late: everybody waits"],
      [3, "arrivals", "b gives up its move to (1, 2)"],
    ],
  );
});

test("of every kind of event it is known what is said, if anything", () => {
  assert.deepEqual(Object.keys(EVENT_TEXTS).map(Number).sort(), Object.values(EVENT).sort());
});

test("slots are filled in one go, whatever stands in them", () => {
  assert.equal(filled("{name} on {place}", { name: "{place}", place: "$&" }), "{place} on $&");
});

test("words are listed, counted and shortened", () => {
  assert.deepEqual([["a"], ["a", "b"], ["a", "b", "c"]].map(listed), ["a", "a and b", "a, b and c"]);
  assert.deepEqual([count(1, "step"), count(1234, "step")], ["1 step", "1,234 steps"]);
  assert.equal(shortened("abcdef", 4), "abc…");
});
