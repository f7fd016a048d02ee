"""What the text of a mod's module says: the events that it hooks by name, or why the client refuses it.

The client reads the text before it runs it, and takes none that it cannot read. So it is read here, with the local
files that it imports, by the same rules [asked of 2.1.332's `plugin validate` and of its log]. It is never run.
"""

import re
from collections.abc import Iterator, Mapping
from hashlib import sha256

from msgspec import Struct

from promptscope_engine.javascript.calls import (
    BrokenError,
    Call,
    Script,
    calls_of,
    declared,
    imported_names,
    imports_of,
    misused,
    script_of,
)
from promptscope_engine.workspace.paths import path_in

from .session import Session
from .settings import hook_events

_MOST_IMPORTS = 50
_ENDINGS = ("", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", "/index.js", "/index.ts")
_KNOWN: Mapping[str, tuple[str, ...]] = {
    "prompt": ("section", "compose", "context", "attachment", "submit", "read", "edit"),
    "tool": ("describe", "list", "call", "offer", "check", "run", "register"),
    "skill": ("prompt",),
    "agent": ("list", "call", "offer", "spawn", "register"),
    "session": ("append", "start", "end", "compact", "send", "receive"),
    "turn": ("step", "start"),
    "settings": ("read",),
    "attribution": ("text",),
    "model": (),
    "mcp": ("call",),
    "command": ("describe", "list", "run", "register"),
    "plugin": ("register",),
    "fs": ("list", "read", "write"),
    "http": ("fetch",),
    "process": ("spawn", "run"),
    "ui": ("offer", "render", "open", "close", "log", "resolve"),
}
"""The events that mods may hook, by the noun before the dot; any other noun is another mod's own [asked of 2.1.332]."""
_NOUNS = {*_KNOWN, "classic", "audio", "clock", "config", "env", "state", "store", "theme", "wasm"}
"""With further ones of the client, whose events were not asked for."""
_STREAMS = ("turn.step", "process.spawn")
"""Those whose hook is an async generator."""
_REGISTER = re.compile(
    r"\bexport\s+(?:(?:async\s+)?function\s+|const\s+)(register)\b"
    r"|\bexport\s*\{(?:[^}]*,)?\s*(?:([\w$]+)\s+as\s+)?register\s*(?:,[^}]*)?\}(?!\s*from\b)"
)
"""How a module exports its one function, and by which name that function is declared."""
_PARAMETER = re.compile(r"(?:async\b\s*)?(?:function\b\s*\*?\s*[\w$]*\s*)?\(?\s*([\w$]+|[{\[.])")
"""How a function begins, with the name of what it takes first, or the sign of a pattern."""
_EVENT = re.compile(r"!?(?:\*|[^\s.*!]+\.(?:\*|[^\s.*]+))")
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_FUNCTION = re.compile(r"(?:async\b\s*)?(?:function\b|\(|[A-Za-z_$][\w$]*\s*=>)")
_GENERATOR = re.compile(r"async\s+function\s*\*")


class Module(Struct, frozen=True):
    """What a module's text says: its events in their order, the line of the first hook, or why it does not load."""

    events: tuple[str, ...] = ()
    line: int | None = None
    problem: str = ""
    digest: str = ""

    @property
    def foreign(self) -> tuple[str, ...]:
        """The nouns of its events that are not the client's own: another mod has to bring them."""
        nouns = dict.fromkeys(event.removeprefix("!").partition(".")[0] for event in self.events)
        return tuple(noun for noun in nouns if noun != "*" and noun not in _NOUNS)


def read_module(path: str, session: Session) -> Module:
    """What the module at a path says, which is kept for as long as its text is the same."""
    file = session.workspace.read(path)
    if not file.found:
        return Module(problem=f"there is no file {path}" if file.problem == "missing" else f"{path} cannot be read")
    key = ("claude-code.mod", path, file.data)
    found: Module = session.workspace.memo(key, lambda: scanned(path, file.text, session))
    return found


def scanned(path: str, text: str, session: Session) -> Module:
    """The events of a module and of its local imports, each once."""
    try:
        script = script_of(text)
        exported = _REGISTER.search(script.code)
        if not exported:
            return Module(problem=f"{path} exports no function `register`")
        scripts = {path: script, **_imported(path, script, session)}
        given = _given(script, exported[1] or exported[2] or "register")
        hooks = [(place, call) for place, each in scripts.items() for call in calls_of(each, "on", given)]
    except BrokenError as error:
        return Module(problem=f"{path}:{error.line}: {error}")
    if (line := misused(script, given)) is not None:
        return Module(line=line, problem=f"{path}:{line}: `{given}` may only be called or passed on")
    alone: set[str] = set()
    for place, call in hooks:
        problem = _refused(call, scripts[place])
        if not problem and len(call.rest) == 1 and call.text in alone:
            problem = f"{call.text} is hooked twice without a matcher"
        if problem:
            return Module(line=call.line, problem=f"{place}:{call.line}: {problem}")
        if len(call.rest) == 1:
            alone.add(str(call.text))
    events = dict.fromkeys(str(call.text) for _, call in hooks)
    digest = sha256("\0".join(each.text for each in scripts.values()).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return Module(tuple(events), hooks[0][1].line if hooks else None, digest=digest)


def _given(script: Script, name: str) -> str:
    """What `register` calls the function that it is given. Raises BrokenError."""
    function = declared(script, name)
    first = _PARAMETER.match(function.text) if function else None
    if function and first and _is_pattern(first[1]):
        raise BrokenError("what `register` takes is not a plain name", function.line)
    return first[1] if first else "on"


def _refused(call: Call, script: Script) -> str:
    """Why the client refuses a hook, "" if it takes it."""
    event, rest = call.text, call.rest
    if event is None:
        return "the name of the event is not a literal"
    if not _is_event(event):
        return f"{event} is not an event"
    if not rest:
        return f"the hook of {event} is missing"
    if len(rest) > 1 and rest[0][:1] in "'\"`":
        return f"the matcher of {event} is a text, not an object"
    return _refused_hook(event, rest[-1], script)


def _refused_hook(event: str, hook: str, script: Script) -> str:
    """Why the client refuses the function of a hook, or the name of one that may be in another file."""
    named = declared(script, hook) if _NAME.fullmatch(hook) else None
    source = named.text if named else hook
    if not named and hook in imported_names(script):
        return ""
    if not named and _NAME.fullmatch(hook):
        return f"the hook {hook} is not a function declared in this file or imported"
    if not _FUNCTION.match(source):
        return f"the hook of {event} is not a function, nor the name of one"
    if bool(_GENERATOR.match(source)) != (event in _STREAMS):
        return f"the hook of {event} {'must' if event in _STREAMS else 'may not'} be an async generator"
    first = _PARAMETER.match(source)
    return f"what the hook of {event} takes first is not a plain name" if first and _is_pattern(first[1]) else ""


def _is_pattern(parameter: str) -> bool:
    return not _NAME.fullmatch(parameter)


def _is_event(event: str) -> bool:
    """Whether there is such an event; one of a noun that another mod brings is not looked up."""
    noun, _, verb = event.removeprefix("!").partition(".")
    known = hook_events() if noun == "classic" else _KNOWN.get(noun)
    return bool(_EVENT.fullmatch(event)) and (known is None or verb in (*known, "*"))


def _imported(path: str, script: Script, session: Session) -> dict[str, Script]:
    """The local files that a module imports, and those that they import. Raises BrokenError."""
    found: dict[str, Script] = {}
    todo = [(path, script)]
    while todo and len(found) < _MOST_IMPORTS:
        place, source = todo.pop()
        for there in _local(place, source, session):
            if there != path and there not in found:
                found[there] = script_of(session.workspace.read(there).text)
                todo.append((there, found[there]))
    return found


def _local(place: str, script: Script, session: Session) -> Iterator[str]:
    """The files that a file imports. Raises BrokenError for what is none of the module's own."""
    if calls := calls_of(script, "import"):
        raise BrokenError("it imports while it runs, which only a declaration may do", calls[0].line)
    for name, line in imports_of(script):
        if not name.startswith("."):
            if name != "claude-code":
                raise BrokenError(f"{name} is imported, which is not a file of its own", line)
            continue
        base = path_in(place.rpartition("/")[0], name)
        there = next((f"{base}{end}" for end in _ENDINGS if session.workspace.kind(f"{base}{end}") == "file"), "")
        if not there:
            raise BrokenError(f"{name} is imported, which is missing", line)
        yield there
