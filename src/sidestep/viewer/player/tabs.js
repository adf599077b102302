/** Tabs. */

import { element } from "./elements.js";

/** Tabs as the ARIA practices describe them: arrows move between them, only the chosen one is in the tab order. */
export class Tabs {
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
