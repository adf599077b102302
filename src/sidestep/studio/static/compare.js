/** The view of results: a table of runs, filled while they are solved, and the player beneath it. */

import { Board } from "./board.js";
import { labelOf } from "./forms.js";
import { bytesToBase64, fromJson, pictureOf, toJson } from "./instance.js";
import { keep, keepHere, kept, keptHere } from "./kept.js";
import { element, fromBase64, mount } from "./player.js";

const ALL = 255; // the index of the payload in which all runs are side by side
const SHOWN = "shown"; // what is shown, as the browser keeps it
const MOST_KEPT = 2e6; // bytes of a file's run that it keeps
const byId = (id) => document.getElementById(id);

/** What can be said about a run, and its row of the table. */
class Run {
  constructor(index, choice, show, ask) {
    Object.assign(this, { index, choice, result: null, payload: null, label: labelOf(choice) });
    this.cells = Array.from({ length: 6 }, (_, column) =>
      element("td", column > 0 && column < 5 ? { class: "number" } : {}),
    );
    this.button = element(
      "button",
      { type: "button", onclick: () => (this.payload ? show : ask)(this), "aria-label": `Play ${this.label}` },
      "Play",
    );
    this.button.disabled = true;
    const name = element("th", { scope: "row" }, this.label);
    this.row = element("tr", {}, name, ...this.cells, element("td", {}, this.button));
    this.#status("waiting");
  }

  #status(text, reason = "", kind = "quiet") {
    const words = [element("span", { class: kind }, text)];
    if (reason) words.push(element("span", { class: "reason" }, reason));
    this.cells[0].replaceChildren(...words);
  }

  progress({ seconds, nodes, text }) {
    this.#status("solving", text);
    this.#number(3, seconds === undefined ? "" : `${seconds.toFixed(1)} s`);
    this.cells[3].title = nodes ? `${nodes.toLocaleString("en")} nodes so far` : "";
  }

  /** A run that is not going to end any more. */
  stopped(text) {
    if (!this.result) this.#status(text);
  }

  end(result) {
    this.result = result;
    const { status, reason, cost, makespan, seconds, messages, bytes, nodes, valid, lower_bound: bound } = result;
    this.#status(status.replaceAll("_", " "), reason, cost === null || cost === undefined ? "warn" : "good");
    this.#number(1, grouped(cost));
    this.cells[1].title = bound === null || bound === undefined ? "" : `No plan costs less than ${bound}`;
    this.#number(2, grouped(makespan));
    this.#number(3, spokenSeconds(seconds));
    this.cells[3].title = nodes ? `${nodes.toLocaleString("en")} nodes` : "";
    this.#number(4, grouped(messages));
    this.cells[4].title = bytes ? `${bytes.toLocaleString("en")} bytes` : "";
    this.#verdict(valid, cost);
    if ((cost === null || cost === undefined) && status !== "refused") this.#offerWhy();
  }

  /** There is nothing to play, but it can be asked about. */
  #offerWhy() {
    Object.assign(this.button, { textContent: "Why?", disabled: false });
    this.button.setAttribute("aria-label", `Why has ${this.label} no plan?`);
    this.button.removeAttribute("aria-pressed");
  }

  /** Why there is no plan, instead of the solver's own words. */
  explain(text) {
    this.cells[0].lastChild.replaceWith(element("p", { class: "said", role: "status" }, text));
  }

  #number(column, text) {
    this.cells[column].textContent = text;
  }

  #verdict(valid, cost) {
    const hasPlan = cost !== null && cost !== undefined;
    const [words, kind] = !hasPlan
      ? ["no plan", "quiet"]
      : valid
        ? ["✓ valid", "good"]
        : valid === null
          ? ["not judged", "quiet"]
          : ["✕ invalid", "bad"];
    this.cells[5].replaceChildren(element("span", { class: kind }, words));
  }

  arrived(payload) {
    this.payload = payload;
    this.button.disabled = false;
  }

  mark(isShown, best) {
    this.row.classList.toggle("shown", isShown);
    if (this.payload) this.button.setAttribute("aria-pressed", String(isShown));
    for (const [column, name] of [
      [1, "cost"],
      [2, "makespan"],
      [3, "seconds"],
      [4, "messages"],
    ]) {
      const value = this.result?.[name];
      this.cells[column].classList.toggle("best", best[name] !== undefined && value === best[name]);
    }
  }
}

