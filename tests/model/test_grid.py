"""Grids: drawn as text or given as arrays, compared by value, never changed."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidestep import FormatError, Grid, InputError

pytestmark = pytest.mark.bounds

ROOM = """
    . . # .
    . @ . .
"""


def sentence(error: pytest.ExceptionInfo[Exception]) -> str:
    """The message, which must be one line."""
    text = str(error.value)
    assert text
    assert "\n" not in text
    return text


def test_a_drawing_becomes_an_array():
    grid = Grid.from_text(ROOM)
    assert grid.passable.tolist() == [[True, True, False, True], [True, False, True, True]]
    assert (grid.height, grid.width, grid.n) == (2, 4, 8)
    assert (grid.connectivity, grid.corners) == (4, "none")


def test_blanks_between_cells_and_around_the_map_do_not_matter():
    assert (
        Grid.from_text("..#.\n.@..") == Grid.from_text(ROOM) == Grid.from_text("\n\n . .\t#.\n.@ . .\n  \n")
    )


def test_a_grid_draws_itself_so_that_it_can_be_read_again():
    grid = Grid.from_text(ROOM)
    assert str(grid) == "..#.\n.#.."
    assert Grid.from_text(str(grid)) == grid
    assert repr(grid) == "Grid(2x4, connectivity=4)"
    assert repr(Grid.from_text(".", 8, "one")) == "Grid(1x1, connectivity=8, corners='one')"


@given(st.lists(st.lists(st.booleans(), min_size=3, max_size=3), min_size=1, max_size=5))
def test_any_grid_survives_being_drawn_and_pickled(rows):
    grid = Grid(rows, 8, "free")
    assert Grid.from_text(str(grid), 8, "free") == grid
    again = pickle.loads(pickle.dumps(grid))
    assert again == grid
    assert hash(again) == hash(grid)


def test_a_cell_has_a_vertex_and_a_vertex_its_cell():
    grid = Grid.from_text(ROOM)
    for vertex in range(grid.n):
        assert grid.vertex(grid.place(vertex)) == vertex
    assert grid.vertex((1, 2)) == 6
    assert grid.place(6) == (1, 2)
    assert grid.vertex(np.array([1, 2])) == 6
    assert grid.vertex([np.int64(1), np.int8(2)]) == 6


def test_cells_of_many_vertices_at_once():
    grid = Grid.from_text(ROOM)
    cells = grid.cells(np.array([[0, 6], [-1, 3]], dtype=np.int32))
    assert cells.tolist() == [[[0, 0], [1, 2]], [[-1, -1], [0, 3]]]
    assert cells.dtype == np.int32


def test_open_has_an_entry_per_vertex():
    grid = Grid.from_text(ROOM)
    assert grid.open.tolist() == [True, True, False, True, True, False, True, True]


def test_a_grid_cannot_be_changed_through_its_arrays():
    grid = Grid.from_text(ROOM)
    for array in (grid.passable, grid.open, pickle.loads(pickle.dumps(grid)).passable):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = False


def test_a_grid_keeps_its_own_copy():
    cells = np.ones((2, 2), dtype=bool)
    grid = Grid(cells)
    cells[0, 0] = False
    assert grid.passable.all()
    assert grid.passable.flags.c_contiguous
    assert Grid(np.ones((3, 2), dtype=bool).T).passable.flags.c_contiguous


def test_grids_are_equal_by_value():
    grid = Grid.from_text(ROOM)
    assert grid == Grid.from_text(ROOM)
    assert hash(grid) == hash(Grid.from_text(ROOM))
    different = [
        Grid.from_text(ROOM, 8),
        Grid.from_text(ROOM, 4, "free"),
        Grid.from_text(". . . .\n. @ . ."),
        Grid(grid.passable.reshape(4, 2)),
        "..#.\n.#..",
    ]
    assert all(grid != other for other in different)


@pytest.mark.parametrize(
    ("passable", "said"),
    [
        ([True, False], "2-D array of bools, not 1-D of bool"),
        ([[1, 0]], "must be bools, True where an agent may be: write `array == 0`"),
        ([[1.0]], "must be bools"),
        ([[True], [True, False]], "rows of one length"),
        ("..", "2-D array of bools"),
        (None, "2-D array of bools"),
        (np.ones((0, 3), dtype=bool), "at least one cell"),
        (np.ones((2, 2, 2), dtype=bool), "not 3-D"),
    ],
)
def test_what_is_no_map_is_refused(passable, said):
    with pytest.raises(InputError, match=said) as error:
        Grid(passable)
    sentence(error)


@pytest.mark.parametrize("connectivity", [0, 6, "4", None, True])
def test_a_cell_has_four_or_eight_neighbours(connectivity):
    with pytest.raises(InputError, match="connectivity must be 4 or 8, not") as error:
        Grid([[True]], connectivity)
    sentence(error)


@pytest.mark.parametrize("corners", ["both", "", None, 1])
def test_corners_are_named(corners):
    with pytest.raises(InputError, match="corners must be 'none', 'one' or 'free', not") as error:
        Grid([[True]], 8, corners)
    sentence(error)


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("", None, "the map is empty"),
        (" \n \n", None, "the map is empty"),
        (". .\n. .\n.", 3, "this row has 1 cells where the first row has 2"),
        (". .\n\n. .", 2, "this row has 0 cells where the first row has 2"),
        ("\n. .\n. x", 3, "not 'x'"),
        (". a", 1, "Problem.from_text"),
    ],
)
def test_a_bad_drawing_says_what_is_wrong_and_in_which_line(text, line, said):
    with pytest.raises(FormatError) as error:
        Grid.from_text(text)
    assert said in sentence(error)
    assert error.value.line == line
    assert isinstance(error.value, InputError)
    assert sentence(error).startswith("<text>: " if line is None else f"<text>:{line}: ")


def test_a_drawing_is_a_string():
    with pytest.raises(InputError, match="a drawing is a string, not list"):
        Grid.from_text([". ."])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ((2, 0), r"cell \(2, 0\) is outside the grid of 2 rows and 4 columns"),
        ((0, -1), "outside the grid"),
        (5, r"a place on a grid is \(row, col\), not 5"),
        ((1, 2, 3), r"is \(row, col\), not"),
        (None, r"is \(row, col\), not None"),
        ((0.0, 1.0), "two whole numbers"),
        ((True, 0), "two whole numbers"),
        ("01", "two whole numbers"),
    ],
)
def test_what_is_no_cell_is_refused(place, said):
    with pytest.raises(InputError, match=said) as error:
        Grid.from_text(ROOM).vertex(place)
    sentence(error)
