"""The directory of the tools that wait: which are sent, which are only named, and how the list shrinks [2026.9.6]."""

import re
from collections.abc import Iterator, Sequence

from promptscope_engine.agents.openclaw.texts import tool_text
from promptscope_engine.agents.openclaw.tool_policy import Offer
from promptscope_engine.javascript.text import js_trim, js_trim_end, utf16_len, utf16_slice
from promptscope_engine.prompt.conditions import Condition, Facts
from promptscope_engine.prompt.drafts import Span, builtin, label, param_value

LEAST, MOST = 768, 18_000
"""The room of the directory is a tenth of the window, but no less and no more than this, in UTF-16 units."""
FORMS = (180, 64, 0)
"""The longest description in each of its forms; with none the names are left."""
MARK = "..."


def room_of(window: int) -> int:
    """The characters that the directory may have."""
    return min(MOST, max(LEAST, window // 10))


def shortened(description: str, most: int) -> str:
    """The description on one line, cut to `most` units."""
    text = js_trim(re.sub(r"\s+", " ", description))
    if utf16_len(text) <= most:
        return text
    return js_trim_end(utf16_slice(text, 0, most - len(MARK))) + MARK


def head(offer: Offer) -> str:
    """A row without its description."""
    return f"- {offer.name} ({offer.plugin or 'core'})"


def row(offer: Offer, description: str, most: int) -> Iterator[Span]:
    """`- name (owner): description`, with the break before it."""
    text = shortened(description, most) if most else ""
    yield label(f"\n{head(offer)}" + (": " if text else ""))
    if text:
        own = offer.given is None
        yield builtin(f"directory.{offer.name}", text) if own else param_value("tools", text)


FRAME = 112
"""The units of what is around the rows in the agent's own words, and of what says how many were left out."""
LEFT_OUT = 27
GUIDANCE = {"tools": (278, 300), "directory": (163, 185), "code": (119, 119)}
"""The units of the last line by the mode of search, where every row is there and where some are left out."""


def form_of(offers: Sequence[tuple[Offer, str]], mode: str, room: int) -> tuple[int, int, int]:
    """The longest description that fits, the rows there is room for, and how many tools have none.

    `offers` are the tools that wait, with their descriptions; those of servers never have a row.
    """
    listed = [(offer, said) for offer, said in offers if offer.row]
    for most in FORMS:
        lines = [head(offer) + (f": {shortened(said, most)}" if most else "") for offer, said in listed]
        if _size(lines, len(offers) - len(lines), mode) <= room:
            return most, len(lines), len(offers) - len(lines)
    while lines and _size(lines, len(offers) - len(lines), mode) > room:
        lines.pop()
    return 0, len(lines), len(offers) - len(lines)


def _size(lines: Sequence[str], left_out: int, mode: str) -> int:
    whole, fewer = GUIDANCE[mode]
    footer = fewer + len(str(left_out)) + LEFT_OUT if left_out else whole
    return FRAME + sum(map(utf16_len, lines)) + len(lines) + footer


def waiting_now(offers: Sequence[Offer]) -> list[Offer]:
    """The tools that wait in this run, by name."""
    facts = Facts()
    found = [each for each in offers if each.waits and (each.when & each.waits).holds(facts)]
    return sorted(found, key=lambda each: each.name)


def row_conditions(offers: Sequence[Offer]) -> Iterator[tuple[Offer, Condition]]:
    """Every tool that could have a row, by name, and the condition of it."""
    for each in sorted(offers, key=lambda each: each.name):
        if each.row is not None:
            yield each, each.when & each.row


def described(offer: Offer, version: str) -> str:
    """What is said of a tool, by OpenClaw or by who brings it."""
    tool = offer.given
    if tool is None:
        return tool_text(offer.name, version, offer.form).description + offer.adds
    return js_trim(tool.description or "") or js_trim(tool.label or "")
