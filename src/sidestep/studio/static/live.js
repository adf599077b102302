/** The view in which a world lives on the server: it streams its turns, and one interferes. */

import { Board, Toolbar } from "./board.js";
import { download } from "./files.js";
import { huesOf, toJson, wallsOf } from "./instance.js";
import { KeepCard, PlannerCard, SelectedCard, card } from "./livecards.js";
import { liveTools } from "./livetools.js";
import { Tasks, WorkCard } from "./livework.js";
import { element, EVENT } from "./player.js";

const byId = (id) => document.getElementById(id);
const RATES = [1, 2, 4, 8, 16, 30, 60]; // turns per second
const LOGGED = 80;
const RECENT = 50; // turns over which arrivals are counted
const TRAIL = 8; // turns
const TRAILED = 1000; // agents up to which trails are drawn
const WORDS = {
  [EVENT.ARRIVED]: (who) => `${who} arrived`,
  [EVENT.LEFT]: (who) => `${who} left the goal`,
  [EVENT.TRAPPED]: (who) => `in a wall: ${who}`,
  [EVENT.DISPLACED]: (who) => `${who} displaced`,
  [EVENT.SET_OUT]: null, // every move of a slow agent would be one
  [EVENT.TURNED]: null, // every turn of an agent would be one
  [EVENT.TURNED_BACK]: (who) => `gave up a move: ${who}`,
  [EVENT.STUCK]: (who) => `stuck, no nearer to the goal for a while: ${who}`,
  [EVENT.BEHIND]: (who) => `in front of those who are stuck: ${who}`,
  [EVENT.UNSTUCK]: (who) => `no longer stuck: ${who}`,
  [EVENT.TASK]: null,
  [EVENT.ERRAND]: null,
  [EVENT.DUE]: null,
  [EVENT.TAKEN]: null, // as often as somebody is sent
  [EVENT.FINISHED]: (who) => `finished a task: ${who}`,
  [EVENT.GIVEN_BACK]: (who) => `gave a task back: ${who}`,
  [EVENT.RESCUED]: (who) => `follow a search over their jam: ${who}`,
  [EVENT.REFUSED]: (who) => `waits for safety: ${who}`,
  [EVENT.LATE]: () => "the planner needed too long: everybody waited",
  [EVENT.RAISED]: () => "the planner failed: everybody waited",
};

/** What one did to the world oneself, for the log: from the fields of the command, and who is meant by numbers. */
const YOURS = {
  block: ({ cells }) => `dropped ${cells.length === 1 ? "a wall" : `${cells.length} walls`}`,
  free: ({ cells }) => `took ${cells.length === 1 ? "a wall" : `${cells.length} walls`} away`,
  send: ({ agents, cell }, names) => `sent ${names(agents)} ${cell ? `to (${cell.join(", ")})` : "nowhere"}`,
  supply: ({ pool, inflow }) =>
    pool
      ? `let there always be ${pool} random tasks per agent`
      : inflow
        ? `let ${inflow} random tasks come in per turn`
        : "let no more random tasks come in",
  task: ({ errands }) => `dropped a task: ${errands.map((cell) => `(${cell.join(", ")})`).join(", then ")}`,
  add: ({ start }) => `added an agent at (${start.join(", ")})`,
  remove: ({ agents }, names) => `removed ${names(agents)}`,
  priority: ({ agent, value }, names) => `gave ${names([agent])} the priority ${value}`,
  slow: ({ agents, period }, names) => `let ${names(agents)} move every ${period} turns`,
  planner: ({ solver }) => `let ${solver} plan`,
  undo: () => "went back to before the last command",
  redo: () => "did the last command again",
};

