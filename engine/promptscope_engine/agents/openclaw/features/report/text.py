"""The layouts of `/context list` and `/context detail` (specs/openclaw.md 9), in our words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from promptscope_engine.formats.document import Json

NAMES_SHOWN = {"skills": 20, "tools": 30}
DETAIL_SHOWN = 30


def list_text(report: Mapping[str, Json], session: Mapping[str, Json]) -> str:
    """`/context list`, which `show` is an alias of."""
    return _joined([*_head("🧠 What the context is made of", report), *_names(report), *_session(session)])


def detail_text(report: Mapping[str, Json], session: Mapping[str, Json]) -> str:
    """`/context detail`, which `deep` is an alias of: the largest skills and tools besides."""
    skills, tools = report["skills"]["entries"], report["tools"]["entries"]
    return _joined(
        [
            *_head("🧠 What the context is made of, in detail", report),
            *_table("Largest skills", skills, "blockChars"),
            *_table("Largest tools by schema", tools, "schemaChars"),
            *_table("Largest tools by description", tools, "summaryChars"),
            *_parameters(tools),
            *_session(session),
        ]
    )


def _head(title: str, report: Mapping[str, Json]) -> Iterator[str]:
    system, sandbox = report["systemPrompt"], report["sandbox"]
    yield title
    yield f"Workspace: {report['workspaceDir']}"
    yield f"Bootstrap max/file: {report['bootstrapMaxChars']:,} chars"
    yield f"Bootstrap max/total: {report['bootstrapTotalMaxChars']:,} chars"
    yield f"Sandbox: mode={sandbox['mode']} sandboxed={str(sandbox['sandboxed']).lower()}"
    context = size(system["projectContextChars"])
    yield f"System prompt ({report['source']}): {size(system['chars'])} (Project Context {context})"
    yield from _warnings(report)
    yield "Injected workspace files:"
    for file in report["injectedWorkspaceFiles"]:
        status = "MISSING" if file["missing"] else "TRUNCATED" if file["truncated"] else "OK"
        # a missing file shows 0 although its marker is injected
        raw, injected = (size(0 if file["missing"] else file[key]) for key in ("rawChars", "injectedChars"))
        yield f"- {file['name']}: {status} | raw {raw} | injected {injected}"
    skills, tools = report["skills"], report["tools"]
    yield f"Skills list (system prompt): {size(skills['promptChars'])} ({len(skills['entries'])} skills)"
    yield f"Tool list (system prompt): {size(tools['listChars'])}"
    yield f"Tool schemas (request): {size(tools['schemaChars'])} (count as context, shown nowhere)"


def _warnings(report: Mapping[str, Json]) -> Iterator[str]:
    files = report["injectedWorkspaceFiles"]
    cut = [file for file in files if file["truncated"]]
    if cut:
        longer = sum(file["rawChars"] > report["bootstrapMaxChars"] for file in cut)
        causes = [f"{longer} over max/file"] if longer else []
        causes += [f"{len(cut) - longer} over max/total"] if len(cut) > longer else []
        yield f"⚠ {len(cut)} of {len(files)} files were not injected whole ({', '.join(causes)})."
        yield "Tip: raise agents.defaults.bootstrapMaxChars / bootstrapTotalMaxChars, or shorten the files."


def _names(report: Mapping[str, Json]) -> Iterator[str]:
    for what, limit in NAMES_SHOWN.items():
        names = [entry["name"] for entry in report[what]["entries"]]
        more = f", … {len(names) - limit} more" if len(names) > limit else ""
        yield f"{what.capitalize()}: {', '.join(names[:limit]) or '(none)'}{more}"


def _table(title: str, entries: Sequence[Mapping[str, Json]], key: str) -> Iterator[str]:
    largest = sorted(entries, key=lambda entry: -entry[key])[:DETAIL_SHOWN]
    if largest:
        yield f"{title}:"
        yield from (f"- {entry['name']}: {size(entry[key])}" for entry in largest)


def _parameters(tools: Sequence[Mapping[str, Json]]) -> Iterator[str]:
    if tools:
        counts = ", ".join(f"{tool['name']} {tool['propertiesCount']}" for tool in tools[:DETAIL_SHOWN])
        yield f"Parameters: {counts}"


def _session(session: Mapping[str, Json]) -> Iterator[str]:
    total = session["totalTokens"]
    used = f"{total:,}" if total is not None else "not known"
    yield f"Session tokens: {used} of {session['contextTokens']:,}"


def size(chars: int) -> str:
    """Characters, and tokens as the agent estimates them: one for four (0.5)."""
    return f"{chars:,} chars (~{-(-chars // 4):,} tok)"


def _joined(lines: Sequence[str]) -> str:
    return "\n".join(line for line in lines if line)
