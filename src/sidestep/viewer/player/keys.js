/** The keyboard. */

import { SPEEDS } from "./controls.js";
import { element } from "./elements.js";
import { within } from "./numbers.js";

const PANNED = 60; // pixels
const NEXT_HEAT = { none: "occupancy", occupancy: "waiting", waiting: "none" };

const KEYS = [
  ["Space", "play or pause"],
  ["← →", "one step back or forth, with Shift ten"],
  ["Home End", "to the beginning or the end"],
  ["↑ ↓", "faster or slower"],
  ["+ - 0", "zoom in, zoom out, everything"],
  ["W A S D", "move the map"],
  ["N P", "next or previous violation"],
  ["F Esc", "follow the selected agent, deselect it"],
  ["G T H", "goals, trails, heat maps"],
  ["/", "search agents"],
  ["?", "this list"],
];

/** What a key does in the player, and nothing where it means something else to what has the focus. */
export function press(player, event) {
  const target = event.composedPath()[0];
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (!player.isPage) event.stopPropagation(); // to a notebook, X may mean: cut this cell
  if (player.help.open) return;
  const { search } = player.panel.agentList;
  if (target === search && event.key === "Escape") player.active.surface.focus();
  if (target.matches?.("input[type=search], select")) return;
  if (event.key === " " && target.matches?.("button, summary, input[type=checkbox]")) return;
  if (target.matches?.(".list, [role=tabpanel]") && /^(Arrow|Home|End)/.test(event.key)) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const slides = target === player.controls.scrubber ? sliding(player) : {};
  const act = slides[key] ?? acting(player, event.shiftKey ? 10 : 1)[key];
  if (!act) return;
  event.preventDefault();
  act();
}

/** What a slider does with these keys, wherever they mean something else. */
function sliding(player) {
  return {
    ArrowUp: () => player.step(1),
    ArrowDown: () => player.step(-1),
    PageUp: () => player.step(10),
    PageDown: () => player.step(-10),
  };
}

function acting(player, steps) {
  return {
    " ": () => player.toggle(),
    ArrowLeft: () => player.step(-steps),
    ArrowRight: () => player.step(steps),
    ArrowUp: () => faster(player, 1),
    ArrowDown: () => faster(player, -1),
    Home: () => player.seek(0),
    End: () => player.seek(player.steps),
    n: () => player.showViolation(1),
    p: () => player.showViolation(-1),
    f: () => player.follow(player.following < 0 ? player.selected : -1),
    g: () => player.setShown("goals", !player.shows.goals),
    t: () => player.setShown("trails", !player.shows.trails),
    h: () => player.setHeat(NEXT_HEAT[player.heat]),
    Escape: () => letGo(player),
    "/": () => player.panel.searchAgents(),
    "?": () => player.help.showModal(),
    ...looking(player),
  };
}

/** Keys that show another part of the map. */
function looking(player) {
  const pan = (dx, dy) => () => {
    player.active.view.pan(dx * PANNED, dy * PANNED);
    player.viewChanged(player.active);
  };
  return {
    "+": () => player.zoom(1.25),
    "=": () => player.zoom(1.25),
    "-": () => player.zoom(0.8),
    0: () => player.fit(),
    w: pan(0, 1),
    a: pan(1, 0),
    s: pan(0, -1),
    d: pan(-1, 0),
  };
}

function faster(player, by) {
  player.setSpeed(SPEEDS[within(0, SPEEDS.indexOf(player.speed) + by, SPEEDS.length - 1)]);
}

function letGo(player) {
  const { menu } = player.controls;
  if (menu.open) menu.open = false;
  else player.select(-1);
}

export function helpDialog(isPage) {
  const rows = KEYS.map(([keys, what]) =>
    element("tr", {}, element("th", { scope: "row" }, keys), element("td", {}, what)),
  );
  const dialog = element("dialog", { "aria-label": "Keys and gestures" });
  dialog.append(
    element("h2", {}, "Keys and gestures"),
    element("table", {}, element("tbody", {}, ...rows)),
    element(
      "p",
      {},
      `Drag to move the map, turn the wheel ${isPage ? "" : "with Ctrl "}or spread two fingers to zoom, click an agent to select it.`,
    ),
    element("p", { class: "row" }, element("button", { type: "button", onclick: () => dialog.close() }, "Close")),
  );
  return dialog;
}
