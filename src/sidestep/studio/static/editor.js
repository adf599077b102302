/** The view in which one draws: walls, agents and their goals on a board, and the maps of generators. */

import { Board, Toolbar } from "./board.js";
import { Form, field } from "./forms.js";
import { freeName, fromJson, newAgent, pictureOf, resized } from "./instance.js";
import { CORNERS, element, RULE_CHOICES, RULE_LABELS, RULE_QUESTIONS, RULES } from "./player.js";
import { post } from "./socket.js";

const byId = (id) => document.getElementById(id);

function isSame(one, two) {
  return Boolean(one && two) && one[0] === two[0] && one[1] === two[1];
}

export class Editor {
  constructor({ store, say }) {
    Object.assign(this, { store, say });
    this.board = new Board(byId("board"), {
      label: "Map to draw on",
      said: (text) => {
        byId("board-says").textContent = text;
      },
    });
    this.toolbar = new Toolbar(byId("tools"), this.board, this.#tools());
    this.#buttons();
    this.#agentCard();
    store.listen(() => this.#show());
    this.#show();
  }

  get selected() {
    const [index] = this.board.selected;
    return this.store.instance.agents[index] ?? null;
  }

  select(agent) {
    const index = this.store.instance.agents.indexOf(agent);
    this.board.selected = new Set(index < 0 ? [] : [index]);
    this.#show();
  }

  #show() {
    const { instance } = this.store;
    const [index] = this.board.selected;
    if (index >= instance.agents.length) this.board.selected.clear();
    this.board.show(pictureOf(instance));
    byId("undo").disabled = !this.store.canUndo;
    byId("redo").disabled = !this.store.canRedo;
    const goals = instance.agents.filter(({ goal }) => goal).length;
    byId("board-facts").textContent = [
      `${instance.height} by ${instance.width} cells`,
      `${instance.agents.length} ${instance.agents.length === 1 ? "agent" : "agents"}`,
      ...(goals < instance.agents.length ? [`${instance.agents.length - goals} without a goal`] : []),
    ].join(", ");
    this.#fillCard();
  }

  #buttons() {
    const acts = {
      undo: () => this.store.undo(),
      redo: () => this.store.redo(),
      "zoom-in": () => this.board.zoom(1.5),
      "zoom-out": () => this.board.zoom(1 / 1.5),
      "zoom-fit": () => this.board.fit(),
      clear: () => this.#clear(),
    };
    for (const [id, act] of Object.entries(acts)) byId(id).addEventListener("click", act);
    this.board.canvas.addEventListener("keydown", (event) => {
      if (["Delete", "Backspace"].includes(event.key)) this.#removeAtCursor();
      if (event.key === "Escape") this.#letGo();
    });
  }

