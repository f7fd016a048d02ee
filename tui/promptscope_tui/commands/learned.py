"""What `learn` and `calibrate` keep on this machine, listed and deleted."""

from msgspec import to_builtins
from msgspec.structs import asdict

from promptscope_engine.formats.document import Json
from promptscope_engine.learned import LABEL, Learned, LearnedVersion
from promptscope_tui.output import exits
from promptscope_tui.output.stdout import Table, put_json
from promptscope_tui.session import recordings
from promptscope_tui.settings import wordings


def put_list(agent: str | None, form: str) -> None:
    """What was learned, of one agent or of all, as a table or JSON; what can't be used is said."""
    learned = wordings.load() or Learned()
    heads = [each for each in learned.versions if agent in (None, each.agent)]
    found = [learned.version(each.agent, each.agent_version) or each for each in heads]
    for flaw in (flaw for each in found for flaw in each.flaws):
        exits.say(f"{flaw.path}:{flaw.line}: {flaw.message}")
    rows = [_row(each) for each in found]
    if form == "json":
        put_json(list(rows))
        return
    numbers = ("parts", "texts", "runs", "bytes")
    shown = [
        (each.agent, each.agent_version, *(f"{row[name]:,}" for name in numbers), each.learned[:16].replace("T", " "))
        for each, row in zip(found, rows, strict=True)
    ]
    Table(("agent", "version", *numbers, "learned"), shown, frozenset(numbers)).put("text")
    if not found:
        words = "`promptscope learn` asks the clients that are installed here, `calibrate` learns from a capture"
        exits.say(f"promptscope: nothing was learned yet; {words}")


def _row(version: LearnedVersion) -> dict[str, Json]:
    return {
        "agent": version.agent,
        "version": version.agent_version,
        "parts": len({wording.part for wording in version.wordings}),
        "texts": len({wording.key for wording in version.wordings if not wording.is_of_lines}),
        "wordings": sum(wording.ids != LABEL for wording in version.wordings),
        "runs": len(version.runs),
        "bytes": wordings.size(version),
        "options": options_of(version),
        "learned": version.learned,
    }


def options_of(version: LearnedVersion) -> list[Json]:
    """The options that were tried, each with what it changes."""
    return [to_builtins(asdict(each)) for each in version.options]


def delete(agent: str | None, version: str | None = None, *, old_ones: bool = False) -> None:
    """Delete what was learned: of all or an agent, of one version, or all but the version that was learned last."""
    learned = wordings.load() or Learned()
    gone = [
        each
        for each in learned.versions
        if agent in (None, each.agent)
        and version in (None, each.agent_version)
        and not (old_ones and learned.latest(each.agent) == each.agent_version)
    ]
    freed = sum(map(wordings.size, gone))
    names = recordings.delete(gone)
    exits.say(f"forgotten: {names} ({freed:,} bytes)" if gone else "forgotten: nothing was learned")
