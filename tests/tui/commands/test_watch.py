"""`promptscope watch` where the system allows no watch: it says so once, and goes on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.tui.support.limited import limited, need_namespaces


def test_what_is_not_watched_is_said_on_stderr_and_a_save_is_seen_all_the_same(tmp_path: Path) -> None:
    need_namespaces()
    folder = tmp_path / "w"
    folder.mkdir()
    (folder / "CLAUDE.md").write_text("Be brief.\n")
    words = ("-m", "promptscope_tui", "watch", str(folder), "--agent", "claude-code", "--format", "jsonl")
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path / "home")}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    command = limited(sys.executable, *words, watches=0)
    process = subprocess.Popen(command, text=True, env=env, **pipes)  # type: ignore[call-overload]
    try:
        assert json.loads(process.stdout.readline())["event"] == "start"
        said = process.stderr.readline()
        assert "files every second, because a limit of the system is reached" in said
        assert "sudo sysctl fs.inotify.max_user_watches=" in said
        (folder / "CLAUDE.md").write_text("Be brief. Be kind.\n")
        change = json.loads(process.stdout.readline())
        assert (change["event"], change["paths"]) == ("change", ["CLAUDE.md"])
    finally:
        process.kill()
        rest = process.communicate()[1]
    assert "every second" not in rest
