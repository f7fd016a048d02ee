"""The differences between what a client sent and what promptscope predicted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from .facts import MIXED
from .markers import owner_in, split, stem_in
from .situation import Facts, Situation

GUARDED = "guarded"
"""The kind that does not count: a file outside of the folders that promptscope may read, which it says."""

RACED = "raced"
"""The kind of two neighbours of one folder that changed places. Gemini CLI reads the folders of skills at the same time
and lists them as the reads end, nearly always backwards: nobody can predict the rest."""
UNCOUNTED = (GUARDED, RACED)

_GEMINI_SKILLS = ("skill-creator", "antigravity-support")
_FIELDS = ("marks", "spans", "entries", "paths", "tools", "model")


@dataclass(frozen=True)
class Difference:
    """One fact that differs. `trait` is None where no marker tells whose it is; `label` names the trait's variant.

    Kinds: started, crash, missing (sent, not predicted), extra (predicted, not sent), guarded, raced, place, cut (other
    lines of a text), text (same lines, other characters), order, entry-missing, entry-extra, entry-text, entry-order,
    path, tool-missing, tool-extra, model.
    """

    kind: str
    trait: str | None
    label: str
    item: str
    real: Any
    predicted: Any

    @property
    def signature(self) -> str:
        """What makes two differences the same fault: lengths and counts do not matter."""
        return f"{self.kind}: {re.sub(r'[0-9]{3,}', 'N', self.label or self.item)}"


@dataclass(frozen=True)
class Blank:
    """The facts of an empty workspace: what a newer client changes there is no difference of other situations."""

    real: Facts
    predicted: Facts


def differences(
    situation: Situation,
    real: Facts,
    predicted: Facts,
    blank: Blank | None = None,
    unstable: Mapping[str, str] | None = None,
) -> list[Difference]:
    """Every fact that differs; those that two recordings did not share (`unstable`) are not looked at."""
    return _Comparison(situation, real, predicted, blank, unstable or {}).differences()


def unstable_in(first: Facts, second: Facts) -> dict[str, str]:
    """The facts that two recordings of one situation do not share, by field: "order" or "content"."""
    found = {}
    for field in _FIELDS:
        one, other = first.get(field), second.get(field)
        if one != other:
            both = isinstance(one, list) and isinstance(other, list)
            same = both and sorted(map(str, _list(one))) == sorted(map(str, _list(other)))
            found[field] = "order" if same else "content"
    if first.get("started") != second.get("started"):
        found["started"] = "content"
    return found


class _Comparison:
    """Collects the differences of one situation, aspect by aspect."""

    def __init__(
        self, situation: Situation, real: Facts, predicted: Facts, blank: Blank | None, unstable: Mapping[str, str]
    ) -> None:
        self._situation, self._real, self._predicted = situation, real, predicted
        self._blank, self._unstable = blank, unstable
        self._found: list[Difference] = []
        self._told: set[str] = set()
        """Stems whose text differs as a whole already."""

    def differences(self) -> list[Difference]:
        if not self._started():
            return self._found
        for field, compare in (
            ("marks", self._texts),
            ("spans", self._spans),
            ("entries", self._entries),
            ("paths", self._paths),
            ("tools", self._tools),
            ("model", self._model),
        ):
            if self._unstable.get(field) != "content":
                compare()
        return _joined(self._found)

    def _started(self) -> bool:
        """Whether both started, so that there is something to compare."""
        real, predicted = self._real, self._predicted
        if predicted["started"] is None:
            self._say_whole("crash", "promptscope", "", predicted["error"])
        elif self._situation.args.get("interactive") and not real["started"]:
            return False  # a dialog waits for the user
        elif self._situation.request != "main" and not real["started"] and real.get("exit") == 0:
            return False  # the session ran, and nobody was asked but its own agent
        elif _said_nothing(self._situation) and not real["started"] and real.get("exit") == 0:
            return False  # a hook's exit status stopped the prompt: promptscope runs none, and is told what one prints
        elif real["started"] != predicted["started"]:
            refused = f"does not start ({', '.join(real.get('stderr', []))})"
            says = ("starts" if real["started"] else refused, "starts" if predicted["started"] else "does not start")
            self._say_whole("started", "start", *says)
        return bool(real["started"] and predicted["started"])

    def _texts(self) -> None:
        real, predicted = _by_stem(self._real), _by_stem(self._predicted)
        for stem in dict.fromkeys([*real, *predicted]):
            one, other = real.get(stem), predicted.get(stem)
            if other is None:
                self._say(GUARDED if self._is_guarded(stem) else "missing", stem, one, None)
            elif one is None:
                self._say("extra", stem, None, other)
            elif sorted(one) != sorted(other):
                same = [mark[1] for mark in one] == [mark[1] for mark in other]
                self._say("place" if same else "cut", stem, one, other)
            else:
                continue
            self._told.add(stem)
        if self._unstable.get("marks") != "order":
            skipped = self._told | self._listed()
            self._say_order("order", *([s for s in stems if s not in skipped] for stems in (real, predicted)))

    def _listed(self) -> set[str | None]:
        """The stems of entries of listings."""
        both = (self._real, self._predicted)
        return {stem_in(entry[1] + entry[2]) for facts in both for entry in facts["entries"]}

    def _spans(self) -> None:
        """Texts, but for marks that a listing holds too: between such a one and another the vendor's words stand."""
        skipped = self._told | self._listed()
        real, predicted = ({span[1]: span[2:] for span in facts["spans"]} for facts in (self._real, self._predicted))
        for stem, span in real.items():
            other = predicted.get(stem, span)
            if stem not in skipped and span != other and MIXED not in (span[1], other[1]):
                self._say("text", stem, f"{span[0]} characters", f"{other[0]} characters")

    def _entries(self) -> None:
        real, predicted = _by_name(self._real), _by_name(self._predicted)
        blank = (_by_name(self._blank.real), _by_name(self._blank.predicted)) if self._blank else ({}, {})
        gone, new = set(blank[0]) - set(blank[1]), set(blank[1]) - set(blank[0])
        for name in dict.fromkeys([*real, *predicted]):
            one, other = real.get(name), predicted.get(name)
            said = [entry[0] for entry in [*(one or []), *(other or [])]]
            whole = name in blank[0] or all(text == "…" for text in said)
            if stem_in(" ".join(said)) in self._told:
                continue
            if other is None and name not in gone:
                self._say("entry-missing", name, one, None, whole=whole)
            elif one is None and name not in new:
                self._say("entry-extra", name, None, other, whole=whole)
            elif one and other and sorted(one) != sorted(other):
                self._say("entry-text", f"{name} {one[0][0]}", one, other, whole=whole)
        if self._unstable.get("entries") != "order":
            kind = RACED if self._is_race(list(real), list(predicted)) else "entry-order"
            self._say_order(kind, list(real), list(predicted))

    def _is_race(self, real: list[str], predicted: list[str]) -> bool:
        """Whether two skills that one folder holds changed places, and all else is alike."""
        if self._situation.agent != "gemini" or sorted(real) != sorted(predicted):
            return False
        moved = [number for number, pair in enumerate(zip(real, predicted, strict=True)) if pair[0] != pair[1]]
        folders = [self._skill_folder(real[number]) for number in moved]
        return len(moved) == 2 and moved[1] == moved[0] + 1 and folders[0] is not None and folders[0] == folders[1]

    def _skill_folder(self, name: str) -> str | None:
        if name in _GEMINI_SKILLS:
            return "built in"
        ending = f"/{name}/SKILL.md"
        return next((path.removesuffix(ending) for path in self._situation.files if path.endswith(ending)), None)

    def _paths(self) -> None:
        situation = self._situation
        real, predicted = ({path for _, path in facts["paths"]} for facts in (self._real, self._predicted))
        for path in sorted(real ^ predicted):
            plain = path.replace("{ROOT}/", "").replace("{HOME}", "home").replace("{REPO}", "repo")
            content = situation.files.get(plain)
            stem = stem_in(content) if isinstance(content, str) else None
            linked = isinstance(content, dict) and "link" in content and self._told
            if stem in self._told or plain in situation.reads or linked:
                continue
            self._say("path", stem or path, *(path if path in side else None for side in (real, predicted)))

    def _tools(self) -> None:
        real, predicted = set(self._real["tools"]), set(self._predicted["tools"])
        if self._blank is not None:
            blank = set(self._blank.real["tools"]), set(self._blank.predicted["tools"])
            real, predicted = real - (blank[0] - blank[1]), predicted - (blank[1] - blank[0])
        for name in sorted(real - predicted):
            self._say_whole("tool-missing", name, name, None)
        for name in sorted(predicted - real):
            self._say_whole("tool-extra", name, None, name)

    def _model(self) -> None:
        """Which model is asked, where both say so; promptscope may name the provider and the long window, too."""
        real, predicted = self._real.get("model"), (self._predicted.get("model") or "").removesuffix("[1m]")
        if real and predicted and real != predicted and not predicted.endswith(f"/{real}"):
            self._say_whole("model", "model", real, predicted)

    def _is_guarded(self, stem: str) -> bool:
        """Whether its file is outside, and promptscope says that it left something out."""
        files = self._situation.files.items()
        outside = [text for path, text in files if not path.startswith(("repo/", "home/"))]
        said = "outside" in self._predicted.get("notes", [])
        return said and any(isinstance(text, str) and stem in text for text in outside)

    def _say(self, kind: str, item: str, real: Any, predicted: Any, *, whole: bool = False) -> None:
        """Note a difference of the trait that the item's marker names; `whole`: of none in particular."""
        if whole:
            self._say_whole(kind, item, real, predicted)
            return
        traits, owner = self._situation.traits, owner_in(item)
        trait = traits[owner[0]] if owner and owner[0] < len(traits) else None
        stems = (stem_in(item), owner[1] if owner else None)
        label = next((found for stem in stems if (found := self._situation.labels.get(stem or ""))), "")
        self._found.append(Difference(kind, trait, label, item, real, predicted))

    def _say_whole(self, kind: str, item: str, real: Any, predicted: Any) -> None:
        label = self._situation.labels.get("tools", "")
        self._found.append(Difference(kind, None, label, item, real, predicted))

    def _say_order(self, kind: str, real: list[str], predicted: list[str]) -> None:
        one, other = [x for x in real if x in predicted], [x for x in predicted if x in real]
        first = next((x for x, y in zip(one, other, strict=True) if x != y), None)
        if first is not None:
            self._say(kind, first, " ".join(one), " ".join(other))


