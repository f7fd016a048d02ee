"""Our own texts in the variants that were measured of the real agent, for `measure.py` (reference.json)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.prompt.model import Assembly, Fragment, Section
from promptscope_engine.wire.request import wire_json, wire_tool

from .builder import NAMES
from .gather.skills.listing import LEAD
from .texts import FOLDER, tool_text

ALONE = (
    "status_hint", "skills.truncation_note", "skills.listing_lead", "project_context.soul", "workspace.bootstrap_note",
    "sandbox.host_mount", "sandbox.novnc", "sandbox.elevated", "message_tool.buttons_supported",
    "message_tool.buttons_hint",
)  # fmt: skip
"""Fragments that were measured by themselves: not part of their section's size."""

_SKILL = {"name": "s", "description": "d", "filePath": "/s"}
_ALL: dict[str, Json] = {
    "toolNames": ["message", "gateway", "memory_get"],
    "ownerNumbers": ["o"],
    "reasoningTagHint": True,
    "modelAliasLines": ["- a: b"],
    "userTimezone": "Z",
    "docsPath": "D",
    "ttsHint": "t",
    "extraSystemPrompt": "e",
    "reactionGuidance": {"level": "minimal", "channel": "C"},
    "contextFiles": [{"path": "SOUL.md", "content": "c"}],
    "sandboxInfo": {"enabled": True},
}
_OTHER: dict[str, Json] = {
    **_ALL,
    "memoryCitationsMode": "off",
    "reactionGuidance": {"level": "extensive", "channel": "C"},
    "runtimeInfo": {"channel": "c"},
    "sandboxInfo": {
        "enabled": True,
        "containerWorkspaceDir": "c",
        "workspaceDir": "h",
        "browserNoVncUrl": "n",
        "elevated": {"allowed": True},
    },
}
_ABLE: dict[str, Json] = {**_ALL, "runtimeInfo": {"channel": "c", "capabilities": ["inlineButtons"]}}


def wordings(assemble: Callable[[Scenario], Assembly]) -> Iterator[tuple[str, str, str]]:
    """(measured key, our built-in wording in it, our text of the same extent); fragments as `fragment:<id>`.

    `assemble` has to see an empty disk.
    """
    bootstrap = {"bootstrapFiles": [{"name": "BOOTSTRAP.md", "path": "/b", "content": "b"}]}
    cut = {"skills": [_SKILL, _SKILL | {"name": "t"}], "config": {"skills": {"limits": {"maxSkillsInPrompt": 1}}}}
    variants: tuple[tuple[dict[str, Json], dict[str, Json]], ...] = (
        ({}, {}),
        (_ALL, {"heartbeatDefault": True}),
        (_OTHER, {}),
        (_ABLE, cut),
        ({"contextFiles": None}, bootstrap),
    )
    for passed, others in variants:
        for section in assemble(_scenario(passed, others)).sections:
            if section.present:
                yield from _section(section)
    for name in FOLDER.agent["tools"]["created"]:
        tool = tool_text(name)
        yield f"tools.{name}", tool.description, wire_json(wire_tool(name, tool.description, tool.schema))
    for name in FOLDER.tool_names():
        if summary := tool_text(name).summary:
            yield f"fragment:tooling.{name}", summary, f"- {name}: {summary}"


def real_sizes(reference: Json) -> dict[str, dict[str, int]]:
    """The measured tokens by the same keys; a tool's are those of its description and its schema."""
    sizes = {key: dict(size) for key, size in reference["sections"].items()}
    sizes |= {f"fragment:{key}": sizes[key] for key in ALONE}
    for name, tool in reference["tools"].items():
        if tool["bullet"]:
            sizes[f"fragment:tooling.{name}"] = tool["bullet"]
        if tool["description"]:
            parts = (tool["description"], tool["schema"])
            sizes[f"tools.{name}"] = {unit: sum(part[unit] for part in parts) for unit in parts[0] if unit != "note"}
    return sizes


def _scenario(passed: dict[str, Json], others: dict[str, Json]) -> Scenario:
    """With every parameter that is not given not passed; heartbeats and the skills' listing are the gatherer's."""
    kept = {"promptMode", "heartbeatPrompt", "skillsPrompt", "workspaceNotes"}
    params = {name: None for name in NAMES if name not in kept} | {"workspaceDir": "x", "contextFiles": []} | passed
    if params["contextFiles"] is None:
        del params["contextFiles"]
    given = {"config": {}, "tools": [], "bootstrapFiles": [], "skills": [], "heartbeatDefault": False, **others}
    scenario = {
        "agent": "openclaw",
        "workspace": "/w",
        "home": "/h",
        "env": {},
        "params": {**given, "promptParams": params},
    }
    return Scenario.model_validate(scenario)


def _section(section: Section) -> Iterator[tuple[str, str, str]]:
    alone = [f for f in section.fragments if f.origin.id in ALONE]
    for fragment_id in dict.fromkeys(f.origin.id for f in alone):
        text = _joined(f for f in alone if f.origin.id == fragment_id)
        if text == LEAD:
            text += "\n\n<available_skills>\n</available_skills>"
        yield f"fragment:{fragment_id}", text, text
    key = _key(section)
    if key:
        # the listing's own tags are exact and were measured with its lead
        cut = section.fragments.index(alone[0]) if section.id == "skills" and alone else None
        builtin = "".join(f.text for f in section.fragments if f.origin.kind == "builtin")
        yield key, builtin, _joined(f for f in section.fragments[:cut] if _is_ours(f))


def _is_ours(fragment: Fragment) -> bool:
    """Labels and wording that were measured as part of the section."""
    if fragment.origin.kind == "label":
        return True
    return fragment.origin.kind == "builtin" and fragment.origin.id not in ALONE and not _bullet(fragment)


def _key(section: Section) -> str | None:
    """The heading that the sizes go by, with the variant."""
    ids = {f.origin.id for f in section.fragments}
    match section.id:
        case "identity":
            return "identity"
        case "tooling":
            return "## Tooling (fallback)" if "tooling.fallback" in ids else "## Tooling"
        case "memory_recall" if "memory_recall.citations_off" in ids:
            return "## Memory Recall (citations off)"
        case "workspace" if "workspace.guidance.sandbox" in ids:
            return "## Workspace (container)"
        case "reactions":
            return "## Reactions (extensive)" if "reactions.extensive" in ids else "## Reactions (minimal)"
        case "heartbeats":
            default = "heartbeats.default_prompt" in ids
            return "## Heartbeats (default prompt)" if default else "## Heartbeats (placeholder)"
        case "status_hint":
            return None
    return None if section.parent == "project_context" else section.heading


def _bullet(fragment: Fragment) -> bool:
    section, _, tool = (fragment.origin.id or "").partition(".")
    return section == "tooling" and tool in FOLDER.sources.tools


def _joined(fragments: Iterator[Fragment]) -> str:
    return "".join(f.text for f in fragments).strip("\n")
