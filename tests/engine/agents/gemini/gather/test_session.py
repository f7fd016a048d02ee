"""Extensions."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.engine.agents.gemini.conftest import MANIFEST, Project, codes, rows, said

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("text", "why", "notes"),
    [
        (None, "there is no manifest", []),
        ("{}", "the manifest cannot be used", [(1, "the extension is skipped: its manifest has no name")]),
        ('{"name": ""}', "the manifest cannot be used", [(1, "the extension is skipped: its manifest has no name")]),
        ('{"name": 5}', "the manifest cannot be used", [(1, "the extension is skipped: its manifest has no name")]),
        ("[]", "the manifest cannot be used", [(1, "the extension is skipped: its manifest has no name")]),
        ("\n[", "the manifest cannot be used", [(2, "not valid JSON: ")]),
    ],
)
def test_an_extension_that_is_not_in_order(
    project: Project, text: str | None, why: str, notes: list[tuple[int, str]]
) -> None:
    project.write({"home/.gemini/extensions/e/x": ""} | ({} if text is None else {MANIFEST.format("e"): text}))
    assert project.file(MANIFEST.format("e")).why.text == f"absent: {why}"
    assert [(line, message[:60]) for _, line, message in said(project, "bad-extension")] == [
        (line, message if message.startswith("the") else f"{message}{rest}")
        for line, message in notes
        for rest in [said(project, "bad-extension")[0][2][len(message) : 60]]
    ]


@pytest.mark.parametrize(
    ("given", "config", "is_said"),
    [
        ({}, {"trust": True}, True),
        ({}, {"trust": False}, False),
        ({}, {"trust": "true"}, False),
        ({}, 5, False),
        ({"args": {"extensions": ["other"]}}, {"trust": True}, False),
        ({"args": {"extensions": ["E"]}}, {"trust": True}, True),
        ({"args": {"extensions": ["other, e"]}}, {"trust": True}, True),
        ({"args": {"extensions": [" "]}}, {"trust": True}, True),
        ({"args": {"extensions": [""]}}, {"trust": True}, False),
    ],
)
def test_trust_that_comes_with_an_extension_has_no_effect(
    project: Project, given: dict[str, Any], config: object, is_said: bool
) -> None:
    project.write({MANIFEST.format("e"): json.dumps({"name": "e", "mcpServers": {"fx": config}})})
    assert bool(said(project, "setting-without-effect", **given)) is is_said


@pytest.mark.parametrize(
    ("named", "read", "refused"),
    [
        (None, ["GEMINI.md"], []),
        ("a.md", ["a.md"], []),
        (["d/b.md", "a.md", "none.md", "d", "", 5], ["a.md", "d/b.md"], []),
        (["/etc/hostname"], [], ["/etc/hostname"]),
        (["../x.md", "d/../a.md", "..a.md"], ["..a.md"], ["../x.md", "d/../a.md"]),
        (5, [], []),
    ],
)
def test_the_context_files_of_an_extension(
    project: Project, named: object, read: list[str], refused: list[str]
) -> None:
    folder = "home/.gemini/extensions/e"
    project.write({f"{folder}/{name}": "x" for name in ("GEMINI.md", "a.md", "d/b.md", "..a.md", "../x.md")})
    project.write(
        {f"{folder}/gemini-extension.json": json.dumps({"name": "e"} | ({"contextFileName": named} if named else {}))}
    )
    found = [
        file.path.removeprefix(f"{project.root}/{folder}/") for file in project.gathered().materials.placed("extension")
    ]
    assert found == read
    text = "`contextFileName` may not leave the extension's folder: "
    assert [message for _, _, message in said(project, "bad-extension")] == [text + each for each in refused]


@pytest.mark.parametrize(
    ("asked", "active", "levers"),
    [
        (["e"], True, ["none"]), (["E", "f"], True, ["f"]), (["none"], False, ["e"]), (["f"], False, ["f", "e"]),
        ([], True, None), (None, True, None),
    ],
)  # fmt: skip
def test_extensions_that_the_command_line_names(
    project: Project, asked: list[str] | None, active: bool, levers: list[str] | None
) -> None:
    project.write({MANIFEST.format("e"): '{"name": "e"}'})
    row = project.file(MANIFEST.format("e"), args={"extensions": asked})
    assert row.present is active
    assert [lever.value for lever in row.why.levers] == ([] if levers is None else [levers])


@pytest.mark.parametrize(
    ("overrides", "active"),
    [
        (["!/*", "/*"], True), (["/*", "!/*"], False), (["!/*", 5], False), ("!/*", True), ([], True),
        (["!" + "/*" * 7], False), (["!" + "/*" * 8], True),
    ],
)  # fmt: skip
def test_the_last_override_that_fits_decides(project: Project, overrides: object, active: bool) -> None:
    project.write({MANIFEST.format("e"): '{"name": "e"}'})
    project.write({"home/.gemini/extensions/extension-enablement.json": json.dumps({"e": {"overrides": overrides}})})
    assert project.file(MANIFEST.format("e")).present is active


@pytest.mark.parametrize(("text", "listed"), [(None, False), ("{}", True), ("[]", True), ("[", True)])
def test_the_file_that_switches_extensions_has_a_row_where_it_is_there(
    project: Project, text: str | None, listed: bool
) -> None:
    path = "home/.gemini/extensions/extension-enablement.json"
    project.write({MANIFEST.format("e"): '{"name": "e"}'} | ({} if text is None else {path: text}))
    assert (path in rows(project, "settings")) is listed
    assert bool(said(project, "bad-extension")) is (text == "[")
    assert project.file(MANIFEST.format("e")).present


@pytest.mark.parametrize(
    ("override", "active"),
    [
        ("!/*", False), ("!{root}/*", False), ("!{cwd}/", False), ("!{cwd}", True), ("!{root}/work*", False),
        ("!{root}/work/*", True), ("!{cwd}/sub/*", True), ("!*", False), ("!/*/workspace/", False), ("{cwd}/", True),
    ],
)  # fmt: skip
def test_overrides_of_extensions(project: Project, override: str, active: bool) -> None:
    rule = override.replace("{cwd}", project.cwd).replace("{root}", str(project.root))
    project.write({"home/.gemini/extensions/e/gemini-extension.json": '{"name": "e"}'})
    project.write({"home/.gemini/extensions/extension-enablement.json": json.dumps({"e": {"overrides": [rule]}})})
    assert project.file("home/.gemini/extensions/e/gemini-extension.json").present is active


@pytest.mark.parametrize("over", [-1, 0, 1])
def test_so_many_extensions_are_read(project: Project, over: int) -> None:
    names = [f"x{number:04}" for number in range(200 + over)]
    project.write({f"home/.gemini/extensions/{n}/gemini-extension.json": f'{{"name": "{n}"}}' for n in names})
    assert len(rows(project, "extension")) == min(200, len(names))
    notes = [message for _, _, message in said(project, "too-many-files")]
    assert notes == ["200 extensions are read; the others are left out"] * (over > 0)


def test_a_name_that_names_no_extension_has_a_note(project: Project) -> None:
    project.write({MANIFEST.format("money"): json.dumps({"name": "money"})})
    noted = codes(project.assemble(args={"extensions": ["Money,mony", "none"]}))
    assert (
        noted["unmatched-entry"].message == "`--extensions` names mony: there is no such extension; did you mean money?"
    )
