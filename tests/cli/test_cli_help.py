"""What `--help` says, and what shells are told to complete words with."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import click
import pytest
from click.shell_completion import BashComplete

import sidestep as ss
from sidestep.cli.commands import cli
from sidestep.cli.parameters import options_of
from sidestep.solvers import SOLVERS


def commands(command: click.Command, path: str = "sidestep") -> Iterator[tuple[str, click.Command]]:
    if isinstance(command, click.Group):
        for name, inner in command.commands.items():
            yield from commands(inner, f"{path} {name}")
    else:
        yield path, command


def test_every_option_says_what_it_is_for():
    silent = [
        f"{path} {option.opts[-1]}"
        for path, command in commands(cli)
        for option in command.params
        if isinstance(option, click.Option) and not option.help
    ]
    assert silent == []


@pytest.mark.parametrize("name", SOLVERS)
def test_every_parameter_of_a_solver_does_too(name):
    for option in options_of(SOLVERS[name]):
        sentence, _, default = option.help.partition(" [default: ")
        assert sentence.endswith("."), option.name
        assert default, option.name


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("sidestep solve --solver wh", ["whca"]),
        ("sidestep solvers ee", ["eecbs"]),
        ("sidestep new", ["new-solver"]),
        ("sidestep solve --solver ", list(ss.solvers())),
    ],
)
def test_shells_complete_commands_and_solvers(typed, found):
    *words, begun = typed.split(" ")[1:]
    complete = BashComplete(cli, {}, "sidestep", "_SIDESTEP_COMPLETE")
    assert [item.value for item in complete.get_completions(words, begun)] == found


def test_a_process_tells_a_shell_what_completes_a_word():
    typed = "sidestep solve --solver wh"
    env = {"COMP_WORDS": typed, "COMP_CWORD": "3", "_SIDESTEP_COMPLETE": "bash_complete"}
    done = subprocess.run(
        [sys.executable, "-m", "sidestep"],
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "plain,whca\n"
