"""`promptscope calibrate`: learn an agent's real wording from what it sent, list it, forget it."""

import click

from promptscope_engine.agents.registry import agent_ids
from promptscope_engine.insight.calibration import Calibration
from promptscope_engine.insight.calibration import calibrate as calibrated
from promptscope_engine.learned.model import LABEL, LearnedError, LearnedVersion
from promptscope_engine.tokens.counter import counter_for
from promptscope_engine.workspace import Workspace
from promptscope_tui.output import exits
from promptscope_tui.output.stdout import Table, put_json, put_shown
from promptscope_tui.session.recordings import summary
from promptscope_tui.settings import wordings

from .learned import delete, put_list
from .options import Options, with_capture_options
from .table import command
from .verify import newest, recorded


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
    put_shown(f"{summary(result)}\n")
    flaws = [(part.id, part.flaw) for part in result.parts if part.flaw]
    if flaws:
        put_shown("\n")
        Table(("not learned", "why"), flaws, frozenset()).put("text")


def keep(result: Calibration) -> LearnedVersion:
    """Keep what was learned; what cannot be written is told, and ends the command."""
    try:
        return wordings.keep(result.taught)
    except LearnedError as error:
        exits.say(f"promptscope: {error}: `promptscope calibrate --forget` makes room")
    except OSError as error:
        exits.say(f"promptscope: cannot write {wordings.folder()}: {error.strerror or error}")
    raise click.exceptions.Exit(exits.CANNOT_ASSEMBLE)


def _count(version: LearnedVersion) -> int:
    return sum(wording.ids != LABEL for wording in version.wordings)


def _forget(agent: str | None, version: str | None) -> None:
    if agent is None:
        raise click.UsageError(f"--forget takes --agent, one of {', '.join(agent_ids())}")
    delete(agent, version)
