/** Mouse, pen and fingers on a map. */

/** Mouse, pen and fingers on a stage: drag to pan, wheel or two fingers to zoom, click to select. */
export class Pointers {
  constructor(stage) {
    this.stage = stage;
    this.down = new Map();
    this.travelled = 0;
    const { surface, view } = stage;
    const mini = stage.mini.canvas;
    surface.addEventListener("pointerdown", (event) => this.#press(event));
    surface.addEventListener("pointermove", (event) => this.#move(event));
    for (const name of ["pointerup", "pointercancel"]) surface.addEventListener(name, (event) => this.#release(event));
    surface.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    surface.addEventListener("dblclick", (event) => this.#act(() => view.zoom(2, ...this.#spot(event))));
    for (const name of ["pointerdown", "pointermove"]) mini.addEventListener(name, (event) => this.#small(event));
    mini.addEventListener("dblclick", (event) => event.stopPropagation());
  }

  #act(change) {
    change();
    this.stage.player.viewChanged(this.stage);
  }

  #spot(event) {
    const { left, top } = this.stage.surface.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  }

  #press(event) {
    if (event.button > 0) return;
    this.stage.surface.setPointerCapture(event.pointerId);
    this.down.set(event.pointerId, this.#spot(event));
    this.travelled = 0;
  }

  #move(event) {
    const before = this.down.get(event.pointerId);
    if (!before) return;
    const now = this.#spot(event);
    const others = [...this.down].filter(([id]) => id !== event.pointerId);
    this.down.set(event.pointerId, now);
    const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
    this.travelled += Math.hypot(dx, dy);
    if (others.length) {
      const [, fixed] = others[0];
      const factor = apart(now, fixed) / Math.max(apart(before, fixed), 1);
      this.#act(() => this.stage.view.zoom(factor, ...fixed));
    } else if (this.travelled > 4) {
      this.stage.player.follow(-1);
      this.#act(() => this.stage.view.pan(dx, dy));
    }
  }

  #release(event) {
    const spot = this.down.get(event.pointerId);
    this.down.delete(event.pointerId);
    if (!spot || event.type === "pointercancel" || this.travelled > 4) return;
    const { stage } = this;
    if (stage.player.mayBeClicked(stage, spot)) stage.player.click(stage, spot);
  }

  /** In a page of its own the wheel zooms; elsewhere it scrolls the document unless a key says otherwise. */
  #wheel(event) {
    if (!this.stage.player.isPage && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode === 1 ? 30 : 1);
    this.#act(() => this.stage.view.zoom(Math.exp(-pixels / 400), ...this.#spot(event)));
  }

  #small(event) {
    event.stopPropagation();
    if (!event.buttons) return;
    const { mini, view, player } = this.stage;
    const { left, top } = mini.canvas.getBoundingClientRect();
    player.follow(-1);
    this.#act(() => view.look(...mini.toWorld(event.clientX - left, event.clientY - top)));
  }
}

function apart([fromX, fromY], [toX, toY]) {
  return Math.hypot(fromX - toX, fromY - toY);
}
