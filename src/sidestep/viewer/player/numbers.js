/** The least, the most, and what is between. */

export function smallest(values) {
  return values.reduce((least, value) => Math.min(least, value), Infinity);
}

export function largest(values) {
  return values.reduce((most, value) => Math.max(most, value), -Infinity);
}

export function within(least, value, most) {
  return Math.min(Math.max(value, least), most);
}
