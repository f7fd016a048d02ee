"""What a prompt pays for more than once: files that are sent twice, and passages of files that are elsewhere too."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from promptscope_engine.insight.repeats import Copy, Repeat, paid_twice

from .context import Context
from .findings import Counterpart, Finding, FoundPassage
from .ranking import REPEATS, WHOLE, repeated


class PaidTwice(Struct, frozen=True):
    """The findings about it, and what repeats: that in files as far as it is in the findings, and the agent's own."""

    findings: tuple[Finding, ...]
    repeats: tuple[Repeat, ...]

    @classmethod
    def of(cls, findings: Iterable[Finding], repeats: Iterable[Repeat], context: Context) -> "PaidTwice":
        """As much of a prompt's `repeats` as is in its list of `findings`, which are in order."""
        told = tuple(each for each in findings if each.rule in (REPEATS, WHOLE))
        lines = {(each.path, passage.line) for each in told for passage in each.passages}
        files = {each.path for each in told if each.rule == WHOLE}

        def is_told(repeat: Repeat) -> bool:
            if repeat.kind == "other words" or not repeat.is_own:
                return True
            own = [copy for copy in repeat.copies if copy.path]
            if repeat.kind == "whole file":
                return any(context.named(copy.path or "") in files for copy in own)
            return any((context.shown(copy.path or ""), copy.file_line) in lines for copy in own)

        return cls(told, tuple(filter(is_told, repeats)))

    @property
    def agents_own(self) -> tuple[Repeat, ...]:
        """What the agent says twice in the same words without any file: only its makers could change that."""
        return tuple(each for each in self.repeats if each.kind != "other words" and not each.is_own)

    @property
    def tokens(self) -> int | None:
        """What all of it costs together, but for other words, which would have to be rewritten."""
        counts = [*(each.tokens for each in self.findings), paid_twice(self.agents_own)]
        return None if None in counts else sum(filter(None, counts))


def duplicates(context: Context, repeats: Sequence[Repeat]) -> Iterator[Finding]:
    """Files that are sent more than once, and for each file one finding about its passages that are elsewhere too."""
    passages: dict[str, list[FoundPassage]] = {}
    for each in repeats:
        own = [copy for copy in each.copies if copy.path is not None and context.shown(copy.path) is not None]
        if each.kind == "whole file" and own:
            yield _sent_again(each, own[0], context)
        elif each.kind == "same words" and own:
            others = (copy for copy in each.copies if copy.path is None or context.relative(copy.path) is None)
            first = next(others, each.copies[0])
            for copy in own:
                if copy is not first and copy.path and copy.file_line:
                    lines, of = (copy.file_line, copy.file_end or copy.file_line), _counterpart(first, context)
                    found = FoundPassage(*lines, copy.tokens, of, (context.assembly.agent,))
                    passages.setdefault(copy.path, []).append(found)
    for path, there in passages.items():
        yield repeated(context.finding(REPEATS, "", path, there[0].line), there)


def _counterpart(copy: Copy, context: Context) -> Counterpart:
    if copy.path is None:
        return Counterpart(title=copy.title)
    return Counterpart(context.shown(copy.path) or copy.path, copy.file_line, copy.file_end, copy.title)


def _sent_again(repeat: Repeat, file: Copy, context: Context) -> Finding:
    """That a file is sent more than once, and how."""

    def shown(path: str | None) -> str:
        return context.named(path or "") or path or ""

    ways: list[str] = []
    for copy in repeat.copies:
        if copy.inside:
            ways.append(f"as an import of {shown(copy.inside)}")
        elif copy.path != file.path:
            ways.append(f"as {shown(copy.path)}")
        else:
            ways.append(f"in {copy.title}" if ways else "by itself")
    times = {2: "twice"}.get(len(ways), f"{len(ways)} times")
    words = f"{shown(file.path)} is sent {times} ({', '.join(ways[:-1])}, and {ways[-1]})"
    return context.finding(WHOLE, words, file.path, tokens=repeat.tokens)
