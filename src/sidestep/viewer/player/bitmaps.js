/** Maps with a pixel per cell. */

import { heatColour, packed } from "./colours.js";
import { largest } from "./numbers.js";

const MAX_BITMAP = 8192; // pixels a side; browsers refuse much larger canvases

/** A canvas with one pixel per cell (per block of cells on gigantic maps), painted by a function. */
export function pixels(space, paint) {
  const block = Math.ceil(Math.max(space.width, space.height) / MAX_BITMAP);
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(space.width / block);
  canvas.height = Math.ceil(space.height / block);
  const pen = canvas.getContext("2d");
  const image = pen.createImageData(canvas.width, canvas.height);
  const colours = new Uint32Array(image.data.buffer);
  for (let row = 0, at = 0; row < canvas.height; row++) {
    for (let col = 0; col < canvas.width; col++, at++) colours[at] = paint(row * block * space.width + col * block);
  }
  pen.putImageData(image, 0, 0);
  return canvas;
}

export function mapPixels(space, open, colours) {
  const [floor, wall] = [packed(colours.floor), packed(colours.wall)];
  return pixels(space, (vertex) => (open[vertex] ? floor : wall));
}

export function heatPixels(space, heat, kind) {
  const most = largest(heat) || 1;
  const shades = Array.from({ length: 65 }, (_, index) => packed(heatColour(kind, index / 64)));
  return pixels(space, (vertex) => (heat[vertex] ? shades[Math.ceil(Math.sqrt(heat[vertex] / most) * 64)] : 0));
}
