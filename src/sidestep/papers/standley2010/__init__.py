"""The experiments of T. Standley, Finding Optimal Solutions to Cooperative Pathfinding Problems (AAAI 2010).

10,000 maps of 32x32 cells, 8-connected, each cell blocked with a probability of 20%; 2 to 60 agents with
random starts and destinations; one second for each solver on each instance. The figures themselves are not
in the text of the paper, so the published numbers are those that its text states.
"""

from .report import EXPERIMENT

__all__ = ["EXPERIMENT"]
