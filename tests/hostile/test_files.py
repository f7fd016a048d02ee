"""What may be in the place of a file: pipes, devices, links that lead anywhere, texts that are none."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from .runs import AGENTS, hold, mixed, put, scenario, starts, target

pytestmark = pytest.mark.slow

Put = Callable[[Path], None]


def _socket(path: Path) -> None:
    before = Path.cwd()
    os.chdir(path.parent)  # the path of a socket may not be long
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(path.name)
    os.chdir(before)


def _link(to: str) -> Put:
    return lambda path: path.symlink_to(to)


def _ring(path: Path) -> None:
    other = path.with_name(path.name + "-other")
    path.symlink_to(other.name)
    other.symlink_to(path.name)


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(40 * 2**30)


def _text(data: bytes) -> Put:
    return lambda path: path.write_bytes(data) and None


def _unreadable(path: Path) -> None:
    path.write_text("secret")
    path.chmod(0)


SPECIAL: dict[str, Put] = {
    "pipe": os.mkfifo,
    "socket": _socket,
    "folder": Path.mkdir,
    "folder in itself": lambda path: (path.mkdir(), (path / path.name).symlink_to(path))[1],
    "link to itself": lambda path: path.symlink_to(path.name),
    "ring of links": _ring,
    "link to nothing": _link("nowhere/at/all"),
    "link to the parent": _link(".."),
    "link to the system": _link("/usr"),
    "link to a long name": _link("x" * 300),
    "link to zeros": _link("/dev/zero"),
    "link to the terminal": _link("/dev/tty"),
    "link to stdin": _link("/dev/stdin"),
    "link to memory": _link("/proc/self/mem"),
    "link to the kernel's log": _link("/proc/kmsg"),
    "link to the environment": _link("/proc/self/environ"),
    "link to the root by proc": _link("/proc/self/root/etc/passwd"),
    "link to an open file": _link("/proc/self/fd/0"),
    "link outside": _link("/etc/passwd"),
    "sparse": _sparse,
    "unreadable": _unreadable,
    "empty": _text(b""),
    "zeros": _text(b"\0" * 9_000),
    "no UTF-8": _text(b"\xff\xfe\x80a\xed\xa0\x80\xf4\x90\x80\x80"),
    "UTF-16": _text("hello\n".encode("utf-16")),
    "escapes": _text("\x1b[2J\x1b]0;x\x07\x9b31m\u202e\u200b\x00\r\x08\x7f\u2028\ufeff".encode() * 20),
    "one line": _text(b"word " * 40_000),
    "carriage returns": _text(b"a\rb\r\r\nc" * 500),
    "mentions of all": _text(b"@/ @~ @. @.. @/etc/passwd @~/.ssh/id_rsa @../../.. @/dev/zero @/proc/self/mem\n" * 3),
    "templates": _text(b"{{mode}} ${env:HOME} $(id) `id` %s %n {0} <%= 1 %> $& $1 \\0" * 20),
}


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("start", starts(SPECIAL))
def test_in_the_place_of_every_file(place: Path, agent: str, start: int) -> None:
    for name, special in mixed(agent, SPECIAL.values(), start):
        special(target(place, name))
    assembly = hold(scenario(agent, place), twice=True)
    assert "root:x:0" not in assembly.system_text
    assert "root:x:0" not in str(assembly.request)


FOLDERS = {
    "roo": (".roo", ".roo/rules", ".roo/commands"),
    "claude-code": (".claude", ".claude/rules", ".claude/skills"),
    "openclaw": ("skills", "skills/s", "../home/.openclaw"),
    "codex": (".agents/skills", ".codex", "../home/.codex"),
    "gemini": (".gemini", ".gemini/skills", "../home/.gemini", "../home/.gemini/extensions"),
    "opencode": (".opencode", ".opencode/skill", ".claude/skills", "../home/.config/opencode"),
    "copilot": (
        ".github",
        ".github/instructions",
        ".claude/rules",
        ".github/skills",
        ".github/agents",
        ".claude/commands",
        "plug",
        "../home/.copilot",
        "../home/.copilot/instructions",
        ".git",
    ),
}


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize(
    "kind",
    ["pipe", "link to itself", "ring of links", "link to the parent", "link to the system", "link outside", "zeros"],
)
def test_in_the_place_of_a_folder(place: Path, agent: str, kind: str) -> None:
    for name in FOLDERS[agent]:
        path = target(place, f"{name}-x").with_name(Path(name).name)
        if not os.path.lexists(path) and path.parent.is_dir():
            SPECIAL[kind](path)
            hold(scenario(agent, place))
            path.unlink()
            path.mkdir()
    hold(scenario(agent, place))


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("kind", ["file", "missing", "ring of links", "link", "no permission"])
def test_a_workspace_and_a_home_that_are_none(place: Path, agent: str, kind: str) -> None:
    for name in ("workspace", "home", "managed"):
        path = place / name
        path.rmdir()
        if kind == "file":
            path.write_text("no folder")
        elif kind == "ring of links":
            _ring(path)
        elif kind == "link":
            (place / f"real-{name}").mkdir()
            path.symlink_to(f"real-{name}")
        elif kind == "no permission":
            path.mkdir(mode=0)
    hold(scenario(agent, place))


@pytest.mark.parametrize("agent", AGENTS)
def test_links_that_multiply(place: Path, agent: str) -> None:
    for top in (".roo/rules", ".claude/rules", ".claude/agents", "skills/s"):
        folder = target(place, f"{top}/x").parent
        for level in range(8):
            (folder / f"l{level}").mkdir()
        for level in range(7):
            for name in "abc":
                (folder / f"l{level}" / name).symlink_to(f"../l{level + 1}")
        (folder / "l7" / "rule.md").write_text("A rule.")
    hold(scenario(agent, place))


@pytest.mark.parametrize("agent", AGENTS)
def test_a_hundred_folders_one_in_the_other(place: Path, agent: str) -> None:
    for top in (".roo/rules", ".claude/rules", "skills/s", "src"):
        inner = place / "workspace" / top / "/".join("d" * 100)
        inner.mkdir(parents=True)
        for name in ("CLAUDE.md", "AGENTS.md", "SKILL.md", "rule.md"):
            (inner / name).write_text("Deep.")
    hold(scenario(agent, place))


@pytest.mark.parametrize("agent", AGENTS)
def test_folders_deeper_than_any_path(place: Path, agent: str) -> None:
    for top in (".roo/rules", ".claude/rules", "skills", "src"):
        (place / "workspace" / top).mkdir(parents=True)
        at = os.open(place / "workspace" / top, os.O_RDONLY)
        for _ in range(300):
            os.mkdir("d" * 20, dir_fd=at)
            inner = os.open("d" * 20, os.O_RDONLY, dir_fd=at)
            os.close(at)
            at = inner
        os.close(at)
    try:
        hold(scenario(agent, place))
    finally:
        os.system(f"rm -rf {place}")  # shutil gives up at such a depth


@pytest.mark.parametrize("agent", AGENTS)
def test_a_place_that_is_gone_while_it_is_asked_for(place: Path, agent: str) -> None:
    put(place, "AGENTS.md", "here")
    asked = scenario(agent, place)
    shutil.rmtree(place)
    hold(asked)
