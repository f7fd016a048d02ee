"""Codex's texts and tools, and what they may name in one scenario (agent.toml, sections/, tools/)."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.kit.text.expressions import Vocabulary
from promptscope_engine.agents.kit.text.folder import Folder
from promptscope_engine.agents.kit.text.markup import IN_TEXT
from promptscope_engine.agents.kit.text.texts import Scope, Text, ToolSchema
from promptscope_engine.formats.document import Json
from promptscope_engine.formats.key_lines import key_line
from promptscope_engine.prompt.conditions import AnyOf, Condition, Facts, Named
from promptscope_engine.prompt.drafts import Span, builtin, computed, environment, label, of_server
from promptscope_engine.prompt.model import Origin

from .gates import CHATGPT, INTERACTIVE, PLANNING
from .materials import Entry, Materials


class CodexFolder(Folder):
    """Finds a tool's texts by the ids within other tools and namespaces, too."""

    def place_of(self, wording: str) -> tuple[Path, int] | None:
        """`tools.functions.wait`, `tools.exec.clock__curr_time`, or a parameter, `tools.web__run.time`."""
        return super().place_of(wording) or self._place_of_tool(wording.removeprefix("tools."))

    def _place_of_tool(self, wording: str) -> tuple[Path, int] | None:
        known, parts = self.sources.tools, wording.replace("__", ".").split(".")
        at = next((at for at in reversed(range(len(parts))) if parts[at] in known), None)
        if at is None:
            return None
        name, namespace, parameter = parts[at], ".".join(parts[:at][-1:]), parts[at + 1 :]
        file = f"{name}@{namespace}" if f"{name}@{namespace}" in known else name
        if not parameter:
            return self.path / known[file].file, 1
        schema = self.path / "tools" / f"{file}.json"
        return schema, key_line(schema.read_text("utf-8"), ("properties", *parameter), "json") or 1


FOLDER = CodexFolder(
    Path(__file__).parent,
    Vocabulary(
        {"planning": PLANNING, "chatgpt": CHATGPT, "interactive": INTERACTIVE},
        words=frozenset({"sandbox", "nested", "single", "alone", "direct_only"}),
    ),
)


NAMESPACES = {
    "multi_agent_v1": "Tools to start other agents and lead them.",
    "collaboration": "Tools to start other agents and lead them.",
    "clock": "Tools for time and for waiting.",
    "image_gen": "Makes and changes images.",
    "skills": "Tools of the namespace skills.",
}
"""What the namespaces of the wire say of themselves; `functions` says nothing."""


class ToolText(Struct, frozen=True):
    """A tool's description and schema; a freeform one takes a text and has none.

    `returns` is the TypeScript type of what a script is given by it, `gates` the conditions of parameters. `others` are
    (condition, parameter, schema) of a parameter's further forms. `body` is the description where a scenario decides
    about it.
    """

    group: str
    description: str
    schema: Json = None
    returns: str = "unknown"
    gates: Mapping[str, str] = {}
    others: tuple[tuple[str, str, Json], ...] = ()
    body: Text | None = None


@cache
def tool_text(name: str, version: str, form: str = "") -> ToolText:
    """The tool of a file: that of NAME@FORM where there is one, of a namespace or of a case."""
    file = f"{name}@{form}" if f"{name}@{form}" in FOLDER.sources.tools else name
    head, schema = FOLDER.sources.tools[file].head, FOLDER.tool_schema(name, version, form if file != name else "")
    body = FOLDER.text("tools", file, file)
    spans = body.spans(Scope({}, version=version)) if body.is_fixed else ()
    shown = Facts(version=version)
    words = "".join(span.text for span in spans if span.when.holds(shown))
    found = ToolText(head["group"], words, returns=head.get("returns", "unknown"), body=None if body.is_fixed else body)
    if schema is None or schema["type"] == "grammar":
        return found
    made = ToolSchema(schema)
    return replace(found, schema=made.usual, gates=made.gates, others=tuple(made.others))


