"""A counter that gives up when its work is wanted no more: counting a large repository anew takes seconds."""

from __future__ import annotations

from collections.abc import Callable

from promptscope_engine.tokens import CountCache, Counter, Tokenizer


class Superseded(Exception):  # noqa: N818 - it names what is the case
    """Something newer is wanted."""


class HastyCounter(Counter):
    """Asks before each new text whether anybody still waits for it; what was counted until then is kept."""

    def __init__(self, tokenizer: Tokenizer, cache: CountCache | None, superseded: Callable[[], bool]) -> None:
        super().__init__(tokenizer, cache)
        self._superseded = superseded

    def count(self, text: str) -> int:
        """Tokens of `text`. Raises Superseded instead of counting what is wanted no more."""
        known = self.cached(text)
        if known is not None:
            return known
        if self._superseded():
            raise Superseded
        return super().count(text)

    def by(self, tokenizer: Tokenizer) -> Counter:
        """This counter, or one for another tokenizer that gives up in the same way."""
        if tokenizer == self.tokenizer:
            return self
        return HastyCounter(tokenizer, self.cache, self._superseded)
