"""How many vehicles one master serves over MQTT: by VDA 5050, on loopback, with a real broker.

`python -m benchmarks.vehicles` starts mosquitto and a process of simulated vehicles, each of which reports
its state ten times a second. For a growing number of them it prints how many reports came in per second, the
share of them that was answered within 100 ms (from the time in a state's header until the master has told the
fleet and sent what that released), the median and the 99% quantile of that time, the share of ticks that the
vehicles themselves began late, and the CPU time per report of master, broker and vehicles. Where vehicles are
late or fewer reports come in than ten per vehicle and second, it is broken. Needs the extra `fleet` and
mosquitto.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np

import sidestep as ss
from sidestep import io, vda5050

PERIOD = 0.1  # seconds between two reports of a vehicle
ANSWERED = 0.1  # seconds that an answer may take
PAUSE = 0.02  # seconds that the master sleeps between two ticks
SPEED = 0.2  # steps per tick
STAMP = re.compile(rb'"timestamp":"\d{4}-\d\d-\d\dT(\d\d):(\d\d):(\d\d\.\d+)Z"')
DAY = 86_400
VERSION = "3.0.0"  # its timestamps have milliseconds


def lanes(vehicles: int) -> tuple[io.Layout, ss.Problem]:
    """Places in a square, a sixth of which have a vehicle, with lanes both ways between neighbours."""
    side = int(np.ceil(np.sqrt(6 * vehicles)))
    edges = [(r * side + c, r * side + c + 1) for r in range(side) for c in range(side - 1)]
    edges += [(v, v + side) for v in range(side * (side - 1))]
    points = [(float(v % side), float(v // side)) for v in range(side * side)]
    layout = io.Layout.from_graph(ss.Graph(side * side, edges, positions=points))
    draw = np.random.default_rng(0)
    starts, goals = (draw.permutation(side * side)[:vehicles].tolist() for _ in range(2))
    return layout, ss.Problem(layout.graph, starts, goals, rules=ss.Rules(following=False))


@contextmanager
def broker() -> Iterator[tuple[int, int]]:
    """A mosquitto of our own: its port and its process."""
    program = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")
    if program is None:
        raise SystemExit("there is no broker to measure with: apt install mosquitto")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder) / "mosquitto.conf"
        settings.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\nmax_queued_messages 0\n")
        process = subprocess.Popen([program, "-c", str(settings)], stderr=subprocess.DEVNULL)
        try:
            time.sleep(1)
            yield port, process.pid
        finally:
            process.kill()
            process.wait()


def drive(port: int, vehicles: int, pipe: Connection) -> None:
    """The process of the vehicles: at the end it says its ticks, how many began late, and its CPU time."""
    layout, problem = lanes(vehicles)
    robots = vda5050.Vehicles(
        ss.Simulator(problem, speed=SPEED),
        layout,
        vda5050.Mqtt("127.0.0.1", port),
        version=VERSION,
        interval=1,
    )
    pipe.send("ready")
    begin, ticks, late, spent = time.monotonic(), 0, 0, time.process_time()
    while not pipe.poll():
        robots.tick()
        ticks += 1
        rest = begin + ticks * PERIOD - time.monotonic()
        if rest > 0:
            time.sleep(rest)
        else:
            late += 1
            begin -= rest  # the next one begins now, and the others a tick later each
    pipe.send((ticks, late, time.process_time() - spent))
    robots.close()


def measure(port: int, process: int, vehicles: int, seconds: float) -> None:
    """Prints a row."""
    layout, problem = lanes(vehicles)
    plan = ss.solve(problem, "hca").plan or ss.solve(problem, "lacam").plan
    if plan is None:
        raise SystemExit("no plan was found")
    watched = Watched(port)
    fleet = ss.Fleet(problem, plan, ahead=4)
    master = vda5050.Master(fleet, layout, watched, version=VERSION)
    here, there = multiprocessing.get_context("spawn").Pipe()
    child = multiprocessing.get_context("spawn").Process(target=drive, args=(port, vehicles, there))
    child.start()
    here.recv()
    warm = time.monotonic() + 2
    until = warm + seconds
    spent, broker_spent = 0.0, 0.0
    ages: list[float] = []
    while (now := time.monotonic()) < until:
        if spent == 0.0 and now > warm:
            spent, broker_spent, ages = time.process_time(), cpu_of(process), []
        master.tick()
        ages += watched.ages()
        time.sleep(PAUSE)
    spent, broker_spent = time.process_time() - spent, cpu_of(process) - broker_spent
    here.send("stop")
    ticks, late, driven = here.recv()
    child.join()
    master.close()
    found = np.array(ages)
    each = [
        1e6 * cpu / count
        for cpu, count in ((spent, len(found)), (broker_spent, len(found)), (driven, ticks * vehicles))
    ]
    print(
        f"{vehicles:8} {len(found) / seconds:9.0f} {(found <= ANSWERED).mean():9.1%} "
        f"{np.median(found) * 1000:9.0f} {np.quantile(found, 0.99) * 1000:7.0f} {late / ticks:10.1%} "
        f"{each[0]:9.0f} {each[1]:9.0f} {each[2]:9.0f}",
        flush=True,
    )


class Watched(vda5050.Mqtt):
    """A client that looks at the times of states."""

    def __init__(self, port: int) -> None:
        super().__init__("127.0.0.1", port)
        self._stamps: list[float] = []

    def receive(self) -> list[tuple[str, bytes]]:
        """What has come in; the times of states are kept."""
        heard = super().receive()
        for topic, payload in heard:
            if topic.endswith("/state") and (found := STAMP.search(payload, 0, 120)):
                hours, minutes, seconds = found.groups()
                self._stamps.append(int(hours) * 3600 + int(minutes) * 60 + float(seconds))
        return heard

    def ages(self) -> list[float]:
        """How old the last states are now."""
        now = time.time() % DAY
        found = [(now - stamp) % DAY for stamp in self._stamps]
        self._stamps.clear()
        return found


def cpu_of(process: int) -> float:
    """The CPU seconds of another process."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Measures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--vehicles", type=int, nargs="+", default=[100, 250, 500, 750, 1000])
    parser.add_argument("--seconds", type=float, default=10.0)
    options = parser.parse_args()
    print("                    answered  ms until answered                us of CPU per report")
    print("vehicles reports/s  in 100 ms    median     99% late ticks    master    broker  vehicles")
    with broker() as (port, process):
        for vehicles in options.vehicles:
            measure(port, process, vehicles, options.seconds)


if __name__ == "__main__":
    main()
