"""A workspace, a home, and one call that assembles what Codex makes of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

import pytest
from msgspec.structs import replace
from tests.support.frozen import ENVIRONMENT, frozen_scenario

from promptscope_engine import Scenario, Workspace, assemble
from promptscope_engine.agents.codex.gather.settings import JOIN, CodexSettings, Session
from promptscope_engine.agents.kit.disk.layered import Layer
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.prompt.model import Assembly, Section, SettingSource, SourceFile, Tool
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import tokenizer_for_model

COUNTER = Counter(tokenizer_for_model(None))


class Answer:
    """An assembly, and what tests ask of it."""

    def __init__(self, assembly: Assembly, place: Path) -> None:
        self.assembly, self.place = assembly, place

    @property
    def codes(self) -> list[str]:
        return [found.code for found in self.assembly.diagnostics]

    def message(self, code: str) -> str:
        """The only diagnostic of a code."""
        [found] = [found.message for found in self.assembly.diagnostics if found.code == code]
        return found

    def section(self, section_id: str) -> Section:
        found = self.assembly.section(section_id)
        assert found is not None
        return found

    def text(self, section_id: str) -> str:
        return self.section(section_id).text

    def file(self, name: str) -> SourceFile:
        """The only row of a file below the place."""
        [found] = [file for file in self.assembly.files if file.path == str(self.place / name)]
        return found

    def tool(self, name: str) -> Tool:
        [found] = [tool for tool in self.assembly.tools if tool.name == name]
        return found

    @property
    def tools(self) -> list[str]:
        return [tool.name for tool in self.assembly.tools if tool.present]

    @property
    def body(self) -> dict[str, Any]:
        request = self.assembly.to_dict()["request"]
        assert isinstance(request, dict)
        return request

    @property
    def parts(self) -> list[list[str]]:
        """The texts of each input item."""
        return [[b.get("text", b["type"]) for b in item.get("content", ())] for item in self.body["input"]]

    @property
    def instructions(self) -> str:
        """The text of all AGENTS.md, without its frame; empty where there is none."""
        ids = [
            s
            for s in self.assembly.sections
            if s.present and s.id.startswith("agents_md.") and s.id != "agents_md.closing"
        ]
        return "".join(section.text for section in ids)


class Codex(Protocol):
    """Assembles: keywords are params, files below the place are written first; tokens are `counted` on demand."""

    def __call__(self, files: dict[str, str | bytes] | None = None, *, counted: bool = False, **given: Any) -> Answer:
        """`within`, `model`, `mode`, `env`, `servers` and `environment` are no params."""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """The folder that holds `workspace` and `home`."""
    for name in ("workspace", "home", "managed"):
        (tmp_path / name).mkdir()
    return tmp_path


@pytest.fixture
def codex(place: Path) -> Codex:
    def assembled(files: dict[str, str | bytes] | None = None, *, counted: bool = False, **given: Any) -> Answer:
        within = given.pop("within", "workspace")
        for name, content in (files or {}).items():
            path = place / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        (place / within).mkdir(parents=True, exist_ok=True)
        scenario = {
            "agent": "codex",
            "workspace": str(place / within),
            "home": str(place / "home"),
            "managed": str(place / "managed"),
            "model": given.pop("model", "gpt-5.5"),
            "mode": given.pop("mode", None),
            "env": given.pop("env", None) or {},
            "environment": {**ENVIRONMENT, **(given.pop("environment", None) or {})},
            "mcp_servers": given.pop("servers", None),
            "params": given,
        }
        return Answer(assemble(Scenario.model_validate(scenario), Workspace(), COUNTER, cached_only=not counted), place)

    return assembled


def untrusted(place: Path) -> dict[str, Any]:
    """Settings by which the workspace is untrusted."""
    return {"projects": {str(place / "workspace"): {"trust_level": "untrusted"}}}


def session_of(place: Path, *values: dict[str, Any]) -> Session:
    """A session in the place, with settings of these layers; the place is its home, too."""
    workspace = Workspace()
    _, inputs = resolve(frozen_scenario("codex", place), workspace)
    workspace.allow([str(place)])
    made = Session(workspace=workspace, inputs=replace(inputs, home=str(place)), cwd=str(place), codex_home=str(place))
    made.settings = settings_of(*values)
    return made


def settings_of(*values: dict[str, Any]) -> CodexSettings:
    """Settings of these layers, none of which is a file."""
    layers = tuple(map(Layer, values))
    return CodexSettings(layers, JOIN.of(layers), SettingSource("", "/h", "~", is_set=False))
