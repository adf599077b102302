/** Long lists. */

import { element } from "./elements.js";

const TALLEST = 8e6; // pixels; browsers draw nothing beyond some tens of millions

/** A long list of which only the rows in sight exist. */
export class LongList {
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
