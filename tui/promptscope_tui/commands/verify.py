"""`promptscope verify` and `calibrate`: what was really sent, compared with the prediction, or learned from."""

from collections.abc import Iterator

import click

from promptscope_engine.agents.registry import agent_ids
from promptscope_engine.assembly.knowledge import Knowledge
from promptscope_engine.captures.files import chosen, recording
from promptscope_engine.captures.model import Capture, Recorded
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.insight.calibration import calibrate as calibrated
from promptscope_engine.insight.fitting import Fit, best_fit
from promptscope_engine.insight.verification import Verification
from promptscope_engine.learned import LABEL, LearnedVersion
from promptscope_engine.learning.mod_effects import last_run
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.tokens.counter import counter_for
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.paths import absolute
from promptscope_tui.capturing import store
from promptscope_tui.learning.mod_runs import modded
from promptscope_tui.output import exits
from promptscope_tui.output.stdout import Table, put_json, put_shown
from promptscope_tui.session.recordings import keep, learned_summary
from promptscope_tui.settings import wordings
from promptscope_tui.text.words import deeds, program_place
from promptscope_tui.views.compare.sent_rows import moved, summary, whose

from .learned import delete, put_list
from .options import Options, with_capture_options
from .table import command


@command("verify")
@with_capture_options
def verify(options: Options, capture: str | None, number: int, *, strict: bool) -> None:
    """Hold what an agent really sent against the prediction for it, section by section and tool by tool."""
    _, fit = compared(options, capture or newest(), number)
    result = fit.result
    if options.form == "json":
        put_json(result.to_dict())
    else:
        put(result)
        put_shown("".join(_by_mods(fit.assembly) if result.differs else ()))
    if strict and result.differs:
        raise click.exceptions.Exit(exits.CHECK_FAILED)


def compared(options: Options, path: str, number: int) -> tuple[Scenario, Fit]:
    """A recorded request beside its prediction, with what was learned on this machine, and what the person gave."""
    found, request = recorded(path, number, Workspace())
    base = options.of_run(found.header.cwd)
    counter, learned = counter_for(base.model), wordings.load()
    base = base.model_copy(update={"learned": learned is not None})
    fit = best_fit(found, request, base, counter, Workspace(), knowledge=Knowledge(learned))
    counter.flush()
    return base, fit


def recorded(path: str, number: int, workspace: Workspace) -> tuple[Capture, Recorded]:
    """A capture and one of its requests; what is wrong with the file goes to stderr."""
    found = recording(absolute(path), workspace)
    for problem in found.problems:
        exits.say(f"{path}: {problem}")
    return found, chosen(found, number)


def newest() -> str:
    """The newest capture of this machine. Raises ScenarioError if there is none."""
    found = store.stored()
    if not found:
        raise ScenarioError("no captures yet; `promptscope capture -- claude -p hi` makes one", where="capture")
    return str(found[0].path)


def put(result: Verification) -> None:
    """Print the comparison for people."""
    put_shown(f"{summary(result)}\n{whose(result)}\n")
    for note in result.notes:
        put_shown(f"{note}\n")
    differing = [part for part in result.parts if part.verdict != "equal" or part.moved is not None]
    if differing:
        put_shown("\n")
        rows = [
            (p.id, ", ".join(filter(None, (p.verdict, moved(p)))), f"{p.predicted:,}", f"{p.sent:,}", p.title)
            for p in differing
        ]
        Table(("part", "verdict", "predicted", "sent", "title"), rows, frozenset({"predicted", "sent"})).put("text")
    lost = [file.path for file in result.files if not file.found]
    if lost:
        put_shown("\nfiles whose text was not sent as predicted:\n" + "".join(f"  {path}\n" for path in lost))
    if result.named:
        put_shown("\nnames that differ:\n")
        Table(("part", "name", "what"), [(each.part, each.name, each.says) for each in result.named]).put("text")
    if result.unexplained:
        put_shown("\nnot explained:\n")
        places = [
            (f"{each.channel}[{each.index}]", f"{each.offset:,}", f"{each.length:,}", each.text)
            for each in result.unexplained
        ]
        Table(("where", "at", "characters", "first words"), places, frozenset({"at", "characters"})).put("text")


def _by_mods(assembly: Assembly) -> Iterator[str]:
    """The mods that load, which may be why something differs, and what each did when it was run."""
    found = [each for each in assembly.programs if each.present and each.covers]
    if found:
        yield "\nmods that may have changed it:\n"
    for mod in found:
        yield f"  {mod.name} ({program_place(mod, assembly)}): {', '.join(mod.events)}\n"
        yield from (f"    {each}\n" for each in deeds(mod, assembly))
    if found and last_run(assembly.programs) is None and assembly.agent in modded():
        yield "  `promptscope learn --mods` runs them isolated, and tells what each does\n"


@command("calibrate")
@with_capture_options
def calibrate(options: Options, capture: str | None, number: int, *, lists: bool, forget: bool) -> None:
    """Learn the real wording of an agent's fixed prose from what it sent."""
    if lists and forget:
        raise click.UsageError("--list and --forget exclude each other")
    if (lists or forget) and capture is not None:
        raise click.UsageError(f"--{'list' if lists else 'forget'} takes no CAPTURE")
    if lists:
        put_list(options.given["agent"], options.form)
    elif forget:
        _forget(options.given["agent"], options.given["agent_version"])
    else:
        _learn(options, capture, number)


def _learn(options: Options, capture: str | None, number: int) -> None:
    path, workspace = capture or newest(), Workspace()
    found, request = recorded(path, number, workspace)
    base = options.of_run(found.header.cwd)
    counter = counter_for(base.model)
    result = calibrated(found, request, base, counter, workspace)
    counter.flush()
    kept = keep(result)
    if options.form == "json":
        put_json(
            {
                "agent": result.agent,
                "version": result.agent_version,
                "learned": result.learned,
                "of": len(result.parts),
                "wordings": _count(kept),
                "parts": [{"id": each.id, "flaw": each.flaw or None} for each in result.parts],
            }
        )
        return
    put_shown(f"{learned_summary(result)}\n")
    flaws = [(part.id, part.flaw) for part in result.parts if part.flaw]
    if flaws:
        put_shown("\n")
        Table(("not learned", "why"), flaws, frozenset()).put("text")


def _count(version: LearnedVersion) -> int:
    return sum(wording.ids != LABEL for wording in version.wordings)


def _forget(agent: str | None, version: str | None) -> None:
    if agent is None:
        raise click.UsageError(f"--forget takes --agent, one of {', '.join(agent_ids())}")
    delete(agent, version)
