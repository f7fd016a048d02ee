"""Mods: modules of plugins that the client loads and that may rewrite what it sends (docs/agents/claude-code.md#mods).

A mod is never run: what it answers is not known.
"""

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from itertools import count, groupby

from msgspec.structs import replace

from promptscope_engine.agents.claude_code.texts import FOLDER
from promptscope_engine.agents.kit.disk.layered import Layer
from promptscope_engine.agents.kit.disk.settings import mapping
from promptscope_engine.prompt.conditions import Condition, Fact, Facts
from promptscope_engine.prompt.drafts import ProgramDraft
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace.paths import path_in

from .agents_md import FALLBACK, mod_switch, mode_of
from .hooks import first_named, hook_files
from .mod_text import read_module
from .plugins import MANIFEST, Plugin
from .session import PLUGIN_DIRS, Session, plugin_dirs
from .settings import MANAGED, read_json

GUARD = "cc-plugin-sec-default@builtin"
"""The built-in mod that comes first where an organisation manages the machine."""
_SHORT = "sec-default@builtin"
_MOST_FOLDERS = 50
_MAY = {
    "*": "rewrite, add or drop any part of the request",
    "prompt.section": "rewrite or drop sections of the system prompt",
    "prompt.compose": "rewrite, add or drop sections of the system prompt",
    "prompt.context": "drop, rewrite or add instruction files",
    "prompt.attachment": "rewrite or drop reminders, among them the lists of skills and agents",
    "prompt.submit": "rewrite or stop the prompt",
    "tool.describe": "rewrite or defer tools",
    "tool.list": "take tools away",
    "skill.prompt": "rewrite a skill that is called",
    "agent.offer": "take sub-agents out of the list",
    "attribution.text": "rewrite the trailer of commits",
    "session.append": "rewrite the conversation",
    "session.start": "bring tools of its own",
    "turn.step": "choose another model",
    "settings.read": "change settings",
}
"""What a hook of an event may do to the request."""
_COVERS = {
    "prompt.section": ("system:*",),
    "prompt.compose": ("system:*",),
    "prompt.context": (
        "messages:user_context*", "file:claude-md", "file:claude-rule", "file:agents-md", "file:import",
    ),
    "prompt.attachment": ("messages:[!p]*", "messages:plan_mode"),
    "prompt.submit": ("messages:prompt",),
    "tool.describe": ("tool:*", "tools:*"),
    "tool.list": ("tool:*", "tools:*"),
    "agent.offer": ("messages:agents",),
}  # fmt: skip
"""In which parts, but for the untouched."""
_UNTOUCHED = ("-system:billing", "-system:identity", "-system:append")
_NOTICED = (
    "settings.read", "classic.SessionStart", "prompt.context", "prompt.compose", "prompt.section",
    "classic.UserPromptSubmit", "session.append",
)  # fmt: skip
"""The events of a first request that have a notice, in its order."""
_NOTICED_TYPED = (
    "settings.read", "classic.SessionStart", "prompt.section", "prompt.context", "prompt.compose",
    "classic.UserPromptSubmit", "session.append",
)  # fmt: skip
"""The same where it is typed in a terminal."""
_GUARDED = ("prompt.section", "prompt.compose", "prompt.context", "prompt.attachment")
"""The events that an organisation's guard keeps a person's mods from."""


def list_mods(session: Session, bare: Condition, facts: Facts) -> list[ProgramDraft]:
    """Every mod, the outermost first.

    An organisation's come in front, then those of --plugin-dir, of marketplaces, of the user's folder of skills and of
    the project's, what is appended, and the built-in ones; those that are not read are behind them.
    """
    found = [(plugin, mod) for plugin in _plugins(session) for mod in _mods(plugin, session, bare)]
    ordered = sorted(found, key=lambda each: _rank(each[0], session))
    tiers = groupby(ordered, key=lambda each: _rank(each[0], session)[0])
    inner = [mod for _, tier in tiers for mod in _outside_in([*tier])]
    rows = [*_guard(session), *inner, *_built_in(session, bare)]
    numbers = count(1)
    numbered = [replace(row, order=next(numbers)) if row.when.holds(facts) else row for row in rows]
    guarded = _is_guarded(rows, facts)
    numbered = [replace(row, covers=_covers(row, guarded)) for row in numbered]
    return [*numbered, *_unread(session)]


