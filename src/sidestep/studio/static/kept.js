/** What a browser keeps for this page, as text; where somebody keeps nothing, it is gone with the page. */

export function kept(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function keep(name, text) {
  try {
    localStorage.setItem(name, text);
  } catch {
    // there is no room, or nothing may be kept: then it holds until the page is loaded again
  }
}
