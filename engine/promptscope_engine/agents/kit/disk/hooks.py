"""Hooks of settings and files, in the shape that agents share: by event, then by matcher. None is ever run.

`[hook_events]` of agent.toml has a row per event that an agent knows. `subject`: what a matcher has to fit in the first
request, such as how a session begins; `adds`: what of a hook's output reaches the prompt, "" for nothing.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.formats.document import Json, Path
from promptscope_engine.formats.key_lines import key_line
from promptscope_engine.inputs.errors import nearest
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact, Facts, any_of
from promptscope_engine.prompt.drafts import ProgramDraft
from promptscope_engine.workspace import FileText

from .layered import Layer
from .settings import below, mapping, object_in

MOST = 500
"""Hooks that are listed of one session."""
PLUGIN = "plugin "
"""Before the name of a plugin whose hooks they are."""
Events = Mapping[str, Mapping[str, str]]
Matches = Callable[[str, str], bool]
"""Whether a matcher fits a subject."""
CONTEXT = ("hookSpecificOutput", "additionalContext")
"""Where most agents look for it in the object that a hook prints."""
_NAMES = ("command", "bash", "powershell", "url", "prompt", "tool")
"""The keys of a hook that say what it runs, the first one counting."""


def _no_line(_: Path) -> int | None:
    return None


class HookTable(Struct, frozen=True):
    """The hooks of one file by event, whose they are, when they run, and the line of each."""

    path: str
    source: str
    values: Mapping[str, Json]
    when: Condition = ALWAYS
    line: Callable[[Path], int | None] = _no_line


def in_json(file: FileText) -> Callable[[Path], int | None]:
    """The line of each hook below `hooks` of a JSON file."""
    return lambda where: key_line(file.text, ("hooks", *map(str, where)), "json")


def in_layer(layer: Layer) -> Callable[[Path], int | None]:
    """The line of each hook below `hooks` of a settings file."""
    return lambda where: layer.line(("hooks", *where))


def same(matcher: str, subject: str) -> bool:
    """The matcher is the subject itself."""
    return matcher.strip() == subject


def whole_match(matcher: str, subject: str) -> bool:
    """The matcher is a regular expression for all of the subject."""
    try:
        return re.fullmatch(matcher, subject) is not None
    except re.error:
        return False


def said_by(output: str | None, *key: str) -> str:
    """What an imagined output adds: of an object, as a hook prints it, the text at `key`; else all of it."""
    said = object_in((output or "").strip())
    if said is None:
        return output or ""
    found = below(said, key)
    return found if isinstance(found, str) else ""


class Hook(NamedTuple):
    """A hook as its file has it, where that is below `hooks`, and whether it is in no group."""

    event: str
    matcher: str
    values: Mapping[str, Json]
    where: Path
    is_bare: bool = False

    @property
    def name(self) -> str:
        """What a person knows it by: its command, or what else it runs."""
        words = (self.values.get(key) for key in _NAMES)
        return next((word for word in words if isinstance(word, str)), str(self.values.get("type", "")))


def each_hook(values: Mapping[str, Json]) -> Iterator[Hook]:
    """Every hook of a file. An event's list holds groups with a matcher, or the hooks themselves.

    One hook in the place of the list is in the place of the event.
    """
    for event, groups in values.items():
        if isinstance(groups, Mapping):
            yield Hook(event, "", groups, (event,), is_bare=True)
        for at, group in enumerate(groups if isinstance(groups, list) else ()):
            said = mapping(group)
            matcher, inner = said.get("matcher"), said.get("hooks")
            named = matcher if isinstance(matcher, str) else ""
            if isinstance(inner, list):
                yield from (Hook(event, named, mapping(hook), (event, at, "hooks", n)) for n, hook in enumerate(inner))
            else:
                yield Hook(event, named, said, (event, at), is_bare=True)


def hooks_of(
    tables: Iterable[HookTable],
    events: Events,
    matches: Matches = whole_match,
    allows: Callable[[Hook], Condition] = lambda _: ALWAYS,
    *,
    bare: bool = False,
) -> Iterator[ProgramDraft]:
    """Every hook, in the order of the files. `allows`: no switch names it. `bare`: one needs no group."""
    for table in tables:
        for hook in each_hook(table.values):
            if hook.name:
                yield ProgramDraft(
                    kind="hook",
                    name=hook.name,
                    path=table.path,
                    when=table.when & _fits(hook, events, matches, bare=bare) & allows(hook),
                    source=table.source,
                    line=table.line(hook.where) or table.line((hook.event,)),
                    event=hook.event,
                    matcher=hook.matcher,
                    adds="" if hook.values.get("async") is True else events.get(hook.event, {}).get("adds", ""),
                )


def runs(hooks: Iterable[ProgramDraft], event: str) -> Condition:
    """Any hook of the event runs. Where none is configured, one may be imagined."""
    return any_of((hook.when for hook in hooks if hook.event == event), ALWAYS)


def once(hooks: Iterable[ProgramDraft], facts: Facts) -> Iterator[ProgramDraft]:
    """Of two hooks for the same event with the same command the one behind does not run again.

    Each plugin counts by itself [asked of Claude Code 2.1.332].
    """
    first: dict[tuple[str, str, str, str], ProgramDraft] = {}
    for hook in hooks:
        earlier = hook
        if hook.when.holds(facts):
            owner = hook.source if hook.source.startswith(PLUGIN) else ""
            earlier = first.setdefault((hook.event, hook.matcher, hook.name, owner), hook)
        again = f"{earlier.path} has the same hook, which runs once"
        when = hook.when if earlier is hook else hook.when & Fact("file", hook.path, False, "", again)
        yield replace(hook, when=when)


def _fits(hook: Hook, events: Events, matches: Matches, *, bare: bool) -> Condition:
    """The event is one, the hook is in a group, and the matcher fits what the first request brings about."""
    event, matcher = hook.event, hook.matcher
    if event not in events:
        of_subject = [name for name, row in events.items() if row.get("subject") == event]
        close = "".join(f": did you mean {each}?" for each in [*of_subject, *nearest(event, events)][:1])
        return Fact("file", event, False, "", f"there is no event {event}{close}", remedy="correct the event's name")
    if hook.is_bare and not bare:  # [asked of Gemini CLI, Codex and Claude Code]
        no = f"an entry of {event} counts only with a list `hooks` that its commands are in"
        return Fact("file", event, False, "", no, remedy=f'write `"{event}": [{{"hooks": [{{…}}]}}]`')
    subject = events[event].get("subject")
    if subject is None or matcher in ("", "*"):
        return ALWAYS
    no = f"a new session begins as `{subject}`, which the matcher `{matcher}` does not fit"
    ok = matches(matcher, subject)
    return Fact("file", event, ok, f"the matcher fits `{subject}`", no, remedy=f"write `{subject}` or no matcher")
