"""The experiments of the dialogue thesis (its section 5): agents that settle conflicts among themselves.

10,000 maps of 16x16 cells, 8-connected, each cell blocked with a probability of 20%; 2 to 40 agents with
random starts and destinations, some of which cannot be reached; two seconds for each solver on each instance.
The figures themselves are not in the text of the thesis, so the published numbers are those of its tables and
those that its text states.

The thesis ran CPython 3.6, so what it solved in two seconds says how much a solver searches. Two seconds are
far more here. The same question in a unit that has not changed since is how many *moves of single agents* a
solver generates: every instance is run once, and is solved under a budget if it took no more than that.
"""

from .report import EXPERIMENT

__all__ = ["EXPERIMENT"]
