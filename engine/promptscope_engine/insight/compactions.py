"""A recorded compaction compared with its forecast: what came back, and what should have."""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.transcripts import Restored

from .afterwards import Afterwards, Verdict, shown_path


class Outcome(Struct, frozen=True):
    """A part of the request behind a compaction.

    `forecast` is None for what was not foreseen. `characters` of it came back, None where it did not; `why` is the
    reason of the forecast, and `is_open` says that nobody can tell.
    """

    kind: str
    name: str
    forecast: Verdict | None
    characters: int | None
    why: str = ""
    is_open: bool = False

    @property
    def agrees(self) -> bool | None:
        """Whether it came as it was forecast; None where the forecast leaves that open."""
        came = self.characters is not None
        if self.is_open and self.forecast is not None:
            return None
        return self.forecast is not None and came == (self.forecast != "lost")


def outcomes(forecast: Afterwards, said: Sequence[str], restored: Sequence[Restored]) -> tuple[Outcome, ...]:
    """What was forecast in its order, then what else came back. `said` is what a person said before the compaction.

    Files that were read and skills that were invoked are always compared; instructions, and what was said, only where
    the session's file has some: not every version writes them down.
    """
    there: dict[tuple[str, str], int] = {(each.kind, _name(each, forecast)): each.characters for each in restored}
    kinds = {"file", "skill", *(kind for kind, _ in there)}
    found: dict[tuple[str, str], Outcome] = {}
    for each in (*_parts(forecast), *_said(forecast, said)):
        key = each.kind, each.name
        if each.kind in kinds and key not in found:
            found[key] = replace(each, characters=there.pop(key, None))
    return (*found.values(), *(Outcome(kind, name, None, size) for (kind, name), size in there.items()))


def _name(each: Restored, forecast: Afterwards) -> str:
    return shown_path(each.name, forecast.assembly) if each.kind in ("file", "instructions") else each.name


def _parts(forecast: Afterwards) -> Iterator[Outcome]:
    for part in forecast.parts:
        if part.kind or part.file:
            yield Outcome(part.kind or "instructions", part.name, part.verdict, None, part.why, part.is_open)


def _said(forecast: Afterwards, said: Sequence[str]) -> Iterator[Outcome]:
    """A message is kept where it is in the request whole."""
    sent = [section.text for section in forecast.assembly.sections if section.present and section.channel != "system"]
    for text in said:
        yield Outcome("said", text, "returns" if any(text in each for each in sent) else "lost", None)
