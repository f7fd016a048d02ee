"""How long a command may run, as Bash says it: BASH_DEFAULT_TIMEOUT_MS and BASH_MAX_TIMEOUT_MS [asked of 2.1.332].

The longest is never below the usual one. In the background both are at least ten minutes and two hours, and at most
what a timer of JavaScript takes.
"""

import math
import re
from collections.abc import Mapping

from promptscope_engine.javascript.json import number

_USUAL, _LONGEST = 120_000, 600_000
_BACKGROUND, _LONGEST_BACKGROUND = 600_000, 7_200_000
_MOST = 2**31 - 1
_MINUTE, _HOUR = 60_000, 3_600_000
_GROUPED = r"\d{1,3}(?:[ _,]\d{3})+"
_DECIMAL = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?"
_LEADING = r"[+-]?\d{1,300}"


def timeouts(env: Mapping[str, str]) -> dict[str, str]:
    """The four limits in milliseconds as JavaScript writes them, and in minutes or hours."""
    given = _positive(env.get("BASH_DEFAULT_TIMEOUT_MS", ""))
    usual = given or _USUAL
    longest = max(_positive(env.get("BASH_MAX_TIMEOUT_MS", "")) or _LONGEST, usual)
    background, most = (
        min(max(least, it), _MOST) for least, it in ((_BACKGROUND, usual), (_LONGEST_BACKGROUND, longest))
    )
    return {
        "usual": number(usual),
        "usual_minutes": number(usual / _MINUTE),
        "longest": number(longest),
        "longest_minutes": number(longest / _MINUTE),
        "background": number(background),
        "background_minutes": number(math.floor(background / _MINUTE + 0.5)),
        "longest_background": number(most),
        "longest_background_hours": number(math.floor(most / _HOUR + 0.5)),
    }


def _positive(text: str) -> float:
    """A number above 0, cut to a whole one: the text as a whole, else the digits that it begins with; 0 for others."""
    text = text.strip()
    if re.fullmatch(_GROUPED, text, re.ASCII):
        text = re.sub("[ _,]", "", text)
    found = re.fullmatch(_DECIMAL, text, re.ASCII) or re.match(_LEADING, text, re.ASCII)
    value = float(found[0][:400]) if found else 0.0
    return max(0.0, float(math.trunc(value))) if math.isfinite(value) else 0.0
