"""What the texts of Codex may name in one scenario."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache

from promptscope_engine.agents.kit.texts import Scope
from promptscope_engine.prompt.conditions import Any, Condition, Named, Observed
from promptscope_engine.prompt.drafts import Piece, computed, environment, label

from .materials import Entry, Materials, McpServer
from .texts import FOLDER

MAX_PREFIXES = 100
MAX_PREFIX_CHARS = 5_000
"""What is listed of the allowed prefixes at the most [source]."""


@lru_cache(maxsize=1)  # every section of one scenario
def scope_of(m: Materials) -> Scope:
    """Its gates, the texts of the user's own, and the values that stand in texts."""
    sandbox = m.sandbox
    lines = [f"- {json.dumps(list(prefix), ensure_ascii=False)}" for prefix in m.approved_prefixes[:MAX_PREFIXES]]
    prefixes = "\n".join(lines)
    names = {
        **m.gates,
        "features": m.features,
        "own": m,
        "any_skill": _any_skill(m),
        "skill_list": lambda: tuple(_skill_list(m)),
        "memories": environment("memories", f"{m.codex_home}/memories"),
        "sandbox_mode": computed("sandbox_mode", sandbox.mode),
        "network": computed("network", "enabled" if sandbox.network else "restricted"),
        "prefixes": _prefixes(m),
        "approved_prefixes": computed("approved_prefixes", prefixes[:MAX_PREFIX_CHARS]),
        "more_prefixes": len(m.approved_prefixes) > MAX_PREFIXES or len(prefixes) > MAX_PREFIX_CHARS,
        "denied": [
            {"kind": label(f"\n- {entry.kind} `"), "value": environment("denied", entry.value)}
            for entry in sandbox.denied
        ],
        "writable": tuple(_writable(sandbox.writable)),
        "deferred_tools": tuple(_deferred(m)),
        "threads": computed("max_concurrent_threads_per_session", str(m.threads)),
        "here": {name: None if value is None else environment(name, escape(value)) for name, value in m.here.items()},
        "workspace_roots": [{"path": environment("workspace_root", escape(root))} for root in sandbox.roots],
        "profile": tuple(_profile(sandbox.profile)),
        "today": environment("date", m.here["current_date"] or ""),
    }
    return Scope(names, {"sandbox": lambda mode: m.sandboxes[mode]})


def text(m: Materials, name: str, **own: object) -> Iterator[Piece]:
    """The pieces of `sections/NAME.md`, which may also name what is `own` to this place."""
    return FOLDER.pieces(name, scope_of(m).within(own))


def escape(value: str) -> str:
    """A text within XML. The standard library's own brings a web client along: 80 ms."""
    return value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _any_skill(m: Materials) -> Condition:
    if not m.skills:
        remedy = f"write a skill into {m.codex_home}/skills/<name>/SKILL.md"
        return Observed("file", "skills", False, "", "there is no skill", remedy=remedy)
    return Named("file", "skills", Any(tuple(skill.when for skill in m.skills)), "there are skills")


def _skill_list(m: Materials) -> Iterator[Piece]:
    """Paths are short where that leaves the list more room, else whole: the wording goes by it."""
    roots = [
        {"alias": label(f"- `{root.alias}` = `"), "folder": environment("skill_root", root.folder)}
        for root in m.skill_roots
    ]
    listed = [
        {
            "name": computed("skill.name", skill.name),
            "description": skill.description,
            "path": computed("skill.path", skill.path),
            "when": skill.when,
        }
        for skill in m.skills
    ]
    return text(m, "skill_list" if roots else "skill_list@whole", roots=roots, listed=listed)


def _prefixes(m: Materials) -> Condition:
    folder = f"{m.codex_home}/rules"
    yes, no = "rules allow commands", "no rule allows a command"
    remedy = f"allow commands in {folder}/default.rules"
    return Observed("file", folder, bool(m.approved_prefixes), yes, no, remedy=remedy)


def _writable(roots: tuple[str, ...]) -> Iterator[Piece]:
    """A last line, where anything may be written: it begins with a blank (6.1)."""
    if not roots:
        return
    yield label("\n The writable root is " if len(roots) == 1 else "\n The writable roots are ")
    for number, root in enumerate(roots):
        yield label("`" if not number else ", `")
        yield environment("writable_root", root)
        yield label("`")
    yield label(".")


def _deferred(m: Materials) -> Iterator[Piece]:
    """Tools that are only named: their schemas cost nothing at the start (7.4)."""
    lines = [(server.namespace, _server_line(m, server)) for server in m.servers if server.tools]
    lines.append(("multi_agent_v1", (label("- multi_agent_v1\n", when=m.gates["first_kind"]),)))
    for _, line in sorted(lines, key=lambda each: each[0]):
        yield from line


def _server_line(m: Materials, server: McpServer) -> tuple[Piece, ...]:
    """The namespace and the first line of what the server says of itself."""
    first = server.instructions.strip().split("\n")[0].rstrip("\r")
    known: Condition = m.gates["known"]
    head = computed("mcp.namespace", f"- {server.namespace}", when=known)
    said = (label(": ", when=known), computed(f"mcp.{server.name}", first, when=known)) if first else ()
    return (head, *said, label("\n", when=known))


def _profile(entries: tuple[Entry, ...] | None) -> Iterator[Piece]:
    """What the sandbox lets commands read and write."""
    if entries is None:
        yield label('<permission_profile type="disabled"><file_system type="unrestricted" /></permission_profile>')
        return
    yield label('<permission_profile type="managed"><file_system type="restricted">')
    for entry in entries:
        fixed = ' escalatable="false"' if entry.access == "deny" else ""
        yield label(f'<entry access="{entry.access}"{fixed}><{entry.kind}>')
        yield environment("permission", escape(entry.value))
        yield label(f"</{entry.kind}></entry>")
    yield label("</file_system></permission_profile>")
