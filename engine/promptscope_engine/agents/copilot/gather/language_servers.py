"""Language servers: of the user's own file, of plugins, and of the start folder, trusted or not [asked of 1.0.102]."""

from collections.abc import Mapping

from promptscope_engine.agents.kit.disk.settings import mapping
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import Condition, Fact
from promptscope_engine.prompt.drafts import Span, computed

from .session import Session

_OF_FOLDER = ".github/lsp.json"


def language_servers(session: Session) -> tuple[Condition, Span]:
    """Whether there are any, and the names of those of which the model is told."""
    own = f"{session.home}/lsp-config.json"
    of_plugins = (plugin.part("lspServers", ("lsp.json", _OF_FOLDER)) for plugin in session.plugins)
    parts: list[tuple[Mapping[str, Json], str | None]] = [({}, own), *of_plugins, ({}, f"{session.cwd}/{_OF_FOLDER}")]
    names: dict[str, None] = {}
    no = f"{own} has no language server"
    for inline, path in parts:
        given = mapping(session.values(path, "settings").get("lspServers")) if path else inline
        said = [(name, mapping(each)) for name, each in given.items()]
        if misfits := [name for name, each in said if not _is_whole(each)]:
            # one of them is enough for the client to pass over the whole file [asked]
            no = f"a server of {path} has no `command` or no `fileExtensions`: {', '.join(misfits)}"
            session.warn("bad-settings", f"no language server counts: {no}", path)
        else:
            names |= dict.fromkeys(name for name, each in said if each.get("disabled") is not True)
    remedy = f"give each server of {own} a `command` and `fileExtensions`"
    there = Fact("file", own, bool(names), "there is a language server", no, remedy=remedy)
    return there, computed("lsp", ", ".join(names))


def _is_whole(config: Mapping[str, Json]) -> bool:
    """A program, and for which files it is, if only for none."""
    return isinstance(config.get("command"), str) and isinstance(config.get("fileExtensions"), dict)
