"""Maps of games: Tiled in JSON and XML, scenes of Godot. The files in `neighbours` are written by hand."""

from __future__ import annotations

import base64
import gzip
import json
import struct
import time
import warnings
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import pytiled_parser
from PIL import Image

from sidestep import FormatError, Grid, InputError
from sidestep.cli import main
from sidestep.io import Document, detect, read_godot, read_map, read_tiled, write_tiled

FILES = Path(__file__).parent / "neighbours"
CAVE = ["..#.", ".#..", "..#."]  # the last wall is a tile with a property


def drawn(grid: Grid) -> list[str]:
    return str(grid).split("\n")


# Tiled


@pytest.mark.parametrize("name", ["cave.tmj", "cave.tmx"])
def test_walls_are_tiles_of_a_layer_or_with_a_property(name: str) -> None:
    path = FILES / name
    assert detect(path) == "tiled"
    assert drawn(read_tiled(path)) == CAVE
    assert drawn(read_tiled(path, blocked=None)) == ["..#.", ".#..", "...."]
    assert drawn(read_tiled(path, walls=None)) == ["....", "....", "..#."]
    assert drawn(read_tiled(path, floor="ground")) == ["..#.", ".#..", "..##"]
    assert drawn(read_tiled(path, region=(1, 1, 2, 4))) == ["#.", ".#", "..", ".."]


@pytest.mark.parametrize("name", ["cave.tmj", "cave.tmx"])
def test_tiled_s_neighbour_reads_the_same_tiles_of_the_golden_files(name: str) -> None:
    found = pytiled_parser.parse_map(FILES / name)
    ground, things = found.layers
    (walls, *_) = things.layers
    assert np.array_equal(np.array(ground.data) == 2, [[False] * 4] * 2 + [[False, False, True, False]])
    tiles = np.array(walls.data) & 0x0FFFFFFF
    assert np.array_equal(tiles == 0, read_tiled(FILES / name, blocked=None).passable)


def changed(**fields: Any) -> Document:
    values = json.loads((FILES / "cave.tmj").read_text())
    values |= fields
    return Document(json.dumps(values), "mine", folder=str(FILES))


def layer(**fields: Any) -> dict[str, Any]:
    return {"name": "walls", "type": "tilelayer", "width": 2, "height": 1, "data": [0, 1]} | fields


PLAIN = struct.pack("<2I", 0, 1)


@pytest.mark.parametrize(
    ("packing", "data"),
    [("", PLAIN), ("gzip", gzip.compress(PLAIN)), ("zlib", zlib.compress(PLAIN))],
    ids=["plain", "gzip", "zlib"],  # not the bytes: those of gzip have the time in them
)
def test_packed_layers(packing: str, data: bytes) -> None:
    text = base64.b64encode(data).decode()
    one = layer(encoding="base64", compression=packing, data=text)
    assert drawn(read_tiled(changed(width=2, height=1, layers=[one]))) == [".#"]


def test_chunks_of_a_map_without_bounds() -> None:
    chunks = [
        {"x": -16, "y": 0, "width": 2, "height": 1, "data": [0, 1]},
        {"x": -12, "y": 2, "width": 1, "height": 1, "data": [1]},
    ]
    document = changed(infinite=True, layers=[layer(chunks=chunks)])
    assert drawn(read_tiled(document)) == ["#...", "....", "...#"]
    assert drawn(read_tiled(document, region=(-16, 0, 2, 1))) == [".#"]


