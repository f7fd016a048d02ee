"""`promptscope mcp` as a real client of MCP meets it: a process, asked over stdin and stdout."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.repository import commit

if TYPE_CHECKING:
    from mcp import ClientSession

pytestmark = pytest.mark.mcp

SERVER = [sys.executable, "-m", "promptscope_tui", "mcp"]


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    commit(folder, {"CLAUDE.md": "# Shop\n@docs/none.md\n", ".claude/rules/zig.md": "---\npaths: '*.zig'\n---\nZ.\n"})
    return folder


def environment(shop: Path) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "HOME": str(shop.parent), "PROMPTSCOPE_CACHE": str(shop.parent / "cache")}


@asynccontextmanager
async def asked(shop: Path, *words: str) -> AsyncIterator[ClientSession]:
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    server = StdioServerParameters(command=SERVER[0], args=[*SERVER[1:], *words], cwd=shop, env=environment(shop))
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        yield session


async def answer(session: ClientSession, name: str, **arguments: Any) -> tuple[str, bool]:
    said = await session.call_tool(name, arguments)
    (content,) = said.content
    assert content.type == "text"
    return content.text, bool(said.isError)


async def test_a_client_asks_why_something_is_absent(shop: Path) -> None:
    async with asked(shop, "--agent", "claude-code") as session:
        text, failed = await answer(session, "why", item="zig.md")
        assert not failed
        assert text.startswith("✗ file .claude/rules/zig.md\n  absent: it waits for a file that matches *.zig\n")
        assert "never loads: no file matches *.zig" in text
        text, failed = await answer(session, "why", item="none of these")
        assert failed
        assert "is called 'none of these'" in text


async def test_every_tool_answers_and_only_reads(shop: Path) -> None:
    async with asked(shop) as session:
        tools = (await session.list_tools()).tools
        assert [tool.name for tool in tools] == ["show_prompt", "why", "tokens", "check", "diff"]
        assert all(tool.annotations and tool.annotations.readOnlyHint for tool in tools)
        questions = {
            "show_prompt": ({"section": "CLAUDE.md"}, "# Shop"),
            "tokens": ({}, "the whole request"),
            "check": ({}, "CLAUDE.md:2: unresolved-import"),
            "diff": ({"before": "git:HEAD"}, "no difference"),
        }
        for name, (arguments, words) in questions.items():
            text, failed = await answer(session, name, **arguments)
            assert not failed, text
            assert words in text
        text, failed = await answer(session, "tokens", folder="/")
        assert failed
        assert "outside of what may be asked about" in text


def test_it_ends_with_its_client_and_writes_nothing_but_the_protocol(shop: Path) -> None:
    done = subprocess.run(
        SERVER, cwd=shop, env=environment(shop), stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