_GPT_6_1: Mapping[str, tuple[str, ...]] = {
    "texts": ("current",),
    "parts": (
        "intro", "permission", "autonomy", "personality", "writing", "communication", "working", "commentary",
        "final", "rules", "skills", "skills_when", "skills_how", "plugins", "boundary",
    ),
    "parts@0.169.0": (
        "intro", "permission", "autonomy", "personality", "writing", "communication", "working", "commentary",
        "final", "rules", "skills", "skills_when", "skills_how", "apps", "plugins", "plugins_how",
    ),
}  # fmt: skip
_GPT_6: Mapping[str, tuple[str, ...]] = {
    "texts": ("current",),
    "parts": (
        "intro", "personality", "writing", "permission", "autonomy", "working", "commentary", "final", "rules",
        "skills", "skills_when", "skills_how", "plugins", "boundary",
    ),
    "parts@0.169.0": (
        "intro", "personality", "writing", "permission", "autonomy", "working", "commentary", "final", "rules",
        "skills", "skills_when", "skills_how", "apps", "plugins", "plugins_how",
    ),
}  # fmt: skip
_GPT_5_6: Mapping[str, tuple[str, ...]] = {
    "texts": ("middle",),
    "parts": (
        "intro", "personality", "writing", "communication", "working", "commentary", "final", "rules", "editing",
        "autonomy", "destructive", "skills",
    ),
}  # fmt: skip
_BASES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "gpt-6.2": {
        "texts": ("newest", "current"),
        "parts": (
            "intro", "personality", "writing", "commentary", "final", "rules", "permission", "autonomy", "frontend",
            "coding", "working", "other", "skills", "skills_when", "skills_how", "plugins", "boundary",
        ),
    },
    "gpt-6.1-sol": _GPT_6_1,
    "gpt-6-astra": _GPT_6_1,
    "gpt-6-sol": _GPT_6,
    "gpt-6-luna": _GPT_6,
    "gpt-5.6": _GPT_5_6,
    "gpt-daybreak": _GPT_5_6,
    "gpt-5.5": {
        "texts": ("classic",),
        "parts": (
            "intro", "personality", "general", "judgment", "frontend", "editing", "special", "autonomy", "working",
            "formatting", "final", "updates", "checklist", "updates_more",
        ),
    },
    "unknown": {
        "texts": ("unknown",),
        "parts": (
            "intro", "how", "personality", "agents_md", "responsiveness", "planning", "execution", "validating",
            "ambition", "progress", "presenting", "tools", "shell", "update_plan",
        ),
    },
}  # fmt: skip
"""The base instructions of each kind of model: the folders of its texts, of which the first that has a text counts, and
the order of its parts."""


@cache
def base_parts(base: str, version: str) -> tuple[tuple[str, str], ...]:
    """(id, text) of the base instructions of a kind of model, by the names of the catalogue.

    Models of a family share most of their texts; a text asks for the kind as `base.gpt_6_luna`.
    """
    scope = Scope({"base": {re.sub(r"[^a-z0-9]", "_", name): name == base for name in _BASES}}, version=version)
    folders, known = _BASES[base]["texts"], FOLDER.sources.sections

    def text(part: str) -> str:
        folder = next(folder for folder in folders if f"base.{folder}.{part}" in known)
        return "".join(span.text for span in FOLDER.spans(f"base.{folder}.{part}", scope))

    return tuple((part, text(part)) for part in FOLDER.as_of(_BASES[base], "parts", version))


MAX_PREFIXES = 100
MAX_PREFIX_CHARS = 5_000
"""What is listed of the allowed prefixes at the most [source]."""


@lru_cache(maxsize=1)  # every section of one scenario
def scope_of(m: Materials) -> Scope:
    """Its gates, the texts of the user's own, and the values that are in texts."""
    sandbox = m.sandbox
    lines = [f"- {json.dumps(list(prefix), ensure_ascii=False)}" for prefix in m.approved_prefixes[:MAX_PREFIXES]]
    prefixes, rules = "\n".join(lines), f"{m.codex_home}/rules"
    names = {
        **m.gates,
        "features": m.features,
        "own": m.own,
        "any_skill": _any_skill(m),
        "skill_list": lambda: tuple(_skill_list(m)),
        "memories": environment("memories", f"{m.codex_home}/memories"),
        "sandbox_mode": computed("sandbox_mode", sandbox.mode),
        "network": computed("network", "enabled" if sandbox.network else "restricted"),
        "prefixes": FOLDER.reason("prefixes", bool(m.approved_prefixes), path=rules),
        "approved_prefixes": computed("approved_prefixes", prefixes[:MAX_PREFIX_CHARS]),
        "more_prefixes": len(m.approved_prefixes) > MAX_PREFIXES or len(prefixes) > MAX_PREFIX_CHARS,
        "denied": [
            {"kind": label(f"\n- {entry.kind} `"), "value": environment("denied", entry.value)}
            for entry in sandbox.denied
        ],
        "writable": tuple(_writable(sandbox.writable)),
        "deferred_tools": tuple(_deferred(m)),
        "yield_time": computed("default_exec_yield_time_ms", m.code_mode.yield_time),
        "threads": computed("max_concurrent_threads_per_session", str(m.sub_agents.threads)),
        "placed": m.here["cwd"] is not None,
        "here": {
            name: None if value is None and name != "cwd" else environment(name, (value or "").translate(IN_TEXT))
            for name, value in m.here.items()
        },
        "workspace_roots": [{"path": environment("workspace_root", root.translate(IN_TEXT))} for root in sandbox.roots],
        "profile": tuple(_profile(sandbox.profile)),
        "today": environment("date", m.here["current_date"] or ""),
    }
    return Scope(names, {"sandbox": lambda mode: m.sandboxes[mode], **_of_namespaces(m)}, version=m.version)


