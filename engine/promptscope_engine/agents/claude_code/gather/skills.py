"""The skills listing: its lines and its budget, the skills and commands in folders, those that a read brings up."""

import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.claude_code.globs import path_matcher, path_patterns
from promptscope_engine.agents.claude_code.materials import GENERAL, Skill, WokenSkills
from promptscope_engine.agents.claude_code.texts import COMMANDS, FOLDER, Gates
from promptscope_engine.agents.claude_code.versions import V100, Model, is_on, served, whole_window, window_of
from promptscope_engine.agents.kit.disk.heads import is_yes
from promptscope_engine.agents.kit.disk.rows import absent, file_row, followed, near_skills
from promptscope_engine.agents.kit.text.folder import Bundled
from promptscope_engine.formats.document import Json
from promptscope_engine.javascript.collation import locale_order
from promptscope_engine.javascript.ignore import read_patterns
from promptscope_engine.javascript.json import string
from promptscope_engine.javascript.text import display_width, js_trim, utf16_len, utf16_slice
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Facts, Named, Setting
from promptscope_engine.prompt.drafts import FileDraft, Span, builtin, computed, label
from promptscope_engine.prompt.model import Limit
from promptscope_engine.workspace import Workspace

from .content import MAX_FILES, Described, Finder, is_within, process, project_folders
from .instructions import folders_between
from .plugins import NamedCommand, Plugin
from .session import Session
from .settings import MANAGED
from .workflows import workflows

BUDGET_FRACTION = 0.01
CHARS_PER_TOKEN = 4
_NEWER_CHARS_PER_TOKEN = 3
_NEWER = (4, 7)
"""To the listing, models from here on have a window of a million tokens, of three characters each [recorded]."""
BUNDLED_CHARS_100 = 880
"""What the lines of the bundled skills of 2.1.100 really take (reference: the whole block has 989 characters)."""
_COLOURS = r"\x1b\[[0-9;]*m"
_UNSEEN = "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]+"
_HEADING = r"^#+\s+"
_MOST_OF_BODY = 100
_LEAST = 20
"""2.1.100: a share below this many characters is no description any more, only the name is listed."""
_ANGLE = r"([<>])"
_ESCAPES = {"<": "&lt;", ">": "&gt;"}
_UNLISTED = r"[\x00-\x1f\x7f-\xa0<>\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]"
_GROUPED = r"\d{1,3}(?:[ _]\d{3})+"
_DECIMAL = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?|[+-]?Infinity"
_PREFIXED = r"0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+"


def unlisted(name: str) -> str:
    """The first character that keeps a skill or command of this name out of the listing, "" for none [recorded]."""
    found = re.search(_UNLISTED, name)
    return found[0] if found else ""


def description(found: Described, kind: str, version: str, limit: int) -> tuple[tuple[Span, ...], int]:
    """`<description>[ - <when_to_use>]` cut to `limit`, and its whole length.

    Without a description the first line of the body is in. From 2.1.329 on angle brackets are escaped, and they
    count as they are sent [recorded].
    """
    if kind == "workflow":  # as it is written
        when = found.text("when_to_use")
        hint_of = (label(" - "), *found.spans(when)) if when else ()
        whole = (*found.spans(found.text("description")), *hint_of)
        return shorten(whole, limit), sum(utf16_len(span.text) for span in whole)
    text = _one_line(js_trim(found.text("description")), version)
    used = found.values.get("when_to_use")  # put in as JavaScript writes it, blanks and all [asked of 2.1.332]
    hint = _one_line(js_trim(found.text("when_to_use")) if version == V100 or used is None else string(used), version)
    spans = found.spans(text) if text else _first_line(found, kind, version)
    if hint:
        spans = (*spans, label(" - "), *found.spans(hint))
    if version != V100:
        spans = tuple(part for span in spans for part in _escaped(span))
    return shorten(spans, limit), sum(utf16_len(span.text) for span in spans)


def _first_line(found: Described, kind: str, version: str) -> tuple[Span, ...]:
    text = re.sub(_HEADING, "", next(iter(found.content.text.lstrip().splitlines()), "").strip())
    if version == V100:
        return found.spans(text)
    if not text:
        return (label("Custom command" if kind == "command" else "Skill"),)
    if utf16_len(text) > _MOST_OF_BODY:
        return (*found.spans(utf16_slice(text, 0, _MOST_OF_BODY - 3)), label("..."))
    return found.spans(text)


