"""The experiments of D. Silver, Cooperative Pathfinding (AIIDE 2005).

Ten maps of 32x32 cells, 4-connected, a fifth of the cells blocked and disconnected pockets filled; random
starts and destinations, no two alike; 100 turns; 10 to 100 agents. The figures themselves are not in the
text of the paper, so the published numbers are those that its text states.
"""

from .report import EXPERIMENT

__all__ = ["EXPERIMENT"]
