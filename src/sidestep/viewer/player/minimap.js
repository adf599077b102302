/** The whole map in a corner. */

import { FEW } from "./cast.js";
import { element } from "./elements.js";

const MINI = [150, 110]; // pixels

/** The whole map in a corner, once only a part of it is in sight. */
export class MiniMap {
  constructor(stage) {
    this.stage = stage;
    this.canvas = element("canvas", { class: "mini", "aria-hidden": "true", hidden: "" });
  }

  draw() {
    const { view, backdrop, player, ratio } = this.stage;
    const { space } = view;
    this.canvas.hidden = view.scale <= view.fitScale * 1.4;
    if (this.canvas.hidden) return;
    this.scale = Math.min(MINI[0] / space.width, MINI[1] / space.height);
    this.#resize();
    const pen = this.canvas.getContext("2d");
    const scale = this.scale * ratio;
    pen.setTransform(scale, 0, 0, scale, -space.left * scale, -space.top * scale);
    pen.fillStyle = player.colours.floor;
    pen.fillRect(space.left, space.top, space.width, space.height);
    if (backdrop.bitmaps.map) pen.drawImage(backdrop.bitmaps.map.canvas, 0, 0, space.width, space.height);
    this.#drawAgents(pen, 2 / this.scale);
    pen.strokeStyle = player.colours.accent;
    pen.lineWidth = 1.5 / this.scale;
    pen.strokeRect(view.x, view.y, view.wide / view.scale, view.high / view.scale);
  }

  #resize() {
    const { view, ratio } = this.stage;
    const [wide, high] = [view.space.width, view.space.height].map((cells) => Math.max(12, cells * this.scale));
    if (this.canvas.width === Math.round(wide * ratio) && this.canvas.height === Math.round(high * ratio)) return;
    this.canvas.width = Math.round(wide * ratio);
    this.canvas.height = Math.round(high * ratio);
    this.canvas.style.width = `${wide}px`;
    this.canvas.style.height = `${high}px`;
  }

  #drawAgents(pen, size) {
    const { scene, row, player } = this.stage;
    if (scene.agents > 4 * FEW) return;
    pen.fillStyle = player.colours.accent;
    for (let agent = 0; agent < scene.agents; agent++) {
      const vertex = scene.vertex(agent, row);
      if (vertex >= 0) pen.fillRect(scene.space.x(vertex) - size / 2, scene.space.y(vertex) - size / 2, size, size);
    }
  }

  /** The point of the world under a point of the small map. */
  toWorld(x, y) {
    const { space } = this.stage.view;
    return [space.left + x / this.scale, space.top + y / this.scale];
  }
}
