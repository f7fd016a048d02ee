"""Pictures of the user, compared with the kept ones in `screenshots/`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from .user import User

FOLDER = Path(__file__).parents[3] / "screenshots"
UPDATE = "PROMPTSCOPE_UPDATE_SCREENSHOTS"


async def take(
    name: str,
    user: User,
    keys: Iterable[str] = (),
    *,
    size: tuple[int, int] | None = None,
    back: Iterable[str] = (),
) -> None:
    """Compare the picture after these keys, in a terminal of this size; then the keys that lead back."""
    if size and size != tuple(user.app.size):
        await user.resize(*size)
    await user.press(*keys)
    await user.settle_all()
    compare(name, user.picture())
    await user.press(*back)


def compare(name: str, svg: str) -> None:
    """Compare a picture with the kept one, or keep it."""
    svg = re.sub(r"terminal-\d+-", "terminal-", svg)  # Rich numbers pictures by a hash of what is on them
    kept = FOLDER / f"{name}.svg"
    if os.environ.get(UPDATE):
        FOLDER.mkdir(exist_ok=True)
        kept.write_text(svg, encoding="utf-8")
        return
    assert kept.exists(), f"{kept.name} is missing: make it with {UPDATE}=1"
    if svg != kept.read_text(encoding="utf-8"):
        seen = kept.with_suffix(".seen.svg")
        seen.write_text(svg, encoding="utf-8")
        pytest.fail(f"{kept.name} has changed: look at {seen}, and keep it with {UPDATE}=1")
