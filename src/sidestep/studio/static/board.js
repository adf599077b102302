/**
 * A map on a canvas that one can work on: with mouse, pen, fingers or the keyboard.
 *
 * It is drawn as the player draws it. `show(picture)` says what is there: `{height, width, walls, agents: [{name,
 * from, at, goal, hue, size, facing}]}` with vertices, -1 for nowhere, and `from` for where an agent comes from while it moves;
 * with `tasks: [vertex]` where tasks that are open begin.
 * Walls of another picture are another array; those of one change by `paint`. `tool` says what happens: its
 * `press(cell, how)` may return false to let the map be moved instead, `move(cell)` and `release(cell)` follow,
 * or `abort()` when a second finger makes it a gesture.
 */

import { coloursOf, element, line, ring, Scene, Screen } from "./player.js";

export const FACINGS = ["N", "E", "S", "W"];
const LED = 10; // selected agents up to which lines lead to their goals
const AIMED = 150; // agents up to which lines lead to their goals
const PANNED = 40; // pixels that a key moves the map

export class Board extends Screen {
  constructor(box, { label, said }) {
    super(element("canvas", { tabindex: "0", role: "application", "aria-label": label }));
    Object.assign(this, { box, said, tool: null, cursor: [0, 0], selected: new Set(), frame: null });
    this.canvas = this.cast.canvas;
    this.canvas.setAttribute("aria-roledescription", "map");
    box.append(this.canvas);
    this.picture = null;
    this.routes = new Map(); // per selected agent the places that it goes to after its goal
    this.look = null;
    this.part = () => 1; // how far agents have come from `from` to `at`
    this.time = 1;
    this.pointers = new Map();
    this.held = null; // the pointer that the tool follows
    this.focused = false;
    this.#listen();
  }

  /** Shows a picture; a map of another size is shown whole. */
  show(picture) {
    const isAnotherMap = this.picture?.walls !== picture.walls;
    if (isAnotherMap) this.open = picture.walls.map((wall) => 1 - wall);
    this.picture = picture;
    this.put(sceneOf(picture, this.open));
    const { height, width } = picture;
    this.cursor = [Math.min(this.cursor[0], height - 1), Math.min(this.cursor[1], width - 1)];
    this.backdrop.forget({ map: isAnotherMap });
    this.resize();
    this.invalidate();
  }

  /** Makes a cell of the picture a wall, or no longer. */
  paint(vertex, wall) {
    this.picture.walls[vertex] = wall;
    this.open[vertex] = this.scene.history.open[vertex] = wall ? 0 : 1;
    this.backdrop.repaint(vertex, !wall);
    this.invalidate();
  }

  restyle(theme) {
    const style = (this.look?.style ?? 0) + 1;
    this.look = {
      colours: coloursOf(this.box, theme),
      theme,
      style,
      shows: { goals: true, names: true },
      heat: "none",
    };
    this.invalidate();
  }

