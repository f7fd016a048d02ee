"""What a learner hands to its worker, and gets back. The worker alone imports the network."""

from msgspec import Struct

from promptscope_engine.learning.script import Answer


class Job(Struct, frozen=True):
    """One run. `dialogs` is None for a run without a terminal; `log` takes all that such a one prints.

    `most_said`: the characters at its end that are handed back.
    """

    number: int
    agent: str
    command: tuple[str, ...]
    env: dict[str, str]
    cwd: str
    log: str
    timeout: float
    dialogs: tuple[Answer, ...] | None = None
    most_said: int = 2_000


class Result(Struct, frozen=True):
    """What came of it: a capture's lines, how it ended, and what the client said last."""

    number: int
    ended: str
    capture: str = ""
    said: str = ""
