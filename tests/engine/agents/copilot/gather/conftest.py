"""What Copilot CLI 1.0.102 makes of some files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.support.frozen import frozen_scenario

from promptscope_engine import assemble
from promptscope_engine.prompt.model import Assembly

Assembled = Callable[..., Assembly]


@pytest.fixture
def assembled(tmp_path: Path) -> Assembled:
    """The prompt with these files, `home/` and `ws/`; a text that begins with "-> " is a link to what follows."""

    def made(files: dict[str, str], *, mcp_servers: Any = None, **params: Any) -> Assembly:
        for name, text in files.items():
            path = tmp_path / name.replace("ws/", "workspace/")
            path.parent.mkdir(parents=True, exist_ok=True)
            if text.startswith("-> "):
                path.symlink_to(text[3:])
            else:
                path.write_text(text)
        (tmp_path / "workspace").mkdir(exist_ok=True)
        more = {"home": str(tmp_path / "home"), "model": "gpt-5.4", "mcp_servers": mcp_servers}
        return assemble(frozen_scenario("copilot", tmp_path, **more, params={"entry": "prompt", **params}))

    return made