def _of_namespaces(m: Materials) -> Mapping[str, Callable[[str], Condition]]:
    """What tables of tools ask about a namespace."""
    mode = m.code_mode
    not_only = ~m.features["code_mode_only"]
    direct = m.gates["direct"]
    return {
        "nested": lambda name: mode.nested(m.sub_agents.namespace if name == "collaboration" else name),
        "single": lambda name: mode.alone(name, not_only),
        "alone": lambda name: mode.alone(name, direct if m.model.lite else direct & not_only),
        "direct_only": lambda name: mode.direct_only[name],
    }


def text(m: Materials, name: str, **own: object) -> Iterable[Span]:
    """The spans of `sections/NAME.md`, which may also name what is `own` to this place."""
    return FOLDER.spans(name, scope_of(m).within(own))


def _any_skill(m: Materials) -> Condition:
    if not m.skills:
        return FOLDER.reason("skills", home=m.codex_home)
    return Named("file", "skills", AnyOf(tuple(skill.when for skill in m.skills)), "there are skills")


def _skill_list(m: Materials) -> Iterable[Span]:
    """Paths are short where that leaves the list more room, else whole: the wording goes by it."""
    roots = [
        {
            "alias": (label("- `"), computed("skill.alias", alias), label("` = `")),
            "folder": environment("skill_root", folder),
        }
        for alias, folder in m.skill_roots.items()
    ]
    listed = [
        {
            "name": computed("skill.name", skill.name),
            "description": skill.description,
            "path": Span(skill.path, Origin("computed", name="skill.path", path=_whole(m, skill.path))),
            "when": skill.when,
        }
        for skill in m.skills
    ]
    return text(m, "skill_list" if roots else "skill_list@whole", roots=roots, listed=listed)


def _whole(m: Materials, path: str) -> str:
    """A path of the listing, with the folder in the place of its alias."""
    alias, _, rest = path.partition("/")
    return f"{m.skill_roots[alias]}/{rest}" if alias in m.skill_roots else path


def _writable(roots: tuple[str, ...]) -> Iterator[Span]:
    """A last line, where anything may be written: it begins with a blank."""
    if not roots:
        return
    yield label("\n The writable root is " if len(roots) == 1 else "\n The writable roots are ")
    for number, root in enumerate(roots):
        yield label("`" if not number else ", `")
        yield environment("writable_root", root)
        yield label("`")
    yield label(".")


def _deferred(m: Materials) -> Iterator[Span]:
    """Tools that are only named, with the first line of what a server says: their schemas cost nothing at the start."""
    agents, own = m.gates["deferred_agents"], NAMESPACES["multi_agent_v1"]
    line: tuple[Span, ...]
    line = (label("- multi_agent_v1: ", when=agents), builtin("tools.multi_agent_v1", f"{own}\n", when=agents))
    lines: list[tuple[str, tuple[Span, ...]]] = [("multi_agent_v1", line)]
    for server in m.servers:
        known = m.gates["known"] & m.code_mode.deferred(server.namespace)
        first = server.instructions.strip().split("\n")[0].rstrip("\r")
        head = computed("mcp.namespace", f"- {server.namespace}", when=known)
        said = (label(": ", when=known), computed(f"mcp.{server.name}", first, when=known)) if first else ()
        if server.tools:
            line = of_server(server.name, head, *said, label("\n", when=known))
            lines.append((server.namespace, line))
    for _, line in sorted(lines, key=lambda each: each[0]):
        yield from line


def _profile(entries: tuple[Entry, ...] | None) -> Iterator[Span]:
    """What the sandbox lets commands read and write."""
    if entries is None:
        yield label('<permission_profile type="disabled"><file_system type="unrestricted" /></permission_profile>')
        return
    yield label('<permission_profile type="managed"><file_system type="restricted">')
    for entry in entries:
        fixed = ' escalatable="false"' if entry.access == "deny" else ""
        yield label(f'<entry access="{entry.access}"{fixed}><{entry.kind}>')
        yield environment("permission", entry.value.translate(IN_TEXT))
        yield label(f"</{entry.kind}></entry>")
    yield label("</file_system></permission_profile>")
