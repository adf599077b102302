/** The instance that is drawn, with everything that was done to it, which can be undone. */

import { copyOf, isEqual } from "./instance.js";

const MOST_STEPS = 200;
const MOST_BYTES = 6e7; // of all maps that are kept

export class Store {
  #before = [];
  #undone = [];
  #open = null; // the instance before a stroke that is not yet finished
  #frame = null;
  #listeners = [];

  constructor(instance) {
    this.instance = instance;
  }

  /** Calls back after every change, with whether it is a finished one. */
  listen(listener) {
    this.#listeners.push(listener);
  }

  /** A stroke begins: what is done to the instance until `commit` is undone at once. */
  begin() {
    this.#open ??= copyOf(this.instance);
  }

  /** Within a stroke: something has changed. However often it is said, it is heard once per frame. */
  touch() {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = null;
      for (const listener of this.#listeners) listener(false);
    });
  }

  /** The stroke is finished; one that changed nothing leaves nothing to undo. */
  commit() {
    if (!this.#open) return;
    if (!isEqual(this.#open, this.instance)) this.#keep(this.#open);
    this.#open = null;
    this.#changed();
  }

  /** A stroke that was not meant. */
  abort() {
    if (!this.#open) return;
    this.instance = this.#open;
    this.#open = null;
    this.#changed();
  }

  /** A change in one go. */
  change(make) {
    this.begin();
    make(this.instance);
    this.commit();
  }

  replace(instance) {
    this.begin();
    this.instance = instance;
    this.commit();
  }

  /** Begins with an instance: there is nothing to undo. */
  beginWith(instance) {
    this.instance = instance;
    this.#before = [];
    this.#undone = [];
    this.#changed();
  }

  undo() {
    this.#swap(this.#before, this.#undone);
  }

  redo() {
    this.#swap(this.#undone, this.#before);
  }

  get canUndo() {
    return this.#before.length > 0;
  }

  get canRedo() {
    return this.#undone.length > 0;
  }

  #swap(from, to) {
    this.abort();
    if (!from.length) return;
    to.push(this.instance);
    this.instance = from.pop();
    this.#changed();
  }

  #keep(instance) {
    this.#before.push(instance);
    this.#undone = [];
    const most = Math.max(1, Math.min(MOST_STEPS, Math.floor(MOST_BYTES / (instance.walls.length + 1))));
    if (this.#before.length > most) this.#before.splice(0, this.#before.length - most);
  }

  #changed() {
    for (const listener of this.#listeners) listener(true);
  }
}
