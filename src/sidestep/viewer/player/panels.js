/** What is beside the map. */

import { hueOf } from "./colours.js";
import { costChart } from "./costs.js";
import { element } from "./elements.js";
import { LongList } from "./lists.js";
import { Tabs } from "./tabs.js";
import { count, sentenceCase } from "./text.js";
import { answerFor, doing, passingsOf, questionAbout, stateOf, wholeRun } from "./words.js";

const PASSINGS = 3; // sentences about who went first, the last ones

/** What the runs have in common and what not: a table of facts, one column per run, and how to read the map. */
function factsOf(player) {
  const { scenes } = player;
  const names = [...new Set(scenes.flatMap((scene) => scene.facts.map(([name]) => name)))];
  const value = (scene, name) => scene.facts.find(([one]) => one === name)?.[1] ?? "";
  const head = element(
    "tr",
    {},
    element("td", {}),
    ...scenes.map((scene) => element("th", { scope: "col" }, scene.label)),
  );
  const rows = names.map((name) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, name),
      ...scenes.map((scene) => element("td", {}, value(scene, name))),
    ),
  );
  const waits = element(
    "tr",
    {},
    element("th", { scope: "row" }, "waits"),
    ...scenes.map((scene) => element("td", {}, waitsIn(scene).toLocaleString("en"))),
  );
  const judged = element(
    "tr",
    {},
    element("th", { scope: "row" }, "the judge says"),
    ...scenes.map((scene) => element("td", {}, verdictOf(scene))),
  );
  return element("table", {}, element("thead", {}, head), element("tbody", {}, judged, waits, ...rows));
}

function costsOf({ scenes }) {
  return scenes.filter(({ costs }) => costs).map((scene) => costChart(scene, scenes.length > 1));
}

function waitsIn(scene) {
  return scene.tally.waits.reduce((sum, waits) => sum + waits, 0);
}

function verdictOf({ verdict }) {
  if (!verdict) return "not judged";
  return verdict.valid ? "valid: no collision" : count(verdict.count, "violation");
}

function legend() {
  const rows = [
    ["agent", "an agent"],
    ["goal", "its goal"],
    ["wait", "it waits"],
    ["home", "it has arrived"],
    ["stray", "it makes a detour"],
    ["wrong", "it breaks a rule"],
    ["spoken", "whom the line below is about"],
    ["share", "how many have arrived, and wait"],
  ];
  return element(
    "ul",
    { class: "legend" },
    ...rows.map(([mark, text]) => element("li", {}, element("span", { class: `mark ${mark}` }), text)),
  );
}

/** The selected agent: what it does now in every run, and why where the plan says so. */
class Card {
  constructor(player) {
    this.player = player;
    this.root = element("section", { class: "card", "aria-label": "Selected agent", hidden: "" });
    this.follow = element("button", {
      type: "button",
      onclick: () => player.follow(player.following < 0 ? player.selected : -1),
    });
    this.close = element("button", { type: "button", onclick: () => player.select(-1) }, "Deselect");
    this.title = element("h2", { class: "grow" });
    this.words = element("div", {});
    this.root.append(element("div", { class: "row" }, this.title, this.follow, this.close), this.words);
  }

  update() {
    const { player } = this;
    const agent = player.selected;
    this.root.hidden = agent < 0;
    if (agent < 0) return;
    const shown = player.stages.filter((stage) => stage.has(agent));
    const { scene } = player.active.has(agent) ? player.active : shown[0];
    this.title.replaceChildren(dot(scene, agent), scene.fullName(agent));
    this.follow.textContent = player.following < 0 ? "Follow" : "Stop following";
    this.follow.setAttribute("aria-pressed", String(player.following >= 0));
    this.words.replaceChildren(...shown.map((stage) => this.#about(stage, agent, scene.fullName(agent))));
  }

  #about({ scene, row }, agent, title) {
    const said = answerFor(scene, agent, row);
    const passed = passingsOf(scene, agent, row).slice(-PASSINGS);
    const name = scene.fullName(agent) === title ? "" : `, ${scene.name(agent)}`; // the runs may have different agents
    const asking = scene.question ? this.#ask(scene, agent, row) : [];
    const isAsked = this.player.pointed >= 0; // then it comes first, since a card may be too long to be seen whole
    const label = this.player.scenes.length > 1 ? [element("strong", {}, `${scene.label}${name}: `)] : [];
    return element(
      "div",
      {},
      element("p", {}, ...label, sentenceCase(`${doing(scene, agent, row)}.`)),
      ...(isAsked ? asking : []),
      ...(said ? [element("p", { class: "why" }, said)] : []),
      ...passed.map(({ text }) => element("p", { class: "first" }, text)),
      element("p", { class: "quiet" }, wholeRun(scene, agent)),
      ...(isAsked ? [] : asking),
    );
  }

  /** A page has no solver: it says what to type, with the place that was clicked. */
  #ask(scene, agent, row) {
    const { pointed } = this.player;
    const asked =
      pointed < 0
        ? "Why is it not elsewhere? Click a place, and type in a terminal:"
        : `Why is it not at ${scene.space.place(pointed)} now? Type in a terminal:`;
    return [element("p", { class: "quiet" }, asked), element("code", {}, questionAbout(scene, agent, pointed, row))];
  }
}