def _one_line(text: str, version: str) -> str:
    """From 2.1.329 on runs of line breaks, tabs and invisible characters become a blank; colour codes go [recorded]."""
    if version == V100:
        return text.strip()
    return re.sub(_UNSEEN, " ", re.sub(_COLOURS, "", text))


def scoped(scope: str, name: str = "") -> tuple[Span, ...]:
    """What is said behind a skill of a folder: where it applies, and in place of which skill that `name` has."""
    if name:
        said = f"take it in place of the skill {name} while you change files below {scope}/)"
        return (label(f" (scoped to {scope}/ — "), builtin("skills.scoped", said))
    return (label(f" (from {scope}/.claude/skills — "), builtin("skills.from", f"it is for files below {scope}/)"))


def _escaped(span: Span) -> Iterator[Span]:
    for part in re.split(_ANGLE, span.text):
        if part in _ESCAPES:
            yield computed("escaped", _ESCAPES[part])
        elif part or not span.text:
            yield replace(span, text=part)


def shorten(spans: tuple[Span, ...], limit: int) -> tuple[Span, ...]:
    """At most `limit` UTF-16 units, the ellipsis included; nothing for 0."""
    if not limit:
        return ()
    if sum(utf16_len(p.text) for p in spans) <= limit:
        return spans
    left, kept = limit - 1, []
    for span in spans:
        if left <= 0:
            break
        text = utf16_slice(span.text, 0, left)
        # Half of a surrogate pair is sent as U+FFFD, which the file does not have.
        kept.append(replace(span, text=text) if span.text.startswith(text) else computed("cut", text))
        left -= utf16_len(span.text)
    return (*kept, label("…"))


# --- the budget -------------------------------------------------------------------------------------------------------


def listing_window(model: Model, version: str, env: Mapping[str, str]) -> int:
    """The window in tokens that the listing's share is taken of."""
    return window_of(model, version, env) if version == V100 else whole_window(model, version, env)


def chars_per_token(model: Model, version: str) -> int:
    """Characters that the listing takes a token for."""
    model = served(model, version)
    older = version == V100 or (model.known and model.version < _NEWER)
    return CHARS_PER_TOKEN if older else _NEWER_CHARS_PER_TOKEN


def listing_budget(model: Model, version: str, env: Mapping[str, str], fraction: Json) -> int:
    """Characters that the listing may take: SLASH_COMMAND_TOOL_CHAR_BUDGET, or a fraction of the window."""
    given = _number(env.get("SLASH_COMMAND_TOOL_CHAR_BUDGET", "").strip(), version)
    if given:
        return given
    if not isinstance(fraction, (int, float)) or isinstance(fraction, bool) or not 0 < fraction <= 1:
        fraction = BUDGET_FRACTION
    return int(listing_window(model, version, env) * chars_per_token(model, version) * fraction)


def _number(text: str, version: str) -> int | None:
    """A number as JavaScript reads it, cut to a whole one; 2.1.100 takes positive whole ones only."""
    if version == V100:
        return int(text) if text.isascii() and text.isdigit() and len(text) < len(str(sys.maxsize)) else None
    if re.fullmatch(_GROUPED, text):
        text = re.sub("[ _]", "", text)
    if re.fullmatch(_PREFIXED, text):
        return min(int(text[:20], 0), sys.maxsize)
    if not text.isascii() or not re.fullmatch(_DECIMAL, text):
        return None
    return int(max(-float(sys.maxsize), min(float(text[:400]), float(sys.maxsize))))


