"""A place with a few files, and what was captured there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.engine.captures.bodies import ANTHROPIC
from tests.support.frozen import frozen_scenario

from promptscope_engine import Assembly, assemble
from promptscope_engine.captures.exchange import Exchange, labelled, recorded
from promptscope_engine.captures.files import as_lines
from promptscope_engine.captures.model import Capture, End, Header

RULES = "# Shop\n\nUse pnpm for everything, and never npm.\n\n## Style\n\n- tabs\n"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    for folder in ("workspace/.claude/rules", "home/.claude/skills/deploy", "managed"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "workspace/CLAUDE.md").write_text(RULES)
    (tmp_path / "workspace/AGENTS.md").write_text("Nobody sends this file today.\n")
    (tmp_path / "home/.claude/skills/deploy/SKILL.md").write_text(
        "---\nname: deploy\ndescription: Ships the shop to production when asked to do so.\n---\n\nLong text.\n"
    )
    return tmp_path


def capture(place: Path, *sent: tuple[str, Any], header: Header | None = None) -> str:
    path = place / "run.jsonl"
    requests = [recorded(n, Exchange(path=to, body=body)) for n, (to, body) in enumerate(sent, 1)]
    whole = Capture(header or Header("claude-code", "2.1.329"), labelled(requests, None), End())
    path.write_bytes(b"".join(as_lines(whole)))
    return str(path)


def observed(place: Path, body: Any, path: str = "/v1/messages", **more: Any) -> Assembly:
    return assemble(frozen_scenario("observed/x", place, capture=capture(place, (path, body)), **more))


def saying(text: str) -> dict[str, Any]:
    return {**ANTHROPIC, "messages": [{"role": "user", "content": [{"type": "text", "text": text}]}]}
