"""The language servers of ~/.copilot/lsp-config.json, as Copilot CLI 1.0.102 takes them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from .conftest import Assembled

PYTHON = {"command": "pyls", "fileExtensions": {".py": "python"}}


@pytest.mark.parametrize(
    ("servers", "named"),
    [
        ({"py": PYTHON}, "py"),
        ({"py": PYTHON, "rb": {**PYTHON, "command": "rbls"}}, "py, rb"),
        ({"py": {**PYTHON, "fileExtensions": {}}}, "py"),
        ({"py": {**PYTHON, "disabled": True}}, ""),
        ({"py": {**PYTHON, "disabled": True}, "rb": PYTHON}, "rb"),
        ({"py": {"command": "pyls"}}, ""),
        ({"py": {"fileExtensions": {".py": "python"}}}, ""),
        ({"py": PYTHON, "rb": {"command": "rbls"}}, ""),
        ({}, ""),
    ],
)
def test_the_model_may_ask_the_servers_that_are_whole(
    assembled: Assembled, servers: dict[str, Any], named: str
) -> None:
    assembly = assembled({"home/.copilot/lsp-config.json": json.dumps({"lspServers": servers})})
    search = assembly.section("tools.code_search_tools")
    assert search is not None
    assert (f"(available for: {named}):" in search.text) is bool(named)
    assert ("lsp" in [tool.name for tool in assembly.tools if tool.present]) is bool(named)


def test_a_server_that_is_not_whole_is_named(assembled: Assembled) -> None:
    text = json.dumps({"lspServers": {"py": PYTHON, "rb": {"command": "rbls"}}})
    (note,) = (each for each in assembled({"home/.copilot/lsp-config.json": text}).diagnostics)
    assert note.message.endswith("has no `command` or no `fileExtensions`: rb")


@pytest.mark.parametrize(("start", "asks"), [("ws/sub", True), ("ws", False)])
def test_of_a_project_the_start_folders_file_counts(assembled: Assembled, start: str, *, asks: bool) -> None:
    files = {
        "ws/.git/HEAD": "ref: refs/heads/main",
        f"{start}/.github/lsp.json": json.dumps({"lspServers": {"py": PYTHON}}),
    }
    assembly = assembled({**files, "ws/sub/x": ""}, args={"directory": "sub"})
    assert ("lsp" in [tool.name for tool in assembly.tools if tool.present]) is asks


def test_those_of_the_user_come_before_those_of_the_folder(assembled: Assembled) -> None:
    files = {"home/.copilot/lsp-config.json": "rb", "ws/.github/lsp.json": "py"}
    assembly = assembled({path: json.dumps({"lspServers": {name: PYTHON}}) for path, name in files.items()})
    search = assembly.section("tools.code_search_tools")
    assert search is not None
    assert "(available for: rb, py):" in search.text
