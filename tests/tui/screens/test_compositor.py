"""A frame that draws only what changed shows the same as Textual's own, which draws all around it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from tests.tui.support.shop import running, settled, shop_at
from textual._compositor import ChopsUpdate, Compositor
from textual.geometry import Region
from textual.strip import Strip

from promptscope_tui.screens.compositor import SparingCompositor


def _cells(update: ChopsUpdate) -> Iterator[tuple[int, int, Strip]]:
    """What is written: line, column, and the strip that is there."""
    for y, x1, x2 in update.spans:
        line: Mapping[int, Strip | None] = update.chops[y]
        for end, (x, strip) in zip(update.chop_ends[y], line.items(), strict=True):
            if x < x2 and end > x1:
                assert strip is not None, (y, x)
                yield y, x, strip


async def test_frames_are_those_that_textual_draws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[int] = []

    def both(self: SparingCompositor) -> ChopsUpdate | None:
        changed = set(self._dirty_regions)
        mine = ours(self)
        self._dirty_regions = changed
        theirs = Compositor.render_partial_update(self)
        if mine is None or theirs is None:
            assert mine is theirs
            return mine
        assert mine.spans == theirs.spans
        assert list(_cells(mine)) == list(_cells(theirs))
        compared.append(len(mine.spans))
        return mine

    ours = SparingCompositor.render_partial_update
    async with running(shop_at(tmp_path), (140, 40), painted=True) as (app, pilot):
        monkeypatch.setattr(SparingCompositor, "render_partial_update", both)
        for key in ("j", "space", "pagedown", "f", "j", "j", "space", "u", "3", "1", "slash", "a"):
            await pilot.press(key)
            await settled(app, pilot)
            app.main._compositor._dirty_regions |= {Region(3, 5, 60, 4), Region(100, 6, 12, 1)}
            app.main._compositor.render_update(screen_stack=[])
    assert len(compared) > 10
    assert min(compared) < 10 < max(compared)
