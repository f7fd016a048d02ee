"""Text from files and settings, made safe for a terminal: what would act or hide becomes a mark.

A rules file may hold escapes, bidi overrides, zero-width characters or tag characters. The model reads them
all, so they are shown, never obeyed: C0 controls as control pictures (␛ ␍), everything else as ⟪U+202E⟫.
Widths are certain too: joiners and variation selectors, which terminals measure differently, do not reach the
terminal, and a string is as wide as the sum of its characters, as `rich.cells` measures them.
"""

import re
from bisect import bisect_right
from typing import NamedTuple

TAB = 4
"""Columns between tab stops."""

# Cc, Cf, Cs, Zl, Zp and what is blank by definition (Default_Ignorable_Code_Point); a test holds the ranges
# against unicodedata, which takes 150 ms to walk. A text, which `re` compiles once there is something to reveal.
_HIDDEN = (
    "[\x00-\x1f\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890-\u0891\u08e2\u115f-\u1160\u17b4-\u17b5"
    "\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\ufffe-\uffff\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)
_JOINABLE = "\u203c"
"""The first character that emoji sequences are made of, besides digits."""


class Line(NamedTuple):
    """One line made visible. `edits`: for each mark, the raw and the shown column after it."""

    text: str
    edits: tuple[tuple[int, int], ...] = ()

    def shown(self, raw: int) -> int:
        """The shown column of a raw one."""
        if not self.edits:
            return raw
        found = bisect_right(self.edits, (raw, 1 << 62)) - 1
        if found < 0:
            return raw
        raw_end, shown_end = self.edits[found]
        return shown_end + raw - raw_end

    def raw(self, shown: int) -> int:
        """The raw column of a shown one; inside a mark, the column of what it stands for."""
        if not self.edits:
            return shown
        found = bisect_right(self.edits, shown, key=lambda edit: edit[1])
        raw_end, shown_end = self.edits[found - 1] if found else (0, 0)
        column = raw_end + shown - shown_end
        return min(column, self.edits[found][0] - 1) if found < len(self.edits) else column


def visible(text: str) -> str:
    """The text as one line that is safe to print; a newline becomes ␊. A second time changes nothing."""
    return text if _is_plain(text) else reveal(text).text


def _is_plain(text: str) -> bool:
    """Whether there is nothing in it to reveal, as is usual."""
    return text.isascii() and text.isprintable()


def reveal(text: str) -> Line:
    """`visible(text)`, with the mapping back to the columns of `text`."""
    if _is_plain(text):
        return Line(text)
    tabs = "\t" in text
    if tabs:
        from rich.cells import cell_len  # 10 ms, which no command without a tab in its output needs
    parts: list[str] = []
    edits: list[tuple[int, int]] = []
    end = length = cells = 0
    for found in re.finditer(_HIDDEN, text):
        at = found.start()
        plain = text[end:at]
        if tabs:
            cells += cell_len(plain)
        mark = "→".ljust(TAB - cells % TAB) if found[0] == "\t" else _mark(text, at, found[0])
        if tabs:
            cells += cell_len(mark)
        length += len(plain) + len(mark)
        end = at + 1
        parts += plain, mark
        edits.append((end, length))
    if not edits:
        return Line(text)
    parts.append(text[end:])
    return Line("".join(parts), tuple(edits))


def _mark(text: str, at: int, char: str) -> str:
    code = ord(char)
    if char < " ":
        return chr(0x2400 + code)
    if char == "\x7f":
        return "␡"
    if char in "\ufe0e\ufe0f\u200d" and at > 0:
        before, after = text[at - 1], text[at + 1 : at + 2]
        if char != "\u200d" and (before >= _JOINABLE or after == "\u20e3") and not re.match(_HIDDEN, before):
            return ""  # ⚠ in colour or not: the width must not depend on it
        if char == "\u200d" and before >= _JOINABLE and after >= _JOINABLE:
            return "‿"  # a joined emoji, drawn as its parts
    return f"⟪U+{code:04X}⟫"
