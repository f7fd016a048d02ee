"""Somebody who does anything: random events for the app, in a place that is all a copy, and what they change outside.

An event is plain data, so that a list of them can be printed, shortened and played again:

    ["size", 80, 24]              the window has another size
    ["keys", "1", "G"]            keys, as Textual names them or as the characters they type
    ["wheel", 0.3, 0.5, -2]       two notches up, at a share of the width and height
    ["click", 0.3, 0.5, 2]        a double click
    ["save", "CLAUDE.md", "long"] a file of the place is saved, with one of CONTENTS
    ["delete", ".claude"]         a file or folder is deleted
    ["restore"]                   everything is as it was
    ["rest"]                      until everything is found out
"""

from __future__ import annotations

import hashlib
import os
import random
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from tests.support.repository import commit
from tests.tui.support.client import program
from textual.keys import key_to_character

import promptscope_engine
import promptscope_tui
from promptscope_engine.agents.registry import built_in_ids
from promptscope_tui.actions.table import ACTIONS
from promptscope_tui.learning.clients import learnable
from promptscope_tui.session.folders import demo_folder

Event = list[Any]

WORDS = " ".join(f"word{n}" for n in range(40))
FILES = {
    "CLAUDE.md": "# Shop\n\n@docs/style.md\n\n" + "".join(f"{n}. {WORDS[: 40 + 53 * n % 700]}\n" for n in range(160)),
    "docs/style.md": "Short names.\n" * 30,
    "src/CLAUDE.md": "Pure functions only.\n",
    ".claude/settings.json": '{"permissions": {"deny": ["WebSearch"]}, "env": {"DEBUG": "1"}}\n',
    ".claude/skills/pay/SKILL.md": "---\nname: pay\ndescription: How to pay, 日本語 and ``code``.\n---\nPay.\n",
    ".claude/agents/healer.md": "---\nname: healer\ndescription: Heals.\ntools: Read, LS\n---\nYou heal.\n",
    ".mcp.json": '{"mcpServers": {"tracker": {"command": "tracker-server", "args": ["--all"]}}}\n',
    ".roomodes": "customModes:\n  - slug: docs\n    name: Docs\n    roleDefinition: Writes.\n    groups:\n"
    '      - read\n      - - edit\n        - fileRegex: "docs/.*"\n',
    ".github/copilot-instructions.md": "Ask first. [b]bold[/b] `x` \\[y]\n",
    "opencode.json": '{"instructions": ["docs/*.md"]}\n',
    "HOME/.claude/CLAUDE.md": "Answer in English.\n",
    "HOME/.codex/config.toml": "model = 'gpt-5'\n",
    "HOME/.gemini/settings.json": '{"context": {"fileName": "AGENTS.md"}}\n',
}
CONTENTS: Mapping[str, Callable[[bytes], bytes]] = {
    "line": lambda before: before + b"One line more.\n",
    "empty": lambda _: b"",
    "binary": lambda _: bytes(range(256)) * 400,
    "long": lambda _: b"no end " * 30_000,
    "many": lambda _: b"The same line again.\n" * 400,
    "wide": lambda _: "日本語\t👨\u200d👩\u200d👧 e\u0301\u202e\x1b[31m\x00\r\n".encode() * 20,
    "broken": lambda _: b'---\nname: [x\n{"a": \n\xff\xfe@missing.md @docs/style.md\n',
    "again": lambda before: before,
}
DELETED = (*FILES, ".", ".claude", ".roo", "src", "docs", ".git", "HOME/.claude", "AGENTS.md")
SIZES = ((30, 8), (40, 10), (60, 15), (80, 24), (90, 30), (100, 30), (120, 40), (160, 45), (200, 50), (250, 80))
TYPED = ("file", "pay", "WORD7", "[b]", "日本", "\\", "src/money.ts", "HEAD~1", "true", "3", "x" * 20, "AGENTS.md")
MOVES = ("up", "down", "left", "right", "pageup", "pagedown", "home", "end", "tab", "shift+tab", "enter", "space",
         "escape", "backspace", "delete", "ctrl+u", "ctrl+d")  # fmt: skip
_ENDING = {"quit_app", "suspend"}
"""What ends the app, or stops it."""

KEYS = tuple(
    {key: None for action in ACTIONS if action.id not in _ENDING for key in action.keys.split(",") if key not in "q"}
)
COMMANDS = tuple(
    each.palette for each in ACTIONS if each.palette and each.id not in _ENDING and "q" not in each.palette
)
"""Without those that would end the app if they are typed where no palette opens."""


def events(seed: int, count: int) -> list[Event]:
    """So many random events, the same for a seed."""
    dice = random.Random(seed)
    return [_event(dice) for _ in range(count)]


