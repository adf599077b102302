/** The bytes of a payload (see payload.py) as a document with arrays. */

import { JUMP, VERSION } from "./constants.js";

const TYPES = { u1: Uint8Array, i4: Int32Array, f4: Float32Array };

/** The document of a gzipped payload, with the arrays to which its scenes refer in their places. */
export async function unpack(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const buffer = await new Response(stream).arrayBuffer().catch(() => {
    throw new Error("its data are damaged or cut off"); // the browser's own words are about fetching
  });
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  if (header.version !== VERSION) throw new Error(`this player reads version ${VERSION}, not ${header.version}`);
  const read = ([first, type, count]) => new TYPES[type](buffer, 4 + length + first, count);
  return { ...header, scenes: header.scenes.map((entry) => sceneEntry(entry, read)) };
}

export function fromBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}

/** What the header says of a scene, with arrays: the moves as positions, the bits of what is open as bytes. */
function sceneEntry(entry, read) {
  const space = spaceEntry(entry.space, read);
  const arrays = ["starts", "goals", "hues", "events"].map((name) => [name, read(entry[name])]);
  const vertices = space.kind === "grid" ? space.height * space.width : space.vertices;
  return {
    ...entry,
    ...Object.fromEntries(arrays),
    space,
    open: unpackBits(read(entry.open), vertices),
    sizes: entry.sizes && read(entry.sizes),
    periods: entry.periods && read(entry.periods),
    facings: entry.facings && read(entry.facings),
    rows: positionsOf(entry, read),
  };
}

function spaceEntry(space, read) {
  if (space.kind === "grid") return space;
  return { ...space, places: read(space.places), edges: read(space.edges) };
}

/** Positions by time: row k holds the vertices of all agents at time k. The payload has them by agent. */
function positionsOf(entry, read) {
  const { agents, steps } = entry;
  const [first, deltas, codes, jumps] = ["first", "deltas", "codes", "jumps"].map((name) => read(entry[name]));
  const rows = new Int32Array((steps + 1) * agents);
  rows.set(first);
  const nextJump = jumpsBefore(codes, agents, steps);
  const together = 16; // agents whose vertices share a cache line
  for (let from = 0; from < agents; from += together) {
    const to = Math.min(from + together, agents);
    for (let step = 0; step < steps; step++) {
      const before = step * agents;
      for (let agent = from; agent < to; agent++) {
        const code = codes[agent * steps + step];
        rows[before + agents + agent] = code === JUMP ? jumps[nextJump[agent]++] : rows[before + agent] + deltas[code];
      }
    }
  }
  return rows;
}

function jumpsBefore(codes, agents, steps) {
  const counts = new Int32Array(agents);
  let sum = 0;
  for (let agent = 0; agent < agents; agent++) {
    counts[agent] = sum;
    for (let at = agent * steps, end = at + steps; at < end; at++) if (codes[at] === JUMP) sum++;
  }
  return counts;
}

export function unpackBits(bytes, count) {
  const bits = new Uint8Array(count);
  for (let index = 0; index < count; index++) bits[index] = (bytes[index >> 3] >> (index & 7)) & 1;
  return bits;
}
