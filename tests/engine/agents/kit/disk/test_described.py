"""Things that files describe: which of them count, and what their rows say."""

from __future__ import annotations

import pytest

from promptscope_engine.agents.kit.disk.described import Described, Shelf
from promptscope_engine.agents.kit.disk.rows import Found
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact, Facts
from promptscope_engine.prompt.drafts import computed
from promptscope_engine.workspace import FileText, Workspace

OFF = Fact("flag", "off", False, "", "it is switched off")


@pytest.fixture
def shelf() -> Shelf:
    return Shelf(Found(workspace=Workspace()), "skill", lambda name: OFF if name == "off" else ALWAYS)


def file(name: str) -> FileText:
    return FileText.of(f"/w/{name}/SKILL.md", f"/w/{name}/SKILL.md", b"x", 1)


def skill(name: str, path: str, when: Condition = ALWAYS) -> Described:
    return Described(name, (computed("description", f"{name} from {path}"),), path=path, when=when)


def reasons(shelf: Shelf) -> list[str]:
    return [row.when.evaluate(Facts()).text for row in shelf.found.files if not row.when.holds(Facts())]


def test_what_a_file_describes_has_its_text_in_its_row(shelf: Shelf) -> None:
    shelf.add(file("a"), skill("a", "/w/a/SKILL.md"))
    [row] = shelf.found.files
    assert (row.injected, row.kind, [*shelf.every]) == ("a from /w/a/SKILL.md", "skill", ["a"])


def test_what_is_switched_off_has_no_description_or_is_none_says_so(shelf: Shelf) -> None:
    shelf.add(file("off"), skill("off", "/w/off/SKILL.md"))
    shelf.add(file("b"), Described("b", None, path="/w/b/SKILL.md"))
    shelf.refuse(file("c"), "its name is a number")
    assert reasons(shelf) == [
        "it is switched off",
        "without a `description` it is not listed",
        "its name is a number",
    ]


def test_of_one_name_the_first_or_the_last_counts_as_the_agent_has_it(shelf: Shelf) -> None:
    shelf.add(file("a"), skill("a", "/w/a/SKILL.md"))
    shelf.add(file("b"), skill("a", "/w/b/SKILL.md"))
    shelf.first = False
    shelf.add(file("d"), skill("a", "/w/d/SKILL.md"))
    assert reasons(shelf) == [
        "/w/d/SKILL.md has the same name and replaces it",
        "another skill is called a, and the first one counts",
    ]
