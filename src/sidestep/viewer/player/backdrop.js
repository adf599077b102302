/** What stands still on a map. */

import { heatPixels, mapPixels } from "./bitmaps.js";
import { heatColour } from "./colours.js";
import { Dots, pixelOf } from "./dots.js";
import { element } from "./elements.js";
import { largest, within } from "./numbers.js";
import { arrow, disc, line, ring } from "./pen.js";

const SMALL = 1.6; // pixels of radius below which goals and starts are dots
const DOT = 2; // pixels a side
const BLOCK = 4; // pixels that a place of a heat map has at least

/** What stands: the map, its heat, goals and starts. Drawn only when something of it changes. */
export class Backdrop {
  constructor(screen) {
    this.screen = screen;
    this.canvas = element("canvas", { class: "base", "aria-hidden": "true" });
    this.bitmaps = {};
    this.dots = new Dots();
  }

  draw() {
    const { scene, view, look, row } = this.screen;
    const state = scene.history.at(row);
    const key = [state.version, view.version, look.style].join();
    if (key === this.drawn) return;
    this.drawn = key;
    const pen = this.screen.pen(this.canvas);
    if (scene.space.kind === "grid") this.#drawGrid(pen, state);
    else this.#drawGraph(pen, state);
    if (look.shows.goals) this.#drawGoals(pen, state.goals);
    if (look.shows.starts) this.#drawStarts(pen);
  }

  /** What was painted is not so any more: another map, or other goals. */
  forget({ map }) {
    this.drawn = null;
    if (map) this.bitmaps = {};
  }

  /** A cell of the map opened or closed: on large maps, all others need not be painted again. */
  repaint(vertex, isOpen) {
    const { space } = this.screen.scene;
    const painted = this.bitmaps.map?.canvas;
    const isPixel = painted?.width === space.width && painted.height === space.height;
    this.forget({ map: !isPixel });
    if (!isPixel) return;
    const { colours } = this.screen.look;
    const pen = painted.getContext("2d");
    pen.fillStyle = isOpen ? colours.floor : colours.wall;
    pen.fillRect(vertex % space.width, Math.floor(vertex / space.width), 1, 1);
  }

