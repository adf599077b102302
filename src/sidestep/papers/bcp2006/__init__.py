"""The experiments of A. Geramifard, P. Chubak and V. Bulitko, Biased Cost Pathfinding (AIIDE 2006).

Open 8-connected ground. Scenario one, *rescue the hero*: up to nine units in a 3x3 block at the top move
down, and a hero of higher priority, ten moves from its goal, moves up through them. Three extensions of it
count the damage that attackers do to the hero. Scenario two: two blocks pass through each other. The drawings
of the paper and the bars of its figures are not in its text: where blocks begin and end is ours, and the
published numbers are those that the text and its table state.
"""

from .report import EXPERIMENT

__all__ = ["EXPERIMENT"]
