/** What happened in a run, as entries of a list. */

import { CHANGES, EVENT, FAULTS, VIOLATION } from "./constants.js";
import { FIRST, answerFor, whyItWaits } from "./words.js";

/** What happened, in order: violations, changes and arrivals of a trace, waits, arrivals, captions. */
export function entriesOf(scene) {
  const entries = [
    ...scene.faults,
    ...scene.captions
      .filter(({ kind }) => kind !== FIRST)
      .map(({ row, kind, agents, text }) => ({ row, group: "captions", agents, text: `${kind}: ${text}` })),
    ...scene.events.map((event) => entryOfEvent(scene, event)).filter(Boolean),
    ...(scene.events.length ? [] : arrivalsOf(scene)),
    ...waitsOf(scene),
  ];
  return entries.sort((one, two) => one.row - two.row);
}

export function entryOfViolation({ kind, row, agents, text }) {
  return { row, moment: PASSING.includes(kind) ? row - 0.5 : row, group: "violations", agents, text };
}

export const EVENT_TEXTS = {
  [EVENT.GOAL]: (who, place, value) => (value < 0 ? `${who} has no goal any more` : `${who} is sent to ${place}`),
  [EVENT.BLOCK]: (who, place) => `${place} closes`,
  [EVENT.FREE]: (who, place) => `${place} opens`,
  [EVENT.ADD]: (who, place) => `${who} appears on ${place}`,
  [EVENT.REMOVE]: (who, place) => `${who} is taken away from ${place}`,
  [EVENT.PRIORITY]: (who, place, value) => `${who} now has priority ${value}`,
  [EVENT.SYNC]: (who, place) => `${who} is put on ${place}`,
  [EVENT.ARRIVED]: (who, place) => `${who} arrives at ${place}`,
  [EVENT.LEFT]: (who) => `${who} steps off its goal`,
  [EVENT.TRAPPED]: (who, place) => `${who} stands on the closed ${place}`,
  [EVENT.DISPLACED]: null, // the SYNC of the same time says it
  [EVENT.SET_OUT]: null, // every move of a slow agent would be one
  [EVENT.TURNED]: null, // every turn of an agent would be one
  [EVENT.TURNED_BACK]: (who, place) => `${who} gives up its move to ${place}`,
  [EVENT.STUCK]: (who, place, value) => `${who} is stuck: no nearer to its goal since time ${value}`,
  [EVENT.BEHIND]: (who, place, value, other) =>
    value < 0 ? `nobody is in front of ${who}: it is let wait, or has no way` : `${who} is stuck behind ${other}`,
  [EVENT.UNSTUCK]: (who) => `${who} is no longer stuck`,
  [EVENT.TASK]: (who, place, value) => `task ${value} comes in`,
  [EVENT.ERRAND]: null, // who takes the task is sent there
  [EVENT.DUE]: null,
  [EVENT.TAKEN]: (who, place, value) => `${who} takes task ${value}`,
  [EVENT.FINISHED]: (who, place, value) => `${who} has finished task ${value}`,
  [EVENT.GIVEN_BACK]: (who, place, value) => `${who} gives task ${value} back`,
  [EVENT.RESCUED]: (who, place, value) => `${who} follows a search over its jam for ${value} steps`,
  [EVENT.REFUSED]: (who, place) => `${who} may not move to ${place}, and waits`,
  [EVENT.LATE]: () => "the planner is late: everybody waits",
  [EVENT.RAISED]: () => "the planner fails: everybody waits",
};

const JAMS = [EVENT.STUCK, EVENT.BEHIND, EVENT.UNSTUCK, EVENT.RESCUED];

function entryOfEvent(scene, [time, kind, agent, value]) {
  const say = EVENT_TEXTS[kind];
  if (!say) return null;
  const who = agent >= 0 ? scene.name(agent) : "";
  const place = value >= 0 && value < scene.space.n ? scene.space.place(value) : "";
  const group = CHANGES.includes(kind)
    ? "changes"
    : FAULTS.includes(kind)
      ? "refusals"
      : JAMS.includes(kind)
        ? "waits"
        : "arrivals";
  const other = kind === EVENT.BEHIND && value >= 0 ? scene.name(value) : "";
  const agents = agent >= 0 ? [agent] : [];
  return { row: time - scene.startTime, group, agents, text: say(who, place, value, other) };
}

function arrivalsOf(scene) {
  const entries = [];
  scene.tally.arrival.forEach((row, agent) => {
    const goal = scene.goal(agent, scene.steps);
    if (row > 0)
      entries.push({
        row,
        group: "arrivals",
        agents: [agent],
        text: `${scene.name(agent)} arrives at ${scene.space.place(goal)} to stay`,
      });
  });
  return entries;
}

/** One entry per unbroken wait; its sentence is made when somebody reads it, for it needs a search. */
function waitsOf(scene) {
  const { agents, steps, rows } = scene;
  const history = scene.history.fresh();
  const since = new Int32Array(agents).fill(-1);
  const entries = [];
  for (let row = 0; row <= steps; row++) {
    const { goals } = history.at(row);
    for (let agent = 0, at = row * agents; agent < agents; agent++, at++) {
      const here = rows[at];
      const waits = row < steps && here >= 0 && scene.stays(agent, row) && goals[agent] >= 0 && goals[agent] !== here;
      if (waits && since[agent] < 0) since[agent] = row;
      if (waits || since[agent] < 0) continue;
      entries.push(new Wait(scene, agent, since[agent], row - since[agent]));
      since[agent] = -1;
    }
  }
  return entries;
}

class Wait {
  constructor(scene, agent, row, steps) {
    Object.assign(this, { scene, row, group: "waits", agents: [agent], steps });
  }

  get text() {
    const [agent] = this.agents;
    const why =
      answerFor(this.scene, agent, this.row) ?? `${this.scene.name(agent)} ${whyItWaits(this.scene, agent, this.row)}`;
    return this.steps > 1 ? `${why} (${this.steps} steps)` : why;
  }
}

/** A step is dated by its end, so a collision is shown while the step that leads to it is made. */
export function isNow({ row }, time) {
  return time > row - 1 && time < row + 0.5;
}

/** Where a violation is marked: between two agents that pass through each other, else on its place. */
export function markOf(scene, { kind, agents, vertex, row }) {
  if (PASSING.includes(kind) || kind === VIOLATION.NO_EDGE) {
    const points = agents.map((agent) => scene.point(agent, row - 0.5)).filter(Boolean);
    if (points.length) return [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);
  }
  return vertex < 0 ? null : [scene.space.x(vertex), scene.space.y(vertex)];
}

const PASSING = [VIOLATION.SWAP, VIOLATION.CROSSING]; // happen on the way, not where the step ends
