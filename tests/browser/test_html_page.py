"""The HTML page in Chromium: folds, searches, and asks for nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.support.roo_shop import roo_shop_at

from promptscope_engine import assemble
from promptscope_tui.commands.html_page import html_page

pytestmark = pytest.mark.browser

HOSTILE = (
    "Say quetzal.\n</pre><script>document.title = 'owned'</script><img src=x onerror=\"document.title='owned'\">\n"
)
_OPEN = "[...document.querySelectorAll('details.part')].filter(part => part.open).length"
_SHOWN = "[...document.querySelectorAll('details.part')].filter(part => part.checkVisibility()).length"


@pytest.fixture
def page(tmp_path: Path) -> Path:
    scenario = roo_shop_at(tmp_path)
    (tmp_path / "shop" / ".roo" / "rules" / "bird.md").write_text(HOSTILE)
    assembly = assemble(scenario)
    file = tmp_path / "page.html"
    file.write_text(html_page(assembly, assembly.sections), encoding="utf-8")
    return file


async def test_the_page_searches_and_folds(page: Path, tmp_path: Path) -> None:
    from .chromium import tab

    async with tab(tmp_path / "profile") as browser:
        await browser.open(page.as_uri())
        assert browser.requests == [page.as_uri()]
        assert "owned" not in await browser.value("document.title")
        unfolded, shown = await browser.value(_OPEN), await browser.value(_SHOWN)
        assert 0 < unfolded < shown

        await browser.value("document.getElementById('box').focus()")
        await browser.type("QUETZAL")
        count = await browser.value("parts.length")
        assert await browser.value("document.getElementById('found').value") == f"1 in 1 of {count} parts"
        assert await browser.value(_SHOWN) < shown
        await browser.press("Enter")
        assert await browser.value("document.getElementById('found').value") == "1 of 1"
        assert await browser.value("CSS.highlights.get('current').size") == 1
        at = await browser.value("matches[0].getBoundingClientRect().top")
        assert 0 < at < await browser.value("window.innerHeight")

        await browser.press("Escape")
        assert await browser.value(_OPEN) == unfolded
        assert await browser.value(_SHOWN) == shown
        await browser.type("no such words")
        assert await browser.value("document.getElementById('found').value") == "no match"
        await browser.press("Escape")
        await browser.value("document.getElementById('unfold').click()")
        assert await browser.value(_OPEN) == count
        assert browser.requests == [page.as_uri()]


async def test_without_scripts_everything_but_the_search_is_there(page: Path, tmp_path: Path) -> None:
    from .chromium import tab

    async with tab(tmp_path / "profile") as browser:
        await browser.ask("Emulation.setScriptExecutionDisabled", value=True)
        await browser.open(page.as_uri())
        assert not await browser.value("document.getElementById('search').checkVisibility()")
        first = "document.querySelector('details.part:not([open])')"
        await browser.value(f"{first}.id = 'first'")
        box = "document.querySelector('#first > summary').getBoundingClientRect()"
        await browser.click(await browser.value(f"{box}.x") + 5, await browser.value(f"{box}.y") + 5)
        assert await browser.value("document.getElementById('first').open")
