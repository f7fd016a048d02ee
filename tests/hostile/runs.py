"""One run over a hostile place, and what has to hold for it whatever is there."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from itertools import cycle, islice
from math import isfinite
from pathlib import Path
from types import NoneType
from typing import Any, TypeVar

from tests.support.frozen import frozen_scenario, sent

from promptscope_engine import Assembly, Scenario, Workspace, assemble
from promptscope_engine.schemas import adapter
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import tokenizer_for_model
from promptscope_engine.workspace.disk import Disk

AGENTS = ("roo", "claude-code", "openclaw", "codex", "gemini", "opencode", "copilot")

TARGETS = {
    "roo": ("AGENTS.md", ".roo/rules/a.md", ".roomodes", ".rooignore", ".roo/mcp.json", ".roo/system-prompt-ask",
            ".roo/commands/c.md", ".roorules", ".gitignore"),
    "claude-code": ("CLAUDE.md", "AGENTS.md", ".claude/rules/a.md", ".claude/settings.json", ".mcp.json",
                    ".claude/skills/s/SKILL.md", ".claude/agents/a.md", ".claude/commands/c.md",
                    ".claude/output-styles/o.md", "../home/.claude.json"),
    "openclaw": ("AGENTS.md", "SOUL.md", "MEMORY.md", "HEARTBEAT.md", "skills/s/SKILL.md",
                 "../home/.openclaw/openclaw.json"),
    "codex": ("AGENTS.md", "AGENTS.override.md", ".codex/config.toml", ".agents/skills/s/SKILL.md",
              "../home/.codex/AGENTS.md", "../home/.codex/config.toml", "../home/.codex/hooks.json",
              "../home/.codex/rules/d.rules", "../home/.codex/agents/a.toml",
              "../home/.codex/memories/memory_summary.md", ".codex/agents/p.toml", ".codex/rules/p.rules",
              ".codex/hooks.json", ".agents/skills/s/agents/openai.yaml"),
    "gemini": ("GEMINI.md", ".gemini/settings.json", ".gemini/system.md", ".gemini/.env", ".gemini/skills/s/SKILL.md",
               ".gemini/agents/a.md", ".geminiignore", ".gitignore", "../home/.gemini/settings.json",
               "../home/.gemini/projects.json", "../home/.gemini/policies/p.toml",
               "../home/.gemini/extensions/e/gemini-extension.json", "../home/.gemini/trustedFolders.json",
               "../home/.gemini/extensions/extension-enablement.json", "../home/.gemini/acknowledgments/agents.json",
               "../home/.gemini/tmp/workspace/memory/MEMORY.md", ".gemini/GEMINI.md", ".gemini/policies/p.toml"),
    "opencode": ("AGENTS.md", "opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/agent/a.md",
                 ".opencode/command/c.md", ".opencode/mode/m.md", ".opencode/skill/s/SKILL.md", ".opencode/tool/t.js",
                 ".claude/skills/s/SKILL.md", "CONTEXT.md", "../home/.config/opencode/opencode.json",
                 "../home/.config/opencode/AGENTS.md"),
    "copilot": ("AGENTS.md", ".github/copilot-instructions.md", ".github/instructions/a.instructions.md",
                ".claude/rules/r.md", ".github/skills/s/SKILL.md", ".github/agents/a.agent.md", ".claude/commands/c.md",
                ".mcp.json", ".github/hooks/h.json", ".github/copilot/settings.json", "plug/plugin.json",
                "plug/skills/p/SKILL.md", "plug/.mcp.json", "more/m.instructions.md", "image.png",
                "../home/.copilot/copilot-instructions.md", "../home/.copilot/settings.json",
                "../home/.copilot/config.json", "../home/.copilot/mcp-config.json", "../home/.copilot/hooks/h.json",
                "../home/.copilot/agents/a.md", ".git/config"),
}  # fmt: skip
"""What each agent reads, relative to the workspace."""

FEW = {
    "roo": {"task": "Look at @/AGENTS.md"},
    "claude-code": {"prompt": "Look at @AGENTS.md"},
    "openclaw": {},
    "codex": {"prompt": "Look with $s", "args": {"trust": True}, "settings": {"features": {"memories": True}}},
    "opencode": {"command": "c", "prompt": "one two", "files": ["AGENTS.md"]},
    "copilot": {"args": {"trustFolder": True, "agent": "a", "pluginDir": ["plug"], "attachment": ["image.png"]}},
    # Every folder is trusted, but the scenario does not vouch for this one: so its neighbours are not read either.
    "gemini": {"prompt": "Look at @GEMINI.md", "settings": {"security": {"folderTrust": {"enabled": False}}}},
}
"""Params that make more of the disk count."""

Kind = TypeVar("Kind")
STEP = 3


def starts(kinds: Collection[object]) -> range:
    """Where `mixed` may begin, so that each kind is in the place of every third file."""
    return range(0, len(kinds), STEP)


def mixed(agent: str, kinds: Collection[Kind], start: int) -> Iterator[tuple[str, Kind]]:
    """Each file that the agent reads, and a kind of what is in its place: another one for the next file."""
    return zip(TARGETS[agent], islice(cycle(kinds), start, None), strict=False)


COUNTER = Counter(tokenizer_for_model(None))
"""Fixed prose is counted once, not once for each run."""

_ASSEMBLY = adapter(Assembly)


def scenario(agent: str, place: Path, **more: Any) -> Scenario:
    """The agent in the place, with a machine that does not change."""
    return frozen_scenario(agent, place, **{"params": FEW[agent], **more})


def put(place: Path, name: str, content: str | bytes) -> Path:
    """A file of the workspace."""
    path = target(place, name)
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
    return path


def target(place: Path, name: str) -> Path:
    """Where a file of the workspace would be; its folder is made."""
    path = place / "workspace" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def hold(asked: Scenario, disk: Disk | None = None, *, counted: bool = False, twice: bool = False) -> Assembly:
    """Assemble, and assert what holds for any answer; `twice`: another look at the same place gives the same."""
    assembly = assemble(asked, Workspace(disk), COUNTER, cached_only=not counted)
    plain = assembly.to_dict()
    assert characters(plain) < MOST_CHARACTERS
    if twice:
        again = assemble(asked, Workspace(disk), COUNTER, cached_only=not counted)
        assert (again.request, again.diagnostics) == (assembly.request, assembly.diagnostics), "two runs agree"
    for channel in ("system", "messages"):
        joined = "".join(s.text for s in assembly.sections if s.present and s.channel == channel)
        assert joined == sent(plain["request"], channel)
    for section in assembly.sections:
        assert section.text == "".join(fragment.text for fragment in section.fragments)
        assert section.present or not section.fragments
        assert section.why.text
        assert min(section.tokens or 0, section.expected_tokens or 0) >= 0
    for tool in assembly.tools:
        assert tool.why.text
        assert min(tool.tokens.prompt or 0, tool.tokens.schema or 0, tool.tokens.expected or 0) >= 0
    totals = assembly.tokens
    assert min(totals.total or 0, totals.expected or 0, *(count or 0 for count in totals.by_channel.values())) >= 0
    for file in assembly.files:
        assert file.why.text
        assert min(file.bytes, file.tokens or 0) >= 0
    assert len({s.id for s in assembly.sections}) == len(assembly.sections)
    return assembly


MOST_CHARACTERS = 20_000_000
"""What a file of a few kilobytes may make of an answer."""


def characters(value: object) -> int:
    """The characters of the texts in JSON values; fails for anything that is not JSON.

    As `json.dumps` would find, which takes twice as long as assembling: reasons share most of what they hold.
    """
    sizes: dict[int, int] = {}

    def size(value: dict[str, object] | list[object]) -> int:
        """Of a row or a mapping: most of what is in them are texts, for which nothing is called."""
        total = 0
        if type(value) is dict:
            assert {*map(type, value)} <= {str}
        for part in value.values() if type(value) is dict else value:
            kind = type(part)
            if kind is str:
                total += len(part)  # type: ignore[arg-type]
            elif kind is dict or kind is list:
                known = sizes.get(id(part))
                total += size(part) if known is None else known  # type: ignore[arg-type]
            else:
                assert kind in (int, bool, NoneType) or (kind is float and isfinite(part)), f"{part!r} is not JSON"  # type: ignore[arg-type]
        sizes[id(value)] = total
        return total

    return size([value])


def valid(assembly: Assembly) -> None:
    """Assert that what is written as JSON is what the published schema describes."""
    _ASSEMBLY.validate_json(json.dumps(assembly.to_dict(), ensure_ascii=True, allow_nan=False))
