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

/** Heat with a pixel per block of cells: what was counted in its cells together, beside the block with most. */
export function heatPixels(space, heat, kind, block = 1) {
  const [wide, high] = [Math.ceil(space.width / block), Math.ceil(space.height / block)];
  const blocks = block === 1 ? heat : gathered(space, heat, block, wide, high);
  const most = largest(blocks) || 1;
  const shades = Array.from({ length: 65 }, (_, index) => packed(heatColour(kind, index / 64)));
  return pixels({ width: wide, height: high }, (at) =>
    blocks[at] ? shades[Math.ceil(Math.sqrt(blocks[at] / most) * 64)] : 0,
  );
}

function gathered({ width, height }, heat, block, wide, high) {
  const sums = new Uint32Array(wide * high);
  for (let row = 0, at = 0; row < height; row++) {
    const begin = Math.floor(row / block) * wide;
    for (let col = 0; col < width; col++, at++) if (heat[at]) sums[begin + Math.floor(col / block)] += heat[at];
  }
  return sums;
}
