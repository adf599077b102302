/** What is drawn and chosen is kept as one goes, so that loading the page again loses none of it. */

import { fromJson, toJson } from "./instance.js";
import { keep, kept } from "./kept.js";

const NAME = "drawn";
const LATER = 300; // milliseconds after the last change

export class Autosave {
  constructor({ store, picker, terms }) {
    Object.assign(this, { store, picker, terms, timer: null });
    store.listen((isFinished) => isFinished && this.soon());
    globalThis.addEventListener("pagehide", () => this.#now());
  }

  /** Something has changed: keeps all of it, a little later. */
  soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#now(), LATER);
  }

  #now() {
    if (this.timer === null) return;
    clearTimeout(this.timer);
    this.timer = null;
    const terms = Object.fromEntries(Object.entries(this.terms).map(([name, field]) => [name, field.value]));
    keep(NAME, JSON.stringify({ instance: toJson(this.store.instance), runs: this.picker.runs, terms }));
  }

  /** Takes up what was kept; false if there is nothing that makes sense. */
  restore() {
    try {
      const { instance, runs, terms } = JSON.parse(kept(NAME));
      this.store.beginWith(fromJson(instance));
      this.picker.take(runs);
      for (const [name, field] of Object.entries(this.terms)) field.set(terms[name]);
      return true;
    } catch {
      return false;
    }
  }
}
