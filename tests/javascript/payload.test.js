import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

import { JUMP, VERSION } from "../../src/sidestep/viewer/player/constants.js";
import { fromBase64, unpack, unpackBits } from "../../src/sidestep/viewer/player/payload.js";

/** A payload as payload.py packs it: a header, and arrays behind it. */
function packed(version = VERSION) {
  const arrays = [];
  let size = 0;
  const add = (values, type) => {
    const bytes = Buffer.from(type === "u1" ? Uint8Array.from(values).buffer : Int32Array.from(values).buffer);
    const padded = Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
    const entry = [size, type, values.length];
    arrays.push(padded);
    size += padded.length;
    return entry;
  };
  const scene = {
    space: { kind: "grid", height: 2, width: 3 },
    agents: 2,
    steps: 2,
    open: add([0b101111], "u1"),
    starts: add([0, 2], "i4"),
    goals: add([5, 3], "i4"),
    hues: add([0, 12], "u1"),
    events: add([], "i4"),
    sizes: null,
    periods: null,
    first: add([0, 2], "i4"),
    deltas: add([1, 0, -1], "i4"),
    codes: add([0, JUMP, 2, 1], "u1"),
    jumps: add([5], "i4"),
  };
  const text = Buffer.from(JSON.stringify({ version, title: "walk", scenes: [scene] }));
  const header = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, " ")]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(header.length);
  return gzipSync(Buffer.concat([length, header, ...arrays]));
}

test("moves become positions by time, jumps included", async () => {
  const { title, scenes } = await unpack(packed());
  assert.equal(title, "walk");
  assert.deepEqual([...scenes[0].rows], [0, 2, 1, 1, 5, 1]);
  assert.deepEqual([...scenes[0].open], [1, 1, 1, 1, 0, 1]);
  assert.deepEqual([...scenes[0].goals], [5, 3]);
});

test("another version is refused by its number", async () => {
  await assert.rejects(unpack(packed(VERSION + 1)), {
    message: `this player reads version ${VERSION}, not ${VERSION + 1}`,
  });
});

test("a payload that is cut off says so", async () => {
  await assert.rejects(unpack(packed().subarray(0, 40)), { message: "its data are damaged or cut off" });
});

test("bits are unpacked from the lowest on", () => {
  assert.deepEqual([...unpackBits(Uint8Array.of(0b00000101, 0b10), 10)], [1, 0, 1, 0, 0, 0, 0, 0, 0, 1]);
});

test("base64 becomes bytes", () => {
  assert.deepEqual([...fromBase64("AP8Q")], [0, 255, 16]);
});
