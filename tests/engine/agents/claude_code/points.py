"""How long the bullets and paragraphs of the real prompt are, in order: characters without indentation, by section.

Recorded from the real client; `units` cuts our sections in the same way. Left out are the parts whose text is not
fixed: git's lines, names of tools and skills, the agents' descriptions.
"""

from __future__ import annotations

import re
from typing import Any

from .prompts import OPUS_55, SONNET_45, SONNET_46

Sizes = dict[str, tuple[int, ...]]

_LIST = re.compile(r"\s*(?:- |\d+\. )")
_OWN_LINE = re.compile(
    r"\s*(?:- |\d+\. |#{1,3} |</?(?:types?|name|description|when_to_save|how_to_use|body_structure|env)>"
    r"|</?system-reminder>|<examples>)"
)


def units(text: str) -> list[str]:
    """The bullets, paragraphs, headings and tag lines of a text, each without its indentation.

    A fenced block belongs to the line right before it; examples are one unit, with their tags.
    """
    found: list[list[str]] = []
    until, begins = "", True  # what ends the fence or the examples under way; whether a blank line came before
    for line in text.strip("\n").split("\n"):
        if until:
            found[-1].append(line)
            until = "" if line.strip() == until else until
            continue
        if not line.strip():
            begins = True
            continue
        if begins or _OWN_LINE.match(line) or _stands_alone(found[-1][0], line):
            found.append([line])
        else:
            found[-1].append(line)
        until = "```" if line.strip().startswith("```") else "</examples>" if line.strip() == "<examples>" else ""
        begins = False
    return ["\n".join(lines).strip() for lines in found]


def _stands_alone(before: str, line: str) -> bool:
    """Whether a line is no continuation of the unit above: that is a heading or a tag, or a bullet and less indented."""
    return bool(re.match(r"\s*(?:#{1,3} |<)", before)) or (bool(_LIST.match(before)) and not line.startswith(" "))
