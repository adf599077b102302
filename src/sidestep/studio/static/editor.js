/** The view in which one draws: walls, agents and their goals on a board. */

import { Board, FACINGS, Toolbar } from "./board.js";
import { covers, freeName, newAgent, pictureOf } from "./instance.js";
import { element } from "./player.js";

const byId = (id) => document.getElementById(id);

const [MOST_SIZE, MOST_PERIOD] = [100, 1000];
const LOOKS = { "": "any way", N: "up", E: "right", S: "down", W: "left" };

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
    this.#teamCard();
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
    const teams = [...new Set(instance.agents.map(({ team }) => team))].filter(Boolean);
    byId("teams").replaceChildren(...teams.map((value) => element("option", { value })));
    const goals = instance.agents.filter(({ goal }) => goal).length;
    byId("board-facts").textContent = [
      `${instance.height} by ${instance.width} cells`,
      `${instance.agents.length} ${instance.agents.length === 1 ? "agent" : "agents"}`,
      ...(teams.length ? [`${teams.length} ${teams.length === 1 ? "team" : "teams"}`] : []),
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
      {
        name: "team",
        key: "t",
        words: "Team",
        hint: "Put agents into a team, which has one colour: click them, or drag over them",
        ...this.#teaming(),
      },
    ];
  }

  /** Agents that a stroke goes over join the team that is written beside the map. */
  #teaming() {
    const join = (cell) => {
      const found = this.#at(cell);
      if (found) found.agent.team = this.teamTool.value.trim();
    };
    return this.#stroke({ press: join, move: join });
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
    const starts = agents.find((agent) => covers(agent.start, agent, cell));
    if (starts) return { agent: starts, end: "start" };
    const ends = agents.find((agent) => covers(agent.goal, agent, cell));
    return ends ? { agent: ends, end: "goal" } : null;
  }

  /** Has an agent of a size room here, on the map and beside the others? */
  #isFree([row, col], end, { size = 1, name = "" } = {}) {
    const { agents, height, width, walls, rules } = this.store.instance;
    if (row + size > height || col + size > width) return false;
    for (let down = 0; down < size; down++)
      for (let right = 0; right < size; right++) if (walls[(row + down) * width + col + right]) return false;
    if (end === "goal" && rules.shared_goals) return true;
    const others = agents.filter((agent) => agent.name !== name && agent[end]);
    const isApart = (at, other, itsSize) => at + size <= other || other + itsSize <= at;
    return others.every((agent) => {
      const [itsRow, itsCol] = agent[end];
      return isApart(row, itsRow, agent.size) || isApart(col, itsCol, agent.size);
    });
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
    if (target && this.#isFree(cell, end, target)) target[end] = cell;
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
    instance.agents = instance.agents.filter((agent) => !covers(agent.start, agent, cell));
    for (const agent of instance.agents) if (covers(agent.goal, agent, cell)) agent.goal = null;
  }

  /** Press where an agent starts, or is to start, and release on its goal; or click on one after the other. */
  #placing() {
    let name = null; // of the agent that waits for its goal
    let isAimed = false;
    const target = () => this.store.instance.agents.find((agent) => agent.name === name);
    const aim = (cell) => {
      const agent = target();
      if (!agent || isSame(agent.start, cell) || !this.#isFree(cell, "goal", agent)) return;
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
    if (instance.agents.some(({ facing }) => facing)) [agent.facing] = FACINGS; // all have one, or none
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

  /** What the tool Team is about, while it is used. */
  #teamCard() {
    this.teamTool = element("input", { type: "text", maxlength: "100", value: "team 1", list: "teams" });
    byId("team-card").append(
      element("label", { class: "field" }, element("span", {}, "Team (empty: none)"), this.teamTool),
      element("datalist", { id: "teams" }),
    );
    this.toolbar.used = ({ name }) => {
      byId("team-section").hidden = name !== "team";
    };
  }

  /** A field of the selected agent: `change(instance, agent, value)` says no with a sentence. */
  #field(words, input, change) {
    input.addEventListener("change", () => this.#change(input.value, change));
    return element("label", { class: "field" }, element("span", {}, words), input);
  }

  #change(value, change) {
    const index = this.store.instance.agents.indexOf(this.selected);
    let refusal = "";
    this.store.change((instance) => {
      refusal = change(instance, instance.agents[index], value) ?? "";
    });
    if (refusal) this.say(refusal, true);
    this.#fillCard();
  }

  /** Size, speed, where it looks, and team. */
  #body() {
    const number = (most) => element("input", { type: "number", min: "1", max: String(most), step: "1" });
    const whole = (value, most) => Math.min(Math.max(Math.trunc(Number(value)) || 1, 1), most);
    this.sizeField = number(MOST_SIZE);
    this.periodField = number(MOST_PERIOD);
    this.facingField = element("select", {});
    this.facingField.append(...["", ...FACINGS].map((value) => element("option", { value }, LOOKS[value])));
    this.teamField = element("input", { type: "text", maxlength: "100", list: "teams" });
    return [
      this.#field("Size in cells", this.sizeField, (_, agent, value) =>
        this.#resizeAgent(agent, whole(value, MOST_SIZE)),
      ),
      this.#field("Moves every … turns", this.periodField, (_, agent, value) => {
        agent.period = whole(value, MOST_PERIOD);
      }),
      this.#field("Looks", this.facingField, (instance, agent, value) => this.#face(instance, agent, value)),
      this.#field("Team", this.teamField, (_, agent, value) => {
        agent.team = value.trim();
      }),
    ];
  }

  #resizeAgent(agent, size) {
    const body = { ...agent, size };
    const hasRoom = ["start", "goal"].every((end) => !agent[end] || this.#isFree(agent[end], end, body));
    if (!hasRoom) return `${agent.name} has no room to be that large: it covers cells to the right and below.`;
    agent.size = size;
    return null;
  }

  /** All have to turn, or nobody: the others look as this one does, or any way. */
  #face({ agents }, agent, facing) {
    for (const other of agents) {
      if (!facing) other.facing = null;
      else if (other === agent || !other.facing) other.facing = facing;
    }
  }

  #agentCard() {
    this.nameField = element("input", { type: "text", maxlength: "100", onchange: () => this.#rename() });
    this.priorityField = element("input", { type: "number", step: "1", onchange: () => this.#prioritise() });
    const away = element("button", { type: "button", onclick: () => this.#remove(this.selected.name) }, "Remove");
    byId("agent-card").append(
      element("label", { class: "field" }, element("span", {}, "Name"), this.nameField),
      element("label", { class: "field" }, element("span", {}, "Priority (higher goes first)"), this.priorityField),
      element("div", { class: "fields" }, ...this.#body()),
      element("div", { class: "row" }, away),
    );
  }

  #fillCard() {
    const { selected } = this;
    byId("agent-section").hidden = !selected;
    if (!selected) return;
    this.nameField.value = selected.name;
    this.priorityField.value = selected.priority;
    this.sizeField.value = selected.size;
    this.periodField.value = selected.period;
    this.facingField.value = selected.facing ?? "";
    this.teamField.value = selected.team;
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
