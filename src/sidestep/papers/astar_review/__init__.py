"""What D. Liu, Research of the Path Finding Algorithm A* in Video Games, claims, put to the test.

The review reports no experiments of its own. It states that a binary heap instead of a list makes A* 2 to 3
times faster on small inputs and orders of magnitude on large ones, that heuristics with preprocessing know
more than geometry, that a search may be interrupted and joined together again, and how units in games can
do with less of it: groups, leaders, targets that move, searches backwards.
"""

from .report import EXPERIMENT

__all__ = ["EXPERIMENT"]
