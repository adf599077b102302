"""The schema: what is no message of this version is nonsense, whatever it is."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

import sidestep as ss
from sidestep import agents
from sidestep.agents import messages as m

from .problems import crowd

HEAD = {"run": "r", "incarnation": 0, "round": 0, "step": 0, "sender": 1, "number": 0, "hearers": (0,)}
BEAT = m.Beat(**HEAD, tick=3, index=2)


def test_every_kind_survives_the_wire() -> None:
    seen = set()
    for solver in ("dpca+", "wdpca", ss.DiMPP(), ss.ADPP(replan="always"), "dmrcp"):
        run = agents.run(crowd(5), solver, faults=agents.Faults(loss=0.1, crashes=1, restart=3000), seed=3)
        for log in run.logs:
            for heard, said in log.entries:
                for message in [*said, *([] if heard is None else [heard])]:
                    seen.add(type(message))
                    assert m.decoded(m.encoded(message)) == message
    usual = {m.Said, m.Done, m.Token, m.Letter, m.Stance, m.Quiet, m.Beat, m.Move, m.Hello, m.Ack, m.Tick}
    assert usual <= seen <= set(m.KINDS)


@pytest.mark.parametrize(
    "twisted",
    [
        {"version": 2},
        {"sender": -2},
        {"sender": 2**31},
        {"hearers": "everybody"},
        {"type": "Shout"},
        {"unheard": 1},
        {"tick": 1.5},
        {"run": "r" * 1000},
    ],
)
def test_a_message_of_another_form_is_nonsense(twisted: dict[str, object]) -> None:
    entry = {**msgspec.msgpack.decode(m.encoded(BEAT)), **twisted}
    with pytest.raises(m.Nonsense):
        m.decoded(msgspec.msgpack.encode(entry))


def test_bytes_at_random_are_nonsense_or_a_message() -> None:
    random = Random(0)
    for _ in range(2000):
        data = bytearray(m.encoded(BEAT))
        for _ in range(random.randint(1, 5)):
            data[random.randrange(len(data))] = random.randrange(256)
        try:
            message = m.decoded(bytes(data[: random.randint(0, len(data))]))
        except m.Nonsense:
            continue
        assert isinstance(message, m.Message)


def test_a_message_is_limited_in_size() -> None:
    with pytest.raises(m.Nonsense, match="bytes"):
        m.decoded(bytes(m.MOST_BYTES + 1))


def test_agents_ignore_and_report_what_nobody_may_say() -> None:
    log = agents.run(crowd(5), "wdpca").logs[0]
    agent = agents.Agent(log.brief)
    agent.begin()
    tick = next(heard for heard, _ in log.entries if isinstance(heard, m.Tick))
    agent.hear(tick)
    other = tick.near[0][0]
    about = {**HEAD, "run": log.brief.run, "sender": other, "hearers": (log.brief.agent,)}
    lies = [
        m.Done(**{**about, "step": 7}, ready=True),
        m.Said(**about, topic=(1, 1, (5, 6)), turn=0, stage="opening", act="hold"),
        m.Move(**about, tick=0, source=0, target=0),
        m.Done(**about, ready=False, path=(10**6,)),
    ]
    said = [report for lie in lies for report in agent.hear(lie) if isinstance(report, m.Report)]
    assert len(said) >= 3
    assert all(report.hearers == (m.WORLD,) for report in said)
    assert any(isinstance(one, m.Report) for one in agent.hear_nonsense("no message"))


@pytest.mark.parametrize("solver", [ss.DiMPP(), ss.ADPP(replan="always")], ids=["dimpp", "adpp"])
def test_paths_that_cannot_be_are_reported_and_not_taken(solver: object) -> None:
    """A token or letter of the right form that says what is not so: reported, not taken."""
    run = agents.run(crowd(5), solver)
    kind = m.Token if isinstance(solver, ss.DiMPP) else m.Letter
    log = next(one for one in run.logs if heard_after_ticks(one, kind))
    agent = agents.Agent(log.brief)
    agent.begin()
    lies = 0
    for heard, said in log.entries[1:]:
        for lie in lies_about(heard):
            assert [type(one) for one in agent.hear(lie)] == [m.Report]
            lies += 1
        assert [content(one) for one in agent.hear(heard)] == [content(one) for one in said]
    assert lies >= 2


def content(message: m.Message) -> m.Message:
    """Without its number, which counts reports, too."""
    return msgspec.structs.replace(message, number=0)


def heard_after_ticks(log: agents.Log, kind: type[m.Message]) -> bool:
    """Has this agent heard such a message that has paths?"""
    heard = [one for one, _ in log.entries if type(one) is kind]
    return any(getattr(one, "paths", ()) or getattr(one, "path", ()) for one in heard)


def lies_about(heard: m.Message | None) -> list[m.Message]:
    """What was heard, twisted so that it says what cannot be."""
    change = msgspec.structs.replace
    if type(heard) is m.Token and heard.paths:
        agent, path, stays = heard.paths[0]
        elsewhere = (*path[:-1], 10**6)
        return [
            change(heard, begun=(10**4,)),
            change(heard, paths=((agent, elsewhere, stays), *heard.paths[1:])),
        ]
    if type(heard) is m.Letter and heard.path:
        return [change(heard, path=(*heard.path, 10**6)), change(heard, place=10**6)]
    return []
