"""What is written by hand beside the library that could do it: `python -m benchmarks.libraries`.

The group `bench` brings the libraries. What was decided, and why, is in ARCHITECTURE.md. Times are of the
processor, the least of some runs.
"""

from __future__ import annotations

import io
import json
import math
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from pathlib import Path
from time import process_time, sleep
from typing import Any

import numpy as np

import sidestep as ss
from sidestep.instances import random_grid, random_problem
from sidestep.io.files import Document
from sidestep.io.planfile import dumps_plan, read_plan
from sidestep.io.yamlfile import yaml_of
from sidestep.papers import significance
from sidestep.viewer.encoding import gif_bytes
from sidestep.viewer.film import Screen, _sheet, palette_of
from sidestep.viewer.scene import scene_of
from sidestep.viewer.timeline import Timeline

RUNS = 3
LAUGHS = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]\n" for a, b in zip("abcdefg", "bcdefgh", strict=True)
)


def least(work: Callable[[], Any]) -> float:
    """Milliseconds of CPU time."""
    times = []
    for _ in range(RUNS):
        begin = process_time()
        work()
        times.append(process_time() - begin)
    return 1000 * min(times)


def said(work: Callable[[], Any]) -> str:
    """The error, in a line."""
    try:
        work()
    except Exception as error:
        return f"{type(error).__name__}: {' '.join(str(error).split())[:150]}"
    return "nothing"


def json_checking() -> None:
    """Our `Record` beside msgspec and fastjsonschema: a plan of 500 agents, and what they say of a fault."""
    problem = random_problem(random_grid(64, 64, 0.2, 1), 500, seed=1)
    plan = ss.solve(problem, "lacam", time_limit=None, node_limit=10**7).plan
    assert plan is not None
    text = dumps_plan(plan)
    msgspec, fast = import_module("msgspec"), import_module("fastjsonschema")
    paths = msgspec.defstruct("Paths", [("paths", list[list[int]])])
    wanted = msgspec.json.Decoder(msgspec.defstruct("File", [("plan", paths)]))
    integers = {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}}
    schema = {"required": ["plan"], "properties": {"plan": {"properties": {"paths": integers}}}}
    check = fast.compile(schema)
    print(f"JSON: a plan of {len(text) / 1e6:.1f} MB, ms")
    print(f"  json.loads alone           {least(lambda: json.loads(text)):.0f}")
    print(f"  ours, to a checked plan    {least(lambda: read_plan(Document(text, ''))):.0f}")
    print(f"  msgspec, types alone       {least(lambda: wanted.decode(text)):.0f}")
    print(f"  json and fastjsonschema    {least(lambda: check(json.loads(text))):.0f}")
    broken = json.loads(text)
    broken["plan"]["paths"][3][2] = "x"
    wrong = json.dumps(broken)
    print(f"  ours says     {said(lambda: read_plan(Document(wrong, 'a.json')))}")
    print(f"  msgspec says  {said(lambda: wanted.decode(wrong))}")
    print(f"  fastjsonschema says  {said(lambda: check(json.loads(wrong)))}")


def yaml_checking() -> None:
    """Our tree with lines beside PyYAML's safe_load."""
    yaml = import_module("yaml")
    lanes = "\n".join(f"- {{name: lane{i}, from: {i}, to: {i + 1}, length: {i}.5}}" for i in range(2000))
    document = f"lanes:\n{lanes.replace('- ', '  - ')}\n"
    print("YAML: 2,000 lanes, ms")
    print(f"  ours                    {least(lambda: yaml_of(Document(document, ''))):.0f}")
    print(f"  yaml.safe_load          {least(lambda: yaml.safe_load(document)):.0f}")
    print(f"  yaml.load, CSafeLoader  {least(lambda: yaml.load(document, yaml.CSafeLoader)):.0f}")
    loaded = yaml.safe_load(LAUGHS)
    print(f"  eight lines with aliases: ours says {said(lambda: yaml_of(Document(LAUGHS, 'a.yaml')))}")
    print(f"  safe_load takes them, and who reads all of it reads {9 ** len(loaded):,} words")
    twice, land = "a: 1\na: 2\n", "to: no\n"
    print(f"  a key twice: ours says {said(lambda: yaml_of(Document(twice, 'a.yaml')))}")
    print(f"  safe_load: {yaml.safe_load(twice)}, and of `to: no` {yaml.safe_load(land)}")


