/**
 * sidestep's player: looks at runs of many agents. One ES module, no dependencies, no build step.
 *
 *   mount(host, bytes, options)   shows a payload (see payload.py) in an element and returns the Player
 *   mountPage(host, base64)       the same for a page of its own, where the payload is text
 *   default.render                the same as an anywidget
 *
 * The host hears a `selected` event whenever an agent is selected or let go, by a click or otherwise. What
 * the studio draws with is exported as well, so that maps look alike everywhere.
 *
 * From the bottom up: unpack (bytes to arrays), History (walls and goals over time), Scene (one run and
 * what can be said about it), Stage (one run on a canvas), lists and panels, Player (clock and controls).
 * Time is counted in rows of the positions here; people see `startTime + row`. Whatever comes from a
 * payload reaches the page as text, never as markup.
 */

// ------------------------------------------------------------------------------------------ the payload

const VERSION = 1;
const JUMP = 255;
const TYPES = { u1: Uint8Array, i4: Int32Array, f4: Float32Array };

/** The document of a gzipped payload, its scenes ready to be asked. */
export async function unpack(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const buffer = await new Response(stream).arrayBuffer().catch(() => {
    throw new Error("its data are damaged or cut off"); // the browser's own words are about fetching
  });
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  if (header.version !== VERSION) throw new Error(`this player reads version ${VERSION}, not ${header.version}`);
  const read = ([first, type, count]) => new TYPES[type](buffer, 4 + length + first, count);
  return { ...header, scenes: header.scenes.map((entry) => new Scene(entry, read)) };
}

function fromBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
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

function unpackBits(bytes, count) {
  const bits = new Uint8Array(count);
  for (let index = 0; index < count; index++) bits[index] = (bytes[index >> 3] >> (index & 7)) & 1;
  return bits;
}

// ---------------------------------------------------------------------------------- walls and goals over time

// prettier-ignore
const EVENT = {
  GOAL: 0, BLOCK: 1, FREE: 2, ADD: 3, REMOVE: 4, PRIORITY: 5, SYNC: 6,
  ARRIVED: 16, LEFT: 17, TRAPPED: 18, DISPLACED: 19, REFUSED: 32, LATE: 33, RAISED: 34,
};

/** Goals and walls as they are at a row: what the space began with, changed by the events of a trace. */
class History {
  constructor(startTime, open, goals, changes) {
    Object.assign(this, { startTime, first: { open, goals }, changes });
    this.#rewind();
  }

  /** Another one from the beginning, for those who go through all rows. */
  fresh() {
    return new History(this.startTime, this.first.open, this.first.goals, this.changes);
  }

  /** Itself, with `open` and `goals` as they are at a row; they hold until the next call. */
  at(row) {
    const now = this.startTime + row;
    const { changes } = this;
    if (this.version > 0 && changes[this.version - 1][0] > now) this.#rewind();
    while (this.version < changes.length && changes[this.version][0] <= now) this.#apply(changes[this.version++]);
    return this;
  }

  #rewind() {
    this.open = this.first.open.slice();
    this.goals = this.first.goals.slice();
    this.version = 0; // how many changes have been made
    this.walls = 0; // the version of the last change of a wall
  }

  #apply([, kind, agent, value]) {
    if (kind === EVENT.GOAL) this.goals[agent] = value;
    else if (kind === EVENT.REMOVE) this.goals[agent] = NOWHERE;
    else {
      this.open[value] = kind === EVENT.FREE ? 1 : 0;
      this.walls = this.version;
    }
  }
}

const CHANGES = [EVENT.GOAL, EVENT.BLOCK, EVENT.FREE, EVENT.REMOVE];

// -------------------------------------------------------------------------------------------- one run

const HUES = 24;
const CACHED_DISTANCES = 3e7; // entries over all goals
const NOWHERE = -1;
const TURNING = /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]/; // writing from right to left

class Scene {
  constructor(entry, read) {
    this.label = entry.label;
    this.facts = entry.facts;
    this.rules = entry.rules;
    this.verdict = entry.verdict;
    this.startTime = entry.startTime;
    this.steps = entry.steps;
    this.agents = entry.agents;
    this.names = entry.names;
    this.starts = read(entry.starts);
    this.hues = read(entry.hues);
    this.sizes = entry.sizes && read(entry.sizes); // null: all cover one cell
    this.periods = entry.periods && read(entry.periods); // null: all move every turn
    this.rows = positionsOf(entry, read);
    this.space = entry.space.kind === "grid" ? new GridSpace(entry.space) : new GraphSpace(entry.space, read);
    this.remarks = entry.remarks.map(([time, kind, agents, text]) => ({
      row: time - this.startTime,
      kind,
      agents,
      text,
    }));
    this.violations = (this.verdict?.violations ?? []).map(([kind, time, agents, vertex, text]) => {
      return { kind, row: time - this.startTime, agents, vertex, text };
    });
    this.events = rowsOf(read(entry.events), 4).sort((one, two) => one[0] - two[0]);
    const changes = this.events.filter(([, kind]) => CHANGES.includes(kind));
    this.history = new History(this.startTime, unpackBits(read(entry.open), this.space.n), read(entry.goals), changes);
    this.distanceCache = new Map();
    this.agentsByHue = groupedByHue(this.hues);
  }

  fullName(agent) {
    return this.names ? this.names[agent] : `a${agent}`;
  }

  /** A name as it stands in sentences: not too long, and kept from turning their direction. */
  name(agent) {
    const name = shortened(this.fullName(agent), 40);
    return TURNING.test(name) ? `\u2068${name}\u2069` : name;
  }

  /** The vertex of an agent at a row, beyond the end the last one; -1 is not there. */
  vertex(agent, row) {
    return this.rows[Math.min(row, this.steps) * this.agents + agent];
  }

  /** An agent of size k covers k x k cells, of which its vertex is the top left one. */
  size(agent) {
    return this.sizes ? this.sizes[agent] : 1;
  }

  /** Where an agent goes in the step after a row, which for a slow one may be a part of a longer move. */
  next(agent, row) {
    const here = this.vertex(agent, row);
    const last = Math.min(row + (this.periods ? this.periods[agent] : 1), this.steps);
    for (let later = row + 1; later <= last; later++)
      if (this.vertex(agent, later) !== here) return this.vertex(agent, later);
    return here;
  }

  /** Does an agent neither move in the step after a row, which is not the last, nor is it on its way? */
  stays(agent, row) {
    const at = row * this.agents + agent;
    return this.periods ? this.next(agent, row) === this.rows[at] : this.rows[at + this.agents] === this.rows[at];
  }

  /** How much of such a move is over at a time within the step after a row. */
  progress(agent, row, time) {
    const turns = this.periods ? this.periods[agent] : 1;
    const here = this.vertex(agent, row);
    let left = 1;
    while (left < turns && this.vertex(agent, row + left) === here) left++;
    return (turns - left + time - row) / turns;
  }

  /** Distances and neighbours are those of agents of one cell and turn: of others less can be said. */
  get isMixed() {
    return Boolean(this.sizes || this.periods);
  }

  occupant(vertex, row) {
    return this.rows.subarray(row * this.agents, (row + 1) * this.agents).indexOf(vertex);
  }

  goal(agent, row) {
    return this.history.at(Math.min(row, this.steps)).goals[agent];
  }

  /** Where an agent is drawn at a time between rows, or null when it is not there. */
  point(agent, time) {
    const row = Math.min(Math.floor(time), this.steps);
    const before = this.vertex(agent, row);
    if (before < 0) return null;
    const after = this.next(agent, row);
    const part = after < 0 ? 0 : Math.min(this.progress(agent, row, time), 1);
    const { space } = this;
    return [
      space.x(before) + (space.x(after < 0 ? before : after) - space.x(before)) * part,
      space.y(before) + (space.y(after < 0 ? before : after) - space.y(before)) * part,
    ];
  }

  /** Does the agent stand still from this row to the next although it wants to be elsewhere? */
  waits(agent, row) {
    if (row >= this.steps) return false;
    const here = this.vertex(agent, row);
    const goal = this.goal(agent, row);
    return here >= 0 && this.stays(agent, row) && goal >= 0 && goal !== here;
  }

  isHome(agent, row) {
    const here = this.vertex(agent, row);
    return here >= 0 && here === this.goal(agent, row);
  }

  /** Per vertex the steps to a goal, with the walls as they are at a row; -1 where there is no way. */
  distances(goal, row) {
    const { open, walls } = this.history.at(row);
    const key = `${goal} ${walls}`;
    let found = this.distanceCache.get(key);
    if (!found) {
      if (this.distanceCache.size * this.space.n > CACHED_DISTANCES) this.distanceCache.clear();
      found = distancesTo(goal, this.space, open);
      this.distanceCache.set(key, found);
    }
    return found;
  }

  /** Does the agent's next step bring it no nearer to its goal? */
  strays(agent, row) {
    if (this.isMixed) return false;
    if (row >= this.steps) return false;
    const here = this.vertex(agent, row);
    const next = this.vertex(agent, row + 1);
    const goal = this.goal(agent, row);
    if (here < 0 || next < 0 || goal < 0 || here === next) return false;
    const steps = this.distances(goal, row);
    return steps[here] >= 0 && steps[next] >= steps[here];
  }

  get tally() {
    return (this._tally ??= tallyOf(this));
  }

  heat(kind) {
    this._heat ??= {};
    return (this._heat[kind] ??= kind === "waiting" ? waitingHeat(this) : occupancyHeat(this));
  }

  /** The violations as entries of the list of events. */
  get faults() {
    return (this._faults ??= this.violations.map(entryOfViolation));
  }

  /** The violations that are shown strongly at a time. */
  violationsNow(time) {
    if (!this._byRow) {
      this._byRow = new Map();
      for (const one of this.violations) {
        if (!this._byRow.has(one.row)) this._byRow.set(one.row, []);
        this._byRow.get(one.row).push(one);
      }
    }
    const rows = [Math.floor(time), Math.floor(time) + 1];
    return rows.flatMap((row) => this._byRow.get(row) ?? []).filter((one) => isNow(one, time));
  }

  get entries() {
    return (this._entries ??= entriesOf(this));
  }
}

function rowsOf(flat, width) {
  return Array.from({ length: flat.length / width }, (_, index) =>
    Array.from(flat.subarray(index * width, (index + 1) * width)),
  );
}

/** The agents of each colour, so that a frame fills every colour once. */
function groupedByHue(hues) {
  const groups = Array.from({ length: HUES }, () => []);
  hues.forEach((hue, agent) => groups[hue].push(agent));
  return groups.map((group) => Int32Array.from(group));
}

export class GridSpace {
  constructor({ height, width, connectivity, corners }) {
    Object.assign(this, { kind: "grid", height, width, n: height * width, connectivity });
    this.blockedCorners = { none: 0, one: 1, free: 2 }[corners];
    this.left = this.top = 0;
  }

  x(vertex) {
    return (vertex % this.width) + 0.5;
  }

  y(vertex) {
    return Math.floor(vertex / this.width) + 0.5;
  }

  place(vertex) {
    return `(${Math.floor(vertex / this.width)}, ${vertex % this.width})`;
  }

  /** Writes the neighbours of a vertex into an array and says how many they are. */
  neighbours(vertex, open, into) {
    const { width } = this;
    const col = vertex % width;
    const north = vertex >= width ? vertex - width : -1;
    const south = vertex < this.n - width ? vertex + width : -1;
    const west = col > 0 ? vertex - 1 : -1;
    const east = col < width - 1 ? vertex + 1 : -1;
    let count = 0;
    if (north >= 0) into[count++] = north;
    if (south >= 0) into[count++] = south;
    if (west >= 0) into[count++] = west;
    if (east >= 0) into[count++] = east;
    if (this.connectivity === 4) return count;
    const may = (a, b) => a >= 0 && b >= 0 && !open[a] + !open[b] <= this.blockedCorners;
    if (may(north, west)) into[count++] = north - 1;
    if (may(north, east)) into[count++] = north + 1;
    if (may(south, west)) into[count++] = south - 1;
    if (may(south, east)) into[count++] = south + 1;
    return count;
  }

  successors(vertex, open) {
    const found = [];
    this.neighbours(vertex, open, found);
    return found;
  }

  /** On a grid one can come from wherever one can go to. */
  predecessors(vertex, open, into) {
    return this.neighbours(vertex, open, into);
  }

  /** The two other corners of the 2x2 block of a diagonal move, or null. */
  otherDiagonal(from, to) {
    const [a, b] = [from % this.width, to % this.width];
    if (a === b || Math.abs(from - to) <= 1) return null;
    return [to - b + a, from - a + b];
  }
}

class GraphSpace {
  constructor({ vertices, directed, places, edges }, read) {
    Object.assign(this, { kind: "graph", n: vertices, directed, places: read(places), edges: read(edges) });
    const xs = this.places.filter((_, index) => index % 2 === 0);
    const ys = this.places.filter((_, index) => index % 2 === 1);
    const [left, right, top, bottom] = [smallest(xs), largest(xs), smallest(ys), largest(ys)];
    Object.assign(this, { left: left - 0.7, top: top - 0.7, width: right - left + 1.4, height: bottom - top + 1.4 });
  }