def fit(skills: Sequence[Skill], budget: int, version: str, facts: Facts, bundled: int) -> list[Skill]:
    """The skills in the order of the listing, cut to its budget.

    From 2.1.329 on a skill keeps its whole description or none, and what no longer fits is skipped; bundled skills
    keep theirs whatever it costs [recorded]. 2.1.100 shares what `bundled` characters leave evenly.
    """
    if version == V100:
        return _shared(skills, budget - bundled, facts)
    along = FOLDER.bundled("skills", version)
    listed = [skill for skill in skills if skill.when.holds(facts)]
    names = sum(display_width(f"- {skill.shown}") + 1 for skill in listed) - 1
    kept = sum(_columns(skill, along) for skill in listed if not _may_lose(skill, along))
    room, lost = budget - names - kept, set()
    for skill in listed:
        if _may_lose(skill, along) and (cost := _columns(skill, along)) <= room:
            room -= cost  # one that is too large does not keep a later one out
        elif _may_lose(skill, along):
            lost.add(id(skill))
    return [replace(skill, spans=()) if id(skill) in lost else skill for skill in skills]


def _may_lose(skill: Skill, along: Mapping[str, Bundled]) -> bool:
    return skill.source != "bundled" or "command" in along[skill.name].head


def _columns(skill: Skill, along: Mapping[str, Bundled]) -> int:
    """Columns of what is behind a name: those of bundled skills are measured, our wording differs."""
    text = "".join(span.text for span in skill.spans)
    if not text:
        return 0
    if skill.source == "bundled" and not text.endswith("…"):
        return int(along[skill.name].head["columns"]) - len(f"- {skill.name}")
    return display_width(f": {text}")


def _shared(skills: Sequence[Skill], left: int, facts: Facts) -> list[Skill]:
    own = [skill for skill in skills if skill.source != "bundled" and skill.when.holds(facts)]
    room = left - sum(len(f"- {skill.shown}: \n") for skill in own)
    if not own or sum(len(span.text) for skill in own for span in skill.spans) <= room:
        return list(skills)
    share = room // len(own)
    kept = share if share >= _LEAST else 0
    return [s if s.source == "bundled" else replace(s, spans=shorten(s.spans, kept)) for s in skills]


_MOST_CHARS = "skillListingMaxDescChars"
_BUDGET = "the list of skills"
_NEW = "CLAUDE_CODE_NEW_INIT"
_HIDING = ("off", "user-invocable-only")
_NAME_ONLY = "name-only"
DISPLAY_NAME = re.compile(r"[\w.:-]+")
"""What a display name is shown for: others are left out of the line [recorded]."""


def cut_at(version: str, setting: Json = None) -> int:
    """Characters of a description with its hint, the ellipsis included: `skillListingMaxDescChars` where it is one."""
    if version == V100:
        return 250
    return setting if isinstance(setting, int) and not isinstance(setting, bool) and setting > 0 else 1_536


class FoundSkill(Struct, frozen=True):
    """A skill or command that was read. `listed`: what lets it into the listing, but for others of its name."""

    name: str
    path: str
    kind: str
    source: str
    described: Described
    loaded: bool
    listed: Condition
    patterns: tuple[str, ...] = ()
    """What it waits for: `paths` of a skill."""
    scope: str = ""
    """The folder in front of its name, where another skill has that name already."""
    callable: bool = True
    """A person may type it, whatever keeps it from the model."""

    @property
    def is_plain(self) -> bool:
        """Whether it is a command of the user's or the project's, whose `name` counts for nothing."""
        return self.kind == "command" and self.source != "plugin"

    @property
    def fork(self) -> str | None:
        """The sub-agent that is given its text where it is called; None where the session gets it."""
        forks = self.described.values.get("context") == "fork"
        return (self.described.text("agent").strip() or GENERAL) if forks else None


