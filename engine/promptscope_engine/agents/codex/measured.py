"""Our own texts in the variants that were measured of the real agent, for `measure.py` (reference.json)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from promptscope_engine.agents.kit.texts import Scope
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.prompt.drafts import environment, label
from promptscope_engine.prompt.model import Assembly, Section, Tool
from promptscope_engine.wire.request import tool_json

from .texts import FOLDER

_ARGS: tuple[tuple[str, dict[str, Json]], ...] = (
    ("gpt-5.5", {}),
    ("gpt-6.1-sol", {}),
    ("gpt-6.1-terra", {}),
    ("gpt-6-sol", {}),
    ("gpt-6-luna", {}),
    ("gpt-5.6-sol", {}),
    ("gpt-daybreak-red-latest", {}),
    ("another-model", {}),
    ("gpt-5.5", {"args": {"sandbox": "workspace-write"}}),
    ("gpt-5.5", {"args": {"sandbox": "danger-full-access"}}),
    ("gpt-5.5", {"args": {"approveForMe": True}}),
    ("gpt-6.1-sol", {"args": {"approveForMe": True}}),
    ("gpt-5.5", {"entry": "interactive"}),
    (
        "gpt-5.5",
        {
            "entry": "interactive",
            "args": {"config": ["approval_policy={granular={mcp_elicitations=true,rules=true,sandbox_approval=true}}"]},
        },
    ),
    ("gpt-5.5", {"entry": "interactive", "settings": {"projects": {"/repo/project": {"trust_level": "untrusted"}}}}),
    ("gpt-5.5", {"args": {"enable": ["omit_skill_descriptions"]}}),
    ("gpt-6.1-sol", {"settings": {"model_reasoning_effort": "ultra"}}),
    ("gpt-6.1-sol", {"args": {"enable": ["model_catalog_in_context"]}}),
    ("gpt-5.5", {"args": {"enable": ["multi_agent_v2", "token_budget", "request_permissions_tool"]}}),
    ("gpt-5.5", {"args": {"enable": ["send_message_to_user_async"]}, "auth": "chatgpt"}),
    ("gpt-6.1-sol", {"auth": "chatgpt"}),
    ("gpt-5.5", {"args": {"enable": ["code_mode"]}}),
)
"""The variants, the plain ones first: of a key that several have, the first one is what was measured."""


def wordings(assemble: Callable[[Scenario], Assembly]) -> Iterator[tuple[str, str, str]]:
    """(measured key, our built-in wording in it, our text of the same extent). `assemble` has to see an empty disk."""
    seen: set[str] = set()
    for model, params in _ARGS:
        assembly = assemble(_scenario(model, params))
        sent = {block["name"]: block for block in _tools(assembly)}
        for section in assembly.sections:
            if section.present and (key := _key(section, model)) and key not in seen:
                seen.add(key)
                yield key, _builtin(section), section.text.strip("\n")
        for tool in assembly.tools:
            key = _tool_key(tool, model)
            if tool.present and key not in seen:
                seen.add(key)
                whole = tool_json(sent[tool.name]) if tool.section is None and tool.name in sent else tool.description
                yield key, tool.description, whole.strip("\n")
    yield _memory()


def real_sizes(reference: Json) -> dict[str, dict[str, int]]:
    """The measured sizes by the same keys."""
    return {key: dict(size) for key, size in reference["sections"].items()}


def _scenario(model: str, params: dict[str, Json]) -> Scenario:
    return Scenario.model_validate(
        {
            "agent": "codex",
            "workspace": "/repo/project",
            "home": "/home/user",
            "managed": "/managed",
            "model": model,
            "env": {"TMPDIR": "/tmp/user"},
            "environment": {"shell": "bash", "date": "2026-11-20", "timezone": "Etc/UTC", "platform": "linux"},
            "params": params,
        }
    )


_BASES = {
    "gpt-6.1-terra": "gpt-6-astra",
    "gpt-5.6-sol": "gpt-5.6",
    "gpt-daybreak-red-latest": "gpt-daybreak",
    "another-model": "unknown",
}


def _key(section: Section, model: str) -> str | None:
    """The key that the section goes by in this variant."""
    texts = {fragment.origin.id for fragment in section.fragments}
    match section.id.partition(".")[0]:
        case "base":
            return f"base.{_BASES.get(model, model)}.{section.id.partition('.')[2]}"
        case "skills":
            variant = ".usage" if "skills.usage" in texts else ""
            return "skills.names_only" if "skills.intro.names_only" in texts else f"skills{variant}"
        case "permissions":
            return _permissions(texts)
        case "multi_agent_role":
            return f"multi_agent_role{'.current' if 'multi_agent_role.current' in texts else ''}"
        case "multi_agent_mode":
            return next(text for text in texts if text)
        case "collaboration_mode" | "model_catalog":
            return section.id
    return None


def _permissions(texts: set[str | None]) -> str:
    asks, reviewed = "permissions.escalation.0" in texts, "permissions.reviewer" in texts
    if asks or reviewed:
        return f"permissions{'.reviewed' if reviewed else ''}{'.escalation' if asks else ''}"
    for variant in ("permissions.granular", "permissions.untrusted"):
        if variant in texts:
            return variant
    return next(f"permissions.{mode}" for mode in _MODES if f"permissions.{mode}" in texts)


_MODES = ("read-only", "workspace-write", "danger-full-access")


def _tool_key(tool: Tool, model: str) -> str:
    name = tool.name.rpartition(".")[2]
    if tool.section is not None:
        return f"tools.nested.{name}"
    if tool.name == "functions.exec":
        return "tools.functions.exec" if model.startswith("gpt-6") else "tools.functions.exec.older"
    return f"tools.{name}" if tool.name.startswith("functions.") else f"tools.{tool.name}"


def _tools(assembly: Assembly) -> Iterator[dict[str, Json]]:
    """The tools of the request under the names of their rows."""
    for block in assembly.request.blocks():
        if block.field != "tools":
            continue
        if block.value["type"] == "namespace":
            for tool in block.value["tools"]:
                yield {**tool, "name": f"{block.value['name']}.{tool['name']}"}
        elif "name" in block.value:
            yield block.value
        else:
            yield {**block.value, "name": block.value["type"]}


def _builtin(section: Section) -> str:
    return "".join(f.text for f in section.fragments if f.origin.kind == "builtin")


def _memory() -> tuple[str, str, str]:
    """The part around a summary of one word; without a file there is none."""
    names = {"memories": environment("memories", "/home/user/.codex/memories"), "own": {"memory": [label("word")]}}
    pieces = tuple(FOLDER.pieces("memory", Scope(names)))
    wording = "".join(piece.text for piece in pieces if piece.origin.kind == "builtin")
    return "memory", wording, "".join(piece.text for piece in pieces)
