/** Small scenes to ask. */

import { Scene } from "../../src/sidestep/viewer/player/scene.js";

/**
 * A scene from its frames, drawn one under the other with blank lines between: a lower-case letter is where that
 * agent is, the upper-case one of the first frame its goal, or else where it is last seen; `#` is a wall.
 */
export function film(text, rest = {}) {
  const frames = text
    .trim()
    .split(/\n\s*\n/)
    .map((frame) =>
      frame
        .trim()
        .split("\n")
        .map((row) => row.trim().split(" ")),
    );
  const [height, width] = [frames[0].length, frames[0][0].length];
  const flat = frames.map((frame) => frame.flat());
  const names = flat[0].filter((char) => /[a-z]/.test(char)).sort();
  const rows = flat.map((frame) => names.map((name) => frame.indexOf(name)));
  const goals = names.map((name, agent) => {
    const drawn = flat[0].indexOf(name.toUpperCase());
    return drawn >= 0 ? drawn : rows.at(-1)[agent];
  });
  return new Scene({
    space: { kind: "grid", height, width, connectivity: 4, corners: "none", ...rest.space },
    open: Uint8Array.from(flat[0], (char) => (char === "#" ? 0 : 1)),
    agents: names.length,
    steps: rows.length - 1,
    names,
    starts: Int32Array.from(rows[0]),
    goals: Int32Array.from(goals),
    hues: Uint8Array.from(names, (_, agent) => agent),
    rows: Int32Array.from(rows.flat()),
    ...rest.entry,
  });
}
