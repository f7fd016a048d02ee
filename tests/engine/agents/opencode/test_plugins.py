"""Plugins are listed with the hooks that their text names, and are never run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support.frozen import frozen_scenario

from promptscope_engine import assemble
from promptscope_engine.insight.rewriting import rewriters
from promptscope_engine.prompt.model import Assembly, Program

SYSTEM = 'export const A = async () => ({\n  "experimental.chat.system.transform": async (input, output) => {},\n})\n'
QUIET = 'export const B = async () => ({ "tool.execute.before": async () => {} })\n'


def assembled(tmp_path: Path, files: dict[str, str], **more: Any) -> Assembly:
    for name in ("workspace", "home"):
        (tmp_path / name).mkdir(exist_ok=True)
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return assemble(frozen_scenario("opencode", tmp_path, **more))


def plugins(assembly: Assembly) -> list[Program]:
    return [each for each in assembly.programs if each.kind == "mod"]


@pytest.mark.parametrize(
    "folder", ["workspace/.opencode/plugin", "workspace/.opencode/plugins", "home/.config/opencode/plugin"]
)
def test_a_plugin_of_a_folder_is_listed_with_its_hooks(tmp_path: Path, folder: str) -> None:
    assembly = assembled(tmp_path, {f"{folder}/a.ts": SYSTEM, f"{folder}/notes.md": SYSTEM})
    [found] = plugins(assembly)
    assert (found.name, found.present, found.events, found.line) == (
        "a.ts", True, ("experimental.chat.system.transform",), 2,
    )  # fmt: skip
    section = next(each for each in assembly.sections if each.channel == "system" and each.present)
    assert [each.name for each in rewriters(section, assembly)] == ["a.ts"]
    assert "a.ts may change the request" in "".join(each.message for each in assembly.diagnostics)


def test_one_that_hooks_nothing_of_the_request_is_no_surprise(tmp_path: Path) -> None:
    assembly = assembled(tmp_path, {"workspace/.opencode/plugin/b.js": QUIET})
    [found] = plugins(assembly)
    assert (found.present, found.events, found.covers) == (True, (), ())
    assert not [each for each in assembly.diagnostics if each.code == "plugins"]


def test_the_settings_name_packages_and_files(tmp_path: Path) -> None:
    named = ["some-package@1.0.0", "./own.ts", "./none.ts"]
    files = {"workspace/opencode.json": json.dumps({"plugin": named}), "workspace/own.ts": SYSTEM}
    package, own, none = plugins(assembled(tmp_path, files))
    assert (package.present, package.source, package.events) == (True, "package", ())
    assert package.covers, "what a package hooks is not known: it may be anything"
    assert own.events
    assert "there is no file" in none.why.text


def test_a_variable_stops_all(tmp_path: Path) -> None:
    files = {"workspace/.opencode/plugin/a.ts": SYSTEM}
    [found] = plugins(assembled(tmp_path, files, env={"OPENCODE_PURE": "1"}))
    assert not found.present
    assert "OPENCODE_PURE" in found.why.text
