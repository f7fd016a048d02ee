r"""What a terminal printed, as it is shown to the model (docs/agents/roo.md#terminal-output).

Lengths are UTF-16 units. The steps work on a text of such units, in which an astral character is two: its
halves can then be overwritten and cut one by one, as in the agent.
"""

import re
from itertools import groupby
from struct import unpack

_HEAD_SHARE = 0.2
"""The part of a limit that is spent on the beginning of a text; the rest goes to its end."""


def compress_output(text: str, line_limit: int = 500, character_limit: int = 50000) -> str:
    """`text` as a terminal would show it: repeated lines once, and a long text without its middle.

    `line_limit` and `character_limit` (UTF-16 units) are the lengths that are kept; 0 is no limit. Notes on
    what was left out come in addition. Half of a character that was cut in two stays as a lone surrogate.
    """
    units = _ASTRAL.sub(lambda found: "".join(map(chr, unpack(">HH", found[0].encode("utf-16-be")))), text)
    units = "\n".join(_overwritten(line) if "\r" in line else line for line in units.split("\n"))
    shown = truncate_output(_collapse_repeats(_apply_backspaces(units)), line_limit, character_limit)
    return shown.encode("utf-16-be", "surrogatepass").decode("utf-16-be", "surrogatepass")


def truncate_output(text: str, line_limit: int, character_limit: int = 0) -> str:
    """`text` without its middle where it is longer than a limit.

    The limit of characters is looked at first; where it cuts, lines are not counted any more. A final newline
    counts as the start of one more line.
    """
    if character_limit and len(text) > character_limit:
        head, tail = _shares(character_limit)
        note = f"\n[...{len(text) - character_limit} characters omitted...]\n"
        return text[:head] + note + text[len(text) - tail :]
    lines = text.split("\n")
    if line_limit and len(lines) > line_limit:
        head, tail = _shares(line_limit)
        note = f"\n[...{len(lines) - line_limit} lines omitted...]\n\n"
        return "".join(f"{line}\n" for line in lines[:head]) + note + "\n".join(lines[len(lines) - tail :])
    return text


def _shares(limit: int) -> tuple[int, int]:
    head = int(limit * _HEAD_SHARE)
    return head, limit - head


_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


def _overwritten(line: str) -> str:
    """The line after each of its segments was printed over the start of what was there."""
    shown, *segments = line.split("\r")
    for segment in filter(None, segments):
        end = len(segment)
        if end >= len(shown):
            shown = segment
        elif _splits_pair(segment, shown):
            shown = f"{segment} {shown[end + 1 :]}"
        else:
            shown = segment + shown[end:]
    return shown


def _splits_pair(segment: str, shown: str) -> bool:
    """Whether printing `segment` over the longer `shown` leaves half of a character at the seam.

    A high surrogate with anything behind it counts as such a half too, although its pair is whole.
    """
    at_seam = shown[len(segment)]
    more_follows = len(shown) > len(segment) + 1
    return _is_high(segment[-1]) or "\udc00" <= at_seam <= "\udfff" or (_is_high(at_seam) and more_follows)


def _is_high(unit: str) -> bool:
    return "\ud800" <= unit <= "\udbff"


def _apply_backspaces(units: str) -> str:
    """Backspaces delete: the first of a run the character before it, each further one of what is kept."""
    result = ""
    for span, run in re.findall("([^\b]*)(\b*)", units):
        if run:
            result += span[:-1]
            result = result[: max(0, len(result) - len(run) + 1)]
        else:
            result += span
    return result


def _collapse_repeats(units: str) -> str:
    """Repeated lines once, with a note on how often they came, where that is shorter."""
    lines = units.split("\n")
    # Lines are compared with their newlines: a last one without differs from the same text with one.
    ended = [f"{line}\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    runs = [(line, sum(1 for _ in run)) for line, run in groupby(ended)]
    collapsed = []
    for index, (line, count) in enumerate(runs):
        note = f"<previous line repeated {count - 1} additional times>\n"
        # At the very end of the text the first of the lines is not counted as saved.
        replaced = count - 1 if index + 1 == len(runs) else count
        collapsed.append(line + note if count > 1 and len(note) < len(line) * replaced else line * count)
    return "".join(collapsed)
