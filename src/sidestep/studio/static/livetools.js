/** The tools with which one interferes in a live world. */

import { inArea } from "./board.js";
import { wallsOf } from "./instance.js";

export function liveTools(live) {
  return [
    { name: "select", key: "v", words: "Select", hint: "Select agents; drag around several", ...selecting(live) },
    { name: "send", key: "s", words: "Send", hint: "Send the selected agents to a cell", ...sending(live) },
    { name: "wall", key: "w", words: "Wall", hint: "Drop walls", ...painting(live, "block", 1) },
    { name: "erase", key: "e", words: "Free", hint: "Take walls away", ...painting(live, "free", 0) },
    {
      name: "task",
      key: "t",
      words: "Task",
      hint: "Drop a task: click its place, or drag from its first place to its last",
      ...tasking(live),
    },
    {
      name: "agent",
      key: "a",
      words: "Add",
      hint: "Add an agent: drag from its start to its goal, or click both",
      ...adding(live),
    },
  ];
}

function agentAt({ board }, cell) {
  const vertex = board.vertex(cell);
  return board.picture?.agents.findIndex(({ at }) => at === vertex) ?? -1;
}

function selecting(live) {
  let from = null;
  let kept = [];
  const leave = () => {
    live.board.area = null;
  };
  return {
    press: (cell, { shift }) => {
      from = cell;
      kept = shift ? [...live.board.selected] : [];
      const agent = agentAt(live, cell);
      live.select(agent < 0 ? kept : [...kept, agent]);
    },
    move: (cell) => {
      live.board.area = [from, cell];
      const { width } = live.instance;
      const isIn = inArea(from, cell);
      const { agents } = live.board.picture;
      const found = agents.flatMap(({ at }, index) =>
        at >= 0 && isIn([Math.floor(at / width), at % width]) ? [index] : [],
      );
      live.select([...kept, ...found]);
    },
    release: leave,
    abort: leave,
  };
}

/** With nobody selected, a click on an agent selects it, so that the next one sends it. */
function sending(live) {
  return {
    press: (cell) => {
      const agents = [...live.board.selected];
      const agent = agentAt(live, cell);
      if (agents.length) live.tell("send", { agents, cell });
      else if (agent >= 0) live.select([agent]);
      else live.say("Select agents first: click one, or drag around several with Select.");
    },
  };
}

function painting(live, command, wall) {
  let cells = [];
  const paint = (cell) => {
    if (!live.state) return;
    cells.push(cell);
    live.board.paint(live.board.vertex(cell), wall);
  };
  return {
    press: (cell) => {
      cells = [];
      paint(cell);
    },
    move: paint,
    release: () => {
      if (!cells.length) return;
      const changed = changedBy(cells, wall, wallsNow(live));
      live.tell(command, { cells: changed });
      if (wall) live.warnOfGoals(changed);
      cells = [];
    },
    abort: () => {
      if (cells.length) live.redraw();
      cells = [];
    },
  };
}

/** Whether a cell is a wall, as far as the server has said. */
function wallsNow({ instance: { height, width }, state }) {
  const walls = wallsOf(state.walls, height * width);
  return ([row, col]) => walls[row * width + col];
}

/** A click is a task of one errand, a drag one of two. */
function tasking(live) {
  let first = null;
  return {
    press: (cell) => {
      first = cell;
    },
    release: (cell) => {
      if (!first) return;
      const isOne = first[0] === cell[0] && first[1] === cell[1];
      const errands = isOne ? [cell] : [first, cell];
      live.tell("task", { errands });
      if (errands.some(wallsNow(live))) live.say("There is a wall on this task: it waits until the wall is gone.");
      first = null;
    },
    abort: () => {
      first = null;
    },
  };
}

function adding(live) {
  let start = null;
  const add = (goal) => {
    live.tell("add", { start, goal });
    start = null;
  };
  return {
    press: (cell) => {
      if (start) add(cell);
      else start = cell;
    },
    release: (cell) => {
      if (!start) return;
      if (start[0] !== cell[0] || start[1] !== cell[1]) add(cell);
      else live.say("Now the goal of the new agent.");
    },
    abort: () => {
      start = null;
    },
  };
}

/** Of the cells that a stroke went over, those that become something else, each once. */
function changedBy(cells, wall, isWall) {
  const seen = new Set();
  return cells.filter((cell) => {
    const key = cell.join();
    if (seen.has(key) || isWall(cell) === wall) return false;
    seen.add(key);
    return true;
  });
}