  x(vertex) {
    return this.places[2 * vertex];
  }

  y(vertex) {
    return this.places[2 * vertex + 1];
  }

  place(vertex) {
    return `vertex ${vertex}`;
  }

  get links() {
    if (this._links) return this._links;
    const out = Array.from({ length: this.n }, () => []);
    const back = this.directed ? Array.from({ length: this.n }, () => []) : out;
    for (let index = 0; index < this.edges.length; index += 2) {
      const [from, to] = [this.edges[index], this.edges[index + 1]];
      out[from].push(to);
      back[to].push(from);
    }
    return (this._links = { out, back });
  }

  successors(vertex) {
    return this.links.out[vertex];
  }

  predecessors(vertex, open, into) {
    const { back } = this.links;
    for (let index = 0; index < back[vertex].length; index++) into[index] = back[vertex][index];
    return back[vertex].length;
  }

  otherDiagonal() {
    return null;
  }
}

function smallest(values) {
  return values.reduce((least, value) => Math.min(least, value), Infinity);
}

function largest(values) {
  return values.reduce((most, value) => Math.max(most, value), -Infinity);
}

/** Can the distances to all goals be kept at once? */
function canSearchForAll({ agents, space }) {
  return agents * space.n <= CACHED_DISTANCES;
}

/** Breadth first from the goal. One can leave a closed vertex but not enter it. */
function distancesTo(goal, space, open) {
  const steps = new Int32Array(space.n).fill(-1);
  const queue = new Int32Array(space.n);
  const beside = [];
  let [head, tail] = [0, 1];
  steps[goal] = 0;
  queue[0] = goal;
  while (head < tail) {
    const vertex = queue[head++];
    const count = space.predecessors(vertex, open, beside);
    for (let index = 0; index < count; index++) {
      const before = beside[index];
      if (steps[before] >= 0) continue;
      steps[before] = steps[vertex] + 1;
      if (open[before]) queue[tail++] = before;
    }
  }
  return steps;
}

/** Per row how many agents have a goal, wait, are home, and are gone from there; per agent waits and arrival. */
function tallyOf(scene) {
  const { agents, steps, rows } = scene;
  const history = scene.history.fresh();
  const [aiming, waiting, home, gone] = Array.from({ length: 4 }, () => new Int32Array(steps + 1));
  const disappear = scene.rules.at_goal === "disappear";
  const waits = new Int32Array(agents);
  const arrival = new Int32Array(agents).fill(-1);
  for (let row = 0; row <= steps; row++) {
    const { goals } = history.at(row);
    const at = row * agents;
    const last = row === steps;
    for (let agent = 0; agent < agents; agent++) {
      const here = rows[at + agent];
      if (here < 0) continue;
      const goal = goals[agent];
      if (goal >= 0) aiming[row]++;
      if (here === goal) {
        home[row]++;
        if (arrival[agent] < 0) arrival[agent] = row;
        if (disappear && !last && rows[at + agents + agent] < 0) gone[row + 1]++;
        continue;
      }
      arrival[agent] = -1;
      if (!last && goal >= 0 && scene.stays(agent, row)) {
        waiting[row]++;
        waits[agent]++;
      }
    }
  }
  for (let row = 1; row <= steps; row++) gone[row] += gone[row - 1];
  return { aiming, waiting, home, gone, waits, arrival };
}

function occupancyHeat({ rows, space }) {
  const heat = new Uint32Array(space.n);
  for (const vertex of rows) if (vertex >= 0 && vertex < space.n) heat[vertex]++;
  return heat;
}

function waitingHeat(scene) {
  const { agents, steps, rows, space } = scene;
  const history = scene.history.fresh();
  const heat = new Uint32Array(space.n);
  for (let row = 0; row < steps; row++) {
    const { goals } = history.at(row);
    for (let agent = 0, at = row * agents; agent < agents; agent++, at++) {
      const here = rows[at];
      if (here >= 0 && here < space.n && scene.stays(agent, row) && goals[agent] >= 0 && goals[agent] !== here)
        heat[here]++;
    }
  }
  return heat;
}

// ------------------------------------------------------------------------------------- what can be said

/** What an agent does from a row to the next, as a sentence without its name. */
function doing(scene, agent, row) {
  const here = scene.vertex(agent, row);
  const { space } = scene;
  if (here < 0) return row === 0 || scene.vertex(agent, 0) < 0 ? "is not there" : "has left the map";
  const goal = scene.goal(agent, row);
  if (row >= scene.steps) return atTheEnd(scene, agent, here, goal);
  const next = scene.vertex(agent, row + 1);
  if (next < 0) return here === goal ? "has arrived and leaves the map" : "leaves the map";
  const aim = scene.next(agent, row);
  if (scene.isMixed && aim !== here) return `is on its way to ${space.place(aim)}`;
  if (next === here) return standing(scene, agent, row, here, goal);
  if (goal < 0) return `makes room: it has no goal, and goes to ${space.place(next)}`;
  if (here === goal) return `steps off its goal to ${space.place(next)}, to make room`;
  const steps = scene.distances(goal, row);
  const left = steps[next] < 0 ? "from where no way leads to its goal" : `${count(steps[next], "step")} from its goal`;
  if (next === goal) return `arrives at its goal ${space.place(next)}`;
  return steps[here] >= 0 && steps[next] >= steps[here]
    ? `makes a detour over ${space.place(next)}, ${left}`
    : `goes to ${space.place(next)}, ${left}`;
}

function atTheEnd(scene, agent, here, goal) {
  if (goal < 0) return `stands on ${scene.space.place(here)}, without a goal`;
  return here === goal
    ? `is at its goal ${scene.space.place(here)}`
    : `has not reached its goal ${scene.space.place(goal)}`;
}

function standing(scene, agent, row, here, goal) {
  if (goal < 0) return `stands on ${scene.space.place(here)}, without a goal`;
  if (here !== goal) return whyItWaits(scene, agent, row);
  for (let later = row + 1; later < scene.steps; later++) {
    if (scene.vertex(agent, later + 1) === here) continue;
    return scene.vertex(agent, later + 1) < 0
      ? "has arrived"
      : `rests on its goal until it makes room at time ${scene.startTime + later}`;
  }
  return "is at its goal";
}

/** Who takes the cells to which a waiting agent would rather go. Only what the positions show is said. */
function whyItWaits(scene, agent, row) {
  if (scene.isMixed) return "waits";
  const { space } = scene;
  const here = scene.vertex(agent, row);
  const steps = scene.distances(scene.goal(agent, row), row);
  const { open } = scene.history.at(row);
  if (!open[scene.goal(agent, row)]) return "waits: its goal is closed now";
  if (steps[here] < 0) return "waits: no way leads to its goal now";
  const wanted = space
    .successors(here, open)
    .filter((vertex) => open[vertex] && steps[vertex] >= 0 && steps[vertex] < steps[here]);
  const blocked = wanted.map((vertex) => ({ vertex, by: whoTakes(scene, here, vertex, row) }));
  const free = blocked.find(({ by }) => by < 0);
  if (free) return waitsByChoice(scene, agent, free.vertex, row);
  const reasons = new Map(blocked.map(({ vertex, by }) => [by, obstacle(scene, by, vertex, row)]));
  return reasons.size ? `waits for ${[...reasons.values()].slice(0, 2).join(" and for ")}` : "waits";
}

function whoTakes(scene, here, vertex, row) {
  const there = scene.occupant(vertex, row + 1);
  if (there >= 0) return there;
  if (!scene.rules.following) {
    const leaving = scene.occupant(vertex, row);
    if (leaving >= 0) return leaving;
  }
  const other = scene.rules.crossing ? null : scene.space.otherDiagonal(here, vertex);
  if (!other) return -1;
  for (const [from, to] of [other, [other[1], other[0]]]) {
    const crossing = scene.occupant(from, row);
    if (crossing >= 0 && scene.vertex(crossing, row + 1) === to) return crossing;
  }
  return -1;
}

function obstacle(scene, other, vertex, row) {
  const [name, place] = [scene.name(other), scene.space.place(vertex)];
  const [before, after] = [scene.vertex(other, row), scene.vertex(other, row + 1)];
  if (before === vertex && after === vertex) return `${name}, which stands on ${place}`;
  if (after === vertex) return `${name}, which takes ${place} first`;
  return before === vertex
    ? `${name}, which is only just leaving ${place}`
    : `${name}, which crosses the way to ${place}`;
}

const LOOK_AHEAD = 64; // rows over which a wait may pay

/** A wait with the way free: whom the agent would meet if it took its own next steps without waiting. */
function waitsByChoice(scene, agent, vertex, row) {
  const { space, steps, startTime } = scene;
  const here = scene.vertex(agent, row);
  let leaves = row + 1;
  while (leaves < steps && scene.vertex(agent, leaves + 1) === here) leaves++;
  for (let ahead = 1; ahead <= Math.min(LOOK_AHEAD, steps - leaves); ahead++) {
    const [from, to] = [scene.vertex(agent, leaves + ahead - 1), scene.vertex(agent, leaves + ahead)];
    if (to < 0) break;
    const [place, time] = [space.place(to), startTime + row + ahead];
    const met = othersOn(scene, to, row + ahead, agent);
    if (met !== null) return `waits: going at once, it would meet ${scene.name(met)} on ${place} at time ${time}`;
    const swapped = swapping(scene, from, to, row + ahead, agent);
    if (swapped !== null)
      return `waits: going at once, it would run into ${scene.name(swapped)}, which leaves ${place} towards it, at time ${time}`;
  }
  return `waits although ${space.place(vertex)} is free`;
}

function othersOn(scene, vertex, row, agent) {
  const who = scene.occupant(vertex, row);
  return who >= 0 && who !== agent ? who : null;
}

function swapping(scene, from, to, row, agent) {
  const who = othersOn(scene, to, row - 1, agent);
  return who !== null && scene.vertex(who, row) === from ? who : null;
}

/** The answer that the plan carries to why an agent waits at a row: given then, or when the wait began. */
function answerFor(scene, agent, row) {
  if (!scene.remarks.length) return null;
  const said = (at) => scene.remarks.find((one) => one.kind === "why" && one.agents[0] === agent && one.row === at);
  for (let at = row; at >= 0; at--) {
    const found = said(at);
    if (found) return found.text;
    if (!scene.waits(agent, at)) return null;
  }
  return null;
}

