r"""Paths of Windows as an agent writes them: within promptscope `/C:/work/a.md`, in its prompt `C:\work\a.md`.

What files and inputs say stays as it is written there.
"""

import re
from collections.abc import Collection, Iterable

from msgspec.structs import replace

from promptscope_engine.workspace.paths import has_drive

from .drafts import LazySequence, SectionDraft, Span, ToolDraft

_PATH = re.compile(r"""(?<![\w.:/\\])/([A-Za-z]:)(/[^\n"'<>|?*:`]*)?""")
_VERBATIM = ("file", "param", "sent", "edit")
"""The origins of texts that stay as somebody wrote them."""


def is_windows(*folders: str) -> bool:
    """Whether one of the folders of a scenario is on a drive."""
    return any(map(has_drive, folders))


def native(text: str, *, slashes: bool = False) -> str:
    """The text with its paths as Windows has them; `slashes`: with those, as some agents write them."""
    return _PATH.sub(lambda found: _written(found[1], found[2] or "/", slashes), text)


def _written(drive: str, rest: str, slashes: bool) -> str:
    return drive + (rest if slashes else rest.replace("/", "\\"))


def native_sections(sections: Iterable[SectionDraft], in_slashes: Collection[str]) -> tuple[SectionDraft, ...]:
    """The sections with native paths; `in_slashes` are the ids of those in which the agent writes slashes."""
    return tuple(
        replace(each, spans=_spans(each.spans, each.id.partition(":")[0] in in_slashes), title=each.title)
        for each in sections
    )


def native_tools(tools: Iterable[ToolDraft]) -> tuple[ToolDraft, ...]:
    """The same of what is said of tools."""
    return tuple(replace(each, description=_spans(each.description), listed=_spans(each.listed)) for each in tools)


def _spans(spans: Iterable[Span], slashes: bool = False) -> LazySequence[Span]:
    return LazySequence(
        span if span.origin.kind in _VERBATIM else Span(native(span.text, slashes=slashes), span.origin, span.when)
        for span in spans
    )
