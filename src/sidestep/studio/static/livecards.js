/** The cards beside a live world: who is selected, who plans, what is kept. */

import { download } from "./files.js";
import { Form } from "./forms.js";
import { fromJson } from "./instance.js";
import { element, fromBase64 } from "./player.js";
import { post } from "./socket.js";

const NAMED = 6; // selected agents whose names are said

export function card(title, ...content) {
  return element("section", { class: "card" }, element("h2", {}, title), ...content);
}

function button(words, title, act) {
  return element("button", { type: "button", title, onclick: act }, words);
}

/** The selected agents: what is theirs, what can be done to them, and why one does what it does. */
export class SelectedCard {
  constructor(live) {
    this.live = live;
    this.who = element("p", { class: "quiet" });
    this.task = element("p", { class: "task", hidden: "" });
    this.priority = element("input", { type: "number", step: "1", onchange: () => this.#prioritise() });
    this.period = element("input", { type: "number", min: "1", step: "1", onchange: () => this.#slow() });
    this.said = element("p", { class: "said", "aria-live": "polite" });
    this.whatIf = element("div", { class: "row" });
    this.acts = element("div", { class: "stack" }, this.#fields(), this.#buttons(), ...this.#questions());
    this.root = card("Selected", this.who, this.task, this.acts, this.said, this.whatIf);
  }

  #fields() {
    return element(
      "div",
      { class: "fields" },
      element("label", { class: "field" }, element("span", {}, "Priority"), this.priority),
      element("label", { class: "field" }, element("span", {}, "Moves every … turns"), this.period),
    );
  }

  #buttons() {
    return element(
      "div",
      { class: "row" },
      button("No goal", "Let them be: they only make room for others", () => this.#command("send", { cell: null })),
      button("Remove", "Take them away (Del)", () => this.remove()),
      button("Why?", "Why the agent does what it is about to do (Y)", () => this.ask()),
    );
  }

  /** Two blanks about what is going to happen: where it will not be, and whom it goes before. */
  #questions() {
    const blank = (label, hint) => element("input", { size: "7", placeholder: hint, "aria-label": label });
    this.place = blank("Why not at", "row, col");
    this.turns = element("input", {
      type: "number",
      class: "short",
      min: "0",
      step: "1",
      value: "1",
      "aria-label": "In how many turns",
    });
    this.other = blank("Why before", "agent");
    const form = (ask, ...parts) =>
      element(
        "form",
        {
          class: "row",
          onsubmit: (event) => {
            event.preventDefault();
            ask();
          },
        },
        ...parts,
        element("button", {}, "Ask"),
      );
    return [
      form(() => this.#askNot(), "Why not at", this.place, "in", this.turns, "turns"),
      form(() => this.#askFirst(), "Why before", this.other),
    ];
  }

  #askNot() {
    const place = this.place.value.split(",").map((part) => (/^\s*\d+\s*$/.test(part) ? Number(part) : NaN));
    if (place.length !== 2 || place.some(Number.isNaN))
      return this.#say("A place is a row and a column, such as 2, 3.");
    return this.#question("why_not", { place, turns: Math.max(0, Math.trunc(Number(this.turns.value)) || 0) });
  }

  #askFirst() {
    const name = this.other.value.trim();
    const other = this.live.state.names.indexOf(name);
    return other < 0 ? this.#say(`There is no agent ${name}.`) : this.#question("why_first", { other });
  }

  #say(text) {
    this.said.textContent = text;
    this.whatIf.replaceChildren();
  }

  fill() {
    const { state, board } = this.live;
    const agents = [...board.selected];
    this.acts.hidden = !agents.length || !state;
    if (this.acts.hidden) {
      this.who.textContent = "Nobody. Click an agent, or drag around several.";
      this.task.hidden = true;
      return;
    }
    const names = agents.slice(0, NAMED).map((agent) => state.names[agent]);
    this.who.textContent = names.join(", ") + (agents.length > NAMED ? ` and ${agents.length - NAMED} more` : "");
    this.#tasks(agents);
    if (document.activeElement !== this.priority) this.priority.value = state.priorities[agents[0]];
    if (document.activeElement !== this.period) this.period.value = state.periods[agents[0]];
  }

  /** What is left of the task of one that is selected, and on the map where it leads. */
  #tasks(agents) {
    const { live } = this;
    const underWay = live.underWay;
    const [task] = agents.length === 1 ? [underWay.get(agents[0])] : [];
    this.task.textContent = task ? `It ${live.taskWords(task)}.` : "";
    this.task.hidden = !task;
    live.board.routes = new Map(
      agents.flatMap((agent) => (underWay.has(agent) ? [[agent, underWay.get(agent).errands]] : [])),
    );
  }

  /** Takes back what was said about agents that are not selected any more. */
  forget() {
    this.#say("");
  }

  #command(name, fields) {
    const agents = [...this.live.board.selected];
    if (agents.length) this.live.tell(name, { agents, ...fields });
  }

