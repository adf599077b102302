"""Agents that talk to each other over a network, each with its own knowledge: simulated, or as processes."""

from .agent import Agent, Brief
from .outcome import Run
from .simulator import Faults, Log, run

__all__ = ["Agent", "Brief", "Faults", "Log", "Run", "run"]
