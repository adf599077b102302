/** Thousands of small squares on a canvas: written as pixels, which takes a third of the time of drawing each. */

import { packed } from "./colours.js";

export const MOST_SIDE = 8; // pixels of a square; larger ones are drawn faster than written

const known = new Map(); // colours of CSS as pixels

/** A layer of squares, to be put on a canvas in one go. */
export class Dots {
  constructor() {
    this.canvas = document.createElement("canvas");
  }

  /** Begins anew, as large as the canvas of a pen, whose units are `ratio` pixels. */
  begin(pen, ratio) {
    const { width, height } = pen.canvas;
    if (this.canvas.width !== width || this.canvas.height !== height || !this.image) {
      Object.assign(this.canvas, { width, height });
      this.image = this.canvas.getContext("2d").createImageData(width, height);
      this.colours = new Uint32Array(this.image.data.buffer);
    } else this.colours.fill(0);
    this.ratio = ratio;
  }

  /** A square around a point, both in the units of the pen; `pixel` is a colour as `pixelOf` has it. */
  put(x, y, side, pixel) {
    const { ratio, colours } = this;
    const { width, height } = this.image;
    const pixels = Math.max(2, Math.round(side * ratio));
    const left = Math.max(0, Math.round(x * ratio - pixels / 2));
    const top = Math.max(0, Math.round(y * ratio - pixels / 2));
    const right = Math.min(width, left + pixels);
    const bottom = Math.min(height, top + pixels);
    for (let row = top; row < bottom; row++)
      for (let at = row * width + left; at < row * width + right; at++) colours[at] = pixel;
  }

  /** Puts all of them on the canvas of the pen. */
  end(pen) {
    this.canvas.getContext("2d").putImageData(this.image, 0, 0);
    pen.save();
    pen.resetTransform();
    pen.drawImage(this.canvas, 0, 0);
    pen.restore();
  }
}

/** A CSS colour as a pixel; what it is is looked up once. */
export function pixelOf(colour) {
  if (!known.has(colour)) known.set(colour, packed(colour));
  return known.get(colour);
}
