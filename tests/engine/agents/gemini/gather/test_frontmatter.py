"""The name and the description that a skill begins with (docs/agents/gemini.md#skills-and-sub-agents)."""

from __future__ import annotations

import pytest
from tests.engine.agents.gemini.conftest import (
    SKILL,
    Project,
)

from promptscope_engine.agents.gemini.gather.skills import described, head_of
from promptscope_engine.agents.kit.disk.heads import Budget


@pytest.mark.parametrize(
    ("description", "line", "kind"),
    [("plain", 3, "file"), ("plain # no", 3, "file"), ('"a\\nb"', None, "computed"), ('"a\\tb"', None, "computed")],
)
def test_a_description_is_traced_to_its_line(project: Project, description: str, line: int | None, kind: str) -> None:
    project.write({"home/.gemini/skills/x/SKILL.md": SKILL.format("x", description)})
    [skill] = [skill for skill in project.gathered().materials.skills if "/bundle/" not in skill.location]
    [(found, origin)] = [(span.text, span.origin) for span in skill.spans]
    assert (found, origin.start_line, origin.kind) == (
        description.partition(" #")[0].strip('"').encode().decode("unicode_escape"),
        line,
        kind,
    )


@pytest.mark.parametrize(
    ("head", "found"),
    [
        ("name: x\ndescription: a\n  b\n  c", ("x", "a b c")),
        ("name: x\ndescription: [a\n  b", ("x", "[a b")),
        ("name: x\ndescription: [a\n  b\n  c\n  d\ne: f", ("x", "[a b c d")),
        ("name: 5\ndescription: a", ("5", "a")),
        ("name: x\ndescription: 5", ("x", "5")),
        ("name: x\n  y\ndescription: [a", ("x", "[a")),
        ("description: [a\n\n  b\nname: x", ("x", "[a")),
        ("description: [a\nname: x\n", ("x", "[a")),
        ("other: [\nname: x\ndescription:\n  a", ("x", "a")),
        ("  name: [x\ndescription: a\r\n b\r", ("[x", "a b")),
        ("name: [x", None),
        ("description: [x", None),
    ],
)
def test_a_head_that_is_no_yaml_is_read_line_by_line(head: str, found: tuple[str, str] | None) -> None:
    assert described(head, Budget()) == found


def test_a_head_beyond_the_budget_is_read_line_by_line() -> None:
    unread = described("name: x\ndescription: 'a'", Budget(0))
    assert unread is not None
    assert unread[1] == "'a'"


@pytest.mark.parametrize(
    ("text", "head"),
    [("---\na\n---", "a"), ("---\r\na\r\n---\r\nb", "a"), ("---\n---", None), ("---\na", None), (" ---\na\n---", None)],
)
def test_where_a_head_stands(text: str, head: str | None) -> None:
    assert head_of(text) == head
