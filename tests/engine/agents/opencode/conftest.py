"""A workspace, a home, and one call that assembles what OpenCode makes of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.support.frozen import frozen_scenario

from promptscope_engine import Assembly, assemble

Ask = Callable[..., Assembly]


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    """Assemble with files (`ws/…`, `home/…`), and what else a scenario says."""

    def asked(disk: dict[str, str] | None = None, **more: Any) -> Assembly:
        for name in ("workspace", "home", "managed", "workspace/.git"):
            (tmp_path / name).mkdir(parents=True, exist_ok=True)
        (tmp_path / "workspace/.git/HEAD").write_text("ref: refs/heads/main\n")
        for name, text in (disk or {}).items():
            path = tmp_path / name.replace("ws/", "workspace/", 1)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        given = {"mcp_servers": [], "model": "anthropic/claude-sonnet-4-5", **more}
        return assemble(frozen_scenario("opencode", tmp_path, **given), cached_only=True)

    return asked