class SkillGatherer(Finder):
    """Collects skills in the order of the listing; those and the commands of added directories are listed too."""

    def __init__(self, session: Session, gates: Gates, facts: Facts) -> None:
        super().__init__(session, "skills")
        self.gates, self.facts = gates, facts
        self.seen: set[tuple[str, str, str]] = set()
        """A file counts once: in the home folder the user's folders are the project's as well."""
        self.items: tuple[FoundSkill, ...] = ()
        """What was found at the start."""
        self.listed: tuple[Skill, ...] = ()
        """Every skill of the start in the order of the listing, also those that are not listed."""

    def gather(self, budget: int) -> None:
        """Find every skill; those of the listing fit the budget in characters."""
        found = self.items = tuple(self._found())
        own = [(item, *self.own(item, found)) for item in found]
        bundled = [self.bundled(each, found) for each in FOLDER.bundled("skills", self.version).values()]
        mine = [skill for _, skill, _ in own]
        taken = BUNDLED_CHARS_100 if self.version == V100 else 0
        order = [*bundled, *mine] if self.version == V100 else [*mine, *bundled]
        skills = fit(order, budget, self.version, self.facts, taken)
        fitted = skills[len(bundled) :] if self.version == V100 else skills[: len(mine)]
        self.listed = tuple(skills)
        listed = sum(skill.when.holds(self.facts) for skill in skills)
        no_room = f"listed by name only: the list may take {budget:,} characters and {listed:,} skills want more"
        for (item, _, whole), skill in zip(own, fitted, strict=True):
            self.files.append(self._row(item, skill, whole, budget, no_room))
        self._warn_of_budget(budget, listed)

    def _found(self) -> list[FoundSkill]:
        """Everything in all folders, in listing order: skills, commands, then those of plugins."""
        config, added, plugins = self.session.config, self.session.added, self.session.plugins.all
        managed = f"{self.session.managed}/.claude/"
        found = [*self.skills(f"{managed}skills", MANAGED), *self.skills(f"{config}/skills", "user")]
        for folder in project_folders(self.session, "skills"):
            found += self.skills(folder, "project")
        for folder in added:
            found += self._scoped(self.skills(f"{folder}/.claude/skills", "project"), folder, found)
        commands = [*self.commands(f"{managed}commands", MANAGED), *self.commands(f"{config}/commands", "user")]
        also = [f"{folder}/.claude/commands" for folder in added] if self.version != V100 else []
        for folder in (*project_folders(self.session, "commands"), *also):
            commands += self.commands(folder, "project")
        found += self._sorted(commands)
        if self.version != V100:
            found += self.workflows()
        for plugin in plugins:
            for path in plugin.commands:
                found += self.commands(path, "plugin", plugin)
            for command in plugin.named:
                found += self.named(command, plugin)
        for plugin in plugins:
            for folder in plugin.skills:
                found += self.skills(folder, "plugin", plugin)
        return found

    def _scoped(self, fresh: list[FoundSkill], folder: str, before: Sequence[FoundSkill]) -> list[FoundSkill]:
        """A skill of an added directory whose name is taken gets the directory in front [recorded]."""
        if self.version == V100 or f"{self.cwd}/".startswith(f"{folder}/"):
            return fresh
        taken = {item.name for item in before if item.loaded}
        scope = _scope(folder, self.cwd, self.session.added)
        return self._sorted(
            [replace(i, name=f"{scope}:{i.name}", scope=scope) if i.name in taken else i for i in fresh]
        )

    def _sorted(self, found: list[FoundSkill]) -> list[FoundSkill]:
        """By name, as `localeCompare` does; 2.1.100 keeps the order of the folders."""
        order = locale_order([item.name for item in found]) if self.version != V100 else range(len(found))
        return [found[number] for number in order]

    def bundled(self, along: Bundled, found: Sequence[FoundSkill]) -> Skill:
        """A bundled skill; from 2.1.329 on one of the user's own of the same name takes its place."""
        name, text = along.name, builtin(f"skills.{along.name}", along.text)
        if "new" in along.forms and is_on(self.session.variable(_NEW).value):
            text = builtin(f"skills.{along.name}.new", along.forms["new"])
        needs = getattr(self.gates, along.head["when"]) if "when" in along.head else ALWAYS
        when = self.gates.skills & needs
        if self.version == V100:
            return Skill(name, name, "bundled", (text,), when)
        own = next((item.path for item in found if item.loaded and item.name == name), None)
        if own:
            when = when & absent(own, f"{own} has its name and takes its place", f"rename {_renamed(own)}")
        if "always" not in along.head:
            when = when & self.gates.bundled_skills
        switch, named_only = self._override(name)
        spans = shorten((text,), self.most)
        return Skill(name, name, "bundled", () if named_only else spans, when & switch)

    @property
    def most(self) -> int:
        """Characters of a description."""
        return cut_at(self.version, self.session.settings.known(_MOST_CHARS).value)

    def _override(self, item: FoundSkill | str) -> tuple[Condition, bool]:
        """Whether `skillOverrides` (by name, with its folder or without) lists a skill, and whether by name alone."""
        name = item if isinstance(item, str) else item.name
        word = self.session.settings.member("skillOverrides", name)
        if not isinstance(item, str) and item.scope and word.value is None:
            word = self.session.settings.member("skillOverrides", name.removeprefix(f"{item.scope}:"))
        of_plugin = not isinstance(item, str) and item.source == "plugin"  # where it doesn't act [asked of 2.1.332]
        if self.version == V100 or of_plugin or word.value not in (*_HIDING, _NAME_ONLY):
            return ALWAYS, False
        no = "`skillOverrides` has it {actual}"
        listed = word.is_("on", _NAME_ONLY, unset="off", yes="`skillOverrides` lists it", no=no)
        return listed, word.value == _NAME_ONLY

    # --- what is in the folders ----------------------------------------------------------------------------------

    def skills(self, folder: str, source: str, plugin: Plugin | None = None) -> list[FoundSkill]:
        """`<folder>/<name>/SKILL.md`, sorted by name; a plugin's folder may be a skill itself."""
        if not self.may_read(folder, "skill"):
            return []
        if plugin and self.workspace.kind(f"{folder}/SKILL.md") == "file":
            return list(self.found(f"{folder}/SKILL.md", folder.rpartition("/")[2], source, "skill", plugin))
        entries = self.workspace.list(folder).entries
        if len(entries) > MAX_FILES:
            self.diagnostics.append(FOLDER.note("too-many-skills", folder, entries=len(entries), most=MAX_FILES))
        found: list[FoundSkill] = []
        for entry in entries[:MAX_FILES]:
            path = f"{folder}/{entry.name}/SKILL.md"
            if self.workspace.kind(f"{folder}/{entry.name}") != "directory":
                continue
            if self.workspace.kind(path) == "file":
                found += self.found(path, entry.name, source, "skill", plugin)
        self.files += near_skills(self.workspace, folder)
        return self._sorted(found)

    def commands(self, folder: str, source: str, plugin: Plugin | None = None) -> Iterator[FoundSkill]:
        """`commands/sub/name.md` is the skill `sub:name`.

        A SKILL.md is the command of its folder, and hides the other files in it; in a plugin also those of the folders
        below [asked of 2.1.332].
        """
        paths = self.below(folder, "skill", plugin)
        whole = {path.rpartition("/")[0]: path for path in paths if path != folder and self._is_folder(path, plugin)}
        for path in paths:
            parents = [str(each) for each in PurePosixPath(path).parents]
            first = next((whole[each] for each in (parents[::-1] if plugin else parents[:1]) if each in whole), path)
            if path != folder and whole.get(parents[0]) == path:
                own = parents[0].removeprefix(folder).strip("/") or folder.rpartition("/")[2]
            else:
                own = path.removeprefix(folder).strip("/") or path.rpartition("/")[2]
                own = own.removesuffix(".md")
            for item in self.found(path, own.replace("/", ":"), source, "command", plugin):
                yield item if first == path or self.version == V100 else _without(item, first)

    def _is_folder(self, path: str, plugin: Plugin | None) -> bool:
        """Whether a command is one of a whole folder: 2.1.100 knows such ones of plugins alone."""
        name = path.rpartition("/")[2]
        return name == "SKILL.md" and plugin is not None if self.version == V100 else name.lower() == "skill.md"

    def named(self, command: NamedCommand, plugin: Plugin) -> Iterator[FoundSkill]:
        """A command that a manifest names, with the description that it gives [asked of 2.1.332]."""
        read = self.read(command.path, "skill") if command.content is None else self._written(command)
        if read is not None and command.description:
            head = {**read.values, "description": command.description}
            read = replace(read, content=replace(read.content, frontmatter=head))
        if read is not None:
            yield self._found_in(read, command.name, "plugin", "command", plugin)

    def _written(self, command: NamedCommand) -> Described:
        """A command whose text is in the manifest."""
        file, text = self.workspace.read(command.path), command.content or ""
        content = process(text, self.version, comments=False, within_budget=is_within(self.budget, text))
        return Described(replace(file, real_path=f"{file.real_path}#{command.name}"), content)

    def workflows(self) -> Iterator[FoundSkill]:
        """The saved workflows; neither trust nor an organisation's settings keep a project's out [asked of 2.1.332]."""
        for each in workflows(self.session):
            sources, plugin = self.session.sources, each.plugin
            let_in = plugin.when if plugin else sources.condition(each.source)
            listed = self.gates.skills & self.gates.workflows & let_in
            allowed = plugin.enabled if plugin else sources.allows(each.source)
            loaded = allowed and listed.holds(self.facts)
            path = each.described.source.path
            yield FoundSkill(each.name, path, "workflow", each.source, each.described, loaded, listed, callable=loaded)

    def found(self, path: str, name: str, source: str, kind: str, plugin: Plugin | None) -> Iterator[FoundSkill]:
        """The skill of a file, if it is one."""
        # a plugin may name a skill's file as a command too, and two plugins may be of one folder
        once = (kind, path, plugin.id) if plugin else ("", path, "")
        if once not in self.seen:
            self.seen.add(once)
            if (read := self.read(path, "skill")) is not None:
                yield self._found_in(read, name, source, kind, plugin)

    def _found_in(self, read: Described, name: str, source: str, kind: str, plugin: Plugin | None) -> FoundSkill:
        path = read.source.path
        let_in = plugin.when if plugin else self.sources.condition(source)
        listed = self.gates.skills & let_in & followed(self.workspace, path, self.session.follow) & _manual(read)
        if self.version != V100 and (character := unlisted(name)):
            shown = "a control character" if not character.isprintable() else f"`{character}`"
            listed = listed & FOLDER.reason("unlisted", path=path, sign=shown, own=_renamed(path))
        if plugin and self.version != V100:
            if (kind == "skill" and path == f"{plugin.folder}/SKILL.md") or path.endswith("/skills/SKILL.md"):
                name = read.text("name").strip() or name
            given = bool(read.text("description").strip() or read.text("when_to_use").strip())
            listed = listed & FOLDER.reason("described", given, path=path)
        waits = (kind == "skill" and not plugin) or self.version == V100
        patterns = path_patterns(read.values["paths"]) if waits and "paths" in read.values else None
        allowed = plugin.enabled if plugin else self.sources.allows(source)
        loaded = allowed and not patterns and listed.holds(self.facts)
        full = f"{plugin.name}:{name}" if plugin else name
        there = allowed and self.gates.skills.holds(self.facts) and (not patterns or self.version == V100)
        return FoundSkill(full, path, kind, source, read, loaded, listed, patterns or (), callable=there)

    # --- what is listed --------------------------------------------------------------------------------------------

    def own(self, item: FoundSkill, found: Sequence[FoundSkill]) -> tuple[Skill, int]:
        """One of the user's own skills, and the length of its whole description."""
        when = item.listed & _waits(item) & self._first(item, found)
        switch, named_only = self._override(item)
        spans, whole = description(item.described, item.kind, self.version, self.most)
        if item.scope:
            spans = (*spans, *scoped(item.scope, item.name.removeprefix(f"{item.scope}:")))
        shown = item.name if named_only or item.scope else self.shown(item, found)
        return Skill(item.name, shown, item.source, () if named_only else spans, when & switch), whole

    def _first(self, item: FoundSkill, found: Sequence[FoundSkill]) -> Condition:
        """Of equal names, and of the ways to one file, the first that counts; 2.1.100 lists every one."""
        if self.version == V100:
            return ALWAYS
        real = item.described.source.real_path
        no = ""
        for other in takewhile(lambda other: other is not item, (other for other in found if other.loaded)):
            twice = item.source == "plugin" and other.kind != item.kind
            if other.described.source.real_path == real and not twice:
                no = f"it is the same file as {other.path}, which is listed as {other.name}"
            elif other.name == item.name:
                no = f"{other.path} has the same name and comes before it"
            if no:
                break
        return FOLDER.reason("first_skill", not no, path=item.path, other=no, own=_renamed(item.path))

    def shown(self, item: FoundSkill, found: Sequence[FoundSkill]) -> str:
        """`folder (name)` where both differ: not in 2.1.100, nor where the name is no good or another one's."""
        name = item.described.text("name").strip()
        if self.version == V100 or item.is_plain or not DISPLAY_NAME.fullmatch(name):
            return item.name
        prefix, _, folder = item.name.rpartition(":")
        own = f"{prefix}:{name}" if prefix else name
        bundled = FOLDER.bundled("skills", self.version).keys()
        others = {other.name for other in found if other is not item} | bundled | COMMANDS
        before = takewhile(lambda other: other is not item, (other for other in found if other.loaded))
        taken = any(other.described.text("name").strip() == name for other in before if not other.is_plain)
        return item.name if name == folder or own in others or taken else f"{item.name} ({own})"

    # --- rows ------------------------------------------------------------------------------------------------------

    def _row(self, item: FoundSkill, skill: Skill, whole: int, budget: int, no_room: str) -> FileDraft:
        """The row of a skill's file, with the limit that took something of its description."""
        file, text, when = item.described.source, "".join(span.text for span in skill.spans), skill.when
        self._note_context(item)
        limits: tuple[Limit, ...] = ()
        if when.holds(self.facts) and not self._override(item)[1]:
            if not text:
                when, limits = Named("file", item.path, when, no_room), (Limit(_BUDGET, budget, whole),)
            elif whole > self.most:
                most, line = self.most, item.described.setting("description").line
                limits = (Limit(_MOST_CHARS, most, whole),)
                self.diagnostics.append(FOLDER.note("description-cut", item.path, line, whole=whole, kept=most - 1))
        return file_row(file, "skill", "on-demand", when, text, limits=limits)

    def _note_context(self, item: FoundSkill) -> None:
        """What the key `context` does, or that it does nothing [asked of 2.1.332]."""
        said = item.described.values.get("context")
        if said is not None and item.loaded:
            place = item.path, item.described.setting("context").line
            agent = item.fork if item.fork == GENERAL else f"{item.fork}, or {GENERAL} if there is none of that name"
            key = "forks" if item.fork else "no-fork"
            self.diagnostics.append(FOLDER.note(key, *place, agent=agent, said=said))

    def _warn_of_budget(self, budget: int, listed: int) -> None:
        """One finding for all descriptions that the budget takes."""
        lost = [draft.path for draft in self.files if any(limit.name == _BUDGET for limit in draft.limits)]
        if lost:
            note = FOLDER.note("skills-budget", lost[0], lost=len(lost), listed=listed, budget=budget)
            self.diagnostics.append(note)


