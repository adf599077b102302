"""A solver's parameters as command-line options, derived from the fields of its dataclass."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar

import click
from click.shell_completion import CompletionItem

from ..model.errors import InputError
from ..solvers.parameters import Parameter, parameters_of
from ..solvers.registry import DEFAULT, solver_class, solvers


def options_of(solver: type[Any]) -> list[click.Option]:
    """One option per parameter: `window: int` becomes `--window INT`."""
    return [_option(one) for one in parameters_of(solver).values() if not one.in_python_only]


def values_of(option: click.Option) -> str:
    """What an option takes: `INT|auto`, or nothing for one that is only there or not."""
    return option.type.shown if isinstance(option.type, Value) else ""


def _option(parameter: Parameter) -> click.Option:
    flag = parameter.name.replace("_", "-")
    is_flag = parameter.type is bool
    # No default here: what was not given is left to the dataclass.
    return click.Option(
        [f"--{flag}/--no-{flag}" if is_flag else f"--{flag}", parameter.name],
        type=None if is_flag else Value(parameter),
        default=None,
        help=f"{parameter.sentence} [default: {parameter.default}]",
    )


def complete_solver(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The names of solvers that begin like this, for shells that complete words."""
    lines = solvers().items()
    return [CompletionItem(name, help=line) for name, line in lines if name.startswith(incomplete)]


if TYPE_CHECKING:
    _ParamType = click.ParamType[Any]
else:  # before click 8.4 it is not generic
    _ParamType = click.ParamType


class Value(_ParamType):
    """A value of a solver's parameter. Whether a number is within its limits, the solver says."""

    name = "value"
    readable: ClassVar[tuple[type[Any], ...]] = (int, float, str)

    def __init__(self, parameter: Parameter) -> None:
        self.parameter = parameter

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value in self.parameter.words:
            return value
        if self.parameter.type in self.readable:
            with suppress(ValueError):
                return self.parameter.type(value)
        return self.fail(f"{value!r} is not {self.parameter.wanted}", param, ctx)

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        return self.shown  # click 8.1 passes no context

    @property
    def shown(self) -> str:
        kind = self.parameter.type
        return "|".join([*([] if kind is None else [kind.__name__.upper()]), *self.parameter.words])


TURNING = "--turning"  # an option that says for whom is planned, and so who plans unless somebody is named


class WithSolverParameters(click.Command):
    """A command with `--solver`, whose parameters become options of the command."""

    option: ClassVar[str] = "--solver"
    usual: ClassVar[str] = DEFAULT

    def usual_of(self, args: list[str]) -> str:
        """Who is asked if the arguments name nobody."""
        return self.usual

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta["solver"] = solver_class(_named(args, self.option, self.usual_of(args)))
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            raise self._unknown(ctx, error.option_name) from None

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        # Help lists the options of the command first, then those of the solver, then --help itself.
        *own, last = super().get_params(ctx)
        return [*own, *options_of(ctx.meta["solver"]), last] if "solver" in ctx.meta else [*own, last]

    def _unknown(self, ctx: click.Context, option: str) -> InputError:
        name = ctx.meta["solver"].name
        known = [spelling for param in self.get_params(ctx) for spelling in param.opts]
        close = difflib.get_close_matches(option, known, n=1)
        if close:
            return InputError(f"there is no option or parameter {option}; did you mean {close[0]}?")
        own = [option.opts[0] for option in options_of(ctx.meta["solver"])]
        has = f"its parameters are {', '.join(own)}" if own else "it has none"
        return InputError(f"solver {name} has no parameter {option}; {has}")


class WithPlannerParameters(WithSolverParameters):
    """A command with `--planner`, likewise."""

    option = "--planner"
    usual = "guided"

    def usual_of(self, args: list[str]) -> str:
        """Robots that have to turn need a planner that knows turns."""
        return "epibt" if TURNING in args else self.usual


def _named(args: list[str], option: str, usual: str) -> str:
    """The value of the last `--solver NAME` or `--solver=NAME`; the full parse comes later."""
    name = usual
    for one, value in pairwise([*args, ""]):
        if one == option and value:
            name = value
        elif one.startswith(f"{option}="):
            name = one.removeprefix(f"{option}=")
    return name


def given_parameters(solver: type[Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the solver's parameters that the command line named."""
    known = parameters_of(solver)
    return {name: value for name, value in values.items() if name in known and value is not None}