def mod_notes(mods: Iterable[ProgramDraft], session: Session, facts: Facts) -> Iterator[Diagnostic]:
    """A warning of each mod that loads and may change the request, in plain words."""
    mods = tuple(mods)
    guarded = _is_guarded(mods, facts)
    for mod in mods:
        may = dict.fromkeys(words for event in mod.events if (words := _may(event)))
        if not mod.path or not mod.when.holds(facts) or not may:
            continue
        events = [event for event in mod.events if event in _GUARDED]
        also = f"; {GUARD} keeps it from {', '.join(events)}" if guarded and events and mod.source != MANAGED else ""
        whose = "of this repository " if mod.path.startswith(f"{session.root or session.cwd}/") else ""
        yield FOLDER.note("mod", mod.path, mod.line, mod=mod.name, whose=whose, may=" and ".join(may), also=also)


def left_out(mods: Iterable[ProgramDraft], session: Session, facts: Facts) -> tuple[tuple[str, str], ...]:
    """The mods and events that the guard passes over, as the request says: by event, then from the outermost.

    A matcher makes no difference, and attachments are not named. With --system-prompt nothing is composed
    [asked of 2.1.332].
    """
    mods = [mod for mod in mods if mod.when.holds(facts)]
    if not _is_guarded(mods, facts):
        return ()
    args = session.params.args
    told = _NOTICED if args.print else _NOTICED_TYPED
    events = [event for event in told if args.systemPrompt is None or event != "prompt.compose"]
    own = [mod for mod in mods if mod.path and mod.source != MANAGED]
    hooked = [(mod, event) for event in events for mod in own if any(fnmatchcase(event, on) for on in mod.events)]
    return tuple((mod.id.partition("@")[0], event) for mod, event in hooked)


def _is_guarded(mods: Iterable[ProgramDraft], facts: Facts) -> bool:
    """Whether an organisation's guard keeps a person's mods from some events."""
    return any(mod.name == GUARD and mod.when.holds(facts) for mod in mods)


def _covers(mod: ProgramDraft, guarded: bool) -> tuple[str, ...]:
    """The parts of the request that the mod may rewrite; the built-in ones are part of what is shown."""
    if not mod.path:
        return ()
    kept = _GUARDED if guarded and mod.source != MANAGED else ()
    hooked = [event for event in _COVERS if event not in kept and any(fnmatchcase(event, on) for on in mod.events)]
    found = dict.fromkeys(pattern for event in hooked for pattern in _COVERS[event])
    return (*found, *_UNTOUCHED) if found else ()


def _may(event: str) -> str:
    """What a hook on an event may do to the request, in plain words; "" for nothing."""
    if event in ("*", "prompt.*"):
        return _MAY["*"]
    return _MAY.get(event, "")


# --- which there are --------------------------------------------------------------------------------------------------


def _plugins(session: Session) -> Iterator[Plugin]:
    seen: set[str] = set()
    for plugin in session.plugins.all:
        if plugin.folder not in seen:
            seen.add(plugin.folder)
            yield plugin


