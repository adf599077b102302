/** The view in which a world lives on the server: it streams its turns, and one interferes. */

import { Board, Toolbar, inArea } from "./board.js";
import { Form } from "./forms.js";
import { base64ToBytes, fromJson, huesOf, toJson, unpackBits } from "./instance.js";
import { element } from "./player/elements.js";
import { post } from "./socket.js";
import { download } from "./files.js";

const byId = (id) => document.getElementById(id);
const RATES = [1, 2, 4, 8, 16, 30, 60]; // turns per second
const LOGGED = 80;
const WORDS = {
  16: (who) => `${who} arrived`,
  17: (who) => `${who} left the goal`,
  18: (who) => `in a wall: ${who}`,
  19: (who) => `${who} displaced`,
  32: (who) => `waits for safety: ${who}`,
  33: () => "the planner needed too long: everybody waited",
  34: () => "the planner failed: everybody waited",
};

export class Live {
  constructor(solvers, { wire, store, say, replay, seed }) {
    Object.assign(this, { wire, store, say, replay, seed, id: null, state: null, rate: 4, calls: [] });
    this.solvers = solvers.filter(({ online }) => online);
    this.still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.board = new Board(byId("live-board"), {
      label: "Live map",
      said: (text) => {
        byId("live-says").textContent = text;
      },
    });
    this.board.part = () => this.#part();
    this.#timeBar();
    this.toolbar = new Toolbar(byId("live-tools"), this.board, this.#tools());
    byId("live-side").append(this.#selectedCard(), this.#plannerCard(), this.#keepCard(), this.#eventsCard());
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
    this.instance = instance;
    const [solver, params] = this.#planner();
    const message = { do: "live", instance: toJson(instance), solver, params, seed: this.seed(), rate: this.rate };
    const id = this.wire.begin(message, (heard) => id === this.id && this.#heard(heard));
    this.id = id;
    this.#buttons();
  }

  end() {
    if (this.id !== null) this.wire.tell(this.id, { do: "live-end" });
    this.id = null;
  }

  #tell(name, fields = {}) {
    if (this.id === null) this.say("There is no world: start one first.", true);
    else this.wire.tell(this.id, { do: `live-${name}`, ...fields });
  }

  // What the server says

  #heard(message) {
    if (message.state) this.#newState(message.state);
    else if (message.turn) this.#turn(message.turn);
    else if (message.why) this.#answer(message.why);
    else if (message.bytes) this.#alternative(message.bytes);
    else if (message.trace) this.#waiting?.(JSON.stringify(message.trace));
    else if (message.python !== undefined) download("world.py", message.python, "text/x-python");
    if (message.error) this.#refused(message.error);
    if (message.done) {
      this.id = null;
      this.#buttons();
    }
  }

  #waiting = null; // whoever asked for the trace

  #refused(sentence) {
    this.said.textContent = "";
    this.say(sentence, true);
    if (this.state) this.#newState(this.state); // what was drawn in advance is not so
  }

