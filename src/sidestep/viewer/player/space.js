/** Where agents can be: grids and graphs, and how far it is from one place to another. */

import { CORNERS } from "./constants.js";
import { largest, smallest } from "./numbers.js";

export class GridSpace {
  constructor({ height, width, connectivity, corners }) {
    Object.assign(this, { kind: "grid", height, width, n: height * width, connectivity });
    this.blockedCorners = CORNERS.indexOf(corners);
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

  /** The vertex at a point of the map, or -1. */
  at(x, y) {
    const [row, col] = [Math.floor(y), Math.floor(x)];
    return row >= 0 && col >= 0 && row < this.height && col < this.width ? row * this.width + col : -1;
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
  constructor({ vertices, directed, places, edges }) {
    Object.assign(this, { kind: "graph", n: vertices, directed, places, edges });
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

  /** The vertex that is drawn at a point, or -1. */
  at(x, y) {
    let [best, nearest] = [-1, 0.25];
    for (let vertex = 0; vertex < this.n; vertex++) {
      const distance = (x - this.x(vertex)) ** 2 + (y - this.y(vertex)) ** 2;
      if (distance < nearest) [best, nearest] = [vertex, distance];
    }
    return best;
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

/** Breadth first from the goal. One can leave a closed vertex but not enter it. */
export function distancesTo(goal, space, open) {
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

/** The space that a payload describes. */
export function spaceOf(entry) {
  return entry.kind === "grid" ? new GridSpace(entry) : new GraphSpace(entry);
}
