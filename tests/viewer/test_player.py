"""The player in a browser: it plays and scrubs, and shows the right things in the right places."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sidestep as ss
from sidestep.cli import main
from sidestep.explain import captions, passings
from sidestep.viewer.scene import scene_of
from sidestep.viewer.timeline import Timeline
from tests.sizing import some_of

from .conftest import PHONE, Pixel, Show, Shown, crowd, film

CORRIDOR = """
a . . . . .
# # # # # #

. a . . . .
# # # # # #

. . a . . .
# # # # # #

. . . a . .
# # # # # #

. . . . a .
# # # # # #
"""

# b makes room for a, and waits a while before it does.
YIELD = """
a b . A
# . # #

a b . .
# . # #

. a . .
# b # #

. . a .
# b # #

. . . a
# b # #
"""

PLAYER = "document.getElementById('player').player"


def corridor(steps: int) -> ss.Plan:
    """One agent that walks to the right."""
    problem = ss.Problem(ss.Grid(np.ones((2, steps + 1), dtype=np.bool_)), [(0, 0)], [(0, steps)])
    return ss.Plan(problem, np.arange(steps + 1)[:, None])


def solved(problem: ss.Problem) -> ss.Result:
    result = ss.solve(problem, ss.WHCA())
    assert result
    return result


def middle(plan: ss.Plan, time: float, agent: int) -> tuple[float, float]:
    """Where (x, y) an agent of a plan on a grid should be drawn."""
    before, after = int(np.floor(time)), int(np.ceil(time))
    row, col = plan.cells[before, agent] + (plan.cells[after, agent] - plan.cells[before, agent]) * (time % 1)
    return col + 0.5, row + 0.5


def every_row(shown: Shown, scene: int = 0) -> list[list[int]]:
    """The vertices that the player shows at every time, asked for in a mixed order."""
    return shown.page.evaluate(
        """(scene) => {
          const { player } = document.getElementById("player");
          const found = {};
          const times = Array.from({ length: player.steps + 1 }, (_, time) => time);
          for (const time of [...times.filter((time) => time % 2), ...times.reverse()]) {
            player.seek(time);
            found[time] = player.state.scenes[scene].vertices;
          }
          return Object.values(found);
        }""",
        scene,
    )


def near(one: Pixel, two: Pixel, tolerance: int = 3) -> bool:
    return max(abs(a - b) for a, b in zip(one, two, strict=True)) <= tolerance


def view(shown: Shown) -> dict[str, float]:
    return shown.scene["view"]


# --------------------------------------------------------------------------------------------- playing


def test_a_replay_plays_by_itself_until_its_end_and_then_from_the_beginning_again(show: Show) -> None:
    shown = show(film(CORRIDOR), hash="")
    assert shown.state["playing"]
    shown.until("player.time > 0.2")
    shown.until("!player.playing")
    assert shown.time == 4
    assert shown.scene["vertices"] == [4]
    assert shown.clock == "time 4 of 4"
    shown.press("Space")
    assert shown.state["playing"]
    assert shown.time < 2


def test_the_button_pauses_and_plays(show: Show) -> None:
    shown = show(corridor(50), hash="")
    shown.button("Pause").click()
    stopped = shown.time
    shown.page.wait_for_timeout(200)
    assert shown.time == stopped
    assert not shown.state["playing"]
    shown.button("Play").click()
    shown.until(f"player.time > {stopped}")


def test_it_plays_as_fast_as_it_says(show: Show) -> None:
    """Between frames that follow each other: after 250 ms without one it does not catch up."""
    shown = show(corridor(100))
    shown.find("select[aria-label='Speed']").select_option("8 steps/s")
    assert shown.state["speed"] == 8
    rate = shown.page.evaluate(
        f"""async () => {{
          const player = {PLAYER};
          player.play();
          let [steps, seconds] = [0, 0];
          let [before, last] = [player.time, await new Promise(requestAnimationFrame)];
          while (seconds < 1) {{
            const now = await new Promise(requestAnimationFrame);
            if (now - last < 200) {{
              steps += player.time - before;
              seconds += (now - last) / 1000;
            }}
            [before, last] = [player.time, now];
          }}
          return steps / seconds;
        }}"""
    )
    assert 7 < rate < 9


def test_a_replay_moves_smoothly_between_its_times(show: Show) -> None:
    shown = show(corridor(20), hash="")
    seen = shown.page.evaluate(
        f"""async () => {{
          const seen = [];
          for (let frame = 0; frame < 12; frame++) {{
            await new Promise(requestAnimationFrame);
            seen.push({PLAYER}.time);
          }}
          return seen;
        }}"""
    )
    assert seen == sorted(set(seen))
    assert any(time % 1 for time in seen)


def test_buttons_step_and_jump(show: Show) -> None:
    shown = show(film(CORRIDOR))
    shown.button("One step forth").click()
    shown.button("One step forth").click()
    assert shown.scene["vertices"] == [2]
    shown.button("One step back").click()
    assert shown.time == 1
    shown.button("To the end").click()
    assert shown.scene["vertices"] == [4]
    shown.button("One step forth").click()
    assert shown.time == 4
    shown.button("To the beginning").click()
    assert shown.scene["vertices"] == [0]
    shown.button("One step back").click()
    assert shown.time == 0


def test_a_step_from_between_two_times_goes_to_the_next_whole_one(show: Show) -> None:
    shown = show(film(CORRIDOR))
    shown.seek(1.5)
    shown.press("ArrowRight")
    assert shown.time == 2
    shown.seek(1.5)
    shown.press("ArrowLeft")
    assert shown.time == 1


def test_stepping_pauses(show: Show) -> None:
    shown = show(corridor(50), hash="")
    shown.press("ArrowRight")
    assert not shown.state["playing"]
    assert shown.time == int(shown.time)


def test_the_time_line_scrubs(show: Show) -> None:
    shown = show(corridor(40))
    line = shown.find("input[type=range]")
    line.fill("3")
    assert shown.time == 3
    box = line.bounding_box()
    assert box
    shown.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    shown.settle()
    assert abs(shown.time - 20) < 1
    assert shown.scene["vertices"] == [int(shown.time)]
    shown.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    shown.page.mouse.down()
    shown.page.mouse.move(box["x"] + box["width"] / 4, box["y"] + box["height"] / 2, steps=5)
    shown.page.mouse.up()
    shown.settle()
    assert abs(shown.time - 10) < 1
    assert line.get_attribute("aria-valuetext") == shown.clock


def test_scrubbing_while_it_plays_goes_on_from_there(show: Show) -> None:
    shown = show(corridor(100), hash="")
    shown.find("input[type=range]").fill("50")
    assert shown.state["playing"]
    shown.until("player.time > 50.2 && player.time < 90")


def test_who_wants_less_motion_is_not_played_to_and_sees_whole_steps(show: Show) -> None:
    shown = show(corridor(20), hash="", motion="reduce")
    assert not shown.state["playing"]
    assert shown.time == 0
    shown.call("play")
    shown.until("player.time > 0")
    assert shown.time == int(shown.time)


# ------------------------------------------------------------------------------------------------ keys


COLLISION = """
a . . .
b . . .

. a . .
. b . .

. . a .
. b . .

. . . .
. . ab .

. . . .
. . . ab

