"""The session that gatherers go by; its extensions: what they bring along, and which are active."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from msgspec import Struct

from promptscope_engine.agents.gemini.texts import FOLDER
from promptscope_engine.agents.kit.disk.layered import usable
from promptscope_engine.agents.kit.disk.rows import Found, absent, locked
from promptscope_engine.agents.kit.disk.settings import mapping, texts
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.params import Params
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.text import resolve
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Facts, Setting
from promptscope_engine.prompt.model import Lever, SettingSource
from promptscope_engine.workspace import Workspace

from .folders import Places
from .settings import GeminiSettings, read_json

MANIFEST = "gemini-extension.json"
_ENABLEMENT = "extension-enablement.json"
_MAX_EXTENSIONS = 200
_DEFAULT_CONTEXT = "GEMINI.md"
_STAR = re.compile(r"(/?)\*")
_MAX_STARS = 7
"""Nobody writes so many, and each makes the search slower."""


class Extension(Struct, frozen=True):
    """An extension that was read. `context` are the paths of its context files, as far as they exist."""

    name: str
    path: str
    when: Condition
    """True while it is active."""
    is_active: bool
    context: tuple[str, ...] = ()
    servers: Mapping[str, Json] | None = None
    excluded_tools: tuple[str, ...] = ()
    plans: str | None = None

    @property
    def manifest(self) -> str:
        """The path of the extension's manifest."""
        return f"{self.path}/{MANIFEST}"


@dataclass(eq=False, repr=False)
class Session:
    """What gatherers go by, once settings, trust, mode and model are settled."""

    inputs: Inputs
    workspace: Workspace
    places: Places
    settings: GeminiSettings
    facts: Facts
    trusted: Condition
    extensions: tuple[Extension, ...]
    parts: list[Found] = field(default_factory=list)
    """What was found, in the order in which it is told."""

    @property
    def params(self) -> Params:
        """The agent's own inputs."""
        return self.inputs.params

    @property
    def active(self) -> tuple[Extension, ...]:
        """The extensions that are."""
        return tuple(extension for extension in self.extensions if extension.is_active)

    def part(self) -> Found:
        """A further part of what is found."""
        self.parts.append(Found(workspace=self.workspace))
        return self.parts[-1]


@dataclass(eq=False, repr=False)
class Gatherer:
    """Looks for one kind of thing, and adds to its part of what is found."""

    session: Session
    found: Found = field(init=False)

    def __post_init__(self) -> None:
        session = self.session
        self.found, self.workspace, self.places = session.part(), session.workspace, session.places
        self.facts, self.trusted, self.follow = session.facts, session.trusted, session.inputs.follow_links


def gather_extensions(params: Params, places: Places, told: Found) -> tuple[Extension, ...]:
    """The extensions below `~/.gemini/extensions`; the workspace's own are not looked for."""
    workspace = told.workspace
    base = f"{places.own}/extensions"
    enablement = workspace.read(f"{base}/{_ENABLEMENT}")
    parsed, wrong = read_json(enablement, "bad-extension")
    told.diagnostics += [wrong] if wrong else []
    rules = mapping(parsed.value if parsed else None)
    if enablement.found:
        fits = parsed is not None and isinstance(parsed.value, dict)
        told.row(enablement, "settings", "always", usable(enablement, fits))
    found: list[Extension] = []
    told.files += locked(workspace, base, "extension")
    names = [e.name for e in workspace.list(base).entries if workspace.is_dir(f"{base}/{e.name}")]
    if len(names) > _MAX_EXTENSIONS:
        told.warn("too-many-files", f"{_MAX_EXTENSIONS} extensions are read; the others are left out", base)
    for path in (f"{base}/{folder}" for folder in names[:_MAX_EXTENSIONS]):
        file = workspace.read(f"{path}/{MANIFEST}")
        data, problem = read_json(file, "bad-extension")
        value = mapping(data.value if data else None)
        name = value.get("name")
        if not isinstance(name, str) or not name:
            if problem:
                told.diagnostics.append(problem)
            elif file.found:
                told.warn("bad-extension", "the extension is skipped: its manifest has no name", file.path, 1)
            no = "there is no manifest" if file.problem == "missing" else "the manifest cannot be used"
            why = absent(file.path, no, f"write a name and a version into {file.path}")
            told.row(file, "extension", "always", why)
            continue
        when, active = _active(name, rules, params, places, enablement.path)
        told.row(file, "extension", "always", when)
        found.append(_extension(value, path, when, active, told))
        for server, config in (found[-1].servers or {}).items():
            if active and data and isinstance(config, dict) and config.get("trust") is True:
                line = data.line(("mcpServers", server, "trust"))
                told.diagnostics.append(FOLDER.note("trust-ignored", file.path, line, server=server, extension=name))
    return tuple(found)


