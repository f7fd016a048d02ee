"""`promptscope files`: what the prompt was made from, and what loads later."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import click

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.formats.document import Json
from promptscope_engine.insight.lazy_rules import Survey, Waiting, survey
from promptscope_engine.prompt.model import Assembly, SourceFile, to_json
from promptscope_engine.workspace import Workspace
from promptscope_tui.output import exits
from promptscope_tui.output.stdout import Table, put_json
from promptscope_tui.text import words
from promptscope_tui.text.paths import short_path

from .options import Options, with_options

_COLUMNS = ("load", "file", "kind", "bytes", "injected", "tokens", "why")


@click.command()
@click.option(
    "--reads",
    multiple=True,
    metavar="FILE",
    help="Simulate that the agent reads FILE: what loads? Repeatable, in the order of reading.",
)
@click.option("--dead", is_flag=True, help="Only the rules that match no file of the repository.")
@with_options
def files(options: Options, reads: tuple[str, ...], dead: bool) -> None:
    """List every file that was looked for, in load order, and those that load when the agent reads another one.

    ● always, ◐ conditional, ○ on demand, @ imported, ✗ not loaded. `bytes` is the file's size, `injected` the number
    of its characters that reach the prompt. Patterns are matched with the files of the repository.

    \b
    Examples:
      promptscope files
      promptscope files --reads src/app.ts --reads docs/style.md
      promptscope files --dead --format json
      promptscope files ~/code/shop --agent roo --mode code
      promptscope files --format plain | cut -f2
    """
    if reads:
        options = replace(options, settings=(*options.settings, f"reads={json.dumps(list(reads))}"))
    workspace = Workspace()
    assembly = options.assembly(workspace=workspace)
    if options.form == "json" and not dead:
        put_json(to_json(assembly.files))
        return
    agent, inputs = resolve(options.scenario(), workspace)
    found = survey(agent, inputs, workspace)
    if dead:
        _dead(found, assembly, options)
        return
    rows = [_row(file, found, assembly) for file in assembly.files]
    shown = {file.path for file in assembly.files}
    rows += [_waiting(w, found, assembly) for w in found.waiting if w.lazy.path not in shown] if found else []
    Table(_COLUMNS, rows, frozenset({"bytes", "injected", "tokens"})).put(options.form)


def _row(file: SourceFile, found: Survey | None, assembly: Assembly) -> tuple[str, ...]:
    waiting = found.of(file.path) if found and not file.present else None
    why = _why(waiting, found, assembly) if found and waiting else file.why.text
    return (
        _loaded(waiting) if waiting else words.loaded(file),
        short_path(file.path, assembly),
        file.kind,
        f"{file.bytes:,}",
        f"{file.injected_chars:,}" + (" (cut)" if file.truncated else ""),
        words.number(file.tokens) if file.present else "",
        why + (f", imported by {short_path(file.imported_by, assembly)}" if file.imported_by else ""),
    )


def _waiting(waiting: Waiting, found: Survey, assembly: Assembly) -> tuple[str, ...]:
    """A file that is not loaded yet."""
    name = short_path(waiting.lazy.path, assembly)
    return _loaded(waiting), name, waiting.lazy.kind, "", "", "", _why(waiting, found, assembly)


def _why(waiting: Waiting, found: Survey, assembly: Assembly) -> str:
    return found.why(waiting).replace(assembly.workspace.rstrip("/") + "/", "")


def _loaded(waiting: Waiting) -> str:
    if waiting.dead:
        return "✗ never"
    return f"{words.LOADS['conditional']} later" if waiting.lazy.patterns else f"{words.LOADS['on-demand']} later"


def _dead(found: Survey | None, assembly: Assembly, options: Options) -> None:
    if found is None:
        exits.say(f"promptscope: {load_agent(assembly.agent).name} has no files that load when another one is read")
    waiting = [w for w in found.waiting if w.dead] if found else []
    if options.form == "json":
        put_json(list(_dead_json(waiting, found)) if found else [])
        return
    rows = [
        (short_path(w.lazy.path, assembly), ", ".join(w.lazy.patterns), _why(w, found, assembly))
        for w in waiting
        if found
    ]
    Table(("file", "patterns", "why"), rows).put(options.form)


def _dead_json(waiting: list[Waiting], found: Survey) -> Iterator[Json]:
    for each in waiting:
        yield {
            "path": each.lazy.path,
            "kind": each.lazy.kind,
            "patterns": list(each.lazy.patterns),
            "base": each.lazy.base,
            "why": found.why(each),
            "files": len(found.listing.files),
            "complete": found.listing.complete,
        }
