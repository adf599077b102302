"""Writes what follows from the list of solvers in src/sidestep/solvers/registry.py and from their parameters.

- src/sidestep/solvers/listed.py imports every solver by name, so that type checkers see the names.
- src/sidestep/_signatures.pyi is what type checkers know of `sidestep.solve`: each name with its parameters.
- docs/reference/solvers.md describes every class.
- docs/algorithms/*.md: the tables of parameters between `<!-- parameters of NAME, NAME -->` and
  `<!-- end of parameters -->`, and those of deviations from the paper between
  `<!-- printed form of NAME, NAME -->` and `<!-- end of printed form -->`, with the gains that
  docs/gains.json has.

Usage: .venv/bin/python scripts/write_solvers.py [--check]
With --check nothing is written: the exit code is 1 if a file would change, and those files are named.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sidestep.solvers.parameters import Parameter

RUN = ".venv/bin/python scripts/write_solvers.py"
ROOT = Path(__file__).parents[1]
SOLVERS = ROOT / "src" / "sidestep" / "solvers"
PAGES = ROOT / "docs" / "algorithms"
REFERENCE = ROOT / "docs" / "reference" / "solvers.md"
GAINS = ROOT / "docs" / "gains.json"
TABLE = re.compile(
    r"(?P<begin><!-- (?P<kind>parameters|printed form) of (?P<names>[^>]+) -->\n)"
    r".*?(?P<end><!-- end of (?P=kind) -->)",
    re.DOTALL,
)


def main() -> int:
    """Writes or checks; the exit code."""
    is_check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not is_check:
        print(__doc__, file=sys.stderr)
        return 2
    changed = update(SOLVERS / "listed.py", module_of(listed()), is_check)
    changed += update(REFERENCE, reference_of(listed()), is_check)
    if not (is_check and changed):  # the rest is of the solvers that listed.py imports
        changed += update(SOLVERS.parent / "_signatures.pyi", signatures(), is_check)
        for page in sorted(PAGES.glob("*.md")):
            changed += update(page, TABLE.sub(with_table, page.read_text(encoding="utf-8")), is_check)
    if is_check and changed:
        print(f"not as the solvers declare it: {', '.join(changed)}; run {RUN}")
    return 1 if is_check and changed else 0


def update(path: Path, text: str, is_check: bool) -> list[str]:
    """The file's name if its text is another; it is written unless that is only checked."""
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return []
    if not is_check:
        path.write_text(text, encoding="utf-8")
    return [str(path.relative_to(ROOT))]


# The module with all names


