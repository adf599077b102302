/** How a run goes, under its map. */

import { within } from "./numbers.js";
import { shortened } from "./text.js";

/** How many agents are at their goals and how many wait, over time; a red tick is a violation. */
export function drawChart(canvas, { scene, offset, player: { steps, colours, scenes } }) {
  const ratio = Math.min(globalThis.devicePixelRatio || 1, 2);
  // Out of sight, as in Jupyter while its theme changes, it keeps its size.
  const wide = canvas.clientWidth || canvas.width / ratio;
  const high = canvas.clientHeight || canvas.height / ratio;
  canvas.width = wide * ratio;
  canvas.height = high * ratio;
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  const { home, waiting, gone } = scene.tally;
  const scale = high / Math.max(scene.agents, 1);
  for (let x = 0; x < wide; x++) {
    const row = within(0, Math.round((x / Math.max(wide - 1, 1)) * steps) - offset, scene.steps);
    const arrived = (home[row] + gone[row]) * scale;
    const still = Math.max(waiting[row] * scale, waiting[row] ? 1 : 0);
    pen.fillStyle = colours.home;
    pen.fillRect(x, high - arrived, 1, arrived);
    pen.fillStyle = colours.ink;
    pen.fillRect(x, high - arrived - still, 1, still);
  }
  pen.fillStyle = colours.danger;
  for (const { row } of scene.violations)
    pen.fillRect(((row + offset) / Math.max(steps, 1)) * (wide - 1) - 1, 0, 2, high);
  if (scenes.length < 2) return;
  pen.fillStyle = colours.ink;
  pen.font = "12px system-ui, sans-serif";
  pen.fillText(shortened(scene.label, 40), 6, high / 2 + 4);
}
