"""The hooks of settings, plugins, skills and agents: which of them run here, and what they may add [asked of 2.1.332].

None is ever run: what one prints is told (`params.hooks`), or not known.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.claude_code.texts import FOLDER
from promptscope_engine.agents.kit.layered import Layer
from promptscope_engine.agents.kit.settings import mapping
from promptscope_engine.formats.document import Json, Path
from promptscope_engine.formats.key_lines import key_line
from promptscope_engine.inputs.errors import nearest
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact, Facts
from promptscope_engine.prompt.drafts import FileDraft, ProgramDraft
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace.paths import path_in

from .content import read_frontmatter
from .plugins import MANIFEST
from .session import Session
from .settings import MANAGED, hook_events, read_json

_EVENTS: Mapping[str, Mapping[str, str]] = FOLDER.agent["hook_events"]
_MOST = 500
"""Hooks that are listed of one session."""
_IN_PROJECT = ("project", "local")


class _Table(Struct, frozen=True):
    """The hooks of one file as its JSON has them, whose they are, and when they run."""

    path: str
    source: str
    values: Mapping[str, Json]
    when: Condition
    line: Callable[[Path], int | None]


def list_hooks(session: Session, bare: Condition, files: Iterable[FileDraft], facts: Facts) -> list[ProgramDraft]:
    """Every hook, in the order of the files; none of a person's runs in `bare` mode.

    Of two with the same command the one behind does not run again.
    """
    found: list[ProgramDraft] = []
    first: dict[tuple[str, str, str], ProgramDraft] = {}
    for table in (*_of_settings(session, bare), *_of_plugins(session, bare), *_of_front_matter(session, files)):
        for hook in _hooks(table):
            key = hook.event, hook.matcher, hook.name
            if hook.when.holds(facts) and first.setdefault(key, hook) is not hook:
                again = f"{first[key].path} has the same hook, which runs once"
                hook = replace(hook, when=hook.when & Fact("file", hook.path, False, "", again))
            found.append(hook)
            if len(found) == _MOST:
                return found
    return found


def _hooks(table: _Table) -> Iterator[ProgramDraft]:
    for event, groups in table.values.items():
        for at, group in enumerate(groups if isinstance(groups, list) else ()):
            said = mapping(group)
            matcher = said.get("matcher")
            matcher = matcher if isinstance(matcher, str) else ""
            inner = said.get("hooks")
            for number, each in enumerate(inner if isinstance(inner, list) else ()):
                hook = mapping(each)
                line = table.line((event, at, "hooks", number)) or table.line((event,))
                runs = table.when & _fits(event, matcher)
                adds = "" if hook.get("async") is True else _EVENTS.get(event, {}).get("adds", "")
                yield ProgramDraft("hook", _called(hook), table.path, runs, table.source, line, event, matcher, adds)


def _called(hook: Mapping[str, Json]) -> str:
    """What a person knows it by: its command, or what else it runs."""
    words = (hook.get(key) for key in ("command", "url", "prompt", "tool"))
    return next((word for word in words if isinstance(word, str)), str(hook.get("type", "")))


def _fits(event: str, matcher: str) -> Condition:
    """The event is one, and the matcher fits what the first request brings about."""
    if event not in hook_events():
        close = "".join(f": did you mean {each}?" for each in nearest(event, hook_events())[:1])
        return Fact("file", event, False, "", f"there is no event {event}{close}", remedy="correct the event's name")
    subject = _EVENTS.get(event, {}).get("subject")
    if subject is None or matcher in ("", "*"):
        return ALWAYS
    try:
        ok = re.fullmatch(matcher, subject) is not None
    except re.error:
        ok = False
    no = f"a new session begins as `{subject}`, which the matcher `{matcher}` does not fit"
    return Fact("file", event, ok, f"the matcher fits `{subject}`", no, remedy=f"write `{subject}` or no matcher")


# --- where hooks are --------------------------------------------------------------------------------------------------


def _of_settings(session: Session, bare: Condition) -> Iterator[_Table]:
    settings = session.settings
    layers: list[tuple[Layer, Condition]] = [(layer, ALWAYS) for layer in settings.layers]
    layers += [(layer, session.sources.condition(layer.kind)) for layer in settings.left_out]
    for layer, read in layers:
        if hooks := layer.table("hooks"):
            mine = _switched(session, bare, managed=layer.kind == MANAGED) & read

            def line(where: Path, source: Callable[[Path], int | None] = layer.line) -> int | None:
                return source(("hooks", *where))

            yield _Table(layer.path, layer.kind or "--settings", hooks, mine, line)


def _of_plugins(session: Session, bare: Condition) -> Iterator[_Table]:
    """hooks/hooks.json of each plugin, a file that its manifest names, and an object in the manifest: all add up."""
    for plugin in session.plugins.all:
        when, source = plugin.when & _switched(session, bare, of_plugin=True), f"plugin {plugin.name}"
        for path, values in hook_files(plugin.folder, session):
            yield _Table(path, source, mapping(values.get("hooks")), when, _lines(path, session))
        path = f"{plugin.folder}/{MANIFEST}"
        if inline := mapping(_named(plugin.folder, session)):
            yield _Table(path, source, mapping(inline.get("hooks", inline)), when, _lines(path, session))


def hook_files(folder: str, session: Session) -> Iterator[tuple[str, Mapping[str, Json]]]:
    """The files of a plugin's hooks, hooks/hooks.json and those that its manifest names, with what is in them."""
    given = _named(folder, session)
    listed = given if isinstance(given, list) else [given]
    named = [path_in(folder, f"./{each}") for each in listed if isinstance(each, str)]
    for path in dict.fromkeys((f"{folder}/hooks/hooks.json", *named)):
        values, _ = read_json(session.workspace.read(path), "bad-plugin")
        if isinstance(values, dict):
            yield path, values