  invalidate() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.#draw();
    });
  }

  resize() {
    if (!this.view || !this.box.clientWidth || !this.box.clientHeight) return;
    this.fill(this.box);
    this.invalidate();
  }

  zoom(factor) {
    this.view.zoom(factor);
    this.invalidate();
  }

  fit() {
    this.view.fit();
    this.invalidate();
  }

  /** The cell under a point of the canvas, or null. */
  cellAt(x, y) {
    const [col, row] = this.view.toWorld(x, y).map(Math.floor);
    const { height, width } = this.picture;
    return row >= 0 && col >= 0 && row < height && col < width ? [row, col] : null;
  }

  /** The point of the window where a cell is, for tests and for menus. */
  spotOf([row, col]) {
    const { left, top } = this.canvas.getBoundingClientRect();
    const [x, y] = this.view.toScreen(col + 0.5, row + 0.5);
    return [left + x, top + y];
  }

  vertex([row, col]) {
    return row * this.picture.width + col;
  }

  // Drawing

  #draw() {
    if (!this.scene || !this.view.wide || !this.look) return;
    this.time = this.part();
    this.backdrop.draw();
    const { cast, look } = this;
    const pen = this.pen(cast.canvas);
    pen.drawImage(this.backdrop.canvas, 0, 0, this.view.wide, this.view.high);
    cast.gather();
    if (this.picture.trails) this.#drawTrails(pen);
    if (this.picture.aims && this.scene.agents <= AIMED) this.#drawAims(pen);
    this.#drawTasks(pen);
    cast.drawAgents(pen);
    cast.drawNames(pen);
    this.#drawSelection(pen);
    if (this.focused) this.#frameCell(pen, this.cursor, look.colours.accent, [5, 3]);
    if (this.area) this.#drawArea(pen, ...this.area);
    if (this.time < 1) this.invalidate();
  }

  #drawAims(pen) {
    const { view, look } = this;
    pen.globalAlpha = 0.35;
    pen.lineWidth = Math.max(1.2, view.scale * 0.07);
    for (const { at, goal, hue } of this.picture.agents) {
      if (at < 0 || goal < 0) continue;
      pen.strokeStyle = look.colours.agents[hue];
      pen.beginPath();
      line(pen, ...view.spot(at), ...view.spot(goal));
      pen.stroke();
    }
    pen.globalAlpha = 1;
  }

  /** Open tasks as diamonds. */
  #drawTasks(pen) {
    const { view, look } = this;
    const size = Math.max(view.scale * 0.34, 3);
    pen.fillStyle = look.colours.detour;
    pen.beginPath();
    for (const vertex of this.picture.tasks ?? []) {
      const [x, y] = view.spot(vertex);
      if (!view.isNear(x, y, size)) continue;
      pen.moveTo(x, y - size);
      pen.lineTo(x + size, y);
      pen.lineTo(x, y + size);
      pen.lineTo(x - size, y);
      pen.closePath();
    }
    pen.fill();
  }

  /** Where agents were in the last turns, the longer ago the fainter. */
  #drawTrails(pen) {
    const { view, look } = this;
    const { trails, agents } = this.picture;
    pen.lineWidth = Math.max(1.5, view.scale * 0.16);
    pen.lineCap = "round";
    for (let turn = 1; turn < trails.length; turn++) {
      pen.globalAlpha = (0.4 * turn) / trails.length;
      agents.forEach(({ hue }, agent) => {
        const [from, to] = [trails[turn - 1][agent] ?? -1, trails[turn][agent] ?? -1];
        if (from < 0 || to < 0 || from === to) return;
        pen.strokeStyle = look.colours.agents[hue];
        pen.beginPath();
        line(pen, ...view.spot(from), ...view.spot(to));
        pen.stroke();
      });
    }
    pen.globalAlpha = 1;
  }

  #drawSelection(pen) {
    const { view, look, picture } = this;
    pen.strokeStyle = look.colours.accent;
    pen.lineWidth = 2.5;
    for (const index of this.selected) {
      const agent = picture.agents[index];
      const point = agent && this.scene.point(index, this.time);
      if (!point) continue;
      const spot = view.toScreen(...point);
      const side = view.scale * (this.scene.size(index) - 0.08);
      pen.beginPath();
      if (this.scene.size(index) > 1) pen.rect(spot[0] - view.scale * 0.46, spot[1] - view.scale * 0.46, side, side);
      else ring(pen, ...spot, view.scale * 0.46);
      if (agent.goal >= 0) {
        const [x, y] = view.spot(agent.goal);
        ring(pen, x, y, view.scale * 0.4);
        if (this.selected.size <= LED) line(pen, ...spot, x, y);
      }
      pen.stroke();
      if (this.selected.size <= LED) this.#drawRoute(pen, this.routes.get(index) ?? []);
    }
  }

  #drawRoute(pen, places) {
    const { view } = this;
    pen.setLineDash([6, 4]);
    pen.beginPath();
    places.slice(1).forEach((place, before) => {
      line(pen, ...view.spot(places[before]), ...view.spot(place));
      ring(pen, ...view.spot(place), view.scale * 0.4);
    });
    pen.stroke();
    pen.setLineDash([]);
  }

  #frameCell(pen, [row, col], colour, dash) {
    const [x, y] = this.view.toScreen(col, row);
    pen.strokeStyle = colour;
    pen.lineWidth = 2;
    pen.setLineDash(dash);
    pen.strokeRect(x + 1, y + 1, this.view.scale - 2, this.view.scale - 2);
    pen.setLineDash([]);
  }

  #drawArea(pen, one, two) {
    const [top, bottom] = [Math.min(one[0], two[0]), Math.max(one[0], two[0]) + 1];
    const [left, right] = [Math.min(one[1], two[1]), Math.max(one[1], two[1]) + 1];
    const [x, y] = this.view.toScreen(left, top);
    pen.strokeStyle = this.look.colours.accent;
    pen.lineWidth = 1.5;
    pen.setLineDash([4, 3]);
    pen.strokeRect(x, y, (right - left) * this.view.scale, (bottom - top) * this.view.scale);
    pen.setLineDash([]);
  }

  // Mouse, pen and fingers

  #listen() {
    const { canvas } = this;
    canvas.addEventListener("pointerdown", (event) => this.#press(event));
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    canvas.addEventListener("pointerup", (event) => this.#release(event, false));
    canvas.addEventListener("pointercancel", (event) => this.#release(event, true));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    canvas.addEventListener("keydown", (event) => this.#key(event));
    canvas.addEventListener("focus", () => this.#focus(canvas.matches(":focus-visible")));
    canvas.addEventListener("blur", () => this.#focus(false));
    new ResizeObserver(() => this.resize()).observe(this.box);
  }

  #focus(isSo) {
    this.focused = isSo;
    if (isSo) this.#announce();
    this.invalidate();
  }

  #spot(event) {
    const { left, top } = this.canvas.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  }

  #press(event) {
    const spot = this.#spot(event);
    this.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, spot);
    this.canvas.focus({ preventScroll: true });
    this.#focus(false);
    if (this.pointers.size > 1) this.#letGo();
    else if (event.button === 0 && this.tool) this.#begin(event, this.cellAt(...spot));
  }

  #begin(event, cell) {
    if (!cell) return;
    this.cursor = cell;
    const how = { shift: event.shiftKey, keyboard: false };
    if (this.tool.press(cell, how) === false) return;
    this.held = { id: event.pointerId, last: cell };
  }

  /** A gesture began: the tool does not follow the first finger any more. */
  #letGo() {
    if (!this.held) return;
    this.held = null;
    this.area = null;
    this.tool.abort?.();
  }

  #move(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = this.#spot(event);
    this.pointers.set(event.pointerId, now);
    if (this.held?.id === event.pointerId) this.#drag(now);
    else if (this.pointers.size > 1) this.#pinch(event.pointerId, before, now);
    else this.view.pan(now[0] - before[0], now[1] - before[1]);
    this.invalidate();
  }

  #drag(spot) {
    const cell = this.cellAt(...spot);
    if (!cell) return;
    for (const between of cellsBetween(this.held.last, cell)) this.tool.move?.(between);
    this.held.last = this.cursor = cell;
  }

  #pinch(id, before, now) {
    const [fixed] = [...this.pointers].filter(([other]) => other !== id).map(([, spot]) => spot);
    const factor =
      Math.hypot(now[0] - fixed[0], now[1] - fixed[1]) /
      Math.max(1, Math.hypot(before[0] - fixed[0], before[1] - fixed[1]));
    this.view.zoom(factor, ...fixed);
    this.view.pan((now[0] - before[0]) / 2, (now[1] - before[1]) / 2);
  }

  #release(event, isCancelled) {
    this.pointers.delete(event.pointerId);
    if (this.held?.id !== event.pointerId) return;
    const { last } = this.held;
    this.held = null;
    if (isCancelled) this.tool.abort?.();
    else this.tool.release?.(last);
    this.invalidate();
  }

  #wheel(event) {
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode === 1 ? 30 : 1);
    this.view.zoom(Math.exp(-pixels / 400), ...this.#spot(event));
    this.invalidate();
  }

  // The keyboard

  #key(event) {
    if (event.ctrlKey || event.metaKey) return;
    if (event.altKey) {
      this.#panByKey(event);
      return;
    }
    const far = event.shiftKey ? 5 : 1;
    const moves = { ArrowUp: [-far, 0], ArrowDown: [far, 0], ArrowLeft: [0, -far], ArrowRight: [0, far] };
    const acts = {
      " ": () => this.#use(event),
      Enter: () => this.#use(event),
      "+": () => this.zoom(1.25),
      "=": () => this.zoom(1.25),
      "-": () => this.zoom(0.8),
      0: () => this.fit(),
    };
    const act = moves[event.key] ? () => this.#go(moves[event.key]) : acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  #panByKey(event) {
    const ways = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [1, 0], ArrowRight: [-1, 0] };
    const way = ways[event.key];
    if (!way) return;
    event.preventDefault();
    this.view.pan(way[0] * PANNED, way[1] * PANNED);
    this.invalidate();
  }

  #go([down, right]) {
    const [row, col] = this.cursor;
    const { height, width } = this.picture;
    this.cursor = [Math.min(Math.max(row + down, 0), height - 1), Math.min(Math.max(col + right, 0), width - 1)];
    this.focused = true;
    const [x, y] = this.view.toScreen(this.cursor[1] + 0.5, this.cursor[0] + 0.5);
    if (!this.view.isNear(x, y, -10)) this.view.look(this.cursor[1] + 0.5, this.cursor[0] + 0.5);
    this.#announce();
    this.invalidate();
  }

  #use(event) {
    this.focused = true;
    if (this.tool?.press(this.cursor, { shift: event.shiftKey, keyboard: true }) !== false) {
      this.tool?.release?.(this.cursor);
    }
    this.#announce();
    this.invalidate();
  }

  #announce() {
    if (this.picture)
      this.said(`Row ${this.cursor[0]}, column ${this.cursor[1]}: ${this.#whatIsAt(this.vertex(this.cursor))}.`);
  }

  #whatIsAt(vertex) {
    const words = [];
    for (const { name, at, goal } of this.picture.agents) {
      if (at === vertex) words.push(`agent ${name}`);
      if (goal === vertex && at >= 0) words.push(`goal of ${name}`);
    }
    if (this.picture.walls[vertex]) words.push("wall");
    if (this.picture.tasks?.includes(vertex)) words.push("task");
    return words.length ? words.slice(0, 3).join(", ") : "free";
  }
}

