/** Pieces of text. */

export function count(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(words) {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

export function shortened(text, most) {
  const letters = Array.from(text);
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : text;
}

export function sentenceCase(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A phrase with its slots filled, as Python's `str.format` does. */
export function filled(phrase, slots) {
  return phrase.replace(/\{(\w+)\}/g, (_, slot) => slots[slot]);
}
