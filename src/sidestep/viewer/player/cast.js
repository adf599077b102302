/** What moves on a map: the agents. */

import { Dots, MOST_SIDE, pixelOf } from "./dots.js";
import { within } from "./numbers.js";
import { disc, nose, ring } from "./pen.js";
import { shortened } from "./text.js";

export const FEW = 1500; // agents on screen up to which trails and names are drawn
const ROUND = 2500; // agents on screen up to which they are circles; more are squares, which fill faster
const RADIUS = 0.37; // of an agent, in cells
const NAMED = 20; // pixels per cell from which names can be read
const MOOD = { MOVING: 0, WAITING: 1, HOME: 2, IDLE: 3 };

export class Cast {
  constructor(screen, canvas) {
    Object.assign(this, { screen, canvas, seen: [], total: 0 });
    this.points = new Float32Array(0); // on the canvas, of those in sight
    this.moods = new Uint8Array(0);
    this.dots = new Dots();
  }

  get radius() {
    return RADIUS * this.screen.view.scale;
  }

  /** Where the agent is on the canvas, if it is in sight. */
  point(agent) {
    return [this.points[2 * agent], this.points[2 * agent + 1]];
  }

  /** Finds the agents in sight; their points and moods are kept for all that is drawn about them. */
  gather() {
    const { scene } = this.screen;
    if (this.moods.length !== scene.agents) {
      this.points = new Float32Array(2 * scene.agents);
      this.moods = new Uint8Array(scene.agents);
    }
    this.seen = this.#inSight();
    this.total = this.seen.reduce((sum, agents) => sum + agents.length, 0);
  }

  /** Per colour the agents in sight. */
  #inSight() {
    const { scene, row, time, view } = this.screen;
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
        const isBusy = to !== from || scene.turns(agent, row);
        moods[agent] = isBusy ? MOOD.MOVING : moodOf(goals[agent], from, row >= scene.steps);
        seen.push(agent);
      }
      return seen;
    });
  }

  drawAgents(pen) {
    const { scene, look } = this.screen;
    const { radius } = this;
    const isRound = radius >= 1.8 && this.total <= ROUND;
    if (this.total > FEW && !isRound && 2 * radius <= MOST_SIDE && !scene.sizes) return this.#drawDots(pen, radius);
    this.seen.forEach((agents, hue) => {
      pen.fillStyle = look.colours.agents[hue];
      if (scene.sizes) this.#blocks(pen, agents);
      if (isRound && scene.facings) this.#noses(pen, agents, radius);
      if (isRound) this.#discs(pen, agents, radius);
      else this.#squares(pen, agents, radius, (mood) => !look.shows.waits || mood !== MOOD.WAITING);
    });
    if (look.shows.waits) this.#drawWaits(pen, radius, isRound);
  }

  /** The same as squares and waits below, of very many who are small. */
  #drawDots(pen, radius) {
    const { look, ratio } = this.screen;
    const { dots, points, moods } = this;
    const ink = pixelOf(look.colours.ink);
    dots.begin(pen, ratio);
    for (const isInk of [false, true]) {
      this.seen.forEach((agents, hue) => {
        const pixel = isInk ? ink : pixelOf(look.colours.agents[hue]);
        for (const agent of agents)
          if ((look.shows.waits && moods[agent] === MOOD.WAITING) === isInk)
            dots.put(points[2 * agent], points[2 * agent + 1], 2 * radius, pixel);
      });
    }
    dots.end(pen);
  }

  /** All cells of large agents; the disc or square of the others marks the top left one. */
  #blocks(pen, agents) {
    const { scene, view } = this.screen;
    const rim = view.scale * (0.5 - RADIUS);
    for (const agent of agents) {
      const side = scene.size(agent) * view.scale - 2 * rim;
      if (scene.size(agent) === 1) continue;
      const [left, top] = this.point(agent).map((middle) => middle - view.scale / 2 + rim);
      pen.globalAlpha = this.moods[agent] === MOOD.HOME ? 0.4 : 0.75;
      pen.fillRect(left, top, side, side);
    }
    pen.globalAlpha = 1;
  }

  #discs(pen, agents, radius) {
    for (const agent of agents) {
      pen.globalAlpha = this.moods[agent] === MOOD.HOME ? 0.55 : 1;
      disc(pen, this.points[2 * agent], this.points[2 * agent + 1], radius);
    }
    pen.globalAlpha = 1;
  }

  /** Which way agents look that have to turn: a point beyond the disc. */
  #noses(pen, agents, radius) {
    const { scene, time } = this.screen;
    for (const agent of agents) nose(pen, ...this.point(agent), scene.facing(agent, time), radius);
  }

  #squares(pen, agents, radius, wanted) {
    const { points, moods } = this;
    const side = Math.max(2, Math.round(2 * radius));
    for (const agent of agents) {
      if (!wanted(moods[agent])) continue;
      pen.fillRect(Math.round(points[2 * agent] - side / 2), Math.round(points[2 * agent + 1] - side / 2), side, side);
    }
  }

  #drawWaits(pen, radius, isRound) {
    const isWaiting = (mood) => mood === MOOD.WAITING;
    pen.fillStyle = pen.strokeStyle = this.screen.look.colours.ink;
    pen.lineWidth = within(1.2, radius * 0.3, 5);
    pen.beginPath();
    for (const agents of this.seen) {
      if (!isRound) this.#squares(pen, agents, radius, isWaiting);
      else for (const agent of agents) if (isWaiting(this.moods[agent])) ring(pen, ...this.point(agent), radius);
    }
    pen.stroke();
  }

  /** Where they can be read: in the agent where there is room, else under it. */
  drawNames(pen) {
    const { scene, view, look } = this.screen;
    if (!look.shows.names || view.scale < NAMED || this.total > FEW) return;
    pen.font = `600 ${Math.min(13, view.scale * 0.34)}px system-ui, sans-serif`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.lineJoin = "round";
    pen.lineWidth = 3;
    pen.strokeStyle = look.colours.floor;
    for (const agent of this.seen.flat()) {
      const name = shortened(scene.name(agent), 14);
      const [x, y] = this.point(agent);
      const fits = pen.measureText(name).width < 2 * this.radius;
      const below = fits ? y : y + view.scale * 0.5;
      if (!fits) pen.strokeText(name, x, below);
      pen.fillStyle = fits ? "#fff" : look.colours.ink;
      pen.fillText(name, x, below);
    }
  }
}

/** Of an agent that does not move: has it arrived, or nowhere to go, or does it wait? */
function moodOf(goal, here, isEnd) {
  if (goal === here) return MOOD.HOME;
  return goal < 0 || isEnd ? MOOD.IDLE : MOOD.WAITING;
}
