"""Traits that are data: `traits/CLIENT.yaml`, as README.md describes them.

A trait is `{about, with, take, label, each, variants, always, perhaps}`. Its parts (`each`, a variant, `always`) may
hold `files, settings, args, env, reads, cwd, git, prompt, calls, told, request, tools, label`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import yaml
from tests.oracle.situation import Content, Json
from tests.oracle.sketch import Sketch, marked

_PARTS = {
    *("files", "settings", "args", "env", "reads", "cwd", "git", "prompt"),
    *("calls", "told", "request", "tools", "label"),
}
_TRAIT = {"about", "with", "take", "label", "each", "pick", "base", "variants", "always", "perhaps"}


def declared(path: Path) -> dict[str, Callable[[Sketch], None]]:
    """The traits of a file; none where there is no such file. Raises ValueError for a key that means nothing."""
    if not path.exists():
        return {}
    found = yaml.safe_load(path.read_text())
    for name, trait in found.items():
        _check(name, trait)
    return {name: partial(_write, trait) for name, trait in found.items()}


def _check(name: str, trait: Json) -> None:
    variants = trait.get("variants", [])
    parts = [trait.get("each", {}), trait.get("always", {}), *(part for _, part in trait.get("perhaps", []))]
    if isinstance(variants, dict):
        parts += [part for part in variants.values() if isinstance(part, dict)]
    wrong = {*trait} - _TRAIT | {key for part in parts for key in part} - _PARTS
    if wrong:
        raise ValueError(f"{name}: no trait has {', '.join(sorted(wrong))}")


def _write(trait: Json, s: Sketch) -> None:
    values = {key: s.one(*choices) for key, choices in trait.get("with", {}).items()}
    variants = trait.get("variants", [""])
    table = variants if isinstance(variants, dict) else {_said(one): one for one in variants}
    chosen = s.some(list(table), *trait.get("take", [1, 1]))
    label = trait.get("label", "{variant}")
    whole = {**values, "variant": ", ".join(chosen), "value": table[chosen[0]]}
    words = Words(s, whole, trait.get("base", ""), label)
    for part in [trait.get("always", {}), *(part for share, part in trait.get("perhaps", []) if s.perhaps(share))]:
        words.write(part)
    for kind in chosen:
        value = table[kind]
        own = {**values, **{key: s.one(*choices) for key, choices in trait.get("pick", {}).items()}}
        part = value if isinstance(variants, dict) and isinstance(value, dict) else {}
        own |= {"variant": kind, "value": value}
        Words(s, own, trait.get("base", ""), label).write({**trait.get("each", {}), **part})


def _said(variant: Any) -> str:
    return variant if isinstance(variant, str) else json.dumps(variant, ensure_ascii=False)


class Words:
    """What stands for the placeholders of one variant.

    `{n}` is the variant's own letters, `{name}` its base and them, `{m}` its mark, `{lines}` two lines of it; `{text}`
    two lines of a new mark, labelled with the file's path, and `{mark}` such a mark; `{json}` the variant as JSON. A
    string that is nothing but one placeholder becomes the value itself.
    """

    def __init__(self, s: Sketch, values: Json, base: str, label: str) -> None:
        self._s, self._values, self._base, self._label = s, values, base, label
        self._stem: str | None = None

    def write(self, part: Json) -> None:
        """Write what a part says into the sketch."""
        s = self._s
        self._label = part.get("label", self._label)
        if "cwd" in part:
            s.start_in(self.filled(part["cwd"]))
        if "git" in part:
            s.git(*self.filled(part["git"]))
        for path, content in part.get("files", {}).items():
            self._place(self.filled(path), content)
        for path, value in part.get("settings", {}).items():
            s.settings(self.filled(path), self.filled(value))
        self._write_session(part)

    def _write_session(self, part: Json) -> None:
        s = self._s
        for name, value in part.get("args", {}).items():
            s.argument(name, self.filled(value))
        for name, value in part.get("env", {}).items():
            s.variable(self.filled(name), self.filled(value))
        for key, value in part.get("told", {}).items():
            s.tell(key, self.filled(value))
        for calls in part.get("calls", []):
            s.reply(*self.filled(calls))
        s.read(*self.filled(part.get("reads", [])))
        if "prompt" in part:
            s.ask(self.filled(part["prompt"]))
        if "request" in part:
            s.situation.request = part["request"]
        if "tools" in part:
            s.label_tools(self._plain(part["tools"]))

    def filled(self, value: Any, path: str = "") -> Any:
        """A JSON value with its placeholders replaced."""
        if isinstance(value, list):
            return [self.filled(one, path) for one in value]
        if isinstance(value, dict):
            return {self.filled(key, path): self.filled(one, path) for key, one in value.items()}
        if not isinstance(value, str):
            return value
        if value[:1] == "{" and value[1:-1] in self._values:
            return self.filled(self._values[value[1:-1]], path)
        return self._text(value, path)

    def _place(self, path: str, content: Content) -> None:
        s = self._s
        if isinstance(content, dict) and "encode" in content:
            s.raw(path, self.filled(content["text"], path).encode(content["encode"], "surrogatepass"))
        elif isinstance(content, str):
            s.add(path, self.filled(content, path))
        else:
            s.put(path, self.filled(content, path))

    def _text(self, text: str, path: str) -> str:
        text = self._plain(text)
        made: dict[str, Callable[[], str]] = {
            "{lines}": lambda: marked(f"ZQ{self._own()}"),
            "{name}": lambda: self._base + self._own(),
            "{m}": lambda: f"ZQ{self._own()}",
            "{mark}": lambda: self._s.mark(f"{self._plain(self._label)}: {path}"),
            "{n}": self._own,
            "{text}": lambda: self._s.text(f"{self._plain(self._label)}: {path}"),
        }
        for token, make in made.items():
            if token in text:
                text = text.replace(token, make())
        return text

    def _plain(self, text: str) -> str:
        """With the values, and nothing of the variant's own."""
        if "{json}" in text:
            text = text.replace("{json}", json.dumps(self._values["value"], ensure_ascii=False))
        for key, value in self._values.items():
            if f"{{{key}}}" in text:
                text = text.replace(f"{{{key}}}", _said(value))
        return text

    def _own(self) -> str:
        if self._stem is None:
            self._stem = self._s.stem(self._plain(self._label))
        return self._stem
