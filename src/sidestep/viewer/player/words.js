/** What is said about an agent at a time. Only what the positions show is said. */

import { PHRASES } from "./constants.js";
import { count, filled, listed } from "./text.js";

const HERE = { where: "" }; // the map shows where an agent waits

/** What an agent does from a row to the next, as a sentence without its name. */
export function doing(scene, agent, row) {
  const here = scene.vertex(agent, row);
  const { space } = scene;
  if (here < 0) return row === 0 || scene.vertex(agent, 0) < 0 ? "is not there" : "has left the map";
  const goal = scene.goal(agent, row);
  if (row >= scene.steps) return atTheEnd(scene, agent, here, goal);
  const next = scene.vertex(agent, row + 1);
  if (next < 0) return here === goal ? "has arrived and leaves the map" : "leaves the map";
  const aim = scene.next(agent, row);
  if (scene.isMixed && aim !== here) return `is on its way to ${space.place(aim)}`;
  if (next === here) return standing(scene, agent, row, here, goal);
  if (goal < 0) return `makes room: it has no goal, and goes to ${space.place(next)}`;
  if (here === goal) return `steps off its goal to ${space.place(next)}, to make room`;
  return going(scene, here, next, goal, row);
}

function going(scene, here, next, goal, row) {
  const place = scene.space.place(next);
  if (next === goal) return filled(PHRASES.ARRIVES, { place });
  const steps = scene.distances(goal, row);
  if (steps[next] < 0) return `goes to ${place}, from where no way leads to its goal`;
  const left = count(steps[next], "step");
  const isDetour = steps[here] >= 0 && steps[next] >= steps[here];
  if (isDetour) return `${filled(PHRASES.DETOURS, { place })}, ${left} from its goal`;
  return filled(PHRASES.GOES, { place, steps: left });
}

function atTheEnd(scene, agent, here, goal) {
  if (goal < 0) return `stands on ${scene.space.place(here)}, without a goal`;
  return here === goal
    ? `is at its goal ${scene.space.place(here)}`
    : `has not reached its goal ${scene.space.place(goal)}`;
}

function standing(scene, agent, row, here, goal) {
  if (goal < 0) return `stands on ${scene.space.place(here)}, without a goal`;
  if (here !== goal) return whyItWaits(scene, agent, row);
  for (let later = row + 1; later < scene.steps; later++) {
    if (scene.vertex(agent, later + 1) === here) continue;
    return scene.vertex(agent, later + 1) < 0
      ? "has arrived"
      : `rests on its goal until it makes room at time ${scene.startTime + later}`;
  }
  return "is at its goal";
}

/** Who takes the cells to which a waiting agent would rather go. */
export function whyItWaits(scene, agent, row) {
  if (scene.isMixed) return "waits";
  const here = scene.vertex(agent, row);
  const steps = scene.distances(scene.goal(agent, row), row);
  const { open } = scene.history.at(row);
  if (!open[scene.goal(agent, row)]) return filled(PHRASES.WAITS_GOAL_CLOSED, HERE);
  if (steps[here] < 0) return filled(PHRASES.WAITS_NO_WAY, HERE);
  const wanted = scene.space
    .successors(here, open)
    .filter((vertex) => open[vertex] && steps[vertex] >= 0 && steps[vertex] < steps[here]);
  const blocked = wanted.map((vertex) => ({ vertex, by: whoTakes(scene, here, vertex, row) }));
  const free = blocked.find(({ by }) => by < 0);
  if (free) return waitsByChoice(scene, agent, free.vertex, row);
  const reasons = new Map(blocked.map(({ vertex, by }) => [by, obstacle(scene, by, vertex, row)]));
  const obstacles = listed([...reasons.values()]);
  return obstacles ? filled(PHRASES.WAITS_FOR, { ...HERE, obstacles }) : "waits";
}

/** Does a waiting agent wait for others that are in its way at once? */
export function waitsForOthers(scene, agent, row) {
  return whyItWaits(scene, agent, row).startsWith(filled(PHRASES.WAITS_FOR, { ...HERE, obstacles: "" }));
}

function whoTakes(scene, here, vertex, row) {
  const there = scene.occupant(vertex, row + 1);
  if (there >= 0) return there;
  if (!scene.rules.following) {
    const leaving = scene.occupant(vertex, row);
    if (leaving >= 0) return leaving;
  }
  const other = scene.rules.crossing ? null : scene.space.otherDiagonal(here, vertex);
  if (!other) return -1;
  for (const [from, to] of [other, [other[1], other[0]]]) {
    const crossing = scene.occupant(from, row);
    if (crossing >= 0 && scene.vertex(crossing, row + 1) === to) return crossing;
  }
  return -1;
}

