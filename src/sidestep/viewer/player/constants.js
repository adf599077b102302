/** Written by scripts/write_constants.py from what Python declares: change it there. */

/** The version of the payloads that the player reads. */
export const VERSION = 1;

/** The code of a move whose target is among the jumps. */
export const JUMP = 255;

/** How many colours agents have. */
export const HUES = 24;

/** The goal of an agent that has none. */
export const IDLE = -1;

/** What else agents have, unless one says otherwise. */
export const ATTRIBUTES = {
  priority: 0,
  size: 1,
  period: 1,
  facing: null,
};

/** At index n, n of the two cells beside a diagonal may be blocked. */
export const CORNERS = ["none", "one", "free"];

/** The rules, unless a problem says otherwise. */
export const RULES = {
  following: true,
  crossing: false,
  at_goal: "stay",
  shared_goals: false,
  cost: "sum_of_costs",
};

/** Of rules that are neither allowed nor forbidden, what they can be. */
export const RULE_CHOICES = {
  at_goal: ["stay", "disappear"],
  cost: ["sum_of_costs", "time_off_goal"],
};

/** What rules are called in forms. */
export const RULE_LABELS = {
  following: "May follow closely",
  crossing: "Diagonals may cross",
  at_goal: "At the goal agents",
  shared_goals: "Goals may be shared",
  cost: "Cost",
};

/** What rules decide. */
export const RULE_QUESTIONS = {
  following: "May agents enter a cell that is just being left?",
  crossing: "May diagonals cross in one step?",
  at_goal: "What an agent does there.",
  shared_goals: "May agents have the same goal?",
  cost: "What a plan costs.",
};

/** The kinds of events of a trace. */
export const EVENT = {
  GOAL: 0,
  BLOCK: 1,
  FREE: 2,
  ADD: 3,
  REMOVE: 4,
  PRIORITY: 5,
  SYNC: 6,
  ARRIVED: 16,
  LEFT: 17,
  TRAPPED: 18,
  DISPLACED: 19,
  SET_OUT: 20,
  TURNED_BACK: 21,
  STUCK: 22,
  BEHIND: 23,
  UNSTUCK: 24,
  TASK: 25,
  ERRAND: 26,
  DUE: 27,
  TAKEN: 28,
  FINISHED: 29,
  GIVEN_BACK: 30,
  RESCUED: 31,
  REFUSED: 32,
  LATE: 33,
  RAISED: 34,
  TURNED: 48,
};

/** The kinds of events that come from outside. */
export const CHANGES = [0, 1, 2, 3, 4, 5, 6];

/** The kinds of events that say what a planner cost. */
export const FAULTS = [32, 33, 34];

/** The kinds of violations. */
export const VIOLATION = {
  NO_PLAN: "no_plan",
  SHAPE: "shape",
  START: "start",
  OUTSIDE: "outside",
  WALL: "wall",
  NO_EDGE: "no_edge",
  CORNER: "corner",
  PACE: "pace",
  FACING: "facing",
  VERTEX: "vertex",
  SWAP: "swap",
  CROSSING: "crossing",
  FOLLOWING: "following",
  ABSENT: "absent",
  PRESENT: "present",
  GOAL: "goal",
  EVENT: "event",
  COST: "cost",
};

/** The words in which steps and waits are told. */
export const PHRASES = {
  GOES: "goes to {place}, {steps} from its goal",
  ARRIVES: "arrives at its goal {place}",
  DETOURS: "makes a detour over {place}",
  WAITS_FOR: "waits{where} for {obstacles}",
  WAITS_AHEAD: "waits{where}: going on at once, it would {meeting}",
  WAITS_FREELY: "waits{where} although nobody is in its way",
  WAITS_NEXT_TO_FREE: "waits{where} although {place} is free",
  WAITS_GOAL_CLOSED: "waits{where}: its goal is closed now",
  WAITS_NO_WAY: "waits{where}: no way leads to its goal now",
  STANDS: "{name}, which stands on {place}",
  TAKES: "{name}, which takes {place} first",
  APPROACHES: "{name}, which comes towards it from {place}",
  LEAVES: "{name}, which is only just leaving {place}",
  FOLLOWS: "{name}, which enters {place} right behind it",
  CROSSES: "{name}, which crosses the way to {place}",
  MEETS: "meet {name} on {place} at time {time}",
  RUNS_INTO: "run into {name}, which leaves {place} towards it, at time {time}",
  IS_PASSED: "stand on its goal {place} when {name} comes there, at time {time}",
  ENTERS_EARLY: "enter {place} while {name} is only just leaving it, at time {time}",
  IS_FOLLOWED: "have {name} right behind it on {place} at time {time}",
  CUTS_ACROSS: "cross the way of {name} on its way to {place} at time {time}",
};
