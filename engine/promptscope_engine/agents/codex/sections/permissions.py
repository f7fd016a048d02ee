"""What commands may touch, and how the model asks for more (specs/codex.md 6)."""

from __future__ import annotations

import json
from collections.abc import Iterator

from promptscope_engine.agents.codex.materials import Materials
from promptscope_engine.prompt.conditions import Condition, Observed
from promptscope_engine.prompt.drafts import Choice, Piece, SectionDraft, builtin, computed, environment, guarded, label

from . import prose_permissions as prose
from .places import developer

MAX_PREFIXES = 100
MAX_PREFIX_CHARS = 5_000
"""What is listed of the allowed prefixes at the most [source]."""


def permissions_section(m: Materials) -> SectionDraft:
    """The part in the order of its paragraphs."""

    def pieces() -> Iterator[Piece]:
        yield label("<permissions instructions>\n")
        yield from _sandbox(m)
        yield label("\n")
        yield from _policy(m)
        yield from guarded(_escalation(m), m.gates.escalation)
        yield from _denied(m)
        yield from _writable(m)
        yield label("\n</permissions instructions>")

    return SectionDraft(
        "permissions", "Permissions", tuple(pieces()), None, m.gates.permissions, developer("permissions"),
        reference=_measured(m),
    )  # fmt: skip


def _measured(m: Materials) -> Choice[str]:
    """The variant that was measured."""
    g = m.gates
    options = (
        (g.reviewed & g.escalation, "permissions.reviewed.escalation"),
        (g.reviewed, "permissions.reviewed"),
        (g.escalation, "permissions.escalation"),
        (g.granular, "permissions.granular"),
        (g.asks_untrusted, "permissions.untrusted"),
    )
    return Choice(options, f"permissions.{m.sandbox.mode}")


def _sandbox(m: Materials) -> Iterator[Piece]:
    """The mode, in words of its own for each, and the network."""
    yield builtin("permissions.sandbox", prose.SANDBOX)
    yield label(" `sandbox_mode` is `")
    yield computed("sandbox_mode", m.sandbox.mode)
    yield label("`")
    for mode, text in prose.MODES.items():
        yield builtin(f"permissions.{mode}", text, when=m.gates.sandbox[mode])
    yield label(" Network access is ")
    yield computed("network", "enabled" if m.sandbox.network else "restricted")
    yield label(".")


def _policy(m: Materials) -> Iterator[Piece]:
    yield label("Approval policy is currently never.", when=m.gates.never)
    yield builtin("permissions.never", prose.NEVER, when=m.gates.never)
    yield label("`approvals_reviewer` is `auto_review`", when=m.gates.reviewed)
    yield builtin("permissions.reviewer", prose.REVIEWER, when=m.gates.reviewed)
    yield label("\n\n", when=m.gates.reviewed & m.gates.escalation)
    yield builtin("permissions.untrusted", prose.UNTRUSTED, when=m.gates.asks_untrusted)
    yield label("# Approval Requests\n\n", when=m.gates.granular)
    yield builtin("permissions.granular", prose.GRANULAR, when=m.gates.granular)


def _escalation(m: Materials) -> Iterator[Piece]:
    """How to ask for a command outside of the sandbox."""
    for number, (heading, text) in enumerate(prose.ESCALATION.items()):
        gap = "\n\n" if number else ""
        yield label(f"{gap}{heading}\n\n")
        yield builtin(f"permissions.escalation.{number}", text)
    there = _prefixes(m)
    yield label("\n\n## Approved command prefixes\n\n", when=there)
    yield builtin("permissions.prefixes", prose.PREFIXES, when=there)
    lines = [f"- {json.dumps(list(prefix), ensure_ascii=False)}" for prefix in m.approved_prefixes[:MAX_PREFIXES]]
    text = "\n".join(lines)
    yield label("\n", when=there)
    yield computed("approved_prefixes", text[:MAX_PREFIX_CHARS], when=there)
    if len(m.approved_prefixes) > MAX_PREFIXES or len(text) > MAX_PREFIX_CHARS:
        yield builtin("permissions.prefixes.more", prose.MORE_PREFIXES, when=there)


def _prefixes(m: Materials) -> Condition:
    folder = f"{m.codex_home}/rules"
    yes, no = "rules allow commands", "no rule allows a command"
    remedy = f"allow commands in {folder}/default.rules"
    return Observed("file", folder, bool(m.approved_prefixes), yes, no, remedy=remedy)


def _denied(m: Materials) -> Iterator[Piece]:
    """Paths that a profile of the user's own closes."""
    if not m.sandbox.denied:
        return
    yield label("\n\n## Denied filesystem reads\n\n")
    yield builtin("permissions.denied", prose.DENIED)
    for entry in m.sandbox.denied:
        yield label(f"\n- {entry.kind} `")
        yield environment("denied", entry.value)
        yield label("`")


def _writable(m: Materials) -> Iterator[Piece]:
    """A last line, where anything may be written: it begins with a blank (6.1)."""
    roots = m.sandbox.writable
    if not roots:
        return
    yield label("\n The writable root is " if len(roots) == 1 else "\n The writable roots are ")
    for number, root in enumerate(roots):
        yield label("`" if not number else ", `")
        yield environment("writable_root", root)
        yield label("`")
    yield label(".")
