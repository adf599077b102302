/** Where a scene is drawn: two canvases, one for what stands and one for what moves. */

import { Backdrop } from "./backdrop.js";
import { Cast } from "./cast.js";
import { View } from "./view.js";

/**
 * A scene in a box of the page. Who draws on it says what `time` it is, in rows, and has a `look`:
 * `colours` (see colours.js), the name of the `theme`, which of `goals`, `starts`, `trails`, `names`, `waits`,
 * `detours` and `collisions` it `shows`, a `heat` map or "none", and `style`, a number that changes with any of them.
 */
export class Screen {
  constructor(canvas) {
    this.scene = null;
    this.view = null;
    this.backdrop = new Backdrop(this);
    this.cast = new Cast(this, canvas);
  }

  /** Shows a scene; a space of another size is shown whole. */
  put(scene) {
    const { width, height } = scene.space;
    if (this.view?.space.width !== width || this.view.space.height !== height) {
      this.view = new View(scene.space);
      this.ratio = null;
    }
    this.scene = scene;
  }

  get row() {
    return Math.floor(this.time + 1e-9);
  }

  /** Gives the canvases the size of their box. */
  fill({ clientWidth, clientHeight }) {
    const ratio = Math.min(globalThis.devicePixelRatio || 1, 2);
    if (this.view.wide === clientWidth && this.view.high === clientHeight && this.ratio === ratio) return;
    this.ratio = ratio;
    for (const { canvas } of [this.backdrop, this.cast]) {
      canvas.width = Math.max(1, Math.round(clientWidth * ratio));
      canvas.height = Math.max(1, Math.round(clientHeight * ratio));
    }
    this.view.resize(clientWidth, clientHeight);
  }

  /** A pen for one of the canvases, wiped clean. */
  pen(canvas) {
    const pen = canvas.getContext("2d");
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    pen.clearRect(0, 0, this.view.wide, this.view.high);
    return pen;
  }
}
