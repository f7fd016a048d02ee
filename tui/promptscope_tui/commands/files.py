"""`promptscope files`: what the prompt was made from, and what waits for a read."""

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

from .options import Asked, asking

_COLUMNS = ("load", "file", "kind", "bytes", "injected", "tokens", "why")


@click.command()
@click.option(
    "--reads",
    multiple=True,
    metavar="FILE",
    help="Imagine that the agent reads FILE: what wakes? Repeatable, in the order of reading.",
)
@click.option("--dead", is_flag=True, help="Only the rules that no file of the repository can wake.")
@asking
def files(asked: Asked, reads: tuple[str, ...], dead: bool) -> None:
    """List every file that was consulted, in load order, and those that wait until the agent reads another one.

    ● always, ◐ conditional, ○ on demand, @ imported, ✗ not loaded. `bytes` is the file's size, `injected` how many
    characters of it reach the prompt. What waits is held against the files of the repository.

    \b
    Examples:
      promptscope files
      promptscope files --reads src/app.ts --reads docs/style.md
      promptscope files --dead --format json
      promptscope files ~/code/shop --agent roo --mode code
      promptscope files --format plain | cut -f2
    """
    if reads:
        asked = replace(asked, settings=(*asked.settings, f"reads={json.dumps(list(reads))}"))
    door = Workspace()
    assembly = asked.assembly(workspace=door)
    if asked.form == "json" and not dead:
        put_json(to_json(assembly.files))
        return
    agent, inputs = resolve(asked.scenario(), door)
    found = survey(agent, inputs, door)
    if dead:
        _dead(found, assembly, asked)
        return
    rows = [_row(file, found, assembly) for file in assembly.files]
    shown = {file.path for file in assembly.files}
    rows += [_waiting(w, found, assembly) for w in found.waiting if w.lazy.path not in shown] if found else []
    Table(_COLUMNS, rows, frozenset({"bytes", "injected", "tokens"})).put(asked.form)


def _row(file: SourceFile, found: Survey | None, assembly: Assembly) -> tuple[str, ...]:
    waiting = found.of(file.path) if found and not file.present else None
    why = _why(waiting, found, assembly) if found and waiting else file.why.text
    return (
        _loaded(waiting) if waiting else words.loaded(file),
        words.near(file.path, assembly),
        file.kind,
        f"{file.bytes:,}",
        f"{file.injected_chars:,}" + (" (cut)" if file.truncated else ""),
        words.number(file.tokens) if file.present else "",
        why + (f", imported by {words.near(file.imported_by, assembly)}" if file.imported_by else ""),
    )


def _waiting(waiting: Waiting, found: Survey, assembly: Assembly) -> tuple[str, ...]:
    """A file that nothing has asked for yet."""
    name = words.near(waiting.lazy.path, assembly)
    return _loaded(waiting), name, waiting.lazy.kind, "", "", "", _why(waiting, found, assembly)


def _why(waiting: Waiting, found: Survey, assembly: Assembly) -> str:
    return found.why(waiting).replace(assembly.workspace.rstrip("/") + "/", "")


def _loaded(waiting: Waiting) -> str:
    if waiting.dead:
        return "✗ never"
    return f"{words.LOADS['conditional']} waits" if waiting.lazy.patterns else f"{words.LOADS['on-demand']} waits"


def _dead(found: Survey | None, assembly: Assembly, asked: Asked) -> None:
    if found is None:
        exits.say(f"promptscope: {load_agent(assembly.agent).name} loads no file only when another one is read")
    waiting = [w for w in found.waiting if w.dead] if found else []
    if asked.form == "json":
        put_json(list(_dead_json(waiting, found)) if found else [])
        return
    rows = [
        (words.near(w.lazy.path, assembly), ", ".join(w.lazy.patterns), _why(w, found, assembly))
        for w in waiting
        if found
    ]
    Table(("file", "patterns", "why"), rows).put(asked.form)


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
