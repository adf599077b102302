"""Forms: every parameter of every solver and generator can be chosen, and nothing else can."""

from __future__ import annotations

from contextlib import suppress

import pytest

from sidestep.instances.generators import GENERATORS
from sidestep.model.errors import InputError
from sidestep.model.rules import PRINTED_RULES, Rules
from sidestep.solvers import SOLVERS
from sidestep.studio.forms import chosen_map, chosen_solver, generator_forms, solver_forms

KINDS = {"int", "float", "bool", "choice", "optional int", "optional float"}
NONSENSE = ["nonsense", [], {}, float("1e300"), 0.5, -(10**30), True, None]


@pytest.mark.parametrize("entry", solver_forms(), ids=lambda entry: entry["name"])
def test_the_form_of_a_solver_makes_that_solver(entry):
    for parameter in entry["parameters"]:
        assert parameter["kind"] in KINDS
        assert ("choices" in parameter) or parameter["kind"] != "choice"
    defaults = {parameter["name"]: parameter["default"] for parameter in entry["parameters"]}
    assert chosen_solver(entry["name"], defaults) == SOLVERS[entry["name"]]()
    assert entry["summary"]
    assert {type(entry[fact]) for fact in ("online", "optimal", "complete", "dialogues")} == {bool}


@pytest.mark.parametrize("entry", solver_forms(), ids=lambda entry: entry["name"])
def test_the_switch_of_a_form_makes_the_printed_solver(entry):
    solver = SOLVERS[entry["name"]]
    if solver.info.paper in PRINTED_RULES:
        assert chosen_solver(entry["name"], entry["printed"]) == solver.as_printed()
        assert Rules(**entry["paper"]["rules"]) == Rules.printed(entry["paper"]["name"])
    else:
        assert entry["printed"] == {}
        assert entry["paper"] is None


@pytest.mark.parametrize("entry", solver_forms(), ids=lambda entry: entry["name"])
def test_every_choice_can_be_chosen_and_nonsense_cannot(entry):
    for parameter in entry["parameters"]:
        name = parameter["name"]
        for choice in parameter.get("choices", []):
            assert getattr(chosen_solver(entry["name"], {name: choice}), name) == choice
        for value in NONSENSE:
            with suppress(InputError):
                assert getattr(chosen_solver(entry["name"], {name: value}), name) == value


def test_both_forms_are_what_the_server_answers(studio):
    assert studio.client.get("/api/solvers").json() == solver_forms()
    assert studio.client.get("/api/generators").json() == generator_forms()
    assert {entry["name"] for entry in solver_forms()} == set(SOLVERS)
    assert {entry["name"] for entry in generator_forms()} == set(GENERATORS)


def test_whole_numbers_or_words():
    window = next(entry for entry in solver_forms() if entry["name"] == "whca")["parameters"][0]
    assert window["help"].startswith("Steps to look ahead")
    about = {key: value for key, value in window.items() if key != "help"}
    limits = {"least": 2, "most": 1024}
    assert about == {"name": "window", "kind": "int", "choices": ["auto"], **limits, "default": 16}
    assert chosen_solver("whca", {"window": "auto"}).window == "auto"


def test_the_parameters_of_generators():
    assert chosen_map("random", {"density": 0}) == {"density": 0.0}
    with pytest.raises(InputError, match="density must be a number"):
        chosen_map("random", {"density": "0.2"})
    with pytest.raises(InputError, match="no parameter 'room'"):
        chosen_map("random", {"room": 3})
