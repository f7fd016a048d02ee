"""What mods did when they were run, and what the observing mod noted, as commands print it."""

from collections.abc import Mapping

from promptscope_engine.learning.mod_difference import AS_RUN, BEFORE
from promptscope_engine.learning.mod_effects import ModRun, observed
from promptscope_engine.prompt.model import Assembly
from promptscope_tui.learning.mod_runs import ModPlan
from promptscope_tui.output import exits
from promptscope_tui.output.stdout import Table
from promptscope_tui.text.words import change_of, deed, many, short_path


def say_ended(plan: ModPlan, number: int, how: str) -> None:
    """A run has ended."""
    exits.say(f"  run {number + 1} of {plan.runs}: ended {how}")


def put_run(run: ModRun, assembly: Assembly) -> None:
    """What each mod did, as a table."""
    rows = [(each.mod, each.did, each.kind, short_path(each.name, assembly), change_of(each)) for each in run.effects]
    Table(("mod", "did", "kind", "what", "characters"), rows).put("text")
    _say_rest(run)


def say_run(run: ModRun, assembly: Assembly) -> None:
    """What each mod did, beside a command's own output."""
    for each in run.effects:
        exits.say(f"  the mod {each.mod} {deed(each, assembly)}")
    _say_rest(run)


def _say_rest(run: ModRun) -> None:
    if run.held:
        exits.say(f"  what {', '.join(run.held)} did isn't known: they were in every run")
    if run.effects:
        exits.say(f"  `promptscope diff {BEFORE} {AS_RUN}` shows the texts of both, with their tokens")


def sections_of(run: Mapping[str, int]) -> str:
    """The sections that were asked for, by the client's own names; the empty ones are named."""
    empty = [name for name, size in run.items() if not size]
    sent = len(run) - len(empty)
    return f"{many(len(run), 'section')} were asked for, {sent} of them with text; empty: {', '.join(empty) or 'none'}"


def say_noted(text: str, assembly: Assembly) -> None:
    """What the client asked for in a captured run, by its own names, and which mods its trace names."""
    if not text:
        exits.say("  the client did not load the observing mod: it names nothing of this run")
        return
    try:
        noted = observed(text)
    except ValueError as error:
        exits.say(f"  {error}")
        return
    exits.say(f"  {sections_of(noted.sections)}")
    blocks = [part.name for part in noted.parts if part.kind == "block"]
    files = [f"{short_path(path, assembly)} ({kind})" for path, kind in noted.files.items()]
    kinds = [part.kind for part in noted.parts]
    for what, names in (("blocks", blocks), ("instruction files", files)):
        exits.say(f"  {what}: {', '.join(names) or 'none'}")
    exits.say(
        f"  tools: {kinds.count('tool')}, and {kinds.count('deferred tool')} deferred; agents: {kinds.count('agent')}"
    )
    for mod, event in noted.traced:
        exits.say(f"  the mod {mod} changed {event}")