export function count(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

/** What happened, in order: violations, changes and arrivals of a trace, waits, arrivals, remarks. */
function entriesOf(scene) {
  const entries = [
    ...scene.faults,
    ...scene.remarks.map(({ row, kind, agents, text }) => ({
      row,
      group: "remarks",
      agents,
      text: `${kind}: ${text}`,
    })),
    ...scene.events.map((event) => entryOfEvent(scene, event)).filter(Boolean),
    ...(scene.events.length ? [] : arrivalsOf(scene)),
    ...waitsOf(scene),
  ];
  return entries.sort((one, two) => one.row - two.row);
}

function entryOfViolation({ kind, row, agents, text }) {
  return { row, moment: PASSING.includes(kind) ? row - 0.5 : row, group: "violations", agents, text };
}

function entryOfEvent(scene, [time, kind, agent, value]) {
  const row = time - scene.startTime;
  const who = agent >= 0 ? scene.name(agent) : "";
  const place = value >= 0 && value < scene.space.n ? scene.space.place(value) : "";
  const text = {
    [EVENT.GOAL]: value < 0 ? `${who} has no goal any more` : `${who} is sent to ${place}`,
    [EVENT.BLOCK]: `${place} closes`,
    [EVENT.FREE]: `${place} opens`,
    [EVENT.ADD]: `${who} appears on ${place}`,
    [EVENT.REMOVE]: `${who} is taken away from ${place}`,
    [EVENT.PRIORITY]: `${who} now has priority ${value}`,
    [EVENT.SYNC]: `${who} is put on ${place}`,
    [EVENT.ARRIVED]: `${who} arrives at ${place}`,
    [EVENT.LEFT]: `${who} steps off its goal`,
    [EVENT.TRAPPED]: `${who} stands on the closed ${place}`,
    [EVENT.REFUSED]: `${who} may not move to ${place}, and waits`,
    [EVENT.LATE]: "the planner is late: everybody waits",
    [EVENT.RAISED]: "the planner fails: everybody waits",
  }[kind];
  const group = kind < EVENT.ARRIVED ? "changes" : kind < EVENT.REFUSED ? "arrivals" : "refusals";
  return text && { row, group, agents: agent >= 0 ? [agent] : [], text };
}

function arrivalsOf(scene) {
  const entries = [];
  scene.tally.arrival.forEach((row, agent) => {
    const goal = scene.goal(agent, scene.steps);
    if (row > 0)
      entries.push({
        row,
        group: "arrivals",
        agents: [agent],
        text: `${scene.name(agent)} arrives at ${scene.space.place(goal)} to stay`,
      });
  });
  return entries;
}

/** One entry per unbroken wait; its sentence is made when somebody reads it, for it needs a search. */
function waitsOf(scene) {
  const { agents, steps, rows } = scene;
  const history = scene.history.fresh();
  const since = new Int32Array(agents).fill(-1);
  const entries = [];
  for (let row = 0; row <= steps; row++) {
    const { goals } = history.at(row);
    for (let agent = 0, at = row * agents; agent < agents; agent++, at++) {
      const here = rows[at];
      const waits =
        row < steps && here >= 0 && scene.stays(agent, row) && goals[agent] >= 0 && goals[agent] !== here;
      if (waits && since[agent] < 0) since[agent] = row;
      if (waits || since[agent] < 0) continue;
      entries.push(new Wait(scene, agent, since[agent], row - since[agent]));
      since[agent] = -1;
    }
  }
  return entries;
}

class Wait {
  constructor(scene, agent, row, steps) {
    Object.assign(this, { scene, row, group: "waits", agents: [agent], steps });
  }

  get text() {
    const [agent] = this.agents;
    const why =
      answerFor(this.scene, agent, this.row) ?? `${this.scene.name(agent)} ${whyItWaits(this.scene, agent, this.row)}`;
    return this.steps > 1 ? `${why} (${this.steps} steps)` : why;
  }
}

// ------------------------------------------------------------------------------------ one run on a canvas

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

/** One run: its canvases, one for what stands and one for what moves, and the words around them. */
class Stage {
  constructor(player, scene) {
    this.player = player;
    this.scene = scene;
    this.view = new View(scene.space);
    this.backdrop = new Backdrop(this);
    this.cast = new Cast(this);
    this.mini = new MiniMap(this);
    this.narrator = new Narrator(this);
    const canvases = [this.backdrop, this.cast, this.mini].map(({ canvas }) => canvas);
    this.surface = element("div", { class: "surface", role: "img", tabindex: "0" }, ...canvases);
    this.surface.style.setProperty("--slope", (scene.space.height / scene.space.width).toFixed(4));
    const { counts, ticker } = this.narrator;
    const caption = element("figcaption", {}, element("strong", {}, scene.label), badge(scene), counts);
    this.figure = element("figure", {}, caption, this.surface, ticker);
    new Pointers(this);
  }

  /** How many steps after the first of the runs this one begins. */
  get offset() {
    return this.scene.startTime - this.player.first;
  }

  /** The time of this run, in rows; a run that ends before the others stays at its end. */
  get time() {
    return within(0, this.player.time - this.offset, this.scene.steps);
  }

  get row() {
    return Math.floor(this.time + 1e-9);
  }

  resize() {
    const ratio = Math.min(globalThis.devicePixelRatio || 1, 2);
    const { clientWidth, clientHeight } = this.surface;
    if (this.view.wide === clientWidth && this.view.high === clientHeight && this.ratio === ratio) return;
    this.ratio = ratio;
    for (const { canvas } of [this.backdrop, this.cast]) {
      canvas.width = Math.max(1, Math.round(clientWidth * ratio));
      canvas.height = Math.max(1, Math.round(clientHeight * ratio));
    }
    this.view.resize(clientWidth, clientHeight);
  }

  draw() {
    this.#follow(this.player.following);
    // A page must still scroll under a finger, as long as the whole map is in sight.
    this.surface.style.touchAction = this.view.scale > this.view.fitScale * 1.01 ? "none" : "pan-y";
    this.backdrop.draw();
    this.cast.draw();
    this.mini.draw();
  }

  #follow(agent) {
    const point = this.has(agent) ? this.scene.point(agent, this.time) : null;
    if (point) this.view.look(...point);
  }

  has(agent) {
    return agent >= 0 && agent < this.scene.agents;
  }

  /** A pen for a canvas of the size of the surface, wiped clean. */
  pen(canvas) {
    const pen = canvas.getContext("2d");
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    pen.clearRect(0, 0, this.view.wide, this.view.high);
    return pen;
  }

  /** The agent under a point of the canvas, or -1. */
  pick(x, y) {
    const [worldX, worldY] = this.view.toWorld(x, y);
    const reach = Math.max(0.5, 9 / this.view.scale);
    let [best, nearest] = [-1, reach * reach];
    for (let agent = 0; agent < this.scene.agents; agent++) {
      const point = this.scene.point(agent, this.time);
      if (!point) continue;
      // From the cell of the agent, if it has several, that is nearest.
      const beyond = this.scene.size(agent) - 1;
      const [toX, toY] = [worldX - point[0], worldY - point[1]];
      const distance = (toX - within(0, toX, beyond)) ** 2 + (toY - within(0, toY, beyond)) ** 2;
      if (distance < nearest) [best, nearest] = [agent, distance];
    }
    return best;
  }
}

function badge({ verdict }) {
  if (!verdict) return element("span", { class: "badge" }, "not judged");
  if (verdict.valid) return element("span", { class: "badge good" }, "✓ valid");
  return element("span", { class: "badge bad" }, `✕ ${count(verdict.count, "violation")}`);
}

/** What stands: the map, its heat, goals and starts. Drawn only when something of it changes. */
class Backdrop {
  constructor(stage) {
    this.stage = stage;
    this.canvas = element("canvas", { class: "base", "aria-hidden": "true" });
    this.bitmaps = {};
  }

  draw() {
    const { scene, view, player, row } = this.stage;
    const state = scene.history.at(row);
    const key = [state.version, view.version, player.style].join();
    if (key === this.drawn) return;
    this.drawn = key;
    const pen = this.stage.pen(this.canvas);
    if (scene.space.kind === "grid") this.#drawGrid(pen, state);
    else this.#drawGraph(pen, state);
    if (player.shows.goals) this.#drawGoals(pen, state.goals);
    if (player.shows.starts) this.#drawStarts(pen);
  }

  #drawGrid(pen, state) {
    const { scene, view, player, ratio } = this.stage;
    const { space } = scene;
    const { scale } = view;
    const [left, top] = view.toScreen(0, 0);
    const place = [left, top, space.width * scale, space.height * scale];
    pen.imageSmoothingEnabled = scale * ratio < 1;
    pen.drawImage(
      this.#bitmap("map", state.walls, () => mapPixels(space, state.open, player.colours)),
      ...place,
    );
    const { heat } = player;
    if (heat !== "none")
      pen.drawImage(
        this.#bitmap("heat", heat, () => heatPixels(space, scene.heat(heat), heat)),
        ...place,
      );
    if (scale >= 9) this.#drawLines(pen, left, top);
    pen.strokeStyle = player.colours.wall;
    pen.lineWidth = within(1, scale / 6, 3);
    const out = pen.lineWidth / 2;
    pen.strokeRect(left - out, top - out, place[2] + 2 * out, place[3] + 2 * out);
  }

  /** One pixel per cell, painted once and stretched by the browser. */
  #bitmap(name, key, paint) {
    const full = `${key} ${this.stage.player.theme}`;
    if (this.bitmaps[name]?.key !== full) this.bitmaps[name] = { key: full, canvas: paint() };
    return this.bitmaps[name].canvas;
  }

  #drawLines(pen, left, top) {
    const { view, player } = this.stage;
    const { scale, space } = view;
    const cols = visibleRange(left, view.wide, space.width, scale);
    const rows = visibleRange(top, view.high, space.height, scale);
    const [x, y] = [(col) => left + col * scale, (row) => top + row * scale];
    pen.beginPath();
    for (let col = cols[0]; col <= cols[1]; col++) line(pen, x(col), y(rows[0]), x(col), y(rows[1]));
    for (let row = rows[0]; row <= rows[1]; row++) line(pen, x(cols[0]), y(row), x(cols[1]), y(row));
    pen.strokeStyle = player.colours.line;
    pen.lineWidth = 1;
    pen.stroke();
  }

  #drawGraph(pen, state) {
    const { view, player } = this.stage;
    const { space, scale } = view;
    pen.strokeStyle = player.colours.edge;
    pen.lineWidth = within(0.6, scale * 0.06, 3);
    pen.beginPath();
    for (let index = 0; index < space.edges.length; index += 2) {
      const [from, to] = [space.edges[index], space.edges[index + 1]];
      line(pen, ...view.spot(from), ...view.spot(to));
      if (space.directed && scale >= 14) arrow(pen, view.spot(from), view.spot(to), 0.14 * scale);
    }
    pen.stroke();
    this.#drawVertices(pen, state);
  }

  #drawVertices(pen, state) {
    const { scene, view, player } = this.stage;
    const radius = Math.max(1, view.scale * 0.1);
    const heat = player.heat === "none" ? null : scene.heat(player.heat);
    const most = heat ? largest(heat) || 1 : 1;
    for (let vertex = 0; vertex < scene.space.n; vertex++) {
      const [x, y] = view.spot(vertex);
      if (!view.isNear(x, y, 3 * radius)) continue;
      const share = heat ? heat[vertex] / most : 0;
      const closed = !state.open[vertex];
      pen.fillStyle = share ? heatColour(player.heat, share) : closed ? player.colours.wall : player.colours.edge;
      disc(pen, x, y, share ? radius * 3 : closed ? radius * 2.2 : radius);
    }
  }

  #drawGoals(pen, goals) {
    const { scene, view, player } = this.stage;
    const radius = view.scale * 0.3;
    const small = radius < 1.6;
    pen.lineWidth = within(1, view.scale * 0.09, 4);
    scene.agentsByHue.forEach((agents, hue) => {
      pen.strokeStyle = pen.fillStyle = player.colours.faint[hue];
      pen.beginPath();
      for (const agent of agents) {
        const goal = goals[agent];
        if (goal < 0 || goal >= scene.space.n) continue;
        const [x, y] = view.spot(goal);
        if (!view.isNear(x, y, radius + view.scale * (scene.size(agent) - 1))) continue;
        const side = 2 * radius + view.scale * (scene.size(agent) - 1);
        if (scene.size(agent) > 1) pen.rect(x - radius, y - radius, side, side);
        if (small) pen.rect(x - 0.8, y - 0.8, 1.6, 1.6);
        else ring(pen, x, y, radius);
      }
      if (small) pen.fill();
      else pen.stroke();
    });
  }

  #drawStarts(pen) {
    const { scene, view, player } = this.stage;
    const half = Math.max(1, view.scale * 0.2);
    pen.lineWidth = within(0.8, view.scale * 0.05, 3);
    scene.agentsByHue.forEach((agents, hue) => {
      pen.strokeStyle = player.colours.faint[hue];
      pen.beginPath();
      for (const agent of agents) {
        if (scene.starts[agent] < 0) continue;
        const [x, y] = view.spot(scene.starts[agent]);
        if (view.isNear(x, y, half)) pen.rect(x - half, y - half, 2 * half, 2 * half);
      }
      pen.stroke();
    });
  }
}

/** The first and the last line between cells that is in sight. */
function visibleRange(offset, pixels, cells, scale) {
  return [Math.max(0, Math.floor(-offset / scale)), Math.min(cells, Math.ceil((pixels - offset) / scale))];
}

const TRAIL = 6; // steps
const FEW = 1500; // agents on screen up to which trails are drawn
const ROUND = 2500; // agents on screen up to which they are circles; more are squares, which fill faster
const RADIUS = 0.37; // of an agent, in cells
const NAMED = 20; // pixels per cell from which names can be read
const LONGEST_WAY = 3000; // steps of the selected agent's way before and after now
const MARKED_AT_ONCE = 400; // violations shown faintly all the time
const [MOVING, WAITING, HOME, IDLE] = [0, 1, 2, 3];

/** What moves: agents and their trails, and what is marked about them. */
class Cast {
  constructor(stage) {
    this.stage = stage;
    this.canvas = element("canvas", { class: "top", "aria-hidden": "true" });
    this.points = new Float32Array(2 * stage.scene.agents); // on the canvas, of those in sight
    this.moods = new Uint8Array(stage.scene.agents);
  }

  draw() {
    const { stage } = this;
    const { shows, selected, colours } = stage.player;
    const pen = stage.pen(this.canvas);
    const seen = this.#inSight();
    const total = seen.reduce((sum, agents) => sum + agents.length, 0);
    if (shows.trails && total <= FEW) this.#drawTrails(pen, seen);
    if (stage.has(selected)) this.#drawPath(pen, selected);
    this.#drawAgents(pen, seen, total);
    if (shows.names && stage.view.scale >= NAMED && total <= FEW) this.#drawNames(pen, seen);
    if (stage.has(selected)) this.#circle(pen, selected, colours.accent);
    else if (stage.has(stage.narrator.agent)) this.#circle(pen, stage.narrator.agent, colours.accent, [3, 3]);
    if (shows.collisions) this.#drawViolations(pen);
    if (stage.player.pointed >= 0) this.#drawPointed(pen, stage.player.pointed);
  }