def _extension(value: Mapping[str, Json], path: str, when: Condition, active: bool, told: Found) -> Extension:
    named = value.get("contextFileName", _DEFAULT_CONTEXT)
    names = [item for item in (named if isinstance(named, list) else [named]) if isinstance(item, str) and item]
    context = []
    for item in names:
        target = resolve(path, item)
        if item.startswith("/") or ".." in item.split("/"):
            told.diagnostics.append(FOLDER.note("context-outside", f"{path}/{MANIFEST}", item=item))
        elif told.workspace.kind(target) == "file":
            context.append(target)
    servers, directory = value.get("mcpServers"), mapping(value.get("plan")).get("directory")
    return Extension(
        name=value["name"],
        path=path,
        when=when,
        is_active=active,
        context=tuple(context),
        servers=servers if isinstance(servers, dict) else None,
        excluded_tools=tuple(texts(value.get("excludeTools")) or ()),
        plans=directory if isinstance(directory, str) else None,
    )


def asked_for(params: Params) -> list[str] | None:
    """The names that `-e` gives, several with commas between them. None where all are active: it gives no name."""
    given = params.args.extensions or []
    names = [name for each in given for part in each.split(",") if (name := part.strip())]
    return names if names or "" in given else None


def _active(name: str, rules: Mapping[str, Json], params: Params, places: Places, path: str) -> tuple[Condition, bool]:
    """Whether an extension is active: `-e` names it, else the last override that fits the folder decides."""
    asked = asked_for(params)
    if asked is not None:
        named = name.lower() in {each.lower() for each in asked}
        others = [each for each in asked if each.lower() not in (name.lower(), "none")]
        source = SettingSource("--extensions", overlay="args.extensions")
        yes, no = "--extensions names it", "--extensions names others"
        on, off = Lever("args.extensions", [*others, name]), Lever("args.extensions", others or ["none"])
        return Setting(source, named, "is", True, yes, no, on=on, off=off), named
    overrides = mapping(rules.get(name)).get("overrides")
    verdict, rule = True, ""
    for override in overrides if isinstance(overrides, list) else ():
        if isinstance(override, str) and _fits(override.removeprefix("!"), places.cwd):
            verdict, rule = not override.startswith("!"), override
    if not rule:
        return ALWAYS, True
    return FOLDER.reason("extension", verdict, path=path, rule=rule), verdict


def _fits(pattern: str, cwd: str) -> bool:
    """Whether a pattern names the working directory, to which a slash is added.

    A star stands for anything, together with the slash before it for nothing as well. Without a star or a slash at
    its end a pattern names no folder: the client writes them with one.
    """
    if pattern.count("*") > _MAX_STARS:
        return False
    parts = _STAR.split(pattern)
    expression = "".join(
        f"(?:{re.escape(part)}.*)?" if number % 2 else re.escape(part) for number, part in enumerate(parts)
    )
    return re.fullmatch(expression, cwd.rstrip("/") + "/") is not None
