"""`show --format html`: one file that is safe to open, says everything, and adds up."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.tui.support.apps import apps_at
from tests.tui.support.codex_repo import codex_repo_at
from tests.tui.support.monorepo import monorepo_at
from tests.tui.support.openclaw_workspace import openclaw_workspace_at
from tests.tui.support.roo_shop import roo_shop_at

from promptscope_engine import Scenario, Workspace, assemble
from promptscope_engine.workspace.disk import EmptyDisk
from promptscope_tui.cli import cli
from promptscope_tui.commands.html_page import html_page
from promptscope_tui.output import exits

pytestmark = pytest.mark.slow

VOID = {"meta", "input"}
HOSTILE = (
    "Be kind.\x1b]0;owned\x07\x9b31m\u202egnp.exe\r\u2066\x00\n</pre></details><script>alert(1)</script>\n"
    '<img src="https://evil.invalid/x" onerror=alert(1)><a href=//evil.invalid>&amp;&lt;</a> <!-- ]]> \' " `\n'
)


class Page(HTMLParser):
    """The page as a browser's parser takes it apart: elements, attributes, text; every element is closed."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def tokens(self) -> list[int]:
        """What is said to count, the total first."""
        return [int(value) for _, attributes in self.elements if (value := attributes.get("data-tokens"))]


def page_of(scenario: Scenario) -> Page:
    assembly = assemble(scenario)
    page = Page(html_page(assembly, assembly.sections))
    assert page.tokens()[0] == assembly.tokens.expected
    return page


@pytest.mark.parametrize(
    "make",
    [roo_shop_at, monorepo_at, openclaw_workspace_at, codex_repo_at, apps_at],
    ids=["roo", "claude-code", "openclaw", "codex", "gemini"],
)
def test_the_parts_add_up_to_the_total(tmp_path: Path, make: Callable[[Path], Scenario]) -> None:
    total, *parts = page_of(make(tmp_path)).tokens()
    assert sum(parts) == total


def test_everything_is_said(tmp_path: Path) -> None:
    scenario = roo_shop_at(tmp_path)
    assembly = assemble(scenario)
    page = page_of(scenario)
    assert [each.title for each in assembly.sections if each.title not in page.text] == []
    assert [each.name for each in assembly.tools if each.name not in page.text] == []
    assert [each.why.text for each in assembly.tools if not each.present and each.why.text not in page.text] == []
    assert [each.message for each in assembly.diagnostics if each.message.split(";")[0] not in page.text] == []
    shown = [found for _, found in page.elements if (found.get("class") or "").startswith("part")]
    assert len(shown) == len(assembly.sections) + len([tool for tool in assembly.tools if tool.section is None])
    marks = [mark for _, found in page.elements if (mark := found.get("data-from"))]
    assert [mark for mark in marks if mark.startswith("▤ .roo/rules-code/typescript.md:1-")]


def test_text_of_strangers_stays_text(tmp_path: Path) -> None:
    scenario = roo_shop_at(tmp_path)
    folder = tmp_path / "shop" / ".roo" / "rules"
    (folder / "x\x1b\u202e<b onclick=y>'\".md").write_text(HOSTILE)
    before = page_of(scenario)
    assert [name for name, _ in before.elements if name in ("script", "img", "a", "b", "link", "iframe")] == ["script"]
    assert "␛]0;owned␇⟪U+009B⟫31m⟪U+202E⟫gnp.exe␍⟪U+2066⟫␀" in before.text
    assert '<img src="https://evil.invalid/x" onerror=alert(1)><a href=//evil.invalid>&amp;&lt;</a>' in before.text
    assembly = assemble(scenario)
    page = html_page(assembly, assembly.sections)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]", page)
    assert not re.search(r"(src|href)\s*=", page)
    page.encode()
    attributes = {name for _, found in before.elements for name in found}
    assert not [name for name in attributes if name.startswith("on") or name in ("src", "href", "style")]


def test_the_command_prints_it_or_one_section(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = roo_shop_at(tmp_path)
    monkeypatch.setenv("PROMPTSCOPE_CACHE", str(tmp_path / "cache"))
    words = ["show", scenario.workspace, "--agent", "roo", "--home", str(tmp_path / "home"), "--format", "html"]
    result = CliRunner().invoke(cli, [*words, "--section", "rules"])
    assert result.exit_code == exits.OK
    page = Page(result.stdout)
    assert len([found for _, found in page.elements if found.get("class") == "part"]) == 1
    assert "table" not in [name for name, _ in page.elements]
    assert Page(CliRunner().invoke(cli, ["open", *words[1:]]).stdout).tokens()
    transcript = CliRunner().invoke(cli, ["open", *words[1:], "--transcript", __file__])
    assert (transcript.exit_code, transcript.stdout) == (exits.WRONG_USE, "")
    assert CliRunner().invoke(cli, ["tools", "--format", "html"]).exit_code == exits.WRONG_USE


def test_a_text_of_an_edit_has_its_mark() -> None:
    values = {"agent": "roo", "workspace": "/w", "home": "/h", "env": {}, "edits": [{"replace": "rules", "text": "X."}]}
    assembly = assemble(Scenario.model_validate(values), Workspace(EmptyDisk()))
    page = html_page(assembly, assembly.sections)
    assert "✎ edit 1 of the scenario" in page
    assert "✎ edits of the scenario" in page
    plain = assemble(Scenario.model_validate({**values, "edits": []}), Workspace(EmptyDisk()))
    assert "✎" not in html_page(plain, plain.sections)
