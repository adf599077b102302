/** What a browser keeps for this page, as text; where somebody keeps nothing, it is gone with the page. */

/** For all pages of the studio, and for long. */
export function kept(name) {
  return read("localStorage", name);
}

export function keep(name, text) {
  write("localStorage", name, text);
}

/** For this page alone, while it is loaded again. */
export function keptHere(name) {
  return read("sessionStorage", name);
}

export function keepHere(name, text) {
  write("sessionStorage", name, text);
}

function read(where, name) {
  try {
    return globalThis[where].getItem(name);
  } catch {
    return null;
  }
}

function write(where, name, text) {
  try {
    globalThis[where].setItem(name, text);
  } catch {
    // there is no room, or nothing may be kept: then it holds until the page is loaded again
  }
}
