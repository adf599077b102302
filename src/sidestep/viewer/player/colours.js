/** The colours of maps and agents. */

import { HUES } from "./constants.js";

export function hueOf(hue) {
  return `${((hue + 0.5) * 360) / HUES}`;
}

export function coloursOf(root, theme) {
  const style = getComputedStyle(root);
  const named = (name) => style.getPropertyValue(`--${name}`).trim();
  const lightness = theme === "dark" ? 0.74 : 0.66;
  const wheel = (alpha) =>
    Array.from({ length: HUES }, (_, hue) => `oklch(${lightness} 0.16 ${hueOf(hue)} / ${alpha})`);
  const names = ["floor", "wall", "line", "edge", "ink", "accent", "danger", "detour", "home"];
  return { ...Object.fromEntries(names.map((name) => [name, named(name)])), agents: wheel(1), faint: wheel(0.6) };
}

export function heatColour(kind, share) {
  const [red, green, blue] = kind === "waiting" ? [214, 40, 40] : [30, 100, 220];
  return `rgba(${red}, ${green}, ${blue}, ${(0.12 + 0.78 * share).toFixed(3)})`;
}

/** A CSS colour as the bytes of an ImageData. */
export function packed(colour) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  pen.fillStyle = colour;
  pen.fillRect(0, 0, 1, 1);
  return new Uint32Array(pen.getImageData(0, 0, 1, 1).data.buffer)[0];
}
