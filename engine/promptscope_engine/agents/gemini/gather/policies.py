"""The rules that settings, arguments, extensions and policy files make (docs/agents/gemini.md#tools)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from promptscope_engine.agents.gemini import tool_policy as policy
from promptscope_engine.agents.gemini.materials import McpTool
from promptscope_engine.agents.gemini.texts import FOLDER
from promptscope_engine.agents.kit.disk.settings import at, mapping
from promptscope_engine.agents.kit.disk.settings_schema import Schema
from promptscope_engine.formats.document import Json
from promptscope_engine.formats.key_lines import key_line
from promptscope_engine.formats.toml import TomlError, read_toml
from promptscope_engine.prompt.conditions import ALWAYS, Condition
from promptscope_engine.prompt.model import SettingSource
from promptscope_engine.prompt.sourced import Sourced
from promptscope_engine.workspace import Workspace

from .session import Session
from .settings import GeminiSettings

_DECISIONS: Mapping[str, policy.Decision] = {"allow": "allow", "ask_user": "ask", "deny": "deny"}
_MODE_NAMES: Mapping[str, policy.Mode] = {"default": "default", "autoEdit": "auto_edit", "yolo": "yolo", "plan": "plan"}
"""What policy files call a mode: one of them otherwise than the command line does."""
_TIERS = ("default", "extension", "workspace", "user", "admin")
"""Who makes a rule, the weakest first: the whole part of its priority, from 1 on."""
_MAX_FILES = 200
_MAX_RULES = 2_000
_MAX_CHARS = 100_000
_KIND = "policy"
_SCHEMA = Schema(FOLDER.agent["shapes"]["policy"], notation="toml")


MCP_EXCLUDED, EXCLUDED, CONFIRMED, ALLOWED, CORE, NOT_CORE, TRUSTED_SERVER, ALLOWED_SERVER = (
    4.9, 4.4, 4.35, 4.3, 4.25, 4.24, 4.2, 4.1,
)  # fmt: skip
"""The priorities of rules that settings make."""


def setting_rules(session: Session, offered: Sequence[McpTool] = ()) -> Iterator[policy.Rule]:
    """What settings, arguments and extensions say of tools by name. `offered` are those of servers."""
    yield from _exclusions(session, offered)
    yield from _tools_by_name(session)
    yield from _servers_by_name(session)


def _exclusions(session: Session, offered: Sequence[McpTool]) -> Iterator[policy.Rule]:
    """A server's tool is excluded by its name on the wire or by its own, whichever server it is of.

    In what an extension excludes a star is but a sign [asked of 0.61.0].
    """
    settings = session.settings

    def named(entry: str) -> tuple[str, ...]:
        return (policy.excluded(entry), *(tool.name for tool in offered if tool.own_name == entry))

    for item in settings.items("mcp.excluded"):
        yield policy.server_rule(item.value, "deny", MCP_EXCLUDED, "`mcp.excluded` names its server", item.source)
    for item in settings.items("tools.exclude"):
        yield policy.Rule(named(item.value), "deny", EXCLUDED, "`tools.exclude` names it", source=item.source)
    for extension in session.active:
        source = SettingSource("excludeTools", extension.manifest, f"{extension.name}'s manifest")
        words = f"the extension {extension.name} excludes it"
        for entry in extension.excluded_tools:
            names = tuple(name for name in named(entry) if not policy.is_pattern(name))
            yield policy.Rule(names, "deny", EXCLUDED, words, source=source)


def _tools_by_name(session: Session) -> Iterator[policy.Rule]:
    settings = session.settings
    for item in settings.items("tools.confirmationRequired"):
        tool = policy.SHELL if item.value in policy.SHELL_NAMES else item.value
        words = "`tools.confirmationRequired` names it, and what asks is kept"
        yield policy.Rule((policy.current(tool),), "ask", CONFIRMED, words, source=item.source)
    for item, words in _given(session.params.args.allowedTools, "--allowed-tools", settings, "tools.allowed"):
        tool, narrowed = policy.named_tool(item.value)
        yield policy.Rule(
            (policy.current(tool),), "allow", ALLOWED, f"{words} names it", narrowed=narrowed, source=item.source
        )
    if settings.is_list("tools.core"):  # what it names is allowed, everything else denied, but not in plan mode
        for item in settings.items("tools.core"):
            tool, narrowed = policy.named_tool(item.value)
            words = f"`tools.core` names {item.value}"
            yield policy.Rule((tool,), "allow", CORE, words, policy.NOT_PLAN, narrowed=narrowed, source=item.source)
        whole = _plain(settings.known("tools.core").source)
        yield policy.Rule(("*",), "deny", NOT_CORE, "`tools.core` does not name it", policy.NOT_PLAN, source=whole)


def _servers_by_name(session: Session) -> Iterator[policy.Rule]:
    settings = session.settings
    for name, config in mapping(at(settings.plain, "mcpServers")).items():
        if isinstance(config, dict) and config.get("trust") is True:
            source = settings.member("mcpServers", name).source
            yield policy.server_rule(name, "allow", TRUSTED_SERVER, "its server is trusted", source)
    names, option = session.params.args.allowedMcpServerNames, "--allowed-mcp-server-names"
    for item, words in _given(names, option, settings, "mcp.allowed"):
        yield policy.server_rule(item.value, "allow", ALLOWED_SERVER, f"{words} names its server", item.source)
    automatic = settings.known("mcp.autoAllowInHeadless")
    if automatic.value is True:
        words, place = "`mcp.autoAllowInHeadless` is on", _plain(automatic.source)
        yield policy.Rule(("mcp_*",), "allow", ALLOWED_SERVER, words, policy.NOT_PLAN, False, source=place)


def _given(
    names: Sequence[str] | None, option: str, settings: GeminiSettings, key: str
) -> Iterator[tuple[Sourced[str], str]]:
    """What an argument names, or the setting that it replaces, and what that is called."""
    if names is not None:
        return ((Sourced(name, SettingSource(option)), option) for name in names)
    return ((item, f"`{key}`") for item in settings.items(key))


def _plain(source: SettingSource) -> SettingSource:
    """The place of a setting that no switch sets."""
    return SettingSource(source.key, source.path, source.shown, source.line)


# --- policy files -------------------------------------------------------------------------------------------------


def policy_files(session: Session, managed: str) -> tuple[policy.Rule, ...]:
    """The rules in policy files of the user (or `--policy`), the machine and extensions, but not the workspace."""
    told, places, workspace = session.part(), session.places, session.workspace
    user = [places.absolute(path) for path in session.params.args.policy] or [f"{places.own}/policies"]
    found: list[tuple[str, str, Condition]] = [(path, "user", ALWAYS) for path in user]
    found.append((f"{managed}/policies", "admin", ALWAYS))
    found += [(f"{extension.path}/policies", "extension", extension.when) for extension in session.extensions]
    rules: list[policy.Rule] = []
    for place, tier, gate in found:
        paths = _tomls(place, workspace) if told.may_read(place, "policy") else []
        if len(paths) > _MAX_FILES:
            told.warn("too-many-files", f"{_MAX_FILES} policy files are read; the others are left out", place)
        for path in paths[:_MAX_FILES]:
            file = workspace.read(path)
            values, problem = _rules_of(file.text) if file.found else ([], f"it cannot be read: {file.problem}")
            lines = _lines(file.text, len(values))
            # one wrong rule makes the client skip the whole file
            wrong = next(((n, why) for n, value in enumerate(values) for why in _SCHEMA.findings(value)), None)
            if wrong:
                why = f"`{wrong[1].key}` {wrong[1].reason}" if wrong[1].path else "there are no keys"
                values, problem = [], f"the whole file is left out: in rule {wrong[0] + 1} {why}"
            if problem:
                told.warn("bad-policy", problem, path, lines[wrong[0]] if wrong else 1)
            when = FOLDER.reason("rules", bool(values), path=path) & gate
            told.row(file, _KIND, "always", when)
            if when.holds(session.facts):
                rules += _made(values, tier, path, places.shown(path), lines)
    if len(rules) > _MAX_RULES:
        source = rules[_MAX_RULES].source
        text = f"{_MAX_RULES:,} rules of policy files count; the others are left out"
        told.warn("too-many-rules", text, source.path if source else None)
    return tuple(rules[:_MAX_RULES])


def _tomls(place: str, workspace: Workspace) -> list[str]:
    if workspace.kind(place) == "file":
        return [place] if place.endswith(".toml") else []
    entries = workspace.list(place).entries
    return [f"{place}/{e.name}" for e in entries if e.name.endswith(".toml") and e.kind in ("file", "link")]


def _rules_of(text: str) -> tuple[list[Json], str]:
    try:
        rules = read_toml(text, _MAX_CHARS).get("rule", [])
    except TomlError as error:
        return [], error.message
    return (rules, "") if isinstance(rules, list) else ([], "`rule` must be a list")


def _lines(text: str, count: int) -> list[int | None]:
    """The line of each rule; None where it is not sure."""
    written = text.removeprefix("\ufeff")
    return [key_line(written, ("rule", number), "toml") for number in range(count)]


def _made(
    values: Iterable[Json], tier: str, path: str, shown: str, lines: Sequence[int | None]
) -> Iterator[policy.Rule]:
    """The rules of a file in which nothing is wrong."""
    for number, value in enumerate(values):
        decision = _DECISIONS[value["decision"]]
        named = {_MODE_NAMES[mode] for mode in _texts(value.get("modes"))}
        modes = tuple(mode for mode in policy.MODES if mode in named) or policy.MODES
        if tier == "extension" and (decision == "allow" or "yolo" in named):
            continue  # an extension may not loosen anything
        hints = value.get("toolAnnotations")
        interactive = value.get("interactive")
        yield policy.Rule(
            tools=tuple(_tools(value)),
            decision=decision,
            priority=_TIERS.index(tier) + 1 + value["priority"] / 1000,
            words=f"a rule of {shown} speaks of it",
            modes=modes,
            interactive=interactive if isinstance(interactive, bool) else None,
            narrowed=any(value.get(key) is not None for key in ("argsPattern", "commandPrefix", "commandRegex")),
            read_only=isinstance(hints, dict) and hints.get("readOnlyHint") is True,
            source=SettingSource("rule", path, shown, lines[number]),
        )


def _tools(value: Mapping[str, Json]) -> Iterator[str]:
    """The names that a rule speaks of; without any it speaks of every tool, or of those of its server."""
    command = value.get("commandPrefix") is not None or value.get("commandRegex") is not None
    names = _texts(value.get("toolName")) or ((policy.SHELL,) if command else ("*",))
    server = value.get("mcpName")
    for name in names:
        yield f"mcp_{server}_{name}" if isinstance(server, str) and server else policy.current(name)


def _texts(value: Json) -> tuple[str, ...]:
    items = value if isinstance(value, list) else [value]
    return tuple(item for item in items if isinstance(item, str))