  #drawGrid(pen, state) {
    const { scene, view, look, ratio } = this.screen;
    const { space } = scene;
    const { scale } = view;
    const [left, top] = view.toScreen(0, 0);
    const place = [left, top, space.width * scale, space.height * scale];
    pen.imageSmoothingEnabled = scale * ratio < 1;
    pen.drawImage(
      this.#bitmap("map", state.walls, () => mapPixels(space, state.open, look.colours)),
      ...place,
    );
    if (look.heat !== "none") this.#drawHeat(pen, left, top);
    if (scale >= 9) this.#drawLines(pen, left, top);
    pen.strokeStyle = look.colours.wall;
    pen.lineWidth = within(1, scale / 6, 3);
    const out = pen.lineWidth / 2;
    pen.strokeRect(left - out, top - out, place[2] + 2 * out, place[3] + 2 * out);
  }

  /** Where cells are too small to be seen, those of a block of some pixels are counted together. */
  #drawHeat(pen, left, top) {
    const { scene, view, look } = this.screen;
    const { space } = scene;
    const block = view.scale >= BLOCK ? 1 : 2 ** Math.ceil(Math.log2(BLOCK / view.scale));
    const paint = () => heatPixels(space, scene.heat(look.heat), look.heat, block);
    const heat = this.#bitmap("heat", `${look.heat} ${block}`, paint);
    const [cellsWide, cellsHigh] =
      block === 1 ? [space.width, space.height] : [heat.width, heat.height].map((n) => n * block);
    pen.imageSmoothingEnabled = false;
    pen.drawImage(heat, left, top, cellsWide * view.scale, cellsHigh * view.scale);
  }

  /** One pixel per cell, painted once and stretched by the browser. */
  #bitmap(name, key, paint) {
    const full = `${key} ${this.screen.look.theme}`;
    if (this.bitmaps[name]?.key !== full) this.bitmaps[name] = { key: full, canvas: paint() };
    return this.bitmaps[name].canvas;
  }

  #drawLines(pen, left, top) {
    const { view, look } = this.screen;
    const { scale, space } = view;
    const cols = visibleRange(left, view.wide, space.width, scale);
    const rows = visibleRange(top, view.high, space.height, scale);
    const [x, y] = [(col) => left + col * scale, (row) => top + row * scale];
    pen.beginPath();
    for (let col = cols[0]; col <= cols[1]; col++) line(pen, x(col), y(rows[0]), x(col), y(rows[1]));
    for (let row = rows[0]; row <= rows[1]; row++) line(pen, x(cols[0]), y(row), x(cols[1]), y(row));
    pen.strokeStyle = look.colours.line;
    pen.lineWidth = 1;
    pen.stroke();
  }

  #drawGraph(pen, state) {
    const { view, look } = this.screen;
    const { space, scale } = view;
    pen.strokeStyle = look.colours.edge;
    pen.lineWidth = within(0.6, scale * 0.06, 3);
    pen.beginPath();
    for (let index = 0; index < space.edges.length; index += 2) {
      const [from, to] = [space.edges[index], space.edges[index + 1]];
      line(pen, ...view.spot(from), ...view.spot(to));
      if (space.directed && scale >= 14) arrow(pen, view.spot(from), view.spot(to), 0.14 * scale);
    }
    pen.stroke();
    this.#drawVertices(pen, state);
  }

  #drawVertices(pen, state) {
    const { scene, view, look } = this.screen;
    const radius = Math.max(1, view.scale * 0.1);
    const heat = look.heat === "none" ? null : scene.heat(look.heat);
    const most = heat ? largest(heat) || 1 : 1;
    for (let vertex = 0; vertex < scene.space.n; vertex++) {
      const [x, y] = view.spot(vertex);
      if (!view.isNear(x, y, 3 * radius)) continue;
      const share = heat ? heat[vertex] / most : 0;
      const closed = !state.open[vertex];
      pen.fillStyle = share ? heatColour(look.heat, share) : closed ? look.colours.wall : look.colours.edge;
      disc(pen, x, y, share ? radius * 3 : closed ? radius * 2.2 : radius);
    }
  }

  #drawGoals(pen, goals) {
    const { scene, view, look } = this.screen;
    const radius = view.scale * 0.3;
    if (radius < SMALL && !scene.sizes) return this.#drawDots(pen, goals);
    pen.lineWidth = within(1, view.scale * 0.09, 4);
    scene.agentsByHue.forEach((agents, hue) => {
      pen.strokeStyle = look.colours.faint[hue];
      pen.beginPath();
      for (const agent of agents) {
        const goal = goals[agent];
        if (goal < 0 || goal >= scene.space.n) continue;
        const [x, y] = view.spot(goal);
        if (!view.isNear(x, y, radius + view.scale * (scene.size(agent) - 1))) continue;
        const side = 2 * radius + view.scale * (scene.size(agent) - 1);
        if (scene.size(agent) > 1) pen.rect(x - radius, y - radius, side, side);
        ring(pen, x, y, Math.max(radius, 0.8));
      }
      pen.stroke();
    });
  }

  /** A place of every agent, where cells are too small for more than a dot. */
  #drawDots(pen, places) {
    const { scene, view, look, ratio } = this.screen;
    const { dots } = this;
    dots.begin(pen, ratio);
    scene.agentsByHue.forEach((agents, hue) => {
      const pixel = pixelOf(look.colours.faint[hue]);
      for (const agent of agents) {
        const place = places[agent];
        if (place < 0 || place >= scene.space.n) continue;
        const x = (scene.space.x(place) - view.x) * view.scale;
        const y = (scene.space.y(place) - view.y) * view.scale;
        if (view.isNear(x, y, 0)) dots.put(x, y, DOT, pixel);
      }
    });
    dots.end(pen);
  }

  #drawStarts(pen) {
    const { scene, view, look } = this.screen;
    const half = Math.max(1, view.scale * 0.2);
    if (half < SMALL) return this.#drawDots(pen, scene.starts);
    pen.lineWidth = within(0.8, view.scale * 0.05, 3);
    scene.agentsByHue.forEach((agents, hue) => {
      pen.strokeStyle = look.colours.faint[hue];
      pen.beginPath();
      for (const agent of agents) {
        if (scene.starts[agent] < 0) continue;
        const [x, y] = view.spot(scene.starts[agent]);
        if (view.isNear(x, y, half)) pen.rect(x - half, y - half, 2 * half, 2 * half);
      }
      pen.stroke();
    });
  }
}

/** The first and the last line between cells that is in sight. */
function visibleRange(offset, pixels, cells, scale) {
  return [Math.max(0, Math.floor(-offset / scale)), Math.min(cells, Math.ceil((pixels - offset) / scale))];
}
