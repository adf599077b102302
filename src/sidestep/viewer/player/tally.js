/** Sums over a whole run: who waits and who has arrived, and where agents were. */

/** Per row how many agents have a goal, wait, are home, and are gone from there; per agent waits and arrival. */
export function tallyOf(scene) {
  const { agents, steps, rows } = scene;
  const history = scene.history.fresh();
  const [aiming, waiting, home, gone] = Array.from({ length: 4 }, () => new Int32Array(steps + 1));
  const disappear = scene.rules.at_goal === "disappear";
  const waits = new Int32Array(agents);
  const arrival = new Int32Array(agents).fill(-1);
  for (let row = 0; row <= steps; row++) {
    const { goals } = history.at(row);
    const at = row * agents;
    const last = row === steps;
    for (let agent = 0; agent < agents; agent++) {
      const here = rows[at + agent];
      if (here < 0) continue;
      const goal = goals[agent];
      if (goal >= 0) aiming[row]++;
      if (here === goal) {
        home[row]++;
        if (arrival[agent] < 0) arrival[agent] = row;
        if (disappear && !last && rows[at + agents + agent] < 0) gone[row + 1]++;
        continue;
      }
      arrival[agent] = -1;
      if (!last && goal >= 0 && scene.stays(agent, row)) {
        waiting[row]++;
        waits[agent]++;
      }
    }
  }
  for (let row = 1; row <= steps; row++) gone[row] += gone[row - 1];
  return { aiming, waiting, home, gone, waits, arrival };
}

export function occupancyHeat({ rows, space }) {
  const heat = new Uint32Array(space.n);
  for (const vertex of rows) if (vertex >= 0 && vertex < space.n) heat[vertex]++;
  return heat;
}

export function waitingHeat(scene) {
  const { agents, steps, rows, space } = scene;
  const history = scene.history.fresh();
  const heat = new Uint32Array(space.n);
  for (let row = 0; row < steps; row++) {
    const { goals } = history.at(row);
    for (let agent = 0, at = row * agents; agent < agents; agent++, at++) {
      const here = rows[at];
      if (here >= 0 && here < space.n && scene.stays(agent, row) && goals[agent] >= 0 && goals[agent] !== here)
        heat[here]++;
    }
  }
  return heat;
}
