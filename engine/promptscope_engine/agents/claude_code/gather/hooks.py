"""The hooks of settings, plugins, skills and agents: which of them run here, and what they may add [asked of 2.1.332].

None is ever run: what one prints is told (`params.hooks`), or not known.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from promptscope_engine.agents.claude_code.texts import FOLDER
from promptscope_engine.agents.kit.disk.hooks import MOST, PLUGIN, HookTable, hooks_of, in_json, in_layer, once
from promptscope_engine.agents.kit.disk.layered import Layer
from promptscope_engine.agents.kit.disk.settings import mapping
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.after import After
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact, Facts
from promptscope_engine.prompt.drafts import FileDraft, ProgramDraft
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace.paths import path_in

from .content import read_frontmatter
from .plugins import MANIFEST, Plugin
from .session import Session
from .settings import MANAGED, hook_events, read_json

_IN_PROJECT = ("project", "local")


def begins_as(after: After | None) -> str:
    """What a SessionStart hook is told that the session begins with."""
    event = after.event if after else "turn"
    return {"auto": "compact", "turn": "startup"}.get(event, event)


def list_hooks(session: Session, bare: Condition, files: Iterable[FileDraft], facts: Facts) -> list[ProgramDraft]:
    """Every hook, in the order of the files; none of a person's runs in `bare` mode."""
    tables = (*_of_settings(session, bare), *_of_plugins(session, bare), *_of_front_matter(session, files))
    events = {event: FOLDER.agent["hook_events"].get(event, {}) for event in hook_events()}
    events["SessionStart"] = {**events["SessionStart"], "subject": begins_as(session.inputs.after)}
    return [*islice(once(hooks_of(tables, events), facts), MOST)]


# --- where hooks are --------------------------------------------------------------------------------------------------


def _of_settings(session: Session, bare: Condition) -> Iterator[HookTable]:
    settings = session.settings
    layers: list[tuple[Layer, Condition]] = [(layer, ALWAYS) for layer in settings.layers]
    layers += [(layer, session.sources.condition(layer.kind)) for layer in settings.left_out]
    for layer, read in layers:
        if hooks := layer.table("hooks"):
            mine = _switched(session, bare, managed=layer.kind == MANAGED) & read
            yield HookTable(layer.path, layer.kind or "--settings", hooks, mine, in_layer(layer))


def _of_plugins(session: Session, bare: Condition) -> Iterator[HookTable]:
    """hooks/hooks.json of each plugin, a file that its manifest names, and an object in the manifest: all add up."""
    for plugin in session.plugins.all:
        when = plugin.when & first_named(plugin, session) & _switched(session, bare, of_plugin=True)
        source = f"{PLUGIN}{plugin.name}"
        for path, values in hook_files(plugin.folder, session):
            yield HookTable(path, source, mapping(values.get("hooks")), when, in_json(session.workspace.read(path)))
        path = f"{plugin.folder}/{MANIFEST}"
        if inline := mapping(_named(plugin.folder, session)):
            line = in_json(session.workspace.read(path))
            yield HookTable(path, source, mapping(inline.get("hooks", inline)), when, line)
        if copy := session.plugins.copy_of(plugin):
            unread = Fact("file", copy, False, "", f"it is a copy: the plugin is read from {plugin.folder}")
            for path, values in hook_files(copy, session):
                line = in_json(session.workspace.read(path))
                yield HookTable(path, source, mapping(values.get("hooks")), when & unread, line)


def first_named(plugin: Plugin, session: Session) -> Condition:
    """Of plugins with one id, only the first one's hooks and mod run; its skills are not alone [asked of 2.1.332]."""
    first = next((each for each in session.plugins.all if each.id == plugin.id), plugin)
    if first.folder == plugin.folder:
        return ALWAYS
    no = f"another plugin is called {plugin.name}"
    return Fact("file", plugin.folder, False, "", no, remedy="give it another name")


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


def _of_front_matter(session: Session, files: Iterable[FileDraft]) -> Iterator[HookTable]:
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
            yield HookTable(row.path, f"{row.kind} {row.path.rsplit('/', 2)[-2]}", hooks, row.when & later)


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