def gif_writing() -> None:
    """Our frames of what changes beside Pillow's save_all."""
    image = import_module("PIL.Image")
    problem = random_problem(random_grid(24, 24, 0.2, 1), 40, seed=1)
    scenes = (scene_of(ss.solve(problem, "whca", time_limit=None, node_limit=10**6)),)
    screen = Screen([Timeline(one) for one in scenes], _sheet(scenes, ".gif"), flash=1.0)
    frames = [frame.copy() for frame in screen.frames(np.linspace(0, 20, 81))]
    seconds = np.full(len(frames), 0.06)
    ours = gif_bytes(iter(frames), seconds, palette_of(scenes))

    def pillow() -> bytes:
        stream, pictures = io.BytesIO(), [image.fromarray(frame) for frame in frames]
        pictures[0].save(stream, "GIF", save_all=True, append_images=pictures[1:], duration=60, loop=0)
        return stream.getvalue()

    wanted = least(lambda: gif_bytes(iter(frames), seconds, palette_of(scenes)))
    print(f"GIF: {len(frames)} frames of {frames[0].shape[1]}x{frames[0].shape[0]}")
    print(f"  ours    {len(ours) / 1e3:.0f} kB, {wanted:.0f} ms, holds one frame")
    print(f"  Pillow  {len(pillow()) / 1e3:.0f} kB, {least(pillow):.0f} ms, holds all")


def die(number: int) -> int:
    """What a crash of the core would be."""
    sleep(0.05)
    if number == 3:
        import_module("os")._exit(3)
    return number


def pools() -> None:
    """What becomes of ten tasks of which the fourth kills its process."""
    print("worker pools: ten tasks, the fourth kills its process")
    with ProcessPoolExecutor(2) as pool:
        futures = [pool.submit(die, number) for number in range(10)]
        broken = sum(isinstance(future.exception(), BrokenProcessPool) for future in futures)
    print(f"  concurrent.futures: {broken} of 10 are lost, and the pool with them")
    with import_module("pebble").ProcessPool(2) as other:
        found = [other.schedule(die, args=[number]) for number in range(10)]
        lost = sum(future.exception() is not None for future in found)
    print(f"  pebble: {lost} of 10 is lost")
    print(f"  pebble, spawned by a script without a guard: {run_script(GUARDLESS)}")
    print(f"  a worker of pebble whose client was killed: {run_script(ORPHAN)}")


GUARDLESS = """
import multiprocessing, pebble
from math import sqrt
with pebble.ProcessPool(1, context=multiprocessing.get_context("spawn")) as pool:
    print("answers", pool.schedule(sqrt, args=[4]).result(20))
"""
ORPHAN = """
import os, pebble, signal, subprocess, sys, time
from pathlib import Path

CLIENT = '''
import os, pebble, time
with pebble.ProcessPool(1) as pool:
    print(pool.schedule(os.getpid).result(), flush=True)
    pool.schedule(time.sleep, args=[30]).result()
'''
client = subprocess.Popen([sys.executable, "-c", CLIENT], stdout=subprocess.PIPE)
worker = int(client.stdout.readline())
time.sleep(0.5)
client.kill()
time.sleep(3)
alive = Path(f"/proc/{worker}/stat").exists()
print("goes on" if alive else "is gone")
if alive:
    os.kill(worker, signal.SIGKILL)
"""


def run_script(text: str) -> str:
    """The last line that a file with this text says."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "script.py"
        path.write_text(text, encoding="utf-8")
        try:
            done = subprocess.run(
                [sys.executable, str(path)], capture_output=True, text=True, check=False, timeout=60
            )
        except subprocess.TimeoutExpired:
            return "hangs"
    return ([*done.stderr.split("\n"), *done.stdout.split("\n")] if done.stdout else done.stderr.split("\n"))[
        -2
    ]


def statistics() -> None:
    """Our tests beside scipy's, on samples at random."""
    begin = (
        "import sidestep.papers.experiment, time; t = time.process_time(); import {}; "
        "print(1000 * (time.process_time() - t))"
    )
    took = {
        name: float(subprocess.check_output([sys.executable, "-c", begin.format(name)]))
        for name in ("scipy.stats", "sidestep.papers.significance")
    }
    stats, draw, worst = import_module("scipy.stats"), random.Random(0), 0.0
    for _ in range(2000):
        one = [draw.gauss(0, 1) for _ in range(draw.randrange(3, 60))]
        other = [draw.gauss(draw.random(), draw.random() + 0.1) for _ in one]
        more, less = draw.randrange(200), draw.randrange(200)
        welch, mcnemar = significance.welch_t(one, other).p, significance.sign_test(more, less)
        theirs = stats.ttest_ind(one, other, equal_var=False).pvalue
        sign = stats.binomtest(more, more + less).pvalue if more + less else 1.0
        paired, both = significance.paired_t(one, other).p, stats.ttest_rel(one, other).pvalue / 2
        for ours, wanted in ((welch, theirs), (mcnemar, sign), (paired, both)):
            worst = max(worst, abs(ours - wanted) / max(wanted, 1e-300) if wanted else math.inf)
    print("statistics: Welch's, paired and sign tests of 2,000 samples")
    print(f"  largest relative difference of p to scipy's: {worst:.1e}")
    print(f"  import, ms: {', '.join(f'{name} {ms:.0f}' for name, ms in took.items())}")


if __name__ == "__main__":
    for part in (json_checking, yaml_checking, gif_writing, pools, statistics):
        part()
