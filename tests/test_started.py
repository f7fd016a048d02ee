"""What promptscope starts: git, your editor and clipboard helper, clients it captures or learns, a server it may ask.

Nothing else starts a program, so nothing that a repository configures runs unless a person says so.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.test_imports import ROOT, TREES

# the clipboard helper is started by pyperclip, which widgets/clipboard.py calls
STARTED = {
    "engine/promptscope_engine/workspace/git.py": "git",
    "engine/promptscope_engine/workspace/objects.py": "git",
    "tui/promptscope_tui/capturing/running.py": "a client that is captured",
    "tui/promptscope_tui/capturing/isolated_run.py": "the same, in a namespace of its own",
    "tui/promptscope_tui/learning/work.py": "a client that is learned, by a worker",
    "tui/promptscope_tui/learning/scratch.py": "git, in a folder made up for a client",
    "tui/promptscope_tui/learning/servers.py": "an MCP server, after asking",
    "tui/promptscope_tui/web.py": "the app itself, for a browser",
    "tui/promptscope_tui/widgets/editor.py": "your editor",
}
_ASKING = {"tui/promptscope_tui/commands/mcp_list.py", "tui/promptscope_tui/session/asking.py"}
"""Where a server is asked: each asks a person first."""


_BEGINNINGS = ("subprocess.", "asyncio.create_subprocess", "os.exec", "os.spawn", "os.posix_spawn")
_WHOLE = ("os.system", "os.popen", "os.fork", "os.forkpty", "os.startfile", "pty.spawn")


def test_only_these_modules_start_programs() -> None:
    found = {_name(path) for tree in TREES for path in tree.rglob("*.py") if any(_starts(path))}
    assert found == set(STARTED)


def test_a_server_is_asked_only_where_a_person_is_asked_first() -> None:
    users = {_name(path) for path in TREES[1].rglob("*.py") if any(_imports(path, "learning.servers", "ask"))}
    assert users == _ASKING


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _starts(path: Path) -> Iterator[str]:
    """The functions that start a program, where they are named."""
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Name) and node.id in ("Popen", "create_subprocess_exec"):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            whole = f"{node.value.id}.{node.attr}"
            if whole.startswith(_BEGINNINGS) or whole in _WHOLE:
                yield whole


def _imports(path: Path, module: str, name: str) -> Iterator[str]:
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").endswith(module):
            yield from (each.name for each in node.names if each.name == name)


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))
