/** One run in the player: its map and the words around it. */

import { element } from "./elements.js";
import { Marks } from "./marks.js";
import { MiniMap } from "./minimap.js";
import { Narrator } from "./narrator.js";
import { within } from "./numbers.js";
import { Pointers } from "./pointers.js";
import { Screen } from "./screen.js";
import { count } from "./text.js";

export class Stage extends Screen {
  constructor(player, scene) {
    super(element("canvas", { class: "top", "aria-hidden": "true" }));
    this.player = this.look = player;
    this.put(scene);
    this.marks = new Marks(this);
    this.mini = new MiniMap(this);
    this.narrator = new Narrator(this);
    const canvases = [this.backdrop, this.cast, this.mini].map(({ canvas }) => canvas);
    this.surface = element("div", { class: "surface", role: "img", tabindex: "0" }, ...canvases);
    this.surface.style.setProperty("--slope", (scene.space.height / scene.space.width).toFixed(4));
    const { counts, ticker } = this.narrator;
    const caption = element("figcaption", {}, element("strong", {}, scene.label), badge(scene), counts);
    this.figure = element("figure", {}, caption, this.surface, ticker);
    new Pointers(this);
  }

  /** How many steps after the first of the runs this one begins. */
  get offset() {
    return this.scene.startTime - this.player.first;
  }

  /** The time of this run, in rows; a run that ends before the others stays at its end. */
  get time() {
    return within(0, this.player.time - this.offset, this.scene.steps);
  }

  resize() {
    this.fill(this.surface);
  }

  draw() {
    this.#follow(this.player.following);
    // A page must still scroll under a finger, as long as the whole map is in sight.
    this.surface.style.touchAction = this.view.scale > this.view.fitScale * 1.01 ? "none" : "pan-y";
    this.backdrop.draw();
    this.#drawMoving();
    this.mini.draw();
  }

  #drawMoving() {
    const { cast, marks } = this;
    const pen = this.pen(cast.canvas);
    cast.gather();
    marks.drawUnder(pen);
    cast.drawAgents(pen);
    marks.drawDetours(pen);
    cast.drawNames(pen);
    marks.drawOver(pen);
  }

  #follow(agent) {
    const point = this.has(agent) ? this.scene.point(agent, this.time) : null;
    if (point) this.view.look(...point);
  }

  has(agent) {
    return agent >= 0 && agent < this.scene.agents;
  }

  /** The vertex under a point of the canvas, or -1. */
  vertexAt(x, y) {
    return this.scene.space.at(...this.view.toWorld(x, y));
  }

  /** The agent under a point of the canvas, or -1. */
  pick(x, y) {
    const [worldX, worldY] = this.view.toWorld(x, y);
    const reach = Math.max(0.5, 9 / this.view.scale);
    let [best, nearest] = [-1, reach * reach];
    for (let agent = 0; agent < this.scene.agents; agent++) {
      const point = this.scene.point(agent, this.time);
      if (!point) continue;
      // From the cell of the agent, if it has several, that is nearest.
      const beyond = this.scene.size(agent) - 1;
      const [toX, toY] = [worldX - point[0], worldY - point[1]];
      const distance = (toX - within(0, toX, beyond)) ** 2 + (toY - within(0, toY, beyond)) ** 2;
      if (distance < nearest) [best, nearest] = [agent, distance];
    }
    return best;
  }
}

function badge({ verdict }) {
  if (!verdict) return element("span", { class: "badge" }, "not judged");
  if (verdict.valid) return element("span", { class: "badge good" }, "✓ valid");
  return element("span", { class: "badge bad" }, `✕ ${count(verdict.count, "violation")}`);
}
