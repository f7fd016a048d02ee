"""`promptscope files`: what the prompt was made from, and what loads later."""

from collections.abc import Sequence

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.checks.findings import Finding
from promptscope_engine.checks.live import LiveCheck
from promptscope_engine.formats.document import Json
from promptscope_engine.insight.lazy_rules import LazyRule, LazyRules, find_lazy_rules
from promptscope_engine.insight.repeats import Repeat
from promptscope_engine.prompt.model import Assembly, SourceFile, to_json
from promptscope_engine.tokens.cache import CountCache
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.paths import path_in
from promptscope_engine.workspace.repository import repository_root
from promptscope_tui.output import exits
from promptscope_tui.output.stdout import Format, Table, put_json, put_shown
from promptscope_tui.settings.knowledge import knowledge_for
from promptscope_tui.text import words
from promptscope_tui.text.findings import finding_lines
from promptscope_tui.text.reasons import plain_reason
from promptscope_tui.text.totals import files_sum
from promptscope_tui.text.words import short_path, short_text

from .options import Options, counter_of, with_options
from .table import command

COLUMNS = ("load", "file", "kind", "bytes", "injected", "tokens", "why")
NUMBERS = frozenset({"bytes", "injected", "tokens"})


@command("files")
@with_options
def files(options: Options, dead: bool) -> None:
    """List every file that was looked for, in load order, and those that load when the agent reads another one."""
    workspace, cache = Workspace(), CountCache()
    assembly = options.assembly(workspace=workspace, cache=cache)
    scenario = options.scenario()
    agent, inputs = resolve(scenario, workspace, knowledge_for(scenario))
    lazy = find_lazy_rules(agent, inputs, workspace)
    if dead:
        _unmatched(lazy, assembly, options)
        return
    counter = counter_of(assembly, cache)
    check = LiveCheck(counter)
    found = check.findings(scenario, assembly, lazy, workspace) or ()
    if options.form == "json":
        repeats = check.paid_twice(assembly, workspace).repeats
        root = repository_root(assembly.workspace, workspace.snapshot()) or assembly.workspace
        read = [_file_json(file, repeats, found, (root, assembly.home)) for file in assembly.files]
        put_json([*read, *to_json(assembly.programs)])
    else:
        _put(assembly, rows(assembly, lazy, workspace), [each for each in found if each.path], options.form)
    counter.flush()


def _put(assembly: Assembly, cells: Sequence[tuple[str, ...]], found: Sequence[Finding], form: Format) -> None:
    """The table; as text also what the files add up to, and what is found in them."""
    Table(COLUMNS, cells, NUMBERS).put(form)
    if form in ("text", "markdown"):
        put_shown("\n" + "".join(f"{line}\n" for line in files_sum(assembly).lines()))
        if found:
            put_shown("\n" + "".join(f"{line}\n" for line in ("found in files:", *finding_lines(found))))


def _file_json(file: SourceFile, repeats: Sequence[Repeat], found: Sequence[Finding], bases: tuple[str, str]) -> Json:
    """The file as in the assembly, its passages that are elsewhere, too, and what is found in it.

    `bases`: where paths of findings begin, the repository's root and the home folder.
    """
    paths, (root, home) = (file.path, file.real_path), bases
    here = tuple(e for e in repeats if any(copy.path in paths for copy in e.copies))
    own = [each for each in found if each.path and path_in(root, each.path.replace("~", home, 1)) in paths]
    return {**to_json(file), "paid_twice": to_json(here), "findings": to_json(tuple(own))}


def rows(
    assembly: Assembly, found: LazyRules | None = None, workspace: Workspace | None = None
) -> list[tuple[str, ...]]:
    """The cells of COLUMNS for each file, in load order, then for those that load later, which the workspace reads."""
    made, place = [_row(file, found, assembly) for file in assembly.files], (workspace or Workspace()).snapshot()
    return made + ([_later(rule, found, assembly, place) for rule in found.beside(assembly.files)] if found else [])


def _row(file: SourceFile, found: LazyRules | None, assembly: Assembly) -> tuple[str, ...]:
    rule = found.of(file.path) if found and not file.present else None
    why = short_text(found.why(rule), assembly) if found and rule else plain_reason(file, assembly)
    return (
        _loaded(rule) if rule else words.loaded(file),
        short_path(file.path, assembly),
        file.kind,
        f"{file.bytes:,}",
        f"{file.injected_chars:,}" + (" (cut)" if file.truncated else ""),
        words.number(file.tokens) if file.present else "",
        why + (f", imported by {short_path(file.imported_by, assembly)}" if file.imported_by else ""),
    )


def _later(rule: LazyRule, found: LazyRules, assembly: Assembly, place: Workspace) -> tuple[str, ...]:
    """A file that is not loaded yet."""
    name, size = short_path(rule.file.path, assembly), place.read(path_in(assembly.workspace, rule.file.path)).size
    return _loaded(rule), name, rule.file.kind, f"{size:,}", "", "", short_text(found.why(rule), assembly)


def _loaded(rule: LazyRule) -> str:
    if rule.unmatched:
        return "✗ never"
    return f"{words.LOADS['conditional']} later" if rule.file.patterns else f"{words.LOADS['on-demand']} later"


def _unmatched(found: LazyRules | None, assembly: Assembly, options: Options) -> None:
    if found is None:
        exits.say(f"promptscope: {load_agent(assembly.agent).name} has no files that load when another one is read")
    lazy = [(rule, found) for rule in found.rules if rule.unmatched] if found else []
    if options.form == "json":
        put_json([_unmatched_json(rule, rules) for rule, rules in lazy])
        return
    shown = [
        (short_path(rule.file.path, assembly), ", ".join(rule.file.patterns), short_text(rules.why(rule), assembly))
        for rule, rules in lazy
    ]
    Table(("file", "patterns", "why"), shown).put(options.form)


def _unmatched_json(rule: LazyRule, found: LazyRules) -> Json:
    return {
        "path": rule.file.path,
        "kind": rule.file.kind,
        "patterns": list(rule.file.patterns),
        "base": rule.file.base,
        "why": found.why(rule),
        "files": len(found.listing.files),
        "complete": found.listing.complete,
    }
