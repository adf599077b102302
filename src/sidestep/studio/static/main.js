/** The studio's page: what is where, and who hears of what. */

import { Autosave } from "./autosave.js";
import { Results } from "./compare.js";
import { Editor } from "./editor.js";
import { Files } from "./files.js";
import { MOST_RUNS, Picker, field } from "./forms.js";
import { drawn } from "./instance.js";
import { keep, keepHere, kept, keptHere } from "./kept.js";
import { Live } from "./live.js";
import { Generators, Settings } from "./maps.js";
import { element, icon } from "./player.js";
import { Wire, get } from "./socket.js";
import { Store } from "./store.js";
import { scheme, switchTheme, theme } from "./theme.js";
import { Why } from "./why.js";

const byId = (id) => document.getElementById(id);
const VIEWS = ["draw", "result", "live"];

const FIRST = `
  a . . . # . . . C
  b . . . # . . . D
  . . . . . . . . .
  c . . . # . . . A
  d . . . # . . . B
`;

const KEYS = [
  ["1 2 3", "draw, result, live"],
  ["Ctrl+Enter", "solve; Esc cancels"],
  ["Ctrl+Z", "undo, with Shift redo"],
  ["Ctrl+O Ctrl+S", "open a file, save"],
  ["← ↑ → ↓", "on the map: go to another cell, with Shift five, with Alt the map moves"],
  ["Enter", "on the map: use the tool on that cell"],
  ["V W E A T", "on the map: select, draw walls, erase, place agents, put them into a team"],
  ["S P N", "on a live map: send, pause or go on, one turn"],
  ["Del Esc", "on the map: remove the selected agents, select nobody"],
  ["+ - 0", "zoom in, zoom out, everything"],
  ["Y", "why does the selected agent do this?"],
  ["Space ? …", "the player has keys of its own: ? in the player shows them"],
];

// What is said to the user

let silence;
function say(text, isFault = false) {
  const notice = byId("notice");
  const close = element(
    "button",
    { type: "button", class: "link", onclick: () => notice.classList.remove("on") },
    "Close",
  );
  const sentence = text[0].toUpperCase() + text.slice(1);
  notice.replaceChildren(element("p", {}, /[.?!…]$/.test(sentence) ? sentence : `${sentence}.`), close);
  notice.classList.toggle("fault", isFault);
  notice.classList.add("on");
  clearTimeout(silence);
  if (!isFault) silence = setTimeout(() => notice.classList.remove("on"), 6000);
}

// The page

/** Who loads the page again wants what was there, whatever the address or the command line say. */
const isAgain = performance.getEntriesByType("navigation")[0]?.type === "reload";

/** The name under which the server keeps what came of solves: another one for every page, also for a copy of it. */
function pageName() {
  const before = isAgain && keptHere("page");
  if (before) return before;
  keepHere("page", crypto.randomUUID().replaceAll("-", ""));
  for (const name of ["shown", "view"]) keepHere(name, "");
  return keptHere("page") ?? "";
}

class Studio {
  constructor(solvers, generators, formats) {
    this.wire = new Wire(pageName());
    this.store = new Store(drawn(FIRST));
    this.#terms();
    this.editor = new Editor({ store: this.store, say });
    this.settings = new Settings(this.store);
    this.generators = new Generators(generators, {
      store: this.store,
      say,
      made: (instance) => this.#opened(instance),
      busy: (isSo) => this.#generating(isSo),
    });
    this.results = new Results({ wire: this.wire, say, theme: () => this.theme, changed: () => this.#update() });
    this.why = new Why({ wire: this.wire, results: this.results });
    this.picker = new Picker(solvers, byId("chosen"), byId("solvers"), {
      changed: () => this.#update(),
      rules: () => this.store.instance.rules,
    });
    this.store.listen((isDone) => isDone && this.picker.warn());
    this.live = new Live(solvers, {
      wire: this.wire,
      store: this.store,
      say,
      seed: () => this.terms.seed,
      replay: (bytes, label) => this.#played(bytes, label),
    });
    this.files = new Files(formats, {
      store: this.store,
      wire: this.wire,
      results: this.results,
      picker: this.picker,
      terms: () => ({ ...this.terms, agents: this.generators.agents.value ?? 0 }),
      say,
      opened: (instance) => this.#opened(instance),
      played: (bytes, label) => this.#played(bytes, label),
    });
    this.picker.add(solvers[0]);
    this.autosave = new Autosave({ store: this.store, picker: this.picker, terms: this.fields });
    this.#listen();
    this.setTheme(theme());
  }

  #opened(instance) {
    this.editor.select(null);
    this.store.replace(instance);
    this.open("draw");
  }

  /** While a map is made, there is nothing to solve yet. */
  #generating(isSo) {
    this.isGenerating = isSo;
    byId("progress").textContent = isSo ? "Generating …" : "";
    this.#update();
  }