export class Live {
  constructor(solvers, { wire, store, say, replay, seed }) {
    Object.assign(this, {
      wire,
      store,
      say,
      replay,
      seed,
      id: null,
      state: null,
      rate: 4,
      calls: [],
      arrivals: [],
      past: [],
    });
    this.still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.board = new Board(byId("live-board"), {
      label: "Live map",
      said: (text) => {
        byId("live-says").textContent = text;
      },
    });
    this.board.part = () => this.#part();
    this.#timeBar();
    this.toolbar = new Toolbar(byId("live-tools"), this.board, liveTools(this));
    this.selected = new SelectedCard(this);
    this.planner = new PlannerCard(
      this,
      solvers.filter(({ online }) => online),
    );
    this.work = new WorkCard(this);
    this.keep = new KeepCard(this);
    this.log = element("ul", { class: "log", tabindex: "0", "aria-label": "What happened" });
    const cards = [this.selected, this.work, this.planner, this.keep].map(({ root }) => root);
    byId("live-side").append(...cards, card("What happened", this.log));
    this.board.canvas.addEventListener("keydown", (event) => this.#key(event));
  }

  get isRunning() {
    return this.id !== null;
  }

  /** A new world from what is drawn. */
  start() {
    const instance = this.store.instance;
    this.end();
    this.log.replaceChildren();
    this.board.selected = new Set();
    Object.assign(this, { instance, arrivals: [], past: [] });
    const terms = { ...this.planner.terms, ...this.work.terms, seed: this.seed(), rate: this.rate };
    const message = { do: "live", instance: toJson(instance), ...terms };
    const id = this.wire.begin(message, (heard) => id === this.id && this.#heard(heard));
    this.id = id;
    this.#buttons();
  }

  end() {
    if (this.id !== null) this.wire.tell(this.id, { do: "live-end" });
    this.id = null;
  }

  tell(name, fields = {}) {
    if (this.id === null) {
      this.say("There is no world: start one first.", true);
      return;
    }
    this.wire.tell(this.id, { do: `live-${name}`, ...fields });
    if (YOURS[name]) this.#log(`you ${YOURS[name](fields, (agents) => this.#names(agents))}`, "yours");
  }

  /** Says whose goals walls were dropped on: these agents cannot arrive any more. */
  warnOfGoals(cells) {
    const covered = new Set(cells.map(([row, col]) => row * this.instance.width + col));
    const { goals, positions } = this.state;
    const whose = goals.flatMap((goal, agent) => (covered.has(goal) && positions[agent] >= 0 ? [agent] : []));
    if (whose.length)
      this.say(`The walls cover the goals of ${this.#names(whose)}: send them elsewhere, or take the walls away.`);
  }

  /** Per agent at work its task, as `Tasks.underWay` has it. */
  get underWay() {
    return this.tasks.underWay(this.state.goals);
  }

  taskWords({ number, errands }) {
    const { width } = this.instance;
    const places = errands.map((vertex) => `(${Math.floor(vertex / width)}, ${vertex % width})`);
    return `is on task ${number}: ${places.join(", then ")}`;
  }

  #names(agents) {
    const names = agents.slice(0, 3).map((agent) => this.state.names[agent] ?? "");
    return names.join(", ") + (agents.length > 3 ? ` and ${agents.length - 3} more` : "");
  }

  #log(text, kind = "") {
    this.log.prepend(element("li", kind ? { class: kind } : {}, `${this.state?.time ?? 0}: ${text}`));
    while (this.log.children.length > LOGGED) this.log.lastChild.remove();
  }

  // What the server says

