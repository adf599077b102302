"""A grid: free and blocked cells, which neighbours a cell has, and how diagonals pass corners."""

from __future__ import annotations

from typing import Any, Literal, TypedDict

import numpy as np

from .arrays import BoolArray, FrozenSlots, IntArray, is_whole, read_only
from .errors import FormatError, InputError

Corners = Literal["none", "one", "free"]
Cell = tuple[int, int]

MAX_VERTICES = 2**31 - 1  # vertex ids are int32
FREE, WALLS = ".", "#@"


class GridShape(TypedDict, total=False):
    """The arguments of `Grid` beside its cells, for functions that pass them on."""

    connectivity: Literal[4, 8]
    corners: Corners


class Grid(FrozenSlots):
    """Cells `(row, col)` with row 0 at the top; the vertex id of a cell is `row * width + col`.

    Args:
        passable: A 2-D array of bools with at least one cell: True where an agent may be. It is copied.
        connectivity: 4, or 8 for diagonal moves, too.
        corners: How many of the two cells beside a diagonal may be blocked: `"none"`, `"one"`, or both
            (`"free"`). It matters only with `connectivity=8`.

    Raises:
        InputError: An argument is none of these, or there are more cells than 32 bits can number.
    """

    __slots__ = ("__weakref__", "connectivity", "corners", "passable")

    passable: BoolArray
    connectivity: Literal[4, 8]
    corners: Corners

    def __init__(self, passable: Any, connectivity: Literal[4, 8] = 4, corners: Corners = "none") -> None:
        self.passable = _passable_array(passable)
        if not is_whole(connectivity) or connectivity not in (4, 8):
            raise InputError(f"connectivity must be 4 or 8, not {connectivity!r}")
        if not isinstance(corners, str) or corners not in ("none", "one", "free"):
            raise InputError(f"corners must be 'none', 'one' or 'free', not {corners!r}")
        self.connectivity = 4 if connectivity == 4 else 8
        self.corners = corners

    @classmethod
    def from_text(cls, text: str, connectivity: Literal[4, 8] = 4, corners: Corners = "none") -> Grid:
        """Reads a grid that is drawn as text.

        Args:
            text: A line per row: `.` is free, `#` or `@` is a wall. Blanks between cells are ignored, and so
                are empty lines before and after the drawing.
            connectivity: As for the constructor.
            corners: As for the constructor.

        Returns:
            The grid.

        Raises:
            FormatError: The drawing is empty, its rows differ in length, or it has another character.
            InputError: Another argument is not valid.
        """
        rows = text_rows(text)
        for line, row in rows:
            for char in row:
                if char not in FREE + WALLS:
                    raise FormatError(
                        f"a cell is '.', '#' or '@', not {char!r} (agents: Problem.from_text)", line=line
                    )
        return cls(passable_of(rows, WALLS), connectivity, corners)

    @property
    def height(self) -> int:
        """The number of rows."""
        return int(self.passable.shape[0])

    @property
    def width(self) -> int:
        """The number of columns."""
        return int(self.passable.shape[1])

    @property
    def n(self) -> int:
        """The number of vertices, blocked ones included."""
        return int(self.passable.size)

    @property
    def open(self) -> BoolArray:
        """Per vertex whether an agent may be there."""
        return self.passable.reshape(-1)

    def vertex(self, place: Any) -> int:
        """Converts a cell to its vertex.

        Args:
            place: The cell `(row, col)`; it may be blocked.

        Returns:
            The vertex id.

        Raises:
            InputError: It is no cell of this grid.
        """
        try:
            row, col = place
        except (TypeError, ValueError):
            raise InputError(f"a place on a grid is (row, col), not {place!r}") from None
        if not (is_whole(row) and is_whole(col)):
            raise InputError(f"a place on a grid is two whole numbers, not {place!r}")
        height, width = self.passable.shape
        if not (0 <= row < height and 0 <= col < width):
            raise InputError(f"cell ({row}, {col}) is outside the grid of {height} rows and {width} columns")
        return int(row) * int(width) + int(col)

    def place(self, vertex: int) -> Cell:
        """Converts a vertex to its cell.

        Args:
            vertex: A vertex id, which is not checked.

        Returns:
            The cell `(row, col)`.
        """
        return divmod(int(vertex), self.width)

    def cells(self, vertices: IntArray) -> IntArray:
        """Converts an array of vertices to cells.

        Args:
            vertices: Vertex ids in any shape; -1 is an agent that is not there.

        Returns:
            An int32 array with one more axis, of `(row, col)`; (-1, -1) for -1.
        """
        rows, cols = np.divmod(vertices, np.int32(self.width))
        cells = np.stack([rows, cols], axis=-1).astype(np.int32)
        cells[np.asarray(vertices) < 0] = -1
        return cells

    def _repr_svg_(self) -> str | None:
        from ..viewer.sketch import sketch_of_space  # noqa: PLC0415  # only notebooks ask for pictures

        return sketch_of_space(self)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Grid)
            and self.connectivity == other.connectivity
            and self.corners == other.corners
            and np.array_equal(self.passable, other.passable)
        )

    def __hash__(self) -> int:
        return hash((self.passable.tobytes(), self.passable.shape, self.connectivity, self.corners))

    def __repr__(self) -> str:
        rule = f", corners={self.corners!r}" if self.connectivity == 8 else ""
        return f"Grid({self.height}x{self.width}, connectivity={self.connectivity}{rule})"

    def __str__(self) -> str:
        return "\n".join("".join("." if free else "#" for free in row) for row in self.passable)


def text_rows(text: str, source: str = "<text>") -> list[tuple[int, str]]:
    """The rows of a drawing with their line numbers, blanks removed; ragged or empty is an error."""
    if not isinstance(text, str):
        raise InputError(f"a drawing is a string, not {type(text).__name__}")
    lines = [(number, "".join(line.split())) for number, line in enumerate(text.splitlines(), 1)]
    drawn = [index for index, (_, row) in enumerate(lines) if row]
    lines = lines[drawn[0] : drawn[-1] + 1] if drawn else []
    if not lines:
        raise FormatError("the map is empty", source=source)
    width = len(lines[0][1])
    for number, row in lines:
        if len(row) != width:
            raise FormatError(
                f"this row has {len(row)} cells where the first row has {width}",
                source=source,
                line=number,
            )
    return lines


def passable_of(rows: list[tuple[int, str]], walls: str) -> BoolArray:
    """The bool array of a drawing in which every character but `walls` is free."""
    return np.array([[char not in walls for char in row] for _, row in rows], dtype=np.bool_)


def _passable_array(passable: Any) -> BoolArray:
    try:
        array = np.asarray(passable)
    except (ValueError, TypeError):
        raise InputError("passable must be a 2-D array of bools with rows of one length") from None
    if array.ndim == 2 and array.dtype != np.bool_ and np.isin(array, (0, 1)).all():
        raise InputError(
            "passable must be bools, True where an agent may be: "
            "write `array == 0` if 0 is free, `array == 1` if 1 is"
        )
    if array.ndim != 2 or array.dtype != np.bool_:
        raise InputError(f"passable must be a 2-D array of bools, not {array.ndim}-D of {array.dtype}")
    if array.size == 0:
        raise InputError("a grid needs at least one cell")
    if array.size > MAX_VERTICES:
        raise InputError(f"a grid may have at most {MAX_VERTICES} cells, not {array.size}")
    return read_only(np.array(array, dtype=np.bool_, order="C"))
