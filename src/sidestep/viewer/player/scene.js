/** One run, and what can be read off it. Time is counted in rows of the positions; people see `startTime + row`. */

import { HUES, RULES } from "./constants.js";
import { entriesOf, entryOfViolation, isNow } from "./events.js";
import { History } from "./history.js";
import { distancesTo, spaceOf } from "./space.js";
import { occupancyHeat, tallyOf, waitingHeat } from "./tally.js";
import { shortened } from "./text.js";

const CACHED_DISTANCES = 3e7; // entries over all goals
const TURNING = /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]/; // writing from right to left

const USUAL = {
  label: "",
  facts: [],
  rules: RULES,
  verdict: null, // nobody has judged it
  startTime: 0,
  names: null, // a0, a1, ...
  sizes: null, // all cover one cell
  periods: null, // all move every turn
  facings: null, // nobody has to turn
  remarks: [],
  costs: null, // nobody has said how its cost fell
  question: "", // nothing answers what the run does not say itself
  events: new Int32Array(0),
};

export class Scene {
  /** Of an entry of a payload: `space`, `open`, `starts`, `goals`, `hues`, `agents`, `steps`, `rows` and more. */
  constructor(entry) {
    const { space, open, goals, events, remarks, ...rest } = { ...USUAL, ...entry };
    Object.assign(this, rest);
    this.space = spaceOf(space);
    this.captions = remarks.map(([time, kind, agents, text]) => {
      return { row: time - this.startTime, kind, agents, text };
    });
    this.violations = (this.verdict?.violations ?? []).map(([kind, time, agents, vertex, text]) => {
      return { kind, row: time - this.startTime, agents, vertex, text };
    });
    this.events = rowsOf(events, 4).sort((one, two) => one[0] - two[0]);
    this.history = new History(this.startTime, open, goals, this.events);
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

  /** Which way an agent looks that has to turn, at a time between rows: quarters clockwise from up. */
  facing(agent, time) {
    const row = Math.min(Math.floor(time), this.steps);
    const at = agent * (this.steps + 1) + row;
    const turn = row < this.steps ? (this.facings[at + 1] - this.facings[at] + 4) % 4 : 0;
    return this.facings[at] + (turn === 3 ? -1 : turn) * (time - row);
  }

  /** Does an agent turn in the step after a row? */
  turns(agent, row) {
    return Boolean(this.facings) && row < this.steps && this.facing(agent, row) !== this.facing(agent, row + 0.5);
  }

  /** Does an agent neither move nor turn in the step after a row, which is not the last, nor is it on its way? */
  stays(agent, row) {
    if (this.turns(agent, row)) return false;
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

  /** Distances and neighbours are those of agents of one cell and turn, which go any way: of others less can be said. */
  get isMixed() {
    return Boolean(this.sizes || this.periods || this.facings);
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

/** Can the distances to all goals be kept at once? */
export function canSearchForAll({ agents, space }) {
  return agents * space.n <= CACHED_DISTANCES;
}
