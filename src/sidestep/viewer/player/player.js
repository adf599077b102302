/**
 * The player: the clock, and what can be asked of it.
 *
 * The host hears a `selected` event whenever an agent is selected or let go, by a click or otherwise. Whatever
 * comes from a payload reaches the page as text, never as markup.
 */

import { coloursOf } from "./colours.js";
import { Controls, SHOWN, SPEEDS } from "./controls.js";
import { element, iconButton } from "./elements.js";
import { helpDialog, press } from "./keys.js";
import { largest, smallest, within } from "./numbers.js";
import { Panel } from "./panels.js";
import { canSearchForAll } from "./scene.js";
import { Stage } from "./stage.js";
import { STYLES } from "./styles.js";

const WORDS_EVERY = 250; // milliseconds between updates of text while playing
const NARROW = 620; // pixels, as in the styles: a phone
const FOLLOWED = 14; // pixels per cell at least, around an agent that is followed
const SEARCH_MS = 8; // per frame, for the distances that detours need

export class Player {
  /** Shows `scenes` under a `title` and a `note` in a host element; `isPage` when the page is the player's own. */
  constructor(host, content, { isPage = false, autoplay = true, theme = "auto" } = {}) {
    Object.assign(this, { host, isPage, scenes: content.scenes });
    this.first = smallest(this.scenes.map(({ startTime }) => startTime)); // runs are shown in step
    this.steps = largest(this.scenes.map(({ startTime, steps }) => startTime + steps)) - this.first;
    this.time = 0; // in steps from the first time on
    this.speed = SPEEDS.find((speed) => speed >= 2 && this.steps / speed <= 45) ?? SPEEDS.at(-1);
    this.playing = false;
    this.selected = this.following = -1;
    this.pointed = -1; // the place that was pointed at
    this.heat = "none";
    this.frames = 0;
    this.shows = Object.fromEntries(Object.entries(SHOWN).map(([name, [, on]]) => [name, on]));
    this.style = 0; // changes whenever things are to look different
    this.still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.stages = this.scenes.map((scene) => new Stage(this, scene));
    this.active = this.stages[0];
    this.#build(content);
    this.setTheme(theme);
    this.#listen();
    this.#layout();
    if (this.note && this.root.clientWidth < NARROW) this.note.open = false;
    this.#words(0);
    if (autoplay && !this.still && this.steps > 0) this.play();
  }

  // Construction

