"""Benchmarks: instances, and runs that can be compared."""