def _renamed(path: str) -> str:
    """What gives a skill or command its name."""
    return path.removesuffix("/SKILL.md")


def _manual(found: Described) -> Condition:
    """The model may call it."""
    manual = "disable-model-invocation"
    if not is_yes(found.values.get(manual)):
        return ALWAYS
    no = f"`{manual}` is on: only the user calls it"
    return Setting(found.setting(manual), True, "is", False, "the model may call it", no)


def _without(item: FoundSkill, first: str) -> FoundSkill:
    """A command that a SKILL.md beside or above it keeps out."""
    listed = item.listed & FOLDER.reason("stands_for", path=item.path, first=first)
    return replace(item, listed=listed, loaded=False, callable=False)


def _waits(item: FoundSkill) -> Condition:
    """A skill with `paths` is listed once a file that matches is read."""
    if not item.patterns:
        return ALWAYS
    no = "it waits for a file that matches " + ", ".join(item.patterns[:4])
    return Setting(item.described.setting("paths"), list(item.patterns), "given", False, "", no)


def _scope(directory: str, cwd: str, added: Sequence[str]) -> str:
    """The prefix of names in an added directory: its path below cwd, else the shortest unique end of its path."""
    if directory.startswith(f"{cwd}/"):
        return directory.removeprefix(f"{cwd}/")
    parts = directory.strip("/").split("/")
    ends = ("/".join(parts[-n:]) for n in range(1, len(parts) + 1))
    others = [other for other in added if other != directory]
    return next((end for end in ends if not any(other.endswith(f"/{end}") for other in others)), directory)