def test_xml_without_bounds_has_chunks() -> None:
    assert drawn(read_tiled(FILES / "endless.tmx")) == ["#"]
    assert drawn(read_tiled(FILES / "endless.tmx", region=(-2, 0, 3, 1))) == [".#."]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        (
            {"layers": [layer(name="Walls")], "tilesets": []},
            "no layer of tiles is called 'walls': .* of 'Walls'",
        ),
        ({"layers": [layer(data=[0])]}, r"layers\[0\]\.data has 1 tiles and not 2 x 1"),
        ({"layers": [layer(data=[0, -1])]}, r"layers\[0\]\.data\[1\] must be from 0"),
        ({"layers": [layer(data="!", encoding="base64")]}, r"layers\[0\]\.data is not  base64"),
        ({"layers": [layer(data="AAAA", encoding="base64")]}, "four bytes per tile"),
        ({"layers": [layer(data="AAAA", encoding="base64", compression="zlib")]}, "is not zlib base64"),
        (
            {"layers": [layer(data="AA", encoding="base64", compression="zstd")]},
            "save the map as CSV, gzip or zlib",
        ),
        ({"layers": [layer(width=10**6, height=10**6)]}, "more than 16777216 cells"),
        ({"width": 10**6, "height": 10**6}, "say which with region="),
        ({"orientation": "hexagonal"}, "orthogonal or isometric"),
        ({"tilesets": [{"firstgid": 1, "tileproperties": {}}]}, "before Tiled 1.2"),
        (
            {
                "tilesets": [
                    {"firstgid": 1, "tiles": [{"id": 0, "properties": [{"name": "blocked", "value": "x"}]}]}
                ]
            },
            r"tiles\[0\]\.properties\[0\]\.value must be true or false",
        ),
    ],
)
def test_a_bad_map_of_tiled(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(FormatError, match=f"mine: .*{said}"):
        read_tiled(changed(**fields))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('width="4" height="3" tile', 'width="x" height="3" tile', "mine:2: the width of a map must be"),
        ("1,1,2,0", "1,1,2,a", "mine:8: the tiles of a layer are whole numbers"),
        ("</map>", "", "mine:[0-9]+: this is not XML"),
        ("<map", "<!DOCTYPE map [<!ENTITY a 'b'>]><map", "mine:2: a DOCTYPE is not accepted"),
        ("<map", "<mop", "this is no|mismatched tag|a map or a tileset"),
    ],
)
def test_a_bad_tmx(old: str, new: str, said: str) -> None:
    text = (FILES / "cave.tmx").read_text().replace(old, new)
    with pytest.raises(FormatError, match=said):
        read_tiled(Document(text, "mine", folder=str(FILES)))


def test_xml_has_no_endless_nesting() -> None:
    with pytest.raises(FormatError, match="nested too deeply"):
        read_tiled(Document("<map>" + "<group>" * 100_000, "mine"))


def test_a_packed_layer_takes_no_more_memory_than_its_size() -> None:
    bomb = base64.b64encode(zlib.compress(bytes(2**26), 9)).decode()
    with pytest.raises(FormatError, match="has 3 tiles and not 2 x 1"):
        read_tiled(changed(layers=[layer(encoding="base64", compression="zlib", data=bomb)]))


def test_a_text_opens_no_tileset_of_another_file() -> None:
    document = Document((FILES / "cave.tmj").read_text())
    with pytest.raises(FormatError, match="or say blocked=None"):
        read_tiled(document)
    assert drawn(read_tiled(document, blocked=None)) == ["..#.", ".#..", "...."]


@pytest.mark.parametrize("region", [(0, 0, 0, 1), (0, 0, 1), "abcd", (0.5, 0, 1, 1)])
def test_a_region_is_four_numbers(region: Any) -> None:
    with pytest.raises(InputError, match="region must be"):
        read_tiled(FILES / "cave.tmj", region=region)


def test_what_is_written_for_tiled_is_read_by_us_and_its_neighbour(tmp_path: Path) -> None:
    grid = Grid.from_text("..#\n.#.")
    write_tiled(grid, tmp_path / "a.tmj")
    assert read_tiled(tmp_path / "a.tmj") == grid == read_tiled(tmp_path / "a.tmj", walls=None)
    found = pytiled_parser.parse_map(tmp_path / "a.tmj")
    assert np.array_equal(np.array(found.layers[0].data) == 0, grid.passable)
    assert found.tilesets[1].tiles[0].properties == {"blocked": True}
    with Image.open(tmp_path / "a.png") as picture:
        assert (picture.size, picture.getpixel((3, 3))) == ((16, 16), 64)


def test_maps_of_games_are_converted(tmp_path: Path) -> None:
    ours, theirs = tmp_path / "a.map", tmp_path / "b.tmj"
    assert main(["convert", str(FILES / "cave.tmx"), str(ours)]) == 0
    assert main(["convert", str(ours), str(theirs)]) == 0
    assert drawn(read_map(ours)) == CAVE == drawn(read_tiled(theirs))


