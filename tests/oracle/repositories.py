"""Repositories of eight kinds, in which each client is recorded, and what it sent verified.

    python -m tests.oracle repositories [--client codex] [--kind submodule]
    python -m tests.oracle repositories --learned --interactive --client codex --client-path ~/old/bin/codex

A row for each run: how many of the request's characters the prediction explains, how many it has word for word, and
what it does not explain.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.captures.files import read_capture
from promptscope_engine.captures.recipes import DUMMY_KEY
from promptscope_engine.learning.script import Script
from promptscope_tui.learning.clients import script_for
from promptscope_tui.learning.scratch import filled
from promptscope_tui.learning.work import Job
from promptscope_tui.learning.worker import run
from promptscope_tui.settings.paths import state_folder

from .clients import named
from .clients.client import Client, MissingClientError, plain_environment
from .placing import fill, placed
from .situation import Content, Situation
from .sketch import Sketch
from .traits.claude_code import install

_RULES = "# {title}\n\nUse pnpm for everything here.\n\n- Prices are integers in cents.\n- Write the test first.\n"
_INSTRUCTIONS = ("CLAUDE.md", "AGENTS.md", "GEMINI.md", ".github/copilot-instructions.md")
_SKILLS = (".claude/skills", ".agents/skills", ".gemini/skills", ".github/skills", "skills")
_TRUSTED = '[projects."{REPO}"]\ntrust_level = "trusted"\n'
_COMMAND = ["python3", "{ROOT}/server.py", '{"tools": []}']
_SERVER: dict[str, object] = {"command": _COMMAND[0], "args": _COMMAND[1:]}
_LIMIT = 300


@dataclass(frozen=True)
class Verified:
    """What `promptscope verify` says of a run; `failed` is what went wrong in its place."""

    explained: float = 0.0
    equal: float = 0.0
    characters: int = 0
    unexplained: tuple[str, ...] = ()
    failed: str = ""


@dataclass(frozen=True)
class How:
    """How the clients are started, and whether `verify` uses what was learned on this machine.

    `program` is the client's, of any version; "" for the one that the oracle knows.
    """

    interactive: bool = False
    learned: bool = False
    program: str = ""


def rows(clients: list[str], kinds: list[str], how: How) -> Iterator[tuple[str, str, Verified]]:
    """(Kind, client, result) of every run, one after another. Raises MissingClientError."""
    for kind in kinds:
        for name in clients:
            yield kind, name, _verified(named(name), kind, how)


def _verified(client: Client, kind: str, how: How) -> Verified:
    situation = Situation(client.agent, client.version, 0, git=[["repo", "init", "-q"]])
    KINDS[kind](Sketch(situation))
    script = script_for(load_agent(client.agent))
    if script:
        names = {"{home}": "{HOME}", "{repo}": f"{{ROOT}}/{situation.cwd}", "{key}": DUMMY_KEY[-20:]}
        situation.files = {path: filled(text, names) for path, text in script.files.items()} | situation.files
    with placed(situation, Path(client.base)) as root:
        job = _job(client, script, root, root / situation.cwd, how)
        result = asyncio.run(run(job))
        if not result.capture or read_capture(result.capture.encode()).main is None:
            return Verified(failed=f"{result.ended}: {_last_line(result.said)}")
        (root / "run.jsonl").write_text(result.capture)
        state = state_folder() if how.learned else root / "state"
        environment = {**os.environ, "HOME": str(root / "home"), "PROMPTSCOPE_STATE": str(state)}
        command = [sys.executable, "-m", "promptscope_tui", "verify", str(root / "run.jsonl"), "--format", "json"]
        ran = subprocess.run(
            command, cwd=root / situation.cwd, env=environment, capture_output=True, text=True, timeout=_LIMIT
        )
        if ran.returncode > 1:
            return Verified(failed=_last_line(ran.stderr))
    said = json.loads(ran.stdout)
    places = [f"{one['channel']} {one['index']}: {one['length']} characters" for one in said["unexplained"]]
    return Verified(said["explained"], said["equal"], said["characters"], tuple(places))


def _job(client: Client, script: Script | None, root: Path, cwd: Path, how: How) -> Job:
    """The run that is recorded. Raises MissingClientError."""
    if how.interactive and script is None:
        raise MissingClientError(f"learn does not know how to start {client.agent} on a terminal")
    words = client.bare_command()[1:]
    if how.interactive and script is not None:
        words = [filled(word, {"{prompt}": "hi"}) for word in script.start["interactive"].words]
    own = {"TMPDIR": str(root / "tmp"), **(script.env if script else {}), **fill(client.capture_environment(), root)}
    environment = {**plain_environment(root), **own}
    del environment["TZ"]  # as where it is verified
    (root / "tmp").mkdir()
    return Job(
        number=0,
        agent=client.agent,
        command=(*([how.program] if how.program else client.program()), *words),
        env=environment,
        cwd=str(cwd),
        log=str(root / "log"),
        timeout=client.limit,
        dialogs=script.answers if script and how.interactive else None,
    )


def _last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1] if lines else "nothing was said"


def _instructions(s: Sketch, folder: str) -> None:
    for name in _INSTRUCTIONS:
        s.put(f"{folder}/{name}", _RULES.format(title=f"{name} of {folder}"))


def _skill(s: Sketch, folder: str, name: str) -> None:
    text = f"---\nname: {name}\ndescription: Sorts boxes of kind {name} by weight and colour.\n---\nSort them.\n"
    s.put(f"{folder}/{name}/SKILL.md", text)


def _single_package(s: Sketch) -> None:
    _instructions(s, "repo")
    s.put("repo/package.json", '{"name": "shop", "version": "1.0.0"}\n')
    s.put("repo/src/index.ts", "export {}\n")
    s.put("repo/.claude/rules/commits.md", "# Commits\n\nEvery commit names its reason.\n")
    head = "---\napplyTo: '**/*.ts'\ndescription: How we write TypeScript\n---\n"
    s.put("repo/.github/instructions/typescript.instructions.md", f"{head}\nNo default exports.\n")
    s.git(["repo", "init", "-q"], ["repo", "add", "-A"], ["repo", "commit", "-qm", "Begin"])


def _monorepo(s: Sketch) -> None:
    _instructions(s, "repo")
    s.put("repo/package.json", '{"private": true, "workspaces": ["packages/*"]}\n')
    for name in ("web", "server", "shared"):
        _instructions(s, f"repo/packages/{name}")
        s.put(f"repo/packages/{name}/package.json", f'{{"name": "@shop/{name}"}}\n')
        _skill(s, f"repo/packages/{name}/.claude/skills", f"{name}-release")
    s.start_in("repo/packages/web")


def _nested(s: Sketch) -> None:
    for folder in ("repo", "repo/a", "repo/a/b", "repo/a/b/c", "repo/other", "home"):
        _instructions(s, folder)
    s.put("repo/CLAUDE.local.md", "# Mine\n\nNever push on Fridays.\n")
    s.put("repo/AGENTS.override.md", "# Over\n\nThis one counts for Codex.\n")
    s.start_in("repo/a/b")


def _forty_skills(s: Sketch) -> None:
    _instructions(s, "repo")
    for folder in _SKILLS:
        for number in range(40):
            _skill(s, f"repo/{folder}", f"box-{number:02d}")


def _plugins(s: Sketch) -> None:
    _instructions(s, "repo")
    s.put("server.py", {"copy": "mcp_server.py"})
    table = {"mcpServers": {"boxes": _SERVER}}
    s.settings("repo/.mcp.json", table)
    s.settings("repo/.gemini/settings.json", table)
    s.settings("repo/opencode.json", {"mcp": {"boxes": {"type": "local", "command": _COMMAND}}})
    row = json.dumps(_SERVER["args"], ensure_ascii=False)
    s.put("home/.codex/config.toml", f'{_TRUSTED}[mcp_servers.boxes]\ncommand = "python3"\nargs = {row}\n')
    command = {"commands/pack.md": "---\ndescription: Packs a box\n---\nPack $ARGUMENTS.\n"}
    install(s, "packer", command)
    s.settings("home/.claude/settings.json", {"enabledPlugins": {"packer@market": True}})
    s.settings("home/.gemini/extensions/packer/gemini-extension.json", {"name": "packer", "version": "1.0.0"})
    s.put("home/.gemini/extensions/packer/GEMINI.md", "# Packer\n\nPack heavy things first.\n")


def _submodule(s: Sketch) -> None:
    _instructions(s, "repo")
    _instructions(s, "library")
    add = ["repo", "-c", "protocol.file.allow=always", "submodule", "add", "-q", "{ROOT}/library", "vendor/library"]
    library = [["library", "init", "-q"], ["library", "add", "-A"], ["library", "commit", "-qm", "Begin"]]
    s.git(*library, ["repo", "init", "-q"], add, ["repo", "add", "-A"], ["repo", "commit", "-qm", "Begin"])
    s.start_in("repo/vendor/library")


def _dotfiles(s: Sketch) -> None:
    files: dict[str, Content] = {
        "home/dotfiles/agents.md": _RULES.format(title="Everywhere"),
        "home/.claude/CLAUDE.md": {"link": "../dotfiles/agents.md"},
        "home/.codex/AGENTS.md": {"link": "../dotfiles/agents.md"},
        "home/.gemini/GEMINI.md": {"link": "../dotfiles/agents.md"},
        "home/.copilot/copilot-instructions.md": {"link": "../dotfiles/agents.md"},
        "home/.claude/skills": {"link": "../dotfiles/skills"},
        "home/.agents/skills": {"link": "../dotfiles/skills"},
        "repo/AGENTS.md": _RULES.format(title="Shop"),
        "repo/CLAUDE.md": {"link": "AGENTS.md"},
        "repo/GEMINI.md": {"link": "AGENTS.md"},
        "repo/.claude/rules": {"link": "{HOME}/dotfiles/rules"},
        "home/dotfiles/rules/style.md": "# Style\n\nShort names.\n",
    }
    for path, content in files.items():
        s.put(path, content)
    _skill(s, "home/dotfiles/skills", "sort-boxes")


def _no_repository(s: Sketch) -> None:
    _instructions(s, "repo")
    s.git()


KINDS = {
    "single package": _single_package,
    "npm monorepo": _monorepo,
    "nested instruction files": _nested,
    "forty skills": _forty_skills,
    "plugins and MCP servers": _plugins,
    "submodule": _submodule,
    "links into dotfiles": _dotfiles,
    "no repository": _no_repository,
}