  #letGo() {
    this.board.tool.abort();
    this.select(null);
  }

  #clear() {
    this.store.change((instance) => {
      instance.walls = new Uint8Array(instance.walls.length);
      instance.agents = [];
    });
  }

  // Tools

  #tools() {
    return [
      {
        name: "select",
        key: "v",
        words: "Select",
        hint: "Select and drag agents and goals; drag the map",
        ...this.#selecting(),
      },
      { name: "wall", key: "w", words: "Wall", hint: "Draw walls", ...this.#painting(1) },
      { name: "erase", key: "e", words: "Erase", hint: "Erase walls, agents and goals", ...this.#painting(0) },
      {
        name: "agent",
        key: "a",
        words: "Agent",
        hint: "Drag from an agent's start to its goal, or click both",
        ...this.#placing(),
      },
    ];
  }

  /** A stroke on the store around what a tool does. */
  #stroke(tool) {
    const { store } = this;
    return {
      ...tool,
      press: (cell, how) => {
        store.begin();
        const used = tool.press(cell, how);
        if (used === false) store.abort();
        else store.touch();
        return used;
      },
      move: (cell) => {
        tool.move?.(cell);
        store.touch();
      },
      release: (cell) => {
        tool.release?.(cell);
        store.commit();
      },
      abort: () => {
        tool.abort?.();
        store.abort();
      },
    };
  }

  #at(cell) {
    const { agents } = this.store.instance;
    const starts = agents.find(({ start }) => isSame(start, cell));
    if (starts) return { agent: starts, end: "start" };
    const ends = agents.find(({ goal }) => isSame(goal, cell));
    return ends ? { agent: ends, end: "goal" } : null;
  }

  #isFree(cell, end) {
    const { instance } = this.store;
    if (instance.walls[cell[0] * instance.width + cell[1]]) return false;
    if (end === "goal" && instance.rules.shared_goals) return true;
    return !instance.agents.some((agent) => isSame(agent[end], cell));
  }

  #selecting() {
    let held = null;
    return this.#stroke({
      press: (cell, { keyboard }) => {
        if (keyboard && held) {
          this.#put(held, cell);
          held = null;
          return true;
        }
        held = this.#at(cell);
        this.select(held?.agent ?? null);
        if (held && keyboard)
          this.say(`${held.agent.name} is taken: go to another cell and press Enter to put it there.`);
        return held !== null;
      },
      move: (cell) => held && this.#put(held, cell),
      release: () => {
        if (!this.board.focused) held = null;
      },
      abort: () => {
        held = null;
      },
    });
  }

  #put({ agent, end }, cell) {
    // The instance may have been replaced by a copy since, when a stroke was undone.
    const target = this.store.instance.agents.find(({ name }) => name === agent.name);
    if (target && this.#isFree(cell, end)) target[end] = cell;
  }

  #painting(wall) {
    const paint = (cell) => {
      if (!wall) this.#erase(cell);
      else if (this.#at(cell)) return;
      this.board.paint(this.board.vertex(cell), wall);
    };
    return this.#stroke({
      press: (cell, { keyboard }) => {
        const vertex = this.board.vertex(cell);
        const isOnceMore = keyboard && wall && this.store.instance.walls[vertex];
        if (isOnceMore) this.board.paint(vertex, 0);
        else paint(cell);
      },
      move: paint,
    });
  }

  #erase(cell) {
    const { instance } = this.store;
    instance.agents = instance.agents.filter(({ start }) => !isSame(start, cell));
    for (const agent of instance.agents) if (isSame(agent.goal, cell)) agent.goal = null;
  }

  /** Press where an agent starts, or is to start, and release on its goal; or click on one after the other. */
  #placing() {
    let name = null; // of the agent that waits for its goal
    let isAimed = false;
    const target = () => this.store.instance.agents.find((agent) => agent.name === name);
    const aim = (cell) => {
      const agent = target();
      if (!agent || isSame(agent.start, cell) || !this.#isFree(cell, "goal")) return;
      agent.goal = cell;
      isAimed = true;
    };
    const forget = () => {
      name = null;
    };
    const press = (cell) => {
      const here = this.#at(cell);
      isAimed = false;
      if (target() && here?.end !== "start") aim(cell);
      else name = this.#started(cell, here);
      this.select(target());
    };
    const release = () => {
      if (isAimed || !target()) forget();
      else this.say(`Now the goal of ${name}.`);
    };
    return this.#stroke({ press, move: aim, release, abort: forget });
  }

  /** The name of the agent that starts at a cell, after it was put there. */
  #started(cell, here) {
    if (here?.end === "start") return here.agent.name;
    if (!this.#isFree(cell, "start")) return null;
    const { instance } = this.store;
    const agent = newAgent(freeName(instance), cell);
    instance.agents.push(agent);
    return agent.name;
  }

  #removeAtCursor() {
    const found = this.selected ?? this.#at(this.board.cursor)?.agent;
    if (found) this.#remove(found.name);
  }

  #remove(name) {
    this.store.change((instance) => {
      instance.agents = instance.agents.filter((agent) => agent.name !== name);
    });
    this.select(null);
  }

  // The selected agent

  #agentCard() {
    this.nameField = element("input", { type: "text", maxlength: "100", onchange: () => this.#rename() });
    this.priorityField = element("input", { type: "number", step: "1", onchange: () => this.#prioritise() });
    const away = element("button", { type: "button", onclick: () => this.#remove(this.selected.name) }, "Remove");
    byId("agent-card").append(
      element("label", { class: "field" }, element("span", {}, "Name"), this.nameField),
      element("label", { class: "field" }, element("span", {}, "Priority (higher goes first)"), this.priorityField),
      element("div", { class: "row" }, away),
    );
  }

  #fillCard() {
    const { selected } = this;
    byId("agent-section").hidden = !selected;
    if (!selected) return;
    this.nameField.value = selected.name;
    this.priorityField.value = selected.priority;
  }

  #rename() {
    const name = this.nameField.value.trim();
    const index = this.store.instance.agents.indexOf(this.selected);
    if (!name || this.store.instance.agents.some((agent) => agent.name === name)) {
      this.say(name ? `There is an agent called ${name} already.` : "An agent needs a name.");
      this.#fillCard();
      return;
    }
    this.store.change((instance) => {
      instance.agents[index].name = name;
    });
  }

  #prioritise() {
    const index = this.store.instance.agents.indexOf(this.selected);
    this.store.change((instance) => {
      instance.agents[index].priority = Math.trunc(Number(this.priorityField.value)) || 0;
    });
  }
}

// Maps of generators, the size, and the rules

/** The form that makes maps. `made` is called with the instance. */
export class Generators {
  constructor(generators, { store, say, made, busy }) {
    Object.assign(this, { generators, store, say, made, busy });
    this.select = element("select", { onchange: () => this.#choose() });
    this.select.append(...generators.map(({ name }) => element("option", { value: name }, name)));
    this.agents = field({ name: "agents", kind: "int", default: 20 });
    this.seed = field({ name: "seed", kind: "int", default: 0 });
    this.box = element("div", { class: "fields" });
    this.about = element("p", { class: "quiet" });
    this.another = element("button", { type: "button", onclick: () => this.#another() }, "Another");
    this.another.title = "The same with the next seed";
    const kind = element("label", { class: "field" }, element("span", {}, "Kind"), this.select);
    byId("generator").append(
      element("div", { class: "fields" }, kind, this.agents.root),
      this.about,
      this.box,
      element("div", { class: "row" }, element("button", { type: "submit" }, "Generate"), this.another),
    );
    byId("generator").addEventListener("submit", (event) => {
      event.preventDefault();
      this.generate();
    });
    this.#choose();
  }

  #choose() {
    const { parameters, summary } = this.generators[this.select.selectedIndex];
    this.form = new Form(parameters);
    this.about.textContent = `${summary}.`;
    this.box.replaceChildren(...this.form.root.childNodes, this.seed.root);
  }

  #another() {
    this.seed.set((this.seed.value ?? 0) + 1);
    this.generate();
  }

  async generate() {
    const { connectivity, corners, rules } = this.store.instance;
    const asked = { generator: this.select.value, params: this.form.values, connectivity, corners, rules };
    this.busy(true);
    try {
      const terms = { agents: this.agents.value ?? 0, seed: this.seed.value ?? 0 };
      const answer = await post("/api/generate", { ...asked, ...terms });
      this.made(fromJson(answer.instance));
    } catch (error) {
      this.say(error.message, true);
    } finally {
      this.busy(false);
    }
  }
}

const SHAPES = [
  {
    name: "connectivity",
    label: "Moves",
    kind: "choice",
    default: 4,
    choices: [
      [4, "4 directions"],
      [8, "8 directions"],
    ],
  },
  {
    name: "corners",
    label: "Diagonals pass corners",
    kind: "choice",
    default: CORNERS[0],
    choices: CORNERS.map((name) => [name, { none: "no corner", one: "one corner", free: "any" }[name]]),
  },
];
const RULE_FIELDS = Object.entries(RULES).map(([name, value]) => ({
  name,
  label: RULE_LABELS[name],
  help: RULE_QUESTIONS[name],
  default: value,
  kind: RULE_CHOICES[name] ? "choice" : "bool",
  choices: RULE_CHOICES[name]?.map((choice) => [choice, choice.replaceAll("_", " ")]),
}));

/** The size of the map and the rules of the game. */
export class Settings {
  constructor(store) {
    this.store = store;
    this.size = ["height", "width"].map((name) => field({ name, kind: "int", default: 0 }));
    const resize = element("button", { type: "button", onclick: () => this.#resize() }, "Resize");
    byId("size").append(...this.size.map(({ root }) => root), resize);
    this.shapes = SHAPES.map((entry) => field(entry, () => this.#apply()));
    this.rules = RULE_FIELDS.map((entry) => field(entry, () => this.#apply()));
    byId("rules").append(...[...this.shapes, ...this.rules].map(({ root }) => root));
    store.listen((isDone) => isDone && this.#show());
    this.#show();
  }

  #show() {
    const { instance } = this.store;
    this.size[0].set(instance.height);
    this.size[1].set(instance.width);
    SHAPES.forEach(({ name }, index) => this.shapes[index].set(instance[name]));
    RULE_FIELDS.forEach(({ name }, index) => this.rules[index].set(instance.rules[name]));
  }

  #apply() {
    this.store.change((instance) => {
      SHAPES.forEach(({ name }, index) => (instance[name] = this.shapes[index].value));
      RULE_FIELDS.forEach(({ name }, index) => (instance.rules[name] = this.rules[index].value));
    });
  }

  #resize() {
    const [height, width] = this.size.map(({ value }) => Math.trunc(value));
    if (height > 0 && width > 0 && height * width <= 1e6)
      this.store.replace(resized(this.store.instance, height, width));
    else this.#show();
  }
}