  #heard(message) {
    if (message.state) this.#newState(message.state);
    else if (message.turn) this.#turn(message.turn);
    else if (message.why) this.selected.answer(message.why);
    else if (message.bytes) this.selected.offer(message.bytes);
    else if (message.trace) this.keep.use?.(JSON.stringify(message.trace));
    else if (message.python !== undefined) download("world.py", message.python, "text/x-python");
    if (message.error) this.#refused(message.error);
    if (message.done) {
      this.id = null;
      this.#buttons();
    }
  }

  #refused(sentence) {
    this.selected.said.textContent = "";
    this.say(sentence, true);
    if (this.state) this.redraw();
  }

  /** Shows what the server said last: what was drawn in advance is not so. */
  redraw() {
    this.#newState(this.state);
  }

  #newState(state) {
    const { height, width } = this.instance;
    this.state = state;
    this.rate = state.rate || this.rate;
    const place = (vertex) => (vertex < 0 ? null : [Math.floor(vertex / width), vertex % width]);
    const aims = state.positions.map((at, agent) => {
      const team = this.instance.agents[agent]?.team ?? "";
      return { start: place(at) ?? [0, 0], goal: place(state.goals[agent]), team };
    });
    if (this.hues?.length !== aims.length || state.time === 0) this.hues = huesOf({ height, width, agents: aims });
    const walls = wallsOf(state.walls, height * width);
    const agents = state.positions.map((at, agent) => {
      const { size = 1 } = this.instance.agents[agent] ?? {};
      return { size, name: state.names[agent], at, from: at, goal: state.goals[agent], hue: this.hues[agent] };
    });
    for (const agent of this.board.selected) if (!(state.positions[agent] >= 0)) this.board.selected.delete(agent);
    this.past = [state.positions];
    this.tasks = new Tasks(state.tasks);
    this.work.state(state);
    this.board.show({ height, width, walls, agents, aims: false, tasks: this.tasks.open });
    this.#words();
    this.#buttons();
  }

  #turn({ time, done, positions, events, work }) {
    Object.assign(this.state, { time, done, positions });
    const { goals } = this.state;
    for (const [, kind, agent, goal] of events) if (kind === EVENT.GOAL) goals[agent] = goal;
    this.tasks.hear(events);
    this.work.turn({ time, work });
    this.turns = (this.turns ?? 0) + 1;
    this.turnedAt = performance.now();
    const { picture } = this.board;
    const agents = picture.agents.map((agent, index) => {
      return { ...agent, from: agent.at, at: positions[index], goal: goals[index] };
    });
    this.past = [...this.past.slice(-TRAIL), positions];
    const trails = agents.length <= TRAILED ? this.past : null;
    this.board.show({ ...picture, agents, trails, tasks: this.tasks.open });
    this.#note(time, events);
    this.#words();
    if (done) this.#buttons();
  }

  /** How far agents have come since the last turn. */
  #part() {
    if (this.still || !this.turnedAt) return 1;
    const lasts = Math.min(1000 / this.rate, 250);
    return Math.min((performance.now() - this.turnedAt) / lasts, 1);
  }

  #words() {
    const { time, done, positions, goals } = this.state;
    const there = positions.filter((at) => at >= 0).length;
    const home = positions.filter((at, agent) => at >= 0 && at === goals[agent]).length;
    const end = done ? ", everybody is where they want to be" : "";
    const came = this.arrivals.reduce((sum, count) => sum + count, 0);
    const rate = this.arrivals.length ? `; ${came} arrived in the last ${this.arrivals.length} turns` : "";
    byId("live-facts").textContent = `time ${time}: ${home} of ${there} at their goals${end}${rate}`;
    this.selected.fill();
  }

  #note(time, events) {
    const groups = new Map();
    for (const [, kind, agent, value] of events) {
      const who = kind === EVENT.BEHIND ? value : agent;
      if (!WORDS[kind] || (kind === EVENT.BEHIND && value < 0)) continue;
      if (!groups.has(kind)) groups.set(kind, []);
      groups.get(kind).push(who);
    }
    for (const [kind, agents] of groups) this.#log(WORDS[kind](this.#names(agents)));
    this.arrivals.push((groups.get(EVENT.ARRIVED) ?? []).length);
    if (this.arrivals.length > RECENT) this.arrivals.shift();
  }

  // Time

  #timeBar() {
    const button = (id, words, title, act) => element("button", { type: "button", id, title, onclick: act }, words);
    this.rateBox = element("select", {
      id: "live-rate",
      "aria-label": "Turns per second",
      onchange: () => this.#setRate(RATES[this.rateBox.selectedIndex]),
    });
    this.rateBox.append(...RATES.map((rate) => element("option", {}, `${rate} ${rate === 1 ? "turn" : "turns"}/s`)));
    this.rateBox.selectedIndex = RATES.indexOf(this.rate);
    byId("live-time").append(
      button("live-start", "Start", "A new world from what is drawn", () => this.start()),
      button("live-pause", "Pause", "Stop or go on (P)", () => this.#toggle()),
      button("live-step", "Step", "One turn (N)", () => this.tell("step")),
      this.rateBox,
      button("live-undo", "Undo", "The world before the last command (Ctrl+Z)", () => this.undo()),
      button("live-redo", "Redo", "The world before the last undo (Ctrl+Shift+Z)", () => this.redo()),
    );
  }

  undo() {
    this.tell("undo");
  }

  redo() {
    this.tell("redo");
  }

  #setRate(rate) {
    this.rate = rate;
    if (this.id !== null && this.state?.rate > 0) this.tell("rate", { rate });
  }

  #toggle() {
    this.tell("rate", { rate: this.state?.rate > 0 ? 0 : this.rate });
  }

  #buttons() {
    const runs = this.isRunning;
    byId("live-start").textContent = runs ? "Start again" : "Start";
    byId("live-start").classList.toggle("main", !runs);
    for (const id of ["live-pause", "live-step"]) byId(id).disabled = !runs;
    byId("live-pause").textContent = runs && this.state?.rate > 0 ? "Pause" : "Go on";
    byId("live-undo").disabled = !runs || !this.state?.undo;
    byId("live-redo").disabled = !runs || !this.state?.redo;
    for (const button of byId("live-side").querySelectorAll("button")) button.disabled = !runs;
    this.selected.fill();
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const acts = {
      p: () => this.#toggle(),
      n: () => this.tell("step"),
      Delete: () => this.selected.remove(),
      Backspace: () => this.selected.remove(),
      Escape: () => this.select([]),
      y: () => this.selected.ask(),
    };
    const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  select(agents) {
    this.board.selected = new Set(agents);
    this.selected.forget();
    this.board.invalidate();
    this.selected.fill();
  }
}
