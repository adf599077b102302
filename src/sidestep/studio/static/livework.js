/** The work of a living world: its tasks as events tell of them, and how fast it goes. */

import { card } from "./livecards.js";
import { element, EVENT } from "./player.js";

const RECENT = 50; // turns over which finished tasks are counted
const CHARTED = 600; // turns
const [WIDE, HIGH] = [300, 80]; // of the chart, in its own units
const MOST_POOL = 10;

/** The tasks of a world that are not finished, kept up to date by events. */
export class Tasks {
  constructor(rows) {
    this.all = new Map(rows.map(([number, agent, ...errands]) => [number, { agent, errands }]));
  }

  /** What rows of events say of tasks. */
  hear(events) {
    for (const [, kind, agent, value] of events) {
      if (kind === EVENT.TASK) this.all.set((this.last = value), { agent: -1, errands: [] });
      else if (kind === EVENT.ERRAND) this.all.get(this.last)?.errands.push(value);
      else if (kind === EVENT.TAKEN) this.#give(value, agent);
      else if (kind === EVENT.GIVEN_BACK) this.#give(value, -1);
      else if (kind === EVENT.FINISHED) this.all.delete(value);
    }
  }

  #give(number, agent) {
    const task = this.all.get(number);
    if (task) task.agent = agent;
  }

  /** The vertices at which open tasks begin. */
  get open() {
    return [...this.all.values()].flatMap(({ agent, errands }) => (agent < 0 && errands.length ? [errands[0]] : []));
  }
}

/** Finished tasks per turn over the last turns, and where the line of a chart of them goes. */
export class Pace {
  constructor(finished = 0) {
    this.before = [finished]; // how many were finished, after each of the last turns
    this.points = [];
  }

  /** Another turn, after which this many tasks are finished in all. */
  turn(finished) {
    this.before = [...this.before.slice(-RECENT), finished];
    this.points = [...this.points.slice(1 - CHARTED), this.now];
  }

  get now() {
    const turns = this.before.length - 1;
    return turns ? (this.before[turns] - this.before[0]) / turns : 0;
  }

  get most() {
    return Math.max(0, ...this.points);
  }

  get line() {
    const across = WIDE / Math.max(this.points.length - 1, 1);
    const up = HIGH / Math.max(this.most, 1e-9);
    const at = (pace, turn) => `${turn ? "L" : "M"}${(turn * across).toFixed(1)} ${(HIGH - pace * up).toFixed(1)}`;
    return this.points.map(at).join("");
  }
}

/** The card that asks where tasks come from and shows how the work goes. */
export class WorkCard {
  constructor() {
    this.field = element("input", { type: "number", min: "0", max: String(MOST_POOL), step: "0.5", value: "0" });
    this.facts = element("p", { class: "quiet" });
    this.figure = element("figure", { class: "pace", hidden: "" });
    this.pace = new Pace();
    this.root = card(
      "Work",
      element("label", { class: "field" }, element("span", {}, "Random tasks per agent, from the start"), this.field),
      this.facts,
      this.figure,
    );
  }

  get terms() {
    const pool = Math.min(Math.max(Number(this.field.value) || 0, 0), MOST_POOL);
    return pool ? { pool } : {};
  }

  /** A world as it is; after a command the chart goes on, in another time it begins anew. */
  state({ time, work }) {
    if (time !== this.time) this.pace = new Pace(work.finished);
    this.time = time;
    this.#fill(work);
  }

  turn({ time, work }) {
    this.time = time;
    this.pace.turn(work.finished);
    this.#fill(work);
  }

  #fill({ open, under_way: underWay, finished, service }) {
    const hasWork = open + underWay + finished > 0;
    const soFar = finished ? `, ${service} turns each on average` : "";
    this.facts.textContent = hasWork
      ? `${open} open, ${underWay} under way, ${finished} finished${soFar}.`
      : "No tasks. Start with random ones, or drop them on the map with Task.";
    this.figure.hidden = this.pace.points.length < 2 || !hasWork;
    if (!this.figure.hidden) this.figure.replaceChildren(this.#chart(), element("figcaption", {}, this.#words()));
  }

  #chart() {
    const space = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(space, "svg");
    svg.setAttribute("viewBox", `-2 -2 ${WIDE + 4} ${HIGH + 4}`);
    svg.setAttribute("aria-hidden", "true");
    const line = document.createElementNS(space, "path");
    line.setAttribute("d", this.pace.line);
    svg.append(line);
    return svg;
  }

  #words() {
    const { now, most, points, before } = this.pace;
    return `${now.toFixed(2)} tasks per turn in the last ${before.length - 1} turns; the line is the last ${points.length}, at most ${most.toFixed(2)}.`;
  }
}
