"""`python -m sidestep` is the command line."""

from .cli import process

process()
