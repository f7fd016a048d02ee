"""What holds for every test."""

from __future__ import annotations

import gc

from hypothesis import settings

# The same examples in every run, and as long as they take: a busy machine or a lucky draw decides nothing. Long random
# runs have a marker of their own (`-m fuzz`).
settings.register_profile("promptscope", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("promptscope")


def pytest_collection_finish() -> None:
    """Leave thousands of collected tests to themselves: the garbage collector took a quarter of the suite's time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
