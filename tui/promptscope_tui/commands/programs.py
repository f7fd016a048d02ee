"""`promptscope hooks`, `promptscope mods`: the programs that the agent runs and that may write to the prompt."""

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.prompt.model import Assembly, Program, to_json
from promptscope_tui.output import exits
from promptscope_tui.output.stdout import Table, put_json
from promptscope_tui.text.words import short_path, short_text

from .options import Options, with_options
from .table import command

HOOKS = ("runs", "event", "matcher", "command", "where", "of", "adds", "why")
MODS = ("loads", "order", "mod", "events", "where", "of", "why")


@command("hooks")
@with_options
def hooks(options: Options) -> None:
    """List every hook, whether it runs, and what of its output reaches the prompt."""
    assembly = options.assembly()
    found = [each for each in assembly.programs if each.kind == "hook"]
    if options.form == "json":
        put_json(to_json(found))
        return
    if not found:
        exits.say(f"promptscope: no hooks of {load_agent(assembly.agent).name} are configured here, or none are known")
    rows = [
        (_sign(each), each.event, each.matcher, each.name, _place(each, assembly), each.source, each.adds)
        for each in found
    ]
    Table(HOOKS, [(*row, _why(each, assembly)) for row, each in zip(rows, found, strict=True)]).put(options.form)


@command("mods")
@with_options
def mods(options: Options) -> None:
    """List every mod, outermost first, with the events that it hooks, and whether it loads."""
    assembly = options.assembly()
    found = [each for each in assembly.programs if each.kind == "mod"]
    if options.form == "json":
        put_json(to_json(found))
        return
    if not found:
        exits.say(f"promptscope: {load_agent(assembly.agent).name} has no mods here")
    rows = [
        (_sign(each), f"{each.order or ''}", each.name, ", ".join(each.events), _place(each, assembly), each.source)
        for each in found
    ]
    Table(MODS, [(*row, _why(each, assembly)) for row, each in zip(rows, found, strict=True)]).put(options.form)


def _sign(program: Program) -> str:
    return "●" if program.present else "✗"


def _place(program: Program, assembly: Assembly) -> str:
    line = f":{program.line}" if program.line else ""
    return f"{short_path(program.path, assembly)}{line}" if program.path else program.source


def _why(program: Program, assembly: Assembly) -> str:
    return "" if program.present else short_text(program.why.text, assembly)
