"""`sidestep solve`: plan, judge the plan, report and keep it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from itertools import count
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from .. import io
from ..dialogue.person import Person
from ..explain import Answer, Inquiry
from ..judge import Report, validate
from ..model.errors import InputError
from ..model.problem import Problem
from ..model.result import Result
from ..solve import solve as solve_problem
from ..solvers.parameters import parameters_of
from ..solvers.printed import other_rules, printed_form
from ..solvers.registry import DEFAULT
from .console import FILE, complain, facts, json_option, say, show, show_json
from .inputs import Source, reads_problem
from .model_options import Model, model_options
from .parameters import WithSolverParameters, complete_solver, given_parameters
from .progress import bar
from .summary import cost_against_bound, waits


@click.command("solve", cls=WithSolverParameters)
@reads_problem()
@click.option(
    "--solver",
    default=DEFAULT,
    show_default=True,
    shell_complete=complete_solver,
    help="One of `sidestep solvers`.",
)
@click.option("--as-printed", is_flag=True, help="The solver as its paper prints it, but for options given.")
@model_options
@click.option("--time-limit", type=float, default=60.0, show_default=True, help="Seconds.")
@click.option("--node-limit", type=int, help="Search nodes; the same on every machine.")
@click.option("--memory-limit", type=int, help="Bytes for searches. [default: a quarter of the memory]")
@click.option("--seed", type=int, default=0, show_default=True, help="What is random in the solver.")
@click.option("-o", "--output", type=FILE, help="Write the plan, with its problem, as JSON.")
@click.option("--transcript", type=FILE, help="Write what the agents said to each other, as JSON.")
@click.option("--why", is_flag=True, help="Where there is no plan, say why: an answer that was checked.")
@click.option("--detail", is_flag=True, help="With --why, for experts: dialogues, proposals and votes.")
@click.option(
    "--ask", multiple=True, metavar="AGENT", help="Votes for this agent: you are asked, line by line."
)
@click.option("--deadline", type=float, default=30.0, show_default=True, help="Seconds to answer with --ask.")
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    source: Source,
    solver: str,
    as_printed: bool,
    time_limit: float,
    node_limit: int | None,
    memory_limit: int | None,
    seed: int,
    output: Path | None,
    transcript: Path | None,
    ask: tuple[str, ...],
    deadline: float,
    why: bool,
    detail: bool,
    as_json: bool,
    **others: Any,
) -> int:
    """Plan for INPUT: a .map with --scen, a drawing, or a problem or plan of ours (JSON).

    The solver's parameters are options too: --window 16. The plan is judged before it is reported.
    Exit code 0: solved, 1: no plan, 2: bad input.
    """
    source.require_writable(output, transcript)
    if transcript is not None and transcript == output:
        raise InputError(f"{output} cannot be both the plan and the transcript")
    if detail and not why:
        raise InputError("--detail goes with --why: what is to be told in detail")
    problem = source.problem(Model.among(others))
    chosen = chosen_solver(ctx.meta["solver"], others, as_printed)
    if ask:
        chosen = asking(chosen, problem, ask, deadline)
    if as_printed and (warning := other_rules(chosen, problem.rules)):
        complain(warning)
    given = ctx.get_parameter_source("time_limit") is not ParameterSource.DEFAULT
    with bar(f"solving with {solver}", shown=not ask) as progress:
        result = solve_problem(
            problem,
            chosen,
            time_limit=None if ask and not given else time_limit,  # a person may think
            node_limit=node_limit,
            memory_limit=memory_limit,
            seed=seed,
            on_progress=progress.on_progress,
            on_plan=saying_better(),
        )
    if transcript is not None:
        keep_transcript(result, transcript)
    answer = Inquiry(result).why(detail=detail) if why and result.plan is None else None
    return report(result, output, as_json, answer)


def chosen_solver(solver: type[Any], values: Mapping[str, Any], as_printed: bool) -> Any:
    """The solver with the parameters that the command line named."""
    given = given_parameters(solver, values)
    return printed_form(solver, **given) if as_printed else solver(**given)


def asking(solver: Any, problem: Problem, agents: tuple[str, ...], deadline: float) -> Any:
    """The solver with a person who votes for these agents."""
    if "voter" not in parameters_of(type(solver)):
        raise InputError(f"the agents of {solver.name} do not vote: --ask needs dpca, dpca+ or wdpca")
    return replace(solver, voter=Person(agents, problem.names, problem.space, deadline=deadline))


def keep_transcript(result: Result, path: Path) -> None:
    """Write what was said, also if it led to no plan."""
    if result.transcript is not None:
        io.write_transcript(result.transcript, path)
    elif result:
        raise InputError(
            f"the agents of {result.solver.name} say nothing to each other: there is no transcript"
        )


def saying_better() -> Callable[[Result], None]:
    """What says a line for every plan that is better than the first."""
    before = count()

    def say_better(result: Result) -> None:
        assert result.plan is not None
        if next(before):
            bound = "" if result.lower_bound is None else f", at least {result.lower_bound}"
            say(f"{result.stats['seconds']:8.2f} s  cost {result.plan.cost}{bound}")

    return say_better


def report(result: Result, output: Path | None, as_json: bool, why: Answer | None = None) -> int:
    """Judge, write and show a result, and why there is no plan; the exit code says whether there is one."""
    judged = validate(result.problem, result.plan) if result.plan is not None else None
    if judged and output is not None:
        io.write_result(result, output)
    written = output if judged else None
    if as_json:
        show_json(described(result, judged, written) | ({} if why is None else {"why": why.data()}))
    else:
        show(facts(f"{result.solver.name}: {result.status}", _rows(result, written)))
        show(*([] if why is None else [why.text]))
    if judged is not None and not judged:
        complain(f"the plan of {result.solver.name} is not valid, please report this: {judged.violations[0]}")
    return 0 if judged else 1


def described(result: Result, judged: Report | None, written: Path | None) -> dict[str, Any]:
    """The result as one flat object."""
    plan = result.plan
    return {
        "status": str(result.status),
        "reason": result.reason,
        "solver": result.solver.name,
        "parameters": plain_parameters(result.solver),
        "seed": result.seed,
        "agents": result.problem.n_agents,
        "valid": None if judged is None else bool(judged),  # None: there is no plan to judge
        "cost": None if plan is None else plan.cost,
        "makespan": None if plan is None else plan.makespan,
        "lower_bound": result.lower_bound,
        "stats": dict(result.stats),
        "output": None if written is None else str(written),
    }


def plain_parameters(solver: Any) -> dict[str, Any]:
    """The parameters as JSON has them; what only Python knows, as it is written there."""
    known = parameters_of(type(solver)).values()
    objects = {one.name: getattr(solver, one.name) for one in known if one.in_python_only}
    given = {name: value for name, value in objects.items() if value is not None}
    without = replace(solver, **dict.fromkeys(given)) if given else solver
    return asdict(without) | {name: repr(value) for name, value in given.items()}


def _rows(result: Result, written: Path | None) -> dict[str, Any]:
    rows: dict[str, Any] = {"reason": result.reason or None, "agents": result.problem.n_agents}
    if result.plan is not None:
        rows |= {
            "cost": cost_against_bound(result.plan, result.lower_bound),
            "steps": result.plan.makespan,
            "waits": waits(result.plan),
        }
    counts = {name: value for name, value in result.stats.items() if not isinstance(value, list)}
    rows |= {name.replace("_", " "): _number(value) for name, value in counts.items()}
    return rows | {"written to": written}


def _number(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)
