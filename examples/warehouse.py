"""A warehouse: 200 vehicles on the lanes of a LIF file, driven by VDA 5050, with orders that never end.

python examples/warehouse.py                              a broker within the process, which loses messages
python examples/warehouse.py --broker localhost:1883      a real one, in real time (apt install mosquitto)

Vehicles are late, some stop for good, and a lane is closed for a while. What was executed is judged. It
writes warehouse.lif, the layout, and warehouse.html, a page with throughput, late orders, jams, and why.
"""

import argparse
import random
import time
from collections import deque
from html import escape
from pathlib import Path

import sidestep as ss
from sidestep import io, vda5050

LAYOUT, PAGE = "warehouse.lif", "warehouse.html"
METRES = 1.5  # between two places
STEP, TICK = 10, 0.05  # ticks between two looks at the work, and seconds of a tick with a real broker
PATIENCE = 120  # ticks without news after which a vehicle counts as stuck
SLACK = 700  # ticks that an order may take
COLOURS = {"finished": "#2a78d6", "waiting": "#c98500", "late": "#d03b3b"}


def write_layout(columns: int, rows: int) -> None:
    """Aisles two lanes wide between racks, and cross aisles; orders are brought to stations at both ends."""
    free = [
        (row, column) for row in range(rows) for column in range(columns) if column % 3 != 2 or row % 10 < 2
    ]
    number = {place: vertex for vertex, place in enumerate(free)}
    lanes = [
        (number[row, column], number[place])
        for row, column in free
        for place in ((row, column + 1), (row + 1, column))
        if place in number
    ]
    points = [(METRES * column, METRES * row) for row, column in free]
    names = [f"{'S' if row in (0, rows - 1) else 'P'}{row}-{column}" for row, column in free]
    io.write_lif(io.Layout.from_graph(ss.Graph(len(free), lanes, positions=points), names), LAYOUT)


class Orders:
    """Who fetches what: an order is a place to pick at and a station to bring it to."""

    def __init__(self, layout: io.Layout, rate: float, ticks: int, seed: int) -> None:
        draw = random.Random(seed)
        stations = [v for v, name in enumerate(layout.names) if name.startswith("S")]
        racks = [v for v, name in enumerate(layout.names) if name.startswith("P")]
        times = range(0, ticks, STEP)
        tasks = [
            ss.Task((draw.choice(racks), draw.choice(stations)), deadline=time + SLACK)
            for time in times
            for _ in range(max(1, round(rate * STEP)))
        ]
        self.stream = ss.Stream.listed(tasks, rate=rate * STEP)
        self.points = layout.graph.positions
        self.came = self.turn = 0
        self.waiting: deque[tuple[int, ss.Task]] = deque()
        self.at_work: dict[str, tuple[int, ss.Task, int]] = {}  # number, task, errands that are done
        self.finished: list[tuple[int, int]] = []  # tick, number
        self.late: dict[int, int] = {}  # number, and by how many ticks so far

    def come_in(self) -> None:
        new = self.stream.released(self.turn, self.came, unfinished=self.unfinished, agents=1)
        self.waiting += enumerate(new, self.came)
        self.came, self.turn = self.came + len(new), self.turn + 1

    @property
    def unfinished(self) -> int:
        return len(self.waiting) + len(self.at_work)

    def goals(self) -> dict[str, int]:
        """Where everybody goes that has work: if two want to go to one place, the older order is first."""
        goals: dict[int, str] = {}
        for name, (_, task, done) in sorted(self.at_work.items(), key=lambda entry: entry[1][0]):
            goals.setdefault(task.errands[done], name)
        return {name: place for place, name in goals.items()}

    def look(self, now: int, where: dict[str, int]) -> None:
        """Who is on its errand goes on to the next, or has finished."""
        for name, (number, task, done) in list(self.at_work.items()):
            if where[name] == task.errands[done]:
                self.at_work[name] = (number, task, done + 1)
                if done + 1 == len(task.errands):
                    del self.at_work[name]
                    self.finished.append((now, number))
        for number, task, *_ in [*self.waiting, *self.at_work.values()]:
            if now > task.deadline:
                self.late[number] = now - task.deadline

    def give(self, where: dict[str, int], closed: set[int]) -> None:
        """Free vehicles take orders: the oldest first, each the vehicle that is nearest."""
        free = [name for name in where if name not in self.at_work]
        for number, task in list(self.waiting):
            if not free:
                break
            if closed.isdisjoint(task.errands):
                name = min(free, key=lambda one: self.apart(where[one], task.errands[0]))
                free.remove(name)
                self.waiting.remove((number, task))
                self.at_work[name] = (number, task, 0)

    def apart(self, one: int, other: int) -> float:
        return float(abs(self.points[one] - self.points[other]).sum())

    def give_back(self, name: str) -> None:
        """A vehicle that cannot finish its order leaves it to another, from the beginning."""
        if name in self.at_work:
            number, task, _ = self.at_work.pop(name)
            self.waiting.appendleft((number, task))


