"""Before an installed client is run: what is said, and that nobody else on the machine learns meanwhile."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from promptscope_engine.agents.adapter import Describes
from promptscope_tui.capturing.running import why_not
from promptscope_tui.settings import wordings
from promptscope_tui.settings.paths import locked
from promptscope_tui.text.words import many

from .clients import Client
from .learner import Plan


def why_not_offline(folder: Path) -> str:
    """Why no network of the loopback alone can be had here, or ""."""
    return why_not((str(folder),), offline=True)


def headline(agent: Describes, client: Client) -> str:
    """`Claude Code 2.1.333 (the model is 2.1.332): PATH`."""
    version = client.version or "of an unknown version"
    model = "" if client.version in agent.versions else f" (the model is {agent.versions[-1]})"
    return f"{agent.name} {version}{model}: {client.path}"


def words_of_options(plan: Plan) -> str:
    """What is tried after the runs: which ones, only the client's help text tells."""
    return f"up to {many(plan.options, 'option')} that its --help lists and the model doesn't know, each on its own"


def announcement(plan: Plan, reason: str, folder: str) -> Iterator[str]:
    """What will happen, line by line; `reason` is why it cannot be offline, or ""."""
    runs = f"{many(len(plan.chosen), 'run')}, about {plan.seconds:.0f} s one after another"
    yield f"  {runs}, for {many(len(plan.texts), 'text')}"
    if plan.names:
        yield "  the first one twice before, once with a mod that tells the client's own names of sections"
    if plan.options:
        yield f"  then {words_of_options(plan)}"
    yield "  in a home and folders made up for it: your settings, hooks, servers, keys and repository are not there"
    if reason:
        yield f"  without a network of its own ({reason}): all traffic but the model's is refused by proxy variables,"
        yield "  but a program that ignores those could still connect"
    else:
        yield "  on a network of the loopback alone, and nothing that it writes reaches the disk"
    yield "  it could still read what your account may read, and settings that an administrator made for everybody"
    yield f"  nothing is sent to a model; what is learned stays in {folder}"


@contextmanager
def alone() -> Iterator[bool]:
    """Whether nobody else on this machine learns meanwhile. Raises OSError."""
    folder = wordings.folder()
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    lock = folder / ".lock"
    lock.touch()
    with locked(lock, waits=False) as is_alone:
        yield is_alone