_MOST = 200
"""Folders that are looked into: more than the reads of one turn lead through."""


def woken_skills(gatherer: SkillGatherer, reads: Sequence[str]) -> WokenSkills:
    """The skills that the reads of a turn bring up [recorded 2.1.332].

    For each read its folders, innermost first, with the names of their skills; then all new skills in one list by
    name. A name that is taken, or used twice, gets its folder in front.
    """
    paths = [read if read.startswith("/") else f"{gatherer.cwd.rstrip('/')}/{read}" for read in reads]
    if gatherer.version == V100 or not gatherer.gates.skills.holds(gatherer.facts):
        return WokenSkills()
    folders = list(_folders(gatherer, paths))[:_MOST]
    found = {folder: gatherer.skills(f"{folder}/.claude/skills", "project") for folder in folders}
    fresh = [(folder, item) for folder, items in found.items() for item in items if item.listed.holds(gatherer.facts)]
    many = Counter(item.name for _, item in fresh)
    listed = {skill.name for skill in gatherer.listed if skill.when.holds(gatherer.facts)}
    taken = listed | FOLDER.bundled("skills", gatherer.version).keys() | COMMANDS
    lines: list[tuple[FoundSkill, Skill]] = []
    names: dict[str, list[str]] = {folder: [] for folder in folders}
    for folder, item in fresh:
        scope = folder.removeprefix(gatherer.cwd.rstrip("/") + "/")
        is_taken = item.name in taken
        skill = _line(gatherer, item, scope, is_taken=is_taken, in_front=is_taken or many[item.name] > 1)
        if skill.when.holds(gatherer.facts):
            names[folder].append(skill.name)
            lines.append((item, skill))
    for folder in folders:
        names[folder] += [item.name for item in gatherer.items if item.path.startswith(f"{folder}/.claude/skills/")]
    for item in gatherer.items:  # those of the start that wait for one of the files
        if item.patterns and any(map(path_matcher(item.patterns, gatherer.cwd), paths)):
            skill, _ = gatherer.own(replace(item, patterns=()), ())
            lines += [(item, skill)] if skill.when.holds(gatherer.facts) else []
    for item, skill in lines:
        when = Named("file", item.path, skill.when, f"listed after reading {', '.join(reads[:3])}")
        gatherer.row(item.described.source, "skill", "on-demand", when, "".join(span.text for span in skill.spans))
    order = locale_order([skill.name for _, skill in lines])
    shown = [(f.removeprefix(gatherer.cwd.rstrip("/") + "/"), tuple(n)) for f, n in names.items() if n]
    files = tuple(item.path for item, _ in lines)
    return WokenSkills(tuple(shown), tuple(lines[number][1] for number in order), files)


