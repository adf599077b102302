"""Measurements of sidestep, alone and beside other libraries: `python -m benchmarks` from the checkout."""
