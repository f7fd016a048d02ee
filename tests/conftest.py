"""What holds for every test."""

from __future__ import annotations

import gc


def pytest_collection_finish() -> None:
    """Leave thousands of collected tests to themselves: the garbage collector took a quarter of the suite's time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
