"""`promptscope hooks`, `promptscope mods`: the programs that the agent runs and that may write to the prompt."""

from collections.abc import Mapping

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.learning.mod_difference import AS_RUN, BEFORE
from promptscope_engine.learning.mod_effects import Effect, ModRun, last_run, observed
from promptscope_engine.prompt.model import Assembly, Program, ProgramKind, to_json
from promptscope_tui.learning.mod_runs import ModPlan
from promptscope_tui.output import exits
from promptscope_tui.output.stdout import Table, put_json
from promptscope_tui.text.words import change_of, deed, deeds, many, program_place, short_path, short_text

from .options import Options, with_options
from .table import command

HOOKS = ("runs", "event", "matcher", "command", "where", "of", "adds", "why")
MODS = ("loads", "order", "mod", "events", "where", "of", "why", "as run")


@command("hooks")
@with_options
def hooks(options: Options) -> None:
    """List every hook, whether it runs, and what of its output reaches the prompt."""
    assembly, found = _of_kind("hook", options)
    rows = [
        (_sign(e), e.event, e.matcher, e.name, program_place(e, assembly), e.source, e.adds, _why(e, assembly))
        for e in found
    ]
    none = f"no hooks of {load_agent(assembly.agent).name} are configured here, or none are known"
    _put(found, options, Table(HOOKS, rows), none)


@command("mods")
@with_options
def mods(options: Options) -> None:
    """List every mod, outermost first, with the events that it hooks, and whether it loads."""
    assembly, found = _of_kind("mod", options)
    rows = [
        (
            _sign(e),
            f"{e.order or ''}",
            e.name,
            ", ".join(e.events),
            program_place(e, assembly),
            e.source,
            _why(e, assembly),
            _one_line(deeds(e, assembly)),
        )
        for e in found
    ]
    _put(found, options, Table(MODS, rows), f"{load_agent(assembly.agent).name} has no mods here")


def _of_kind(kind: ProgramKind, options: Options) -> tuple[Assembly, list[Program]]:
    assembly = options.assembly()
    return assembly, [each for each in assembly.programs if each.kind == kind]


def _put(found: list[Program], options: Options, table: Table, none: str) -> None:
    """The programs as JSON or as a table; `none` is said where there are none."""
    if options.form == "json":
        run = last_run(found)
        put_json([{**to_json(each), "did": to_json(_did(each, run))} for each in found])
        return
    if not found:
        exits.say(f"promptscope: {none}")
    table.put(options.form)


def _did(program: Program, run: ModRun | None) -> list[Effect] | None:
    """What a mod did when it was run; None if that is not known."""
    return None if run is None else [each.plain for each in run.effects if each.mod == program.id]


def _sign(program: Program) -> str:
    return "●" if program.present else "✗"


def _why(program: Program, assembly: Assembly) -> str:
    return "" if program.present else short_text(program.why.text, assembly)


def _one_line(deeds: list[str]) -> str:
    """The date, and what was done."""
    return " ".join((*deeds[:1], ", ".join(deeds[1:])))


# --- mods that were run -----------------------------------------------------------------------------------------------


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