  #newState(state) {
    const { height, width } = this.instance;
    this.state = state;
    this.rate = state.rate || this.rate;
    const place = (vertex) => (vertex < 0 ? null : [Math.floor(vertex / width), vertex % width]);
    const aims = state.positions.map((at, agent) => ({ start: place(at) ?? [0, 0], goal: place(state.goals[agent]) }));
    if (this.hues?.length !== aims.length || state.time === 0) this.hues = huesOf({ height, width, agents: aims });
    const walls = unpackBits(base64ToBytes(state.walls), height * width);
    const agents = state.positions.map((at, agent) => {
      return { name: state.names[agent], at, from: at, goal: state.goals[agent], hue: this.hues[agent] };
    });
    for (const agent of this.board.selected) if (!(state.positions[agent] >= 0)) this.board.selected.delete(agent);
    this.board.show({ height, width, walls, agents, aims: false });
    this.#words();
    this.#buttons();
  }

  #turn({ time, done, positions, events }) {
    Object.assign(this.state, { time, done, positions });
    this.turns = (this.turns ?? 0) + 1;
    this.turnedAt = performance.now();
    this.board.picture.agents.forEach((agent, index) => {
      agent.from = agent.at;
      agent.at = positions[index];
    });
    this.board.invalidate();
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
    byId("live-facts").textContent = `time ${time}: ${home} of ${there} at their goals${end}`;
    this.#fillSelected();
  }

  #note(time, events) {
    const groups = new Map();
    for (const [, kind, agent] of events) {
      if (!WORDS[kind]) continue;
      if (!groups.has(kind)) groups.set(kind, []);
      groups.get(kind).push(agent);
    }
    for (const [kind, agents] of groups) {
      const names = agents.slice(0, 3).map((agent) => this.state.names[agent] ?? "");
      const who = names.join(", ") + (agents.length > 3 ? ` and ${agents.length - 3} more` : "");
      this.log.prepend(element("li", {}, `${time}: ${WORDS[kind](who)}`));
    }
    while (this.log.children.length > LOGGED) this.log.lastChild.remove();
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
      button("live-step", "Step", "One turn (N)", () => this.#tell("step")),
      this.rateBox,
      button("live-undo", "Undo", "The world before the last command (Ctrl+Z)", () => this.undo()),
      button("live-redo", "Redo", "The world before the last undo (Ctrl+Shift+Z)", () => this.redo()),
    );
  }

  undo() {
    this.#tell("undo");
  }

  redo() {
    this.#tell("redo");
  }

  #setRate(rate) {
    this.rate = rate;
    if (this.id !== null && this.state?.rate > 0) this.#tell("rate", { rate });
  }

  #toggle() {
    this.#tell("rate", { rate: this.state?.rate > 0 ? 0 : this.rate });
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
    this.#fillSelected();
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const acts = {
      p: () => this.#toggle(),
      n: () => this.#tell("step"),
      Delete: () => this.#remove(),
      Backspace: () => this.#remove(),
      Escape: () => this.#select([]),
      y: () => this.#why(),
    };
    const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  // Tools

  #tools() {
    return [
      { name: "select", key: "v", words: "Select", hint: "Select agents; drag around several", ...this.#selecting() },
      {
        name: "send",
        key: "s",
        words: "Send",
        hint: "Send the selected agents to a cell",
        press: (cell) => this.#send(cell),
      },
      { name: "wall", key: "w", words: "Wall", hint: "Drop walls", ...this.#painting("block", 1) },
      { name: "erase", key: "e", words: "Open", hint: "Open walls", ...this.#painting("free", 0) },
      {
        name: "agent",
        key: "a",
        words: "Add",
        hint: "Add an agent: drag from its start to its goal, or click both",
        ...this.#adding(),
      },
    ];
  }

  #agentAt(cell) {
    const vertex = this.board.vertex(cell);
    return this.board.picture?.agents.findIndex(({ at }) => at === vertex) ?? -1;
  }

  #selecting() {
    let from = null;
    let kept = [];
    return {
      press: (cell, { shift }) => {
        from = cell;
        kept = shift ? [...this.board.selected] : [];
        const agent = this.#agentAt(cell);
        this.#select(agent < 0 ? kept : [...kept, agent]);
      },
      move: (cell) => {
        this.board.area = [from, cell];
        const { width } = this.instance;
        const isIn = inArea(from, cell);
        const { agents } = this.board.picture;
        const found = agents.flatMap(({ at }, index) =>
          at >= 0 && isIn([Math.floor(at / width), at % width]) ? [index] : [],
        );
        this.#select([...kept, ...found]);
      },
      release: () => {
        this.board.area = null;
      },
      abort: () => {
        this.board.area = null;
      },
    };
  }

  #select(agents) {
    this.board.selected = new Set(agents);
    this.said.textContent = "";
    this.whatIf.replaceChildren();
    this.board.invalidate();
    this.#fillSelected();
  }

  #send(cell) {
    const agents = [...this.board.selected];
    if (agents.length) this.#tell("send", { agents, cell });
    else this.#takeOrSay(cell);
    return true;
  }

  /** With nobody selected, a click on an agent selects it, so that the next one sends it. */
  #takeOrSay(cell) {
    const agent = this.#agentAt(cell);
    if (agent >= 0) this.#select([agent]);
    else this.say("Select agents first: click one, or drag around several with Select.");
  }

  #painting(command, wall) {
    let cells = [];
    const paint = (cell) => {
      if (!this.state) return;
      cells.push(cell);
      this.board.paint(this.board.vertex(cell), wall);
    };
    return {
      press: (cell) => {
        cells = [];
        paint(cell);
      },
      move: paint,
      release: () => {
        if (!cells.length) return;
        this.#tell(command, { cells: changedBy(cells, wall, this.#wallsNow()) });
        cells = [];
      },
      abort: () => {
        if (cells.length) this.#newState(this.state);
        cells = [];
      },
    };
  }

  #wallsNow() {
    const { height, width } = this.instance;
    const walls = unpackBits(base64ToBytes(this.state.walls), height * width);
    return ([row, col]) => walls[row * width + col];
  }

  #adding() {
    let start = null;
    const add = (goal) => {
      this.#tell("add", { start, goal });
      start = null;
    };
    return {
      press: (cell) => {
        if (start) add(cell);
        else start = cell;
      },
      release: (cell) => {
        if (!start) return;
        if (start[0] !== cell[0] || start[1] !== cell[1]) add(cell);
        else this.say("Now the goal of the new agent.");
      },
      abort: () => {
        start = null;
      },
    };
  }

  // Cards

  #selectedCard() {
    this.who = element("p", { class: "quiet" });
    this.priority = element("input", { type: "number", step: "1", onchange: () => this.#prioritise() });
    this.period = element("input", { type: "number", min: "1", step: "1", onchange: () => this.#slow() });
    this.said = element("p", { class: "said", "aria-live": "polite" });
    this.whatIf = element("div", { class: "row" });
    const button = (words, title, act) => element("button", { type: "button", title, onclick: act }, words);
    this.acts = element(
      "div",
      { class: "stack" },
      element(
        "div",
        { class: "fields" },
        element("label", { class: "field" }, element("span", {}, "Priority"), this.priority),
        element("label", { class: "field" }, element("span", {}, "Moves every … turns"), this.period),
      ),
      element(
        "div",
        { class: "row" },
        button("No goal", "Let them be: they only make room for others", () => this.#command("send", { cell: null })),
        button("Remove", "Take them away (Del)", () => this.#remove()),
        button("Why?", "Why the agent does what it is about to do (Y)", () => this.#why()),
      ),
    );
    return card("Selected", this.who, this.acts, this.said, this.whatIf);
  }

  #fillSelected() {
    const agents = [...this.board.selected];
    const { state } = this;
    this.acts.hidden = !agents.length || !state;
    if (this.acts.hidden) {
      this.who.textContent = "Nobody. Click an agent, or drag around several.";
      return;
    }
    const names = agents.slice(0, 6).map((agent) => state.names[agent]);
    this.who.textContent = names.join(", ") + (agents.length > 6 ? ` and ${agents.length - 6} more` : "");
    if (document.activeElement !== this.priority) this.priority.value = state.priorities[agents[0]];
    if (document.activeElement !== this.period) this.period.value = state.periods[agents[0]];
  }

  #command(name, fields) {
    const agents = [...this.board.selected];
    if (agents.length) this.#tell(name, { agents, ...fields });
  }

  #prioritise() {
    const value = Math.trunc(Number(this.priority.value)) || 0;
    for (const agent of this.board.selected) this.#tell("priority", { agent, value });
  }

  #slow() {
    this.#command("slow", { period: Math.max(1, Math.trunc(Number(this.period.value)) || 1) });
  }

  #remove() {
    this.#command("remove", {});
  }

  #why() {
    const [agent] = this.board.selected;
    if (agent === undefined) return;
    this.said.textContent = "Looking ahead …";
    this.whatIf.replaceChildren();
    this.#tell("why", { agent });
  }

  #answer(why) {
    this.said.textContent = why.text;
    this.whatIf.replaceChildren();
    this.asked = why.data;
  }

  #alternative(bytes) {
    const title = `If ${this.asked.agent} had its way, from time ${this.state.time} on`;
    const play = element(
      "button",
      { type: "button", onclick: () => this.replay(bytes, title) },
      "Play what would have been",
    );
    this.whatIf.replaceChildren(play);
  }

  #plannerCard() {
    this.planners = element("select", { "aria-label": "Planner", onchange: () => this.#chosen(true) });
    this.planners.append(...this.solvers.map(({ name }) => element("option", { value: name }, name)));
    this.planners.value = "whca";
    this.about = element("p", { class: "quiet" });
    this.formBox = element("div");
    const apply = element("button", { type: "button", onclick: () => this.#plan() }, "Plan with this");
    const made = card("Planner", this.planners, this.about, this.formBox, element("div", { class: "row" }, apply));
    this.#chosen(false);
    return made;
  }

  #chosen(isNow) {
    const solver = this.solvers[this.planners.selectedIndex];
    this.about.textContent = `${solver.summary}.`;
    this.form = new Form(solver.parameters);
    this.formBox.replaceChildren(this.form.root);
    if (isNow && this.id !== null) this.#plan();
  }

  #planner() {
    return [this.planners.value, this.form.values];
  }

  #plan() {
    const [solver, params] = this.#planner();
    this.#tell("planner", { solver, params });
  }

  #keepCard() {
    const button = (words, title, act) => element("button", { type: "button", title, onclick: act }, words);
    const row = element(
      "div",
      { class: "row" },
      button("Replay", "Play what has happened so far in the player", () =>
        this.#withTrace((text) => this.#replay(text)),
      ),
      button("Save trace", "A file of everything that happened", () =>
        this.#withTrace((text) => download("world.json", text, "application/json")),
      ),
      button("Python", "Code that does all of this again", () => this.#tell("python")),
    );
    return card("Keep it", row);
  }

  #withTrace(use) {
    this.#waiting = use;
    this.#tell("save");
  }

  async #replay(text) {
    try {
      const answer = await post("/api/read", { name: "world.json", text });
      if (answer.payload) this.replay(base64ToBytes(answer.payload), "What happened in the live world");
      else fromJson(answer.instance);
    } catch (error) {
      this.say(error.message, true);
    }
  }

  #eventsCard() {
    this.log = element("ul", { class: "log", tabindex: "0", "aria-label": "What happened" });
    return card("What happened", this.log);
  }
}

function card(title, ...content) {
  return element("section", { class: "card" }, element("h2", {}, title), ...content);
}

/** Of the cells that a stroke went over, those that become something else, each once. */
function changedBy(cells, wall, isWall) {
  const seen = new Set();
  return cells.filter((cell) => {
    const key = cell.join();
    if (seen.has(key) || isWall(cell) === wall) return false;
    seen.add(key);
    return true;
  });
}
