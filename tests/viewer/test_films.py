"""Films: decoded again, how many frames they have, what moves in them, and what is refused."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time as clock
from dataclasses import replace
from pathlib import Path

import imageio_ffmpeg
import numpy as np
import pytest
from PIL import Image

from sidestep import (
    EventKind,
    Graph,
    Grid,
    InputError,
    MissingExtraError,
    Plan,
    Problem,
    Rules,
    SidestepError,
)
from sidestep.model.agents import AgentTable
from sidestep.viewer.drawing import FLOOR, RED, WALL, colours_of, rgb
from sidestep.viewer.encoding import MP4_RATE
from sidestep.viewer.film import MOST_FRAMES, PAUSE_AFTER, PAUSE_BEFORE, SIZES, gif_rate, save_film, timetable
from sidestep.viewer.scene import Scene, scene_of
from sidestep.viewer.sheet import Panel, sheet_of

pytestmark = pytest.mark.bounds

ROWS = [[0], [1], [2], [3]]


def scene(text: str = "a . . A", rows: list[list[int]] = ROWS) -> Scene:
    problem = Problem.from_text(text)
    return scene_of(Plan(problem, np.array(rows).reshape(len(rows), problem.n_agents)))


class Decoded:
    """The frames of a film as arrays, and pixels in the units of its scenes."""

    def __init__(self, path: Path, *scenes: Scene) -> None:
        size = SIZES[path.suffix][len(scenes) > 1]
        sheet = sheet_of(scenes, *size, titled=True)
        self.panels: tuple[Panel, ...] = sheet.panels
        self.seconds: list[float] = []
        self.frames = self._gif(path) if path.suffix == ".gif" else self._mp4(path)
        assert self.frames[0].shape == (sheet.height, sheet.width, 3)

    def _gif(self, path: Path) -> list[np.ndarray]:
        frames = []
        with Image.open(path) as image:
            assert image.info["loop"] == 0, "it loops forever"
            for index in range(image.n_frames):
                image.seek(index)
                self.seconds.append(image.info["duration"] / 1000)
                frames.append(np.asarray(image.convert("RGB")))
        return frames

    def _mp4(self, path: Path) -> list[np.ndarray]:
        """By ffmpeg itself: imageio_ffmpeg's reader leaves its pipes open, which is a warning."""
        command = [
            imageio_ffmpeg.get_ffmpeg_exe(),
            "-i",
            str(path),
            "-f",
            "rawvideo",
            "-pix_fmt",
            "rgb24",
            "-",
        ]
        done = subprocess.run(command, capture_output=True, check=True, timeout=60)
        about = re.search(r"Video: h264 .*yuv420p.*, (\d+)x(\d+).* (\d+) fps", done.stderr.decode())
        assert about, done.stderr.decode()
        width, height, rate = map(int, about.groups())
        assert rate == MP4_RATE
        assert width % 2 == height % 2 == 0
        return list(np.frombuffer(done.stdout, np.uint8).reshape(-1, height, width, 3))

    def at(self, frame: int, x: float, y: float, panel: int = 0) -> tuple[int, ...]:
        left, top = self.panels[panel].pixel(x, y)
        return tuple(self.frames[frame][int(top), int(left)].tolist())


def saved(tmp_path: Path, suffix: str, *scenes: Scene, **how: float) -> Decoded:
    path = tmp_path / f"film.{suffix}"
    save_film(scenes, path, **how)
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name], "nothing but the film is left"
    return Decoded(path, *scenes)


def colour(scene: Scene, agent: int = 0) -> tuple[int, ...]:
    return bytes_of(colours_of(scene.hues)[agent])


def bytes_of(values: np.ndarray) -> tuple[int, ...]:
    return tuple((255 * values).round().astype(int).tolist())


