"""Benchmarks: instances, and measurements that can be repeated with `python -m sidestep.bench`."""
