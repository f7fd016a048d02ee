"""What the engine raises when a scenario cannot be assembled."""

from collections.abc import Iterable

from promptscope_engine.nearest import nearest as nearest


class ScenarioError(ValueError):
    """A scenario that cannot be assembled: what is wrong, where, and the nearest valid choices.

    `where` is a dotted place inside the scenario (`params.diffEnabled`) or `path:line` of a scenario file;
    `nearest` holds the valid choices closest to what was written, best first.
    """

    def __init__(self, message: str, *, where: str | None = None, nearest: Iterable[str] = ()) -> None:
        self.message = message
        self.where = where
        self.nearest = tuple(nearest)
        super().__init__(str(self))

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        hint = f" (did you mean {' or '.join(self.nearest)}?)" if self.nearest else ""
        return f"{place}{self.message}{hint}"


def unknown(what: str, wanted: str, valid: Iterable[str], *, where: str | None = None) -> ScenarioError:
    """An error for a choice that does not exist: it names the nearest, else all of them."""
    words = list(valid)
    close = nearest(wanted, words)
    known = "" if close else f"; known: {', '.join(words)}"
    return ScenarioError(f"unknown {what} {wanted!r}{known}", where=where, nearest=close)
