"""A frame that draws only what changed shows the same as Textual's own, which draws all around it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from rich.cells import cell_len
from tests.tui.support.roo_shop import roo_shop_at
from tests.tui.support.user import running
from textual._compositor import ChopsUpdate, Compositor, LayoutUpdate
from textual.geometry import Region
from textual.strip import Strip

from promptscope_tui.screens.compositor import SparingCompositor

pytestmark = pytest.mark.slow


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
    async with running(roo_shop_at(tmp_path), (140, 40)) as user:
        monkeypatch.setattr(SparingCompositor, "render_partial_update", both)
        for key in ("j", "space", "pagedown", "f", "j", "j", "space", "u", "3", "1", "slash", "a"):
            await user.press(key)
            user.app.main._compositor._dirty_regions |= {Region(3, 5, 60, 4), Region(100, 6, 12, 1)}
            user.app.main._compositor.render_update(screen_stack=[])
    assert len(compared) > 10
    assert min(compared) < 10 < max(compared)


class _Seen:
    """What stands on a terminal that gets nothing but the frames."""

    def __init__(self) -> None:
        self.lines: dict[int, dict[int, str]] = {}

    def take(self, update: ChopsUpdate | LayoutUpdate | None) -> None:
        """Draw a frame, or the lines of one that changed."""
        if isinstance(update, LayoutUpdate):
            for y, parts in enumerate(update.strips):
                self._put(y, 0, "".join(strip.text for strip in parts))
        elif update is not None:
            for y, x, strip in _cells(update):
                self._put(y, x, strip.text)

    def _put(self, y: int, x: int, text: str) -> None:
        line = self.lines.setdefault(y, {})
        for char in text:
            line[x] = char
            if cell_len(char) == 2:
                line[x + 1] = ""
            x += cell_len(char)

    @property
    def text(self) -> list[str]:
        return ["".join(char for _, char in sorted(line.items())) for _, line in sorted(self.lines.items())]


async def test_all_that_looks_different_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a note comes and goes above the footer, a page gets longer or shorter, the scroll bar appears."""
    seen, regions = _Seen(), list[set[Region]]()
    partly, whole = SparingCompositor.render_partial_update, Compositor.render_full_update

    def partial_update(self: SparingCompositor) -> ChopsUpdate | None:
        regions.append(set(self._dirty_regions))
        update = partly(self)
        seen.take(update)
        return update

    def full_update(self: Compositor, simplify: bool = False) -> LayoutUpdate:
        update = whole(self, simplify)
        seen.take(update)
        return update

    async with running(roo_shop_at(tmp_path), (140, 40)) as user:
        monkeypatch.setattr(SparingCompositor, "render_partial_update", partial_update)
        monkeypatch.setattr(SparingCompositor, "render_full_update", full_update)
        user.app.main.refresh()
        await user.settle()
        for key in ("j", "z", "Z", "f", "j", "j", "space", "u", "ctrl+r", "N", "3", "1", "G", "space"):
            if key == "N":
                regions.clear()
                user.app.main.note("a note that is too long for the footer " * 4)
                await user.pause()
                drawn = [tuple(each.size) for changed in regions for each in changed if each.width > 1]  # no scroll bar
                assert drawn
                assert all(height < 5 for _, height in drawn), drawn
            else:
                await user.press(key)
            await user.settle()
            assert seen.text == [strip.text for strip in user.app.main._compositor.render_strips()], key
