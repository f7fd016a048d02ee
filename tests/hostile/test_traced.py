"""What a run does, seen from outside: no program but git, no network, nothing read beyond what is announced."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .runs import AGENTS, put

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("strace") is None or shutil.which("git") is None, reason="needs strace and git"),
]

_CALL = re.compile(r"^(?:\d+ +)?(\w+)\((.*)\) += (-?\d+|\?)", re.DOTALL)
_OPENED = re.compile(r'(?:AT_FDCWD(?:<[^>]*>)?, )?"((?:[^"\\]|\\.)*)", (\S+)')
_GIT = {"GIT_OPTIONAL_LOCKS=0", "GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "LC_ALL=C"}


def _hostile(place: Path) -> None:
    folder = place / "workspace"
    env = {"PATH": os.environ["PATH"], "HOME": str(place / "home"), "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", "init", "-q"], cwd=folder, env=env, check=True)
    with (folder / ".git" / "config").open("a") as file:
        file.write('[core]\n\tfsmonitor = "touch sprung; /bin/true"\n\tpager = /bin/true\n\thooksPath = .\n')
        file.write('[filter "f"]\n\tclean = /bin/true\n[alias]\n\tstatus = !/bin/true\n')
    put(place, ".gitattributes", "* filter=f\n")
    for name in ("CLAUDE.md", "AGENTS.md", "SOUL.md", ".roo/rules/a.md"):
        put(place, name, "@/etc/passwd @~/.ssh/id_rsa @../outside.md http://example.invalid/ $(touch sprung)\n")
    for name in (".roo/rules/out.md", ".claude/rules/out.md", "skills/s/SKILL.md", ".claude/skills/s/SKILL.md"):
        path = place / "workspace" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(place / "outside" / "secret.md")
    put(place, ".mcp.json", '{"mcpServers": {"a": {"command": "touch", "args": ["sprung"]}}}')
    put(place, ".roo/mcp.json", '{"mcpServers": {"a": {"command": "touch", "args": ["sprung"]}}}')
    put(
        place,
        ".claude/settings.json",
        '{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "id"}]}]}}',
    )


@pytest.mark.parametrize("agent", AGENTS)
def test_a_run_over_a_hostile_repository(place: Path, agent: str) -> None:
    (place / "outside").mkdir()
    (place / "outside" / "secret.md").write_text("xyzzy")
    _hostile(place)
    trace = place / "trace"
    calls = "execve,connect,sendto,openat,open,creat,unlink,unlinkat,rename,renameat2,mkdir,chmod,truncate,link,symlink"
    env = {"PATH": os.environ["PATH"], "HOME": str(place / "home"), "PROMPTSCOPE_CACHE": str(place / "cache")}
    shown = subprocess.run(
        ["strace", "-f", "-qq", "-v", "-s", "4096", "-e", f"trace={calls}", "-o", str(trace), sys.executable, "-m",
         "promptscope_tui", "show", str(place / "workspace"), "--agent", agent, "--format", "json"],
        env=env, capture_output=True, timeout=120, check=False,
    )  # fmt: skip
    if b"ptrace" in shown.stderr or not trace.exists():
        pytest.skip("strace may not trace here")
    assert shown.returncode == 0, shown.stderr
    assert b"xyzzy" not in shown.stdout
    workspace, first = str(place / "workspace"), True
    for line in trace.read_text(errors="replace").splitlines():
        call = _CALL.match(line)
        if call is None:
            continue
        name, arguments, result = call.groups()
        if name == "execve" and result == "0":
            if not first:
                assert arguments.partition('"')[2].partition('"')[0].rpartition("/")[2] == "git", line
                assert all(f'"{setting}"' in arguments for setting in _GIT), line
                assert "core.fsmonitor=false" in arguments
                assert "core.hooksPath=/dev/null" in arguments
            first = False
        assert name != "connect" or "AF_UNIX" in arguments, line
        if name in ("open", "openat") and (opened := _OPENED.search(arguments)):
            path, flags = opened.groups()
            assert not path.startswith(str(place / "outside")), line
            assert path != str(place / "home/.ssh/id_rsa"), line
            assert not (path.startswith(workspace) and re.search("O_WRONLY|O_RDWR|O_CREAT|O_TRUNC", flags)), line
        elif name not in ("execve", "connect", "sendto"):
            assert f'"{workspace}' not in arguments, line
    assert not (place / "workspace" / "sprung").exists()