/** A picture as a scene of one step, in which agents go from where they were to where they are. */
function sceneOf({ height, width, agents }, open) {
  const isAny = (isSo) => agents.some(isSo);
  const before = agents.map(({ from, at }) => (at < 0 || !(from >= 0) ? at : from));
  const after = agents.map(({ at }) => at);
  return new Scene({
    space: { kind: "grid", height, width, connectivity: 4, corners: "none" },
    open,
    agents: agents.length,
    names: agents.map(({ name }) => name),
    starts: before,
    goals: Int32Array.from(agents, ({ at, goal }) => (at < 0 ? -1 : goal)),
    hues: agents.map(({ hue }) => hue),
    sizes: isAny(({ size }) => size > 1) ? agents.map(({ size }) => size ?? 1) : null,
    facings: isAny(({ facing }) => facing) ? agents.flatMap(({ facing }) => [turned(facing), turned(facing)]) : null,
    steps: 1,
    rows: Int32Array.from([...before, ...after]),
  });
}

/** Quarters clockwise from up. */
function turned(facing) {
  return Math.max(FACINGS.indexOf(facing), 0);
}

/** The cells of a line from one to another, without the first. */
function* cellsBetween([row, col], [toRow, toCol]) {
  const steps = Math.max(Math.abs(toRow - row), Math.abs(toCol - col));
  for (let step = 1; step <= steps; step++) {
    yield [Math.round(row + ((toRow - row) * step) / steps), Math.round(col + ((toCol - col) * step) / steps)];
  }
}

