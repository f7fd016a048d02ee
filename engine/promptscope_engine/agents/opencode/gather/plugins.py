"""Plugins: programs that are loaded into OpenCode and may rewrite what it sends. None is ever run.

The hooks that its text names say what one may do, as OpenCode documents them [doc]. Whether it does, and what a package
hooks, is not known.
"""

import re
from collections.abc import Iterator

from promptscope_engine.agents.opencode.texts import FOLDER
from promptscope_engine.prompt.conditions import ALWAYS, Condition
from promptscope_engine.prompt.drafts import ProgramDraft
from promptscope_engine.workspace.paths import path_in

from .settings import Session

_MOST = 100
_FOLDERS = ("plugin", "plugins")
_ENDINGS = (".js", ".ts")
_HOOKS = {
    "experimental.chat.system.transform": ("system:*",),
    "experimental.chat.messages.transform": ("messages:*",),
    "chat.message": ("messages:*",),
    "command.execute.before": ("messages:*",),
    "tool.definition": ("tool:*",),
}
"""The hooks of plugins that change the request, and in which parts, as OpenCode documents them."""
_NAMED = re.compile("|".join(rf"(?P<q{n}>[\"'`]){re.escape(name)}(?P=q{n})" for n, name in enumerate(_HOOKS)))


def plugins(session: Session, loads: Condition) -> Iterator[ProgramDraft]:
    """The files of the folders of plugins, and what `plugin` of the settings names. `loads`: no variable stops them."""
    for base in session.bases:
        for folder in (f"{base}/{name}" for name in _FOLDERS):
            entries = session.workspace.list(folder).entries if session.may_read(folder, "plugin") else ()
            for entry in [each for each in entries if each.name.endswith(_ENDINGS)][:_MOST]:
                yield _plugin(session, f"{folder}/{entry.name}", entry.name, loads, "folder")
    known = session.settings.known("plugin")
    for name in (known.value if isinstance(known.value, list) else [])[:_MOST]:
        if isinstance(name, str) and name.startswith("file://"):
            yield _plugin(session, name.removeprefix("file://"), name, loads, known.source.key)
        elif isinstance(name, str) and name.startswith("."):
            base = (known.source.path or f"{session.cwd}/x").rpartition("/")[0]
            yield _plugin(session, path_in(base, name), name, loads, known.source.key)
        elif isinstance(name, str):
            every = tuple(dict.fromkeys(pattern for covers in _HOOKS.values() for pattern in covers))
            yield ProgramDraft(
                "mod", name, known.source.path or "", loads, "package", known.source.line, id=name, covers=every
            )


def _plugin(session: Session, path: str, name: str, loads: Condition, source: str) -> ProgramDraft:
    file = session.workspace.read(path)
    found = [*_NAMED.finditer(file.text)]
    hooks = tuple(dict.fromkeys(each[0][1:-1] for each in found))
    covers = tuple(dict.fromkeys(pattern for hook in hooks for pattern in _HOOKS[hook]))
    when = loads & (ALWAYS if file.found else FOLDER.reason("plugin_file", False, path=path))
    line = file.text.count("\n", 0, found[0].start()) + 1 if found else None
    return ProgramDraft("mod", name, path, when, source, line, events=hooks, id=name, covers=covers)
