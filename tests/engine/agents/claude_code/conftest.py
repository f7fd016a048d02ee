"""A small project on the disk, and the assembly of a scenario in it."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from promptscope_engine import Scenario, assemble
from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.claude_code.gather.gather import gather
from promptscope_engine.agents.claude_code.materials import Materials
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.prompt.model import Assembly, SourceFile
from promptscope_engine.workspace import Workspace

GIT = {
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.invalid",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.invalid",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "PATH": "/usr/local/bin:/usr/bin:/bin",
}
ENVIRONMENT = {
    "platform": "linux",
    "os_type": "Linux",
    "os_version": "6.1.0",
    "shell": "/bin/bash",
    "date": "2026-11-20T10:00:00+00:00",
}
CUSTOM_HOST = {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}


@dataclass
class Project:
    """A workspace, a home and a managed folder below one root."""

    root: Path
    workspace: Workspace = field(default_factory=Workspace)

    @property
    def cwd(self) -> Path:
        return self.root / "workspace"

    def write(self, files: Mapping[str, str | bytes]) -> Project:
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode() if isinstance(text, str) else text)
        return self

    def git(self, *command: str, at: str = "workspace") -> str:
        done = subprocess.run(
            ["git", *command],
            cwd=self.root / at,
            env=GIT | {"HOME": str(self.root / "home")},
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout

    def scenario(self, version: str = "2.1.329", **more: Any) -> Scenario:
        values: dict[str, Any] = {
            "agent": "claude-code",
            "agent_version": version,
            "workspace": str(self.cwd),
            "home": str(self.root / "home"),
            "managed": str(self.root / "managed"),
            "environment": ENVIRONMENT,
            "env": CUSTOM_HOST,
            "mcp_servers": [],
            "tokenizer": "o200k_base",
        }
        return Scenario.model_validate(values | more)

    def assemble(self, version: str = "2.1.329", **more: Any) -> Assembly:
        return assemble(self.scenario(version, **more), self.workspace, cached_only=True)

    def gathered(self, version: str = "2.1.329", **more: Any) -> Gathered[Materials]:
        _, inputs = resolve(self.scenario(version, **more), self.workspace)
        return gather(inputs, self.workspace)

    def materials(self, version: str = "2.1.329", **more: Any) -> Materials:
        return self.gathered(version, **more).materials

    def loaded(self, version: str = "2.1.329", **more: Any) -> list[str]:
        """The instruction files of the prompt, in order, relative to the root."""
        found = [s for s in self.assemble(version, **more).sections if s.id.startswith("user_context.file:")]
        return [self.short(s.title) for s in found if s.present]

    def lazily_loaded(self, version: str = "2.1.329", **more: Any) -> list[str]:
        found = [s for s in self.assemble(version, **more).sections if s.id.startswith("woken:")]
        return [self.short(s.title.removeprefix("Loaded on a read: ")) for s in found]

    def file(self, name: str, version: str = "2.1.329", **more: Any) -> SourceFile:
        path = str(self.root / name)
        return next(f for f in self.assemble(version, **more).files if f.path == path)

    def short(self, path: str) -> str:
        return path.removeprefix(f"{self.root}/")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    root = tmp_path.resolve()
    for name in ("workspace", "home", "managed"):
        (root / name).mkdir()
    return Project(root)


@pytest.fixture(scope="session")
def committed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A git directory with one commit of one file."""
    made = Project(tmp_path_factory.mktemp("committed")).write({"workspace/a.txt": "hello\n"})
    made.git("init", "-q", "-b", "main", "--template=")
    made.git("add", "-A")
    made.git("commit", "-qm", "first commit")
    return made.cwd / ".git"


@pytest.fixture
def repository(project: Project, committed: Path) -> Project:
    """A project whose workspace is a git repository with one commit."""
    project.write({"workspace/a.txt": "hello\n"})
    shutil.copytree(committed, project.cwd / ".git")
    return project