/** All cells of the rectangle between two. */
export function inArea(one, two) {
  const [top, bottom] = [Math.min(one[0], two[0]), Math.max(one[0], two[0])];
  const [left, right] = [Math.min(one[1], two[1]), Math.max(one[1], two[1])];
  return ([row, col]) => row >= top && row <= bottom && col >= left && col <= right;
}

/** A bar of tools, one of which is in use: `[name, key, words, tool]`. */
export class Toolbar {
  constructor(box, board, tools) {
    Object.assign(this, { board, tools });
    this.buttons = tools.map(({ words, key, hint }) =>
      element("button", { type: "button", "aria-pressed": "false", title: `${hint} (${key.toUpperCase()})` }, words),
    );
    this.buttons.forEach((button, index) => button.addEventListener("click", () => this.use(index)));
    box.append(...this.buttons);
    board.canvas.addEventListener("keydown", (event) => this.#key(event));
    this.use(0);
  }

  use(index) {
    this.board.tool?.abort?.();
    this.board.tool = this.tools[index];
    this.board.canvas.dataset.tool = this.tools[index].name;
    this.buttons.forEach((button, other) => button.setAttribute("aria-pressed", String(index === other)));
    this.board.said(`${this.tools[index].hint}.`);
    this.used?.(this.tools[index]);
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const index = this.tools.findIndex(({ key }) => key === event.key.toLowerCase());
    if (index < 0) return;
    event.preventDefault();
    this.use(index);
  }
}
