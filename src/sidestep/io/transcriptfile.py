"""Transcript files: what agents said, as JSON, `{"format": "sidestep-transcript", "version": 2, ...}`.

`space` is as in plan files. `rounds` has the time at which each round of planning begins, `topics` the
conflict of each dialogue as `[time in its round, vertex, [agents]]`. `utterances` are in the order in which
they were made; `dialogue` is -1 for paths told outside of any. `order` (pairs of superior and inferior),
`path` (vertices from the beginning of the round on) and `vote` are there where they belong to what was said.

Version 2 adds `reasons` of votes and vetoes, `[word, sentence, number or null]`, `gives_up`, single actions
`[agent, from or -1, to, time in its round]`, bystanders who are asked, and `among`: who talks in rounds in
which not everybody does, `[round, [agents]]`. What has none of these is written as version 1.
"""

from __future__ import annotations

from ..dialogue.transcript import Transcript
from ..dialogue.utterance import Act
from ..model.errors import FormatError, InputError
from .files import FilePath, Readable, load, store_text
from .format import our_format
from .jsonfile import laid_out, versioned
from .spaces import space_entry, space_from

FORMAT = "sidestep-transcript"
VERSION = 2
_NEWS = ", with things said that this one does not know"


def write_transcript(transcript: Transcript, path: FilePath) -> None:
    """Writes a transcript file: the same transcript gives the same bytes.

    Args:
        transcript: What was said.
        path: The file.

    Raises:
        InputError: The file cannot be written.
    """
    store_text(path, dumps_transcript(transcript))


def dumps_transcript(transcript: Transcript) -> str:
    """The text of such a file."""
    head = {"format": FORMAT, "version": version_for(transcript), "space": space_entry(transcript.space)}
    return laid_out({**head, **transcript.data()})


def version_for(transcript: Transcript) -> int:
    """The earliest version that knows all that is in a transcript."""
    new = transcript.among or any(
        said.reasons or said.gives_up or said.act is Act.ASK for said in transcript.utterances
    )
    return 2 if new else 1


def read_transcript(path: Readable) -> Transcript:
    """Reads a transcript file. The protocol is not checked.

    Args:
        path: The file.

    Returns:
        What was said, in its order: equal to the transcript that was written.

    Raises:
        InputError: The file cannot be read; as a FormatError, it is malformed or of a newer version.
    """
    record = versioned(load(path), FORMAT, VERSION, _NEWS)
    space = space_from(record.record("space"))
    names = ("names", "silent", "rounds", "topics", "utterances")
    data = {name: record.get(name) for name in names}
    if record.has("keep_orders"):
        data["keep_orders"] = record.flag("keep_orders")
    if record.has("held_topics"):
        data["held_topics"] = record.get("held_topics")
    if record.has("among"):
        data["among"] = record.get("among")
    record.done()
    try:
        return Transcript.from_data(space, data)
    except InputError as error:
        raise FormatError(str(error), source=record.source) from None


TRANSCRIPT_FORMAT = our_format(
    "transcript",
    FORMAT,
    "transcript",
    loads={Transcript: read_transcript},
    dumps={Transcript: dumps_transcript},
)