# Godot

LEVEL = FILES / "level.tscn"


def test_walls_of_a_scene_are_the_tiles_of_a_layer() -> None:
    assert detect(LEVEL) == "godot"
    assert drawn(read_godot(LEVEL)) == ["..#.", ".#..", "...."]
    assert drawn(read_godot(LEVEL, floor="Ground")) == ["..#.", ".#..", "...#"]
    assert drawn(read_godot(LEVEL, walls=None, floor="Walls", region=(-1, -1, 2, 2))) == ["#.", ".#"]


def test_godot_s_neighbour_finds_the_same_layers_in_the_golden_file() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it calls pyparsing by names of before
        import godot_parser

        scene = godot_parser.load(str(LEVEL))
    walls = [node for node in scene.get_nodes() if node.type == "TileMapLayer" and node.name == "Walls"]
    (data,) = [bytes(node.properties["tile_map_data"].args) for node in walls]
    cells = [struct.unpack_from("<hh", data, at) for at in range(2, len(data), 12)]
    assert cells == [(0, -1), (-1, 0)]
    assert [(x - 2, y - 1) for y, x in np.argwhere(~read_godot(LEVEL).passable).tolist()] == cells


def test_layers_of_a_tile_map_before_godot_4_3() -> None:
    cells = [(1, 0), (3, 2)]
    numbers = [number for x, y in cells for number in (x | y << 16, 0, 0)]
    text = (
        '[gd_scene format=3]\n[node name="Map" type="TileMap" parent="."]\nformat = 2\n'
        'layer_0/name = "Walls"\n'
        f"layer_0/tile_data = PackedInt32Array({', '.join(map(str, numbers))})\n"
        "layer_1/tile_data = PackedInt32Array(0, 65535, 0)\n"
    )
    assert drawn(read_godot(Document(text))) == ["#..", "...", "..#"]
    with pytest.raises(FormatError, match="'walls': say with walls= which, of 'Walls', 'Layer1'"):
        read_godot(Document(text), walls="walls")


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("PackedByteArray(0, 0, 1)", "mine:3: the tiles of a layer have 12 bytes per cell"),
        ("PackedByteArray(1, 0)", "newer version"),
        ("PackedByteArray(300)", "numbers of their size"),
        ('PackedByteArray("AAA")', "numbers of their size"),
        ("PackedInt32Array(0)", "a PackedByteArray of numbers or base64"),
        ("PackedByteArray(", "a PackedByteArray of numbers or base64"),
        ('PackedByteArray("', "mine:3: a text in quotes does not end"),
        ("PackedByteArray()", "there are no tiles in this map"),
    ],
)
def test_a_bad_scene(value: str, said: str) -> None:
    text = f'[gd_scene format=4]\n[node name="Walls" type="TileMapLayer"]\ntile_map_data = {value}\n'
    with pytest.raises(FormatError, match=said):
        read_godot(Document(text, "mine"))


def test_two_tiles_far_apart_claim_no_memory() -> None:
    far = (
        b"\0\0"
        + struct.pack("<6h", -32768, -32768, 0, 0, 0, 0)
        + struct.pack("<6h", 32767, 32767, 0, 0, 0, 0)
    )
    numbers = ", ".join(map(str, far))
    text = (
        f'[gd_scene]\n[node name="Walls" type="TileMapLayer"]\ntile_map_data = PackedByteArray({numbers})\n'
    )
    with pytest.raises(FormatError, match=r"65536 x 65536 cells, .*say which with region="):
        read_godot(Document(text))
    assert drawn(read_godot(Document(text), region=(32766, 32767, 2, 1))) == [".#"]


@pytest.mark.parametrize(
    "text",
    [
        '[node name="W" type="TileMapLayer"]\ntile_map_data = PackedByteArray(' + " " * 20_000 + "x",
        "[node " + "w" * 50_000 + "]",
    ],
    ids=["blanks", "letters"],
)
def test_a_scene_is_read_in_linear_time(text: str) -> None:
    """The time for blanks once grew with their third power."""
    begin = time.thread_time()
    with pytest.raises(FormatError):
        read_godot(Document("[gd_scene format=4]\n" + text), walls="W")
    assert time.thread_time() - begin < 1.0