def far(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


WALL_RGB, FLOOR_RGB, RED_RGB = bytes_of(rgb(WALL)), bytes_of(rgb(FLOOR)), bytes_of(rgb(RED))


# ------------------------------------------------------------------------------------ time


def test_a_gif_has_whole_frames_per_step_and_lasts_as_long_as_it_should(tmp_path: Path):
    shown = saved(tmp_path, "gif", scene())
    assert len(shown.frames) == 3 * 4 + 1
    seconds = PAUSE_BEFORE + 3 / 4 + 1 / 16 + PAUSE_AFTER
    assert sum(shown.seconds) == pytest.approx(seconds, abs=0.011)
    assert shown.seconds[-1] == max(shown.seconds)


@pytest.mark.parametrize("rate", [4.0, 7, 60.0])
def test_an_mp4_has_thirty_frames_per_second(tmp_path: Path, rate: float):
    shown = saved(tmp_path, "mp4", scene(), steps_per_second=rate)
    moving = np.ceil(3 / rate * MP4_RATE) + 1
    assert len(shown.frames) == round(moving + (PAUSE_BEFORE + PAUSE_AFTER) * MP4_RATE)


@pytest.mark.parametrize("rate", [0.05, 0.3, 1, 3.7, 4, 16, 20, 21, 60])
def test_a_gif_is_never_faster_than_browsers_show_it(rate: float):
    assert 8 <= gif_rate(rate) <= 31
    _, seconds = timetable(0, 50, rate, gif_rate(rate))
    assert (np.diff(np.round(100 * np.cumsum(seconds))) >= 3).all()


def test_long_runs_are_shown_faster():
    times, seconds = timetable(5, 100_005, 4.0, 30)
    assert len(times) == len(seconds) == MOST_FRAMES
    assert (times[0], times[-1]) == (5, 100_005)
    assert seconds.sum() < 60


@pytest.mark.parametrize(("suffix", "frames"), [("gif", 1), ("mp4", 61)])
def test_a_plan_without_steps_is_a_pause(tmp_path: Path, suffix: str, frames: int):
    assert len(saved(tmp_path, suffix, scene("a A", [[0]])).frames) == frames


def test_no_agents_are_fine(tmp_path: Path):
    shown = saved(tmp_path, "gif", scene(". #", [[], [], []]))
    assert far(shown.at(0, 1.5, 0.5), WALL_RGB) <= 2


# ------------------------------------------------------------------------------------ what is seen


@pytest.mark.parametrize(("suffix", "off_by"), [("gif", 6), ("mp4", 14)])
def test_the_agent_glides_to_its_goal(tmp_path: Path, suffix: str, off_by: int):
    walk = scene()
    shown = saved(tmp_path, suffix, walk)
    where = [centre_of(frame, colour(walk), off_by) for frame in shown.frames]
    steps = np.diff(where)
    cell = shown.panels[0].cell
    assert where[-1] - where[0] == pytest.approx(3 * cell, abs=3)
    assert (steps > -2).all()
    assert steps.max() < cell / 2, "it does not jump"


def centre_of(frame: np.ndarray, wanted: tuple[int, ...], off_by: int) -> float:
    """The column in the middle of the pixels that have the colour."""
    _, columns = (np.abs(frame.astype(int) - wanted).max(axis=2) <= off_by).nonzero()
    assert columns.size
    return float(columns.min() + columns.max()) / 2


def test_an_mp4_is_one(tmp_path: Path):
    path = tmp_path / "film.mp4"
    save_film((scene(),), path)
    data = path.read_bytes()
    assert data[4:8] == b"ftyp"
    assert data.index(b"moov") < data.index(b"mdat"), "it can be played while it is loaded"


@pytest.mark.parametrize("suffix", ["gif", "mp4"])
def test_the_same_scene_gives_the_same_bytes(tmp_path: Path, suffix: str):
    for name in ("one", "two"):
        save_film((scene(),), tmp_path / f"{name}.{suffix}")
    assert (tmp_path / f"one.{suffix}").read_bytes() == (tmp_path / f"two.{suffix}").read_bytes()


def test_collisions_flash(tmp_path: Path):
    still = [[0, 3]] * 4
    meeting = scene("a . . b", [*still, [1, 2], [1, 1], [0, 2], [0, 3], *still])
    shown = saved(tmp_path, "gif", meeting)
    reds = [
        np.count_nonzero(np.abs(frame[40:].astype(int) - RED_RGB).max(axis=2) <= 12) for frame in shown.frames
    ]
    assert int(np.argmax(reds)) == 5 * 4
    assert reds[0] == reds[-1] == 0


def test_several_scenes_run_in_step_and_shorter_ones_wait(tmp_path: Path):
    short, long = scene("a A", [[0], [1]]), scene()
    shown = saved(tmp_path, "gif", short, long)
    assert len(shown.frames) == 3 * 4 + 1
    for frame in (4, 12):
        assert far(shown.at(frame, 1.5, 0.25, panel=0), colour(short)) <= 6
    assert far(shown.at(12, 3.5, 0.25, panel=1), colour(long)) <= 6


def test_walls_that_change_are_redrawn(tmp_path: Path):
    events = [(1, EventKind.BLOCK, -1, 3), (2, EventKind.FREE, -1, 3)]
    changing = replace(scene("a . . .", [[0]] * 4), events=np.array(events, dtype=np.int32))
    shown = saved(tmp_path, "gif", changing)
    walls = [far(shown.at(frame, 3.5, 0.5), WALL_RGB) <= 2 for frame in range(13)]
    assert walls == [False] * 4 + [True] * 4 + [False] * 5


def test_graphs(tmp_path: Path):
    problem = Problem(Graph(3, [(0, 1), (1, 2)], positions=[(0, 0), (1, 0), (2, 0)]), [0], [2])
    walk = scene_of(Plan(problem, [[0], [1], [2]]))
    shown = saved(tmp_path, "gif", walk)
    assert far(shown.at(8, 2, -0.15), colour(walk)) <= 6


def test_hostile_labels_are_shown_literally(tmp_path: Path):
    saved(tmp_path, "gif", replace(scene(), label="$\\frac{\x00\N{GRINNING FACE}" * 40))


def test_agents_have_their_colours_in_a_gif_of_many(tmp_path: Path):
    problem = Problem(Grid(np.ones((6, 10), dtype=bool)), *[[divmod(cell, 10) for cell in range(60)]] * 2)
    crowd = scene_of(Plan(problem, [problem.starts]))
    shown = saved(tmp_path, "gif", crowd)
    assert len(set(crowd.hues.tolist())) > 12
    for agent in range(60):
        row, col = divmod(agent, 10)
        assert far(shown.at(0, col + 0.5, row + 0.5), colour(crowd, agent)) <= 1


# ------------------------------------------------------------------------------------ progress and failure


def test_progress_is_told(tmp_path: Path):
    told: list[tuple[int, int]] = []
    save_film((scene(),), tmp_path / "film.gif", on_frame=lambda done, total: told.append((done, total)))
    assert told == [(done, 13) for done in range(1, 14)]


@pytest.mark.parametrize("suffix", ["gif", "mp4"])
@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_nothing_is_left_when_it_is_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, error: type[BaseException]
):
    folder, elsewhere = tmp_path / "films", tmp_path / "temporary"
    folder.mkdir()
    elsewhere.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(elsewhere))

    def interrupt(done: int, total: int) -> None:
        if done == 5:
            raise error

    with pytest.raises(error):
        save_film((scene(),), folder / f"film.{suffix}", on_frame=interrupt)
    assert list(folder.iterdir()) == list(elsewhere.iterdir()) == []


