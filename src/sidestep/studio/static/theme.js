/** Light or dark: what was chosen here before, or else what the system prefers. */

export const scheme = matchMedia("(prefers-color-scheme: dark)");

function stored(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null; // somebody keeps nothing
  }
}

export function theme() {
  return stored("theme") ?? (scheme.matches ? "dark" : "light");
}

export function switchTheme() {
  const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  try {
    localStorage.setItem("theme", next);
  } catch {
    // then it holds until the page is loaded again
  }
  return next;
}

// Before anything is drawn: the page waits for this module.
document.documentElement.dataset.theme = theme();
