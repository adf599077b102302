/** What is under the maps: time, speed, zoom, and what is shown. */

import { drawChart } from "./chart.js";
import { element, icon, iconButton } from "./elements.js";
import { canSearchForAll } from "./scene.js";

export const SPEEDS = [0.5, 1, 2, 4, 8, 16, 32, 64]; // steps per second

/** What can be shown or not: its name, and whether it is at first. */
export const SHOWN = {
  goals: ["Goals", true],
  starts: ["Starts", false],
  trails: ["Trails", true],
  names: ["Names", true],
  waits: ["Waits", true],
  detours: ["Detours", false],
  collisions: ["Collisions", true],
};

const HEATS = { none: "No heat map", occupancy: "Heat: where agents were", waiting: "Heat: where they waited" };

export class Controls {
  constructor(player) {
    this.player = player;
    this.playButton = iconButton("play", "Play", () => player.toggle());
    this.scrubber = element("input", {
      type: "range",
      min: "0",
      max: String(player.steps),
      step: "any",
      value: "0",
      "aria-label": "Time",
    });
    this.scrubber.addEventListener("input", () => player.seek(Number(this.scrubber.value)));
    this.charts = player.scenes.map(() => element("canvas", { class: "chart", "aria-hidden": "true" }));
    this.clock = element("span", { class: "clock" });
    this.menu = this.#showMenu();
    const track = element("div", { class: "track" }, ...this.charts, this.scrubber);
    this.root = element("div", { class: "controls" }, track, this.#buttons());
  }

  #buttons() {
    const { player } = this;
    return element(
      "div",
      { class: "row" },
      iconButton("start", "To the beginning", () => player.seek(0)),
      iconButton("back", "One step back", () => player.step(-1)),
      this.playButton,
      iconButton("forth", "One step forth", () => player.step(1)),
      iconButton("end", "To the end", () => player.seek(player.steps)),
      this.clock,
      this.#speedBox(),
      element("span", { class: "grow" }),
      iconButton("further", "Zoom out", () => player.zoom(1 / 1.5)),
      iconButton("closer", "Zoom in", () => player.zoom(1.5)),
      iconButton("fit", "Show everything", () => player.fit()),
      this.menu,
    );
  }

  #speedBox() {
    this.speedBox = element("select", {
      "aria-label": "Speed",
      onchange: () => this.player.setSpeed(SPEEDS[this.speedBox.selectedIndex]),
    });
    this.speedBox.append(
      ...SPEEDS.map((speed) => element("option", {}, `${speed} ${speed === 1 ? "step" : "steps"}/s`)),
    );
    this.showSpeed();
    return this.speedBox;
  }

  #showMenu() {
    const { player } = this;
    this.boxes = {};
    const tooMany = player.scenes.some((scene) => !canSearchForAll(scene));
    const lines = Object.entries(SHOWN).map(([name, [label]]) => {
      const box = element("input", { type: "checkbox", onchange: () => player.setShown(name, box.checked) });
      box.checked = player.shows[name];
      this.boxes[name] = box;
      return element("label", {}, box, ` ${label}${name === "detours" && tooMany ? " of the selected agent" : ""}`);
    });
    this.heatBox = element("select", { "aria-label": "Heat map", onchange: () => player.setHeat(this.heatBox.value) });
    this.heatBox.append(...Object.entries(HEATS).map(([value, name]) => element("option", { value }, name)));
    return element(
      "details",
      { class: "menu" },
      element("summary", {}, "Show"),
      element("div", {}, ...lines, this.heatBox),
    );
  }

  showSpeed() {
    this.speedBox.selectedIndex = SPEEDS.indexOf(this.player.speed);
  }

  showPlaying() {
    const label = this.player.playing ? "Pause" : "Play";
    this.playButton.setAttribute("aria-label", label);
    this.playButton.title = label;
    this.playButton.replaceChildren(icon(this.player.playing ? "pause" : "play"));
  }

  /** Puts the slider where the time is. */
  showTime() {
    const { time } = this.player;
    if (Number(this.scrubber.value) !== time) this.scrubber.value = String(time);
  }

  /** Says the time in words. */
  sayTime() {
    const { first, steps, time } = this.player;
    this.clock.textContent = `time ${first + Math.floor(time + 1e-9)} of ${first + steps}`;
    this.scrubber.setAttribute("aria-valuetext", this.clock.textContent);
  }

  drawCharts() {
    this.charts.forEach((canvas, index) => drawChart(canvas, this.player.stages[index]));
  }
}