def _joined(found: list[Difference]) -> list[Difference]:
    """Several texts at another place, all moved alike, as one: a whole message is elsewhere."""
    places = [one for one in found if one.kind == "place"]
    moves = {str([[mark[0] for mark in side] for side in (one.real, one.predicted)]) for one in places}
    if len(places) < 2 or len(moves) > 1:
        return found
    rest = [one for one in found if one.kind != "place"]
    return [*rest, replace(places[0], trait=None, label="all texts of a message")]


def _said_nothing(situation: Situation) -> bool:
    """Whether there is a hook on the prompt that prints nothing that counts."""
    return (situation.told.get("params") or {}).get("hooks", {}).get("UserPromptSubmit") == ""


def _by_stem(facts: Facts) -> dict[str, list[list[str]]]:
    found: dict[str, list[list[str]]] = {}
    for place, mark in facts["marks"]:
        stem, lines = split(mark)
        found.setdefault(stem, []).append([place, lines])
    return found


def _by_name(facts: Facts) -> dict[str, list[list[str]]]:
    found: dict[str, list[list[str]]] = {}
    for _, name, description, tools in facts["entries"]:
        found.setdefault(name, []).append([description, tools])
    return found


def _list(value: object) -> Iterable[object]:
    return value if isinstance(value, list) else []
