"""The commands, a file each, all of them listed here, and what becomes of their errors."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence

import click

from ..model.errors import InputError, SidestepError
from . import (
    agents,
    convert,
    demo,
    explain,
    generate,
    improve,
    lifelong,
    new_solver,
    reproduce,
    solve,
    solvers,
    studio,
    sweep,
    tune,
    validate,
    view,
)
from .console import complain

COMMANDS: tuple[click.Command, ...] = (
    demo.command,
    solve.command,
    improve.command,
    lifelong.command,
    validate.command,
    view.command,
    explain.command,
    studio.command,
    agents.command,
    generate.command,
    solvers.command,
    new_solver.command,
    convert.command,
    reproduce.command,
    tune.command,
    sweep.command,
    sweep.compare_command,
)

BAD_INPUT = 2
MOST_DIGITS = 1000  # of a number; Python reads and writes none of more than 4,300


class NothingAskedError(click.UsageError):
    """No command was named; the message is the help."""


class InOrder(click.Group):
    """A group that lists its commands in the order in which they were given."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        # By itself, click 8.1 would end this with success. A shell that completes a word has none before it.
        if not args and not ctx.resilient_parsing:
            raise NothingAskedError(ctx.get_help(), ctx)
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


@click.group(
    cls=InOrder,
    commands={str(command.name): command for command in COMMANDS},
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="sidestep", message="sidestep %(version)s")
def cli() -> None:
    """Cooperative pathfinding: many agents, one map, no collisions."""


# What is raised where no command is named, with the help as its message; before 8.2 click printed it itself.
NO_COMMAND: tuple[type[click.UsageError], ...] = tuple(
    error for name, error in vars(click.exceptions).items() if name == "NoArgsIsHelpError"
)


def run(arguments: Sequence[str] | None) -> int:
    """Run a command and return its exit code; an error becomes one line on stderr."""
    try:
        _refuse_endless_numbers(sys.argv[1:] if arguments is None else arguments)
        return int(cli.main(arguments, prog_name="sidestep", standalone_mode=False) or 0)
    except NO_COMMAND as error:
        click.echo(error.format_message(), err=True)
    except click.Abort as error:
        raise KeyboardInterrupt from error
    except click.ClickException as error:
        complain(_usage_sentence(error))
    except SidestepError as error:
        complain(str(error))
    except OSError as error:
        complain(_file_sentence(error))
    except MemoryError:
        complain("there is not enough memory for this")
    return BAD_INPUT


def _refuse_endless_numbers(arguments: Sequence[str]) -> None:
    """An InputError that can still be read; what comes later would quote all of the number, or fail to."""
    for argument in arguments:
        if any(len(digits) > MOST_DIGITS for digits in re.findall(r"\d+", argument)):
            raise InputError(
                f"{argument[:20]}... has more than {MOST_DIGITS:,} digits in a row: give a smaller number"
            )


def _usage_sentence(error: click.ClickException) -> str:
    sentence = error.format_message().rstrip(".")
    if isinstance(error, click.UsageError) and error.ctx is not None:
        return f"{sentence} (see '{error.ctx.command_path} --help')"
    return sentence


def _file_sentence(error: OSError) -> str:
    if error.filename is None:
        return str(error)
    reason = error.strerror or type(error).__name__
    return f"{os.fspath(error.filename)}: {reason[0].lower()}{reason[1:]}"
