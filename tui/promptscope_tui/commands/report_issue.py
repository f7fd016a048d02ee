"""`promptscope report-issue`: what a report of a wrong prediction needs, to be read before it is pasted anywhere."""

import platform
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import PurePath

from promptscope_engine import __version__
from promptscope_engine.agents.adapter import inputs_of
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.insight.agents_table import FILES
from promptscope_engine.insight.verification import Verification
from promptscope_engine.prompt.model import Assembly
from promptscope_tui.output import exits
from promptscope_tui.output.stdout import Table, put_shown
from promptscope_tui.session.installed import installed_client
from promptscope_tui.text.words import short_path

from .options import Options, with_capture_options
from .table import command
from .verify import compared

_KNOWN = frozenset(
    {*(PurePath(each).name for each in FILES), "SKILL.md", "settings.json", "config.toml", "opencode.json"}
)
"""Names of files that say nothing about whose they are."""

_SERVER = "mcp__"
"""What the name of a server's tool begins with."""


@command("report-issue")
@with_capture_options
def report_issue(options: Options, capture: str | None, number: int) -> None:
    """Print the scenario, the versions and what differs, without the words of any file."""
    page = _of_capture(options, capture, number) if capture else _of_prompt(options)
    put_shown("".join(page))
    exits.say("promptscope: nothing was sent. Read it, and take out what nobody should see, before you paste it")


def _of_capture(options: Options, capture: str, number: int) -> Iterator[str]:
    """A recorded request beside its prediction. Raises ScenarioError for what is no capture."""
    base, fit = compared(options, capture, number)
    result = fit.result
    yield from _head(base, result.agent, result.predicted_version, {"captured version": result.version or "unknown"})
    yield from _difference(result)


def _of_prompt(options: Options) -> Iterator[str]:
    """A prediction alone."""
    assembly = options.assembly()
    yield from _head(options.scenario(), assembly.agent, assembly.shown_version, {"mode": assembly.mode or ""})
    yield from _prompt(assembly)


def _head(scenario: Scenario, agent: str, version: str, more: Mapping[str, str]) -> Iterator[str]:
    client = installed_client(load_agent(agent))
    said = {
        "promptscope": __version__,
        "Python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "agent": f"{agent} {version}",
        "installed": (client.version or "?") if client else "not found",
        "model": scenario.model or "not set",
        "learned": "yes" if scenario.learned else "no",
        **more,
    }
    yield "## What is wrong\n\n(what you expected, and what was there)\n\n## Versions\n\n"
    yield Table(("what", "value"), list(said.items())).markdown()
    fields = {field.name: field for field in inputs_of(load_agent(agent))}
    choices = {name: [choice for _, choice in field.choices] for name, field in fields.items()}
    given = [(name, _value(value, choices.get(name, ()))) for name, value in _given(scenario.params, fields)]
    given += [(f"env.{name}", "set") for name in sorted(scenario.env or ()) if f"env.{name}" in fields]
    if given:
        yield "\n## Inputs that are set\n\n"
        yield Table(("input", "value"), given).markdown()


def _given(params: Mapping[str, Json], fields: Collection[str], prefix: str = "") -> Iterator[tuple[str, Json]]:
    """The inputs that are set; what a person has named within one (servers, agents) stays out."""
    for key, value in params.items():
        name = f"{prefix}{key}"
        if isinstance(value, Mapping) and any(each.startswith(f"{name}.") for each in fields):
            yield from _given(value, fields, f"{name}.")
        else:
            yield (name if name in fields else f"{prefix}…"), value


def _value(value: Json, choices: Sequence[object]) -> str:
    """A switch, a number or one of an input's choices as it is; of anything else only its size."""
    if isinstance(value, str) and value not in choices:
        return f"a text of {len(value):,} characters"
    if isinstance(value, Mapping):
        return f"a table of {len(value):,}"
    return f"a list of {len(value):,}" if isinstance(value, list) else str(value)


def _prompt(assembly: Assembly) -> Iterator[str]:
    yield "\n## The prompt\n\n"
    rows = [(_part(s.id), "present" if s.present else "absent", str(s.expected_tokens)) for s in assembly.sections]
    yield Table(("section", "state", "tokens"), rows, frozenset({"tokens"})).markdown()
    yield "\n"
    files = [
        (_path(short_path(f.path, assembly)), f.kind, "present" if f.present else "absent", str(f.bytes))
        for f in assembly.files
        if f.present or f.bytes
    ]
    yield Table(("file", "kind", "state", "bytes"), files, frozenset({"bytes"})).markdown()
    if counts := Counter(f"{each.severity} {each.code}" for each in assembly.diagnostics):
        yield "\n"
        yield Table(("diagnostic", "times"), [(name, str(times)) for name, times in counts.items()]).markdown()


def _difference(result: Verification) -> Iterator[str]:
    yield f"\n## The difference\n\n{result.explained:.1%} of {result.characters:,} characters explained, "
    yield f"{result.equal:.1%} word for word.\n\n"
    parts = [(_part(p.id), p.verdict, str(p.predicted), str(p.sent)) for p in result.parts if p.verdict != "equal"]
    yield Table(("part", "verdict", "predicted", "sent"), parts, frozenset({"predicted", "sent"})).markdown()
    tools = [(_tool(name), "not sent") for name in result.tools.missing]
    tools += [(_tool(name), "not predicted") for name in result.tools.unpredicted]
    places = [
        (f"{each.channel} {each.index}", f"{each.length:,} characters not explained") for each in result.unexplained
    ]
    files = [(_path(file.path), "its text was not sent as predicted") for file in result.files if not file.found]
    if rows := [*tools, *places, *files]:
        yield "\n"
        yield Table(("what", "how it differs"), rows).markdown()


def _part(id: str) -> str:
    """The id of a part; of one that is of a file, without what the file is called."""
    kind, colon, path = id.partition(":")
    return f"{kind}:{_path(path)}" if colon else _tool(id)


def _tool(name: str) -> str:
    """The name of a tool; of a server's, that it is one."""
    before, server, _ = name.partition(_SERVER)
    return f"{before}{server}…" if server else name


def _path(path: str) -> str:
    """`~/.claude/….md`: folders that begin with a dot, and the names that agents look for."""
    place = PurePath(path)
    folders = [each if each.startswith((".", "~")) else "…" for each in place.parts[:-1] if each != place.anchor]
    folders = [each for n, each in enumerate(folders) if n == 0 or each != "…" or folders[n - 1] != "…"]
    name = place.name if place.name in _KNOWN or place.name.startswith(".") else f"…{place.suffix}"
    return "/".join([*folders, name])
