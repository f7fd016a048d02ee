"""What OpenClaw's own `/context` would say of this prompt, and what it would not.

The numbers are made as the agent makes them, its mistakes included; `blind_spots` names those that matter here.
Lengths are UTF-16 units of our text, so the fixed prose counts as we word it.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime

from msgspec import Struct

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.features import AgentReport, ReportLine
from promptscope_engine.agents.kit.disk.settings import mapping
from promptscope_engine.agents.openclaw.gather.gather import gather
from promptscope_engine.agents.openclaw.materials import Context, Materials
from promptscope_engine.agents.openclaw.texts import NEWER
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.text import js_trim, js_trim_end, utf16_len
from promptscope_engine.prompt.drafts import DEFERRED
from promptscope_engine.prompt.model import Assembly, Tool
from promptscope_engine.workspace import Workspace

NAMES_SHOWN = {"skills": 20, "tools": 30}
DETAIL_SHOWN = 30


def list_text(report: Mapping[str, Json], session: Mapping[str, Json]) -> str:
    """`/context list`, which `show` is an alias of."""
    lines = [*_head("🧠 What the context is made of", report)]
    named = []
    for what, limit in NAMES_SHOWN.items():
        names = [entry["name"] for entry in report[what]["entries"]]
        more = f", … {len(names) - limit} more" if len(names) > limit else ""
        named.append(f"{what.capitalize()}: {', '.join(names[:limit]) or '(none)'}{more}")
    if _is_newer(report):  # with empty lines between the groups, and the names where they belong
        at = lines.index("Injected workspace files:")
        files, (skills, *tools) = lines[at:-3], lines[-3:]
        return "\n".join([*lines[:at], "", *files, "", skills, named[0], *tools, named[1], "", _tokens(session)])
    return "\n".join([*lines, *named, _tokens(session)])


def _is_newer(report: Mapping[str, Json]) -> bool:
    """The report of 2026.9, which tells what was cut by itself."""
    return "bootstrapTruncation" in report


def detail_text(report: Mapping[str, Json], session: Mapping[str, Json]) -> str:
    """`/context detail`, which `deep` is an alias of: the largest skills and tools besides."""
    skills, tools = report["skills"]["entries"], report["tools"]["entries"]
    lines = [*_head("🧠 What the context is made of, in detail", report)]
    lines += _table("Largest skills", skills, "blockChars")
    lines += _table("Largest tools by schema", tools, "schemaChars")
    lines += _table("Largest tools by description", tools, "summaryChars")
    counts = (f"{tool['name']} {tool['propertiesCount']}" for tool in tools[:DETAIL_SHOWN])
    lines += [f"Parameters: {', '.join(counts)}"] if tools else []
    return "\n".join([*lines, _tokens(session)])


def _head(title: str, report: Mapping[str, Json]) -> Iterator[str]:
    system, sandbox, files = report["systemPrompt"], report["sandbox"], report["injectedWorkspaceFiles"]
    yield title
    yield f"Workspace: {report['workspaceDir']}"
    yield f"Bootstrap max/file: {report['bootstrapMaxChars']:,} chars"
    yield f"Bootstrap max/total: {report['bootstrapTotalMaxChars']:,} chars"
    yield f"Sandbox: mode={sandbox['mode']} sandboxed={str(sandbox['sandboxed']).lower()}"
    context = size(system["projectContextChars"])
    yield f"System prompt ({report['source']}): {size(system['chars'])} (Project Context {context})"
    cut = [file for file in files if file["truncated"]]
    if cut and not _is_newer(report):
        longer = sum(file["rawChars"] > report["bootstrapMaxChars"] for file in cut)
        causes = {"max/file": longer, "max/total": len(cut) - longer}
        why = ", ".join(f"{count} over {limit}" for limit, count in causes.items() if count)
        yield f"⚠ {len(cut)} of {len(files)} files were not injected whole ({why})."
        yield "Tip: raise agents.defaults.bootstrapMaxChars / bootstrapTotalMaxChars, or shorten the files."
    yield "Injected workspace files:"
    for file in files:
        status = "MISSING" if file["missing"] else "TRUNCATED" if file["truncated"] else "OK"
        # a missing file shows 0 although its marker is injected
        raw, injected = (size(0 if file["missing"] else file[key]) for key in ("rawChars", "injectedChars"))
        yield f"- {file['name']}: {status} | raw {raw} | injected {injected}"
    skills, tools = report["skills"], report["tools"]
    yield f"Skills list (system prompt): {size(skills['promptChars'])} ({len(skills['entries'])} skills)"
    yield f"Tool list (system prompt): {size(tools['listChars'])}"
    yield f"Tool schemas (request): {size(tools['schemaChars'])} (count as context, shown nowhere)"


def _table(title: str, entries: Sequence[Mapping[str, Json]], key: str) -> list[str]:
    largest = sorted(entries, key=lambda entry: -entry[key])[:DETAIL_SHOWN]
    return [f"{title}:", *(f"- {entry['name']}: {size(entry[key])}" for entry in largest)] if largest else []


def _tokens(session: Mapping[str, Json]) -> str:
    total = session["totalTokens"]
    used = f"{total:,}" if total is not None else "not known"
    return f"Session tokens: {used} of {session['contextTokens']:,}"


def size(chars: int) -> str:
    """Characters, and tokens as the agent estimates them: one for four."""
    return f"{chars:,} chars (~{-(-chars // 4):,} tok)"


# --- the numbers ------------------------------------------------------------------------------------------------------

START, END = "\n# Project Context\n", "\n## Silent Replies\n"


class BlindSpot(Struct, frozen=True):
    """What the report leaves out or gets wrong here. `beside` begins the line it concerns, `key` the one in JSON."""

    code: str
    message: str
    beside: str = ""
    key: str = ""


class ContextReport(Struct, frozen=True):
    """What `/context list`, `detail` and `json` would print, and where they mislead."""

    list: str
    detail: str
    json: dict[str, Json]
    blind_spots: tuple[BlindSpot, ...]


def context_report(gathered: Gathered[Materials], assembly: Assembly) -> ContextReport:
    """The report of a run, from what was gathered for it and its assembly."""
    materials = gathered.materials
    counted = [c for c in materials.contexts if c.entry.when.holds(gathered.facts)]
    numbers = _numbers(assembly, materials, counted, materials.sandbox.on.holds(gathered.facts))
    if materials.version >= NEWER:
        numbers = _newer(numbers, assembly)
    session = {"totalTokens": None, "inputTokens": None, "outputTokens": None, "contextTokens": assembly.tokens.window}
    return ContextReport(
        list_text(numbers, session),
        detail_text(numbers, session),
        {"report": numbers, "session": session},
        tuple(_blind_spots(assembly, counted, numbers)),
    )


def _numbers(assembly: Assembly, materials: Materials, counted: list[Context], sandboxed: bool) -> dict[str, Json]:
    system = assembly.system_text
    # Project Context as the agent finds it: by two headings, wherever they are.
    _, start, behind = system.partition(START)
    context = start + behind.partition(END)[0]
    assert assembly.model is not None  # OpenClaw has one of its own where nothing names one
    provider, _, name = assembly.model.partition("/")
    max_chars, total_chars = materials.limits
    mode = materials.settings.word("agents.defaults.sandbox.mode")
    skills = "".join(span.text for span in materials.prompt.spans("skillsPrompt", materials.skills))
    present = [tool for tool in assembly.tools if tool.present]
    tools = [_tool(tool) for tool in present]
    tooling = assembly.section("tooling")
    fragments = tooling.fragments if tooling else ()
    shown = "".join(f.text for f in fragments if _in_listing(f.origin.id, f.origin.kind, f.text))
    made: int | None = None
    with suppress(ValueError):
        made = round(datetime.fromisoformat(materials.date or "").timestamp() * 1000)
    return {
        "source": "run",
        "generatedAt": made,
        "sessionId": None,
        "sessionKey": materials.session.key,
        "provider": provider or None,
        "model": name or assembly.model,
        "workspaceDir": materials.prompt.value("workspaceDir"),
        "bootstrapMaxChars": max_chars,
        "bootstrapTotalMaxChars": total_chars,
        "sandbox": {"mode": mode or "off", "sandboxed": sandboxed},
        "systemPrompt": {
            "chars": utf16_len(system),
            "projectContextChars": utf16_len(context),
            "nonProjectContextChars": utf16_len(system) - utf16_len(context),
        },
        "injectedWorkspaceFiles": [_file(context) for context in counted],
        "skills": {"promptChars": utf16_len(js_trim(skills)), "entries": list(_skills(skills))},
        "tools": {
            "listChars": utf16_len(js_trim(shown)),
            "schemaChars": sum(tool["schemaChars"] for tool in tools),
            "entries": tools,
        },
    }


def _newer(numbers: dict[str, Json], assembly: Assembly) -> dict[str, Json]:
    """The numbers of 2026.9: only the tools that are sent count, and what is listed of them comes to nothing."""
    files = numbers["injectedWorkspaceFiles"]
    if all(file["name"] != "BOOTSTRAP.md" for file in files):  # told as missing, though no marker is injected
        path = f"{numbers['workspaceDir']}/BOOTSTRAP.md"
        none = {"missing": True, "rawChars": 0, "injectedChars": 0, "truncated": False}
        files = [*files, {"name": "BOOTSTRAP.md", "path": path, **none}]
    sent = [_tool(tool) for tool in assembly.tools if tool.present and tool.variant != DEFERRED]
    said = {s.id: utf16_len(s.text) for s in assembly.sections if s.present and s.channel == "messages"}
    schemas = sum(tool["schemaChars"] for tool in sent)
    return {
        **numbers,
        "bootstrapTruncation": {"truncatedFiles": sum(file["truncated"] for file in files)},
        "currentTurn": {"promptChars": said.get("user.task", 0), "runtimeContextChars": said.get("user.context", 0)},
        "injectedWorkspaceFiles": files,
        "tools": {"listChars": 0, "schemaChars": schemas, "entries": sent},
    }


def _in_listing(fragment_id: str | None, kind: str, text_: str) -> bool:
    """Whether a fragment of Tooling belongs to the bullets."""
    is_bullet = kind == "label" and text_.startswith("\n- ")
    return is_bullet or kind == "param" or (kind == "builtin" and fragment_id not in ("tooling.lead", "tooling.advice"))


def _file(context: Context) -> dict[str, Json]:
    entry = context.entry
    raw = utf16_len(js_trim_end(entry.content or ""))
    injected = context.injection.chars
    return {
        "name": entry.name,
        "path": entry.path,
        "missing": entry.missing,
        "rawChars": raw,
        "injectedChars": injected,
        # by length alone: a cut file with a long marker counts as whole
        "truncated": injected < raw,
    }


def _skills(prompt: str) -> Iterator[dict[str, Json]]:
    for block in re.findall(r"<skill>.*?</skill>", prompt, re.DOTALL | re.IGNORECASE):
        name = re.search(r"<name>\s*([^<]+?)\s*</name>", block, re.IGNORECASE)
        yield {"name": name[1] if name else "(unknown)", "blockChars": utf16_len(block)}


def _tool(tool: Tool) -> dict[str, Json]:
    """Sizes of a tool: its description, which is not the bullet that is printed, and its schema."""
    return {
        "name": tool.name,
        "summaryChars": utf16_len(js_trim(tool.description)),
        "schemaChars": utf16_len(json.dumps(tool.input_schema, separators=(",", ":"), ensure_ascii=False)),
        "propertiesCount": len(mapping(mapping(tool.input_schema).get("properties"))),
    }


# --- where they mislead -----------------------------------------------------------------------------------------------


_NAMED = 8
"""Of the absent tools, which are many where no plugin is on."""
_SAID: Mapping[str, Mapping[str, str]] = {
    "tokens": {
        "says": "it estimates 4 characters per token: {guess:,}, where {system:,} are counted",
        "beside": "System prompt",
        "key": "systemPrompt",
    },
    "sections": {
        "says": "it gives no size of any of the {parts} parts",
        "beside": "System prompt",
        "key": "systemPrompt",
    },
    "text": {"says": "it never shows the text, nor what changed since the turn before"},
    "hooks": {"says": "it is made before hooks run: a hook that replaces the prompt is not seen"},
    "estimate": {
        "says": (
            "before a session's first run it estimates: always full, host and os unknown, without documentation, "
            "owners, aliases, reactions, channel, heartbeat text and extra context"
        ),
    },
    "missing": {
        "says": "missing files show 0, while {chars:,} characters are injected to say so",
        "beside": "Injected",
        "key": "injectedWorkspaceFiles",
    },
    "dropped": {
        "says": "{name} shows TRUNCATED with 0: the total was used up before it was reached",
        "beside": "- {name}: ",
        "key": 'path": {path}',
    },
    "cut": {
        "says": "{name} shows OK, yet it was cut: the marker makes up for what is missing",
        "beside": "- {name}: ",
        "key": 'path": {path}',
    },
    "blank": {
        "says": "{name} shows OK with 0: it is blank and not injected",
        "beside": "- {name}: ",
        "key": 'path": {path}',
    },
    "runtime": {
        "says": "in mode minimal it counts Runtime as part of Project Context",
        "beside": "System prompt",
        "key": "projectContextChars",
    },
    "quoted": {
        "says": "a file quotes `## Silent Replies`: {said:,} characters of Project Context, really {real:,}",
        "beside": "System prompt",
        "key": "projectContextChars",
    },
    "skills": {
        "says": "it says nothing of {count} skills that gates or limits hold back",
        "beside": "Skills list",
        "key": "skills",
    },
    "tools": {
        "says": "it says nothing of {count} tools that are not there: {names}",
        "beside": "Tool schemas",
        "key": "tools",
    },
    "waiting": {
        "says": (
            "it says nothing of the {count} tools that wait: their rows take {chars:,} characters of the prompt, "
            "and loading all would take {cost:,} tokens"
        ),
        "beside": "Tool list",
        "key": "listChars",
    },
    "summaries": {
        "says": "its sizes of tool summaries are of the descriptions, not of the lines in Tooling",
        "beside": "Tool list",
        "key": "listChars",
    },
}
"""What `/context` leaves out or gets wrong. `beside` begins the line that a sentence is about, `key` the one of
JSON."""


def _spot(code: str, **values: object) -> BlindSpot:
    """What is said of a case."""
    return BlindSpot(code, *(_SAID[code].get(part, "").format(**values) for part in ("says", "beside", "key")))


def _blind_spots(assembly: Assembly, counted: list[Context], numbers: dict[str, Json]) -> Iterator[BlindSpot]:
    yield from _of_files(counted)
    yield from _of_context(assembly, numbers)
    yield from _of_skills_and_tools(assembly)
    chars = numbers["systemPrompt"]["chars"]
    system = assembly.tokens.by_channel.get("system")
    if system and abs(chars / 4 - system) > system / 20:
        yield _spot("tokens", guess=chars // 4, system=system)
    yield _spot("sections", parts=sum(s.present for s in assembly.sections))
    yield from map(_spot, ("text", "hooks", "estimate"))


def _of_files(contexts: list[Context]) -> Iterator[BlindSpot]:
    markers = [c for c in contexts if c.entry.missing and c.injection.parts]
    if markers:
        yield _spot("missing", chars=sum(c.injection.chars for c in markers))
    for context in contexts:
        injection, raw = context.injection, utf16_len(js_trim_end(context.entry.content or ""))
        name, path = context.entry.name, json.dumps(context.entry.path, ensure_ascii=False)
        if injection.lost and not injection.reached:
            yield _spot("dropped", name=name, path=path)
        elif injection.lost and injection.chars >= raw:
            yield _spot("cut", name=name, path=path)
        elif not context.entry.missing and not injection.parts:
            yield _spot("blank", name=name, path=path)


def _of_context(assembly: Assembly, numbers: dict[str, Json]) -> Iterator[BlindSpot]:
    real = utf16_len("".join(s.text for s in assembly.sections if s.present and s.id.startswith("project_context")))
    said = numbers["systemPrompt"]["projectContextChars"]
    if assembly.mode == "minimal" and said:
        yield _spot("runtime")
    elif said < real:
        yield _spot("quoted", said=said, real=real)


def _of_skills_and_tools(assembly: Assembly) -> Iterator[BlindSpot]:
    if count := sum(file.kind == "skill" and not file.present for file in assembly.files):
        yield _spot("skills", count=count)
    if removed := [tool.name for tool in assembly.tools if not tool.present]:
        names = ", ".join(removed[:_NAMED]) + (", …" if len(removed) > _NAMED else "")
        yield _spot("tools", count=len(removed), names=names)
    waiting = [tool for tool in assembly.tools if tool.present and tool.variant == DEFERRED]
    if waiting:
        rows = sum(utf16_len(tool.description) for tool in waiting)
        cost = sum(tool.tokens.loaded or 0 for tool in waiting)
        yield _spot("waiting", count=len(waiting), chars=rows, cost=cost)
    elif any(tool.present and tool.tokens.prompt != 0 for tool in assembly.tools):
        yield _spot("summaries")


def report(inputs: Inputs, workspace: Workspace, assembly: Assembly) -> AgentReport:
    """What `/context` would print."""
    return agent_report(context_report(gather(inputs, workspace), assembly))


def agent_report(report: ContextReport) -> AgentReport:
    """`/context` as `list`, `detail` and `json`."""
    spots, text = report.blind_spots, json.dumps(report.json, indent=2, ensure_ascii=False)
    beside = [(spot.beside, spot) for spot in spots]
    forms = {
        "list": tuple(_lines(report.list, beside)),
        "detail": tuple(_lines(report.detail, beside)),
        "json": tuple(_lines(text, [(spot.key and f'"{spot.key}', spot) for spot in spots])),
    }
    return AgentReport("/context", forms, report.json, tuple(spot.message for spot in spots if not spot.beside))


def _lines(text: str, spots: Sequence[tuple[str, BlindSpot]]) -> Iterator[ReportLine]:
    """The lines, each blind spot beside the first line that begins as `start` says."""
    left = [(start, spot.message) for start, spot in spots if start]
    for line in text.split("\n"):
        here = [found for found in left if line.lstrip().startswith(found[0])]
        left = [found for found in left if found not in here]
        yield ReportLine(line, tuple(message for _, message in here))
