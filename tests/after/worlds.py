"""The folders that a recorded run began in, made anew: files, their times, a git repository, and what steps did."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

Json = Any

_LENGTH = 27
"""Characters of a root's path: paths are part of requests, and their sizes are compared."""
_PROGRAMS = Path(__file__).parents[1] / "oracle/programs"
_START = 1_795_900_000
_STEP = 100
"""Seconds between two steps: files of one step changed at the same time, as far as a client can tell."""
_GIT = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "F"), ("EMAIL", "f@example.invalid"), ("DATE", "2026-01-02T03:04:05+0000"))
}
_GEMINI = {"security": {"auth": {"selectedType": "gemini-api-key"}}, "general": {"disableAutoUpdate": True}}
_LINE = "words of a line " * 40
_ROOT = re.compile(r"\{(ROOT|REPO|HOME|SLUG)\}")


class World:
    """One run's folders. `now` counts seconds since the start of the run; `live`: a client is at work in them."""

    def __init__(self, situation: Json, root: Path, *, live: bool = False) -> None:
        self.situation, self.root, self.live, self.now = situation, root, live, 0
        self.repo, self.home = root / "repo", root / "home"
        self.cwd = root / situation.get("cwd", "repo")
        for folder in (self.repo, self.home):
            folder.mkdir(parents=True)
        self.write(situation.get("files", {}))
        if situation["agent"] == "gemini":
            self.write({"system.json": json.dumps({**_GEMINI, **situation.get("system_settings", {})})})
        self.cwd.mkdir(parents=True, exist_ok=True)
        if situation.get("git", True):
            for words in (
                ["init", "-q", "-b", "main"],
                ["add", "-A"],
                ["commit", "-q", "-m", "ZQCOMMIT first", "--allow-empty"],
            ):
                self.run(["git", *words])

    def step(self) -> None:
        """A step begins: what it writes is newer than what was there."""
        self.now += _STEP

    def write(self, files: Mapping[str, Json]) -> None:
        """Files by their path below the root; all of them get the same time."""
        now = time.time() if self.live else _START + self.now
        for name, content in files.items():
            path = self.root / self.fill(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(self._bytes(content))
            os.utime(path, (now, now))
            if name.endswith((".sh", ".py")):
                path.chmod(0o755)

    def remove(self, names: list[str]) -> None:
        """Files are taken away."""
        for name in names:
            (self.root / self.fill(name)).unlink()

    def run(self, command: list[str] | str) -> None:
        """A command of git's or `touch`, in the repository."""
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "GIT_CONFIG_NOSYSTEM": "1",
            "TZ": "UTC",
            **_GIT,
        }
        subprocess.run(
            command, shell=isinstance(command, str), cwd=self.repo, env=environment, check=False, capture_output=True
        )

    def fill(self, value: Json) -> Json:
        """`{ROOT}`, `{REPO}`, `{HOME}` and `{SLUG}` in a value."""
        if isinstance(value, str):
            slug = re.sub(r"[^A-Za-z0-9]", "-", str(self.repo))
            known = {"ROOT": str(self.root), "REPO": str(self.repo), "HOME": str(self.home), "SLUG": slug}
            return _ROOT.sub(lambda match: known[match[1]], value)
        if isinstance(value, list):
            return [self.fill(each) for each in value]
        if isinstance(value, dict):
            return {self.fill(name): self.fill(each) for name, each in value.items()}
        return value

    def _bytes(self, content: Json) -> bytes:
        if isinstance(content, str):
            return str(self.fill(content)).encode()
        if "copy" in content:
            return (_PROGRAMS / content["copy"]).read_bytes()
        width, mark = content.get("width", 0), content["numbered"]
        line = (lambda n: f"{mark}n{n:04d} {_LINE}"[:width].rstrip()) if width else (lambda n: f"{mark}n{n:04d}")
        body = "".join(f"{line(n)}\n" for n in range(1, content["count"] + 1))
        return (str(self.fill(content.get("head", ""))) + body).encode()


@contextmanager
def world_of(situation: Json, *, live: bool = False) -> Iterator[World]:
    """The folders of a run, at a path of one length."""
    start = f"/{'media' if live else 'tmp'}/after-{os.getpid()}-"
    root = Path((start + re.sub(r"\W", "", situation["id"]) + "x" * _LENGTH)[:_LENGTH])
    shutil.rmtree(root, ignore_errors=True)
    try:
        yield World(situation, root, live=live)
    finally:
        shutil.rmtree(root, ignore_errors=True)
