/** The player in a cell of a notebook. */

import { element } from "./elements.js";
import { mount } from "./mount.js";

/** The colours of the notebook around a widget, which need not be those of the system. */
function notebookTheme() {
  const { dataset, classList } = document.body;
  if (dataset.jpThemeLight) return dataset.jpThemeLight === "false" ? "dark" : "light";
  if (["dark", "vscode-dark", "vscode-high-contrast"].some((name) => classList.contains(name))) return "dark";
  return ["light", "vscode-light"].some((name) => classList.contains(name)) ? "light" : "auto";
}

/** Calls back when the notebook becomes light or dark, until the function that it returns is called. */
function watchTheme(changed) {
  let theme = notebookTheme();
  const watch = new MutationObserver(() => {
    if (notebookTheme() !== theme) changed((theme = notebookTheme()));
  });
  watch.observe(document.body, { attributeFilter: ["class", "data-jp-theme-light"] });
  return () => watch.disconnect();
}

export default {
  async render({ model, el }) {
    const view = model.get("payload");
    // A box of our own: Jupyter's layout clears the style of `el` at its leisure.
    const box = element("div");
    Object.assign(box.style, { height: `${model.get("height")}px`, overflow: "auto" });
    el.replaceChildren(box);
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    const player = await mount(box, bytes, { autoplay: false, theme: notebookTheme() });
    el.player = player;
    const unwatch = watchTheme((theme) => player?.setTheme(theme));
    return () => {
      unwatch();
      player?.stop();
    };
  },
};
