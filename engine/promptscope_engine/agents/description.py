"""What an agent declares: data that no step computes, the tables of an agent.toml under their own names."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, TypeVar

from msgspec import Struct

from promptscope_engine.agents.features import FirstMessage
from promptscope_engine.agents.kit.text.sources import Table
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.params import ParamField


class State(Struct, frozen=True):
    """What became of an agent. Limited: not everybody can use it any more. Days are in ISO 8601.

    `now` has been so `since` a day, and was checked on the day `looked_up`.
    """

    now: Literal["active", "limited", "archived"]
    looked_up: str
    since: str = ""
    remark: str = ""

    @property
    def news(self) -> str:
        """`archived since 2026-05-15: its successor is Zoo Code`; "" of an agent that is as it always was."""
        return f"{self.now} since {self.since}: {self.remark}" if self.since else ""

    @property
    def sentence(self) -> str:
        """The same of any agent, with the day on which it was looked up."""
        return f"{self.news or self.now} (looked up {self.looked_up})"


class Quirk(Struct, frozen=True):
    """A slip or an oddity of the agent itself, which is reproduced as it is: what nobody can have meant.

    `at` is where it shows: ids of sections and texts, `tool:NAME`, `file:KIND` and names of inputs, and all that is
    below one of them. `fact` is the heading and the number of the fact in docs/agents/ID.md.
    """

    says: str
    fact: str
    at: tuple[str, ...] = ()
    since: str = ""
    until: str = ""

    def covers(self, name: str) -> bool:
        """Whether it shows in what has this name."""
        return any(name == each or name.startswith((f"{each}.", f"{each}:")) for each in self.at)


class Overfull(Struct, frozen=True):
    """What the agent does where its first request does not fit the window, and how that is known.

    `past`: what the request is over, the window, what the reserve leaves of it, or the point where it compacts;
    `below`: in its place, a window of fewer tokens. `reserves`: only where a reserve is kept, or is not.
    """

    says: str
    known: str
    past: Literal["window", "room", "compaction"] = "window"
    below: int = 0
    reserves: bool | None = None
    since: str = ""
    until: str = ""


R = TypeVar("R", Quirk, Overfull)


def of_version(rows: Iterable[R], version: str, versions: Sequence[str]) -> Iterator[R]:
    """The rows that a version has, of `versions` in their order: from `since` on, up to `until`."""
    for row in rows:
        first, last = row.since or versions[0], row.until or versions[-1]
        if versions.index(first) <= versions.index(version) <= versions.index(last):
            yield row


class Description(Struct, frozen=True, kw_only=True):
    """What an agent declares beside its names, versions and params."""

    own_files: tuple[str, ...] = ()
    """Names in the workspace that only this agent reads: more of them win when no agent is named."""
    variables: tuple[ParamField, ...] = ()
    """The environment variables that it reads by name (params.variable), for a person to set."""
    front_matter: Mapping[str, Table] = {}
    """The keys that files of each kind may have (see kit/disk/front_matter.py)."""
    in_slashes: tuple[str, ...] = ()
    """The ids of the sections in which it writes slashes in paths on Windows, too."""
    model_form: str = "{model}"
    """How it names a model: `{model}`, or `{provider}/{model}`."""
    first_message: FirstMessage | None = None
    """How the first message of a session is drafted; None where that is not modelled."""
    trusted: Mapping[str, Json] = {}
    """The params, by dotted name, with which its user says to trust what is in a folder."""
    attended: Mapping[str, Json] = {}
    """The params, by dotted name, of a session that somebody sits at, where they are others than the usual."""
    unattended: Mapping[str, Json] = {}
    """The params, by dotted name, of a headless session, where the usual one has somebody at it."""
    definition: str = ""
    """The path of the file, of the workspace or of the scenario, that defines the agent; "" of any other."""
    modelled: Mapping[str, str] = {}
    """When each version was modelled (ISO 8601), as far as that is known."""
    state: State | None = None
    """What became of it; None where nobody looked."""
    quirks: tuple[Quirk, ...] = ()
    """Slips and oddities that are reproduced (see `of_version`); none where nobody looked for any."""
    overfull: tuple[Overfull, ...] = ()
    """What it does where its first request does not fit; the first row that speaks of the case counts."""