def _folders(gatherer: SkillGatherer, paths: Sequence[str]) -> Iterator[str]:
    """The folders between the start folder and the files that have skills, each once; ignored ones are left out."""
    seen: set[str] = set()
    for path in paths:
        for folder in reversed(folders_between(gatherer.cwd, path)):
            if folder not in seen and gatherer.workspace.kind(f"{folder}/.claude/skills") == "directory":
                seen.add(folder)
                if gatherer.session.root is None or not _is_ignored(gatherer.workspace, gatherer.session.root, folder):
                    yield folder


def _is_ignored(workspace: Workspace, root: str, folder: str) -> bool:
    """Whether a .gitignore of the repository names the folder, or one that it is in."""
    above = [root, *folders_between(root, f"{folder}/x")]
    for base in above[:-1]:
        file = workspace.read(f"{base}/.gitignore")
        if file.found:
            hides = read_patterns(file.text.splitlines(), "git").hides
            if any(hides(f"{inner.removeprefix(base + '/')}/") for inner in above if inner.startswith(base + "/")):
                return True
    return False


def _line(gatherer: SkillGatherer, item: FoundSkill, scope: str, *, is_taken: bool, in_front: bool) -> Skill:
    """A skill's line: with its folder in front of its name or without, and what is said of the folder behind it."""
    named = replace(item, patterns=(), scope=scope, name=f"{scope}:{item.name}") if in_front else item
    skill, _ = gatherer.own(replace(named, patterns=()), ())
    if is_taken or not skill.spans:
        return skill
    spans, _ = description(item.described, item.kind, gatherer.version, gatherer.most)
    return replace(skill, spans=(*spans, *scoped(scope)))
