"""The programme that attacks the library: rows of cases by number, run in processes of their own.

`python -m tests.torture --minutes 90` runs every row and prints one table. A row is a module in `rows/`.
"""