  #drawPointed(pen, vertex) {
    const { view, player } = this.stage;
    pen.strokeStyle = player.colours.accent;
    pen.lineWidth = 3;
    pen.beginPath();
    diamond(pen, ...view.spot(vertex), Math.max(view.scale * 0.62, 9));
    pen.closePath();
    pen.stroke();
  }

  /** Per colour the agents in sight; their points and moods are kept for all that is drawn about them. */
  #inSight() {
    const { scene, row, time, view } = this.stage;
    const { rows, agents, space } = scene;
    const { goals } = scene.history.at(row);
    const [before, after] = [row * agents, Math.min(row + 1, scene.steps) * agents];
    const part = time - row;
    const { points, moods } = this;
    return scene.agentsByHue.map((members) => {
      const seen = [];
      for (const agent of members) {
        const from = rows[before + agent];
        if (from < 0) continue;
        const aim = scene.periods ? scene.next(agent, row) : rows[after + agent];
        const to = aim < 0 ? from : aim;
        const done = scene.periods ? scene.progress(agent, row, time) : part;
        const x = space.x(from) + (to === from ? 0 : (space.x(to) - space.x(from)) * done);
        const y = space.y(from) + (to === from ? 0 : (space.y(to) - space.y(from)) * done);
        const [left, top] = [(x - view.x) * view.scale, (y - view.y) * view.scale];
        if (!view.isNear(left, top, scene.sizes ? view.scale * (scene.size(agent) - 0.5) : view.scale / 2)) continue;
        points[2 * agent] = left;
        points[2 * agent + 1] = top;
        moods[agent] =
          to !== from ? MOVING : goals[agent] === from ? HOME : goals[agent] < 0 || row >= scene.steps ? IDLE : WAITING;
        seen.push(agent);
      }
      return seen;
    });
  }

  #drawAgents(pen, seen, total) {
    const { shows, colours } = this.stage.player;
    const radius = RADIUS * this.stage.view.scale;
    const rounded = radius >= 1.8 && total <= ROUND;
    seen.forEach((agents, hue) => {
      pen.fillStyle = colours.agents[hue];
      if (this.stage.scene.sizes) this.#blocks(pen, agents);
      if (rounded) this.#discs(pen, agents, radius);
      else this.#squares(pen, agents, radius, (mood) => !shows.waits || mood !== WAITING);
    });
    if (shows.waits) this.#drawWaits(pen, seen, radius, rounded);
    if (shows.detours) this.#drawDetours(pen, seen, radius);
  }

  /** All cells of large agents; the disc or square of the others marks the top left one. */
  #blocks(pen, agents) {
    const { scene, view } = this.stage;
    const rim = view.scale * (0.5 - RADIUS);
    for (const agent of agents) {
      const side = scene.size(agent) * view.scale - 2 * rim;
      if (scene.size(agent) === 1) continue;
      const [left, top] = this.#point(agent).map((middle) => middle - view.scale / 2 + rim);
      pen.globalAlpha = this.moods[agent] === HOME ? 0.4 : 0.75;
      pen.fillRect(left, top, side, side);
    }
    pen.globalAlpha = 1;
  }

  #discs(pen, agents, radius) {
    for (const agent of agents) {
      pen.globalAlpha = this.moods[agent] === HOME ? 0.55 : 1;
      disc(pen, this.points[2 * agent], this.points[2 * agent + 1], radius);
    }
    pen.globalAlpha = 1;
  }

  #squares(pen, agents, radius, wanted) {
    const { points, moods } = this;
    const side = Math.max(2, Math.round(2 * radius));
    for (const agent of agents) {
      if (!wanted(moods[agent])) continue;
      pen.fillRect(Math.round(points[2 * agent] - side / 2), Math.round(points[2 * agent + 1] - side / 2), side, side);
    }
  }

  #drawWaits(pen, seen, radius, rounded) {
    pen.fillStyle = pen.strokeStyle = this.stage.player.colours.ink;
    pen.lineWidth = within(1.2, radius * 0.3, 5);
    pen.beginPath();
    for (const agents of seen) {
      if (!rounded) this.#squares(pen, agents, radius, (mood) => mood === WAITING);
      else for (const agent of agents) if (this.moods[agent] === WAITING) ring(pen, ...this.#point(agent), radius);
    }
    pen.stroke();
  }

  #point(agent) {
    return [this.points[2 * agent], this.points[2 * agent + 1]];
  }

  #drawDetours(pen, seen, radius) {
    const { scene, row, player } = this.stage;
    const reach = Math.max(radius, 2.5) * 1.15;
    pen.strokeStyle = player.colours.detour;
    pen.lineWidth = within(1.2, radius * 0.3, 5);
    pen.beginPath();
    for (const agents of seen)
      for (const agent of agents) if (player.strays(scene, agent, row)) diamond(pen, ...this.#point(agent), reach);
    pen.stroke();
  }

  /** Longer trails under shorter ones, so that they fade. */
  #drawTrails(pen, seen) {
    const { row, view, player } = this.stage;
    pen.lineWidth = Math.max(1, view.scale * 0.34);
    pen.lineCap = pen.lineJoin = "round";
    seen.forEach((agents, hue) => {
      pen.strokeStyle = player.colours.agents[hue];
      for (const [steps, alpha] of [
        [TRAIL, 0.1],
        [4, 0.12],
        [2, 0.16],
      ]) {
        pen.globalAlpha = alpha;
        pen.beginPath();
        for (const agent of agents) if (this.#way(pen, agent, row - steps, row)) pen.lineTo(...this.#point(agent));
        pen.stroke();
      }
    });
    pen.globalAlpha = 1;
  }

  /** Adds the way of an agent between two rows to the path of the pen, and says whether it ends there. */
  #way(pen, agent, from, to) {
    const { scene, view } = this.stage;
    let begun = false;
    for (let row = Math.max(from, 0); row <= to; row++) {
      const vertex = scene.vertex(agent, row);
      if (vertex < 0) begun = false;
      else if (begun) pen.lineTo(...view.spot(vertex));
      else {
        pen.moveTo(...view.spot(vertex));
        begun = true;
      }
    }
    return begun;
  }

  /** Where the selected agent has been and will go, and its goal. */
  #drawPath(pen, agent) {
    const { scene, row, view, player } = this.stage;
    pen.strokeStyle = player.colours.accent;
    pen.lineJoin = pen.lineCap = "round";
    for (const [from, to, width, dash] of [
      [row - LONGEST_WAY, row, 0.14, []],
      [row, Math.min(row + LONGEST_WAY, scene.steps), 0.07, [4, 4]],
    ]) {
      pen.lineWidth = within(1.2, view.scale * width, 60 * width);
      pen.setLineDash(dash);
      pen.beginPath();
      this.#way(pen, agent, from, to);
      pen.stroke();
    }
    pen.setLineDash([]);
    const goal = scene.goal(agent, row);
    if (goal < 0) return;
    pen.lineWidth = within(1.5, view.scale * 0.09, 4);
    pen.beginPath();
    ring(pen, ...view.spot(goal), Math.max(4, view.scale * 0.42));
    pen.stroke();
  }

  #circle(pen, agent, colour, dash = []) {
    const { scene, time, view } = this.stage;
    const point = scene.point(agent, time);
    if (!point) return;
    pen.strokeStyle = colour;
    pen.lineWidth = within(2, view.scale * 0.08, 4);
    pen.beginPath();
    ring(pen, ...view.toScreen(...point), Math.max(8, view.scale * 0.56));
    pen.setLineDash(dash);
    pen.stroke();
    pen.setLineDash([]);
  }

  /** In the agent where there is room, else under it. */
  #drawNames(pen, seen) {
    const { scene, view, player } = this.stage;
    pen.font = `600 ${Math.min(13, view.scale * 0.34)}px system-ui, sans-serif`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.lineJoin = "round";
    pen.lineWidth = 3;
    pen.strokeStyle = player.colours.floor;
    for (const agent of seen.flat()) {
      const name = shortened(scene.name(agent), 14);
      const [x, y] = this.#point(agent);
      const fits = pen.measureText(name).width < view.scale * 2 * RADIUS;
      const below = fits ? y : y + view.scale * 0.5;
      if (!fits) pen.strokeText(name, x, below);
      pen.fillStyle = fits ? "#fff" : player.colours.ink;
      pen.fillText(name, x, below);
    }
  }

  #drawViolations(pen) {
    const { scene, view, time } = this.stage;
    const now = scene.violationsNow(time);
    const faint = scene.violations.length <= MARKED_AT_ONCE ? scene.violations : [];
    for (const violation of [...faint.filter((one) => !now.includes(one)), ...now]) {
      const place = markOf(scene, violation);
      if (place) this.#drawMark(pen, ...view.toScreen(...place), now.includes(violation));
    }
  }

  #drawMark(pen, x, y, now) {
    const { view, player } = this.stage;
    const radius = now ? Math.max(9, view.scale * 0.62) : Math.max(5, view.scale * 0.34);
    const arm = radius * 0.55;
    pen.globalAlpha = now ? 1 : 0.65;
    pen.strokeStyle = player.colours.danger;
    pen.lineWidth = within(now ? 3 : 1.5, view.scale * 0.05, now ? 6 : 4);
    pen.beginPath();
    ring(pen, x, y, radius);
    line(pen, x - arm, y - arm, x + arm, y + arm);
    line(pen, x + arm, y - arm, x - arm, y + arm);
    pen.stroke();
    pen.globalAlpha = 1;
  }
}

/** A step is dated by its end, so a collision is shown while the step that leads to it is made. */
function isNow({ row }, time) {
  return time > row - 1 && time < row + 0.5;
}

/** Where a violation is marked: between two agents that pass through each other, else on its place. */
function markOf(scene, { kind, agents, vertex, row }) {
  if (PASSING.includes(kind) || kind === "no_edge") {
    const points = agents.map((agent) => scene.point(agent, row - 0.5)).filter(Boolean);
    if (points.length) return [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);
  }
  return vertex < 0 ? null : [scene.space.x(vertex), scene.space.y(vertex)];
}

const PASSING = ["swap", "crossing"]; // happen on the way, not where the step ends

const MINI = [150, 110]; // pixels

/** The whole map in a corner, once only a part of it is in sight. */
class MiniMap {
  constructor(stage) {
    this.stage = stage;
    this.canvas = element("canvas", { class: "mini", "aria-hidden": "true", hidden: "" });
  }

  draw() {
    const { view, backdrop, player, ratio } = this.stage;
    const { space } = view;
    this.canvas.hidden = view.scale <= view.fitScale * 1.4;
    if (this.canvas.hidden) return;
    this.scale = Math.min(MINI[0] / space.width, MINI[1] / space.height);
    this.#resize();
    const pen = this.canvas.getContext("2d");
    const scale = this.scale * ratio;
    pen.setTransform(scale, 0, 0, scale, -space.left * scale, -space.top * scale);
    pen.fillStyle = player.colours.floor;
    pen.fillRect(space.left, space.top, space.width, space.height);
    if (backdrop.bitmaps.map) pen.drawImage(backdrop.bitmaps.map.canvas, 0, 0, space.width, space.height);
    this.#drawAgents(pen, 2 / this.scale);
    pen.strokeStyle = player.colours.accent;
    pen.lineWidth = 1.5 / this.scale;
    pen.strokeRect(view.x, view.y, view.wide / view.scale, view.high / view.scale);
  }

  #resize() {
    const { view, ratio } = this.stage;
    const [wide, high] = [view.space.width, view.space.height].map((cells) => Math.max(12, cells * this.scale));
    if (this.canvas.width === Math.round(wide * ratio) && this.canvas.height === Math.round(high * ratio)) return;
    this.canvas.width = Math.round(wide * ratio);
    this.canvas.height = Math.round(high * ratio);
    this.canvas.style.width = `${wide}px`;
    this.canvas.style.height = `${high}px`;
  }

  #drawAgents(pen, size) {
    const { scene, row, player } = this.stage;
    if (scene.agents > 4 * FEW) return;
    pen.fillStyle = player.colours.accent;
    for (let agent = 0; agent < scene.agents; agent++) {
      const vertex = scene.vertex(agent, row);
      if (vertex >= 0) pen.fillRect(scene.space.x(vertex) - size / 2, scene.space.y(vertex) - size / 2, size, size);
    }
  }

  /** The point of the world under a point of the small map. */
  toWorld(x, y) {
    const { space } = this.stage.view;
    return [space.left + x / this.scale, space.top + y / this.scale];
  }
}

const SPOKESMEN = 6; // waiting agents among whom one is chosen to be spoken of
const READABLE = 2200; // milliseconds for which a sentence stays while the run goes on

/** The words around a map: how many have arrived, and a sentence about the selected agent or one that waits. */
class Narrator {
  constructor(stage) {
    this.stage = stage;
    this.agent = -1; // who is spoken of
    this.sentence = "";
    this.until = 0; // a sentence that was chosen while playing stays until then
    this.counts = element("span", { class: "counts" });
    this.ticker = element("p", { class: "ticker" });
  }

  speak(now) {
    const { scene, row, surface } = this.stage;
    const { aiming, waiting, home, gone } = scene.tally;
    this.counts.textContent = `${home[row] + gone[row]} of ${aiming[row] + gone[row]} at their goals, ${waiting[row]} waiting`;
    this.#choose(row, now);
    if (this.ticker.textContent !== this.sentence) this.ticker.textContent = this.sentence;
    const time = scene.startTime + row;
    surface.setAttribute(
      "aria-label",
      `${scene.label}: map at time ${time}, ${this.counts.textContent}. ${this.sentence}`,
    );
  }