def _mods(plugin: Plugin, session: Session, bare: Condition) -> Iterator[ProgramDraft]:
    """The mod of a plugin: the one module that a file of its hooks names."""
    files = [*_modules(plugin.folder, session)]
    several = sum(len(named) for _, named in files) > 1
    for path, named in files:
        for name in named:
            module = path_in(path.rpartition("/")[0], f"./{name}")
            read = read_module(module, session)
            problem = read.problem or ("its hooks name several modules, of which none is loaded" if several else "")
            if foreign := next((noun for noun in read.foreign if not _is_brought(noun, plugin, session)), ""):
                problem = problem or f"it hooks {foreign}, which no other mod brings"
            if session.workspace.kind(f"{plugin.folder}/{MANIFEST}") != "file":
                problem = problem or f"there is no {plugin.folder}/{MANIFEST}"
            when = plugin.when & first_named(plugin, session) & _switched(plugin, session, bare)
            if problem:
                when = when & Fact(
                    "file", module, False, "", f"it does not load: {problem}", remedy=f"correct {module}"
                )
            events = () if problem else read.events
            source = MANAGED if _is_managed(plugin, session) else f"plugin {plugin.name}"
            draft = ProgramDraft("mod", plugin.id, module, when, source, read.line, events=events, id=plugin.id)
            yield replace(draft, digest=read.digest)


def _is_brought(noun: str, plugin: Plugin, session: Session) -> bool:
    """Whether the module of another plugin names a noun that is not the client's own."""
    texts = (
        session.workspace.read(path_in(path.rpartition("/")[0], f"./{named[0]}")).text
        for other in _plugins(session)
        if other.id != plugin.id
        for path, named in _modules(other.folder, session)
    )
    return any(noun in text for text in texts)


def _modules(folder: str, session: Session) -> Iterator[tuple[str, list[str]]]:
    """The files of a plugin's hooks that name modules; an object in the manifest may not."""
    for path, values in hook_files(folder, session):
        modules = values.get("modules")
        if found := [each for each in (modules if isinstance(modules, list) else ()) if isinstance(each, str)]:
            yield path, found


def _unread(session: Session) -> Iterator[ProgramDraft]:
    """Mods at places that are almost read: in folders of skills above and below the start folder."""
    workspace, cwd, root = session.workspace, session.cwd, session.root or session.cwd
    above = [
        cwd.rsplit("/", depth)[0] for depth in range(1, cwd.count("/")) if cwd.rsplit("/", depth)[0].startswith(root)
    ]
    below = [f"{cwd}/{entry.name}" for entry in workspace.list(cwd).entries if entry.kind == "directory"][
        :_MOST_FOLDERS
    ]
    for folder in (*above, *below):
        skills = f"{folder}/.claude/skills"
        if workspace.kind(skills) == "directory":
            no = "mods of a project are loaded from .claude/skills of the start folder alone"
            for entry in workspace.list(skills).entries[:_MOST_FOLDERS]:
                yield from _not_loaded(f"{skills}/{entry.name}", "skills-dir", no, f"start in {folder}", session)
    for layer in session.settings.layers:
        if layer.kind in ("project", "local"):
            yield from _named(layer, session)


def _named(layer: Layer, session: Session) -> Iterator[ProgramDraft]:
    """The folders of plugins that a project's settings name, for which its file is asked: the layer is without them."""
    workspace = session.workspace
    values, _ = read_json(workspace.read(layer.path), "bad-plugin")
    for folder in plugin_dirs(mapping(mapping(values).get("env")).get(PLUGIN_DIRS), session.cwd):
        no, remedy = f"`{PLUGIN_DIRS}` of a project's settings doesn't count", f"set {PLUGIN_DIRS} in the environment"
        if workspace.allows(folder):
            yield from _not_loaded(folder, "inline", no, remedy, session)
        else:  # a repository doesn't decide which folders are looked into: what it names is all that is known
            name = f"{folder.rpartition('/')[2]}@inline"
            when = Fact("file", folder, False, "", no, remedy=remedy)
            yield ProgramDraft("mod", name, folder, when, "project", id=name)


