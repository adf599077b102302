"""One word per idea: words that docs/glossary.md has in brackets, or that were given up, do not come back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
GLOSSARY = ROOT / "docs" / "glossary.md"
REJECTED = [
    word.strip()
    for words in re.findall(r"\[([^][]+)\](?!\()", GLOSSARY.read_text(encoding="utf-8"))
    for word in words.split(",")
]
# Rejected for one idea, and the right word for another. These are not looked for.
OTHER_MEANINGS = {
    "instance": "a problem of a benchmark; an object of a class",
    "solution": "a field of other programs' files",
    "weight": "what counts in a vote; how cardinal a conflict of CBS is",
}
# Plain words say it better.
WORDY = ["whoever", "so many", "so much so", "what is by that name", "as it should be"]
# These were words of ours, and in pages they may be those of others.
RETIRED = [
    "crew",
    "settling",
    "parley",
    "altruism",
    "programme",
    "workshop",
    "take note",
    "traveller",
    "remark",
]
# Where a word belongs to somebody else: the words of a paper, the field of a file.
ELSEWHERE = {
    "true distance": ("/search/",),  # a heuristic of the review of A*
    "open list": ("/papers/",),
    "remark": ("viewer/payload.py", "player/scene.js"),  # a field of payloads that were written before
}


def words_of(path: Path) -> str:
    """The words of a file in lower case, in identifiers too, and marks, since no phrase goes beyond one.

    What a page has in *italics* is quoted and left out.
    """
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        text = re.sub(r"(?<!\*)\*(?!\*)[^*\n]+\*(?!\*)", "", text)
    return " ".join(re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\w\s/*#-]", text)).lower()


@pytest.fixture(scope="module")
def written() -> dict[str, str]:
    """The words of all sources and pages, by path."""
    suffixes = (".py", ".js", ".hpp", ".cpp", ".md")
    paths = [path for top in ("src", "cpp", "docs") for path in (ROOT / top).rglob("*")]
    return {
        path.relative_to(ROOT).as_posix(): words_of(path)
        for path in paths
        if path.suffix in suffixes and path != GLOSSARY
    }


def files_with(word: str, written: dict[str, str]) -> list[str]:
    """The paths that use a word, where it is not somebody else's."""
    plain = word.lower()
    pattern = re.compile(rf"\b{plain}s?\b")
    owners = ELSEWHERE.get(word, ())
    return [
        path
        for path, words in written.items()
        if plain in words and pattern.search(words) and not any(part in path for part in owners)
    ]


@pytest.mark.parametrize("word", [*WORDY, *(word for word in REJECTED if word not in OTHER_MEANINGS)])
def test_a_rejected_word_is_not_used(word: str, written: dict[str, str]) -> None:
    assert files_with(word, written) == []


@pytest.mark.parametrize("word", RETIRED)
def test_a_word_that_was_given_up_does_not_come_back(word: str, written: dict[str, str]) -> None:
    sources = {path: words for path, words in written.items() if not path.startswith("docs/")}
    assert files_with(word, sources) == []


def test_the_exceptions_are_exceptions(written: dict[str, str]) -> None:
    """Each is a word that is looked for or rejected, and is still used where it may be."""
    assert set(OTHER_MEANINGS) <= set(REJECTED)
    assert set(ELSEWHERE) <= {*REJECTED, *RETIRED}
    for word, parts in ELSEWHERE.items():
        for part in parts:
            assert any(part in path and re.search(rf"\b{word}", words) for path, words in written.items())


def test_words_are_found_inside_identifiers_and_not_in_quotations(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    text = "The *abstract distance* of `MddNode.take_note`, **bold** and OPEN lists."
    page.write_text(text, encoding="utf-8")
    assert words_of(page) == "the of ` mdd node . take note ` , bold and open lists ."
