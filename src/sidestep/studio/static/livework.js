/** The work of a living world: its tasks as events tell of them, and how fast it goes. */

import { card } from "./livecards.js";
import { element, EVENT } from "./player.js";

const RECENT = 50; // turns over which finished tasks are counted
const CHARTED = 600; // turns
const [WIDE, HIGH] = [300, 80]; // of a chart, in its own units
const PATIENCE = 200; // milliseconds until the card says what turns did: there may be 200 of them in a second
const LISTED = 100; // agents whose tasks are listed

/** How random tasks come in: the words, and what number of them is usual, by the name of the field. */
const SUPPLIES = {
  none: { words: "None" },
  pool: { words: "A number per agent", usual: 1, most: 10 },
  inflow: { words: "A number per turn", usual: 0.5, most: 100 },
};

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

  /** Per agent at work its task: the number, and the errands from the one on that it is at now, by its goal. */
  underWay(goals) {
    const found = new Map();
    for (const [number, { agent, errands }] of this.all)
      if (agent >= 0) found.set(agent, { number, errands: errands.slice(Math.max(errands.indexOf(goals[agent]), 0)) });
    return found;
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
    return lineOf(this);
  }
}

/** How many tasks waited for an agent, turn by turn. */
export class Waiting {
  points = [];

  turn(open) {
    this.points = [...this.points.slice(1 - CHARTED), open];
  }

  get now() {
    return this.points.at(-1) ?? 0;
  }

  get most() {
    return Math.max(0, ...this.points);
  }

  get line() {
    return lineOf(this);
  }
}

/** Where the line of a chart goes. */
function lineOf({ points, most }) {
  const across = WIDE / Math.max(points.length - 1, 1);
  const up = HIGH / Math.max(most, 1e-9);
  const at = (value, turn) => `${turn ? "L" : "M"}${(turn * across).toFixed(1)} ${(HIGH - value * up).toFixed(1)}`;
  return points.map(at).join("");
}

/** A chart of one line, and what is to be read off it. */
class Chart {
  constructor(kind) {
    const space = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(space, "svg");
    this.path = document.createElementNS(space, "path");
    for (const [name, value] of [
      ["viewBox", `-2 -2 ${WIDE + 4} ${HIGH + 4}`],
      ["preserveAspectRatio", "none"],
      ["aria-hidden", "true"],
    ])
      svg.setAttribute(name, value);
    svg.append(this.path);
    this.caption = element("figcaption");
    this.root = element("figure", { class: `pace ${kind}`, hidden: "" }, this.caption, svg);
  }

  show(line, words) {
    this.root.hidden = !line;
    if (!line) return;
    this.path.setAttribute("d", line);
    this.caption.textContent = words;
  }
}

/** The card that asks how random tasks come in, shows how the work goes, and who does what. */
export class WorkCard {
  constructor(live) {
    this.live = live;
    const kinds = Object.entries(SUPPLIES).map(([kind, { words }]) => element("option", { value: kind }, words));
    this.kind = element("select", { onchange: () => this.#chosen() }, ...kinds);
    this.number = element("input", { type: "number", min: "0", step: "0.1", onchange: () => this.#supply() });
    this.numberBox = element("label", { class: "field" }, element("span", {}, "How many"), this.number);
    this.facts = element("p", { class: "quiet" });
    this.finished = new Chart("finished");
    this.waiting = new Chart("waiting");
    this.list = element("ul", { class: "doing" });
    this.doing = element("details", { ontoggle: () => this.#whoDoesWhat() }, element("summary", {}, "Who does what"));
    this.doing.append(this.list);
    this.#begin();
    this.root = card(
      "Work",
      element(
        "div",
        { class: "fields supply" },
        element("label", { class: "field" }, element("span", {}, "Random tasks"), this.kind),
        this.numberBox,
      ),
      this.facts,
      this.finished.root,
      this.waiting.root,
      this.doing,
    );
    this.#offer({});
  }

  /** How random tasks come in, as a command says it. */
  get terms() {
    const { most } = SUPPLIES[this.kind.value];
    const number = Math.min(Math.max(Number(this.number.value) || 0, 0), most ?? 0);
    return number ? { [this.kind.value]: number } : {};
  }

  #chosen() {
    this.#offer({ [this.kind.value]: SUPPLIES[this.kind.value].usual ?? 0 });
    this.#supply();
  }

  /** It holds from now on in a world that lives, and for the next one. */
  #supply() {
    if (this.live.isRunning) this.live.tell("supply", this.terms);
  }

  #offer(terms) {
    const [[kind, number]] = [...Object.entries(terms), ["none", 0]];
    this.kind.value = kind;
    this.numberBox.hidden = kind === "none";
    this.number.max = String(SUPPLIES[kind].most ?? 0);
    const isTyping = document.activeElement === this.number && !this.numberBox.hidden;
    if (!isTyping && Number(this.number.value) !== number) this.number.value = number;
  }

  #begin(finished) {
    this.pace = new Pace(finished);
    this.queue = new Waiting();
  }

  /** A world as it is; after a command the charts go on, in another time they begin anew. */
  state({ time, work, supply }) {
    if (time !== this.time) this.#begin(work.finished);
    this.time = time;
    this.work = work;
    this.#offer(supply);
    this.#fill();
  }

  turn({ time, work }) {
    this.time = time;
    this.pace.turn(work.finished);
    this.queue.turn(work.open);
    this.work = work;
    this.timer ??= setTimeout(() => this.#fill(), PATIENCE);
  }

  #fill() {
    clearTimeout(this.timer);
    this.timer = null;
    const { open, under_way: underWay, finished, service } = this.work;
    const hasWork = open + underWay + finished > 0;
    const soFar = finished ? `, ${service} turns each on average` : "";
    this.facts.textContent = hasWork
      ? `${open} open, ${underWay} under way, ${finished} finished${soFar}.`
      : "No tasks. Let random ones come in, or drop them on the map with Task.";
    const { pace, queue } = this;
    const isLong = hasWork && pace.points.length > 1;
    this.finished.show(isLong && pace.line, this.#paceWords());
    this.waiting.show(isLong && queue.most > 0 && queue.line, `Open tasks: ${open} now, at most ${queue.most}`);
    this.doing.hidden = underWay === 0;
    this.#whoDoesWhat();
  }

  #paceWords() {
    const { now, most, before } = this.pace;
    return `Finished per turn: ${now.toFixed(2)} over the last ${before.length - 1} turns, at most ${most.toFixed(2)}`;
  }

  /** Every agent at work with what is left of its task; a click selects it. */
  #whoDoesWhat() {
    const { live, doing } = this;
    if (!doing.open || doing.hidden) return;
    const rows = [...live.underWay].slice(0, LISTED);
    const key = JSON.stringify(rows);
    if (key === this.listed) return; // rows are not taken away under a finger
    this.listed = key;
    const row = ([agent, task]) => {
      const select = { type: "button", class: "link", onclick: () => live.select([agent]) };
      return element("li", {}, element("button", select, live.state.names[agent]), ` ${live.taskWords(task)}`);
    };
    this.list.replaceChildren(...rows.map(row));
  }
}
