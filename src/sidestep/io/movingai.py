"""Maps and scenarios of the MovingAI benchmark (Sturtevant 2012; Stern et al. 2019).

A map is `type octile`, `height H`, `width W` in any order, then `map` and H rows of terrain, from the
top. Programs disagree about what is free: here it is `.`, `G` and the swamp `S`; water `W`, trees `T`
and the outside `@` and `O` are walls. `passable=` says otherwise.

A scenario is `version 1` and lines of nine fields: bucket, map, width, height, start x, start y,
goal x, goal y, optimal length. k agents are the first k lines.
"""

from __future__ import annotations

import math
import re
from typing import Literal

import numpy as np

from ..model.arrays import is_whole
from ..model.errors import FormatError, InputError
from ..model.grid import MAX_VERTICES, Corners, Grid
from ..model.problem import Problem
from ..model.rules import Rules
from ..search import Finder
from .cells import Spot, problem_of, refuse_extras, refuse_idle, require_grid
from .files import FilePath, Readable, load, store_text
from .format import Format, begins

PASSABLE = ".GS"
TERRAIN = ".GSWT@O"

_FIELDS = ("bucket", "map", "width", "height", "start x", "start y", "goal x", "goal y", "optimal length")


def read_map(
    path: Readable,
    *,
    passable: str = PASSABLE,
    connectivity: Literal[4, 8] = 4,
    corners: Corners = "none",
) -> Grid:
    """Reads a `.map` file of MovingAI.

    Args:
        path: The file.
        passable: The terrain characters that are free.
        connectivity: As for `Grid`.
        corners: As for `Grid`.

    Returns:
        The map.

    Raises:
        FormatError: The file is malformed.
        InputError: The file cannot be read, or another argument is not valid.
    """
    if not isinstance(passable, str):
        raise InputError(f"passable must be a string of terrain characters, not {passable!r}")
    document = load(path)
    source, lines = document.source, document.lines
    height, width, begin = _map_header(lines, source)
    rows = lines[begin:]
    if len(rows) > height:
        raise FormatError(
            f"the map has more than the {height} rows of its header", source=source, line=begin + height + 1
        )
    if len(rows) < height:
        raise FormatError(
            f"the map ends after {len(rows)} of {height} rows", source=source, line=max(len(lines), 1)
        )
    known = set(TERRAIN + passable)
    for line, row in enumerate(rows, begin + 1):
        _check_row(row, width, known, source, line)
    return Grid(_free_cells(rows, passable).reshape(height, width), connectivity, corners)


def _map_header(lines: list[str], source: str) -> tuple[int, int, int]:
    """Height, width and the index of the first row."""
    found: dict[str, str] = {}
    for line, text in enumerate(lines, 1):
        if not text:
            continue
        keyword, value = (*text.split(None, 1), "")[:2]
        if keyword == "map" and not value:
            height, width = _sizes(found, source, line)
            return height, width, line
        if keyword not in ("type", "height", "width"):
            raise FormatError(f"a map header has no line {text!r}", source=source, line=line)
        if keyword in found:
            raise FormatError(f"the header gives the {keyword} twice", source=source, line=line)
        found[keyword] = _header_value(keyword, value.strip(), source, line)
    raise FormatError("the header has no line 'map'", source=source, line=max(len(lines), 1))


def _header_value(keyword: str, value: str, source: str, line: int) -> str:
    if keyword == "type":
        if value != "octile":
            raise FormatError(f"the type must be 'octile', not {value!r}", source=source, line=line)
    elif not re.fullmatch("[0-9]{1,10}", value) or not 1 <= int(value) <= MAX_VERTICES:
        raise FormatError(
            f"the {keyword} must be a whole number from 1 to {MAX_VERTICES}, not {value[:40]!r}",
            source=source,
            line=line,
        )
    return value


def _sizes(found: dict[str, str], source: str, line: int) -> tuple[int, int]:
    missing = [keyword for keyword in ("type", "height", "width") if keyword not in found]
    if missing:
        raise FormatError(f"the header has no {missing[0]}", source=source, line=line)
    height, width = int(found["height"]), int(found["width"])
    if height * width > MAX_VERTICES:
        raise FormatError(
            f"a map may have at most {MAX_VERTICES} cells, not {height} x {width}", source=source, line=line
        )
    return height, width


def _check_row(row: str, width: int, known: set[str], source: str, line: int) -> None:
    if len(row) != width:
        raise FormatError(
            f"this row has {len(row)} cells where the header says {width}", source=source, line=line
        )
    unknown = set(row) - known
    if unknown:
        raise FormatError(f"unknown terrain {min(unknown)!r}", source=source, line=line)


def _free_cells(rows: list[str], passable: str) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    codes = np.frombuffer("".join(rows).encode("utf-32-le"), dtype="<u4")
    return np.isin(codes, [ord(char) for char in passable])


def write_map(grid: Grid, path: FilePath) -> None:
    """Writes a `.map` file: `.` free, `@` blocked. Connectivity and corners are not part of the format.

    Args:
        grid: The map.
        path: The file.

    Raises:
        InputError: It is no grid, or the file cannot be written.
    """
    store_text(path, dumps_map(grid))


def dumps_map(grid: Grid) -> str:
    """The text of such a file."""
    grid = require_grid(grid)
    rows = str(grid).replace("#", "@")
    return f"type octile\nheight {grid.height}\nwidth {grid.width}\nmap\n{rows}\n"


