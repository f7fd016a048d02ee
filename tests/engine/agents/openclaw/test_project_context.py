"""The section of the injected files: one heading for each, and where its lines come from."""

from __future__ import annotations

import json

import pytest

from .conftest import Claw


def test_files_of_one_name_are_told_apart(claw: Claw) -> None:
    files = [{"name": name, "path": f"/{number}/{name}", "content": "x"} for number, name in enumerate("AABA")]
    assembly = claw(bootstrapFiles=files)
    assert [s.id.removeprefix("project_context.") for s in assembly.children("project_context")] == [
        "A", "A.2", "B", "A.3",
    ]  # fmt: skip


def test_a_file_begins_on_its_first_line(claw: Claw) -> None:
    assembly = claw({"workspace/AGENTS.md": "\n\nx\n"})
    section = assembly.section("project_context.AGENTS.md")
    assert section is not None
    (origin,) = [fragment.origin for fragment in section.fragments if fragment.origin.kind == "file"]
    assert (origin.start_line, origin.end_line) == (1, 3)


def test_files_that_the_scenario_passes(claw: Claw) -> None:
    files = [{"path": " ", "content": "no"}, {"path": "/a", "content": ""}, {"path": "/b", "content": "text"}]
    assembly = claw(passed={"contextFiles": files})
    found = [s for s in assembly.children("project_context") if s.present]
    assert [(s.id, s.text) for s in found] == [
        ("project_context.given.1", "\n## /a"),
        ("project_context.given.2", "\n## /b\ntext"),
    ]


@pytest.mark.parametrize(
    ("path", "is_soul"),
    [
        ("soul.md", True),
        ("/a/SOUL.md", True),
        ("C:\\a\\Soul.md", True),
        ("/a/soul.md.txt", False),
        ("/SOUL.md/a", False),
    ],
)
def test_a_soul_is_known_by_the_name_of_its_file(claw: Claw, path: str, is_soul: bool) -> None:
    assembly = claw(passed={"contextFiles": [{"path": "/b.md", "content": "x"}, {"path": path, "content": "x"}]})
    section = assembly.section("project_context")
    assert section is not None
    assert ("If SOUL.md is among them" in section.text) is is_soul


@pytest.mark.parametrize(
    ("config", "version", "sent"),
    [
        ({"defaults": {"contextInjection": "never"}}, "2026.9.6", False),
        ({"defaults": {"contextInjection": "always"}}, "2026.9.6", True),
        ({"defaults": {"contextInjection": "continuation-skip"}}, "2026.9.6", True),
        ({"list": [{"id": "main", "contextInjection": "never"}]}, "2026.9.6", False),
        (
            {"defaults": {"contextInjection": "never"}, "list": [{"id": "main", "contextInjection": "always"}]},
            "2026.9.6",
            True,
        ),
    ],
)
def test_files_of_the_workspace_may_be_left_out(claw: Claw, config: object, version: str, *, sent: bool) -> None:
    files: dict[str, str | bytes] = {"home/.openclaw/openclaw.json": json.dumps({"agents": config})}
    found = claw({**files, "workspace/AGENTS.md": "Be brief.\n"}, version=version, sessionKey="agent:main:main")
    (row,) = (row for row in found.files if row.path.endswith("workspace/AGENTS.md"))
    assert row.present is sent
    assert ("contextInjection" in row.why.text) is not sent
