"""The blocks of a request as sections, split at headings, at tags on lines of their own, and at files' text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.kit.sessions.earlier import begins
from promptscope_engine.agents.kit.text.texts import parameters_of
from promptscope_engine.captures.model import SentTool
from promptscope_engine.prompt.drafts import Place, SectionDraft, ToolDraft
from promptscope_engine.prompt.spans import cut, joined

from .materials import SENT, FromFile, Materials, SentBlock

_SLUG = 40


def sections(materials: Materials) -> tuple[SectionDraft, ...]:
    """Each block in its parts, in the order in which they were sent."""
    return tuple(section for block in materials.blocks for section in _sections(block))


def _sections(block: SentBlock) -> Iterator[SectionDraft]:
    text = joined(block.spans)
    place = Place(block=block.name, message=block.message)
    parts = parts_of(text, block.files) if block.kind in ("text", "tool_result") else [TextPart(0, len(text))]
    ids: list[str] = []
    used: set[str] = set()
    for part in parts:
        ids.append(_id(block.name, part, used))
        yield SectionDraft(
            id=ids[-1],
            title=_title(block, part, text),
            spans=cut(block.spans, part.start, part.end),
            heading=part.heading,
            when=SENT,
            place=place,
            stability="session" if block.message is None else "turn",
            parent=None if part.parent is None else ids[part.parent],
        )


def _id(name: str, part: TextPart, used: set[str]) -> str:
    """`system.1.harness`: the block, then the title; unique in its block."""
    shown = "/".join(part.path.split("/")[-2:]) if part.path else part.title
    slug = re.sub(r"[^\w]+", "_", shown.lower()).strip("_")[:_SLUG]
    wanted = f"{name}.{slug}" if slug else name
    found, number = wanted, 1
    while found in used:
        number += 1
        found = f"{wanted}-{number}"
    used.add(found)
    return found


def _title(block: SentBlock, part: TextPart, text: str) -> str:
    if part.path or part.title:
        return part.path.rpartition("/")[2] if part.path else part.title
    beginning = begins(text[part.start : part.end])
    if block.kind != "text":
        return f"{block.kind}: {beginning}"
    return f"{block.role}: {beginning}" if block.message is not None else beginning or block.name


MAX_PARTS = 2_000
"""Parts of one text: a text that is all headings stays readable."""

_LINE = re.compile(
    r"^(?:(?P<fence>```|~~~)|(?P<marks>\#{1,4})[ ]+(?P<title>\S.*)|<(?P<tag>[A-Za-z][\w:.-]{0,80})(?:[ ][^<>\n]*)?>)",
    re.MULTILINE,
)
_CLOSING = re.compile(r"</([A-Za-z][\w:.-]{0,80})>")


class TextPart(Struct, frozen=True):
    """Characters `start` to `end` of a text. `parent` is the index of the part around it; `path` of a file's text."""

    start: int
    end: int
    title: str = ""
    heading: str | None = None
    path: str | None = None
    parent: int | None = None


class _Mark(Struct, frozen=True):
    """The beginning of a part: a heading of a level, or something that ends at `end`."""

    start: int
    title: str
    heading: str | None
    level: int
    end: int | None
    path: str | None = None


def parts_of(text: str, files: Sequence[FromFile]) -> list[TextPart]:
    """The parts in order; joined they are the text. The first one may have no heading."""
    marks = sorted(_marks(text, files), key=lambda mark: mark.start)[:MAX_PARTS]
    starts = {mark.start: mark for mark in reversed(marks)}
    ends = {mark.end for mark in marks if mark.end is not None}
    found: list[TextPart] = []
    around: list[tuple[_Mark, int]] = []
    for start, end in pairwise(sorted({0, *starts, *ends, len(text)})):
        mark = starts.get(start)
        if mark is None and found and not text[start:end].strip():
            found[-1] = replace(found[-1], end=end)
            continue
        ended = [number for number, (each, _) in enumerate(around) if (each.end or end) <= start]
        del around[ended[0] if ended else len(around) :]
        if mark is None:
            found.append(TextPart(start, end, parent=around[-1][1] if around else None))
            continue
        while mark.level and around and around[-1][0].level >= mark.level:
            around.pop()
        parent = around[-1][1] if around else None
        around.append((mark, len(found)))
        found.append(TextPart(start, end, mark.title, mark.heading, mark.path, parent))
    return found or [TextPart(0, len(text))]


def _marks(text: str, files: Sequence[FromFile]) -> Iterator[_Mark]:
    """Every beginning. Within the text of a file nothing begins."""
    starts = [each.start for each in files]
    for each in files:
        yield _Mark(each.start, each.path, None, 0, each.end, each.path)
    closing: dict[str, list[int]] = {}
    for found in _CLOSING.finditer(text):
        closing.setdefault(found[1], []).append(found.end())
    ends: list[int] = []
    for found in _outside_fences(text):
        at = found.start()
        number = bisect_right(starts, at) - 1
        if number >= 0 and at < files[number].end:
            continue
        while ends and ends[-1] <= at:
            ends.pop()
        if found["marks"]:
            heading = text[at : found.end()]
            yield _Mark(at, found["title"].strip().rstrip("#").strip(), heading, len(found["marks"]), None)
        elif (end := _tag_end(text, found, closing, ends[-1] if ends else len(text))) is not None:
            ends.append(end)
            yield _Mark(at, f"<{found['tag']}>", found[0], 0, end)


def _outside_fences(text: str) -> list[re.Match[str]]:
    """The headings and tags outside of fenced code; a fence that is never closed is none."""
    kept: list[re.Match[str]] = []
    inside: list[re.Match[str]] | None = None
    fence = ""
    for found in _LINE.finditer(text):
        if inside is None and found["fence"]:
            inside, fence = [], found["fence"]
        elif inside is None:
            kept.append(found)
        elif found["fence"] == fence:
            inside = None
        else:
            inside.append(found)
    return kept + [each for each in inside or () if not each["fence"]]


def _tag_end(text: str, found: re.Match[str], closing: dict[str, list[int]], limit: int) -> int | None:
    """Behind the tag's end, if it ends on a later line and within what is around it."""
    places = closing.get(found["tag"], [])
    number = bisect_right(places, found.end())
    if number == len(places) or places[number] > limit or "\n" not in text[found.end() : places[number]]:
        return None
    end = places[number]
    return end + 1 if text.startswith("\n", end) else end


# --- tools ------------------------------------------------------------------------------------------------------------


def tools(materials: Materials) -> tuple[ToolDraft, ...]:
    """Every tool of the request, in its order."""
    return tuple(
        ToolDraft(
            name=tool.name,
            group=_group(tool),
            description=description,
            when=SENT,
            parameters=parameters_of(tool.schema),
            input_schema=tool.schema if isinstance(tool.schema, dict) else {},
            server=_server(tool),
        )
        for tool, description in materials.tools
    )


def _group(tool: SentTool) -> str:
    """What runs it: the agent, an MCP server, the service."""
    if (server := _server(tool)) is not None:
        return f"mcp {server}"
    return "agent" if tool.kind in ("custom", "function") else "service"


def _server(tool: SentTool) -> str | None:
    return tool.name.split("__")[1] if tool.name.startswith("mcp__") else None
