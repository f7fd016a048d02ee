"""What a person would not expect of the prompt, said in a line each (specs/gemini.md 5.1, 9, 10, 13)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.gemini.materials import Materials
from promptscope_engine.agents.gemini.tool_policy import (
    CLASSES,
    OLD_NAMES,
    SHELL_NAMES,
    TRACKER,
    Verdict,
    named_tool,
)
from promptscope_engine.prompt.conditions import Facts
from promptscope_engine.prompt.known import Known
from promptscope_engine.prompt.model import Diagnostic, Severity

from .memory import DEFAULT_NAME
from .settings import Settings

_NAMES = {*CLASSES.values(), *TRACKER}
_LISTS = ("tools.core", "tools.exclude", "tools.allowed", "tools.confirmationRequired")
_OF_SERVERS = ("mcp_", "discovered_tool_")
_MOST = 20


def surprises(m: Materials, settings: Settings, facts: Facts) -> Iterator[Diagnostic]:
    """Each with the setting that brings it about; of a client that does not start there are none."""
    if not m.gates.starts.holds(facts):
        return
    yield from _default_name(settings)
    yield from _lost_tools(settings)
    yield from _unknown_tools(settings)
    yield from _skills_without_their_tool(m, facts)
    yield from _silent_servers(m, facts)
    yield from _mixed_model(m)


def _diagnostic(severity: Severity, code: str, text: str, known: Known[str] | None = None) -> Diagnostic:
    source = known.source if known else None
    return Diagnostic(severity, code, text, source.path if source else None, source.line if source else None)


def _default_name(settings: Settings) -> Iterator[Diagnostic]:
    """`context.fileName` adds names; the default cannot be switched off (5.1)."""
    known = settings.known("context.fileName")
    given = known.value if isinstance(known.value, list) else [known.value]
    names = [name for name in given if isinstance(name, str) and name.strip()]
    if names and DEFAULT_NAME not in names:
        text = f"{DEFAULT_NAME} is read besides {', '.join(names[:_MOST])}: `context.fileName` only adds names"
        yield Diagnostic("info", "file-name-stays", text, known.source.path, known.source.line)


def _lost_tools(settings: Settings) -> Iterator[Diagnostic]:
    """A class name in `tools.core` lets its tool be registered, and the policy then denies it (9.2)."""
    items = settings.items("tools.core")
    by_name = {named_tool(item.value)[0] for item in items}
    for item in items[:_MOST]:
        name = item.value.partition("(")[0]
        if name in CLASSES and name not in SHELL_NAMES and CLASSES[name] not in by_name:
            text = (
                f"`tools.core` names the class {name}: the tool {CLASSES[name]} is registered, and then denied, since "
            )
            text += f"the policy goes by names. Write {CLASSES[name]} instead"
            yield _diagnostic("warning", "core-tool-lost", text, item)


def _unknown_tools(settings: Settings) -> Iterator[Diagnostic]:
    """Entries that name no tool."""
    for key in _LISTS:
        for item in settings.items(key)[:_MOST]:
            name = item.value.partition("(")[0]
            known = {*_NAMES, *OLD_NAMES, *CLASSES, *SHELL_NAMES}
            if name not in known and "*" not in name and not name.startswith(_OF_SERVERS):
                yield _diagnostic("info", "unknown-tool", f"`{key}`: no tool is called {name}", item)


def _skills_without_their_tool(m: Materials, facts: Facts) -> Iterator[Diagnostic]:
    """Skills are listed whether or not the model can bring one in (3.1)."""
    verdict = _verdict(m, facts, "activate_skill")
    if m.skills and not verdict.stays and m.gates.built_in.holds(facts) and m.gates.switches["skills"].holds(facts):
        why = f": {verdict.rule.words}" if verdict.rule else ""
        count = f"{len(m.skills)} skill{'s are' if len(m.skills) > 1 else ' is'} listed"
        yield _diagnostic("warning", "skills-without-tool", f"{count}, but activate_skill is not sent{why}")


def _silent_servers(m: Materials, facts: Facts) -> Iterator[Diagnostic]:
    """A server's instructions are sent, whatever becomes of its tools (9.4)."""
    for server in m.servers[:_MOST]:
        tools = [tool for tool in m.mcp_tools if tool.server == server.name]
        sent = [
            tool
            for tool in tools
            if tool.offered.holds(facts) and _verdict(m, facts, tool.name, read_only=tool.read_only).stays
        ]
        if tools and not sent and server.instructions:
            text = f"the instructions of {server.name} are sent, but none of its tools is"
            yield _diagnostic("warning", "instructions-without-tools", text)
        rules = [rule for rule in m.policy.rules if f"mcp_{server.name}_*" in rule.tools and rule.decision == "allow"]
        if rules and tools and not any(tool.name.startswith(f"mcp_{server.name}_") for tool in tools):
            text = (
                f"what allows {server.name} allows tools called mcp_{server.name}_…, and none of its tools is called so"
            )
            source = rules[0].source
            yield Diagnostic(
                "warning", "server-rule-misses", text, source.path if source else None, source.line if source else None
            )


def _mixed_model(m: Materials) -> Iterator[Diagnostic]:
    """The prompt goes by the configured model, the tools by the one on the wire (13)."""
    if m.model.variant == "legacy" and m.model.family == "gemini-3":
        text = f"{m.model.configured} has the prompt of the older models, and the tools of {m.model.name}"
        yield _diagnostic("info", "mixed-model", text)


def _verdict(m: Materials, facts: Facts, tool: str, *, read_only: bool = False) -> Verdict:
    interactive = not m.params.args.print
    return m.policy.verdict(tool, facts.mode or "default", interactive=interactive, read_only=read_only)
