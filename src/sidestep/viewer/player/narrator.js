/** The words around a map. */

import { element } from "./elements.js";
import { sentenceAbout, waitsForOthers } from "./words.js";

const SPOKESMEN = 6; // waiting agents among whom one is chosen to be spoken of
const READABLE = 2200; // milliseconds for which a sentence stays while the run goes on

/** The words around a map: how many have arrived, and a sentence about the selected agent or one that waits. */
export class Narrator {
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

  /** One of those that wait: the one spoken of before, else one that waits for somebody. */
  #waiting(row) {
    const { scene, player } = this.stage;
    const again = this.stage.has(this.agent) && scene.waits(this.agent, row);
    if (again && !player.playing) return this.agent;
    const waiting = [];
    for (let agent = 0; agent < scene.agents && waiting.length < SPOKESMEN; agent++) {
      if (scene.waits(agent, row) && this.#isInSight(agent)) waiting.push(agent);
    }
    return waiting.find((agent) => waitsForOthers(scene, agent, row)) ?? waiting[0] ?? -1;
  }

  #isInSight(agent) {
    const { scene, time, view } = this.stage;
    const point = scene.point(agent, time);
    return point !== null && view.isNear(...view.toScreen(...point), 0);
  }
}