  /** The selected agent is spoken of at every step; one that waits for long enough to be read. */
  #choose(row, now) {
    const { scene, player } = this.stage;
    const isSelected = this.stage.has(player.selected);
    if (player.playing && !isSelected && now < this.until) return;
    this.agent = isSelected ? player.selected : this.#waiting(row);
    this.sentence = this.agent < 0 ? "" : sentenceAbout(scene, this.agent, row);
    this.until = 0;
    if (!player.playing || isSelected || this.agent < 0) return;
    this.sentence = `Time ${scene.startTime + row}: ${this.sentence}`;
    this.until = now + READABLE;
  }

  /** One of those that wait: whoever was spoken of before, else one that waits for somebody. */
  #waiting(row) {
    const { scene, player } = this.stage;
    const again = this.stage.has(this.agent) && scene.waits(this.agent, row);
    if (again && !player.playing) return this.agent;
    const waiting = [];
    for (let agent = 0; agent < scene.agents && waiting.length < SPOKESMEN; agent++) {
      if (scene.waits(agent, row) && this.#isInSight(agent)) waiting.push(agent);
    }
    return waiting.find((agent) => whyItWaits(scene, agent, row).startsWith("waits for")) ?? waiting[0] ?? -1;
  }

  #isInSight(agent) {
    const { scene, time, view } = this.stage;
    const point = scene.point(agent, time);
    return point !== null && view.isNear(...view.toScreen(...point), 0);
  }
}

function sentenceAbout(scene, agent, row) {
  return answerFor(scene, agent, row) ?? `${scene.name(agent)} ${doing(scene, agent, row)}.`;
}

function within(least, value, most) {
  return Math.min(Math.max(value, least), most);
}

export function line(pen, fromX, fromY, toX, toY) {
  pen.moveTo(fromX, fromY);
  pen.lineTo(toX, toY);
}

/** A head past the middle of the way from a point to another. */
function arrow(pen, [fromX, fromY], [toX, toY], size) {
  const length = Math.hypot(toX - fromX, toY - fromY) || 1;
  const [dx, dy] = [((toX - fromX) / length) * size, ((toY - fromY) / length) * size];
  const [x, y] = [fromX + (toX - fromX) * 0.6, fromY + (toY - fromY) * 0.6];
  for (const side of [0.6, -0.6]) line(pen, x, y, x - dx - side * dy, y - dy + side * dx);
}

export function ring(pen, x, y, radius) {
  pen.moveTo(x + radius, y);
  pen.arc(x, y, radius, 0, 2 * Math.PI);
}

function diamond(pen, x, y, reach) {
  pen.moveTo(x, y - reach);
  for (const [dx, dy] of [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ])
    pen.lineTo(x + dx * reach, y + dy * reach);
}

export function disc(pen, x, y, radius) {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fill();
}

export function shortened(text, most) {
  const letters = Array.from(text);
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : text;
}

const MAX_BITMAP = 8192; // pixels a side; browsers refuse much larger canvases

/** A canvas with one pixel per cell (per block of cells on gigantic maps), painted by a function. */
function pixels(space, paint) {
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

function heatPixels(space, heat, kind) {
  const most = largest(heat) || 1;
  const shades = Array.from({ length: 65 }, (_, index) => packed(heatColour(kind, index / 64)));
  return pixels(space, (vertex) => (heat[vertex] ? shades[Math.ceil(Math.sqrt(heat[vertex] / most) * 64)] : 0));
}

function heatColour(kind, share) {
  const [red, green, blue] = kind === "waiting" ? [214, 40, 40] : [30, 100, 220];
  return `rgba(${red}, ${green}, ${blue}, ${(0.12 + 0.78 * share).toFixed(3)})`;
}

/** A CSS colour as the bytes of an ImageData. */
function packed(colour) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  pen.fillStyle = colour;
  pen.fillRect(0, 0, 1, 1);
  return new Uint32Array(pen.getImageData(0, 0, 1, 1).data.buffer)[0];
}

/** Mouse, pen and fingers on a stage: drag to pan, wheel or two fingers to zoom, click to select. */
class Pointers {
  constructor(stage) {
    this.stage = stage;
    this.down = new Map();
    this.travelled = 0;
    const { surface, view } = stage;
    const mini = stage.mini.canvas;
    surface.addEventListener("pointerdown", (event) => this.#press(event));
    surface.addEventListener("pointermove", (event) => this.#move(event));
    for (const name of ["pointerup", "pointercancel"]) surface.addEventListener(name, (event) => this.#release(event));
    surface.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    surface.addEventListener("dblclick", (event) => this.#act(() => view.zoom(2, ...this.#spot(event))));
    for (const name of ["pointerdown", "pointermove"]) mini.addEventListener(name, (event) => this.#small(event));
    mini.addEventListener("dblclick", (event) => event.stopPropagation());
  }

  #act(change) {
    change();
    this.stage.player.viewChanged(this.stage);
  }

  #spot(event) {
    const { left, top } = this.stage.surface.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  }

  #press(event) {
    if (event.button > 0) return;
    this.stage.surface.setPointerCapture(event.pointerId);
    this.down.set(event.pointerId, this.#spot(event));
    this.travelled = 0;
  }

  #move(event) {
    const before = this.down.get(event.pointerId);
    if (!before) return;
    const now = this.#spot(event);
    const others = [...this.down].filter(([id]) => id !== event.pointerId);
    this.down.set(event.pointerId, now);
    const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
    this.travelled += Math.hypot(dx, dy);
    if (others.length) {
      const [, fixed] = others[0];
      const factor = apart(now, fixed) / Math.max(apart(before, fixed), 1);
      this.#act(() => this.stage.view.zoom(factor, ...fixed));
    } else if (this.travelled > 4) {
      this.stage.player.follow(-1);
      this.#act(() => this.stage.view.pan(dx, dy));
    }
  }

  #release(event) {
    const spot = this.down.get(event.pointerId);
    this.down.delete(event.pointerId);
    if (!spot || event.type === "pointercancel" || this.travelled > 4) return;
    this.stage.player.select(this.stage.pick(...spot), this.stage);
  }

  /** In a page of its own the wheel zooms; elsewhere it scrolls the document unless a key says otherwise. */
  #wheel(event) {
    if (!this.stage.player.isPage && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode === 1 ? 30 : 1);
    this.#act(() => this.stage.view.zoom(Math.exp(-pixels / 400), ...this.#spot(event)));
  }

  #small(event) {
    event.stopPropagation();
    if (!event.buttons) return;
    const { mini, view, player } = this.stage;
    const { left, top } = mini.canvas.getBoundingClientRect();
    player.follow(-1);
    this.#act(() => view.look(...mini.toWorld(event.clientX - left, event.clientY - top)));
  }
}

function apart([fromX, fromY], [toX, toY]) {
  return Math.hypot(fromX - toX, fromY - toY);
}

// ------------------------------------------------------------------------------------------- the page

/** An element with attributes and children; strings become text, never markup. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

const ICONS = {
  start: "M5 4h2v12H5zM16 4v12l-8-6z",
  back: "M14 4v12l-8-6z",
  play: "M6 3v14l11-7z",
  pause: "M5 4h4v12H5zM11 4h4v12h-4z",
  forth: "M6 4v12l8-6z",
  end: "M13 4h2v12h-2zM4 4v12l8-6z",
  closer: "M9 4h2v5h5v2h-5v5H9v-5H4V9h5z",
  further: "M4 9h12v2H4z",
  fit: "M3 3h5v2H5v3H3zM12 3h5v5h-2V5h-3zM3 12h2v3h3v2H3zM15 12h2v5h-5v-2h3z",
  theme: "M10 2a8 8 0 1 0 0 16zm0 2v12a6 6 0 0 0 0-12z",
  help: "M8 7a2 2 0 1 1 3 1.7c-1 .6-2 1.2-2 2.8h2c0-.7.6-1 1.2-1.400A4 4 0 1 0 6 7zM9 13h2v2H9z",
};

export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

export function iconButton(name, label, onclick) {
  return element("button", { type: "button", class: "icon", "aria-label": label, title: label, onclick }, icon(name));
}

const TALLEST = 8e6; // pixels; browsers draw nothing beyond some tens of millions

/** A long list of which only the rows in sight exist. */
class LongList {
  constructor(label, height, row) {
    this.height = height; // pixels of a row
    this.row = row;
    this.items = [];
    this.inner = element("ul", {});
    this.root = element("div", { class: "list", role: "group", "aria-label": label, tabindex: "0" }, this.inner);
    this.root.addEventListener("scroll", () => this.render());
    new ResizeObserver(() => this.render()).observe(this.root);
  }

  show(items) {
    this.items = items;
    this.inner.style.height = `${Math.min(items.length * this.height, TALLEST)}px`;
    this.render();
  }

  /** How many pixels of the list one pixel of scrolling stands for: more than one where it would be too tall. */
  get #stretch() {
    const hidden = (pixels) => Math.max(pixels - this.root.clientHeight, 1);
    const total = this.items.length * this.height;
    return total <= TALLEST ? 1 : hidden(total) / hidden(TALLEST);
  }

  render() {
    const top = this.root.scrollTop * this.#stretch;
    const first = Math.max(0, Math.floor(top / this.height) - 2);
    const last = Math.min(this.items.length, first + Math.ceil((this.root.clientHeight || 400) / this.height) + 4);
    const focused = this.#focusedRow();
    const rows = [];
    for (let index = first; index < last; index++) rows.push(this.#item(index, this.root.scrollTop - top));
    this.inner.replaceChildren(...rows);
    if (focused < first || focused >= last) return;
    rows[focused - first].querySelector("button")?.focus({ preventScroll: true });
  }

  #item(index, shift) {
    const place = { "aria-setsize": this.items.length, "aria-posinset": index + 1 };
    const item = element("li", place, this.row(this.items[index]));
    item.style.top = `${index * this.height + shift}px`;
    item.style.height = `${this.height}px`;
    return item;
  }

  #focusedRow() {
    const active = this.root.getRootNode().activeElement;
    const item = active && this.inner.contains(active) ? active.closest("li") : null;
    return item ? Number(item.getAttribute("aria-posinset")) - 1 : -1;
  }

  /** Scrolls so that an item is in sight. */
  reveal(index) {
    const [top, seen] = [index * this.height, this.root.scrollTop * this.#stretch];
    if (top < seen || top + this.height > seen + this.root.clientHeight) {
      this.root.scrollTop = (top - this.root.clientHeight / 3) / this.#stretch;
    }
    this.render();
  }
}

/** Tabs as the ARIA practices describe them: arrows move between them, only the chosen one is in the tab order. */
class Tabs {
  constructor(label, parts) {
    this.id = `t${Math.random().toString(36).slice(2, 8)}`;
    this.parts = parts;
    this.buttons = parts.map(({ name }, index) =>
      element(
        "button",
        {
          type: "button",
          role: "tab",
          id: `${this.id}-${index}`,
          "aria-controls": `${this.id}-${index}-panel`,
          onclick: () => this.open(index),
        },
        name,
      ),
    );
    this.panels = parts.map(({ content }, index) =>
      element(
        "div",
        { role: "tabpanel", tabindex: "0", id: `${this.id}-${index}-panel`, "aria-labelledby": `${this.id}-${index}` },
        ...content,
      ),
    );
    this.root = element(
      "div",
      { class: "tabs" },
      element("div", { role: "tablist", "aria-label": label }, ...this.buttons),
      ...this.panels,
    );
    this.root.firstChild.addEventListener("keydown", (event) => this.#key(event));
    this.open(0);
  }

  open(chosen) {
    this.chosen = chosen;
    this.buttons.forEach((button, index) => {
      button.setAttribute("aria-selected", String(index === chosen));
      button.tabIndex = index === chosen ? 0 : -1;
      this.panels[index].hidden = index !== chosen;
    });
    this.parts[chosen].opened?.();
  }

  #key(event) {
    const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    this.open((this.chosen + move + this.buttons.length) % this.buttons.length);
    this.buttons[this.chosen].focus();
  }
}

// -------------------------------------------------------------------------------------------- panels

/** What the runs have in common and what not: a table of facts, one column per run, and how to read the map. */
function factsOf(player) {
  const { scenes } = player;
  const names = [...new Set(scenes.flatMap((scene) => scene.facts.map(([name]) => name)))];
  const value = (scene, name) => scene.facts.find(([one]) => one === name)?.[1] ?? "";
  const head = element(
    "tr",
    {},
    element("td", {}),
    ...scenes.map((scene) => element("th", { scope: "col" }, scene.label)),
  );
  const rows = names.map((name) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, name),
      ...scenes.map((scene) => element("td", {}, value(scene, name))),
    ),
  );
  const waits = element(
    "tr",
    {},
    element("th", { scope: "row" }, "waits"),
    ...scenes.map((scene) => element("td", {}, waitsIn(scene).toLocaleString("en"))),
  );
  const judged = element(
    "tr",
    {},
    element("th", { scope: "row" }, "the judge says"),
    ...scenes.map((scene) => element("td", {}, verdictOf(scene))),
  );
  return element("table", {}, element("thead", {}, head), element("tbody", {}, judged, waits, ...rows));
}