function grouped(number) {
  return number === null || number === undefined ? "-" : number.toLocaleString("en");
}

function spokenSeconds(seconds) {
  if (seconds === null || seconds === undefined) return "-";
  return seconds < 1 ? `${(1000 * seconds).toFixed(seconds < 0.01 ? 1 : 0)} ms` : `${seconds.toFixed(2)} s`;
}

const NAMED = 8; // agents that a sentence names

/** The map of a problem that nobody solved: who is cut off from its goal is marked. */
class Unsolved {
  constructor() {
    this.board = new Board(byId("unsolved-board"), { label: "The map that was not solved", said: () => {} });
  }

  hide() {
    byId("unsolved-board").hidden = byId("unsolved-says").hidden = true;
  }

  show(instance, runs, theme) {
    const cutOff = [...new Set(runs.flatMap(({ result }) => result?.cut_off ?? []))];
    const names = cutOff.slice(0, NAMED).map((agent) => instance.agents[agent].name);
    const more = cutOff.length > NAMED ? ` and ${cutOff.length - NAMED} more` : "";
    const isKnown = runs.some(({ result }) => result?.cut_off);
    byId("unsolved-says").textContent = cutOff.length
      ? `Cut off from the goal, whatever the others do: ${names.join(", ")}${more}.`
      : "Nobody is cut off from the goal: what is missing is a way past each other, or more time.";
    byId("unsolved-board").hidden = false;
    byId("unsolved-says").hidden = !isKnown;
    this.board.restyle(theme);
    this.board.selected = new Set(cutOff);
    this.board.show(pictureOf(instance));
  }
}

export class Results {
  constructor({ wire, say, theme, changed }) {
    Object.assign(this, { wire, say, theme, changed });
    this.host = byId("player");
    this.runs = [];
    this.job = null; // the id of the solve that is going on
    this.solve = null; // the id of the solve that is shown
    this.shown = null; // a run, ALL, or null
    this.player = null;
    this.listeners = [];
    this.allButton = byId("show-all");
    this.allButton.addEventListener("click", () => this.show(ALL, true));
    this.unsolved = new Unsolved();
    this.figures = byId("figures");
    this.figures.setAttribute("aria-pressed", String(kept("figures") === "true"));
    this.figures.addEventListener("click", () => this.#toggleFigures());
    byId("back-to-plan").addEventListener("click", () => this.show(this.shown));
  }

  get isSolving() {
    return this.job !== null;
  }

  /** Solves the instance with one run per choice; what is shown before stays until there is something new. */
  start(instance, choices, terms) {
    this.cancel();
    this.#lay(instance, choices);
    const began = performance.now();
    const drawn = toJson(instance);
    const message = { do: "solve", instance: drawn, runs: choices, ...terms };
    this.job = this.solve = this.wire.begin(message, (heard) => this.#heard(heard, this.solve));
    keepHere(SHOWN, JSON.stringify({ solve: this.solve, instance: drawn, choices }));
    this.timer = setInterval(() => this.#progress((performance.now() - began) / 1000), 200);
    this.#progress(0);
    this.changed();
  }

  /** Shows again what was shown before the page was loaded again; false if there was nothing. */
  takeUp() {
    try {
      const { solve, instance, choices, file, label } = JSON.parse(keptHere(SHOWN));
      if (file) this.showFile(fromBase64(file), label);
      else this.#takeUpSolve(solve, fromJson(instance), choices);
      return true;
    } catch {
      return false;
    }
  }

  #takeUpSolve(solve, instance, choices) {
    this.#lay(instance, choices);
    this.job = this.solve = solve;
    let isKept = false;
    this.wire.again(solve, (heard) => {
      isKept ||= Boolean(heard.result);
      if (heard.done && !isKept) this.#forget();
      else this.#heard(heard.done ? { done: true, cancelled: this.runs.some(({ result }) => !result) } : heard, solve);
    });
    this.changed();
  }

  /** The server has nothing of it any more. */
  #forget() {
    Object.assign(this, { runs: [], job: null, solve: null });
    keepHere(SHOWN, "");
    byId("runs-box").hidden = true;
    byId("no-result").hidden = false;
    this.changed();
  }

  /** The table for runs that have not begun. */
  #lay(instance, choices) {
    const [show, ask] = [(run) => this.show(run, true), (run) => this.#askWhy(run)];
    this.runs = choices.map((choice, index) => new Run(index, choice, show, ask));
    Object.assign(this, { instance, shown: null, all: null, isChosen: false, isFile: false });
    byId("runs").tBodies[0].replaceChildren(...this.runs.map(({ row }) => row));
    this.allButton.hidden = true;
    byId("runs-box").hidden = false;
    byId("no-result").hidden = true;
    this.unsolved.hide();
    this.#clear();
  }

  cancel() {
    if (this.job !== null) this.wire.cancel(this.job);
  }

  /** Why a run came to no plan. */
  async #askWhy(run) {
    const message = { do: "why", run: this.keyOf(run), detail: byId("why-detail").checked };
    try {
      run.explain((await this.wire.ask(message, "why").answered).why.text);
    } catch (error) {
      run.explain(`There is no answer: ${error.message}.`);
    }
  }