def read_scen(path: Readable, grid: Grid, *, agents: int | None = None, rules: Rules = Rules()) -> Problem:
    """Reads a `.scen` file of MovingAI.

    Args:
        path: The file.
        grid: The map.
        agents: How many of the file's agents to take, from the first on; None: all.
        rules: The rules of the problem.

    Returns:
        The problem.

    Raises:
        FormatError: The file is malformed, does not fit the map, or has fewer agents.
        InputError: The file cannot be read, or another argument is not valid.
    """
    if agents is not None and (not is_whole(agents) or agents < 0):
        raise InputError(f"agents must be a whole number from 0, not {agents!r}")
    grid = require_grid(grid)
    document = load(path)
    source, lines = document.source, document.lines
    if not lines or lines[0].split() not in (["version", "1"], ["version", "1.0"]):
        raise FormatError("a scenario begins with the line 'version 1'", source=source, line=1)
    entries = [(line, text) for line, text in enumerate(lines[1:], 2) if text]
    if agents is not None and agents > len(entries):
        raise FormatError(f"{agents} agents asked for, but the file has {len(entries)}", source=source)
    spots = [_scen_spots(text, grid, source, line) for line, text in entries[:agents]]
    return problem_of(
        grid, [start for start, _ in spots], [goal for _, goal in spots], source=source, rules=rules
    )


def _scen_spots(text: str, grid: Grid, source: str, line: int) -> tuple[Spot, Spot]:
    fields = text.split("\t") if "\t" in text else text.split()
    if len(fields) != len(_FIELDS):
        raise FormatError(f"a line has {len(_FIELDS)} fields, not {len(fields)}", source=source, line=line)
    fields = [field.strip(" ") for field in fields]
    for name, value in zip(_FIELDS, fields, strict=True):
        if name != "map" and not _is_number(value, whole=name != "optimal length"):
            raise FormatError(f"the {name} must be a number, not {value[:40]!r}", source=source, line=line)
    width, height, start_x, start_y, goal_x, goal_y = map(int, fields[2:8])
    if (height, width) != (grid.height, grid.width):
        raise FormatError(
            f"this line is for a map of height {height} and width {width}, "
            f"but the map has height {grid.height} and width {grid.width}",
            source=source,
            line=line,
        )
    return Spot(start_y, start_x, line), Spot(goal_y, goal_x, line)


def _is_number(value: str, *, whole: bool) -> bool:
    if whole:
        return re.fullmatch("-?[0-9]{1,10}", value) is not None
    # float() alone would also take 1_0, digits of other scripts and nan.
    decimal = r"-?(?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:[eE][+-]?[0-9]{1,3})?"
    return re.fullmatch(decimal, value) is not None and math.isfinite(float(value))


def write_scen(problem: Problem, path: FilePath, map_name: str) -> None:
    """Writes a `.scen` file, one line per agent in order.

    The last column is the octile distance that the format asks for, also where agents move on a
    4-connected grid. Names and rules are not part of the format; what else it cannot keep is refused.

    Args:
        problem: A problem on a grid.
        path: The file.
        map_name: The name of the map that the file tells.

    Raises:
        InputError: An agent has no goal or cannot reach it, has a priority other than 0 or a size or period
            other than 1, or the file cannot be written.
    """
    store_text(path, dumps_scen(problem, map_name))


def dumps_scen(problem: Problem, map_name: str) -> str:
    """The text of such a file."""
    grid = require_grid(problem.space)
    if not isinstance(map_name, str) or not map_name or re.search(r"[\t\r\n\0]", map_name):
        raise InputError(f"{map_name!r} is not a name for a map: it stands in a tab-separated line")
    refuse_idle(problem, "a scenario file")
    refuse_extras(problem, "a scenario file")
    lines = ["version 1"]
    for agent, length in zip(problem.agents, _octile_lengths(problem, grid), strict=True):
        if length == math.inf:
            way = "" if grid.connectivity == 4 or grid.corners == "none" else " without cutting corners"
            raise InputError(f"agent {agent.name} cannot reach its goal{way}: a scenario needs path lengths")
        (start_y, start_x), (goal_y, goal_x) = agent.start, agent.goal
        numbers = (grid.width, grid.height, start_x, start_y, goal_x, goal_y)
        lines.append("\t".join([str(int(length // 4)), map_name, *map(str, numbers), f"{length:.8f}"]))
    return "\n".join(lines) + "\n"


def _octile_lengths(problem: Problem, grid: Grid) -> list[float]:
    """Per agent the length of a shortest path whose diagonals cost sqrt 2 and cut no corners."""
    finder = Finder(Grid(grid.passable, 8, "none"), steps="octile")
    lengths: list[float] = finder.paths(grid.cells(problem.starts), grid.cells(problem.goals)).costs.tolist()
    return lengths


MAP_FORMAT = Format(
    name="map",
    title="MovingAI map",
    called="a map",
    sniff=begins(r"(type|height|width)\s"),
    loads={Grid: read_map},
    dumps={Grid: dumps_map},
    suffixes=(".map",),
    is_named=True,
    to="map",
)

SCEN_FORMAT = Format(
    name="scen",
    title="MovingAI scenario",
    called="a scenario",
    sniff=begins(r"version\s"),
    loads={Problem: read_scen},
    dumps={Problem: dumps_scen},
    needs=(Grid,),
    suffixes=(".scen",),
    is_named=True,
    to="scen",
)