  #build({ title, note }) {
    const root = this.host.shadowRoot ?? this.host.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLES);
    root.adoptedStyleSheets = [sheet];
    this.live = element("div", { class: "unseen", "aria-live": "polite" });
    this.help = helpDialog(this.isPage);
    this.panel = new Panel(this, (stage) => this.#activate(stage));
    this.controls = new Controls(this);
    const middle = element("div", { class: "middle" }, this.#stagesBox(), this.panel.root);
    const parts = [this.#header(title, note), middle, this.controls.root, this.help, this.live];
    this.root = element(this.isPage ? "main" : "div", { class: "player" }, ...parts);
    root.replaceChildren(this.root);
  }

  #header(title, note) {
    const lines = note.split("\n").filter(Boolean);
    const words = element("div", { class: "grow" }, element(this.isPage ? "h1" : "h2", {}, title));
    if (lines.length) {
      this.note = element(
        "details",
        { class: "note", open: "" },
        element("summary", {}, "What is this?"),
        ...lines.map((text) => element("p", {}, text)),
      );
      words.append(this.note);
    }
    return element(
      "div",
      { class: "header" },
      words,
      iconButton("theme", "Light or dark", () => this.setTheme(this.theme === "dark" ? "light" : "dark")),
      iconButton("help", "Keys and gestures", () => this.help.showModal()),
    );
  }

  #stagesBox() {
    const box = element("div", { class: "stages" }, ...this.stages.map(({ figure }) => figure));
    const columns = this.stages.length <= 3 ? this.stages.length : Math.ceil(this.stages.length / 2);
    box.style.setProperty("--columns", columns);
    return box;
  }

  #listen() {
    const keys = this.isPage ? document : this.root;
    this.onKey = (event) => press(this, event);
    keys.addEventListener("keydown", this.onKey);
    this.root.addEventListener("pointerdown", (event) => {
      const { menu } = this.controls;
      if (!event.composedPath().includes(menu)) menu.open = false;
    });
    this.sizes = new ResizeObserver(() => this.#layout());
    for (const { surface } of this.stages) this.sizes.observe(surface);
    this.scheme = matchMedia("(prefers-color-scheme: dark)");
    this.onScheme = () => this.setTheme(this.chosenTheme);
    this.scheme.addEventListener("change", this.onScheme);
    this.stop = () => {
      keys.removeEventListener("keydown", this.onKey);
      this.sizes.disconnect();
      this.scheme.removeEventListener("change", this.onScheme);
      this.pause();
    };
  }

  // What can be asked of it

  play() {
    if (this.playing || this.steps === 0) return;
    if (this.time >= this.steps) this.time = 0;
    this.playing = true;
    this.lastFrame = null;
    this.#playChanged();
    this.invalidate();
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this.#playChanged();
    this.#say();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  /** Goes to a row, which may be between two. */
  seek(time) {
    this.time = within(0, Number.isFinite(time) ? time : 0, this.steps);
    this.#moved();
    if (!this.playing) this.#say();
  }

  step(steps) {
    this.pause();
    const from = steps > 0 ? Math.floor(this.time + 1e-6) : Math.ceil(this.time - 1e-6);
    this.seek(from + steps);
  }

  setSpeed(speed) {
    this.speed = speed;
    this.controls.showSpeed();
  }

  setShown(name, on) {
    this.shows[name] = on;
    this.controls.boxes[name].checked = on;
    this.#restyle();
  }

  setHeat(kind) {
    this.heat = kind;
    this.controls.heatBox.value = kind;
    this.#restyle();
  }

  setTheme(theme) {
    this.chosenTheme = theme;
    const dark = theme === "auto" ? matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark";
    this.theme = dark ? "dark" : "light";
    this.host.dataset.theme = this.theme;
    this.colours = coloursOf(this.root, this.theme);
    this.#restyle();
  }

  /** Selects an agent (-1: none) and, where asked, brings it into sight. */
  select(agent, stage = this.active, bringIntoSight = false) {
    this.selected = agent;
    this.pointed = -1;
    if (agent < 0) this.following = -1;
    else if (this.following >= 0) this.following = agent;
    this.#activate(stage);
    if (bringIntoSight && agent >= 0) this.#bringIntoSight(stage, agent);
    this.panel.card.update();
    if (!this.playing) this.#say();
    this.invalidate();
    this.host.dispatchEvent(new CustomEvent("selected", { detail: { agent, stage } }));
  }

  /** Tells the page where a click was; it may take the click for itself by `preventDefault`. */
  mayBeClicked(stage, spot) {
    const detail = { stage, vertex: stage.vertexAt(...spot), agent: stage.pick(...spot) };
    return this.host.dispatchEvent(new CustomEvent("clicked", { detail, cancelable: true }));
  }

  /** Selects who is clicked; where questions can be asked, a place without anybody is what they are about. */
  click(stage, spot) {
    const [agent, vertex] = [stage.pick(...spot), stage.vertexAt(...spot)];
    const isAsked = agent < 0 && vertex >= 0 && this.selected >= 0 && Boolean(stage.scene.question);
    if (!isAsked) return this.select(agent, stage);
    this.pause();
    this.pointAt(vertex);
    this.panel.card.update();
  }

  /** Points at a place of the active run, bringing it into sight, until an agent is selected. */
  pointAt(vertex) {
    this.pointed = vertex;
    const { view } = this.active;
    if (!view.isNear(...view.spot(vertex), -20)) {
      view.look(view.space.x(vertex), view.space.y(vertex));
      this.viewChanged(this.active);
    }
    this.invalidate();
  }

  /** Keeps an agent in the middle of the map; -1 lets go. */
  follow(agent) {
    if (agent === this.following) return;
    this.following = agent;
    if (agent >= 0) for (const { view } of this.stages) if (view.scale < FOLLOWED) view.zoom(FOLLOWED / view.scale);
    this.panel.card.update();
    this.invalidate();
  }

  zoom(factor) {
    this.active.view.zoom(factor);
    this.viewChanged(this.active);
  }

  fit() {
    this.follow(-1);
    for (const { view } of this.stages) view.fit();
    this.invalidate();
  }

  /** Goes to an entry of the list of events. */
  show(entry) {
    const { row, moment = row, agents } = entry;
    this.pause();
    this.select(agents.length ? agents[0] : -1);
    this.seek(this.active.offset + moment);
    this.shown = { entry, time: this.time };
    if (agents.length) this.#bringIntoSight(this.active, agents[0]);
  }

  /** Goes to the next or the previous violation in any of the runs. */
  showViolation(direction) {
    const all = this.stages.flatMap((stage) =>
      stage.scene.faults.map((entry) => ({ stage, entry, time: stage.offset + entry.row })),
    );
    all.sort((one, two) => one.time - two.time);
    // Several may be of one time: from one that is shown, its neighbour in the list is next.
    const here = this.shown?.time === this.time ? all.findIndex(({ entry }) => entry === this.shown.entry) : -1;
    const ahead = all.filter(({ time }) => (direction > 0 ? time > this.time + 0.5 : time < this.time));
    const next = here >= 0 ? all[here + direction] : direction > 0 ? ahead[0] : ahead.at(-1);
    if (!next) return;
    this.#activate(next.stage);
    this.show(next.entry);
  }

  /** Moves all maps alike when they show the same space. */
  viewChanged({ view }) {
    for (const { view: other } of this.stages) {
      const alike = other.space.width === view.space.width && other.space.height === view.space.height;
      if (other === view || !alike) continue;
      other.look(...view.middle, view.scale);
      other.fitted = view.fitted;
    }
    this.invalidate();
  }

  /** What is shown now, for tests and for those who embed the player. */
  get state() {
    const { time, playing, speed, selected, following, heat, theme, frames } = this;
    return {
      time,
      playing,
      speed,
      selected,
      following,
      heat,
      theme,
      frames,
      steps: this.steps,
      scenes: this.stages.map((stage) => this.#stateOf(stage)),
    };
  }

  #stateOf({ scene, row, view, surface, narrator }) {
    const vertices = Array.from(scene.rows.subarray(row * scene.agents, (row + 1) * scene.agents));
    const { left, top } = surface.getBoundingClientRect();
    const { x, y, scale } = view;
    return {
      label: scene.label,
      row,
      vertices,
      origin: [left, top],
      view: { x, y, scale },
      ticker: narrator.ticker.textContent,
    };
  }

  // Behind the scenes

  /** Draws soon; however often it is asked, once per frame of the browser. */
  invalidate() {
    this.pending ??= requestAnimationFrame((now) => this.#frame(now));
  }

  #frame(now) {
    this.pending = null;
    this.frames++;
    if (this.playing) this.#advance(now);
    this.searchUntil = performance.now() + SEARCH_MS;
    for (const stage of this.stages) stage.draw();
    this.controls.showTime();
    if (!this.playing || now - (this.lastWords ?? 0) > WORDS_EVERY) this.#words(now);
    if (this.playing) this.invalidate();
  }

  #advance(now) {
    // A tab that was hidden for a while goes on where it was.
    const seconds = this.lastFrame === null ? 0 : Math.min((now - this.lastFrame) / 1000, 0.25);
    this.lastFrame = now;
    this.exact =
      (this.exact !== undefined && Math.floor(this.exact) === Math.floor(this.time) ? this.exact : this.time) +
      seconds * this.speed;
    this.time = Math.min(this.still ? Math.floor(this.exact) : this.exact, this.steps);
    if (this.time >= this.steps) this.pause();
  }

  #moved() {
    this.exact = undefined;
    this.invalidate();
  }

  #layout() {
    for (const stage of this.stages) stage.resize();
    this.controls.drawCharts();
    this.invalidate();
  }

  #restyle() {
    if (!this.root) return;
    this.style++;
    this.controls.drawCharts();
    this.invalidate();
  }

  #activate(stage) {
    const changed = this.active !== stage;
    this.active = stage;
    this.panel.open(this.stages.indexOf(stage), changed);
  }

  #bringIntoSight(stage, agent) {
    const { scene, view, time } = stage;
    const point = scene.point(agent, time);
    if (!point || view.isNear(...view.toScreen(...point), -20)) return;
    view.look(...point);
    this.viewChanged(stage);
  }

  /** Does an agent make a detour, as far as that is known by now? */
  strays(scene, agent, row) {
    if (!canSearchForAll(scene)) return agent === this.selected && scene.strays(agent, row);
    if (performance.now() > this.searchUntil) {
      this.invalidate(); // the rest follows in the next frames
      return false;
    }
    return scene.strays(agent, row);
  }

  #playChanged() {
    this.controls.showPlaying();
    this.lastWords = undefined;
    this.invalidate();
  }

  #words(now) {
    this.lastWords = now;
    for (const { narrator } of this.stages) narrator.speak(now);
    this.panel.update();
    this.controls.sayTime();
  }

  /** Says where we are to those who listen. */
  #say() {
    this.#words(performance.now());
    const several = this.stages.length > 1;
    const parts = this.stages.map(
      ({ scene, narrator: { counts, ticker } }) =>
        `${several ? `${scene.label}: ` : ""}${counts.textContent}. ${ticker.textContent}`,
    );
    this.live.textContent = `${this.controls.clock.textContent}. ${parts.join(" ")}`;
  }
}