. . . a
. . . b
"""


def collision_then_rest() -> ss.Plan:
    """Two agents that share cells at the times 3 and 4, in a plan of 16 steps."""
    short = film(COLLISION)
    return ss.Plan(short.problem, np.vstack([short.vertices, [short.vertices[-1]] * 11]))


def is_shown(shown: Shown, name: str) -> bool:
    return shown.page.evaluate(f"{PLAYER}.shows.{name}")


def middle_of_view(shown: Shown) -> tuple[float, float]:
    return tuple(
        shown.page.evaluate(f"(() => {{ const {{ active }} = {PLAYER}; return active.view.middle; }})()")
    )


def press_time(shown: Shown) -> None:
    times = {
        "ArrowRight": 1,
        "Shift+ArrowRight": 11,
        "ArrowLeft": 10,
        "Shift+ArrowLeft": 0,
        "End": 16,
        "Home": 0,
    }
    for key, time in times.items():
        shown.press(key)
        assert shown.time == time, key


def press_space(shown: Shown) -> None:
    shown.press("Space")
    assert shown.state["playing"]
    shown.press("Space")
    assert not shown.state["playing"]


def press_speed(shown: Shown) -> None:
    speed = shown.state["speed"]
    shown.press("ArrowUp")
    assert shown.state["speed"] == 2 * speed
    assert shown.find("select[aria-label='Speed']").input_value() == f"{2 * speed} steps/s"
    shown.press("ArrowDown", "ArrowDown")
    assert shown.state["speed"] == speed / 2
    shown.press(*["ArrowDown"] * 9)
    assert shown.state["speed"] == 0.5
    shown.press(*["ArrowUp"] * 9)
    assert shown.state["speed"] == 64


def press_zoom(shown: Shown) -> None:
    fitted = view(shown)
    shown.press("+")
    assert view(shown)["scale"] == pytest.approx(1.25 * fitted["scale"])
    shown.press("=", "-", "-")
    assert view(shown)["scale"] == pytest.approx(fitted["scale"])
    shown.press("+", "0")
    assert view(shown) == pytest.approx(fitted)


def press_move(shown: Shown) -> None:
    shown.press("+", "+")
    for key, axis, sign in [("w", 1, -1), ("s", 1, 1), ("a", 0, -1), ("d", 0, 1)]:
        before = middle_of_view(shown)
        shown.press(key)
        assert (middle_of_view(shown)[axis] - before[axis]) * sign > 0, key
    shown.press("0")


def press_violations(shown: Shown) -> None:
    shown.press("Home")
    for key, time in [("n", 3), ("n", 4), ("n", 4), ("p", 3), ("p", 3), ("N", 4), ("P", 3)]:
        shown.press(key)
        assert shown.time == time, key


def press_follow(shown: Shown) -> None:
    shown.call("select", 1)
    shown.press("f")
    assert shown.state["following"] == 1
    shown.press("F")
    assert shown.state["following"] == -1
    shown.press("f", "Escape")
    assert (shown.state["selected"], shown.state["following"]) == (-1, -1)
    shown.press("f")
    assert shown.state["following"] == -1
    shown.press("0")


def press_shown(shown: Shown) -> None:
    for key, name in [("g", "goals"), ("t", "trails")]:
        before = is_shown(shown, name)
        shown.press(key)
        assert is_shown(shown, name) is not before
        assert shown.page.evaluate(f"{PLAYER}.controls.boxes.{name}.checked") is not before
        shown.press(key)
        assert is_shown(shown, name) is before
    for heat in ("occupancy", "waiting", "none"):
        shown.press("h")
        assert shown.state["heat"] == heat
        assert shown.page.evaluate(f"{PLAYER}.controls.heatBox.value") == heat


def press_search(shown: Shown) -> None:
    shown.press("/")
    assert shown.page.get_by_role("searchbox").is_visible()
    assert shown.page.evaluate(f"{PLAYER}.root.getRootNode().activeElement.type") == "search"
    shown.press("b", "Space")  # in a field, keys are letters
    assert not shown.state["playing"]
    assert shown.page.get_by_role("searchbox").input_value() == "b "
    shown.page.evaluate(f"{PLAYER}.panel.agentList.search.blur()")


def press_help(shown: Shown) -> None:
    shown.press("?")
    assert shown.find("dialog").is_visible()
    shown.press("ArrowRight")
    assert shown.time == 0
    shown.press("Escape")
    assert shown.find("dialog").is_hidden()


KEYS: dict[str, Callable[[Shown], None]] = {
    "Space": press_space,
    "← →": press_time,
    "Home End": press_time,
    "↑ ↓": press_speed,
    "+ - 0": press_zoom,
    "W A S D": press_move,
    "N P": press_violations,
    "F Esc": press_follow,
    "G T H": press_shown,
    "/": press_search,
    "?": press_help,
}


def test_every_key_that_the_help_lists_does_what_it_says(show: Show) -> None:
    shown = show(collision_then_rest())
    assert shown.find("dialog tbody th").all_text_contents() == list(KEYS)
    for keys, check in KEYS.items():
        shown.seek(0)
        try:
            check(shown)
        except AssertionError as error:
            error.add_note(f"keys: {keys}")
            raise


def test_keys_that_belong_to_the_browser_are_left_alone(show: Show) -> None:
    shown = show(collision_then_rest())
    for key in ("Control+ArrowRight", "Alt+g", "Meta+h"):
        shown.press(key)
    assert shown.time == 0
    assert shown.state["heat"] == "none"


# ------------------------------------------------------------------------------------------- positions


@pytest.mark.parametrize("connectivity", [4, 8])
def test_every_agent_is_where_the_plan_says_at_every_time(show: Show, connectivity: int) -> None:
    result = solved(crowd(40, connectivity=connectivity))
    shown = show(result)
    assert shown.state["steps"] == result.plan.makespan
    assert every_row(shown) == result.plan.vertices.tolist()


def test_agents_that_come_and_go_and_jump_are_where_the_plan_says(show: Show) -> None:
    rng = np.random.default_rng(1)
    problem = crowd(30)
    vertices = rng.integers(0, 144, size=(25, 30))
    vertices[rng.random(vertices.shape) < 0.2] = -1
    shown = show(ss.Plan(problem, vertices))
    assert every_row(shown) == vertices.tolist()


def test_vertices_outside_the_map_do_no_harm(show: Show) -> None:
    problem = ss.Problem(ss.Grid(np.ones((2, 3), dtype=np.bool_)), [(0, 0), (0, 1)], [(0, 2), (1, 1)])
    vertices = [[0, 1], [2**31 - 1, 4], [-(2**31), 4], [600, 4], [2, 4]]
    shown = show(ss.Plan(problem, vertices))
    assert every_row(shown) == vertices
    for heat in ("waiting", "occupancy"):
        shown.call("setHeat", heat)
    assert shown.events("violations")


def test_agents_that_disappear_at_their_goals_count_as_arrived(show: Show) -> None:
    plan = film("a . b B\n\n. a . b\n\n. . a .\n\n. . . .", rules=ss.Rules(at_goal="disappear"))
    assert ss.validate(plan.problem, plan)
    shown = show(plan)
    shown.hide("goals", "names")
    shown.seek(3)
    assert shown.scene["vertices"] == [-1, -1]
    assert shown.text(".counts") == "2 of 2 at their goals, 0 waiting"
    floor = shown.colour("floor")
    assert shown.pixels([(col + 0.5, 0.5) for col in range(4)]) == [floor] * 4
    shown.seek(1)
    assert shown.pixel(1.5, 0.5) != floor
    shown.call("select", 1)
    shown.seek(2)
    assert "Has left the map." in shown.card


# ---------------------------------------------------------------------------------------------- pixels


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_walls_floor_and_agents_have_their_colours_in_light_and_dark(show: Show, scheme: Any) -> None:
    plan = film("a . .\n. # .\n\n. a .\n. # .\n\n. . a\n. # .")
    shown = show(plan, scheme=scheme)
    assert shown.state["theme"] == scheme
    shown.hide("goals", "names", "trails")
    floor, wall, agent = shown.colours("floor", "wall", 0)
    assert len({floor, wall, agent}) == 3
    assert (sum(floor) > 600) is (scheme == "light")
    for time, x in [(0, 0.5), (0.5, 1.0), (1, 1.5), (1.5, 2.0), (2, 2.5)]:
        shown.seek(time)
        seen = shown.pixels([(x, 0.5), (0.5, 1.5), (1.5, 1.5), (2.5, 1.5)])
        assert seen[1:] == [floor, wall, floor]
        if time < 2:
            assert near(seen[0], agent)
        else:  # at its goal it is paler
            assert seen[0] not in (agent, floor)


def test_the_canvas_is_what_the_screen_shows(show: Show, tmp_path: Any) -> None:
    from matplotlib.image import imread

    shown = show(film(CORRIDOR))
    shown.seek(1)
    shown.page.screenshot(path=tmp_path / "screen.png")
    screen = np.round(imread(tmp_path / "screen.png")[:, :, :3] * 255).astype(int)
    points = [(1.5, 0.25), (3.5, 0.5), (2.5, 1.5), (0.5, 0.5)]
    for point, pixel in zip(points, shown.pixels(points), strict=True):
        x, y = shown.spot(*point)
        around = screen[int(y) - 1 : int(y) + 3, int(x) - 1 : int(x) + 3].reshape(-1, 3).tolist()
        assert any(near(tuple(one), pixel) for one in around)


def test_every_agent_of_a_crowd_is_drawn_in_its_colour_in_its_place(show: Show) -> None:
    plan = solved(crowd(40)).plan
    assert plan
    shown = show(plan)
    shown.hide("goals", "names", "trails")
    colours = shown.colours(*range(24))
    hues = ss.replay(plan).scenes[0].hues
    for time in [0, 0.5, 1, 3, 3.5, plan.makespan - 1]:
        shown.seek(time)
        row = int(time)
        away = [agent for agent in range(40) if plan.vertices[row, agent] != plan.problem.goals[agent]]
        seen = shown.pixels([middle(plan, time, agent) for agent in away])
        wrong = [
            agent
            for agent, pixel in zip(away, seen, strict=True)
            if not near(pixel, colours[hues[agent]], tolerance=6)
        ]
        assert away
        assert wrong == []


def test_a_waiting_agent_has_a_ring(show: Show) -> None:
    shown = show(film(YIELD))
    shown.hide("goals", "names", "trails")
    ink = shown.colour("ink")
    rim = (0.5 + 0.37, 0.5)
    assert near(shown.pixel(*rim), ink, tolerance=25)
    shown.hide("waits")
    assert not near(shown.pixel(*rim), ink, tolerance=25)


def test_goals_and_starts_can_be_shown_and_hidden(show: Show) -> None:
    shown = show(film(CORRIDOR))
    floor = shown.colour("floor")
    ring, box = (4.5 + 0.3, 0.5), (0.5 + 0.2, 0.5)
    assert shown.pixel(*ring) != floor
    shown.press("g")
    assert shown.pixel(*ring) == floor
    shown.seek(3)
    shown.hide("trails")
    assert shown.pixel(*box) == floor
    shown.find(".menu summary").click()
    shown.page.get_by_label("Starts").check()
    shown.settle()
    assert shown.pixel(*box) != floor


def test_trails_can_be_shown_and_hidden(show: Show) -> None:
    shown = show(film(CORRIDOR))
    shown.seek(3)
    assert shown.pixel(1.9, 0.5) != shown.colour("floor")
    shown.press("t")
    assert shown.pixel(1.9, 0.5) == shown.colour("floor")


def test_names_can_be_shown_and_hidden(show: Show) -> None:
    shown = show(film(CORRIDOR))
    grid = [(1.5 + dx / 40, 0.5 + dy / 40) for dx in range(-8, 9) for dy in range(-8, 9)]
    shown.seek(1)
    assert len(set(shown.pixels(grid))) > 5  # the letters and their edges
    shown.hide("names")
    assert set(shown.pixels(grid)) == {shown.colour(0)}


def test_heat_maps_show_where_agents_were_and_where_they_waited(show: Show) -> None:
    shown = show(film(YIELD))
    shown.hide("goals", "names", "trails")
    shown.call("setShown", "waits", False)
    shown.seek(4)
    waited, passed = (0.5, 0.5), (2.5, 0.5)
    floor = shown.colour("floor")
    assert shown.pixels([waited, passed]) == [floor, floor]
    shown.call("setHeat", "occupancy")
    assert floor not in shown.pixels([waited, passed])
    shown.call("setHeat", "waiting")
    assert shown.pixel(*passed) == floor
    red, green, blue = shown.pixel(*waited)
    assert red > green + 60
    assert red > blue + 60
    shown.call("setHeat", "none")
    assert shown.pixels([waited, passed]) == [floor, floor]


def test_from_afar_goals_are_dots_and_heat_is_counted_by_blocks(show: Show) -> None:
    """Of a map whose cells are smaller than a pixel: what is in one of them is still seen."""
    grid = ss.Grid(np.ones((600, 600), dtype=np.bool_))
    here, goal = grid.vertex((304, 200)), grid.vertex((304, 201))
    plan = ss.Plan(ss.Problem(grid, [(304, 200)], [(304, 201)]), np.array([[here], [here], [here], [goal]]))
    shown = show(plan)
    assert shown.scene["view"]["scale"] < 1
    floor, beside = shown.colour("floor"), (206.5, 306.5)  # six cells on, in the same block
    assert shown.pixel(201.5, 304.5) != floor
    shown.hide("goals")
    assert shown.pixel(*beside) == floor
    shown.call("setHeat", "waiting")
    red, green, _ = shown.pixel(*beside)
    assert red > green + 60
    shown.page.evaluate(
        f"() => {{ {PLAYER}.active.view.look(200, 304, 20); {PLAYER}.viewChanged({PLAYER}.active); }}"
    )
    shown.settle()
    assert shown.pixel(*beside) == floor  # cells can be told from each other: the place itself is hot


def test_detours_are_marked_when_asked_for(show: Show) -> None:
    shown = show(film("a . A\n. . .\n\n. . .\na . .\n\n. . .\n. a .\n\n. . .\n. . a\n\n. . a\n. . ."))
    shown.hide("goals", "names", "trails")
    edge = (0.5 + 0.22, 0.5 + 0.22)
    before = shown.pixel(*edge)
    shown.call("setShown", "detours", True)
    assert near(shown.pixel(*edge), shown.colour("detour"), tolerance=40)
    assert before != shown.pixel(*edge)
    shown.seek(1)  # from here on it comes nearer
    assert not near(shown.pixel(0.5 + 0.22, 1.5 + 0.22), shown.colour("detour"), tolerance=40)
    shown.seek(0)
    shown.call("select", 0)
    assert "Makes a detour over (1, 0), 3 steps from its goal." in shown.card


# ------------------------------------------------------------------------------------ selecting, looking


def test_a_click_on_an_agent_selects_it_and_one_beside_deselects(show: Show) -> None:
    shown = show(film(YIELD))
    shown.click(1.5, 0.5)
    assert shown.state["selected"] == 1
    assert shown.text(".card h2") == "b"
    shown.seek(3)
    shown.click(2.5, 0.5)
    assert shown.state["selected"] == 0
    shown.click(0.5, 0.5)
    assert shown.state["selected"] == -1
    assert shown.find(".card").is_hidden()


def test_a_moving_agent_is_selected_where_it_is_drawn(show: Show) -> None:
    shown = show(film(CORRIDOR))
    shown.seek(2.5)
    shown.click(3.0, 0.5)
    assert shown.state["selected"] == 0


def test_the_selected_agent_has_a_circle_a_path_and_a_card(show: Show) -> None:
    shown = show(film(CORRIDOR))
    shown.hide("goals", "trails")
    shown.seek(2)
    floor, accent = shown.colours("floor", "accent")
    assert shown.pixel(0.9, 0.5) == floor
    shown.press("/")
    shown.page.get_by_role("button", name="a moves").click()
    shown.settle()
    assert near(shown.pixel(2.5, 0.5 - 0.56), accent, tolerance=40)
    assert near(shown.pixel(0.9, 0.5), accent)  # where it was
    assert "Goes to (0, 3), 1 step from its goal." in shown.card
    assert "Waits 0 steps in all; at its goal from time 4 on." in shown.card
    shown.button("Deselect").click()
    assert shown.state["selected"] == -1


def test_agents_are_found_by_name(show: Show) -> None:
    names = [f"robot {i}" for i in range(39)] + ["Ünal"]
    problem = crowd(40)
    named = ss.Problem.from_agents(
        problem.space,
        [ss.Agent(one.start, one.goal, name=name) for one, name in zip(problem.agents, names, strict=True)],
    )
    shown = show(solved(named))
    shown.press("/")
    rows = shown.find(".list[aria-label=Agents] button")
    shown.page.get_by_role("searchbox").fill("robot 1")
    assert shown.text("[role=tabpanel]:not([hidden]) .quiet") == "11 agents of 40"
    assert rows.count() == 11
    shown.page.get_by_role("searchbox").fill("üN")
    assert rows.count() == 1
    rows.click()
    assert shown.state["selected"] == 39
    assert rows.get_attribute("aria-pressed") == "true"
    shown.page.get_by_role("searchbox").fill("nobody")
    assert rows.count() == 0


def test_a_long_list_of_agents_can_be_scrolled_to_its_end(show: Show) -> None:
    problem = crowd(400, side=40)
    shown = show(ss.Plan(problem, [problem.starts, problem.starts]))
    shown.open_tab("Agents")
    names = shown.find(".list[aria-label=Agents] .grow")
    assert names.first.text_content() == "a0"
    assert names.count() < 60
    shown.find(".list[aria-label=Agents]").evaluate("(list) => { list.scrollTop = list.scrollHeight; }")
    shown.settle()
    assert names.last.text_content() == "a399"
    assert shown.find(".list[aria-label=Agents] li").last.get_attribute("aria-posinset") == "400"


def test_following_keeps_the_agent_in_the_middle(show: Show) -> None:
    plan = solved(crowd(40)).plan
    assert plan
    shown = show(plan)
    shown.call("select", 7)
    shown.button("Follow").click()
    box = shown.find(".surface").bounding_box()
    assert box
    for time in (0, 2.5, 6, plan.makespan):
        shown.seek(time)
        x, y = shown.spot(*middle(plan, time, 7))
        assert abs(x - box["x"] - box["width"] / 2) < 3
        assert abs(y - box["y"] - box["height"] / 2) < 3
    shown.button("Stop following").click()
    assert shown.state["following"] == -1


def test_zoomed_in_there_is_a_small_map_to_jump_with(show: Show) -> None:
    shown = show(solved(crowd(40)))
    small = shown.find(".mini")
    assert small.is_hidden()
    for _ in range(4):
        shown.button("Zoom in").click()
    shown.settle()
    assert small.is_visible()
    box = small.bounding_box()
    assert box
    shown.page.mouse.click(box["x"] + 0.75 * box["width"], box["y"] + 0.25 * box["height"])
    shown.settle()
    x, y = middle_of_view(shown)
    assert abs(x - 9) < 0.3
    assert abs(y - 3) < 0.3
    shown.button("Show everything").click()
    shown.settle()
    assert small.is_hidden()


def test_dragging_moves_the_map_and_does_not_select(show: Show) -> None:
    shown = show(film(CORRIDOR))
    before = view(shown)
    x, y = shown.spot(0.5, 0.5)
    shown.page.mouse.move(x, y)
    shown.page.mouse.down()
    shown.page.mouse.move(x + 60, y + 40, steps=4)
    shown.page.mouse.up()
    shown.settle()
    after = view(shown)
    assert (before["x"] - after["x"]) * after["scale"] == pytest.approx(60, abs=6)
    assert (before["y"] - after["y"]) * after["scale"] == pytest.approx(40, abs=6)
    assert shown.state["selected"] == -1


def test_the_wheel_zooms_towards_the_pointer(show: Show) -> None:
    shown = show(solved(crowd(40)))
    before = view(shown)["scale"]
    x, y = shown.spot(2.5, 3.5)
    shown.page.mouse.move(x, y)
    shown.page.mouse.wheel(0, -300)
    shown.until(f"player.active.view.scale > {before}")
    shown.settle()
    assert shown.spot(2.5, 3.5) == pytest.approx((x, y), abs=2)
    shown.button("Zoom out").click()
    shown.button("Zoom out").click()
    shown.settle()
    assert view(shown)["scale"] < before * 1.5


def test_the_window_may_change_its_size(show: Show) -> None:
    shown = show(film(CORRIDOR))
    shown.hide("names", "goals")
    shown.page.set_viewport_size({"width": 900, "height": 500})
    shown.settle()
    shown.settle()
    assert near(shown.pixel(0.5, 0.5), shown.colour(0))
    box = shown.find(".surface").bounding_box()
    assert box
    left, right = shown.spot(0, 0)[0], shown.spot(6, 0)[0]
    assert box["x"] < left < right < box["x"] + box["width"]


def test_on_the_time_line_keys_do_what_they_do_on_sliders(show: Show) -> None:
    shown = show(ss.solve(crowd(), "whca"))
    shown.find("input[type=range]").focus()
    shown.press("ArrowUp", "ArrowUp", "ArrowDown")
    assert shown.time == 1
    shown.press("PageUp")
    assert shown.time == 11
    shown.press("PageDown")
    assert shown.time == 1
    shown.press("Space")
    assert shown.state["playing"]


def test_the_menu_closes_with_escape_and_with_a_click_elsewhere(show: Show) -> None:
    shown = show(film("a . A\n\n. a ."))
    menu = shown.find("details.menu")
    for close in (lambda: shown.press("Escape"), lambda: shown.click(2.5, 0.5)):
        menu.locator("summary").click()
        assert menu.get_attribute("open") is not None
        close()
        assert menu.get_attribute("open") is None


def rectangles(shown: Shown, selector: str) -> list[dict[str, float]]:
    """Where in the window the elements are that have a place there."""
    return shown.find(selector).evaluate_all(
        """(elements) => elements.filter((element) => element.getClientRects().length)
          .map((element) => element.getBoundingClientRect().toJSON())"""
    )


@pytest.mark.parametrize("runs", some_of([1, 2, 3, 6]))
def test_nothing_lies_over_anything_else_in_any_window(show: Show, runs: int) -> None:
    note = "A note about what is to be seen here, which takes a line or two on most screens. " * 2
    shown = show(*[solved(crowd(20))] * runs, viewport={"width": 844, "height": 390}, note=note)
    for wide, high in [(844, 390), (1280, 800), (1920, 1080), (640, 480)]:
        shown.page.set_viewport_size({"width": wide, "height": high})
        shown.settle()
        check_layout(shown, wide)


def check_layout(shown: Shown, wide: int) -> None:
    parts = rectangles(shown, ".header, figcaption, .surface, .ticker")
    if wide > 620:  # on a phone the controls stay in sight, over what is scrolled under them
        parts += rectangles(shown, ".controls, aside")
    for one, other in combinations(parts, 2):
        apart = (
            one["x"] + one["width"] <= other["x"] + 1
            or other["x"] + other["width"] <= one["x"] + 1
            or one["y"] + one["height"] <= other["y"] + 1
            or other["y"] + other["height"] <= one["y"] + 1
        )
        assert apart, (one, other)
    assert min(box["height"] for box in rectangles(shown, ".surface")) >= 140


def test_the_next_violation_may_be_in_another_run(show: Show) -> None:
    shown = show(film("a . b\n\n. a b\n\n. a b"), film("a . b\n\n. ab .\n\n. a b"))
    shown.press("n")
    assert shown.time == 1
    assert shown.find("select[aria-label=Run]").input_value() == shown.state["scenes"][1]["label"]


def test_a_list_of_violations_that_is_cut_says_so(show: Show) -> None:
    grid = ss.Grid(np.ones((8, 8), dtype=np.bool_))
    places = [grid.place(vertex) for vertex in range(60)]
    plan = ss.Plan(ss.Problem(grid, places, places), np.zeros((400, 60), dtype=np.int32))
    shown = show(plan)
    shown.open_tab("Events")
    count = ss.validate(plan.problem, plan).count
    assert f"(of {count:,} violations the first 20,000)" in shown.text("aside")


def test_a_list_taller_than_browsers_can_draw_is_scrolled_to_its_end(show: Show) -> None:
    """About 500,000 waits of 48 pixels each."""
    grid = ss.Grid(np.ones((2, 1000), dtype=np.bool_))
    starts = [grid.place(vertex) for vertex in range(0, 1000, 2)]
    goals = [(1, place[1]) for place in starts]
    steps = np.arange(2000)[:, None]
    vertices = np.arange(0, 1000, 2) + (steps // 2) % 2
    vertices[-1] = np.arange(1000, 2000, 2)
    shown = show(ss.Plan(ss.Problem(grid, starts, goals), vertices), hash="t=1800")
    rows = shown.events("waits")
    assert any(time == "1800" for time, _ in rows)
    shown.find(".list[aria-label=Events]").evaluate("(list) => { list.scrollTop = list.scrollHeight; }")
    shown.settle()
    assert shown.find(".list[aria-label=Events] li").last.get_attribute("aria-posinset") == "499500"


def test_a_list_fills_the_room_it_gets(show: Show) -> None:
    shown = show(solved(crowd(60)), viewport={"width": 1280, "height": 640})
    shown.open_tab("Agents")
    before = shown.find(".list[aria-label=Agents] li").count()
    shown.page.set_viewport_size({"width": 1280, "height": 1400})
    shown.settle()
    assert shown.find(".list[aria-label=Agents] li").count() > before + 10


# ------------------------------------------------------------------------------------------- sentences


def waits(shown: Shown) -> list[tuple[str, str]]:
    return shown.events("waits")


def test_an_agent_waits_for_one_that_stands_in_its_way(show: Show) -> None:
    shown = show(film(YIELD))
    assert waits(shown) == [
        ("0", "a waits for b, which stands on (0, 1)"),
        ("0", "b waits although (1, 1) is free"),
    ]
    assert shown.ticker == "a waits for b, which stands on (0, 1)."


def test_an_agent_waits_for_one_that_takes_the_cell_first(show: Show) -> None:
    plan = film(
        "a . . A\n# b . #\n\na b . .\n# . . #\n\n. a b .\n# . . #\n\n. . a .\n# . b #\n\n. . . a\n# . b #"
    )
    assert ss.validate(plan.problem, plan)
    assert waits(show(plan)) == [("0", "a waits for b, which takes (0, 1) first")]


def test_where_nobody_may_follow_an_agent_waits_for_one_that_only_just_leaves(show: Show) -> None:
    rules = ss.Rules(following=False)
    plan = film("a b . .\n\na . b .\n\n. a . b\n\n. . a b", rules=rules)
    assert ss.validate(plan.problem, plan)
    assert waits(show(plan)) == [("0", "a waits for b, which is only just leaving (0, 1)")]


def test_on_diagonals_an_agent_waits_for_one_that_crosses_its_way(show: Show) -> None:
    plan = film("a b\n. .\n\na .\nb .\n\n. .\nb a", connectivity=8)
    assert ss.validate(plan.problem, plan)
    assert waits(show(plan)) == [("0", "a waits for b, which crosses the way to (1, 1)")]


def test_an_agent_that_lets_another_pass_says_whom_it_would_have_met(show: Show) -> None:
    plan = film(
        """
        . b . .
        a . . A
        . . . .

        . . b .
        a . . .
        . . . .

        . . . .
        . a b .
        . . . .

        . . . .
        . . a .
        . . b .

        . . . .
        . . . a
        . . b .
        """
    )
    assert ss.validate(plan.problem, plan)
    assert waits(show(plan)) == [("0", "a waits: going on at once, it would meet b on (1, 2) at time 2")]


def test_an_agent_without_a_way_says_so_and_long_waits_are_one_event(show: Show) -> None:
    shown = show(film("a # A\n\na # .\n\na # .\n\na # ."))
    assert waits(shown) == [("0", "a waits: no way leads to its goal now (3 steps)")]
    assert [time for time, _ in shown.events("violations")] == ["3"]


SAID = re.compile(
    r"waits(?: for (?P<who>a\d+), which (?P<what>stands on|takes|is only just leaving|crosses the way to)"
    r"| although|: going on at once, it would meet (?P<met>a\d+) on) \((?P<row>\d+), (?P<col>\d+)\)"
    r"(?: at time (?P<then>\d+))?"
)


def is_true(said: re.Match[str], plan: ss.Plan, time: int, agent: int) -> bool:
    """Does the plan show what a sentence about a wait says?"""
    side = plan.problem.space.width  # type: ignore[union-attr]
    cell = int(said["row"]) * side + int(said["col"])
    vertices = plan.vertices
    if said["met"]:
        other, then = int(said["met"][1:]), int(said["then"])
        return cell in vertices[then - 1 : then + 1, other]  # there, or coming from there: a swap
    if not said["who"]:
        return cell not in vertices[time + 1]
    before, after = vertices[time : time + 2, int(said["who"][1:])].tolist()
    return {
        "stands on": before == cell == after,
        "takes": before != cell == after,
        "is only just leaving": before == cell != after,
        "crosses the way to": abs(before - after) in (side - 1, side + 1),
    }[said["what"]]


@pytest.mark.parametrize(("connectivity", "following"), some_of(product([4, 8], [True, False])))
def test_what_is_said_about_the_waits_of_a_crowd_is_true(
    show: Show, connectivity: int, following: bool
) -> None:
    problem = crowd(70, 12, connectivity, rules=ss.Rules(following=following))
    plan = solved(problem).plan
    assert plan
    entries = show(plan).page.evaluate(
        f"{PLAYER}.active.scene.entries.filter(({{ group }}) => group === 'waits')"
        ".map(({ row, agents, text }) => [row, agents[0], text])"
    )
    still = (plan.vertices[:-1] == plan.vertices[1:]) & (plan.vertices[:-1] != problem.goals)
    begins = still & ~np.vstack([np.zeros_like(still[:1]), still[:-1]])
    assert sorted([row, agent] for row, agent, _ in entries) == np.argwhere(begins).tolist()
    assert len(entries) > 3
    for row, agent, text in entries:
        said = SAID.search(text)
        assert said, text
        assert is_true(said, plan, row, agent), text


def test_arrivals_are_events_and_an_event_leads_to_its_time_and_agent(show: Show) -> None:
    shown = show(film(YIELD))
    assert shown.events("arrivals") == [
        ("2", "b arrives at (1, 1) to stay"),
        ("4", "a arrives at (0, 3) to stay"),
    ]
    shown.find(".list[aria-label=Events] button").last.click()
    assert shown.time == 4
    assert shown.state["selected"] == 0
    assert "Is at its goal (0, 3)." in shown.card
    shown.page.get_by_label("selected agent only").check()
    assert shown.events("all") == [
        ("0", "a waits for b, which stands on (0, 1)"),
        ("4", "a arrives at (0, 3) to stay"),
    ]


def test_what_an_agent_does_is_said_at_every_time(show: Show) -> None:
    shown = show(film("a . A\n. b .\n\n. a .\n. b .\n\n. a .\n. . b\n\n. . a\n. b ."))
    shown.call("select", 0)
    said = []
    for time in range(4):
        shown.seek(time)
        said.append(shown.ticker)
    assert said == [
        "a goes to (0, 1), 1 step from its goal.",
        "a waits although (0, 2) is free.",
        "a arrives at its goal (0, 2).",
        "a is at its goal (0, 2).",
    ]
    shown.call("select", 1)
    said = []
    for time in range(4):
        shown.seek(time)
        said.append(shown.ticker)
    assert said == [
        "b rests on its goal until it makes room at time 1.",
        "b steps off its goal to (1, 2), to make room.",
        "b arrives at its goal (1, 1).",
        "b is at its goal (1, 1).",
    ]


def test_agents_without_a_goal_are_said_to_make_room(show: Show) -> None:
    problem = ss.Problem.from_text("a b A\n. . .")
    plan = ss.Plan(problem, [[0, 1], [0, 4], [1, 4], [2, 4]])
    assert ss.validate(problem, plan)
    shown = show(plan)
    shown.call("select", 1)
    assert shown.ticker == "b makes room: it has no goal, and goes to (1, 1)."
    shown.seek(2)
    assert shown.ticker == "b stands on (1, 1), without a goal."


def test_a_waiting_agent_says_why_where_the_plan_knows(show: Show) -> None:
    captions = [
        ss.Caption(0, (0, 1), "a waits because b has reserved (0, 1) until time 1."),
        ss.Caption(2, (1,), "I have made room.", kind="b says"),
    ]
    shown = show(film(YIELD), captions=captions)
    shown.click(0.5, 0.5)
    assert shown.text(".card .why") == captions[0].text
    assert shown.ticker == captions[0].text
    assert shown.events("captions") == [("0", f"why: {captions[0].text}"), ("2", "b says: I have made room.")]
    assert ("0", captions[0].text) in shown.events("waits")
    shown.seek(2)
    assert shown.find(".card .why").count() == 0


def test_who_went_first_is_said_of_the_selected_agent_from_then_on(show: Show) -> None:
    result = ss.solve(ss.Problem.from_text("# a #\nb . B\n# A #"), "dpca")
    (told,) = passings(result)
    shown = show(result, captions=[told])
    for agent in range(2):
        shown.call("select", agent)
        shown.seek(told.time - 1)
        assert shown.find(".card .first").count() == 0
        shown.seek(told.time)
        assert shown.text(".card .first") == ss.why_first(result, 0, 1).text.replace("\n", " ")
    assert not any(told.text in text for _, text in shown.events("captions"))


def test_a_click_on_a_place_says_what_to_type_to_be_told_why_not(show: Show) -> None:
    (scene,) = ss.replay(film(YIELD)).scenes
    asking = replace(scene, question="sidestep explain plan.json")
    shown = show(ss.Replay([asking], title="asked"))
    assert shown.find(".card code").count() == 0
    shown.click(0.5, 0.5)
    assert shown.text(".card code") == "sidestep explain plan.json --agent a --time 0 --not PLACE"
    shown.click(2.5, 0.5)
    assert shown.text(".card code") == "sidestep explain plan.json --agent a --time 0 --not 0,2"
    shown.seek(1)
    assert shown.text(".card code") == "sidestep explain plan.json --agent a --time 1 --not 0,2"
    shown.click(1.5, 0.5)  # who is there is selected, as ever
    assert shown.text(".card code") == "sidestep explain plan.json --agent b --time 1 --not PLACE"


def test_what_agents_agreed_on_is_among_the_events_and_answers_stand_under_the_map(show: Show) -> None:
    result = ss.solve(ss.Problem.from_text("# a #\nb . B\n# A #"), "dpca")
    shown = show(result, captions=captions(result))
    agreed = "a and b would have collided at (1, 1); they adopt a > b (-5.838), not b > a (-5.838)"
    assert ("1", f"dialogue: {agreed}") in shown.events("captions")
    shown.call("select", 1)
    assert shown.ticker.startswith(
        "b waits at (1, 0) to let a pass: both would have come to (1, 1) at time 1. Had it gone on, a would"
    )


# ---------------------------------------------------------------------------------------- several runs


def test_two_runs_are_shown_in_step_and_the_shorter_one_rests_at_its_end(show: Show) -> None:
    problem = crowd(20)
    results = [ss.solve(problem, solver) for solver in (ss.WHCA(window=8), ss.LRA())]
    assert all(results)
    plans = [result.plan for result in results]
    shown = show(*results, labels=["short", "long"], title="A comparison")
    assert shown.find("h1").text_content() == "A comparison"
    assert shown.find("figcaption strong").all_text_contents() == ["short", "long"]
    assert shown.state["steps"] == max(plan.makespan for plan in plans)
    for scene, plan in enumerate(plans):
        rows = every_row(shown, scene)
        whole = plan.vertices.tolist()
        assert rows == whole + [whole[-1]] * (len(rows) - len(whole))
    shown.seek(shown.state["steps"])
    assert shown.find(".counts").all_text_contents() == ["20 of 20 at their goals, 0 waiting"] * 2


def test_two_maps_move_together_and_a_click_chooses_the_run(show: Show) -> None:
    plan = film(YIELD)
    other = ss.Plan(plan.problem, plan.vertices[[0, 2, 3, 4]])
    shown = show(plan, other, labels=["one", "two"])
    shown.press("+", "+", "d")
    one, two = (scene["view"] for scene in shown.state["scenes"])
    assert one == pytest.approx(two, abs=0.2)
    shown.press("0")
    shown.click(1.5, 0.5, scene=1)
    assert shown.state["selected"] == 1
    assert shown.find("select[aria-label=Run]").input_value() == "two"
    assert "one: Waits although (1, 1) is free." in shown.card
    assert "two: Arrives at its goal (1, 1)." in shown.card
    assert shown.events() == [("1", "b arrives at (1, 1) to stay"), ("3", "a arrives at (0, 3) to stay")]
    shown.find("select[aria-label=Run]").select_option("one")
    assert len(shown.events("waits")) == 2


def test_facts_stand_beside_each_other(show: Show) -> None:
    result = solved(crowd(20))
    shown = show(result, result.plan, labels=["with facts", "without"])
    rows = [row.locator("th, td").all_text_contents() for row in shown.find("[role=tabpanel] tr").all()]
    assert rows[0] == ["", "with facts", "without"]
    assert ["the judge says", "valid: no collision", "valid: no collision"] in rows
    assert ["sum of costs", str(result.plan.cost), str(result.plan.cost)] in rows
    assert ["status", "solved", ""] in rows


# ---------------------------------------------------------------------------------------- the address


def test_an_address_can_name_time_agent_and_colours(show: Show) -> None:
    shown = show(film(YIELD), hash="t=3&agent=1&theme=dark")
    state = shown.state
    assert (state["time"], state["selected"], state["theme"]) == (3, 1, "dark")
    assert not state["playing"]
    assert shown.pixel(3.1, 0.1) == shown.colour("floor")


@pytest.mark.parametrize(
    "address", ["t=-5&agent=-1", "t=nonsense&agent=x", "t=&agent=99&theme=nonsense", "%%%&t=0&agent="]
)
def test_an_address_that_names_nothing_is_no_reason_to_fail(show: Show, address: str) -> None:
    shown = show(film(YIELD), hash=address)
    assert (shown.time, shown.state["selected"]) == (0, -1)


def test_the_theme_button_changes_what_is_drawn(show: Show) -> None:
    shown = show(film(YIELD))
    before = shown.pixel(2.2, 0.2)
    shown.button("Light or dark").click()
    shown.settle()
    assert shown.state["theme"] == "dark"
    assert sum(shown.pixel(2.2, 0.2)) < sum(before) / 2


# --------------------------------------------------------------------------------------------- spaces


SQUARE = [(0, 1), (1, 2), (2, 3), (3, 0)]


@pytest.mark.parametrize(
    ("directed", "positions"),
    some_of(product([False, True], [None, [(0, 0), (40, 0), (40, 40), (0, 40)]])),
)
def test_agents_on_a_graph_are_drawn_at_its_vertices(show: Show, directed: bool, positions: Any) -> None:
    graph = ss.Graph(4, SQUARE, directed=directed, positions=positions)
    problem = ss.Problem(graph, [0, 2], [2, 0])
    plan = ss.Plan(problem, [[0, 2], [1, 3], [2, 0]])
    shown = show(plan)
    shown.hide("goals", "names", "trails")
    assert every_row(shown) == plan.vertices.tolist()
    places = ss.replay(plan).scenes[0].places
    colours = shown.colours(0, 12)
    for time in (0, 0.5, 1, 1.5):
        shown.seek(time)
        row = int(time)
        for agent in range(2):
            before, after = places[plan.vertices[row, agent]], places[plan.vertices[row + 1, agent]]
            x, y = before + (after - before) * (time % 1)
            assert near(shown.pixel(float(x), float(y)), colours[agent])
    for heat in ("occupancy", "waiting"):
        shown.call("setHeat", heat)
    shown.call("select", 0)
    shown.seek(0)
    assert shown.ticker == "a0 goes to vertex 1, 1 step from its goal."
    for _ in range(5):
        shown.button("Zoom in").click()
    shown.settle()
    assert shown.find(".mini").is_visible()


def test_an_agent_on_a_one_way_street_counts_its_steps_along_it(show: Show) -> None:
    graph = ss.Graph(4, SQUARE, directed=True)
    plan = ss.Plan(ss.Problem(graph, [1], [0]), [[1], [2], [3], [0]])
    shown = show(plan)
    shown.call("select", 0)
    assert shown.ticker == "a0 goes to vertex 2, 2 steps from its goal."


@pytest.mark.parametrize(
    "make_plan",
    [
        lambda: ss.Plan(
            ss.Problem(ss.Grid(np.ones((3, 3), dtype=np.bool_)), [], []), np.empty((1, 0), dtype=int)
        ),
        lambda: ss.Plan(ss.Problem(ss.Grid(np.ones((1, 1), dtype=np.bool_)), [(0, 0)], [(0, 0)]), [[0]]),
        lambda: ss.Plan(ss.Problem(ss.Graph(1, []), [0], [0]), [[0]]),
        lambda: ss.Plan(
            ss.Problem(ss.Grid(np.ones((1, 5000), dtype=np.bool_)), [(0, 0)], [(0, 1)]), [[0], [1]]
        ),
        lambda: ss.Plan(
            ss.Problem(ss.Grid(np.ones((9000, 2), dtype=np.bool_)), [(0, 0)], [(1, 0)]), [[0], [2]]
        ),
        lambda: ss.Plan(
            ss.Problem(ss.Grid(np.zeros((2, 2), dtype=np.bool_)), [], []), np.empty((3, 0), dtype=int)
        ),
    ],
    ids=["nobody", "one cell", "one vertex", "very wide", "very high", "only walls"],
)
def test_the_smallest_and_the_oddest_can_be_looked_at(show: Show, make_plan: Callable[[], ss.Plan]) -> None:
    plan = make_plan()
    shown = show(plan, hash="")
    shown.press("Space", "ArrowRight", "End", "h", "h", "+", "0", "n", "f", "/")
    for tab in ("Plan", "Agents", "Events"):
        shown.open_tab(tab)
    assert shown.clock == f"time {plan.makespan} of {plan.makespan}"
    assert shown.scene["vertices"] == plan.vertices[-1].tolist()


# --------------------------------------------------------------------------------------------- traces


def gate_world() -> ss.World:
    """A wall closes on the way and opens again, agents come and go, and a goal changes."""
    problem = ss.Problem(
        ss.Grid(np.ones((3, 6), dtype=np.bool_)), [(1, 0), (0, 5)], [(1, 5), (0, 3)], names=["a", "b"]
    )
    world = ss.World(problem, ss.WHCA())
    changes: dict[int, Callable[[], object]] = {
        1: lambda: [world.block((row, 3)) for row in (1, 2)],
        2: lambda: world.add(ss.Agent((2, 0), (2, 1), name="c")),
        3: lambda: world.send("b", (2, 5)),
        4: lambda: world.free((2, 3)),
        6: lambda: world.remove("b"),
    }
    for time in range(9):
        changes.get(time, lambda: None)()
        world.step(nodes=10_000)
    assert ss.validate_trace(world.trace)
    return world


def test_walls_close_and_open_again_also_backwards(show: Show) -> None:
    shown = show(gate_world())
    shown.hide("goals", "names", "trails")
    floor, wall = shown.colours("floor", "wall")
    corners = [(3.1, 1.1), (3.1, 2.1)]
    expected = {0: [floor, floor], 1: [wall, wall], 3: [wall, wall], 4: [wall, floor], 9: [wall, floor]}
    for time in (0, 1, 3, 4, 9, 3, 0, 4, 1):
        shown.seek(time)
        assert shown.pixels(corners) == expected[time], time


def test_agents_come_and_go(show: Show) -> None:
    world = gate_world()
    shown = show(world)
    assert every_row(shown) == world.trace.positions.tolist()
    shown.open_tab("Agents")
    rows = shown.find(".list[aria-label=Agents] button")
    for time, state in [(1, "not there"), (2, "moves")]:
        shown.seek(time)
        assert rows.nth(2).text_content() == f"c{state}"
    shown.seek(7)
    assert rows.nth(1).text_content() == "bnot there"
    shown.call("select", 1)
    assert "Has left the map." in shown.card
    shown.call("select", 2)
    shown.seek(0)
    assert "Is not there." in shown.card


def goal_rings(shown: Shown) -> tuple[bool, bool]:
    """Is there a ring on the old and on the new goal of b?"""
    old, new, floor = *shown.pixels([(3.5, 0.5 - 0.3), (5.5, 2.5 - 0.3)]), shown.colour("floor")
    return old != floor, new != floor


def test_a_changed_goal_moves_its_ring(show: Show) -> None:
    shown = show(gate_world())
    shown.hide("trails", "names")
    for time in (0, 2, 3, 4, 2, 3):
        shown.seek(time)
        before, after = goal_rings(shown)
        assert after is (time >= 3), time
        if time == 0:
            assert before
    shown.seek(4)
    assert goal_rings(shown) == (False, True)


def test_a_heat_map_leaves_goals_and_walls_as_they_are_at_the_time(show: Show) -> None:
    shown = show(gate_world())
    shown.hide("trails", "names")
    assert goal_rings(shown) == (True, False)
    shown.call("setHeat", "waiting")
    assert goal_rings(shown) == (True, False)


def test_events_of_a_trace_are_listed(show: Show) -> None:
    shown = show(gate_world())
    changes = shown.events("changes")
    for entry in [
        ("1", "(1, 3) closes"),
        ("1", "(2, 3) closes"),
        ("2", "c appears on (2, 0)"),
        ("3", "b is sent to (2, 5)"),
        ("4", "(2, 3) opens"),
    ]:
        assert entry in changes
    assert any(time == "6" and text.startswith("b is taken away from ") for time, text in changes)
    assert ("2", "b arrives at (0, 3)") in shown.events("arrivals")


def test_a_trace_that_begins_late_shows_its_own_times(show: Show) -> None:
    problem = ss.Problem(ss.Grid(np.ones((2, 30), dtype=np.bool_)), [(0, 0)], [(0, 25)], names=["a"])
    world = ss.World(problem, ss.WHCA(), trace_limit=6)
    for time in range(20):
        if time == 17:
            world.block((0, 25))
        world.step(nodes=10_000)
    start = world.trace.start_time
    assert start > 0
    shown = show(world, hash=f"t={start + 2}")
    assert shown.time == 2
    assert shown.clock == f"time {start + 2} of {start + len(world.trace.positions) - 1}"
    assert shown.scene["vertices"] == world.trace.positions[2].tolist()
    assert ("17", "(0, 25) closes") in shown.events("changes")
    shown.page.get_by_role("button", name="17 (0, 25) closes").click()
    assert shown.time == 17 - start


def test_a_world_on_a_graph_closes_vertices_too(show: Show) -> None:
    graph = ss.Graph(4, SQUARE, positions=[(0, 0), (2, 0), (2, 2), (0, 2)])
    world = ss.World(ss.Problem(graph, [0], [2]), ss.WHCA())
    world.step(nodes=1000)
    closed = 4 - int(world.positions[0])  # the way that it has not taken
    world.block(closed)
    world.step(nodes=1000)
    shown = show(world)
    shown.hide("goals", "names", "trails")
    place = tuple(float(one) for one in ss.replay(world).scenes[0].places[closed])
    for time in (0, 1, 0, 2):
        shown.seek(time)
        assert near(shown.pixel(*place), shown.colour("wall" if time else "edge")), time
    shown.call("setHeat", "waiting")
    assert near(shown.pixel(*place), shown.colour("wall"))


# ------------------------------------------------------------------------------- what the judge finds


LACAM_MAP = """type octile
height 7
width 6
map
......
......
......
......
......
......
..@...
"""

# x before y, as lacam3 writes it. Agents 0 and 1: one walks through the other, which rests. 2 and 3 pass
# through a cell that is empty before and after. 4 and 5 swap. 6 walks through the wall.
LACAM_PATHS = [
    [(0, 0), (1, 0), (2, 0), (3, 0)],
    [(2, 0), (2, 0), (2, 0), (2, 0)],
    [(0, 2), (1, 2), (2, 2), (3, 2)],
    [(1, 3), (1, 2), (1, 1), (1, 1)],
    [(0, 4), (1, 4), (2, 4), (3, 4)],
    [(3, 4), (2, 4), (1, 4), (0, 4)],
    [(0, 6), (1, 6), (2, 6), (3, 6)],
]


def lacam_result(paths: list[list[tuple[int, int]]]) -> str:
    """A result file as lacam3 writes it."""

    def listed(cells: Any) -> str:
        return "".join(f"({x},{y})," for x, y in cells)

    head = f"agents={len(paths)}\nmap_file=m.map\nsolver=planner\nsolved=1\ncomp_time=1\nseed=0\n"
    ends = f"starts={listed(path[0] for path in paths)}\ngoals={listed(path[-1] for path in paths)}\n"
    steps = "".join(f"{time}:{listed(cells)}\n" for time, cells in enumerate(zip(*paths, strict=True)))
    return f"{head}{ends}solution=\n{steps}"


def viewed(folder: Path, paths: list[list[tuple[int, int]]], *options: str) -> Path:
    """The page that `sidestep view` makes of a lacam3 result."""
    (folder / "result.txt").write_text(lacam_result(paths))
    (folder / "m.map").write_text(LACAM_MAP)
    page = folder / "x.html"
    arguments = ["view", str(folder / "result.txt"), "--map", str(folder / "m.map"), "-o", str(page)]
    assert main([*arguments, *options]) == 0
    return page


def red_ticks(shown: Shown) -> list[int]:
    """The times at which the time line has a red tick."""
    danger = shown.colour("danger")
    row, wide = shown.page.evaluate(
        f"""() => {{
          const [chart] = {PLAYER}.controls.charts;
          const {{ data }} = chart.getContext("2d").getImageData(0, chart.height >> 1, chart.width, 1);
          return [Array.from(data), chart.width];
        }}"""
    )
    steps = shown.state["steps"]
    red = {
        round(x / (wide - 1) * steps)
        for x in range(wide)
        if row[4 * x + 3] and near(tuple(row[4 * x : 4 * x + 3]), danger)
    }
    return sorted(red)


def test_all_that_is_wrong_with_a_plan_of_lacam3_is_listed_and_marked(show: Show, tmp_path: Path) -> None:
    shown = show(viewed(tmp_path, LACAM_PATHS))
    assert shown.text(".badge") == "✕ 4 violations"
    assert shown.events("violations") == [
        ("1", "agents a2 and a3 are both on (2, 1) at time 1"),
        ("2", "agent a6 is in a wall, on (6, 2), at time 2"),
        ("2", "agents a0 and a1 are both on (0, 2) at time 2"),
        ("2", "agents a4 and a5 swap places from time 1 to 2, agent a4 now being on (4, 2)"),
    ]
    danger = shown.colour("danger")
    resting, passing, swap, wall = (2.5, 0.5), (1.5, 2.5), (2.0, 4.5), (2.5, 6.5)
    marked = {
        0: [],
        0.5: [passing],
        1: [passing],
        1.3: [passing, resting, swap, wall],
        1.75: [resting, swap, wall],
        2: [resting, swap, wall],
        2.4: [resting, swap, wall],
        2.6: [],
        3: [],
    }
    places = [resting, passing, swap, wall]
    for time in [*marked, *reversed(marked)]:
        shown.seek(time)
        seen = shown.pixels(places)
        assert [place for place, pixel in zip(places, seen, strict=True) if pixel == danger] == [
            place for place in places if place in marked[time]
        ], time
    assert red_ticks(shown) == [1, 2]
    shown.hide("collisions")
    shown.seek(2)
    assert danger not in shown.pixels(places)


def test_a_violation_in_the_list_leads_to_its_moment(show: Show, tmp_path: Path) -> None:
    shown = show(viewed(tmp_path, LACAM_PATHS))
    shown.events("violations")
    rows = shown.find(".list[aria-label=Events] button")
    times = {}
    for index in range(4):
        rows.nth(index).click()
        shown.settle()
        times[shown.state["selected"]] = shown.time
    assert times == {2: 1, 6: 2, 0: 2, 4: 1.5}  # a swap is best seen while it happens


def test_the_keys_lead_through_all_violations_also_through_those_of_one_time(
    show: Show, tmp_path: Path
) -> None:
    shown = show(viewed(tmp_path, LACAM_PATHS))
    seen = []
    for key in "nnnnnpppp":
        shown.press(key)
        seen.append((shown.state["selected"], shown.time))
    forth = [(2, 1), (6, 2), (0, 2), (4, 1.5)]
    assert seen == [*forth, forth[-1], *forth[-2::-1], forth[0]]
    shown.press("End", "p")
    assert shown.state["selected"] == 4
    shown.press("Home", "n")
    assert shown.state["selected"] == 2


def test_two_diagonals_that_cross_are_marked_at_the_corner(show: Show, tmp_path: Path) -> None:
    paths = [[(0, 0), (1, 1), (2, 1)], [(1, 0), (0, 1), (0, 2)]]
    shown = show(viewed(tmp_path, paths, "--connectivity", "8"))
    assert shown.events("violations") == [
        ("1", "agents a0 and a1 cross each other's way from time 0 to 1, agent a0 now being on (1, 1)")
    ]
    shown.seek(0.5)
    assert shown.pixel(1.0, 1.0) == shown.colour("danger")
    assert red_ticks(shown) == [1]
    shown.seek(2)
    assert shown.pixel(1.0, 1.0) != shown.colour("danger")
    assert show(viewed(tmp_path, paths, "--connectivity", "8", "--crossing")).text(".badge") == "✓ valid"


def test_a_jump_is_marked_on_its_way_and_a_missing_agent_is_listed(show: Show) -> None:
    problem = ss.Problem(ss.Grid(np.ones((1, 5), dtype=np.bool_)), [(0, 0)], [(0, 4)])
    shown = show(ss.Plan(problem, [[0], [4], [-1], [4]]))
    assert [time for time, _ in shown.events("violations")] == ["1", "2"]
    shown.seek(1)
    assert shown.pixel(2.5, 0.5) == shown.colour("danger")
    assert red_ticks(shown) == [1, 2]


def test_more_violations_than_fit_are_counted(show: Show) -> None:
    problem = crowd(40)
    shown = show(ss.Plan(problem, np.zeros((60, 40), dtype=int)))
    count = ss.validate(problem, ss.Plan(problem, np.zeros((60, 40), dtype=int))).count
    assert count > 2000
    assert shown.text(".badge") == f"✕ {count:,} violations"
    shown.press("End", "p", "p")


# --------------------------------------------------------------------------------------------- phones


@pytest.mark.parametrize("runs", [1, 3])
def test_a_phone_shows_everything_without_scrolling_sideways(show: Show, runs: int) -> None:
    plan = solved(crowd(40))
    shown = show(*[plan] * runs, viewport=PHONE, touch=True, note="A note.\nAnd another one.")
    widths = "({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth]"
    wide, seen = shown.page.locator("html").evaluate(widths)
    assert wide <= seen
    assert shown.find("figure").count() == runs
    for name in ("Play", "One step back", "One step forth", "Zoom in", "Zoom out", "Show everything"):
        box = shown.button(name).bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]
        assert box["y"] + box["height"] <= PHONE["height"], "the controls stay in sight"
        assert min(box["width"], box["height"]) >= 24
    shown.find(".menu summary").tap()
    menu = shown.find(".menu div").bounding_box()
    assert menu
    assert menu["x"] >= 0
    assert menu["y"] >= 0
    assert menu["x"] + menu["width"] <= PHONE["width"]
    shown.find(".menu summary").tap()
    for tab in ("Agents", "Events", "Plan"):
        shown.open_tab(tab)
        wide, seen = shown.page.locator("html").evaluate(widths)
        assert wide <= seen


def test_a_finger_selects_an_agent(show: Show) -> None:
    shown = show(film(YIELD), viewport=PHONE, touch=True)
    shown.page.touchscreen.tap(*shown.spot(1.5, 0.5))
    shown.settle()
    assert shown.state["selected"] == 1


def test_a_sentence_stays_long_enough_to_be_read(show: Show) -> None:
    """While the run plays, the line under the map is about waits, and each stays for two seconds.

    The page is told what time it is, so that nothing here depends on how fast it draws.
    """
    shown = show(solved(crowd(60)))
    said = shown.page.evaluate(
        """() => {
          const { player } = document.getElementById("player");
          const { narrator } = player.stages[0];
          player.play();
          const said = [];
          for (let now = 0; now < 8000; now += 50) {
            player.seek(Math.floor(now / 250));
            narrator.speak(now);
            said.push([now, narrator.ticker.textContent]);
          }
          player.pause();
          return said;
        }"""
    )
    changes = [now for (_, before), (now, text) in pairwise(said) if text != before]
    assert len(changes) > 1
    assert all(
        re.match(r"Time \d+: a\d+ waits", text) for now, text in said if changes[0] <= now < changes[-1]
    )
    assert all(later - now >= 2000 for now, later in pairwise(changes))


def test_who_waits_because_its_goal_is_closed_says_so(show: Show) -> None:
    world = ss.World(ss.Problem.from_text("a . A"), ss.WHCA())
    world.block((0, 2))
    for _ in range(6):
        world.step()
    shown = show(world, hash="t=4")
    assert shown.ticker == "a waits: its goal is closed now."


def test_agents_without_a_goal_are_not_missed_at_their_goals(show: Show) -> None:
    problem = ss.Problem.from_agents(
        ss.Grid.from_text(". . ."), [ss.Agent((0, 0), (0, 0), name="a"), ss.Agent((0, 2), name="idle")]
    )
    shown = show(ss.Plan(problem, [[0, 2], [0, 2]]))
    assert shown.text(".counts") == "1 of 1 at their goals, 0 waiting"
    shown.call("select", 1)
    assert "not at its goal" not in shown.card


def test_runs_of_different_agents_keep_their_names(show: Show) -> None:
    shown = show(film("a . A\n\n. a ."), film("z . Z\n\n. z ."))
    shown.click(0.5, 0.5, scene=1)
    assert shown.text(".card h2") == "z"
    assert "plan, a:" in shown.card


def test_stills_and_the_player_agree_on_who_waits(show: Show) -> None:
    result = solved(crowd(60))
    timeline = Timeline(scene_of(result))
    shown = show(result)
    for time in range(timeline.end + 1):
        shown.seek(time)
        assert f"{timeline.waiting(time).sum()} waiting" in shown.text(".counts")


def test_a_large_agent_is_drawn_on_all_its_cells_and_a_slow_one_on_its_way(show: Show) -> None:
    agents = [ss.Agent((0, 0), (0, 3), name="tank", size=2, period=2), ss.Agent((2, 5), name="post")]
    problem = ss.Problem.from_agents(ss.Grid(np.ones((3, 6), dtype=bool)), agents)
    shown = show(ss.solve(problem, "hca"))
    shown.hide("trails", "goals", "starts", "names")
    shown.seek(0)
    empty, far = shown.pixels([(3.5, 2.5), (2.5, 1.5)])
    assert far == empty
    colour = shown.pixels([(1.5, 1.5)])[0]
    assert colour != empty
    assert shown.pixels([(1.5, 0.5), (0.5, 1.5)]) == [colour, colour]
    shown.seek(1)  # half of its first move
    assert shown.pixels([(2.25, 1.5)]) == [colour]
    shown.call("select", 0)
    assert shown.ticker == "tank is on its way to (0, 1)."
