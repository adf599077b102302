"""The published experiments, one module each, with the published numbers; `sidestep reproduce` runs them."""

from __future__ import annotations

from types import ModuleType

PAPERS: dict[str, ModuleType] = {}