function waitsIn(scene) {
  return scene.tally.waits.reduce((sum, waits) => sum + waits, 0);
}

function verdictOf({ verdict }) {
  if (!verdict) return "not judged";
  return verdict.valid ? "valid: no collision" : count(verdict.count, "violation");
}

function legend() {
  const rows = [
    ["agent", "an agent"],
    ["goal", "its goal"],
    ["wait", "it waits"],
    ["home", "it has arrived"],
    ["stray", "it makes a detour"],
    ["wrong", "it breaks a rule"],
    ["spoken", "whom the line below is about"],
    ["share", "how many have arrived, and wait"],
  ];
  return element(
    "ul",
    { class: "legend" },
    ...rows.map(([mark, text]) => element("li", {}, element("span", { class: `mark ${mark}` }), text)),
  );
}

/** The selected agent: what it does now in every run, and why where the plan says so. */
class Card {
  constructor(player) {
    this.player = player;
    this.root = element("section", { class: "card", "aria-label": "Selected agent", hidden: "" });
    this.follow = element("button", {
      type: "button",
      onclick: () => player.follow(player.following < 0 ? player.selected : -1),
    });
    this.close = element("button", { type: "button", onclick: () => player.select(-1) }, "Deselect");
    this.title = element("h2", { class: "grow" });
    this.words = element("div", {});
    this.root.append(element("div", { class: "row" }, this.title, this.follow, this.close), this.words);
  }

  update() {
    const { player } = this;
    const agent = player.selected;
    this.root.hidden = agent < 0;
    if (agent < 0) return;
    const shown = player.stages.filter((stage) => stage.has(agent));
    const { scene } = player.active.has(agent) ? player.active : shown[0];
    this.title.replaceChildren(dot(scene, agent), scene.fullName(agent));
    this.follow.textContent = player.following < 0 ? "Follow" : "Stop following";
    this.follow.setAttribute("aria-pressed", String(player.following >= 0));
    this.words.replaceChildren(...shown.map((stage) => this.#about(stage, agent, scene.fullName(agent))));
  }

  #about({ scene, row }, agent, title) {
    const said = answerFor(scene, agent, row);
    const name = scene.fullName(agent) === title ? "" : `, ${scene.name(agent)}`; // the runs may have different agents
    const label = this.player.scenes.length > 1 ? [element("strong", {}, `${scene.label}${name}: `)] : [];
    return element(
      "div",
      {},
      element("p", {}, ...label, sentenceCase(`${doing(scene, agent, row)}.`)),
      ...(said ? [element("p", { class: "why" }, said)] : []),
      element("p", { class: "quiet" }, wholeRun(scene, agent)),
    );
  }
}

function wholeRun(scene, agent) {
  const { waits, arrival } = scene.tally;
  if (scene.goal(agent, scene.steps) < 0) return `Waits ${count(waits[agent], "step")} in all.`;
  const arrived =
    arrival[agent] >= 0 ? `at its goal from time ${scene.startTime + arrival[agent]} on` : "not at its goal at the end";
  return `Waits ${count(waits[agent], "step")} in all; ${arrived}.`;
}

function dot(scene, agent) {
  const made = element("span", { class: "dot" });
  made.style.setProperty("--hue", hueOf(scene.hues[agent]));
  return made;
}

function sentenceCase(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

class AgentList {
  constructor(player) {
    this.player = player;
    this.search = element("input", {
      type: "search",
      placeholder: "Search by name",
      "aria-label": "Search agents by name",
      oninput: () => this.fill(),
    });
    this.found = element("p", { class: "quiet" });
    this.list = new LongList("Agents", 34, (agent) => this.#row(agent));
    this.content = [this.search, this.found, this.list.root];
  }

  fill() {
    const { scene } = this.player.active;
    const wanted = this.search.value.trim().toLowerCase();
    const agents = [];
    for (let agent = 0; agent < scene.agents; agent++)
      if (scene.fullName(agent).toLowerCase().includes(wanted)) agents.push(agent);
    this.found.textContent = wanted
      ? `${count(agents.length, "agent")} of ${scene.agents}`
      : count(agents.length, "agent");
    this.list.show(agents);
  }

  #row(agent) {
    const { scene, row } = this.player.active;
    return element(
      "button",
      {
        type: "button",
        "aria-pressed": String(agent === this.player.selected),
        onclick: () => this.player.select(agent, this.player.active, true),
      },
      dot(scene, agent),
      element("span", { class: "grow" }, scene.fullName(agent)),
      element("span", { class: "quiet" }, stateOf(scene, agent, row)),
    );
  }
}

function stateOf(scene, agent, row) {
  const here = scene.vertex(agent, row);
  if (here < 0) return "not there";
  if (scene.isHome(agent, row)) return "at its goal";
  if (scene.waits(agent, row)) return "waits";
  return row < scene.steps && scene.vertex(agent, row + 1) !== here ? "moves" : "stands";
}

const GROUPS = {
  violations: "Violations",
  waits: "Waits",
  arrivals: "Arrivals",
  changes: "Changes",
  refusals: "Refusals",
  remarks: "Remarks",
};

class EventList {
  constructor(player) {
    this.player = player;
    this.group = element("select", { "aria-label": "Which events", onchange: () => this.fill() });
    this.mine = element("input", { type: "checkbox", onchange: () => this.fill() });
    this.found = element("p", { class: "quiet" });
    this.list = new LongList("Events", 48, (entry) => this.#row(entry));
    this.content = [
      element("p", { class: "row" }, this.group, element("label", {}, this.mine, " selected agent only")),
      this.found,
      this.list.root,
    ];
  }

  fill() {
    const { scene } = this.player.active;
    this.#offer(new Set(scene.entries.map(({ group }) => group)));
    const { selected } = this.player;
    const fits = (entry) =>
      (this.group.value === "all" || entry.group === this.group.value) &&
      (!this.mine.checked || entry.agents.includes(selected));
    const entries = scene.entries.filter(fits);
    const { violations, verdict } = scene;
    const cut =
      violations.length < (verdict?.count ?? 0)
        ? ` (of ${count(verdict.count, "violation")} the first ${violations.length.toLocaleString("en")})`
        : "";
    this.found.textContent = count(entries.length, "event") + cut;
    this.list.show(entries);
    this.#revealNow(entries);
  }

  #offer(groups) {
    const chosen = this.group.value || "all";
    const options = Object.entries(GROUPS).filter(([group]) => groups.has(group));
    this.group.replaceChildren(
      ...[["all", "All events"], ...options].map(([value, name]) => element("option", { value }, name)),
    );
    this.group.value = groups.has(chosen) ? chosen : "all";
  }

  #revealNow(entries) {
    const next = entries.findIndex(({ row }) => row >= this.player.active.row);
    if (next > 0) this.list.reveal(next);
  }

  #row(entry) {
    const { player } = this;
    const { scene } = player.active;
    return element(
      "button",
      { type: "button", class: entry.group, title: entry.text, onclick: () => player.show(entry) },
      element("span", { class: "time" }, String(scene.startTime + entry.row)),
      element("span", { class: "grow" }, entry.text),
    );
  }
}

const KEYS = [
  ["Space", "play or pause"],
  ["← →", "one step back or forth, with Shift ten"],
  ["Home End", "to the beginning or the end"],
  ["↑ ↓", "faster or slower"],
  ["+ - 0", "zoom in, zoom out, everything"],
  ["W A S D", "move the map"],
  ["N P", "next or previous violation"],
  ["F Esc", "follow the selected agent, deselect it"],
  ["G T H", "goals, trails, heat maps"],
  ["/", "search agents"],
  ["?", "this list"],
];

function helpDialog(isPage) {
  const rows = KEYS.map(([keys, what]) =>
    element("tr", {}, element("th", { scope: "row" }, keys), element("td", {}, what)),
  );
  const dialog = element("dialog", { "aria-label": "Keys and gestures" });
  dialog.append(
    element("h2", {}, "Keys and gestures"),
    element("table", {}, element("tbody", {}, ...rows)),
    element(
      "p",
      {},
      `Drag to move the map, turn the wheel ${isPage ? "" : "with Ctrl "}or spread two fingers to zoom, click an agent to select it.`,
    ),
    element("p", { class: "row" }, element("button", { type: "button", onclick: () => dialog.close() }, "Close")),
  );
  return dialog;
}

// -------------------------------------------------------------------------------------------- the player

const SPEEDS = [0.5, 1, 2, 4, 8, 16, 32, 64]; // steps per second
const WORDS_EVERY = 250; // milliseconds between updates of text while playing
const NARROW = 620; // pixels, as in the styles: a phone
const FOLLOWED = 14; // pixels per cell at least, around an agent that is followed
const SEARCH_MS = 8; // per frame, for the distances that detours need

const SHOWN = {
  goals: ["Goals", true],
  starts: ["Starts", false],
  trails: ["Trails", true],
  names: ["Names", true],
  waits: ["Waits", true],
  detours: ["Detours", false],
  collisions: ["Collisions", true],
};

const HEATS = { none: "No heat map", occupancy: "Heat: where agents were", waiting: "Heat: where they waited" };

export class Player {
  /** Shows a document of `unpack` in a host element; `isPage` when the page is the player's own. */
  constructor(host, content, { isPage = false, autoplay = true, theme = "auto" } = {}) {
    Object.assign(this, { host, isPage, scenes: content.scenes });
    this.first = smallest(this.scenes.map(({ startTime }) => startTime)); // runs are shown in step
    this.steps = largest(this.scenes.map(({ startTime, steps }) => startTime + steps)) - this.first;
    this.time = 0; // in steps from the first time on
    this.speed = SPEEDS.find((speed) => speed >= 2 && this.steps / speed <= 45) ?? SPEEDS.at(-1);
    this.playing = false;
    this.selected = this.following = -1;
    this.pointed = -1; // the place that was pointed at
    this.heat = "none";
    this.frames = 0;
    this.shows = Object.fromEntries(Object.entries(SHOWN).map(([name, [, on]]) => [name, on]));
    this.style = 0; // changes whenever things are to look different
    this.still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.stages = this.scenes.map((scene) => new Stage(this, scene));
    this.active = this.stages[0];
    this.#build(content);
    this.setTheme(theme);
    this.#listen();
    this.#layout();
    if (this.note && this.root.clientWidth < NARROW) this.note.open = false;
    this.#words(0);
    if (autoplay && !this.still && this.steps > 0) this.play();
  }

  // Construction