function obstacle(scene, other, vertex, row) {
  const isThere = [row, row + 1].map((when) => scene.vertex(other, when) === vertex);
  const phrase = isThere[1] ? (isThere[0] ? "STANDS" : "TAKES") : isThere[0] ? "LEAVES" : "CROSSES";
  return filled(PHRASES[phrase], { name: scene.name(other), place: scene.space.place(vertex) });
}

const LOOK_AHEAD = 64; // rows over which a wait may pay

/** A wait with the way free: whom the agent would meet if it took its own next steps without waiting. */
function waitsByChoice(scene, agent, vertex, row) {
  const { steps } = scene;
  const here = scene.vertex(agent, row);
  let leaves = row + 1;
  while (leaves < steps && scene.vertex(agent, leaves + 1) === here) leaves++;
  for (let ahead = 1; ahead <= Math.min(LOOK_AHEAD, steps - leaves); ahead++) {
    const [from, to] = [scene.vertex(agent, leaves + ahead - 1), scene.vertex(agent, leaves + ahead)];
    if (to < 0) break;
    const meeting = meetingAt(scene, agent, from, to, row + ahead);
    if (meeting) return filled(PHRASES.WAITS_AHEAD, { ...HERE, meeting });
  }
  return filled(PHRASES.WAITS_NEXT_TO_FREE, { ...HERE, place: scene.space.place(vertex) });
}

/** Whom the agent would meet on a step that ends at a row; null: nobody. */
function meetingAt(scene, agent, from, to, row) {
  const met = othersOn(scene, to, row, agent);
  const swapped = swapping(scene, from, to, row, agent);
  if (met === null && swapped === null) return null;
  const phrase = met !== null ? PHRASES.MEETS : PHRASES.RUNS_INTO;
  const slots = { name: scene.name(met ?? swapped), place: scene.space.place(to), time: scene.startTime + row };
  return filled(phrase, slots);
}

function othersOn(scene, vertex, row, agent) {
  const who = scene.occupant(vertex, row);
  return who >= 0 && who !== agent ? who : null;
}

function swapping(scene, from, to, row, agent) {
  const who = othersOn(scene, to, row - 1, agent);
  return who !== null && scene.vertex(who, row) === from ? who : null;
}

/** The answer that the plan carries to why an agent waits at a row: given then, or when the wait began. */
export function answerFor(scene, agent, row) {
  if (!scene.captions.length) return null;
  const said = (at) => scene.captions.find((one) => one.kind === "why" && one.agents[0] === agent && one.row === at);
  for (let at = row; at >= 0; at--) {
    const found = said(at);
    if (found) return found.text;
    if (!scene.waits(agent, at)) return null;
  }
  return null;
}

export const FIRST = "first"; // the kind of captions about who went before whom

/** What the plan says about who went before the agent, or after it, as far as it has come. */
export function passingsOf(scene, agent, row) {
  return scene.captions.filter((one) => one.kind === FIRST && one.agents.includes(agent) && one.row <= row);
}

/** What to type to be told why an agent is not in a place at a row; `vertex` -1: in a place that is yet to be said. */
export function questionAbout(scene, agent, vertex, row) {
  const place = vertex < 0 ? "PLACE" : scene.space.place(vertex).replace(/[() ]|vertex /g, "");
  const time = scene.startTime + Math.min(row, scene.steps);
  return `${scene.question} --agent ${shellWord(scene.fullName(agent))} --time ${time} --not ${place}`;
}

/** A word as a shell takes it for one. */
function shellWord(text) {
  return /^[\w.:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

export function sentenceAbout(scene, agent, row) {
  return answerFor(scene, agent, row) ?? `${scene.name(agent)} ${doing(scene, agent, row)}.`;
}

export function wholeRun(scene, agent) {
  const { waits, arrival } = scene.tally;
  if (scene.goal(agent, scene.steps) < 0) return `Waits ${count(waits[agent], "step")} in all.`;
  const arrived =
    arrival[agent] >= 0 ? `at its goal from time ${scene.startTime + arrival[agent]} on` : "not at its goal at the end";
  return `Waits ${count(waits[agent], "step")} in all; ${arrived}.`;
}

export function stateOf(scene, agent, row) {
  const here = scene.vertex(agent, row);
  if (here < 0) return "not there";
  if (scene.isHome(agent, row)) return "at its goal";
  if (scene.waits(agent, row)) return "waits";
  return row < scene.steps && scene.vertex(agent, row + 1) !== here ? "moves" : "stands";
}
