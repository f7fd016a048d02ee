"""Extensions: what they bring along, and which are active (specs/gemini.md 13)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from promptscope_engine.agents.gemini.params import GeminiParams
from promptscope_engine.agents.kit.layered import usable
from promptscope_engine.agents.kit.rows import absent, file_row
from promptscope_engine.formats.document import Json
from promptscope_engine.frozen import frozen
from promptscope_engine.javascript.path import resolve
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Observed, Setting
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import Diagnostic, Lever, SettingSource
from promptscope_engine.workspace import Workspace

from .places import Places
from .settings import read_json

MANIFEST = "gemini-extension.json"
_ENABLEMENT = "extension-enablement.json"
_MAX_EXTENSIONS = 200
_DEFAULT_CONTEXT = "GEMINI.md"
_STAR = re.compile(r"(/?)\*")
_MAX_STARS = 7
"""Nobody writes so many, and each makes the search slower."""


@frozen
class Extension:
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
        return f"{self.path}/{MANIFEST}"


@frozen
class Extensions:
    """All extensions, their rows and what is wrong with them."""

    found: tuple[Extension, ...]
    files: tuple[FileDraft, ...]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def active(self) -> tuple[Extension, ...]:
        return tuple(extension for extension in self.found if extension.is_active)


def gather_extensions(params: GeminiParams, places: Places, workspace: Workspace) -> Extensions:
    """The extensions below `~/.gemini/extensions`; the workspace's own are not looked for."""
    base = f"{places.own}/extensions"
    enablement = workspace.read(f"{base}/{_ENABLEMENT}")
    parsed, problem = read_json(enablement, "bad-extension")
    rules = parsed.value if parsed and isinstance(parsed.value, dict) else {}
    found: list[Extension] = []
    files: list[FileDraft] = []
    diagnostics: list[Diagnostic] = [problem] if problem else []
    if enablement.found:
        when = usable(enablement, isinstance(parsed.value if parsed else None, dict))
        files.append(file_row(enablement, "settings", "always", when))
    names = [e.name for e in workspace.list(base).entries if workspace.is_dir(f"{base}/{e.name}")]
    if len(names) > _MAX_EXTENSIONS:
        text = f"{_MAX_EXTENSIONS} extensions are read; the others are left out"
        diagnostics.append(Diagnostic("warning", "too-many-files", text, base))
    for folder in names[:_MAX_EXTENSIONS]:
        path = f"{base}/{folder}"
        file = workspace.read(f"{path}/{MANIFEST}")
        data, problem = read_json(file, "bad-extension")
        value = data.value if data else None
        name = value.get("name") if isinstance(value, dict) else None
        broken = not isinstance(name, str) or not name
        if problem or (file.found and broken):
            text = "the extension is skipped: its manifest has no name"
            diagnostics.append(problem or Diagnostic("warning", "bad-extension", text, file.path, 1))
        if not isinstance(value, dict) or not isinstance(name, str) or not name:
            no = "there is no manifest" if file.problem == "missing" else "the manifest cannot be used"
            why = absent(file.path, no, f"write a name and a version into {file.path}")
            files.append(file_row(file, "extension", "always", why))
            continue
        when, active = _active(name, rules, params, places, enablement.path)
        files.append(file_row(file, "extension", "always", when))
        found.append(_extension(value, name, path, when, active, workspace, diagnostics))
        for server, config in (found[-1].servers or {}).items():
            if active and data and isinstance(config, dict) and config.get("trust") is True:
                text = f"`trust` of the server {server} has no effect: it comes with the extension {name}"
                line = data.line(("mcpServers", server, "trust"))
                diagnostics.append(Diagnostic("warning", "setting-without-effect", text, file.path, line))
    return Extensions(tuple(found), tuple(files), tuple(diagnostics))


def _extension(
    value: Mapping[str, Json],
    name: str,
    path: str,
    when: Condition,
    active: bool,
    workspace: Workspace,
    diagnostics: list[Diagnostic],
) -> Extension:
    named = value.get("contextFileName", _DEFAULT_CONTEXT)
    names = [item for item in (named if isinstance(named, list) else [named]) if isinstance(item, str) and item]
    context = []
    for item in names:
        target = resolve(path, item)
        if item.startswith("/") or ".." in item.split("/"):
            text = f"`contextFileName` may not leave the extension's folder: {item}"
            diagnostics.append(Diagnostic("warning", "bad-extension", text, f"{path}/{MANIFEST}"))
        elif workspace.kind(target) == "file":
            context.append(target)
    servers, excluded, plan = value.get("mcpServers"), value.get("excludeTools"), value.get("plan")
    directory = plan.get("directory") if isinstance(plan, dict) else None
    return Extension(
        name=name,
        path=path,
        when=when,
        is_active=active,
        context=tuple(context),
        servers=servers if isinstance(servers, dict) else None,
        excluded_tools=tuple(x for x in excluded if isinstance(x, str)) if isinstance(excluded, list) else (),
        plans=directory if isinstance(directory, str) else None,
    )


def asked_for(params: GeminiParams) -> list[str] | None:
    """The names that `-e` gives, several with commas between them. None where all are active: it gives no name."""
    given = params.args.extensions or []
    names = [name for each in given for part in each.split(",") if (name := part.strip())]
    return names if names or "" in given else None


def _active(
    name: str, rules: Mapping[str, Json], params: GeminiParams, places: Places, path: str
) -> tuple[Condition, bool]:
    """Whether an extension is active: `-e` names it, else the last override that fits the folder decides."""
    asked = asked_for(params)
    if asked is not None:
        named = name.lower() in {each.lower() for each in asked}
        others = [each for each in asked if each.lower() not in (name.lower(), "none")]
        leaf = Setting(
            SettingSource("--extensions", overlay="args.extensions"),
            named,
            "is",
            True,
            "--extensions names it",
            "--extensions names others",
            on=Lever("args.extensions", [*others, name]),
            off=Lever("args.extensions", others or ["none"]),
        )
        return leaf, named
    entry = rules.get(name)
    overrides = entry.get("overrides") if isinstance(entry, dict) else None
    verdict, rule = True, ""
    for override in overrides if isinstance(overrides, list) else ():
        if isinstance(override, str) and _fits(override.removeprefix("!"), places.cwd):
            verdict, rule = not override.startswith("!"), override
    if not rule:
        return ALWAYS, True
    remedy = f"take the override {rule} out of {path}"
    yes, no = f"the override {rule} lets it in", f"the override {rule} switches it off here"
    return Observed("file", path, verdict, yes, no, remedy=remedy), verdict


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
