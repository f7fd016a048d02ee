"""Which skills are listed: what holds one back, which fit, and how.

First descriptions shrink, then they go, then skills go.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial, reduce
from itertools import accumulate
from operator import and_

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.kit.disk.settings import mapping, text
from promptscope_engine.agents.kit.text.markup import IN_QUOTES
from promptscope_engine.agents.kit.text.texts import Scope
from promptscope_engine.agents.openclaw.levers import SettingLevers
from promptscope_engine.agents.openclaw.texts import FOLDER, NEWER
from promptscope_engine.formats.document import Json, Path
from promptscope_engine.javascript.text import js_trim, js_trim_end, splits_pair, utf16_len, utf16_slice
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact, Named
from promptscope_engine.prompt.drafts import Span, builtin, computed, label, param_value, traced_lines
from promptscope_engine.prompt.model import Lever
from promptscope_engine.workspace import Workspace

from .config import short_path
from .skill_folders import BUNDLED, CUSTODIAN, Limits, Skill

CONFIG_DEFAULTS = {"browser.enabled": True, "browser.evaluateEnabled": True}
"""Configuration paths that are on by default."""


class Machine(Struct, frozen=True):
    """What the gates depend on: configuration, system, environment variables, the folders of PATH, the filter."""

    settings: SettingLevers
    platform: str
    env: Mapping[str, str]
    path: tuple[str, ...]
    only: tuple[str, ...] | None
    """The names that the agent's own list admits; None: no list. An empty list admits none."""
    only_from: str = "skillFilter"


def gate(skill: Skill, machine: Machine, workspace: Workspace) -> Condition:
    """The condition under which the skill is listed, limits aside."""
    return reduce(and_, _gates(skill, machine, workspace))


def _gates(skill: Skill, machine: Machine, workspace: Workspace) -> Iterator[Condition]:
    if skill.plugin:
        yield skill.plugin
    settings, wanted, only = machine.settings, skill.names("os"), machine.only
    path: Path = ("skills", "entries", skill.key)
    entry, no = settings.object(path), f"skills.entries.{skill.key}.enabled is false"
    ok = entry.get("enabled") is not False
    yield settings.decides((*path, "enabled"), ok, "it is not switched off", no, on=True, off=False)
    # It limits bundled skills only, and an empty list limits nothing.
    key = "skills.allowBundled"
    listed = settings.get(key)
    names = [name for each in listed if (name := js_trim(str(each)))] if isinstance(listed, list) else []
    if names and skill.source in (BUNDLED, CUSTODIAN):
        ok = skill.key in names or skill.name in names
        yield settings.decides(key, ok, f"{key} names it", f"{key} does not name it", on=[*names, skill.key])
    if wanted:  # it counts even where the metadata says always
        more = {"wanted": list(wanted), "actual": machine.platform}
        yield FOLDER.reason("platform", machine.platform in wanted, more, platforms=", ".join(wanted), first=wanted[0])
    met: Condition = reduce(and_, _required(skill, entry, machine, workspace), ALWAYS)
    if skill.own("always") is True:
        always = Fact("file", "always", True, "its metadata says always", "")
        yield always if met is ALWAYS else always | met
    elif met is not ALWAYS:
        yield Named("all", "requires", met, "what it requires is there")
    if only is not None:
        on = {"on": (Lever("skillFilter", [*only, skill.name]),)}
        yield FOLDER.reason("filtered", skill.name in only, on, whose=machine.only_from)
    yield FOLDER.reason("called", not skill.hidden, file=skill.path)


def _required(skill: Skill, entry: Mapping[str, Json], machine: Machine, workspace: Workspace) -> Iterator[Condition]:
    for name in skill.names("requires.bins"):
        yield FOLDER.reason("program", _on_path(name, machine, workspace), {"wanted": name}, program=name)
    some = skill.names("requires.anyBins")
    if some:
        there = any(_on_path(name, machine, workspace) for name in some)
        yield FOLDER.reason("any_program", there, {"wanted": [*some]}, programs=", ".join(some))
    for name in skill.names("requires.env"):
        own = mapping(entry.get("env")).get(name) or (text(skill.own("primaryEnv")) == name and entry.get("apiKey"))
        there = bool(machine.env.get(name) or own)
        path = ("skills", "entries", skill.key, "env", name)
        is_set = machine.settings.decides(path, there, f"{name} is set", f"{name} is not set", on="imagined")
        yield Named("flag", f"env.{name}", is_set, f"{name} is set")
    for key in skill.names("requires.config"):
        there = _truthy(machine.settings, key)
        no = f"{key} is not set in the configuration"
        is_set = machine.settings.decides(key.strip("."), there, f"{key} is set", no, on=True)
        yield Named("flag", "env.OPENCLAW_CONFIG_PATH", is_set, f"{key} is set")


