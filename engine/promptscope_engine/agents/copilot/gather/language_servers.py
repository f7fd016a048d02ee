"""Language servers: the user's own file is the only one that brings them about [asked of 1.0.102]."""

from collections.abc import Mapping

from promptscope_engine.agents.kit.settings import mapping
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import Condition, Fact
from promptscope_engine.prompt.drafts import Span, computed

from .session import Session


def language_servers(session: Session) -> tuple[Condition, Span]:
    """Whether there are any, and the names of those of which the model is told."""
    path = f"{session.home}/lsp-config.json"
    said = [(name, mapping(each)) for name, each in mapping(session.values(path, "settings").get("lspServers")).items()]
    misfits = [name for name, each in said if not _is_whole(each)]
    names = [name for name, each in said if not misfits and each.get("disabled") is not True]
    no = f"{path} has no language server"
    if misfits:  # one of them is enough for the client to pass over all [asked]
        no = f"a server of {path} has no `command` or no `fileExtensions`: {', '.join(misfits)}"
        session.warn("bad-settings", f"no language server counts: {no}", path)
    remedy = f"give each server of {path} a `command` and `fileExtensions`"
    there = Fact("file", path, bool(names), "there is a language server", no, remedy=remedy)
    return there, computed("lsp", ", ".join(names))


def _is_whole(config: Mapping[str, Json]) -> bool:
    """A program, and for which files it is, if only for none."""
    return isinstance(config.get("command"), str) and isinstance(config.get("fileExtensions"), dict)
