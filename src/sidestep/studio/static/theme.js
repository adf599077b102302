/** Light or dark: what was chosen here before, or else what the system prefers. */

import { keep, kept } from "./kept.js";

export const scheme = matchMedia("(prefers-color-scheme: dark)");

export function theme() {
  return kept("theme") ?? (scheme.matches ? "dark" : "light");
}

export function switchTheme() {
  const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  keep("theme", next);
  return next;
}

// Before anything is drawn: the page waits for this module.
document.documentElement.dataset.theme = theme();
