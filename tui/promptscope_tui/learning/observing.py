"""The observing mod of an agent's package: where it is, and how a client is started with it."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path

from msgspec import Struct, json

from promptscope_engine.agents.adapter import Describes
from promptscope_engine.agents.features import package_of
from promptscope_engine.learning.script import Observing, Script
from promptscope_engine.tokens.measured import version_numbers

from .scratch import filled


class Observer(Struct, frozen=True):
    """The mod, in its folder, and how it is used."""

    how: Observing
    folder: str

    def fits(self, version: str) -> bool:
        """Whether a version of the client loads mods; of an unknown one nobody can say."""
        return bool(version) and version_numbers(version) >= version_numbers(self.how.since)

    @property
    def words(self) -> tuple[str, ...]:
        """What loads it outside of all the mods that a command line names after it."""
        return self.how.option, self.folder

    def given(self, command: Sequence[str]) -> tuple[str, ...]:
        """The words of a person's command that load mods."""
        found: list[str] = []
        for word, following in zip(command, (*command[1:], ""), strict=True):
            if word == self.how.option:
                found += word, following
            elif word.startswith(f"{self.how.option}="):
                found.append(word)
        return tuple(found)

    def command(self, given: Sequence[str], left_out: Sequence[str]) -> tuple[str, ...]:
        """The words of a run beside a person's mods, `given` ones among them, without some of them by their ids."""
        settings = json.encode({self.how.switch: dict.fromkeys(left_out, False)}).decode()
        return *self.words, *given, *(filled(word, {"{settings}": settings}) for word in self.how.command)

    def variables(self, out: str) -> Mapping[str, str]:
        """The variables of a run in which it writes the client's own names, and texts."""
        return {self.how.writes: out, **self.how.texts}


def observer_of(agent: Describes, script: Script | None) -> Observer | None:
    """The observing mod of an agent; None for one whose client loads no mods."""
    package = package_of(agent)
    if script is None or script.observing is None or package is None:
        return None
    return Observer(script.observing, str(Path(import_module(package).__path__[0], script.observing.folder)))
