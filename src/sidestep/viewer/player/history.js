/** Walls and goals as they change over time. */

import { EVENT, IDLE } from "./constants.js";

const CHANGING = [EVENT.GOAL, EVENT.BLOCK, EVENT.FREE, EVENT.REMOVE];

/** Goals and walls as they are at a row: what the space began with, changed by the events of a trace. */
export class History {
  /** Of the events, sorted by time, those count that change a goal or a wall. */
  constructor(startTime, open, goals, events) {
    const changes = events.filter(([, kind]) => CHANGING.includes(kind));
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
    else if (kind === EVENT.REMOVE) this.goals[agent] = IDLE;
    else {
      this.open[value] = kind === EVENT.FREE ? 1 : 0;
      this.walls = this.version;
    }
  }
}