def _on_path(name: str, machine: Machine, workspace: Workspace) -> bool:
    return any(workspace.is_executable(f"{folder}/{name}") for folder in machine.path)


def _truthy(settings: SettingLevers, path: str) -> bool:
    value = settings.get(path.strip("."))
    if value is None:
        return CONFIG_DEFAULTS.get(path, False)
    if isinstance(value, str):
        return bool(js_trim(value))
    return bool(value) if isinstance(value, (bool, int, float)) else True


class Fit(Struct, frozen=True):
    """What of the skills fits: so many from the front, with descriptions of at most so many units.

    `most`: None is all of them, 0 none. `sizes`: what the block has come to with each skill, those behind too.
    """

    count: int
    most: int | None = None
    noted: bool = False
    sizes: tuple[int, ...] = ()


class Lengths(Struct, frozen=True):
    """Measured in the real agent: its limits count these, not our own wording. In UTF-16 units."""

    base: int
    """What is around the entries."""
    entry: int
    short_base: int = 0
    """The same where descriptions are cut."""
    bare_base: int = 0
    bare_entry: int = 0
    """The same without descriptions."""


OLDER, NEWER_ONES = Lengths(368, 97), Lengths(370, 97, 378, 363, 65)
NOTE, NOTE_CUT, NOTE_COMPACT = 73, 102, 41
"""The note above the list: of skills left out without its two numbers, of cut descriptions, of both in addition."""
LEAST_DESCRIPTION, LONGEST_DESCRIPTION, LEAST_FOR_WINDOW = 4, 220, 64
CUT_OFF = "..."


def first_that_fit(skills: Sequence[Skill], bounds: Limits) -> Fit:
    """As many as fit: first by number, then by the characters of the whole block, with full paths [2026.2.24]."""
    sizes = tuple(accumulate((entry_chars(s, s.path, OLDER.entry) for s in skills), initial=OLDER.base))[1:]
    count_ = next((n for n, size in enumerate(sizes[: bounds.in_prompt]) if size > bounds.chars), len(skills))
    return Fit(min(count_, bounds.in_prompt), sizes=sizes)


def entry_chars(skill: Skill, path: str, frame: int, description: str | None = None) -> int:
    """Characters that a skill's entry takes."""
    told = skill.description if description is None else description
    return frame + sum(utf16_len(value.translate(IN_QUOTES)) for value in (skill.name, told, path))


def cut_description(description: str, most: int | None) -> str:
    """The description in at most `most` units; None: as it is written."""
    if most is None:
        return description
    text_ = js_trim(re.sub(r"\s+", " ", description))
    if utf16_len(text_) <= most:
        return text_
    if most <= len(CUT_OFF):
        return utf16_slice(text_, 0, most - splits_pair(text_, most))
    end = most - len(CUT_OFF)
    return js_trim_end(utf16_slice(text_, 0, end - splits_pair(text_, end))) + CUT_OFF


