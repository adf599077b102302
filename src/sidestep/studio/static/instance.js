/** Instances: a map with agents on it, as the page draws them, and as JSON that the server reads. */

import { ATTRIBUTES, fromBase64, HUES, RULES, unpackBits } from "./player.js";

const MOST_CELLS = 1e6;
const MOST_AGENTS = 10000;

/** A map without walls or agents. */
export function blank(height, width) {
  const walls = new Uint8Array(height * width);
  return { height, width, walls, connectivity: 4, corners: "none", rules: { ...RULES }, agents: [] };
}

/** A drawing as an instance: `#` a wall, a lower-case letter a start, the same in upper case its goal. */
export function drawn(text) {
  const rows = text
    .trim()
    .split("\n")
    .map((row) => row.trim().split(" "));
  const made = blank(rows.length, rows[0].length);
  const goals = new Map();
  rows.forEach((row, r) =>
    row.forEach((char, c) => {
      if (char === "#") made.walls[r * made.width + c] = 1;
      else if (/[A-Z]/.test(char)) goals.set(char.toLowerCase(), [r, c]);
      else if (/[a-z]/.test(char)) made.agents.push(newAgent(char, [r, c]));
    }),
  );
  for (const agent of made.agents) agent.goal = goals.get(agent.name) ?? null;
  made.agents.sort((one, two) => (one.name < two.name ? -1 : 1));
  return made;
}

export function newAgent(name, start, goal = null) {
  return { name, start, goal, ...ATTRIBUTES, team: "" };
}

/** A name that no agent of the instance has. */
export function freeName({ agents }) {
  const taken = new Set(agents.map(({ name }) => name));
  let number = agents.length;
  while (taken.has(`a${number}`)) number++;
  return `a${number}`;
}

export function copyOf(instance) {
  return {
    ...instance,
    walls: instance.walls.slice(),
    rules: { ...instance.rules },
    agents: instance.agents.map((agent) => ({ ...agent })),
  };
}

export function isEqual(one, two) {
  if (one.walls.length !== two.walls.length) return false;
  for (let at = 0; at < one.walls.length; at++) if (one.walls[at] !== two.walls[at]) return false;
  return JSON.stringify({ ...one, walls: null }) === JSON.stringify({ ...two, walls: null });
}

/** The same map, larger or smaller; who is no longer on it is gone. */
export function resized(instance, height, width) {
  const walls = new Uint8Array(height * width);
  for (let row = 0; row < Math.min(height, instance.height); row++) {
    const from = row * instance.width;
    walls.set(instance.walls.subarray(from, from + Math.min(width, instance.width)), row * width);
  }
  const isOn = (place) => place && place[0] < height && place[1] < width;
  const agents = instance.agents
    .filter(({ start }) => isOn(start))
    .map((agent) => ({ ...agent, goal: isOn(agent.goal) ? agent.goal : null }));
  return { ...instance, height, width, walls, agents };
}

/** The cells that an agent covers whose upper left one is this, as a question about a cell. */
export function covers(place, { size }, cell) {
  if (!place) return false;
  const [down, right] = [cell[0] - place[0], cell[1] - place[1]];
  return down >= 0 && right >= 0 && down < size && right < size;
}

/** A colour for every team, if there are any, as `ss.replay(teams=…)` has them. */
function huesOfTeams(agents) {
  const teams = [...new Set(agents.map(({ team }) => team))];
  if (!teams.some(Boolean)) return null;
  return agents.map(({ team }) => Math.floor((teams.indexOf(team) * HUES) / teams.length));
}

/** Agents of a team have one colour. Without teams a few agents get colours far apart; of many, each has that of the direction of its goal, as in the player. */
export function huesOf({ height, width, agents }) {
  const ofTeams = huesOfTeams(agents);
  if (ofTeams) return ofTeams;
  if (agents.length <= HUES) return agents.map((_, index) => Math.floor((index * HUES) / agents.length));
  return agents.map(({ start, goal }) => {
    const [row, col] = goal ?? start;
    const turns = Math.atan2((row - (height - 1) / 2) / height, (col - (width - 1) / 2) / width) / (2 * Math.PI);
    return ((Math.floor(turns * HUES) % HUES) + HUES) % HUES;
  });
}

/** The picture of an instance: every agent at its start. */
export function pictureOf(instance) {
  const { height, width, walls, agents } = instance;
  const vertex = (place) => (place ? place[0] * width + place[1] : -1);
  const hues = huesOf(instance);
  return {
    height,
    width,
    walls,
    aims: true,
    agents: agents.map(({ name, start, goal, size, facing }, index) => {
      return { name, at: vertex(start), from: -1, goal: vertex(goal), hue: hues[index], size, facing };
    }),
  };
}

// As JSON

export function toJson(instance) {
  const { walls, agents, ...rest } = instance;
  const teams = agents.some(({ team }) => team) ? { teams: agents.map(({ team }) => team) } : {};
  const bare = agents.map(({ name, start, goal, facing, ...agent }) => {
    const attributes = Object.keys(ATTRIBUTES).filter((field) => field in agent);
    const body = Object.fromEntries(attributes.map((field) => [field, agent[field]]));
    return { name, start, goal, ...body, ...(facing ? { facing } : {}) };
  });
  return { ...rest, walls: bytesToBase64(packBits(walls)), agents: bare, ...teams };
}

/** The instance of JSON that may come from anywhere, as from a link; throws an Error with a sentence. */
export function fromJson(json) {
  const { height, width, agents = [], teams = [], connectivity = 4, corners = "none", rules = {} } = json ?? {};
  const isSize = (value) => Number.isInteger(value) && value > 0;
  if (!isSize(height) || !isSize(width) || height * width > MOST_CELLS) throw new Error("it has no sensible size");
  if (!Array.isArray(agents) || agents.length > MOST_AGENTS) throw new Error("it has no sensible agents");
  const isPlace = (place) =>
    Array.isArray(place) && place.length === 2 && isIndex(place[0], height) && isIndex(place[1], width);
  for (const { start, goal } of agents) {
    if (!isPlace(start) || !(goal === null || isPlace(goal))) throw new Error("an agent is not on the map");
  }
  const walls = wallsOf(String(json.walls), height * width);
  const whole = agents.map((agent, index) => {
    const { name, start, goal } = agent;
    const team = String(teams[index] ?? "");
    const attributes = Object.entries(ATTRIBUTES).map(([field, usual]) => [field, agent[field] ?? usual]);
    return { name: String(name), start, goal, ...Object.fromEntries(attributes), team };
  });
  return { height, width, walls, connectivity, corners, rules: { ...RULES, ...rules }, agents: whole };
}

function isIndex(value, end) {
  return Number.isInteger(value) && value >= 0 && value < end;
}

export function packBits(bits) {
  const bytes = new Uint8Array(Math.ceil(bits.length / 8));
  for (let index = 0; index < bits.length; index++) bytes[index >> 3] |= bits[index] << (index & 7);
  return bytes;
}

/** Of base64 text, a byte per cell: 1 is a wall. */
export function wallsOf(text, cells) {
  const bytes = fromBase64(text);
  if (bytes.length !== Math.ceil(cells / 8)) throw new Error("its walls do not fit its size");
  return unpackBits(bytes, cells);
}

export function bytesToBase64(bytes) {
  let text = "";
  for (let from = 0; from < bytes.length; from += 8192) {
    text += String.fromCharCode(...bytes.subarray(from, from + 8192));
  }
  return btoa(text);
}
