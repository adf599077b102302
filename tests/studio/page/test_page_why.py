"""Why: click an agent at a moment, read why, see what would have been; and what the agents said."""

from __future__ import annotations

import re

from playwright.sync_api import expect

import sidestep as ss

from .conftest import Open, Tab

MEETING = "a . . . A\n# # . # #\n. . b . .\n# # . # #\n. . B . ."
CROSSING = "# # b # #\n# # . # #\na . . . A\n# # . # #\n# # B # #"


def click_agent(tab: Tab, agent: int) -> None:
    """Clicks an agent in the replay where it is drawn."""
    spot = tab.evaluate(
        """(agent) => {
          const stage = studio.results.player.active;
          const { left, top } = stage.surface.getBoundingClientRect();
          const [x, y] = stage.view.toScreen(...stage.scene.point(agent, stage.time));
          return [left + x, top + y];
        }""",
        agent,
    )
    tab.page.mouse.click(*spot)


def solved(tab: Tab, drawing: str, solver: str) -> ss.Result:
    """The same in the page and here."""
    tab.draw(drawing)
    tab.choose(solver)
    tab.solve()
    tab.evaluate("() => { studio.results.player.pause(); studio.results.player.seek(0); }")
    return ss.solve(ss.Problem.from_text(drawing), solver)


def waiting(result: ss.Result) -> tuple[int, int]:
    """An agent and a time at which it waits before its goal."""
    plan = result.plan
    assert plan is not None
    for time in range(plan.makespan):
        for agent, goal in enumerate(plan.problem.goals):
            if plan.vertices[time, agent] == plan.vertices[time + 1, agent] != goal:
                return agent, time
    raise AssertionError("nobody waits")


def test_a_click_on_an_agent_says_why(open_tab: Open) -> None:
    """The answer of `ss.why`, and the plan in which the agent has its way, played."""
    tab = open_tab(motion="no-preference")
    result = solved(tab, CROSSING, "cbs")
    agent, time = waiting(result)
    tab.evaluate("(time) => studio.results.player.seek(time)", time)
    click_agent(tab, agent)
    answer = ss.why(result, agent, time)
    expect(tab.find("#answer .said")).to_have_text(answer.text)
    assert answer.alternative is not None
    tab.click("#play-what-if")
    name = "ab"[agent]
    expect(tab.find("#what-if-title")).to_have_text(f"If {name} had its way at time {time}")
    tab.until(f"studio.results.player?.steps === {answer.alternative.makespan}")
    assert tab.player["selected"] == agent
    tab.until(f"studio.results.player.time === {answer.alternative.makespan}")
    assert tab.player["scenes"][0]["vertices"] == answer.alternative.vertices[-1].tolist()
    tab.button("Back to the plan").click()
    tab.until(f"studio.results.player?.steps === {result.plan.makespan}")
    expect(tab.find("#what-if")).to_be_hidden()


def test_the_keyboard_asks_why(tab: Tab) -> None:
    result = solved(tab, CROSSING, "cbs")
    tab.evaluate(
        "() => { studio.results.isPointing = true; studio.results.player.select(0);"
        " studio.results.isPointing = false; }"
    )
    expect(tab.find("#why-whom")).to_have_text("a at time 0")
    tab.find("#player .surface").focus()
    tab.keys("ArrowRight", "y")
    expect(tab.find("#answer .said")).to_have_text(ss.why(result, 0, 1).text)
    expect(tab.find("#answer button.link").first).to_have_text("a, time 1")
    tab.keys("Home")
    tab.find("#answer button.link").click()
    assert tab.player["time"] == 1


def test_a_blank_and_a_click_ask_why_not_there(tab: Tab) -> None:
    result = solved(tab, CROSSING, "dpca")
    click_agent(tab, 0)
    tab.find("#why-not-place").fill("2, 2")
    tab.keys("Enter")
    expect(tab.find("#answer .said")).to_have_text(ss.why_not(result, 0, 0, (2, 2)).text)
    expect(tab.find("#answer button.link").first).to_have_text("a, not at (2, 2) at time 0")
    tab.find("#why-not-place").focus()
    spot = tab.evaluate(
        """() => {
          const { surface, view, scene } = studio.results.player.active;
          const { left, top } = surface.getBoundingClientRect();
          const [x, y] = view.spot(2 * scene.space.width + 1);
          return [left + x, top + y];
        }"""
    )
    tab.page.mouse.click(*spot)
    expect(tab.find("#answer .said")).to_have_text(ss.why_not(result, 0, 0, (2, 1)).text)
    assert tab.player["selected"] == 0
    tab.find("#why-not-place").fill("over there")
    tab.keys("Enter")
    expect(tab.find("#answer")).to_contain_text("a row and a column")