def _event(dice: random.Random) -> Event:
    at = round(dice.random(), 3), round(dice.random(), 3)
    kinds: Mapping[str, tuple[int, Callable[[], list[Any]]]] = {
        "size": (10, lambda: list(dice.choice((dice.choice(SIZES), (dice.randint(30, 250), dice.randint(8, 80)))))),
        "keys": (60, lambda: _keys(dice)),
        "wheel": (8, lambda: [*at, dice.choice((-9, -3, -1, 1, 3, 9))]),
        "click": (12, lambda: [*at, dice.choice((1, 1, 2, 3))]),
        "move": (2, lambda: [*at]),
        "save": (6, lambda: [dice.choice([*FILES]), dice.choice([*CONTENTS])]),
        "delete": (2, lambda: [dice.choice(DELETED)]),
        "restore": (3, list),
        "rest": (2, list),
    }
    kind = dice.choices([*kinds], [weight for weight, _ in kinds.values()])[0]
    return [kind, *kinds[kind][1]()]


def _keys(dice: random.Random) -> list[str]:
    """One key or a few, or a way to somewhere that single keys rarely find."""
    ways: Sequence[Callable[[], list[str]]] = (
        lambda: [dice.choice(KEYS)],
        lambda: [dice.choice(MOVES) for _ in range(dice.randint(1, 4))],
        lambda: [dice.choice(MOVES)] * dice.randint(2, 30),
        lambda: ["escape", str(dice.randint(0, 6))],
        lambda: ["escape", "escape", "escape", "a", *dice.choice(built_in_ids()), "enter"],
        lambda: ["escape", "escape", "ctrl+p", *dice.choice(COMMANDS), "enter"],
        lambda: ["escape", dice.choice(["m", "M", "i", "slash", "c", "d", "W", "o", "p", "ctrl+o", "ctrl+s"])],
        lambda: [*dice.choice(TYPED)],
    )
    return dice.choices(ways, (30, 15, 8, 12, 4, 8, 8, 5))[0]()


