"""One text and one format: it is read, or refused by a typed error in one line, within its time and memory.

What is read must be judged without an error, and read again from what we write of it as the same.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Iterator
from functools import cache, partial
from inspect import signature
from pathlib import Path
from typing import Any

import sidestep as ss
from sidestep.io import FORMATS, Document, Format
from sidestep.io.formats import format_of
from sidestep.io.planfile import PlanFile
from tests.io.test_formats import texts

from .row import Failed

IO = Path(__file__).parents[1] / "io"
FILES = (*sorted((IO / "old").iterdir()), *sorted((IO / "neighbours").iterdir()))
PARTS = (".pgm", ".tsx", ".agents", ".tasks")  # files that others name: none has a format by itself
NAMES = tuple(one.name for one in FORMATS)

SECONDS = 4.0  # of CPU per text: normal is a hundredth of it; a hang is what counts
BYTES = 600 * 2**20  # by which one text may raise the memory of the process

MORE = {  # beside what we write: what only others do, or what our writers have no occasion for
    "map": ["type octile\nheight 3\nwidth 4\nmap\n..@T\nGSWO\n....\n"],
    "scen": ["version 1\n0\tm.map\t3\t3\t0\t0\t2\t2\t4.0\n1\tm.map\t3\t3\t0\t2\t2\t0\t4.82842712\n"],
    "text": ["a . B\n. # .\nb . A\n", "..#\n...\n"],
    "multirobot": [
        "schedule:\n  a0: [{x: 0, y: 0, t: 0}, {x: 1, y: 0, t: 1}]\n"
        "  a1:\n    - x: 2\n      y: 2\n      t: 0\n",
        "statistics:\n  cost: 3\nschedule:\n"
        "  agent10:\n  - {t: 0, x: 0, y: 0}\n  agent2:\n  - {t: 0, x: 2, y: 0}\n",
        "map:\n  dimensions: [3, 3]\n  obstacles:\n    - !!python/tuple [1, 1]\n"
        "agents:\n  - name: a\n    start: [0, 0]\n    goal: [2, 2]\n",
    ],
    "tracker": [
        'map_name,agents,solution_plan\nsmall,2,"rrdd\n2w2l"\n',
        "map_name,scen_type,type_id,agents,lower_cost,solution_cost,solution_plan,flip_up_down\n"
        'small,even,1,2,4,8,"2r2u\n2l2u",true\nsmall,even,1,1,4,4,5w2r,false\n',
    ],
    "lorr": [
        '{"actionModel":"MAPF_T","teamSize":2,"start":[[0,0,"E"],[2,2,"W"]],"actualPaths":["F,F,R,F","W,C,C,F"],'
        '"tasks":[[0,0,[0,2,2,2]],[1,0,[2,0]]],"actualSchedule":["0:0","0:1,3:-1"],"events":[[2,0,0,1]]}',
        '{"actionModel":"MAPF","teamSize":1,"start":[[0,0,"N/A"]],"actualPaths":["R,R,U"],'
        '"tasks":[[0,0,2]],"events":[[[0,0,"assigned"],[0,2,"finished"]]]}',
        '{"actionModel":"MAPF_T","teamSize":1,"start":[[0,0,"E"]],"agentMaxCounter":2,'
        '"actualPaths":["[(0,0,0,0,0):(F 4,W 1,R 2)]"],"tasks":[[0,0,[0,2]]],'
        '"actualSchedule":["0:0"],"events":[[4,0,0,1]]}',
    ],
}


@cache
def seeds(name: str) -> tuple[str, ...]:
    """Texts of a format that are as they should be."""
    own = [text for form, _, text in texts() if form == name]
    old = [path.read_text() for path in FILES if path.suffix not in PARTS and format_of(path).name == name]
    return (*own, *old, *MORE.get(name, ()))


@cache
def grounds() -> tuple[Any, ...]:
    """What files of others are read with: grids and problems of their size."""
    small = ss.Problem.from_text("a . B\n. # .\nb . A")
    wide = ss.Problem(ss.Grid.from_text("....\n.#..\n....", 8), [(0, 0)], [(2, 3)])
    return small, small.space, wide, wide.space


def attempt(name: str, text: str) -> int:
    """Reads a text in every way that the format offers. Returns how many checks were made."""
    form = next(one for one in FORMATS if one.name == name)
    memory, begun = _peak(), time.thread_time()
    checks = sum(_one_way(way) for way in _ways(form, text))
    spent, grown = time.thread_time() - begun, _peak() - memory
    if spent > SECONDS:
        raise Failed(f"{name}: {len(text)} characters took {spent:.1f} s of CPU")
    if grown > BYTES:
        raise Failed(f"{name}: {len(text)} characters took {grown >> 20} MB")
    return checks + 2


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def readers(form: Format) -> list[tuple[type, Callable[[Document], Any]]]:
    """Kinds of things that a format holds, each with a reader that has all it needs beside a text."""
    found: list[tuple[type, Callable[[Document], Any]]] = []
    for kind, read in form.loads.items():
        needed = [one.name for one in signature(read).parameters.values() if one.default is one.empty]
        if needed == ["path"]:
            found.append((kind, read))
            continue
        fitting = [ground for ground in grounds() if isinstance(ground, form.needs)]
        found += [(kind, partial(read, **{needed[1]: ground})) for ground in fitting]
    return found


def _ways(form: Format, text: str) -> Iterator[Callable[[], Any]]:
    yield lambda: ss.io.detect(Document(text, "x"))
    for kind, read in readers(form):
        yield partial(_read, form, kind, read, text)


def _read(form: Format, kind: type, read: Callable[[Document], Any], text: str) -> None:
    """What is read is judged, written, and read again as the same."""
    thing = read(Document(text, "x"))
    _judged(thing)
    if kind not in form.dumps:
        return
    try:
        written = form.text_of(thing)
    except ss.InputError:
        return  # a format can say more than we write of it, such as paths of others that jump
    if form.text_of(read(Document(written, "y"))) != written:
        raise Failed(f"{form.name}: what is written is not read as the same")


def _one_way(way: Callable[[], Any]) -> int:
    try:
        way()
    except ss.SidestepError as error:
        said = str(error)
        if not 5 < len(said) <= 300 or "\n" in said:
            raise Failed(f"not one readable line: {said!r}") from error
    return 1


def _judged(thing: Any) -> None:
    plan = thing.plan if isinstance(thing, PlanFile) else thing
    if isinstance(plan, ss.Plan):
        str(ss.validate(plan.problem, plan)), plan.cost
    elif isinstance(plan, ss.Trace):
        str(ss.validate_trace(plan))