class Warehouse:
    """The vehicles, the master, the work, and what goes wrong."""

    def __init__(self, options: argparse.Namespace) -> None:
        write_layout(options.columns, options.rows)
        self.layout = io.read_lif(LAYOUT)
        self.options, self.draw = options, random.Random(options.seed)
        starts = self.draw.sample(range(self.layout.graph.n), options.vehicles)
        self.problem = ss.Problem(
            self.layout.graph, starts, [None] * len(starts), rules=ss.Rules(following=False)
        )
        self.orders = Orders(self.layout, options.rate, options.ticks, options.seed)
        plan = ss.solve(self.problem, "lacam").plan
        self.fleet = ss.Fleet(self.problem, plan, ahead=4, patience=PATIENCE)
        self.robots = ss.Simulator(
            self.problem, speed=0.5, delay=options.delay, delays=(5, 30), seed=options.seed
        )
        self.broker = None if options.broker else vda5050.Loopback(loss=0.05, doubling=0.05, lateness=2)
        spoken = {"version": options.version}
        self.master = vda5050.Master(self.fleet, self.layout, self.client(), **spoken)
        self.vehicles = vda5050.Vehicles(self.robots, self.layout, self.client(), **spoken)
        self.closed: list[tuple[int, int]] = []
        self.broken: set[str] = set()
        self.story: list[tuple[int, str]] = []
        self.planned: object = None
        self.replans = self.failed = 0
        self.seconds = 0.0
        self.curve: list[tuple[int, int, int, int]] = []

    def client(self) -> vda5050.Transport:
        if self.broker is not None:
            return self.broker.client()
        host, _, port = self.options.broker.partition(":")
        return vda5050.Mqtt(host, int(port or 1883))

    def run(self) -> None:
        for now in range(1, self.options.ticks + 1):
            begin = time.monotonic()
            self.vehicles.tick()
            if self.broker is not None:
                self.broker.tick()
            self.master.tick()
            self.happen(now)
            if now % STEP == 0:
                self.work(now)
            if self.broker is None:
                time.sleep(max(0.0, TICK - (time.monotonic() - begin)))
        self.vehicles.close()
        self.master.close()

    def happen(self, now: int) -> None:
        """A lane is closed for a third of the time, and some vehicles stop for good."""
        ticks = self.options.ticks
        if now == ticks // 3:
            u, v = self.draw.choice(self.layout.graph.edges.tolist())
            self.closed = [(u, v), (v, u)]
            self.story.append((now, f"the lane {self.layout.names[u]} - {self.layout.names[v]} is closed"))
        if now == 2 * ticks // 3 and self.closed:
            self.closed = []
            self.story.append((now, "the lane is open again"))
        if now in (ticks // 4, ticks // 2) and self.options.stops:
            name = self.draw.choice(self.problem.names)
            self.robots.stop(name)
            self.story.append((now, f"{name} stops for good"))

    def work(self, now: int) -> None:
        """What operators and their software do a few times a second."""
        orders, names = self.orders, self.problem.names
        for stuck in self.fleet.stuck:
            if stuck.agent not in self.broken:
                self.broken.add(stuck.agent)
                self.story.append((now, f"jam: {self.master.why((*stuck.waiting, stuck.agent)[0])}"))
        out = self.broken | set(self.fleet.given_up)
        for name in out:
            orders.give_back(name)
        orders.come_in()
        where = {
            name: int(v) for name, v in zip(names, self.fleet.places, strict=True) if name not in self.broken
        }
        orders.look(now, where)
        closed = {int(v) for name, v in zip(names, self.fleet.places, strict=True) if name in self.broken}
        orders.give({name: v for name, v in where.items() if name not in out}, closed)
        self.replan(now)
        self.curve.append((now, len(orders.finished), len(orders.waiting), len(orders.late)))

    def replan(self, now: int) -> None:
        """Plans the rest anew if goals, lanes or vehicles have changed.

        HCA* finds short ways quickly, LaCAM almost always some. If not, the older half of the orders goes.
        """
        goals = self.orders.goals()
        wanted = (goals, tuple(self.closed), frozenset(self.broken))
        if wanted == self.planned:
            return
        begin = time.process_time()
        for solver, share in (("hca", 1), ("lacam", 1), ("lacam", 2)):
            some = dict(list(goals.items())[: len(goals) // share])
            result = self.fleet.replan(
                solver,
                broken=self.broken,
                goals=dict.fromkeys(self.problem.names) | some,
                closed=self.closed,
                node_limit=self.options.nodes,
            )
            self.replans += 1
            if result.plan is not None:
                self.planned = wanted if share == 1 else None
                break
            self.failed += 1
        else:
            self.story.append((now, f"no new plan: {result.reason}"))
        self.seconds += time.process_time() - begin


def chart(curve: list[tuple[int, int, int, int]]) -> str:
    """Lines over time: orders finished, waiting and late."""
    wide, high, most = 900, 260, max(1, *(max(point[1:]) for point in curve))
    lines = []
    for column, (name, colour) in enumerate(COLOURS.items(), 1):
        points = " ".join(
            f"{wide * point[0] / curve[-1][0]:.1f},{high * (1 - point[column] / most):.1f}" for point in curve
        )
        lines.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{points}"/>')
        lines.append(f'<text x="8" y="{18 * column}" fill="{colour}">{name} {curve[-1][column]}</text>')
    return f'<svg viewBox="0 0 {wide} {high}" role="img" aria-label="orders over time">{"".join(lines)}</svg>'


def table(head: tuple[str, ...], rows: list[tuple[object, ...]]) -> str:
    cells = "".join(f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><tr>{''.join(f'<th>{name}</th>' for name in head)}</tr>{cells}</table>"


def page(house: Warehouse, verdict: ss.Report) -> str:
    orders, names = house.orders, house.problem.names
    waiting = [name for name in names if house.fleet.why(name).waits][:20]
    late = sorted(orders.late.items(), key=lambda entry: -entry[1])[:20]
    notices = [(notice.tick, notice.agent, notice.what) for notice in house.master.notices[-50:]]
    style = (
        "body{font:16px system-ui;margin:2rem auto;max-width:60rem;padding:0 1rem}td,th{text-align:left;"
        "padding:.2rem .8rem .2rem 0}svg{width:100%;border:1px solid #8884}"
    )
    return f"""<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Warehouse</title><style>{style}</style>
<h1>Warehouse</h1><p>{escape(summary(house, verdict)).replace(chr(10), "<br>")}</p>
<h2>Orders</h2>{chart(house.curve)}
<h2>Late orders</h2>{table(("order", "late by ticks"), late)}
<h2>What happened</h2>{table(("tick", "what"), house.story)}
<h2>Why does it stand?</h2>{table(("vehicle", "why"), [(name, house.master.why(name)) for name in waiting])}
<h2>Notices</h2>{table(("tick", "vehicle", "what"), notices)}
</html>
"""


def summary(house: Warehouse, verdict: ss.Report) -> str:
    orders, ticks, done = house.orders, house.options.ticks, len(house.orders.finished)
    lost = orders.came - done - orders.unfinished
    each = 1000 * house.seconds / max(1, house.replans)
    return "\n".join(
        [
            f"{house.problem.n_agents} vehicles on {house.layout.graph.n} places, {ticks} ticks",
            f"orders: {orders.came} came, {done} finished ({1000 * done / ticks:.1f} per 1000 ticks), "
            f"{len(orders.late)} late, {lost} lost",
            f"plans: {house.replans} ({each:.0f} ms of CPU time each), {house.failed} not found",
            f"stopped for good: {', '.join(sorted(house.broken)) or 'nobody'}",
            f"what was executed: {'valid' if verdict else verdict}",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--vehicles", type=int, default=200, help="how many there are")
    parser.add_argument("--columns", type=int, default=48, help="of the grid of lanes")
    parser.add_argument("--rows", type=int, default=32, help="of the grid of lanes")
    parser.add_argument("--ticks", type=int, default=1500, help="how long it runs")
    parser.add_argument("--rate", type=float, default=0.2, help="orders per tick")
    parser.add_argument(
        "--delay", type=float, default=0.01, help="the chance that a vehicle is late, per tick"
    )
    parser.add_argument(
        "--stops", action=argparse.BooleanOptionalAction, default=True, help="some vehicles stop for good"
    )
    parser.add_argument("--nodes", type=int, default=2_000_000, help="of the search of one plan")
    parser.add_argument("--version", choices=["2.1.0", "3.0.0"], default="2.1.0", help="of VDA 5050")
    parser.add_argument("--broker", help="host:port of an MQTT broker")
    parser.add_argument("--seed", type=int, default=0, help="of orders and delays")
    options = parser.parse_args()
    if min(options.columns, options.rows) < 8 or options.ticks < 1 or options.rate <= 0:
        parser.error("it takes 8 columns and rows, a tick, and a rate above 0 at least")
    most = options.columns * options.rows // 4
    if not 1 <= options.vehicles <= most:
        parser.error(f"there is room for 1 to {most} vehicles on {options.columns} by {options.rows} lanes")
    house = Warehouse(options)
    house.run()
    verdict = ss.validate_execution(house.vehicles.execution)
    print(summary(house, verdict))
    Path(PAGE).write_text(page(house, verdict), encoding="utf-8")
    print(f"wrote {PAGE}")


if __name__ == "__main__":
    main()