_SEQUENCES = {
    "up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "home": "\x1b[H", "end": "\x1b[F",
    "pageup": "\x1b[5~", "pagedown": "\x1b[6~", "delete": "\x1b[3~", "enter": "\r", "tab": "\t", "shift+tab": "\x1b[Z",
    "backspace": "\x7f", "alt+up": "\x1b[1;3A", "alt+down": "\x1b[1;3B", "slash": "/",
    "escape": "\x1b[27u",  # as keyboards say it that are asked to: alone, it would be the begin of another key
}  # fmt: skip


def sent(event: Event, size: tuple[int, int]) -> list[str]:
    """What a terminal of this size sends, key by key."""
    match event:
        case ["keys", *names]:
            return [_sent(str(name)) for name in names]
        case ["wheel", x, y, int(notches)]:
            return [f"\x1b[<{64 if notches < 0 else 65};{_at(x, y, size)}M"] * abs(notches)
        case ["click", x, y, int(times)]:
            return [f"\x1b[<0;{_at(x, y, size)}M", f"\x1b[<0;{_at(x, y, size)}m"] * times
        case ["move", x, y]:
            return [f"\x1b[<35;{_at(x, y, size)}M"]
    return []


def _sent(name: str) -> str:
    if name in _SEQUENCES:
        return _SEQUENCES[name]
    if name.startswith("ctrl+"):
        return chr(ord(name[5]) & 0x1F)
    return key_to_character(name) or name


def _at(x: float, y: float, size: tuple[int, int]) -> str:
    return f"{1 + int(x * size[0])};{1 + int(y * size[1])}"


# --- the place --------------------------------------------------------------------------------------------------------


class Place:
    """A repository with files for every agent, a home, and programs that only write down how they were called."""

    def __init__(self, folder: Path, repository: Path | None = None) -> None:
        """`repository` is one to copy instead."""
        self._name(folder)
        shutil.copytree(repository or demo_folder(), self.repository, symlinks=True)
        for name, text in FILES.items():
            path = self.path(name)
            if not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
        if not (self.repository / ".git").exists():
            commit(self.repository, {})
        for each in ("home", "tmp", "kept"):
            (folder / each).mkdir(exist_ok=True)
        shutil.copytree(self.repository, self._kept / "shop", symlinks=True)
        shutil.copytree(self.home, self._kept / "home", symlinks=True)
        names = {name for _, script in learnable() for name in script.programs}
        for name in names | {"code", "vim", "xclip", "xsel", "wl-copy", "tracker-server", "openclaw", "aider"}:
            program(self.bin / name, _CALLED.format(calls=str(self.calls)))
        (self.bin / "git").symlink_to(str(shutil.which("git")))

    def _name(self, folder: Path) -> None:
        self.folder, self.repository, self.home = folder, folder / "shop", folder / "home"
        self.bin, self.calls, self._kept = folder / "bin", folder / "calls", folder / "kept"

    @classmethod
    def at(cls, folder: Path) -> Place:
        """One that was made before."""
        place = cls.__new__(cls)
        place._name(folder)
        return place

    def path(self, name: str) -> Path:
        """A file of the repository, or below `HOME`."""
        return self.folder / "home" / name[5:] if name.startswith("HOME/") else self.repository / name

    @property
    def env(self) -> dict[str, str]:
        """All there is in the environment."""
        own = {name: str(self.folder / name.lower()) for name in ("CACHE", "CONFIG", "STATE")}
        return {
            "HOME": str(self.home),
            "PATH": str(self.bin),
            "TMPDIR": str(self.folder / "tmp"),
            "VISUAL": "code",
            "DISPLAY": ":99",
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            **{f"PROMPTSCOPE_{name}": path for name, path in own.items()},
            **{f"XDG_{name}_HOME": path for name, path in own.items()},
        }

    def change(self, event: Event) -> None:
        """Save, delete or restore."""
        match event:
            case ["save", str(name), str(content)]:
                path = self.path(name)
                if not path.parent.is_dir() or path.is_dir():
                    return
                path.write_bytes(CONTENTS[content](path.read_bytes() if path.is_file() else b""))
            case ["delete", str(name)]:
                path = self.path(name)
                shutil.rmtree(path, ignore_errors=True)
                if path.is_file():
                    path.unlink()
            case ["restore"]:
                for each in ("shop", "home"):
                    shutil.copytree(self._kept / each, self.folder / each, symlinks=True, dirs_exist_ok=True)

    @property
    def called(self) -> list[str]:
        """How the programs were called."""
        return self.calls.read_text("utf-8").splitlines() if self.calls.exists() else []


_CALLED = """import sys
with open({calls!r}, "a") as calls:
    calls.write(repr(sys.argv) + "\\n")
if "code" in sys.argv[0] or "vim" in sys.argv[0]:  # an editor in which somebody types
    with open(sys.argv[-1].partition(":")[0], "a") as file:
        file.write("Edited.\\n")
elif "--version" in sys.argv:
    print("2.1.332")
"""


# --- outside of it ----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def packages() -> tuple[Path, ...]:
    return tuple(Path(str(each.__file__)).parent for each in (promptscope_engine, promptscope_tui))


def fingerprint() -> dict[str, str]:
    """What promptscope's own files hold, but for what Python and it keep beside them."""
    found = {}
    for package in packages():
        for path in sorted(package.rglob("*")):
            if "__pycache__" not in path.parts and path.is_file():
                found[str(path)] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


class Guard:
    """Hears of every file that this process writes, and every program that it starts."""

    def __init__(self, place: Place) -> None:
        self._folder = str(place.folder)
        own = (f"{place.folder / name}/" for name in ("state", "config", "cache", "tmp", "outside"))
        self._allowed = (*own, "/dev/null/", "/dev/tty/", "/proc/self/")
        self._programs = place.bin
        self.found: list[str] = []
        self.off = [False]
        """Whether it is the test itself that writes."""

    def hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self.off[0]:
            return
        if event == "open":
            path, _, flags = arguments
            writes = flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
            paths = [path] if writes and isinstance(path, str | bytes) else []
        elif event == "subprocess.Popen":
            paths = []
            if not self._may_run(str(arguments[0])):
                self._tell(f"ran {arguments[0]} {arguments[1]}")
        else:
            paths = [each for each in arguments[: _CHANGING.get(event, 0)] if isinstance(each, str | bytes)]
        for path in map(os.fsdecode, paths):
            whole = str(Path.cwd() / path)
            if not f"{whole}/".startswith(self._allowed) and "__pycache__" not in whole:
                self._tell(f"{event} {whole}")

    def _tell(self, what: str) -> None:
        self.found.append(what.replace(self._folder, "PLACE"))

    def _may_run(self, name: str) -> bool:
        path = shutil.which(name) or name
        return path == sys.executable or Path(path).parent == self._programs


_CHANGING = {"os.remove": 1, "os.rename": 2, "os.mkdir": 1, "os.rmdir": 1, "os.truncate": 1, "os.chmod": 1,
             "os.chown": 1, "os.utime": 1}  # fmt: skip
"""How many of the arguments are paths that are changed."""
_GUARDS: list[Guard] = []


def _heard(event: str, arguments: tuple[Any, ...]) -> None:
    for guard in _GUARDS:
        guard.hear(event, arguments)


@lru_cache(maxsize=1)
def _listen() -> None:
    """An audit hook stays for ever; it hears nothing while there is no guard."""
    sys.addaudithook(_heard)


@contextmanager
def guarded(place: Place) -> Iterator[Guard]:
    """What is written meanwhile outside of promptscope's own folders, and what is run that is not of the place."""
    _listen()
    guard = Guard(place)
    _GUARDS.append(guard)
    try:
        yield guard
    finally:
        _GUARDS.remove(guard)


# --- a shorter list ---------------------------------------------------------------------------------------------------


def shortened(played: Sequence[Event], fails: Callable[[Sequence[Event]], bool], most: int = 80) -> list[Event]:
    """Fewer events that fail as well, after so many attempts at most: halves are left out, then quarters, and so on."""
    left, size = [*played], max(len(played) // 2, 1)
    attempts = 0
    while attempts < most:
        start, shorter = 0, False
        while start < len(left) and attempts < most:
            rest = left[:start] + left[start + size :]
            attempts += 1
            if rest and fails(rest):
                left, shorter = rest, True
            else:
                start += size
        if size == 1 and not shorter:
            break
        size = max(size // 2, 1) if not shorter or size > len(left) else size
    return left
