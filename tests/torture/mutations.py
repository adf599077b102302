"""Texts that are almost files: by chance, in characters, lines, numbers and the trees of JSON."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from typing import Any

NUMBERS = (
    *(
        "0",
        "-1",
        "1",
        "2",
        "3",
        "7",
        "16",
        "255",
        "256",
        "65536",
        "40000",
        "0.5",
        "-0",
        "1e9",
        "1e400",
        "-1e-400",
    ),
    *("2147483647", "2147483648", "-2147483648", "4294967296", "9223372036854775807", "9223372036854775808"),
    *(
        "18446744073709551615",
        "999999999",
        "9999999999",
        "00",
        "007",
        "0x10",
        "1_0",
        "٣",
        "²",
        "NaN",
        "inf",
        "+1",
    ),
    *("9" * 50, "9" * 400, "1" + "0" * 5000),
)
PIECES = (
    *(
        "",
        " ",
        "\t",
        "\n",
        "\r\n",
        "\r",
        "\x0b",
        "\x0c",
        "\x1c",
        "\x1e",
        "\x85",
        "\u2028",
        "\xa0",
        "\ufeff",
        "\0",
    ),
    *(
        ",",
        ":",
        ";",
        "=",
        "->",
        "(",
        ")",
        "(0,0)",
        "[",
        "]",
        "{",
        "}",
        '"',
        "'",
        '""',
        "\\",
        "#",
        "@",
        ".",
        "a",
        "A",
    ),
    *(
        "null",
        "true",
        "false",
        "[]",
        "{}",
        "[[]]",
        "-",
        "--",
        "---",
        "*a",
        "&a",
        "!!python/tuple",
        "!x",
        "|",
        ">",
        "~",
    ),
    *(
        " " * 300,
        "\t \t",
        "\n" * 50,
        "." * 300,
        "(" * 300,
        "[" * 3000,
        "é",
        "😀",
        "\ud7ff",
        "%",
        "<",
        ">",
        "?",
    ),
)
VALUES: tuple[Any, ...] = (
    *(
        None,
        True,
        False,
        0,
        1,
        -1,
        2,
        5,
        24,
        25,
        2**31 - 1,
        2**31,
        -(2**31),
        2**53,
        2**63,
        10**30,
        10**400,
        0.5,
        1e300,
    ),
    *(
        "",
        "a",
        "a0",
        "x" * 400,
        "\0",
        "\n",
        "é",
        "😀",
        "#",
        ".",
        "grid",
        "graph",
        "block",
        "goal",
        "agent",
        "8",
        "4",
    ),
    *(
        [],
        {},
        [[]],
        [0],
        [0, 0],
        [1, 2, 3],
        [None],
        ["a"],
        {"a": 1},
        [0] * 300,
        [[0, 1]] * 50,
        [40000],
        {"": None},
    ),
)

Mutation = Callable[[str, random.Random], str]


def mutated(text: str, dice: random.Random, most: int = 4) -> str:
    """The text after one to `most` mutations, of which the first may be of its tree if it is JSON."""
    for _ in range(dice.randint(1, most)):
        text = dice.choice(MUTATIONS)(text, dice)
    return text


def _span(length: int, dice: random.Random, most: int = 40) -> tuple[int, int]:
    begin = dice.randint(0, length)
    return begin, min(length, begin + dice.randint(0, most))


def piece_put(text: str, dice: random.Random) -> str:
    """A piece in place of a few characters, mostly none."""
    begin, end = _span(len(text), dice, dice.choice((0, 0, 1, 5)))
    return text[:begin] + dice.choice(PIECES) + text[end:]


def character_put(text: str, dice: random.Random) -> str:
    begin, end = _span(len(text), dice, 1)
    return text[:begin] + chr(dice.choice((dice.randrange(1, 128), dice.randrange(1, 0x2100)))) + text[end:]


def span_cut(text: str, dice: random.Random) -> str:
    begin, end = _span(len(text), dice)
    return text[:begin] + text[end:]


def span_repeated(text: str, dice: random.Random) -> str:
    begin, end = _span(len(text), dice)
    return text[:end] + text[begin:end] * dice.choice((1, 1, 2, 50)) + text[end:]


def span_moved(text: str, dice: random.Random) -> str:
    begin, end = _span(len(text), dice)
    rest, at = text[:begin] + text[end:], dice.randint(0, len(text))
    return rest[:at] + text[begin:end] + rest[at:]


def line_changed(text: str, dice: random.Random) -> str:
    """A line is dropped, doubled or changes places with another."""
    lines = text.split("\n")
    one, other = dice.randrange(len(lines)), dice.randrange(len(lines))
    kind = dice.randrange(3)
    if kind == 0:
        del lines[one]
    elif kind == 1:
        lines.insert(one, lines[one])
    else:
        lines[one], lines[other] = lines[other], lines[one]
    return "\n".join(lines)


def number_changed(text: str, dice: random.Random) -> str:
    numbers = list(re.finditer(r"-?[0-9]++", text))
    if not numbers:
        return piece_put(text, dice)
    found = dice.choice(numbers)
    near = (
        str(int(found[0][:300]) + dice.choice((-1, 1, 10))) if dice.random() < 0.4 else dice.choice(NUMBERS)
    )
    return text[: found.start()] + near + text[found.end() :]


def cut_off(text: str, dice: random.Random) -> str:
    return text[: dice.randint(0, len(text))]


def tree_changed(text: str, dice: random.Random) -> str:
    """One to three values of a JSON document are others, are gone or are there twice."""
    try:
        tree = json.loads(text)
    except (ValueError, RecursionError):
        return piece_put(text, dice)
    for _ in range(dice.randint(1, 3)):
        holders = [one for one in _nodes(tree) if isinstance(one, (dict, list)) and one]
        if not holders:
            break
        _change(dice.choice(holders), dice)
    try:
        return json.dumps(tree)
    except ValueError:  # digits without end
        return text


def _nodes(tree: Any) -> list[Any]:
    found, stack = [], [tree]
    while stack and len(found) < 3000:
        one = stack.pop()
        found.append(one)
        stack += one.values() if isinstance(one, dict) else one if isinstance(one, list) else ()
    return found


def _change(holder: dict[str, Any] | list[Any], dice: random.Random) -> None:
    keys: list[Any] = [*holder] if isinstance(holder, dict) else [*range(len(holder))]
    key, other, kind = dice.choice(keys), dice.choice(keys), dice.randrange(6)
    container: Any = holder
    if kind == 0:
        del container[key]
    elif kind == 1 and isinstance(holder, list):
        holder.insert(key, holder[other])
    elif kind == 2:
        container[key], container[other] = container[other], container[key]
    elif kind == 3 and type(container[key]) is int:
        container[key] += dice.choice((-1, 1, 2, 100))
    elif kind == 4 and isinstance(container[key], str):
        container[key] = character_put(container[key], dice)
    else:
        container[key] = dice.choice(VALUES)


MUTATIONS: tuple[Mutation, ...] = (
    *(piece_put, character_put, span_cut, span_repeated, span_moved, line_changed, cut_off),
    *(number_changed, number_changed, number_changed, tree_changed, tree_changed, tree_changed),
)
