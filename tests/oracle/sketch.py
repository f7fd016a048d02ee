"""What a trait writes a situation with."""

from __future__ import annotations

import base64
import json
import random
import re
from typing import Any, TypeVar

from .markers import OWN_NAME
from .situation import Content, Json, Situation

T = TypeVar("T")

_LETTERS = "abcdefghijklmopqrstuvwxyz"  # no n: it is in front of a line's number


class ClashError(Exception):
    """Two traits want the same thing: the later one is left out."""


class Sketch:
    """A situation in the making. Chance goes by the seed alone, so a seed always gives the same one."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self.chance = random.Random(f"{situation.agent}:{situation.seed}")
        self._count = 0
        self._set: set[str] = set()

    def begin(self, trait: str) -> None:
        """What follows belongs to this trait."""
        self.situation.traits.append(trait)
        self._count = 0

    # marks and names

    def stem(self, label: str = "") -> str:
        """The trait's number and new letters, such as `00a`: for names. `ZQ` in front makes it a mark."""
        number, self._count = self._count, self._count + 1
        high = _LETTERS[number // 25 - 1] if number >= 25 else ""
        stem = f"{len(self.situation.traits) - 1:02d}{high}{_LETTERS[number % 25]}"
        self.situation.labels[f"ZQ{stem}"] = label
        return stem

    def mark(self, label: str = "") -> str:
        """A new mark; the label names the variant that it stands for."""
        return f"ZQ{self.stem(label)}"

    def text(self, label: str = "", middle: str = "") -> str:
        """Two marked lines: what is between them is compared by its hash."""
        return marked(self.mark(label), middle)

    def name(self, base: str, label: str = "") -> str:
        """A name of our own for something listed; its mark is `mark_of(name)`."""
        return base + self.stem(label)

    def label(self, name: str, label: str) -> None:
        """Say something else of a mark or name than when it was made."""
        self.situation.labels[name if name.startswith("ZQ") else mark_of(name)] = label

    def label_tools(self, label: str) -> None:
        """Name the variant of differences that no mark owns: tools, and whether it starts."""
        self.situation.labels["tools"] = label

    # files

    def put(self, path: str, content: Content) -> None:
        """A file that is there once."""
        files = self.situation.files
        if path in files or any(other.startswith(f"{path}/") or path.startswith(f"{other}/") for other in files):
            raise ClashError(path)
        files[path] = content

    def link(self, path: str, target: str) -> None:
        """A symbolic link."""
        self.put(path, {"link": target})

    def raw(self, path: str, data: bytes) -> None:
        """A file of bytes."""
        self.put(path, {"base64": base64.b64encode(data).decode()})

    def add(self, path: str, text: str) -> None:
        """More lines for an instruction file."""
        old = self.situation.files.get(path)
        if old is None:
            self.put(path, text)
        elif isinstance(old, str):
            self.situation.files[path] = f"{old}\n{text}"
        else:
            raise ClashError(path)

    def settings(self, path: str, value: Json) -> None:
        """More keys for a JSON file."""
        old = self.situation.files.get(path)
        if old is not None and not isinstance(old, str):
            raise ClashError(path)
        try:
            before = json.loads(old) if old else {}
        except ValueError:
            raise ClashError(path) from None
        if not isinstance(before, dict):
            raise ClashError(path)
        self.situation.files[path] = json.dumps(_merged(before, value, path), ensure_ascii=False)

    def read(self, *paths: str) -> None:
        """Files that the model reads; made where nothing is there yet."""
        files, reads = self.situation.files, self.situation.reads
        links = [path for path, content in files.items() if isinstance(content, dict) and "link" in content]
        for path in paths:
            if path not in files and not any(path.startswith(f"{link}/") for link in links):
                self.put(path, "1\n")
            if path not in reads:
                reads.append(path)

    # how it starts: at most one trait may say so

    def argument(self, name: str, value: Any = True) -> None:
        """An argument of the command."""
        self._once(f"args.{name}")
        self.situation.args[name] = value

    def variable(self, name: str, value: str) -> None:
        """An environment variable."""
        self._once(f"env.{name}")
        self.situation.env[name] = value

    def start_in(self, folder: str) -> None:
        """The folder that the agent starts in."""
        self._once("cwd")
        self.situation.cwd = folder

    def git(self, *commands: list[str]) -> None:
        """The git commands, each behind its folder, in place of `git init` in repo/."""
        self._once("git")
        self.situation.git = list(commands)

    def ask(self, prompt: str) -> None:
        """The user's first message."""
        self._once("prompt")
        self.situation.prompt = prompt

    def reply(self, *calls: Json) -> None:
        """A reply of the model: these tool calls."""
        self._once("reads")
        self.situation.calls.append(list(calls))

    def tell(self, key: str, value: Any) -> None:
        """What promptscope cannot find out itself, as a key of its scenario."""
        self._once(f"told.{key}")
        self.situation.told[key] = value

    def _once(self, key: str) -> None:
        if key in self._set:
            raise ClashError(key)
        self._set.add(key)

    # chance

    def one(self, *items: T) -> T:
        """One of these."""
        return self.chance.choice(items)

    def some(self, items: list[T], low: int, high: int) -> list[T]:
        """From `low` to `high` of these, in their order."""
        number = min(len(items), self.chance.randint(low, high))
        kept = set(self.chance.sample(range(len(items)), number))
        return [item for index, item in enumerate(items) if index in kept]

    def perhaps(self, share: float = 0.5) -> bool:
        """Whether to, in this share of the seeds."""
        return self.chance.random() < share


def mark_of(name: str) -> str:
    """The mark of a name that `Sketch.name` made, or that holds one."""
    found = re.search(r"\d\d[a-z]+$", name) or OWN_NAME.search(name)
    assert found is not None, name
    return f"ZQ{found[0]}"


def marked(mark: str, middle: str = "") -> str:
    """Two lines of one mark."""
    return f"{mark}n0001 words\n{middle}{mark}n0002 end\n"


def front_matter(body: str, **values: str | None) -> str:
    """A Markdown file whose front matter holds raw YAML values; `_` in a key is `-`, and None leaves it out."""
    lines = [f"{key.replace('_', '-')}: {value}\n" for key, value in values.items() if value is not None]
    return f"---\n{''.join(lines)}---\n{body}"


def _merged(old: Any, new: Json, path: str) -> Any:
    for key, value in new.items():
        if isinstance(old.get(key), dict) and isinstance(value, dict):
            _merged(old[key], value, path)
        elif key in old and old[key] != value:
            raise ClashError(f"{path} {key}")
        else:
            old[key] = value
    return old