  #heard(message, solve) {
    if (solve !== this.solve) return; // of a solve that was left
    const run = this.runs[message.index];
    if (message.progress) run.progress(message.progress);
    else if (message.result) run.end(message.result);
    else if (message.bytes) this.#payload(message.index, message.bytes);
    if (message.done) this.#end(message);
    this.#mark();
  }

  #payload(index, bytes) {
    if (index === ALL) {
      this.all = bytes;
      this.allButton.hidden = false;
      if (!this.isChosen) this.show(ALL);
      return;
    }
    this.runs[index].arrived(bytes);
    if (this.shown === null) this.show(this.runs[index]);
  }

  #end({ error, cancelled }) {
    clearInterval(this.timer);
    this.job = null;
    for (const run of this.runs) run.stopped(cancelled ? "cancelled" : "not run");
    if (error) this.say(error, true);
    byId("progress").textContent = cancelled ? "Cancelled." : error ? "" : this.#summary();
    if (!this.runs.some(({ payload }) => payload)) this.unsolved.show(this.instance, this.runs, this.theme());
    this.changed();
  }

  #summary() {
    const solved = this.runs.filter(({ payload }) => payload).length;
    const [only] = this.runs;
    if (this.runs.length > 1) return `${solved} of ${this.runs.length} found a plan.`;
    return solved ? `${only.label}: cost ${only.result.cost}.` : `${only.label} found no plan.`;
  }

  #progress(seconds) {
    const at = this.runs.findIndex(({ result }) => !result);
    const run = this.runs[Math.max(at, 0)];
    if (at >= 0 && !run.cells[0].textContent.startsWith("solving")) run.progress({ text: "" });
    const which = this.runs.length > 1 ? ` (${Math.max(at, 0) + 1} of ${this.runs.length})` : "";
    byId("progress").textContent = `${run.label}${which}: ${seconds.toFixed(1)} s`;
  }

  #mark() {
    const best = {};
    const done = this.runs.filter(({ result, payload }) => result && payload);
    for (const name of ["cost", "makespan", "seconds", "messages"]) {
      const values = done.map(({ result }) => result[name]).filter((value) => typeof value === "number");
      if (done.length > 1 && values.length > 1) best[name] = Math.min(...values);
    }
    for (const run of this.runs) run.mark(this.shown === run, best);
    this.allButton.setAttribute("aria-pressed", String(this.shown === ALL));
  }

  // The player

  /** Shows one run, or ALL of them; `isChosen` when somebody wanted it so. */
  async show(what, isChosen = false) {
    if (what === null) return;
    if (isChosen) this.isChosen = true;
    this.shown = what;
    byId("what-if").hidden = true;
    this.#mark();
    await this.#mount(what === ALL ? this.all : what.payload);
  }

  /** Plays a payload that is not of a solve: that of a file or a trace. */
  async showFile(bytes, label) {
    this.cancel();
    const isSmall = bytes.length < MOST_KEPT;
    keepHere(SHOWN, isSmall ? JSON.stringify({ file: bytesToBase64(bytes), label }) : "");
    Object.assign(this, { runs: [], solve: null, shown: null, isFile: true, label });
    byId("runs-box").hidden = true;
    byId("no-result").hidden = true;
    byId("what-if").hidden = true;
    this.unsolved.hide();
    byId("progress").textContent = label;
    this.changed();
    await this.#mount(bytes);
  }

  /** Plays what would have been; `title` says what. */
  async showWhatIf(bytes, title, { agent, time }) {
    byId("what-if").hidden = false;
    byId("what-if-title").textContent = title;
    const player = await this.#mount(bytes, false);
    if (!player) return;
    this.pointAt({ agent, time });
    if (!player.still) player.play();
  }

  #clear() {
    this.player?.stop();
    this.player = null;
    this.host.classList.remove("mounted");
    this.host.shadowRoot?.replaceChildren();
    this.#tell();
  }

  async #mount(bytes, isPlan = true) {
    const turn = (this.turn = (this.turn ?? 0) + 1);
    this.player?.stop();
    this.host.classList.add("mounted");
    const player = await mount(this.host, bytes, { autoplay: false, theme: this.theme() });
    if (turn !== this.turn) return null; // something else is shown by now
    this.player = player;
    this.host.player = player;
    this.isPlan = isPlan;
    if (player) this.#trim(player, isPlan);
    if (player && isPlan && !player.still) player.play();
    if (player && [document.body, byId("solve")].includes(document.activeElement)) this.#focus(player);
    this.#tell();
    return player;
  }

  /** Hides what the studio says itself: the title, and beside several runs their figures. */
  #trim({ root }, isPlan) {
    root.querySelector(".header").hidden = true;
    const isWanted = this.figures.getAttribute("aria-pressed") === "true";
    root.querySelector("aside").hidden = !isWanted || (isPlan && this.shown === ALL);
  }

  /** Figures take room beside the map, so they are there when somebody wants them. */
  #toggleFigures() {
    const isWanted = this.figures.getAttribute("aria-pressed") !== "true";
    this.figures.setAttribute("aria-pressed", String(isWanted));
    keep("figures", String(isWanted));
    if (this.player) this.#trim(this.player, this.isPlan);
  }

  /** The focus moves on to the player, whose keys are wanted after Solve. */
  #focus({ active }) {
    active.surface.focus({ preventScroll: true });
  }

  #tell() {
    for (const listener of this.listeners) listener();
  }

  /** The run that a stage of the player shows; null for those of files and of what would have been. */
  runOf(stage) {
    if (!this.player || !this.isPlan || this.isFile) return null;
    if (this.shown !== ALL) return this.shown;
    const planned = this.runs.filter(({ payload }) => payload);
    return planned[this.player.stages.indexOf(stage)] ?? null;
  }

  /** Goes to a time, an agent and a place of the run that is shown, without asking anything about it. */
  pointAt({ agent, time, place = null, stage = this.player.active }) {
    const { player } = this;
    player.pause();
    player.seek(time - player.first);
    this.isPointing = true;
    player.select(stage.has(agent) ? agent : -1, stage, true);
    this.isPointing = false;
    if (place) player.pointAt(place[0] * stage.scene.space.width + place[1]);
  }

  /** How the server knows a run. */
  keyOf(run) {
    return [this.solve, run.index];
  }
}
