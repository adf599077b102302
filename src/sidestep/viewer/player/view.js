/** Which part of a space is shown. */

import { within } from "./numbers.js";

const MARGIN = 16; // pixels around a map that is shown whole
const MOST_FITTED = 90; // pixels per cell of a small map that is shown whole
const LEAST_SCALE = 0.02;
const MOST_SCALE = 220;

/** Which part of a space a canvas shows: the world at its upper left corner, and pixels per cell. */
export class View {
  constructor(space) {
    Object.assign(this, { space, x: 0, y: 0, scale: 1, wide: 0, high: 0, fitted: true });
    this.version = 0; // changes whenever something else is shown
  }

  resize(wide, high) {
    Object.assign(this, { wide, high });
    this.version++;
    if (this.fitted) this.fit();
  }

  get fitScale() {
    const across = (this.wide - MARGIN) / this.space.width;
    const down = (this.high - MARGIN) / this.space.height;
    return within(LEAST_SCALE, Math.min(across, down), MOST_FITTED);
  }

  get middle() {
    return this.toWorld(this.wide / 2, this.high / 2);
  }

  fit() {
    const { left, top, width, height } = this.space;
    this.look(left + width / 2, top + height / 2, this.fitScale);
    this.fitted = true;
  }

  /** Puts a point of the world into the middle of the canvas. */
  look(x, y, scale = this.scale) {
    const { left, top, width, height } = this.space; // which must stay in sight
    const [middleX, middleY] = [within(left, x, left + width), within(top, y, top + height)];
    Object.assign(this, {
      x: middleX - this.wide / scale / 2,
      y: middleY - this.high / scale / 2,
      scale,
      fitted: false,
    });
    this.version++;
  }

  /** Zooms while a point of the canvas stays where it is. */
  zoom(factor, x = this.wide / 2, y = this.high / 2) {
    const scale = within(Math.min(this.fitScale, 1), this.scale * factor, MOST_SCALE);
    const [worldX, worldY] = this.toWorld(x, y);
    this.look(worldX + (this.wide / 2 - x) / scale, worldY + (this.high / 2 - y) / scale, scale);
  }

  pan(dx, dy) {
    this.look(this.x + (this.wide / 2 - dx) / this.scale, this.y + (this.high / 2 - dy) / this.scale);
  }

  toWorld(x, y) {
    return [this.x + x / this.scale, this.y + y / this.scale];
  }

  toScreen(x, y) {
    return [(x - this.x) * this.scale, (y - this.y) * this.scale];
  }

  /** The point of the canvas where a vertex is drawn. */
  spot(vertex) {
    return this.toScreen(this.space.x(vertex), this.space.y(vertex));
  }

  /** Is a point of the canvas on it, or not farther off than a margin? */
  isNear(x, y, margin) {
    return x > -margin && y > -margin && x < this.wide + margin && y < this.high + margin;
  }
}
