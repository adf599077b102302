"""Maps of Nav2: the golden one is written by hand, others change a field, a pixel or the picture's format."""

from __future__ import annotations

import contextlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from sidestep import FormatError, Grid, InputError
from sidestep.cli import main
from sidestep.io import Document, detect, read_map, read_nav2_map, write_nav2_map
from tests.sizing import examples

FILES = Path(__file__).parent / "neighbours"
ROOM = FILES / "room.yaml"


def drawn(grid: Grid) -> list[str]:
    return str(grid).split("\n")


def test_a_pixel_is_a_wall_free_or_unknown() -> None:
    assert detect(ROOM) == "nav2-map"
    assert drawn(read_nav2_map(ROOM)) == ["..#.", ".##.", "...."]
    assert drawn(read_nav2_map(ROOM, unknown=True)) == ["..#.", "..#.", "...."]


def test_cells_as_large_as_a_robot_are_free_where_all_of_them_is() -> None:
    assert drawn(read_nav2_map(ROOM, robot=0.05)) == drawn(read_nav2_map(ROOM))
    assert drawn(read_nav2_map(ROOM, robot=0.1)) == ["##", "##"]
    assert drawn(read_nav2_map(ROOM, robot=0.1, unknown=True)) == [".#", "##"]


def made(folder: Path, *, picture: str = "a.pgm", **fields: object) -> Path:
    known = {"image": picture, "resolution": 0.05, "origin": [0, 0, 0], "negate": 0}
    known |= {"occupied_thresh": 0.65, "free_thresh": 0.25} | fields
    path = folder / "a.yaml"
    path.write_text("".join(f"{name}: {value}\n" for name, value in known.items()))
    return path


@pytest.mark.parametrize(
    ("fields", "pixels", "rows"),
    [
        ({}, [255, 205, 150, 60], ["..##"]),
        ({"negate": 1}, [255, 205, 150, 30], ["###."]),
        ({"mode": "scale"}, [255, 205, 150, 60], ["..##"]),
        ({"mode": "raw", "free_thresh": 0.6}, [255, 100, 61, 59], ["###."]),
    ],
)
def test_modes(tmp_path: Path, fields: dict[str, object], pixels: list[int], rows: list[str]) -> None:
    (tmp_path / "a.pgm").write_bytes(b"P5 4 1 255\n" + bytes(pixels))
    assert drawn(read_nav2_map(made(tmp_path, **fields))) == rows


def test_pictures_of_other_formats_and_depths(tmp_path: Path) -> None:
    shades = np.array([[255, 0], [205, 255]], dtype=np.uint8)
    Image.fromarray(shades).save(tmp_path / "a.png")
    assert drawn(read_nav2_map(made(tmp_path, picture="a.png"))) == [".#", ".."]
    (tmp_path / "a.pgm").write_bytes(b"P5\n# deep\n2 1\n65535\n" + b"\xff\xff\x00\x10")
    assert drawn(read_nav2_map(made(tmp_path))) == [".#"]


def test_what_can_be_seen_through_is_unknown_in_the_mode_scale(tmp_path: Path) -> None:
    pixels = np.array([[[255, 255, 255, 255], [255, 255, 255, 0]]], dtype=np.uint8)
    Image.fromarray(pixels, "RGBA").save(tmp_path / "a.png")
    path = made(tmp_path, picture="a.png", mode="scale")
    assert drawn(read_nav2_map(path)) == [".#"]
    assert drawn(read_nav2_map(path, unknown=True)) == [".."]


def test_what_is_written_is_read_as_the_same(tmp_path: Path) -> None:
    grid = Grid.from_text("..#\n.#.\n...\n##.")
    write_nav2_map(grid, tmp_path / "depot.yaml")
    assert read_nav2_map(tmp_path / "depot.yaml") == grid
    write_nav2_map(grid, tmp_path / "fine.yaml", resolution=0.05, pixels=6)
    assert read_nav2_map(tmp_path / "fine.yaml", robot=0.3) == grid
    assert np.array(Image.open(tmp_path / "fine.pgm")).shape == (24, 18)  # Pillow reads our picture
    assert (np.array(Image.open(tmp_path / "depot.pgm")) == np.where(grid.passable, 254, 0)).all()


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"resolution": 0}, "a.yaml:2: the resolution is metres per pixel, above 0"),
        ({"origin": "[0, 0]"}, "a.yaml:3: the origin is three numbers"),
        ({"mode": "fancy"}, "the mode must be trinary, scale or raw"),
        ({"free_thresh": 0.9}, "free_thresh 0.9 is above occupied_thresh 0.65"),
        ({"occupied_thresh": 65}, "occupied_thresh must be from 0 to 1"),
        ({"resolutoin": 1}, "'resolutoin' is not a field"),
        ({"image": ""}, "image must be a name"),
    ],
)
def test_a_bad_map(tmp_path: Path, fields: dict[str, object], said: str) -> None:
    (tmp_path / "a.pgm").write_bytes(b"P5 1 1 255\n\xff")
    with pytest.raises(FormatError, match=said):
        read_nav2_map(made(tmp_path, **fields))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"P5 4 1 255\n\xff", "ends after 1 of 4 pixels"),
        (b"P5 4 x 255\n\xff", "a PGM begins with"),
        (b"P5 99999 99999 255\n", "scale it down"),
        (b"P5 1 1 70000\n\xff", "from 1 to 65535"),
        (b"P2 1 1 255\nx", "are whole numbers"),
        (b"GIF89a", "no picture that can be read"),
    ],
)
def test_a_bad_picture(tmp_path: Path, data: bytes, said: str) -> None:
    (tmp_path / "a.pgm").write_bytes(data)
    with pytest.raises(FormatError, match=f"a.pgm: .*{said}"):
        read_nav2_map(made(tmp_path))


@settings(max_examples=examples(60), deadline=None)
@given(
    st.binary(max_size=60),
    st.sampled_from([b"", b"P5 2 2 255\n", b"P2 2 2 9\n", b"P5 2 2 65535 ", b"\x89PNG\r\n\x1a\n"]),
)
def test_any_picture_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, begin: bytes
) -> None:
    folder = tmp_path_factory.mktemp("any")
    (folder / "a.pgm").write_bytes(begin + data)
    with contextlib.suppress(FormatError):  # and nothing else
        assert read_nav2_map(made(folder)).passable.size >= 1


def test_a_text_by_itself_opens_no_file() -> None:
    with pytest.raises(FormatError, match="read both from a folder"):
        read_nav2_map(Document(ROOM.read_text()))


@pytest.mark.parametrize("robot", [0, -1, float("inf"), float("nan"), "1", True])
def test_a_robot_has_a_width(robot: float) -> None:
    with pytest.raises(InputError, match="robot must be a width"):
        read_nav2_map(ROOM, robot=robot)


def test_maps_are_converted_both_ways(tmp_path: Path) -> None:
    ours, theirs = tmp_path / "a.map", tmp_path / "b.yaml"
    assert main(["convert", str(ROOM), str(ours)]) == 0
    assert read_map(ours) == read_nav2_map(ROOM)
    assert main(["convert", str(ours), str(theirs), "--to", "nav2-map"]) == 0
    assert read_nav2_map(theirs) == read_nav2_map(ROOM)