  #build({ title, note }) {
    const root = this.host.shadowRoot ?? this.host.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLES);
    root.adoptedStyleSheets = [sheet];
    this.live = element("div", { class: "unseen", "aria-live": "polite" });
    this.help = helpDialog(this.isPage);
    this.card = new Card(this);
    const parts = [
      this.#header(title, note),
      element("div", { class: "middle" }, this.#stagesBox(), this.#panel()),
      this.#controls(),
    ];
    this.root = element(this.isPage ? "main" : "div", { class: "player" }, ...parts, this.help, this.live);
    root.replaceChildren(this.root);
  }

  #header(title, note) {
    const lines = note.split("\n").filter(Boolean);
    const words = element("div", { class: "grow" }, element(this.isPage ? "h1" : "h2", {}, title));
    if (lines.length) {
      this.note = element(
        "details",
        { class: "note", open: "" },
        element("summary", {}, "What is this?"),
        ...lines.map((text) => element("p", {}, text)),
      );
      words.append(this.note);
    }
    return element(
      "div",
      { class: "header" },
      words,
      iconButton("theme", "Light or dark", () => this.setTheme(this.theme === "dark" ? "light" : "dark")),
      iconButton("help", "Keys and gestures", () => this.help.showModal()),
    );
  }

  #stagesBox() {
    const box = element("div", { class: "stages" }, ...this.stages.map(({ figure }) => figure));
    const columns = this.stages.length <= 3 ? this.stages.length : Math.ceil(this.stages.length / 2);
    box.style.setProperty("--columns", columns);
    return box;
  }

  #panel() {
    this.agentList = new AgentList(this);
    this.eventList = new EventList(this);
    this.tabs = new Tabs("About the run", [
      { name: "Plan", content: [legend(), factsOf(this)] },
      { name: "Agents", content: this.agentList.content, opened: () => this.agentList.fill() },
      { name: "Events", content: this.eventList.content, opened: () => this.eventList.fill() },
    ]);
    this.which = element("select", {
      "aria-label": "Run",
      onchange: () => this.#activate(this.stages[this.which.selectedIndex]),
    });
    this.which.append(...this.scenes.map(({ label }) => element("option", {}, label)));
    this.which.hidden = this.scenes.length < 2;
    const inside = element("div", { class: "inside" }, this.card.root, this.which, this.tabs.root);
    return element("aside", { "aria-label": "Details" }, inside);
  }

  #controls() {
    this.playButton = iconButton("play", "Play", () => this.toggle());
    this.scrubber = element("input", {
      type: "range",
      min: "0",
      max: String(this.steps),
      step: "any",
      value: "0",
      "aria-label": "Time",
    });
    this.scrubber.addEventListener("input", () => this.seek(Number(this.scrubber.value)));
    this.charts = this.scenes.map(() => element("canvas", { class: "chart", "aria-hidden": "true" }));
    this.clock = element("span", { class: "clock" });
    const buttons = element(
      "div",
      { class: "row" },
      iconButton("start", "To the beginning", () => this.seek(0)),
      iconButton("back", "One step back", () => this.step(-1)),
      this.playButton,
      iconButton("forth", "One step forth", () => this.step(1)),
      iconButton("end", "To the end", () => this.seek(this.steps)),
      this.clock,
      this.#speedBox(),
      element("span", { class: "grow" }),
      iconButton("further", "Zoom out", () => this.zoom(1 / 1.5)),
      iconButton("closer", "Zoom in", () => this.zoom(1.5)),
      iconButton("fit", "Show everything", () => this.fit()),
      this.#showMenu(),
    );
    return element(
      "div",
      { class: "controls" },
      element("div", { class: "track" }, ...this.charts, this.scrubber),
      buttons,
    );
  }

  #speedBox() {
    this.speedBox = element("select", {
      "aria-label": "Speed",
      onchange: () => this.setSpeed(SPEEDS[this.speedBox.selectedIndex]),
    });
    this.speedBox.append(
      ...SPEEDS.map((speed) => element("option", {}, `${speed} ${speed === 1 ? "step" : "steps"}/s`)),
    );
    this.speedBox.selectedIndex = SPEEDS.indexOf(this.speed);
    return this.speedBox;
  }

  #showMenu() {
    this.boxes = {};
    const tooMany = this.scenes.some((scene) => !canSearchForAll(scene));
    const lines = Object.entries(SHOWN).map(([name, [label]]) => {
      const box = element("input", { type: "checkbox", onchange: () => this.setShown(name, box.checked) });
      box.checked = this.shows[name];
      this.boxes[name] = box;
      return element("label", {}, box, ` ${label}${name === "detours" && tooMany ? " of the selected agent" : ""}`);
    });
    this.heatBox = element("select", { "aria-label": "Heat map", onchange: () => this.setHeat(this.heatBox.value) });
    this.heatBox.append(...Object.entries(HEATS).map(([value, name]) => element("option", { value }, name)));
    this.menu = element(
      "details",
      { class: "menu" },
      element("summary", {}, "Show"),
      element("div", {}, ...lines, this.heatBox),
    );
    return this.menu;
  }

  #listen() {
    const keys = this.isPage ? document : this.root;
    this.onKey = (event) => this.#key(event);
    keys.addEventListener("keydown", this.onKey);
    this.root.addEventListener("pointerdown", (event) => {
      if (!event.composedPath().includes(this.menu)) this.menu.open = false;
    });
    this.sizes = new ResizeObserver(() => this.#layout());
    for (const { surface } of this.stages) this.sizes.observe(surface);
    this.scheme = matchMedia("(prefers-color-scheme: dark)");
    this.onScheme = () => this.setTheme(this.chosenTheme);
    this.scheme.addEventListener("change", this.onScheme);
    this.stop = () => {
      keys.removeEventListener("keydown", this.onKey);
      this.sizes.disconnect();
      this.scheme.removeEventListener("change", this.onScheme);
      this.pause();
    };
  }

  // What can be asked of it

  play() {
    if (this.playing || this.steps === 0) return;
    if (this.time >= this.steps) this.time = 0;
    this.playing = true;
    this.lastFrame = null;
    this.#playChanged();
    this.invalidate();
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this.#playChanged();
    this.#say();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  /** Goes to a row, which may be between two. */
  seek(time) {
    this.time = Math.min(Math.max(Number.isFinite(time) ? time : 0, 0), this.steps);
    this.#moved();
    if (!this.playing) this.#say();
  }

  step(steps) {
    this.pause();
    const from = steps > 0 ? Math.floor(this.time + 1e-6) : Math.ceil(this.time - 1e-6);
    this.seek(from + steps);
  }

  setSpeed(speed) {
    this.speed = speed;
    this.speedBox.selectedIndex = SPEEDS.indexOf(speed);
  }

  setShown(name, on) {
    this.shows[name] = on;
    this.boxes[name].checked = on;
    this.#restyle();
  }

  setHeat(kind) {
    this.heat = kind;
    this.heatBox.value = kind;
    this.#restyle();
  }

  setTheme(theme) {
    this.chosenTheme = theme;
    const dark = theme === "auto" ? matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark";
    this.theme = dark ? "dark" : "light";
    this.host.dataset.theme = this.theme;
    this.colours = coloursOf(this.root, this.theme);
    this.#restyle();
  }

  /** Selects an agent (-1: none) and, where asked, brings it into sight. */
  select(agent, stage = this.active, bringIntoSight = false) {
    this.selected = agent;
    this.pointed = -1;
    if (agent < 0) this.following = -1;
    else if (this.following >= 0) this.following = agent;
    this.#activate(stage);
    if (bringIntoSight && agent >= 0) this.#bringIntoSight(stage, agent);
    this.card.update();
    if (!this.playing) this.#say();
    this.invalidate();
    this.host.dispatchEvent(new CustomEvent("selected", { detail: { agent, stage } }));
  }

  /** Points at a place of the active run, bringing it into sight, until an agent is selected. */
  pointAt(vertex) {
    this.pointed = vertex;
    const { view } = this.active;
    if (!view.isNear(...view.spot(vertex), -20)) {
      view.look(view.space.x(vertex), view.space.y(vertex));
      this.viewChanged(this.active);
    }
    this.invalidate();
  }

  /** Keeps an agent in the middle of the map; -1 lets go. */
  follow(agent) {
    if (agent === this.following) return;
    this.following = agent;
    if (agent >= 0) for (const { view } of this.stages) if (view.scale < FOLLOWED) view.zoom(FOLLOWED / view.scale);
    this.card.update();
    this.invalidate();
  }

  zoom(factor) {
    this.active.view.zoom(factor);
    this.viewChanged(this.active);
  }

  fit() {
    this.follow(-1);
    for (const { view } of this.stages) view.fit();
    this.invalidate();
  }

  /** Goes to an entry of the list of events. */
  show(entry) {
    const { row, moment = row, agents } = entry;
    this.pause();
    this.select(agents.length ? agents[0] : -1);
    this.seek(this.active.offset + moment);
    this.shown = { entry, time: this.time };
    if (agents.length) this.#bringIntoSight(this.active, agents[0]);
  }

  /** Moves all maps alike when they show the same space. */
  viewChanged({ view }) {
    for (const { view: other } of this.stages) {
      const alike = other.space.width === view.space.width && other.space.height === view.space.height;
      if (other === view || !alike) continue;
      other.look(...view.middle, view.scale);
      other.fitted = view.fitted;
    }
    this.invalidate();
  }

  /** What is shown now, for tests and for those who embed the player. */
  get state() {
    const { time, playing, speed, selected, following, heat, theme, frames } = this;
    return {
      time,
      playing,
      speed,
      selected,
      following,
      heat,
      theme,
      frames,
      steps: this.steps,
      scenes: this.stages.map((stage) => this.#stateOf(stage)),
    };
  }

  #stateOf({ scene, row, view, surface, narrator }) {
    const vertices = Array.from(scene.rows.subarray(row * scene.agents, (row + 1) * scene.agents));
    const { left, top } = surface.getBoundingClientRect();
    const { x, y, scale } = view;
    return {
      label: scene.label,
      row,
      vertices,
      origin: [left, top],
      view: { x, y, scale },
      ticker: narrator.ticker.textContent,
    };
  }

  // Behind the scenes

  /** Draws soon; however often it is asked, once per frame of the browser. */
  invalidate() {
    this.pending ??= requestAnimationFrame((now) => this.#frame(now));
  }

  #frame(now) {
    this.pending = null;
    this.frames++;
    if (this.playing) this.#advance(now);
    this.searchUntil = performance.now() + SEARCH_MS;
    for (const stage of this.stages) stage.draw();
    this.#drawCursor();
    if (!this.playing || now - (this.lastWords ?? 0) > WORDS_EVERY) this.#words(now);
    if (this.playing) this.invalidate();
  }

  #advance(now) {
    // A tab that was hidden for a while goes on where it was.
    const seconds = this.lastFrame === null ? 0 : Math.min((now - this.lastFrame) / 1000, 0.25);
    this.lastFrame = now;
    this.exact =
      (this.exact !== undefined && Math.floor(this.exact) === Math.floor(this.time) ? this.exact : this.time) +
      seconds * this.speed;
    this.time = Math.min(this.still ? Math.floor(this.exact) : this.exact, this.steps);
    if (this.time >= this.steps) this.pause();
  }

  #moved() {
    this.exact = undefined;
    this.invalidate();
  }

  #layout() {
    for (const stage of this.stages) stage.resize();
    this.#drawCharts();
    this.invalidate();
  }

  #restyle() {
    if (!this.root) return;
    this.style++;
    this.#drawCharts();
    this.invalidate();
  }

  #activate(stage) {
    const changed = this.active !== stage;
    this.active = stage;
    this.which.selectedIndex = this.stages.indexOf(stage);
    if (changed) this.tabs.open(this.tabs.chosen);
    else if (this.tabs.chosen === 1) this.agentList.list.render();
    else if (this.tabs.chosen === 2 && this.eventList.mine.checked) this.eventList.fill();
  }

  #bringIntoSight(stage, agent) {
    const { scene, view, time } = stage;
    const point = scene.point(agent, time);
    if (!point || view.isNear(...view.toScreen(...point), -20)) return;
    view.look(...point);
    this.viewChanged(stage);
  }

  /** Does an agent make a detour, as far as that is known by now? */
  strays(scene, agent, row) {
    if (!canSearchForAll(scene)) return agent === this.selected && scene.strays(agent, row);
    if (performance.now() > this.searchUntil) {
      this.invalidate(); // the rest follows in the next frames
      return false;
    }
    return scene.strays(agent, row);
  }

  #playChanged() {
    const label = this.playing ? "Pause" : "Play";
    this.playButton.setAttribute("aria-label", label);
    this.playButton.title = label;
    this.playButton.replaceChildren(icon(this.playing ? "pause" : "play"));
    this.lastWords = undefined;
    this.invalidate();
  }

  #words(now) {
    this.lastWords = now;
    for (const { narrator } of this.stages) narrator.speak(now);
    this.card.update();
    const row = Math.floor(this.time + 1e-9);
    this.clock.textContent = `time ${this.first + row} of ${this.first + this.steps}`;
    this.scrubber.setAttribute("aria-valuetext", this.clock.textContent);
    if (this.tabs.chosen === 1) this.agentList.list.render();
  }

  /** Says where we are to those who listen. */
  #say() {
    this.#words(performance.now());
    const several = this.stages.length > 1;
    const parts = this.stages.map(
      ({ scene, narrator: { counts, ticker } }) =>
        `${several ? `${scene.label}: ` : ""}${counts.textContent}. ${ticker.textContent}`,
    );
    this.live.textContent = `${this.clock.textContent}. ${parts.join(" ")}`;
  }

  #drawCharts() {
    this.charts.forEach((canvas, index) => drawChart(canvas, this.stages[index]));
  }

  #drawCursor() {
    if (Number(this.scrubber.value) !== this.time) this.scrubber.value = String(this.time);
  }

  #key(event) {
    const target = event.composedPath()[0];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (!this.isPage) event.stopPropagation(); // to a notebook, X may mean: cut this cell
    if (this.help.open) return;
    if (target === this.agentList.search && event.key === "Escape") this.active.surface.focus();
    if (target.matches?.("input[type=search], select")) return;
    if (event.key === " " && target.matches?.("button, summary, input[type=checkbox]")) return;
    if (target.matches?.(".list, [role=tabpanel]") && /^(Arrow|Home|End)/.test(event.key)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const act = (target === this.scrubber && this.#scrubs[key]) || this.#actions(event.shiftKey ? 10 : 1)[key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** What a slider does with these keys, wherever they mean something else. */
  #scrubs = {
    ArrowUp: () => this.step(1),
    ArrowDown: () => this.step(-1),
    PageUp: () => this.step(10),
    PageDown: () => this.step(-10),
  };

  #actions(steps) {
    const pan = (dx, dy) => () => {
      this.active.view.pan(dx * 60, dy * 60);
      this.viewChanged(this.active);
    };
    return {
      " ": () => this.toggle(),
      ArrowLeft: () => this.step(-steps),
      ArrowRight: () => this.step(steps),
      ArrowUp: () => this.#faster(1),
      ArrowDown: () => this.#faster(-1),
      Home: () => this.seek(0),
      End: () => this.seek(this.steps),
      "+": () => this.zoom(1.25),
      "=": () => this.zoom(1.25),
      "-": () => this.zoom(0.8),
      0: () => this.fit(),
      w: pan(0, 1),
      a: pan(1, 0),
      s: pan(0, -1),
      d: pan(-1, 0),
      n: () => this.#violation(1),
      p: () => this.#violation(-1),
      f: () => this.follow(this.following < 0 ? this.selected : -1),
      g: () => this.setShown("goals", !this.shows.goals),
      t: () => this.setShown("trails", !this.shows.trails),
      h: () => this.setHeat({ none: "occupancy", occupancy: "waiting", waiting: "none" }[this.heat]),
      Escape: () => {
        if (this.menu.open) this.menu.open = false;
        else this.select(-1);
      },
      "/": () => {
        this.tabs.open(1);
        this.agentList.search.focus();
      },
      "?": () => this.help.showModal(),
    };
  }

  #faster(by) {
    this.setSpeed(SPEEDS[Math.min(Math.max(SPEEDS.indexOf(this.speed) + by, 0), SPEEDS.length - 1)]);
  }

  /** Goes to the next or the previous violation in any of the runs. */
  #violation(direction) {
    const all = this.stages.flatMap((stage) =>
      stage.scene.faults.map((entry) => ({ stage, entry, time: stage.offset + entry.row })),
    );
    all.sort((one, two) => one.time - two.time);
    // Several may be of one time: from one that is shown, its neighbour in the list is next.
    const here = this.shown?.time === this.time ? all.findIndex(({ entry }) => entry === this.shown.entry) : -1;
    const ahead = all.filter(({ time }) => (direction > 0 ? time > this.time + 0.5 : time < this.time));
    const next = here >= 0 ? all[here + direction] : direction > 0 ? ahead[0] : ahead.at(-1);
    if (!next) return;
    this.#activate(next.stage);
    this.show(next.entry);
  }
}

