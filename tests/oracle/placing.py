"""Puts a situation on disk."""

from __future__ import annotations

import base64
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .clients import client_of
from .situation import Content, Situation

ROOT_LENGTH = 26
"""Characters of every root's path: budgets may count paths."""

_IN_MEMORY = Path("/dev/shm")

_PROGRAMS = Path(__file__).parent / "programs"

_GIT = {
    **{f"GIT_{who}_NAME": "F" for who in ("AUTHOR", "COMMITTER")},
    **{f"GIT_{who}_EMAIL": "f@example.invalid" for who in ("AUTHOR", "COMMITTER")},
    **{f"GIT_{who}_DATE": "2026-01-02T03:04:05+0000" for who in ("AUTHOR", "COMMITTER")},
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
}


def scratch() -> Path:
    """Where predictions are made: in memory as the recordings are, since a tmpfs lists the newest file first; else the
    machine's folder for such things, unless its path is too long for a root."""
    if os.access(_IN_MEMORY, os.W_OK):
        return _IN_MEMORY
    folder = Path(tempfile.gettempdir())
    return folder if len(str(folder)) <= ROOT_LENGTH - 10 else Path("/tmp").resolve()


@contextmanager
def placed(situation: Situation, base: Path, *, backwards: bool = False, keep: bool = False) -> Iterator[Path]:
    """A fresh root with the situation's files, deleted afterwards unless `keep`.

    `backwards` creates the files in the reverse order, which turns the order of folders round on a tmpfs.
    """
    root = _fresh(base)
    try:
        _build(situation, root, backwards=backwards)
        yield root
    finally:
        if not keep:
            shutil.rmtree(root, ignore_errors=True)


def fill(value: Any, root: Path) -> Any:
    """A JSON value with its places filled in: `{ROOT} {HOME} {REPO} {SLUG}`."""
    return _replaced(value, [(f"{{{name}}}", path) for name, path in _places(root).items()])


def unfill(value: str, root: Path) -> str:
    """A text with the root's paths replaced by their places."""
    places = _places(root)
    order = [(places[name], f"{{{name}}}") for name in ("SLUG", "REPO", "HOME")]
    text: str = _replaced(value, [*order, (str(root / "etc"), "/etc"), (places["ROOT"], "{ROOT}")])
    return text


def _places(root: Path) -> dict[str, str]:
    repo = str(root / "repo")
    slug = re.sub(r"[^A-Za-z0-9]", "-", repo)
    return {"SLUG": slug, "REPO": repo, "HOME": str(root / "home"), "ROOT": str(root)}


def _replaced(value: Any, pairs: list[tuple[str, str]]) -> Any:
    if isinstance(value, str):
        for old, new in pairs:
            value = value.replace(old, new)
        return value
    if isinstance(value, list):
        return [_replaced(one, pairs) for one in value]
    if isinstance(value, dict):
        return {_replaced(key, pairs): _replaced(one, pairs) for key, one in value.items()}
    return value


def _fresh(base: Path) -> Path:
    made = tempfile.mkdtemp(prefix="o", dir=base)
    return Path(made).rename(made.ljust(ROOT_LENGTH, "x"))


def _build(situation: Situation, root: Path, *, backwards: bool) -> None:
    for name in ("home", "repo"):
        (root / name).mkdir()
    files = list(client_of(situation).files(situation).items())
    for name, content in reversed(files) if backwards else files:
        _write(root / fill(name, root), content, root)
    for folder, *words in situation.git:
        path = root / folder
        path.mkdir(parents=True, exist_ok=True)
        environment = {"PATH": os.environ["PATH"], "HOME": str(root / "home"), **_GIT}
        command = ["git", *fill(words, root)]
        subprocess.run(command, cwd=path, check=True, capture_output=True, timeout=30, env=environment)
    (root / situation.cwd).mkdir(parents=True, exist_ok=True)


def _write(path: Path, content: Content, root: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, dict) and content.get("dir"):
        path.mkdir(exist_ok=True)
    elif isinstance(content, dict) and "link" in content:
        path.symlink_to(fill(content["link"], root))
    elif content is not None:
        path.write_bytes(_bytes(content, root))


def _bytes(content: Content, root: Path) -> bytes:
    if isinstance(content, str):
        return bytes(fill(content, root).encode("utf-8", "surrogatepass"))
    assert content is not None
    if "copy" in content:
        return (_PROGRAMS / str(content["copy"])).read_bytes()
    if "base64" in content:
        return base64.b64decode(content["base64"])
    lines = "".join(content["numbered"] % line for line in range(1, content["count"] + 1))
    return f"{content.get('head', '')}{lines}{content.get('tail', '')}".encode()