def test_a_blank_and_a_click_ask_why_it_went_first(tab: Tab) -> None:
    result = solved(tab, CROSSING, "dpca")
    click_agent(tab, 0)
    tab.find("#why-first-other").fill("b")
    tab.keys("Enter")
    expect(tab.find("#answer .said")).to_have_text(ss.why_first(result, 0, 1).text)
    tab.find("#why-detail").check()
    expect(tab.find("#answer .said")).to_have_text(ss.why_first(result, 0, 1, detail=True).text)
    tab.find("#why-detail").uncheck()
    expect(tab.find("#answer .said")).to_have_text(ss.why_first(result, 0, 1).text)
    tab.find("#why-first-other").fill("nobody")
    tab.keys("Enter")
    expect(tab.find("#answer")).to_contain_text("no agent nobody")
    tab.find("#why-first-other").focus()
    click_agent(tab, 1)
    expect(tab.find("#answer .said")).to_have_text(ss.why_first(result, 0, 1).text)
    assert tab.player["selected"] == 0


def test_side_by_side_the_question_is_about_the_run_that_was_clicked(tab: Tab) -> None:
    tab.draw(CROSSING)
    tab.choose("whca", "cbs")
    tab.solve()
    tab.until("studio.results.player.scenes.length === 2")
    tab.evaluate("() => { studio.results.player.pause(); studio.results.player.seek(1); }")
    problem = ss.Problem.from_text(CROSSING)
    for stage, solver in enumerate(("whca", "cbs")):
        tab.evaluate(
            "(stage) => { const { player } = studio.results; player.select(0, player.stages[stage]); }", stage
        )
        expected = ss.why(ss.solve(problem, solver), 0, 1).text
        expect(tab.find("#answer .said")).to_have_text(expected)


def test_each_utterance_leads_to_its_time_and_place(tab: Tab) -> None:
    result = solved(tab, CROSSING, "dpca+")
    said = result.transcript
    assert said is not None
    assert said.topics
    lines = tab.find("#transcript li button")
    expect(lines).to_have_count(len(said.utterances))
    utterance = next(one for one in said.utterances if one.dialogue >= 0)
    topic = said.topics[utterance.dialogue]
    number = said.utterances.index(utterance)
    expect(lines.nth(number)).to_contain_text(said.said(utterance))
    row, col = said.space.place(topic.place)
    expect(lines.nth(number)).to_have_attribute("title", re.compile(rf"at \({row}, {col}\)$"))
    lines.nth(number).click()
    assert tab.player["time"] == topic.time
    assert tab.player["selected"] == utterance.speaker
    assert tab.evaluate("studio.results.player.pointed") == topic.place
    expect(lines.nth(number)).to_have_attribute("aria-current", "true")
    tab.find("#transcript").get_by_label("Search in what they said").fill(said.names[utterance.speaker] + ":")
    assert 0 < lines.count() < len(said.utterances)


def test_an_answer_leads_to_the_dialogue_behind_it(tab: Tab) -> None:
    result = solved(tab, CROSSING, "dpca+")
    agent, time = waiting(result)
    answer = ss.why(result, agent, time)
    assert answer.dialogue is not None
    tab.evaluate("(time) => studio.results.player.seek(time)", time)
    click_agent(tab, agent)
    expect(tab.find("#answer .said")).to_have_text(answer.text)
    tab.button(f"Read dialogue {answer.dialogue}").click()
    lines = tab.find("#transcript li button")
    expect(lines).to_have_count(len(result.transcript.dialogue(answer.dialogue)))
    tab.button("all dialogues").click()
    expect(lines).to_have_count(len(result.transcript.utterances))


def test_the_silent_have_no_transcript(tab: Tab) -> None:
    solved(tab, MEETING, "cbs")
    expect(tab.find("#transcript-section")).to_be_hidden()
    tab.click("#tab-draw")
    solved(tab, MEETING, "dpca")
    expect(tab.find("#transcript-section")).to_be_visible()