  #played(bytes, label) {
    this.results.showFile(bytes, label);
    this.open("result");
  }

  // Views

  open(name) {
    for (const view of VIEWS) {
      const isThis = view === name;
      byId(`view-${view}`).hidden = !isThis;
      byId(`tab-${view}`).setAttribute("aria-selected", String(isThis));
      byId(`tab-${view}`).tabIndex = isThis ? 0 : -1;
    }
    this.view = name;
    keepHere("view", name);
    byId("figures").hidden = name !== "result";
    byId("solve").classList.toggle("main", name !== "live");
    if (name !== "result") this.results.player?.pause();
    if (name === "live" && !this.live.isRunning && !this.live.state) this.live.start();
    for (const { board } of [this.editor, this.live]) board.resize();
  }

  /** Takes the panel beside the map away, or brings it back. */
  fold(isFolded) {
    document.body.classList.toggle("folded", isFolded);
    byId("fold").setAttribute("aria-pressed", String(!isFolded));
    keep("folded", String(isFolded));
  }

  #step(by) {
    const next = VIEWS[(VIEWS.indexOf(this.view) + by + VIEWS.length) % VIEWS.length];
    this.open(next);
    byId(`tab-${next}`).focus();
  }

  setTheme(name) {
    this.theme = name;
    document.documentElement.dataset.theme = name;
    this.editor.board.restyle(name);
    this.live.board.restyle(name);
    this.results.player?.setTheme(name);
  }

  // Solving

  #terms() {
    const seconds = field({ name: "seconds", label: "Time limit (s)", kind: "float", default: 30 });
    const seed = field({ name: "seed", kind: "int", default: 0 });
    byId("terms").append(seconds.root, seed.root);
    byId("terms").addEventListener("input", () => this.autosave?.soon());
    this.fields = { seconds, seed };
  }

  get terms() {
    return { seconds: this.fields.seconds.value ?? 30, seed: this.fields.seed.value ?? 0 };
  }

  solve() {
    const { runs } = this.picker;
    if (byId("solve").disabled) return;
    if (!this.store.instance.agents.length) {
      say("There are no agents to solve for: place some, or generate a map with agents.", true);
      return;
    }
    byId("notice").classList.remove("on");
    this.results.start(this.store.instance, runs, this.terms);
    this.open("result");
  }

  #update() {
    if (!this.picker || !this.results) return;
    this.autosave?.soon();
    const count = this.picker.runs.length;
    byId("solve").disabled = count === 0 || this.results.isSolving || this.isGenerating === true;
    byId("solve").textContent = count > 1 ? `Solve and compare ${count}` : "Solve";
    byId("cancel").hidden = !this.results.isSolving;
    const most = count >= MOST_RUNS ? " That is as many as there can be." : "";
    byId("picked").textContent =
      count === 0
        ? "Choose one or more to solve with."
        : count === 1
          ? "Choose more to compare them."
          : `${count} are compared.${most}`;
  }

  // Buttons and keys

  #listen() {
    VIEWS.forEach((view) => byId(`tab-${view}`).addEventListener("click", () => this.open(view)));
    byId("views").addEventListener("keydown", ({ key }) => {
      if (key === "ArrowRight") this.#step(1);
      if (key === "ArrowLeft") this.#step(-1);
    });
    byId("solve").addEventListener("click", () => this.solve());
    byId("cancel").addEventListener("click", () => this.results.cancel());
    byId("fold").addEventListener("click", () => this.fold(!document.body.classList.contains("folded")));
    this.fold(kept("folded") === "true");
    for (const id of ["theme", "help"]) byId(id).replaceChildren(icon(id));
    byId("theme").addEventListener("click", () => this.setTheme(switchTheme()));
    scheme.addEventListener("change", () => this.setTheme(theme()));
    byId("help").addEventListener("click", () => byId("help-dialog").showModal());
    byId("help-close").addEventListener("click", () => byId("help-dialog").close());
    byId("help-rows").append(
      ...KEYS.map(([keys, what]) => element("tr", {}, element("th", { scope: "row" }, keys), element("td", {}, what))),
    );
    // Before the player hears of it, which keeps its keys to itself.
    globalThis.addEventListener("keydown", (event) => this.#key(event), { capture: true });
  }

  #key(event) {
    if (byId("help-dialog").open) return;
    const act = event.ctrlKey || event.metaKey ? this.#withControl(event) : this.#plain(event);
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  #withControl({ key, shiftKey, target }) {
    const isText = target.matches?.("input:not([type=checkbox], [type=range])");
    const undoing = this.view === "live" ? this.live : this.store;
    return {
      Enter: () => this.solve(),
      o: () => byId("open").click(),
      s: () => this.#openSaveMenu(),
      ...(isText ? {} : { z: () => (shiftKey ? undoing.redo() : undoing.undo()), y: () => undoing.redo() }),
    }[key.length === 1 ? key.toLowerCase() : key];
  }

  #openSaveMenu() {
    byId("save-menu").open = true;
    byId("save-list").firstElementChild.focus();
  }

  #plain(event) {
    const target = event.composedPath()[0];
    if (event.altKey || target.matches?.("input:not([type=checkbox]), select, textarea")) return null;
    if (event.key === "Escape" && byId("save-menu").open) return () => this.#closeSaveMenu();
    if (event.key === "Escape" && this.results.isSolving) return () => this.results.cancel();
    const isInPlayer = event.composedPath().includes(byId("player"));
    return {
      1: () => this.open("draw"),
      2: () => this.open("result"),
      3: () => this.open("live"),
      ...(this.view === "result" ? { y: () => this.why.ask() } : {}),
      ...(isInPlayer ? {} : { "?": () => byId("help-dialog").showModal() }),
    }[event.key];
  }

  #closeSaveMenu() {
    byId("save-menu").open = false;
    byId("save-menu").querySelector("summary").focus();
  }
}

const [solvers, generators, formats, given] = await Promise.all(
  ["solvers", "generators", "formats", "given"].map((name) => get(`/api/${name}`)),
);
const studio = new Studio(solvers, generators, formats);
globalThis.studio = studio; // for tests and for the curious
const view = isAgain && keptHere("view");
studio.open("draw");
if (isAgain && studio.results.takeUp() && view === "result") studio.open("result");
if (!isAgain || !studio.autosave.restore()) {
  const isLinked = await studio.files.openLink();
  if (!isLinked && given) studio.files.showGiven(given);
  else if (!isLinked) studio.autosave.restore();
}