class Fitting:
    """Fits skills into the room of the prompt, by shorter descriptions before fewer skills [2026.9.6]."""

    def __init__(self, skills: Sequence[Skill], bounds: Limits, home: str) -> None:
        self.bounds, self.total = bounds, len(skills)
        self.paths = [short_path(skill.path, home) for skill in skills]
        self.skills = skills

    def sizes(self, most: int | None) -> list[int]:
        """What the entries come to, with each one more."""
        known = NEWER_ONES
        base = known.base if most is None else known.short_base if most else known.bare_base
        found = [base]
        for skill, path in zip(self.skills, self.paths, strict=True):
            told = "" if most == 0 else cut_description(skill.description, most)
            frame = known.entry if told or most is None else known.bare_entry
            found.append(found[-1] + entry_chars(skill, path, frame, told))
        return found

    def note(self, count_: int, most: int | None) -> int:
        """The length of the note with its break, 0 without one."""
        compact = NOTE_COMPACT - (0 if most else 2)
        if count_ < self.total:
            return NOTE + len(f"{count_}{self.total}") + (0 if most is None else compact) + bool(count_)
        return 0 if most is None else NOTE_CUT - (0 if most else 2) + bool(count_)

    def fits(self, count_: int, most: int | None, *, noted: bool = True) -> bool:
        """Whether so many, with descriptions of at most `most` units, have room beside the note about them."""
        size = self.sizes(most)[count_] if count_ else 0
        return size + (self.note(count_, most) if noted else 0) <= self.bounds.chars

    def found(self, window: int) -> Fit:
        """The fit, then what a small window leaves of the descriptions."""
        by_number = min(self.total, self.bounds.in_prompt)
        if self.fits(by_number, None):
            return self._for_window(Fit(by_number, noted=by_number < self.total), window)
        count_ = self._most(lambda n: self.fits(n, 0), 0, by_number)
        if not count_ and by_number:
            if self.fits(by_number, None, noted=False):
                return self._for_window(Fit(by_number), window)
            count_ = self._most(lambda n: self.fits(n, 0, noted=False), 0, by_number)
        noted, most = self.fits(count_, 0), 0
        if count_ and self.fits(count_, LEAST_DESCRIPTION, noted=noted):
            enough = partial(self.fits, count_, noted=noted)
            most = self._most(enough, LEAST_DESCRIPTION, LONGEST_DESCRIPTION)
        return self._for_window(Fit(count_, most, noted), window)

    def _most(self, fits: Callable[[int], bool], low: int, high: int) -> int:
        """The agent's own search between two numbers."""
        while low < high:
            middle = -(-(low + high) // 2)
            low, high = (middle, high) if fits(middle) else (low, middle - 1)
        return low

    def _for_window(self, fit: Fit, window: int) -> Fit:
        added = self.note(fit.count, fit.most) if fit.noted else 0
        sizes = [size + added for size in self.sizes(fit.most)]
        fit = replace(fit, sizes=tuple(sizes[1:]))
        room = window // 5
        if fit.most == 0 or sizes[fit.count] <= room:
            return fit
        taken = self.skills[: fit.count]
        told = sum(utf16_len(cut_description(s.description, fit.most).translate(IN_QUOTES)) for s in taken)

        def size(most: int) -> int:
            cut = (cut_description(s.description, min(most, fit.most or most)) for s in taken)
            return sizes[fit.count] - told + sum(utf16_len(each.translate(IN_QUOTES)) for each in cut)

        shorter = self._most(lambda most: size(most) <= room, LEAST_FOR_WINDOW, LONGEST_DESCRIPTION)
        return replace(fit, most=min(shorter, fit.most or shorter)) if size(shorter) < sizes[fit.count] else fit


def listing(skills: Sequence[Skill], fit: Fit, home: str, version: str) -> Iterable[Span]:
    """The text of `skillsPrompt`, trimmed; of the eligible `skills` those are listed that fit."""
    count_, total = fit.count, len(skills)
    some_cut = count_ < total and (fit.noted or version < NEWER)
    compact = fit.noted and not some_cut
    names = {
        "some_cut": some_cut,
        "shortened": compact and fit.most != 0,
        "omitted": compact and fit.most == 0,
        "bare": fit.most == 0,
        "shown_skills": computed("skills.listed", str(count_)),
        "eligible_skills": computed("skills.eligible", str(total)),
        "listed": [
            {
                "name": list(_escaped(_name(skill))),
                "description": list(_escaped(_description(skill, fit.most))),
                "location": computed("skill.location", short_path(skill.path, home).translate(IN_QUOTES)),
            }
            for skill in skills[:count_]
        ],
    }
    return FOLDER.spans("skill_list", Scope(names, version=version))


def _name(skill: Skill) -> Iterator[Span]:
    if skill.file is None:
        yield label(skill.name) if skill.plugin else param_value("skills", skill.name)
    elif skill.head.name is None:
        yield computed("skill.folder", skill.name)
    else:
        yield from traced_lines(skill.file.path, skill.file.text, skill.name, skill.head.name_line, "skill.name")


def _description(skill: Skill, most: int | None = None) -> Iterator[Span]:
    told = cut_description(skill.description, most)
    if skill.file is None:
        own = skill.plugin is not None
        yield builtin(f"skills.{skill.name}", told) if own else param_value("skills", told)
    else:
        first, is_cut = skill.head.description_line, told != skill.description and told.endswith(CUT_OFF)
        kept = told.removesuffix(CUT_OFF) if is_cut else told
        yield from traced_lines(skill.file.path, skill.file.text, kept, first, "skill.description")
        if is_cut:
            yield computed("skill.description", CUT_OFF)


def _escaped(spans: Iterator[Span]) -> Iterator[Span]:
    """The spans with entities; what is verbatim in a file stays so on both sides of one."""
    for span in spans:
        if span.origin.kind != "file":
            yield Span(span.text.translate(IN_QUOTES), span.origin)
            continue
        for stretch in re.split(r"([&<>\"'])", span.text):
            entity = stretch.translate(IN_QUOTES)
            if entity != stretch:
                yield computed("xml", entity)
            elif stretch:
                yield Span(stretch, span.origin)
