"""Files of the repository that are made from the code: a test compares, and writes them where it is told to."""

from __future__ import annotations

import os
from difflib import unified_diff
from itertools import islice
from pathlib import Path

ROOT = Path(__file__).parents[2]
UPDATE = "PROMPTSCOPE_UPDATE_GENERATED"


def assert_current_between(name: str, begins: str, ends: str, text: str) -> None:
    """Hold what is between two marks of a file to what it should hold."""
    before, _, rest = (ROOT / name).read_text(encoding="utf-8").partition(begins)
    assert_current(name, f"{before}{begins}{text}{ends}{rest.partition(ends)[2]}")


def assert_current(name: str, text: str) -> None:
    """Hold the file with that name, relative to the repository's root, to what it should hold."""
    file = ROOT / name
    if os.environ.get(UPDATE):
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert file.exists(), f"{name} is missing: make it with {UPDATE}=1"
    found, wanted = file.read_text(encoding="utf-8").splitlines(), text.splitlines()
    change = "\n".join(islice(unified_diff(found, wanted, "found", "wanted", lineterm="", n=0), 12))
    assert not change, f"{name} is out of date: look at the difference with {UPDATE}=1\n{change}"