/** How many agents are at their goals and how many wait, over time; a red tick is a violation. */
function drawChart(canvas, { scene, offset, player: { steps, colours, scenes } }) {
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

function hueOf(hue) {
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

// -------------------------------------------------------------------------------------------- styles

const STYLES = `
:host { display: block; height: 100%; container-type: inline-size; color-scheme: light; }
:host([data-theme="dark"]) { color-scheme: dark; }
* { box-sizing: border-box; }
.player {
  --page: #f4f2ec; --panel: #fff; --floor: #fbfaf6; --wall: #46505f; --line: rgb(31 39 51 / 0.07); --edge: #8a93a0;
  --ink: #1f2733; --quiet: #545d6a; --border: #cfccc2; --accent: #0b57d0; --danger: #c4161c;
  --good: #146c2e; --detour: #9a4a00; --home: #9fc3a9; --lightness: 0.66;
  display: flex; flex-direction: column; gap: 8px; min-height: 100%; padding: 12px;
  background: var(--page); color: var(--ink); font: 15px/1.45 system-ui, sans-serif;
}
:host([data-theme="dark"]) .player {
  --page: #14181e; --panel: #1d232b; --floor: #222932; --wall: #0b0e12; --line: rgb(255 255 255 / 0.06); --edge: #6c7785;
  --ink: #eef1f5; --quiet: #b3bcc8; --border: #3c4653; --accent: #8ab4f8; --danger: #ff6b6b;
  --good: #7ddc96; --detour: #ffb366; --home: #3f6b4c; --lightness: 0.74;
}
h1, h2 { margin: 0; font-size: 1.25rem; line-height: 1.25; overflow-wrap: anywhere; }
h2 { font-size: 1.05rem; }
p { margin: 0; }
.header { display: flex; gap: 8px; align-items: flex-start; }
.header p { color: var(--quiet); max-width: 90em; overflow-wrap: anywhere; }
.note summary { display: none; }
.grow { flex: 1; min-width: 0; }
.row { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; }
.quiet { color: var(--quiet); font-size: 0.9rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.middle { display: flex; gap: 12px; flex: 1 0 auto; }
.stages { display: grid; grid-template-columns: repeat(auto-fit, minmax(max(210px, 100% / var(--columns) - 12px), 1fr)); grid-auto-rows: minmax(270px, 1fr); gap: 12px; flex: 1; min-width: 0; }
figure { display: flex; flex-direction: column; gap: 4px; margin: 0; min-width: 0; min-height: 0; }
figcaption { display: flex; flex-wrap: wrap; gap: 2px 10px; align-items: baseline; }
figcaption strong { overflow-wrap: anywhere; }
.counts { color: var(--quiet); font-size: 0.9rem; font-variant-numeric: tabular-nums; }
.badge { padding: 0 8px; border: 1px solid; border-radius: 999px; font-size: 0.85rem; white-space: nowrap; }
.good { color: var(--good); }
.bad { color: var(--danger); font-weight: 600; }
.surface { position: relative; flex: 1; min-height: 150px; overflow: hidden; border: 1px solid var(--border); border-radius: 8px; background: var(--panel); cursor: grab; }
.surface:active { cursor: grabbing; }
.surface canvas { position: absolute; inset: 0; width: 100%; height: 100%; }
.surface canvas.mini { inset: auto 8px 8px auto; border: 1px solid var(--border); border-radius: 4px; cursor: crosshair; }
.ticker { min-height: 2.9em; color: var(--ink); font-size: 0.95rem; overflow-wrap: anywhere; }
aside { position: relative; width: clamp(230px, 36cqw, 340px); border: 1px solid var(--border); border-radius: 8px; background: var(--panel); }
.inside { position: absolute; inset: 0; display: flex; flex-direction: column; gap: 8px; padding: 10px; overflow: auto; }
.tabs { display: flex; flex-direction: column; flex: 1; min-height: 160px; }
[role="tablist"] { display: flex; gap: 4px; border-bottom: 1px solid var(--border); }
[role="tab"] { border: 0; border-bottom: 3px solid transparent; border-radius: 0; background: none; }
[role="tab"][aria-selected="true"] { border-color: var(--accent); font-weight: 600; }
[role="tabpanel"] { display: flex; flex-direction: column; gap: 6px; flex: 1; min-height: 0; padding-top: 8px; overflow: auto; }
[hidden] { display: none !important; }
table { border-collapse: collapse; width: 100%; font-size: 0.92rem; }
th { text-align: left; font-weight: 600; }
tbody th { white-space: nowrap; }
tbody th { font-weight: 400; color: var(--quiet); }
td, th { padding: 3px 8px 3px 0; vertical-align: top; overflow-wrap: break-word; font-variant-numeric: tabular-nums; }
tr + tr > * { border-top: 1px solid var(--line); }
.legend { display: grid; grid-template-columns: 1fr 1fr; gap: 0 10px; margin: 0 0 6px; padding: 0; list-style: none; font-size: 0.88rem; line-height: 1.25; }
.legend li { display: flex; gap: 8px; align-items: center; padding: 2px 0; }
.mark { flex: none; width: 14px; height: 14px; border-radius: 50%; --own: oklch(var(--lightness) 0.16 262.5); background: var(--own); }
.mark.goal { background: none; border: 2px solid var(--own); }
.mark.wait { border: 3px solid var(--ink); }
.mark.home { opacity: 0.55; }
.mark.spoken { background: none; border: 2px dashed var(--accent); }
.mark.stray { border-radius: 2px; transform: rotate(45deg) scale(0.8); background: none; border: 2px solid var(--detour); }
.mark.wrong { background: none; border: 2px solid var(--danger); position: relative; }
.mark.wrong::after { content: "✕"; position: absolute; inset: 0; color: var(--danger); font: 700 9px/10px system-ui, sans-serif; text-align: center; }
.mark.share { border-radius: 2px; background: var(--home); border-top: 4px solid var(--ink); }
.dot { display: inline-block; flex: none; width: 12px; height: 12px; margin-right: 6px; border-radius: 50%; background: oklch(var(--lightness) 0.16 var(--hue)); }
.list { flex: 1; min-height: 140px; overflow: auto; border: 1px solid var(--border); border-radius: 6px; }
.list ul { position: relative; margin: 0; padding: 0; list-style: none; }
.list li { position: absolute; left: 0; right: 0; }
.list button { display: flex; gap: 6px; align-items: center; width: 100%; height: 100%; border: 0; border-radius: 0; background: none; text-align: left; }
.list .grow { unicode-bidi: isolate; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; overflow-wrap: anywhere; line-height: 1.3; }
.list button[aria-pressed="true"] { background: color-mix(in srgb, var(--accent) 16%, transparent); }
.list .violations .grow { color: var(--danger); }
.time { flex: none; min-width: 2.6em; color: var(--quiet); font-variant-numeric: tabular-nums; }
.card { flex: none; max-height: 48%; overflow: auto; padding: 8px 10px; border-left: 4px solid var(--accent); background: color-mix(in srgb, var(--accent) 8%, transparent); border-radius: 4px; }
.card h2 { max-height: 6em; overflow: auto; }
.card p { margin-top: 4px; overflow-wrap: anywhere; }
.why { font-style: italic; }
.controls { display: flex; flex-direction: column; gap: 4px; padding: 8px 10px; border: 1px solid var(--border); border-radius: 8px; background: var(--panel); }
.track { display: flex; flex-direction: column; gap: 2px; }
.chart { width: 100%; height: 22px; border-radius: 3px; background: var(--floor); border: 1px solid var(--line); }
input[type="range"] { width: 100%; margin: 0; height: 22px; accent-color: var(--accent); }
.clock { min-width: 8.5em; padding: 0 6px; font-variant-numeric: tabular-nums; }
button, select, summary, input[type="search"] { min-height: 32px; padding: 4px 10px; border: 1px solid var(--border); border-radius: 6px; background: var(--panel); color: var(--ink); font: inherit; }
button, select, summary { cursor: pointer; }
button:hover, summary:hover { background: color-mix(in srgb, var(--ink) 9%, var(--panel)); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 1px; }
.icon { display: inline-grid; place-items: center; flex: none; width: 36px; height: 36px; padding: 0; }
.icon svg { width: 20px; height: 20px; fill: currentColor; fill-rule: evenodd; }
.menu { position: relative; }
.menu summary { list-style: none; }
.menu summary::after { content: " ▴"; }
.menu div { position: absolute; right: 0; bottom: calc(100% + 6px); z-index: 2; display: flex; flex-direction: column; gap: 6px; width: 240px; padding: 12px; border: 1px solid var(--border); border-radius: 8px; background: var(--panel); box-shadow: 0 4px 18px rgb(0 0 0 / 0.25); }
dialog { max-width: 34em; padding: 18px; border: 1px solid var(--border); border-radius: 10px; background: var(--panel); color: var(--ink); }
dialog > * + * { margin-top: 12px; }
.fault { padding: 16px; }
@container (max-width: 760px) {
  .clock { min-width: 0; }
}
@container (max-width: 620px) {
  .player { padding: 8px; }
  .note summary { display: inline-block; }
  .middle { flex-direction: column; }
  .stages { grid-template-columns: 1fr; }
  .surface { height: clamp(180px, calc(100cqw * var(--slope)), 66vh); flex: none; }
  aside { width: auto; }
  .inside { position: static; }
  .list { height: 300px; flex: none; }
  .controls { position: sticky; bottom: 0; z-index: 1; }
}
`;

// -------------------------------------------------------------------------------------------- entrances

/** Shows a gzipped payload, bytes or base64, in an element. Resolves to the player, or to null with the reason on the page. */
export async function mount(host, payload, options = {}) {
  try {
    return new Player(host, await unpack(typeof payload === "string" ? fromBase64(payload) : payload), options);
  } catch (error) {
    const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
    root.replaceChildren(
      element("p", { role: "alert" }, `This replay cannot be shown: ${error.message.replace(/\.$/, "")}.`),
    );
    console.error(error);
    return null;
  }
}

/** For a page of its own. `#t=12` opens it at that time, `#agent=3` with that agent selected. */
export async function mountPage(host, base64) {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const player = await mount(host, base64.trim(), {
    isPage: true,
    autoplay: !wanted.has("t"),
    theme: wanted.get("theme") ?? "auto",
  });
  if (!player) return null;
  if (wanted.has("t")) player.seek(Number(wanted.get("t")) - player.first);
  const agent = Number(wanted.get("agent") || -1);
  if (Number.isInteger(agent) && player.active.has(agent)) player.select(agent);
  host.player = player;
  return player;
}

/** The colours of the notebook around a widget, which need not be those of the system. */
function notebookTheme() {
  const { dataset, classList } = document.body;
  if (dataset.jpThemeLight) return dataset.jpThemeLight === "false" ? "dark" : "light";
  if (["dark", "vscode-dark", "vscode-high-contrast"].some((name) => classList.contains(name))) return "dark";
  return ["light", "vscode-light"].some((name) => classList.contains(name)) ? "light" : "auto";
}

/** Calls back when the notebook becomes light or dark, until the function that it returns is called. */
function watchTheme(changed) {
  let theme = notebookTheme();
  const watch = new MutationObserver(() => {
    if (notebookTheme() !== theme) changed((theme = notebookTheme()));
  });
  watch.observe(document.body, { attributeFilter: ["class", "data-jp-theme-light"] });
  return () => watch.disconnect();
}

export default {
  async render({ model, el }) {
    const view = model.get("payload");
    // A box of our own: Jupyter's layout clears the style of `el` at its leisure.
    const box = element("div");
    Object.assign(box.style, { height: `${model.get("height")}px`, overflow: "auto" });
    el.replaceChildren(box);
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    const player = await mount(box, bytes, { autoplay: false, theme: notebookTheme() });
    el.player = player;
    const unwatch = watchTheme((theme) => player?.setTheme(theme));
    return () => {
      unwatch();
      player?.stop();
    };
  },
};
