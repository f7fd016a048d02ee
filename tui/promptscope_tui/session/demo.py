"""The sample that `--demo` opens: a small repository with files for every agent."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from pathlib import Path

_SAMPLE = Path(__file__).parent / "demo_shop"


def demo_folder() -> str:
    """A copy of the sample in a temporary folder, where anything may be tried; it goes when the process ends."""
    place = tempfile.mkdtemp(prefix="promptscope-demo-")
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    return shutil.copytree(_SAMPLE, f"{place}/shop")
