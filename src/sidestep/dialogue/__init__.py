"""Agents that argue about who goes first: utterances, stages, channels, transcripts."""

from ..model.errors import ProtocolError
from .channel import Channel
from .negotiation import Impasse, Negotiation, OutOfBudget
from .person import Person
from .planners import PathPlanner, PathRequest
from .protocol import check_protocol
from .resolution import ByCost, ByDialogue
from .transcript import Moment, Transcript
from .utterance import Act, Action, Reason, Stage, Topic, Utterance
from .voters import (
    VETO,
    Loads,
    Proposal,
    Recharging,
    Schedules,
    Stake,
    Together,
    Urgency,
    Voter,
    WeightedSum,
    Weights,
    WeightsBy,
)

__all__ = [
    "VETO",
    "Act",
    "Action",
    "ByCost",
    "ByDialogue",
    "Channel",
    "Impasse",
    "Loads",
    "Moment",
    "Negotiation",
    "OutOfBudget",
    "PathPlanner",
    "PathRequest",
    "Person",
    "Proposal",
    "ProtocolError",
    "Reason",
    "Recharging",
    "Schedules",
    "Stage",
    "Stake",
    "Together",
    "Topic",
    "Transcript",
    "Urgency",
    "Utterance",
    "Voter",
    "WeightedSum",
    "Weights",
    "WeightsBy",
    "check_protocol",
]
