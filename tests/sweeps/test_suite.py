"""What a suite asks for: enumerated lazily, checked before anything runs."""

from __future__ import annotations

import subprocess
import sys
from itertools import islice

import pytest

import sidestep as ss
from sidestep.sweeps.instances import file_digest
from sidestep.sweeps.suite import read_suite, suite_of
from tests.sweeps.makers import SMALL, Raising, corridor


def test_a_suite_is_every_combination():
    suite = suite_of({**SMALL, "seeds": [1, 5], "limits": [{"nodes": 10}, {"seconds": 1}]})
    trials = list(suite)
    assert len(trials) == len(suite) == 3 * 2 * 4 * 2 * 2
    assert len({trial.key for trial in trials}) == len(trials)
    assert [spec.label for spec in suite.solvers] == ["hca", "whca window=4", "whca window=8"]


def test_a_key_depends_on_nothing_but_what_is_run():
    """Not on labels, the order of parameters, or the rest of the suite."""
    first = next(iter(suite_of({**SMALL, "solvers": [{"solver": "whca", "window": 8, "max_turns": 50}]})))
    other = {"solver": "whca", "max_turns": 50, "window": 8, "label": "ours"}
    assert next(iter(suite_of({**SMALL, "solvers": [other, "ca"]}))).key == first.key
    assert next(iter(suite_of({**SMALL, "solvers": [ss.WHCA(window=8, max_turns=50)]}))).key == first.key
    labelled = next(
        iter(suite_of({**SMALL, "solvers": [{"solver": ss.WHCA(window=8, max_turns=50), "label": "W"}]}))
    )
    assert (labelled.key, labelled.solver.label) == (first.key, "W")


def test_a_solver_in_a_table_takes_more_parameters():
    suite = suite_of({**SMALL, "solvers": [{"solver": ss.WHCA(max_turns=50), "window": [4, 8]}]})
    assert [spec.parameters for spec in suite.solvers] == [
        {"max_turns": 50, "window": size} for size in (4, 8)
    ]


def test_a_suite_of_ten_million_trials_is_enumerated_one_by_one():
    suite = suite_of({**SMALL, "instances": {"generator": "empty", "agents": 1, "count": 10**7}})
    assert len(suite) == 3 * 10**7
    assert len(list(islice(suite, 7))) == 7


def test_instances_of_functions_and_solvers_of_classes(tmp_path):
    suite = suite_of(
        {"solvers": [Raising()], "instances": [corridor, {"function": corridor, "length": [3, 5]}]}
    )
    assert [trial.instance.problem().space.width for trial in suite] == [4, 3, 5]
    assert next(iter(suite)).solver.name == "tests.sweeps.makers:Raising"