function dot(scene, agent) {
  const made = element("span", { class: "dot" });
  made.style.setProperty("--hue", hueOf(scene.hues[agent]));
  return made;
}

class AgentList {
  constructor(player) {
    this.player = player;
    this.search = element("input", {
      type: "search",
      placeholder: "Search by name",
      "aria-label": "Search agents by name",
      oninput: () => this.fill(),
    });
    this.found = element("p", { class: "quiet" });
    this.list = new LongList("Agents", 34, (agent) => this.#row(agent));
    this.content = [this.search, this.found, this.list.root];
  }

  fill() {
    const { scene } = this.player.active;
    const wanted = this.search.value.trim().toLowerCase();
    const agents = [];
    for (let agent = 0; agent < scene.agents; agent++)
      if (scene.fullName(agent).toLowerCase().includes(wanted)) agents.push(agent);
    this.found.textContent = wanted
      ? `${count(agents.length, "agent")} of ${scene.agents}`
      : count(agents.length, "agent");
    this.list.show(agents);
  }

  #row(agent) {
    const { scene, row } = this.player.active;
    return element(
      "button",
      {
        type: "button",
        "aria-pressed": String(agent === this.player.selected),
        onclick: () => this.player.select(agent, this.player.active, true),
      },
      dot(scene, agent),
      element("span", { class: "grow" }, scene.fullName(agent)),
      element("span", { class: "quiet" }, stateOf(scene, agent, row)),
    );
  }
}

const GROUPS = {
  violations: "Violations",
  waits: "Waits",
  arrivals: "Arrivals",
  changes: "Changes",
  refusals: "Refusals",
  captions: "Captions",
};

class EventList {
  constructor(player) {
    this.player = player;
    this.group = element("select", { "aria-label": "Which events", onchange: () => this.fill() });
    this.mine = element("input", { type: "checkbox", onchange: () => this.fill() });
    this.found = element("p", { class: "quiet" });
    this.list = new LongList("Events", 48, (entry) => this.#row(entry));
    this.content = [
      element("p", { class: "row" }, this.group, element("label", {}, this.mine, " selected agent only")),
      this.found,
      this.list.root,
    ];
  }

  fill() {
    const { scene } = this.player.active;
    this.#offer(new Set(scene.entries.map(({ group }) => group)));
    const { selected } = this.player;
    const fits = (entry) =>
      (this.group.value === "all" || entry.group === this.group.value) &&
      (!this.mine.checked || entry.agents.includes(selected));
    const entries = scene.entries.filter(fits);
    const { violations, verdict } = scene;
    const cut =
      violations.length < (verdict?.count ?? 0)
        ? ` (of ${count(verdict.count, "violation")} the first ${violations.length.toLocaleString("en")})`
        : "";
    this.found.textContent = count(entries.length, "event") + cut;
    this.list.show(entries);
    this.#revealNow(entries);
  }

  #offer(groups) {
    const chosen = this.group.value || "all";
    const options = Object.entries(GROUPS).filter(([group]) => groups.has(group));
    this.group.replaceChildren(
      ...[["all", "All events"], ...options].map(([value, name]) => element("option", { value }, name)),
    );
    this.group.value = groups.has(chosen) ? chosen : "all";
  }

  #revealNow(entries) {
    const next = entries.findIndex(({ row }) => row >= this.player.active.row);
    if (next > 0) this.list.reveal(next);
  }

  #row(entry) {
    const { player } = this;
    const { scene } = player.active;
    return element(
      "button",
      { type: "button", class: entry.group, title: entry.text, onclick: () => player.show(entry) },
      element("span", { class: "time" }, String(scene.startTime + entry.row)),
      element("span", { class: "grow" }, entry.text),
    );
  }
}

/** All of that, for one run at a time. */
export class Panel {
  constructor(player, activate) {
    this.card = new Card(player);
    this.agentList = new AgentList(player);
    this.eventList = new EventList(player);
    this.tabs = new Tabs("About the run", [
      { name: "Plan", content: [legend(), ...costsOf(player), factsOf(player)] },
      { name: "Agents", content: this.agentList.content, opened: () => this.agentList.fill() },
      { name: "Events", content: this.eventList.content, opened: () => this.eventList.fill() },
    ]);
    this.which = element("select", {
      "aria-label": "Run",
      onchange: () => activate(player.stages[this.which.selectedIndex]),
    });
    this.which.append(...player.scenes.map(({ label }) => element("option", {}, label)));
    this.which.hidden = player.scenes.length < 2;
    const inside = element("div", { class: "inside" }, this.card.root, this.which, this.tabs.root);
    this.root = element("aside", { "aria-label": "Details" }, inside);
  }

  /** Shows the run of a number, or what has changed about who is selected in it. */
  open(index, isAnother) {
    this.which.selectedIndex = index;
    if (isAnother) this.tabs.open(this.tabs.chosen);
    else if (this.tabs.chosen === 2 && this.eventList.mine.checked) this.eventList.fill();
    else this.#renderAgents();
  }

  /** Says what is so now. */
  update() {
    this.card.update();
    this.#renderAgents();
  }

  searchAgents() {
    this.tabs.open(1);
    this.agentList.search.focus();
  }

  #renderAgents() {
    if (this.tabs.chosen === 1) this.agentList.list.render();
  }
}
