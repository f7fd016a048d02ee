"""`promptscope hooks`, `promptscope mods`: the programs that the agent runs and that may write to the prompt."""

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.learning.mod_effects import Effect, ModRun, last_run
from promptscope_engine.prompt.model import Assembly, Program, ProgramKind, to_json
from promptscope_tui.output import exits
from promptscope_tui.output.stdout import Table, put_json
from promptscope_tui.text.words import deeds, program_place, short_text

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