def _not_loaded(folder: str, market: str, no: str, remedy: str, session: Session) -> Iterator[ProgramDraft]:
    for path, named in _modules(folder, session):
        module = path_in(path.rpartition("/")[0], f"./{named[0]}")
        when = Fact("file", module, False, "", no, remedy=remedy)
        name = f"{folder.rpartition('/')[2]}@{market}"
        yield ProgramDraft("mod", name, module, when, "project", id=name)


def _guard(session: Session) -> Iterator[ProgramDraft]:
    own = session.settings.of(MANAGED)
    if own.plain:
        listed = own.known("prependPlugins")
        named = map(str, listed.value if isinstance(listed.value, list) else ())
        kept = listed.value is None or not {GUARD, _SHORT}.isdisjoint(named)
        why = Fact("file", "prependPlugins", kept, "managed settings are there", "`prependPlugins` leaves it out")
        yield ProgramDraft("mod", GUARD, "", why, "built in", events=_GUARDED, id=GUARD)


def _built_in(session: Session, bare: Condition) -> Iterator[ProgramDraft]:
    """The built-in mod that reads AGENTS.md, which no switch of mods stops but its own."""
    name, when = mod_switch(session.settings)
    mode = mode_of(session.settings).value or FALLBACK
    yield ProgramDraft("mod", name, "", when & ~bare, f"built in, mode {mode}", events=("prompt.context",), id=name)


# --- order ------------------------------------------------------------------------------------------------------------


def _rank(plugin: Plugin, session: Session) -> tuple[int, ...]:
    """The place of a plugin's mod from the outermost."""
    market = plugin.id.partition("@")[2]
    first, last = _listed("prependPlugins", session), _listed("appendPlugins", session)
    if plugin.id in first:
        return 0, first.index(plugin.id)
    if plugin.id in last:
        return 2, last.index(plugin.id)
    if _is_managed(plugin, session):
        return 0, len(first)
    home = plugin.folder.startswith(f"{session.config}/")
    tier = {"inline": 0, "skills-dir": 2 if home else 3}.get(market, 1)
    return 1, tier


def _outside_in(tier: list[tuple[Plugin, ProgramDraft]]) -> list[ProgramDraft]:
    """The mods of a tier, one that others depend on further in than they are [asked of 2.1.332].

    Those that depend on each other in a circle keep their order.
    """
    placed: list[ProgramDraft] = []
    left = tier
    while left:
        needed = {need for plugin, _ in left for need in plugin.needs}
        free = next((each for each in left if needed.isdisjoint((each[0].id, each[0].name))), None)
        if free is None:
            return [mod for _, mod in tier]
        left = [each for each in left if each is not free]
        placed.append(free[1])
    return placed


def _listed(key: str, session: Session) -> list[str]:
    """The plugins that are put first or last: an organisation's list, else the user's."""
    own = session.settings.of(MANAGED)
    settings = own if own.plain else session.settings.without("project", "local")
    value = settings.known(key).value
    return [str(each) for each in value] if isinstance(value, list) else []


# --- switches ---------------------------------------------------------------------------------------------------------


def _is_managed(plugin: Plugin, session: Session) -> bool:
    return mapping(session.settings.of(MANAGED).plain.get("enabledPlugins")).get(plugin.id) is True


def _switched(plugin: Plugin, session: Session, bare: Condition) -> Condition:
    """No switch stops a person's mods: of hooks, of mods, bare or safe mode."""
    settings, own = session.settings, session.settings.of(MANAGED)
    off = settings.known("disableAllHooks", default=False)
    runs = off.is_(False, unset=True, no="`disableAllHooks` is on") & ~bare & session.sources.own
    if _is_managed(plugin, session):
        return runs
    no = "`{}` is on, and this mod is not your organisation's"
    only = own.known("allowManagedHooksOnly", default=False)
    mods = own.known("pluginConfigs", GUARD, "options", "allowManagedModsOnly", default=False)
    runs = runs & only.is_(False, no=no.format("allowManagedHooksOnly"))
    return runs & mods.is_(False, no=no.format("allowManagedModsOnly"))