  #prioritise() {
    const value = Math.trunc(Number(this.priority.value)) || 0;
    for (const agent of this.live.board.selected) this.live.tell("priority", { agent, value });
  }

  #slow() {
    this.#command("slow", { period: Math.max(1, Math.trunc(Number(this.period.value)) || 1) });
  }

  remove() {
    this.#command("remove", {});
  }

  /** Asks why the first of them does what it is about to do. */
  ask() {
    this.#question("why", {});
  }

  #question(name, fields) {
    const [agent] = this.live.board.selected;
    if (agent === undefined) return;
    this.#say("Looking ahead …");
    this.live.tell(name, { agent, ...fields });
  }

  answer({ text, data }) {
    this.#say(text);
    this.asked = data;
  }

  /** What would have been can be played. */
  offer(bytes) {
    const title = `If ${this.asked.agent} had its way, from time ${this.live.state.time} on`;
    const onclick = () => this.live.replay(bytes, title);
    this.whatIf.replaceChildren(element("button", { type: "button", onclick }, "Play what would have been"));
  }
}

/** Who plans. */
export class PlannerCard {
  constructor(live, solvers) {
    Object.assign(this, { live, solvers });
    this.planners = element("select", { "aria-label": "Planner", onchange: () => this.#chosen(true) });
    this.planners.append(...solvers.map(({ name }) => element("option", { value: name }, name)));
    this.planners.value = "whca";
    this.about = element("p", { class: "quiet" });
    this.formBox = element("div");
    const apply = element("button", { type: "button", onclick: () => this.#plan() }, "Plan with this");
    this.root = card("Planner", this.planners, this.about, this.formBox, element("div", { class: "row" }, apply));
    this.#chosen(false);
  }

  /** The chosen solver and its parameters. */
  get terms() {
    return { solver: this.planners.value, params: this.form.values };
  }

  #chosen(isNow) {
    const solver = this.solvers[this.planners.selectedIndex];
    this.about.textContent = `${solver.summary}.`;
    this.form = new Form(solver.parameters, () => {}, solver.printed);
    this.formBox.replaceChildren(this.form.root);
    if (isNow && this.live.isRunning) this.#plan();
  }

  #plan() {
    this.live.tell("planner", this.terms);
  }
}

/** What has happened, to be played, saved or done again. */
export class KeepCard {
  constructor(live) {
    this.live = live;
    this.use = null; // what is done with the trace that was asked for
    const save = (text) => download("world.json", text, "application/json");
    const row = element(
      "div",
      { class: "row" },
      button("Replay", "Play what has happened so far in the player", () =>
        this.#withTrace((text) => this.#replay(text)),
      ),
      button("Save trace", "A file of everything that happened", () => this.#withTrace(save)),
      button("Python", "Code that does all of this again", () => live.tell("python")),
    );
    this.root = card("Keep it", row);
  }

  #withTrace(use) {
    this.use = use;
    this.live.tell("save");
  }

  async #replay(text) {
    try {
      const answer = await post("/api/read", { name: "world.json", text });
      if (answer.payload) this.live.replay(fromBase64(answer.payload), "What happened in the live world");
      else fromJson(answer.instance);
    } catch (error) {
      this.live.say(error.message, true);
    }
  }
}
