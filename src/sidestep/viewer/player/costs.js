/** How the cost of a plan fell while it was improved. */

import { element } from "./elements.js";

const [WIDE, HIGH] = [300, 90]; // of the drawing, in its own units

/** Where the cost was when: a line that falls in steps, through points of seconds and cost, within WIDE x HIGH. */
export function costLine({ rows, bound }) {
  const [until, most] = [rows.at(-1)[0], rows[0][1]];
  const least = bound ?? rows.at(-1)[1];
  const x = (seconds) => round((seconds / Math.max(until, 1e-9)) * WIDE);
  const y = (cost) => round(HIGH - ((cost - least) / Math.max(most - least, 1)) * HIGH);
  return rows.map(([seconds, cost], k) => `${k ? `H${x(seconds)}V` : `M${x(seconds)} `}${y(cost)}`).join("");
}

function round(value) {
  return Math.round(value * 100) / 100;
}

/** The same in a sentence. */
export function costWords({ rows, bound }) {
  const at = ([seconds, cost]) => `${cost.toLocaleString("en")} after ${seconds.toFixed(seconds < 10 ? 2 : 0)} s`;
  const proved = bound === null ? "" : `; no plan costs less than ${bound.toLocaleString("en")}`;
  return rows.length > 1 ? `The cost fell from ${at(rows[0])} to ${at(rows.at(-1))}${proved}.` : "";
}

/** Both, for a scene of which that is known; the bound, where there is one, is a dashed line. */
export function costChart({ label, costs }, isOneOfSeveral) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", `-2 -2 ${WIDE + 4} ${HIGH + 4}`);
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(space, "path");
  line.setAttribute("d", costLine(costs));
  if (costs.bound !== null) {
    const floor = document.createElementNS(space, "path");
    floor.setAttribute("class", "floor");
    floor.setAttribute("d", `M0 ${HIGH}H${WIDE}`);
    svg.append(floor);
  }
  svg.append(line);
  const words = isOneOfSeveral ? `${label}: ${costWords(costs)}` : costWords(costs);
  return element("figure", { class: "costs" }, svg, element("p", { class: "quiet" }, words));
}
