"""`sidestep solvers`: what there is to choose from."""

from __future__ import annotations

from typing import Any

import click
from rich.markup import escape
from rich.table import Table

from ..solvers.parameters import parameters_of
from ..solvers.registry import all_solvers, solver_class
from ..solvers.solver import Solver, facts_of
from .console import complain, facts, json_option, show, show_json
from .parameters import complete_solver, options_of, values_of

MARKS = {True: "yes", False: "no"}


@click.command("solvers")
@click.argument("name", required=False, shell_complete=complete_solver)
@json_option
def command(name: str | None, as_json: bool) -> None:
    """List the solvers, or the parameters of the one called NAME."""
    chosen, broken = all_solvers() if name is None else ({name: solver_class(name)}, [])
    if as_json:
        show_json({key: _described(solver) for key, solver in chosen.items()})
    elif name is None:
        show(_table(chosen))
    else:
        show(facts(name, _shown(facts_of(chosen[name]))), _parameters(chosen[name]))
    for error in broken:
        complain(str(error))


def _described(solver: type[Any]) -> dict[str, Any]:
    defaults = {name: parameter.default for name, parameter in parameters_of(solver).items()}
    return facts_of(solver) | {"parameters": defaults}


def _shown(info: dict[str, Any]) -> dict[str, Any]:
    return {
        key.replace("_", " "): MARKS[value] if isinstance(value, bool) else value
        for key, value in info.items()
        if value != ""
    }


def _table(solvers: dict[str, type[Solver]]) -> Table:
    table = Table(title="solvers", title_justify="left")
    for heading in ("name", "what it does", "complete", "optimal", "online"):
        table.add_column(heading, overflow="fold")
    for name, solver in solvers.items():
        info = _shown(facts_of(solver))
        table.add_row(name, *(str(info.get(key, "")) for key in ("summary", "complete", "optimal", "online")))
    return table


def _parameters(solver: type[Any]) -> Table:
    table = Table(title="parameters", title_justify="left")
    for heading in ("option", "values", "default", "meaning"):
        table.add_column(heading, overflow="fold")
    known = parameters_of(solver)
    for option in options_of(solver):
        parameter = known[str(option.name)]
        spellings = " / ".join(option.opts + option.secondary_opts)
        table.add_row(spellings, values_of(option), str(parameter.default), escape(parameter.sentence))
    return table
