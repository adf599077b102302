"""What most solvers have in common, those that know only agents of one cell that may move every turn."""

from __future__ import annotations

from typing import ClassVar

from .parameters import check_parameters
from .printed import PrintedForm
from .solver import SolverInfo, unit_agents_only


class UnitAgentSolver:
    """Checks parameters, refuses large and slow agents, and has `as_printed`. Nobody has to be one."""

    name: ClassVar[str]
    info: ClassVar[SolverInfo]

    def __post_init__(self) -> None:
        check_parameters(self)

    supports = unit_agents_only
    as_printed = PrintedForm()