def listed() -> list[tuple[str, str]]:
    """The modules and classes in the registry's list; read without an import, which needs what is written."""
    for node in ast.parse((SOLVERS / "registry.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "LISTED":
            return [tuple(entry.split(".")) for entry in ast.literal_eval(node.value)]
    raise SystemExit("there is no LISTED in registry.py")


def module_of(entries: list[tuple[str, str]]) -> str:
    """The text of listed.py."""
    modules = sorted({module for module, _ in entries} | {"solver"})
    of_module = {
        module: in_order([name for of, name in entries if of == module]) or ["Solver"] for module in modules
    }
    lines = [
        '"""Every solver by name. Written by scripts/write_solvers.py from the list in registry.py."""\n',
        *(f"from .{module} import {', '.join(names)}" for module, names in of_module.items()),
        "\nCLASSES: tuple[type[Solver], ...] = (",
        *(f"    {name}," for _, name in entries),
        ")\n\n__all__ = [",
        *(f'    "{name}",' for name in in_order([name for _, name in entries])),
        "]\n",
    ]
    return "\n".join(lines)


def in_order(names: list[str]) -> list[str]:
    """As ruff sorts them: those in capitals first."""
    return sorted(names, key=lambda name: (not name.isupper(), name))


# The page of the reference

REFERENCE_HEADING = """# Solvers

Classes of solvers with their parameters; [pages about the algorithms](../index.md#algorithms) say what they
do.
"""
REFERENCE_ENTRY = """
```{{eval-rst}}
.. autoclass:: sidestep.{name}
   :members:
```
"""


def reference_of(entries: list[tuple[str, str]]) -> str:
    """The text of docs/reference/solvers.md."""
    return REFERENCE_HEADING + "".join(REFERENCE_ENTRY.format(name=name) for _, name in entries)


# What type checkers know

HEADING = '''"""What type checkers know of `solve`: a misspelt solver or parameter is an error.

Written by scripts/write_solvers.py from the list in registry.py and the parameters of the solvers.
"""

from typing import Any, Literal, TypedDict, Unpack, overload

from .budget import OnPlan, OnProgress, StopFlag
from .model.problem import Problem
from .model.result import Result
from .solvers import Solver

'''
SIGNATURE = """@overload
def solve(problem: Problem, solver: {solver}, **given: Unpack[{given}]) -> Result: ...
"""


def given_to(solver: type[Any] | None) -> str:
    """The name of all that may be given with a solver's name; without one, that is limits."""
    return "Limits" if solver is None else f"{solver.__name__}Parameters"


def limits() -> str:
    """The type of what may be given with any solver: the limits that `solve` takes."""
    from sidestep.solve import solve  # noqa: PLC0415  # needs listed.py, now written

    named = [one for one in inspect.signature(solve).parameters.values() if one.kind is one.KEYWORD_ONLY]
    fields = "".join(f"    {one.name}: {one.annotation}\n" for one in named)
    return f"class {given_to(None)}(TypedDict, total=False):\n{fields}"


def signatures() -> str:
    """The text of _signatures.pyi."""
    from sidestep.solvers.parameters import parameters_of  # noqa: PLC0415  # needs listed.py, now written
    from sidestep.solvers.registry import DEFAULT, SOLVERS  # noqa: PLC0415

    hints = {
        solver: {name: hint(one) for name, one in parameters_of(solver).items()}
        for solver in SOLVERS.values()
    }
    parts = [HEADING, limits()]
    for solver, own in hints.items():
        bases = [one for one in solver.__mro__[1:] if one in hints and hints[one].items() <= own.items()]
        base = bases[0] if bases else None
        begun, new = f"\nclass {given_to(solver)}({given_to(base)}, total=False):", own.items()
        if base is not None:
            new = [one for one in new if one[0] not in hints[base]]
        lines = [f"    {name}: {kind}\n" for name, kind in new]
        parts.append(f"{begun}\n{''.join(lines)}" if lines else f"{begun} ...\n")
    parts.append("\n")
    for name, solver in SOLVERS.items():
        default = " = ..." if name == DEFAULT else ""
        word = f"Literal[{code(name)[1:-1]}]{default}"
        parts.append(SIGNATURE.format(solver=word, given=given_to(solver)))
    parts.append(SIGNATURE.format(solver="Solver", given=given_to(None)))
    return "".join(parts)


def hint(one: Parameter) -> str:
    """The type of a parameter's values."""
    if one.function or one.protocols or not (one.type or one.words):
        return "Any"
    words = ", ".join(code(word)[1:-1] for word in one.words)
    kinds = [*([one.type.__name__] if one.type else []), *([f"Literal[{words}]"] if words else [])]
    return " | ".join([*kinds, *(["None"] if one.optional else [])])


# The tables


def with_table(match: re.Match[str]) -> str:
    """A place for a table with its table."""
    names = [name.strip() for name in match["names"].split(",")]
    made = table(names) if match["kind"] == "parameters" else printed_table(names)
    return f"{match['begin']}\n{made}\n{match['end']}"


def table(names: list[str]) -> str:
    """The parameters of some solvers, with a column of defaults for each."""
    from sidestep.solvers.parameters import parameters_of  # noqa: PLC0415  # needs listed.py, now written
    from sidestep.solvers.registry import solver_class  # noqa: PLC0415

    owned = [parameters_of(solver_class(name)) for name in names]
    headings = ["default"] if len(names) == 1 else [f"`{name}`" for name in names]
    rows = [["name", *headings, "values", "meaning"], ["---"] * (len(names) + 3)]
    for name, one in {name: one for known in reversed(owned) for name, one in known.items()}.items():
        defaults = [code(known[name].default) if name in known else "" for known in owned]
        rows.append([f"`{name}`", *defaults, values(one), one.help])
    return in_markdown(rows)


def printed_table(names: list[str]) -> str:
    """What is not as printed in some solvers; a row says it for all of them that have it."""
    from sidestep.solvers.printed import deviations_of  # noqa: PLC0415  # needs listed.py, now written
    from sidestep.solvers.registry import solver_class  # noqa: PLC0415

    owned = {name: deviations_of(solver_class(name)) for name in names}
    if not any(owned.values()):
        return "Nothing: the usual parameters are the paper's.\n"
    rows = [["parameter", "printed", "ours", "why", "measured gain"], ["---"] * 5]
    for name, one in {name: one for known in reversed(owned.values()) for name, one in known.items()}.items():
        values = [per_solver(owned, name, what) for what in ("printed", "default")]
        rows.append([f"`{name}`", *values, one.why, measured_gain([*owned], name)])
    return in_markdown(rows)


def measured_gain(solvers: list[str], parameter: str) -> str:
    """What `python -m benchmarks.gains --write` has kept of a parameter, for each solver that has it."""
    kept = json.loads(GAINS.read_text(encoding="utf-8"))
    said = {
        solver: kept[solver][parameter]["said"] for solver in solvers if parameter in kept.get(solver, {})
    }
    if len(solvers) == 1:
        return said[solvers[0]]
    return "; ".join(f"{solver}: {words}" for solver, words in said.items())


def per_solver(owned: dict[str, dict[str, Parameter]], name: str, what: str) -> str:
    """A value of a parameter; where solvers differ in it, that of each."""
    shown = {solver: code(getattr(known[name], what)) for solver, known in owned.items() if name in known}
    if len({*shown.values()}) == 1 and len(shown) == len(owned):
        return next(iter(shown.values()))
    return ", ".join(f"{solver}: {value}" for solver, value in shown.items())


def in_markdown(rows: list[list[str]]) -> str:
    """Rows of cells as a table."""
    return "".join(f"| {' | '.join(row)} |\n" if row[0] != "---" else f"|{'|'.join(row)}|\n" for row in rows)


def values(one: Parameter) -> str:
    """What a parameter may be."""
    words = [code(word) for word in one.words]
    numbers = {int: "whole numbers", float: "numbers"}
    if one.type is bool:
        words += [code(True), code(False)]
    elif one.type in numbers:
        most = "" if one.most is None else f" to {one.most:,}"
        words.insert(0, f"{numbers[one.type]} from {one.least}{most}")
    words += one.objects
    if one.optional:
        words.append(code(None))
    return ", ".join(words)


def code(value: Any) -> str:
    """A value as it is written in Python; numbers stay plain."""
    if isinstance(value, str):
        return f'`"{value}"`'
    return f"`{value}`" if value is None or isinstance(value, bool) else f"{value}"


if __name__ == "__main__":
    sys.exit(main())