def _named(folder: str, session: Session) -> Json:
    """What the manifest of a plugin says of its hooks."""
    manifest, _ = read_json(session.workspace.read(f"{folder}/{MANIFEST}"), "bad-plugin")
    return mapping(manifest).get("hooks")


def _lines(path: str, session: Session) -> Callable[[Path], int | None]:
    """The line of each hook of a file."""
    text = session.workspace.read(path).text
    return lambda where: key_line(text, ("hooks", *map(str, where)), "json")


def _of_front_matter(session: Session, files: Iterable[FileDraft]) -> Iterator[_Table]:
    """Those of a skill run from the moment it is called, those of an agent in that agent."""
    for row in files:
        if row.kind not in ("skill", "agent"):
            continue
        text = session.workspace.read(row.path).text
        if "hooks" not in text:  # hardly any has some, and each was parsed before
            continue
        head = read_frontmatter(text, session.version).values
        if hooks := mapping(head.get("hooks")):
            no = (
                "a skill's hooks run once it is called" if row.kind == "skill" else "an agent's hooks run in that agent"
            )
            later = Fact("file", row.path, False, "", no)
            yield _Table(row.path, f"{row.kind} {row.path.rsplit('/', 2)[-2]}", hooks, row.when & later, lambda _: None)


def _switched(session: Session, bare: Condition, *, managed: bool = False, of_plugin: bool = False) -> Condition:
    """No switch stops the hooks of a file.

    `disableAllHooks` in an organisation's file silences all of them; elsewhere it leaves the organisation's, as do that
    file's `allowManagedHooksOnly` and, for those that aren't a plugin's, `strictPluginOnlyCustomization`.
    """
    settings = session.settings
    own = settings.of(MANAGED)
    off = (own if managed else settings).known("disableAllHooks", default=False)
    runs = off.is_(False, unset=True, no="`disableAllHooks` is on")
    if managed:
        return runs
    only = own.known("allowManagedHooksOnly", default=False)
    no = "`allowManagedHooksOnly` is on, and this hook is not your organisation's"
    runs = runs & only.is_(False, no=no) & ~bare & session.sources.own
    return runs if of_plugin else runs & session.sources.of("hooks").open


def hook_notes(hooks: Iterable[ProgramDraft], session: Session, facts: Facts) -> Iterator[Diagnostic]:
    """A warning of each hook that a project runs although nobody has trusted it: a headless session does not ask."""
    if session.trusted:
        return
    for hook in hooks:
        if hook.source in _IN_PROJECT and hook.when.holds(facts):
            yield FOLDER.note("untrusted-hook", hook.path, hook.line, event=hook.event)