@pytest.mark.parametrize("name", ["film", "film.avi", "film.png", ".gif", "film.mp4.txt"])
def test_other_formats_are_refused(tmp_path: Path, name: str):
    with pytest.raises(InputError, match=r"a film is a \.gif or \.mp4 file"):
        save_film((scene(),), tmp_path / name)


@pytest.mark.parametrize("rate", [0, -1, 61, float("nan"), float("inf"), "4", None, True, [4]])
def test_a_rate_that_is_none_is_refused(tmp_path: Path, rate: object):
    with pytest.raises(InputError, match="steps_per_second must be more than 0 and at most 60"):
        save_film((scene(),), tmp_path / "film.gif", steps_per_second=rate)


def test_a_missing_folder_is_named_before_anything_is_drawn(tmp_path: Path):
    with pytest.raises(InputError, match="there is no folder"):
        save_film((scene(),), tmp_path / "nowhere" / "film.gif", on_frame=lambda *_: pytest.fail("too late"))


def test_without_ffmpeg_one_sentence_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'sidestep\[video\]'"):
        save_film((scene(),), tmp_path / "film.mp4")
    save_film((scene(),), tmp_path / "film.gif")


@pytest.mark.skipif(os.name != "posix", reason="the stand-in is a shell script")
def test_a_failing_ffmpeg_is_an_error_that_quotes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    program = tmp_path / "ffmpeg"
    program.write_text("#!/bin/sh\necho no such codec >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setattr("sidestep.viewer.encoding.require_ffmpeg", lambda: str(program))
    with pytest.raises(SidestepError, match="ffmpeg failed: no such codec"):
        save_film((scene(),), tmp_path / "film.mp4")
    assert not (tmp_path / "film.mp4").exists()


# ------------------------------------------------------------------------------------ speed


@pytest.mark.slow
def test_a_gif_of_a_hundred_agents_takes_seconds(tmp_path: Path):
    generator = np.random.default_rng(2)
    grid = Grid(np.ones((31, 63), dtype=bool))
    starts = generator.choice(grid.n, 120, replace=False).astype(np.int32)
    steps = np.cumsum(generator.choice([-1, 1], (12, 120)), axis=0, dtype=np.int32)
    names = tuple(map(str, range(120)))
    where = (starts + steps) % grid.n
    agents = AgentTable(grid, names, starts, starts[::-1])
    crowd = Scene("crowd", agents, Rules(), grid.open, where, None, ())
    begin = clock.process_time()
    save_film((crowd,), tmp_path / "film.gif")
    assert clock.process_time() - begin < 6, "generous: 1.2 on a machine that does nothing else"
    assert (tmp_path / "film.gif").stat().st_size < 2_400_000
