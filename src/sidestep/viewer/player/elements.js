/** Elements of the page. */

/** An element with attributes and children; strings become text, never markup. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

const ICONS = {
  start: "M5 4h2v12H5zM16 4v12l-8-6z",
  back: "M14 4v12l-8-6z",
  play: "M6 3v14l11-7z",
  pause: "M5 4h4v12H5zM11 4h4v12h-4z",
  forth: "M6 4v12l8-6z",
  end: "M13 4h2v12h-2zM4 4v12l8-6z",
  closer: "M9 4h2v5h5v2h-5v5H9v-5H4V9h5z",
  further: "M4 9h12v2H4z",
  fit: "M3 3h5v2H5v3H3zM12 3h5v5h-2V5h-3zM3 12h2v3h3v2H3zM15 12h2v5h-5v-2h3z",
  theme: "M10 2a8 8 0 1 0 0 16zm0 2v12a6 6 0 0 0 0-12z",
  help: "M8 7a2 2 0 1 1 3 1.7c-1 .6-2 1.2-2 2.8h2c0-.7.6-1 1.2-1.400A4 4 0 1 0 6 7zM9 13h2v2H9z",
};

export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

export function iconButton(name, label, onclick) {
  return element("button", { type: "button", class: "icon", "aria-label": label, title: label, onclick }, icon(name));
}
