"""Records the README's moving picture: a save, a switch, a reason, in the sample of `--demo`.

    uv run --group test python screenshots/record.py

It is one SVG of several pictures of the app, which a style shows one after the other. Clock, machine and home are
frozen.
"""

from __future__ import annotations

import asyncio
import re
import shutil
import sys
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT)]

from tests.tui.support.user import running  # noqa: E402  (it is found from there)

from promptscope_engine.inputs.pinned import PINNED  # noqa: E402
from promptscope_engine.inputs.scenario import Scenario  # noqa: E402

PICTURE = Path(__file__).with_name("moving.svg")
PLACE = Path("/tmp/promptscope-moving")
"""The folder of the sample: the same on every machine, since the pictures show it."""

_SAMPLE = ROOT / "tui" / "promptscope_tui" / "session" / "demo_shop"
_SIZE = (140, 34)
_SECONDS = 4
_CAPTION = 40
"""The height of the line above the pictures."""

Frame = tuple[str, str]
"""What is seen, and the picture."""


async def frames(shop: Path) -> AsyncIterator[Frame]:
    """What somebody does and sees."""
    given = {"agent": "claude-code", "workspace": str(shop), "home": str(shop.parent / "home"), "env": {}}
    scenario = Scenario.of(given).model_copy(update={"attended": True, "environment": PINNED})
    async with running(scenario, _SIZE, agents=True, effects=True) as user:

        async def seen(words: str) -> Frame:
            await user.settle_all()
            return words, user.picture()

        file = shop / "CLAUDE.md"
        await user.press("escape", "slash", *"corner shop", "enter", "escape")
        yield await seen("What Claude Code gets as its prompt in this folder, and where each part comes from")
        await user.save(file, file.read_text("utf-8") + "\n- Ask before you add a currency.\n")
        yield await seen("Save CLAUDE.md: its panel, the total and the header say what changed")
        user.app.main.header.saved = ""  # in the app it goes after some seconds
        await user.controls.row("plan").press()
        yield await seen("Before a switch is flipped it says what it would add or save")
        await user.press("enter")
        yield await seen("Flip it: what appears, what vanishes, and what it costs")
        await user.press("1", "slash", *"agent's own prompt", "enter", "escape")
        yield await seen("What is absent has its place, too, with the reason and what would bring it in")


def joined(pictures: Sequence[Frame]) -> str:
    """The pictures in one SVG, each shown for some seconds, with its words above."""
    width, height = map(float, re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', pictures[0][1])[0])
    share = 100 / len(pictures)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height + _CAPTION}">',
        "<style>.frame { visibility: hidden; animation: turn "
        f"{_SECONDS * len(pictures)}s step-end infinite; }}"
        f"@keyframes turn {{ 0% {{ visibility: visible; }} {share:.2f}% {{ visibility: hidden; }} }}"
        ".words { font: 18px sans-serif; fill: #7a8699; }</style>",
    ]
    for number, (words, svg) in enumerate(pictures):
        inner = re.sub(r"terminal-\d+-", f"frame{number}-", svg)
        inner = inner.replace("<svg ", f'<svg y="{_CAPTION}" width="{width}" height="{height}" ', 1)
        parts += [
            f'<g class="frame" style="animation-delay: {_SECONDS * number - _SECONDS * len(pictures)}s">',
            f'<text class="words" x="8" y="26">{number + 1}. {words}</text>{inner}</g>',
        ]
    return "\n".join([*parts, "</svg>\n"])


async def recorded() -> str:
    """The moving picture."""
    shutil.rmtree(PLACE, ignore_errors=True)
    shop = Path(shutil.copytree(_SAMPLE, PLACE / "shop"))
    try:
        return joined([each async for each in frames(shop)])
    finally:
        shutil.rmtree(PLACE)


if __name__ == "__main__":
    PICTURE.write_text(asyncio.run(recorded()), "utf-8")
