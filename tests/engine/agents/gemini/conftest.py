"""A small project of Gemini CLI on the disk, and the assembly of a scenario in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from promptscope_engine import Scenario, Workspace, assemble
from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.gemini.gather.gathering import gather
from promptscope_engine.agents.gemini.materials import Materials
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.prompt.model import Assembly, Diagnostic, SourceFile
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import tokenizer_for_model

COUNTER = Counter(tokenizer_for_model(None))
ENVIRONMENT = {"platform": "linux", "date": "2026-11-20", "timezone": "UTC", "language": "en-US"}
TRUSTED = {"GEMINI_CLI_TRUST_WORKSPACE": "true"}

SETTINGS = "home/.gemini/settings.json"
MANIFEST = "home/.gemini/extensions/{}/gemini-extension.json"
POLICY = "home/.gemini/policies/p.toml"
UNTRUSTED = {"dialog": True, "env": {"GEMINI_CLI_TRUST_WORKSPACE": ""}}
SKILL = "---\nname: {}\ndescription: {}\n---\n"
AGENT = "---\nname: {}\ndescription: d\n---\nx\n"
SERVER = {
    "name": "fx",
    "instructions": "Ask fx.",
    "tools": [{"name": "find", "annotations": {"readOnlyHint": True}}, {"name": "put"}],
}
HEADLESS = [
    "update_topic", "list_directory", "read_file", "grep_search", "glob", "google_web_search", "enter_plan_mode",
    "invoke_agent",
]  # fmt: skip
EVERY = [
    "update_topic", "list_directory", "read_file", "grep_search", "glob", "replace", "write_file", "web_fetch",
    "run_shell_command", "list_background_processes", "read_background_output", "google_web_search", "ask_user",
    "enter_plan_mode", "invoke_agent", "activate_skill",
]  # fmt: skip


@dataclass
class Project:
    """A workspace, a home and a managed folder below one root."""

    root: Path

    @property
    def cwd(self) -> str:
        return str(self.root / "workspace")

    @property
    def home(self) -> str:
        return str(self.root / "home")

    def write(self, files: Mapping[str, str | bytes]) -> Project:
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode() if isinstance(text, str) else text)
        return self

    def scenario(self, **given: Any) -> Scenario:
        """One in a trusted folder. Params are given by keyword, `dialog=True` is an interactive session."""
        top = {
            key: given.pop(key)
            for key in ("mode", "model", "mcp_servers", "reads", "env", "environment", "outside_links", "workspace")
            if key in given
        }
        if given.pop("dialog", False):
            given["args"] = {**given.get("args", {}), "print": False}
        top["env"] = {**TRUSTED, **top.get("env", {})}
        top["environment"] = {**ENVIRONMENT, **top.get("environment", {})}
        folders = {"workspace": self.cwd, "home": self.home, "managed": str(self.root / "managed")}
        return Scenario.model_validate({"agent": "gemini", "mcp_servers": [], **folders, **top, "params": given})

    def assemble(self, **given: Any) -> Assembly:
        """The assembly of a scenario that is told like that."""
        return assemble(self.scenario(**given), Workspace(), COUNTER, cached_only=True)

    def gathered(self, **given: Any) -> Gathered[Materials]:
        """What the disk gives, without a prompt made of it."""
        workspace = Workspace()
        return gather(resolve(self.scenario(**given), workspace)[1], workspace)

    def file(self, path: str, **given: Any) -> SourceFile:
        """The row of a file, named relative to the root."""
        return next(file for file in self.assemble(**given).files if file.path == str(self.root / path))


@pytest.fixture
def project(tmp_path: Path) -> Project:
    for name in ("workspace", "home", "managed"):
        (tmp_path / name).mkdir()
    return Project(tmp_path)


def text_of(assembly: Assembly, section_id: str) -> str:
    """The text of a present section; "" if it is absent."""
    found = assembly.section(section_id)
    return found.text if found else ""


def tools_of(assembly: Assembly) -> list[str]:
    """The names of the request's tools."""
    return [tool.name for tool in assembly.tools if tool.present]


def loaded(assembly: Assembly) -> list[str]:
    """The context files that are sent, by section, in order."""
    files = [s.id.partition(":")[2] for s in assembly.sections if s.present and s.id.startswith("memory.project:")]
    return [str(Path(assembly.workspace, file)) for file in files]


def codes(assembly: Assembly) -> dict[str, Diagnostic]:
    """The diagnostics by code, the last of each."""
    return {each.code: each for each in assembly.diagnostics}


def said(project: Project, code: str, **given: Any) -> list[tuple[str | None, int | None, str]]:
    """(path relative to the root, line, message) of every diagnostic of a code."""
    found = [each for each in project.gathered(**given).diagnostics if each.code == code]
    return [(each.path and each.path.removeprefix(f"{project.root}/"), each.line, each.message) for each in found]


def rows(project: Project, kind: str, **given: Any) -> list[str]:
    """The rows of files of a kind, whether they count or not, relative to the root."""
    drafts = [draft for draft in project.gathered(**given).files if draft.kind == kind]
    return [draft.path.removeprefix(f"{project.root}/") for draft in drafts]


def parts(project: Project, **given: Any) -> list[str]:
    """The parts of the first content behind the session context."""
    return [block["text"] for block in project.assemble(**given).request.messages[0]["content"][1:]]


def rule(decision: str, priority: int, **more: str) -> str:
    """A rule on glob, as a policy file has it."""
    further = "".join(f"{key} = {value}\n" for key, value in more.items())
    return f'[[rule]]\ntoolName = "glob"\ndecision = "{decision}"\npriority = {priority}\n{further}'
