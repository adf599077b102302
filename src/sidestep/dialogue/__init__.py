"""Agents that argue about who goes first: utterances, stages, channels, transcripts."""

from ..model.errors import ProtocolError
from .channel import Channel
from .negotiation import Impasse, Negotiation, OutOfBudget
from .protocol import check_protocol
from .resolution import ByCost, ByDialogue, Weights
from .transcript import Moment, Transcript
from .utterance import Act, Stage, Topic, Utterance

__all__ = [
    "Act",
    "ByCost",
    "ByDialogue",
    "Channel",
    "Impasse",
    "Moment",
    "Negotiation",
    "OutOfBudget",
    "ProtocolError",
    "Stage",
    "Topic",
    "Transcript",
    "Utterance",
    "Weights",
    "check_protocol",
]