def test_scenarios_are_known_by_their_content(tmp_path):
    problem = ss.Problem.from_text("a . B\nb . A")
    keys = []
    for folder in (tmp_path / "one", tmp_path / "other"):
        folder.mkdir()
        ss.io.write_map(problem.space, folder / "small.map")
        ss.io.write_scen(problem, folder / "small-1.scen", "small.map")
        (folder / "suite.toml").write_text(
            'solvers = ["hca"]\n[[instances]]\nmap = "small.map"\nscen = "small-*.scen"\nagents = [1, 2]\n'
        )
        suite = read_suite(folder / "suite.toml")
        keys.append([trial.key for trial in suite])
    assert keys[0] == keys[1]
    assert [trial.instance.problem().n_agents for trial in suite] == [1, 2]
    trial = next(iter(suite))
    ss.io.write_map(ss.Grid([[True] * 3] * 2, 8), folder / "small.map")
    (folder / "small.map").write_text((folder / "small.map").read_text().replace("...", ".@."))
    assert [trial.key for trial in suite] == keys[1]
    file_digest.cache_clear()  # as a worker that begins now
    with pytest.raises(ss.InputError, match="has another content on this machine: copy it"):
        trial.instance.problem()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"solver": []}, "a suite has no 'solver': did you mean 'solvers'?"),
        ({"solvers": []}, "a suite needs solvers"),
        ({"solvers": ["whcb"]}, "there is no solver 'whcb': did you mean 'whca'?"),
        (
            {"solvers": [{"solver": "whca", "windw": 3}]},
            "whca has no parameter 'windw': did you mean 'window'?",
        ),
        ({"solvers": ["hca", "hca"]}, "two solvers of the suite are called 'hca'"),
        ({"instances": {"agents": 3}}, "instances have a generator, a map or a function"),
        ({"instances": {"generator": "rando", "agents": 3}}, "there is no generator 'rando'"),
        ({"instances": {"generator": "random"}}, "need agents"),
        ({"instances": {"generator": "random", "agents": 3, "room": 4}}, "random maps have no 'room'"),
        ({"instances": {"generator": "random", "agents": 3, "density": 2.0}}, "density"),
        (
            {"instances": {"generator": "random", "agents": 3, "count": 0}},
            "count must be a whole number from 1",
        ),
        ({"instances": {"generator": "random", "agents": 3, "rules": {"folowing": 1}}}, "there is no rule"),
        ({"instances": {"map": "none.map", "scen": "none.scen"}}, "there is no scenario none.scen"),
        ({"instances": {"function": "nowhere:make"}}, "'nowhere:make' cannot be imported"),
        ({"instances": {"function": lambda seed: None}}, "other processes cannot find"),
        ({"instances": ["random"]}, "instances are tables with names and values"),
        (
            {"instances": {"generator": "random", "agents": 3, "rules": "free"}},
            "rules of instances are a table",
        ),
        (
            {"instances": {"function": "tests.sweeps.makers:SMALL"}},
            "tests.sweeps.makers:SMALL is no function",
        ),
        ({"instances": {"function": "corridor"}}, "a function is named as 'module:function'"),
        (
            {"instances": {"function": "tests.sweeps.makers:corridor", "rules": {"following": False}}},
            "a function makes its problems with their rules",
        ),
        (
            {"solvers": [{"solver": "hca", "label": "one"}, {"solver": "hca", "label": "other"}]},
            "two solvers of the suite are the same",
        ),
        ({"solvers": [3]}, "a solver of a suite is a name, a table such as"),
        ({"limits": {"second": 3}}, "there is no limit 'second': did you mean 'seconds'?"),
        ({"limits": {"seconds": -1}}, "a time limit is a number of seconds"),
        ({"seeds": 0}, "seeds are a list, or how many there are"),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_a_wrong_suite_is_refused_in_a_sentence(change, sentence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ss.InputError) as caught:
        suite_of({**SMALL, **change})
    assert sentence in str(caught.value)


def test_a_suite_that_is_no_toml_is_refused_with_its_name(tmp_path):
    path = tmp_path / "suite.toml"
    path.write_text("solvers = [")
    with pytest.raises(ss.FormatError, match=r"suite.toml: this is no TOML"):
        read_suite(path)


def test_wrong_solvers_are_refused_without_assertions_too():
    """`python -O` takes assertions away; what a user may get wrong must not depend on them."""
    code = """
import sidestep as ss
from sidestep.sweeps.instances import file_digest
from sidestep.sweeps.suite import suite_of
for solver in ({"solver": "whca", "windw": 4}, {"solver": "whca", "window": 1.5}, ss.Auto, 5):
    try:
        suite_of({"solvers": [solver], "instances": {"generator": "random", "agents": 2}})
    except ss.InputError:
        print("refused")
"""
    done = subprocess.run([sys.executable, "-OO", "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["refused"] * 4, done.stderr


def test_seeds_are_not_listed_one_by_one():
    """A few characters of a file may ask for very many."""
    suite = suite_of({**SMALL, "seeds": 10**9})
    assert len(suite) == 3 * 2 * 4 * 10**9
    assert next(iter(suite)).seed == 0
    huge = {"generator": "empty", "agents": 1, "count": 10**9}
    for wrong in (
        {"seeds": 10**30},
        {"instances": {**huge, "count": 10**30}},
        {"instances": huge, "seeds": 10**9},
    ):
        with pytest.raises(ss.InputError, match=r"at most|to 2147483647"):
            suite_of({**SMALL, **wrong})
