"""Every type of the core has a name of its own.

Two types of one name in one namespace break C++'s rule of one definition. No compiler says so where no file
sees both: the linker takes what templates make of one, such as a vector's functions, for the other.
"""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

CPP = Path(__file__).parents[2] / "cpp"
OPENS = re.compile(r"namespace ?([\w:]*) \{$")
TYPE = re.compile(r"(?:struct|class|enum class) (\w+)(?: final)?(?: :[^;]*)? \{")
COMMENT = re.compile(r"//.*")


def types_of(text: str) -> set[str]:
    """The types that stand in a namespace with a name: others are of one file alone, or inside a type."""
    found, namespaces = set[str](), list[str]()
    for line in text.splitlines():
        if opened := OPENS.match(line):
            namespaces.append(opened[1])
        elif line.startswith("}  // namespace"):
            namespaces.pop()
        elif namespaces and "" not in namespaces and (declared := TYPE.match(COMMENT.sub("", line).rstrip())):
            found.add("::".join([*namespaces, declared[1]]))
    return found


def test_types_and_their_namespaces_are_found() -> None:
    text = """
namespace sidestep {
struct Plain;
struct Plain {
    struct Inner {
};
namespace {
class Hidden {
}  // namespace
enum class Kind : std::uint8_t { one, two };
namespace cbs {
class Derived final : public Plain {  // a comment
}  // namespace cbs
}  // namespace sidestep
"""
    assert types_of(text) == {"sidestep::Plain", "sidestep::Kind", "sidestep::cbs::Derived"}


def test_every_type_is_declared_in_one_file() -> None:
    places = defaultdict(list)
    for folder in ("include", "src", "bindings"):
        for path in sorted((CPP / folder).rglob("*.[hc]pp")):
            for name in types_of(path.read_text(encoding="utf-8")):
                places[name].append(str(path.relative_to(CPP)))
    assert len(places) > 100
    assert {name: files for name, files in places.items() if len(files) > 1} == {}
