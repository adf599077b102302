/** What is marked about agents: trails, the way of the selected one, detours, violations. */

import { FEW } from "./cast.js";
import { markOf } from "./events.js";
import { within } from "./numbers.js";
import { diamond, line, ring } from "./pen.js";

const TRAIL = 6; // steps
const LONGEST_WAY = 3000; // steps of the selected agent's way before and after now
const MARKED_AT_ONCE = 400; // violations shown faintly all the time

export class Marks {
  constructor(stage) {
    this.stage = stage;
  }

  /** What is under the agents: where they come from, and the way of the selected one. */
  drawUnder(pen) {
    const { stage } = this;
    const { shows, selected } = stage.player;
    if (shows.trails && stage.cast.total <= FEW) this.#drawTrails(pen);
    if (stage.has(selected)) this.#drawPath(pen, selected);
  }

  /** What is over them: who is spoken of, and what went wrong. */
  drawOver(pen) {
    const { stage } = this;
    const { shows, selected, pointed } = stage.player;
    if (stage.has(selected)) this.#circle(pen, selected);
    else if (stage.has(stage.narrator.agent)) this.#circle(pen, stage.narrator.agent, [3, 3]);
    if (shows.collisions) this.#drawViolations(pen);
    if (pointed >= 0) this.#drawPointed(pen, pointed);
  }

  drawDetours(pen) {
    const { scene, row, player, cast } = this.stage;
    if (!player.shows.detours) return;
    const reach = Math.max(cast.radius, 2.5) * 1.15;
    pen.strokeStyle = player.colours.detour;
    pen.lineWidth = within(1.2, cast.radius * 0.3, 5);
    pen.beginPath();
    for (const agent of cast.seen.flat())
      if (player.strays(scene, agent, row)) diamond(pen, ...cast.point(agent), reach);
    pen.stroke();
  }

  /** Longer trails under shorter ones, so that they fade. */
  #drawTrails(pen) {
    const { row, view, player, cast } = this.stage;
    pen.lineWidth = Math.max(1, view.scale * 0.34);
    pen.lineCap = pen.lineJoin = "round";
    cast.seen.forEach((agents, hue) => {
      pen.strokeStyle = player.colours.agents[hue];
      for (const [steps, alpha] of [
        [TRAIL, 0.1],
        [4, 0.12],
        [2, 0.16],
      ]) {
        pen.globalAlpha = alpha;
        pen.beginPath();
        for (const agent of agents) if (this.#way(pen, agent, row - steps, row)) pen.lineTo(...cast.point(agent));
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

  #circle(pen, agent, dash = []) {
    const { scene, time, view, player } = this.stage;
    const point = scene.point(agent, time);
    if (!point) return;
    pen.strokeStyle = player.colours.accent;
    pen.lineWidth = within(2, view.scale * 0.08, 4);
    pen.beginPath();
    ring(pen, ...view.toScreen(...point), Math.max(8, view.scale * 0.56));
    pen.setLineDash(dash);
    pen.stroke();
    pen.setLineDash([]);
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

  #drawPointed(pen, vertex) {
    const { view, player } = this.stage;
    pen.strokeStyle = player.colours.accent;
    pen.lineWidth = 3;
    pen.beginPath();
    diamond(pen, ...view.spot(vertex), Math.max(view.scale * 0.62, 9));
    pen.closePath();
    pen.stroke();
  }
}
