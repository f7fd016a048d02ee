"""The texts that answer a tool call (docs/agents/roo.md#replies), by the names of the replies of catalogue.toml.

Tags, names and what comes from arguments are the agent's to the byte; the sentences are our own and say the
same.

The unified diff is that of the npm package `diff` 5.2.0, which compares lines by Myers' algorithm with its own choice
among equally short scripts, and gives a hunk four lines of context. `difflib` only groups what is found into hunks.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from pathlib import Path
from typing import Any, TypeAlias

from promptscope_engine.agents.roo.ignore import format_files_list as format_files_list

_CONTEXT = 4
_Steps: TypeAlias = "tuple[_Steps | None, str, int]"
"""The way through the edit graph: the steps before, the kind of the last ones and how many they are."""

_Opcode: TypeAlias = tuple[str, int, int, int, int]

_NO_FINAL_NEWLINE = "\\ No newline at end of file"


def create_pretty_patch(
    filename: str = "file",
    old: str | None = None,
    new: str | None = None,
) -> str:
    """The hunks that lead from `old` to `new`, without the four header lines; `""` where the texts are equal.

    An absent text counts as an empty one. Every line ends in a newline.
    """
    del filename  # it is in the header only, which is cut off
    script = _Script(old or "", new or "")
    hunks = script.get_grouped_opcodes(_CONTEXT)
    return "".join(f"{line}\n" for codes in hunks for line in script.hunk(list(codes)))


class _Script(SequenceMatcher[str]):
    """The edit script of two texts; in it `insert`, `delete` and `equal` stand for a run of lines each."""

    def __init__(self, before: str, after: str) -> None:
        super().__init__()
        self._before, self._after = before, after
        # The lines with their newlines; a carriage return belongs to its line.
        self._old, self._new = (re.findall(r"[^\n]*\n|[^\n]+", text) for text in (before, after))

    def get_opcodes(self) -> list[_Opcode]:  # type: ignore[override]
        """The script; removals change places with the additions directly before them."""
        runs: list[tuple[str, int]] = []
        for kind, signs in groupby(_edit_signs(self._old, self._new)):
            # Only neighbours are exchanged: of added, removed, added, removed the result is -, +, -, +.
            at = len(runs) - 1 if kind == "-" and runs and runs[-1][0] == "+" else len(runs)
            runs.insert(at, (kind, sum(1 for _ in signs)))
        return list(_opcodes(runs))

    def hunk(self, codes: Sequence[_Opcode]) -> list[str]:
        """The head and the lines. An empty side is said to start one line earlier."""
        (_, old_start, _, new_start, _), (_, _, old_end, _, new_end) = codes[0], codes[-1]
        old_count, new_count = old_end - old_start, new_end - new_start
        lines = [
            _SIGNS[tag] + line.removesuffix("\n")
            for tag, i1, i2, j1, j2 in codes
            for line in (self._new[j1:j2] if tag == "insert" else self._old[i1:i2])
        ]
        if (old_end, new_end) == (len(self._old), len(self._new)):
            self._mark_ends(lines, old_count)
        return [
            f"@@ -{old_start + (old_count > 0)},{old_count} +{new_start + (new_count > 0)},{new_count} @@",
            *lines,
        ]

    def _mark_ends(self, lines: list[str], old_count: int) -> None:
        old_open, new_open = not self._before.endswith("\n"), not self._after.endswith("\n")
        before_additions = lines[-1][0] != " " and len(lines) > old_count
        if old_open and before_additions and self._before:
            # By count, not by place: the mark is after as many lines as the old side has, wherever that is.
            lines.insert(old_count, _NO_FINAL_NEWLINE)
        if new_open or (old_open and not before_additions):
            lines.append(_NO_FINAL_NEWLINE)


_SIGNS = {"equal": " ", "delete": "-", "insert": "+"}


def _opcodes(runs: Sequence[tuple[str, int]]) -> Iterator[_Opcode]:
    tags = {sign: tag for tag, sign in _SIGNS.items()}
    i = j = 0
    for kind, count in runs:
        i2, j2 = i + count * (kind != "+"), j + count * (kind != "-")
        yield tags[kind], i, i2, j, j2
        i, j = i2, j2


def _edit_signs(old: list[str], new: list[str]) -> str:
    """A shortest edit script by Myers' algorithm, one sign for every line."""
    graph = _EditGraph(old, new)
    steps = graph.start()
    length = 0
    while not graph.is_done:
        length += 1
        steps = graph.lengthened(length)
    return _signs(steps)


class _EditGraph:
    """The farthest path on each diagonal: how many old lines it passed, and its steps.

    A diagonal is old lines passed minus new lines passed. Paths are plain tuples, since texts of thousands of lines
    with little in common make millions of them.
    """

    def __init__(self, old: list[str], new: list[str]) -> None:
        self._old, self._new = old, new
        self._best: dict[int, tuple[int, _Steps | None]] = {}
        # Once a path has met an edge of the graph, diagonals beyond its own cannot lead to a shorter script. A round
        # starts at its own outermost diagonal or there, and takes every second one.
        self._lowest, self._highest = -len(new) - len(old), len(old) + len(new)
        self.is_done = False

    def start(self) -> _Steps | None:
        """The path of the lines that both texts begin with."""
        self._best[0] = passed, steps = self._slide(0, None, 0)
        self.is_done = passed == len(self._old) == len(self._new)
        return steps

    def lengthened(self, length: int) -> _Steps | None:
        """Make all paths longer by one edit, up to the first one that passes all lines."""
        for diagonal in range(max(self._lowest, -length), length + 1, 2):
            if diagonal > self._highest:  # which this very round may have lowered
                break
            found = self._edited(diagonal)
            if found is None:
                self._best.pop(diagonal, None)
                continue
            self._best[diagonal] = passed, steps = found
            old_done, new_done = passed >= len(self._old), passed - diagonal >= len(self._new)
            if old_done and new_done:
                self.is_done = True
                return steps
            if old_done:
                self._highest = min(self._highest, diagonal - 1)
            if new_done:
                self._lowest = max(self._lowest, diagonal + 1)
        return None

    def _edited(self, diagonal: int) -> tuple[int, _Steps | None] | None:
        """The farthest path that comes to a diagonal by one edit; None if there is none."""
        removing, adding = self._best.pop(diagonal - 1, None), self._best.get(diagonal + 1)
        if adding is not None and not 0 <= adding[0] - 1 - diagonal < len(self._new):
            adding = None
        # The package asks for one line more than Myers does before it prefers an addition.
        if adding is not None and (removing is None or removing[0] + 1 < adding[0]):
            return self._slide(adding[0], (adding[1], "+", 1), diagonal)
        if removing is not None:
            return self._slide(removing[0] + 1, (removing[1], "-", 1), diagonal)
        return None

    def _slide(self, passed: int, steps: _Steps | None, diagonal: int) -> tuple[int, _Steps | None]:
        """The path after all lines that are common from here on."""
        old, new, end = self._old, self._new, passed
        while end < len(old) and end - diagonal < len(new) and old[end] == new[end - diagonal]:
            end += 1
        return (end, (steps, " ", end - passed)) if end != passed else (passed, steps)


def _signs(steps: _Steps | None) -> str:
    signs: list[str] = []
    while steps is not None:
        steps, kind, count = steps
        signs.append(kind * count)
    return "".join(reversed(signs))


Block = dict[str, Any]
"""A content block as it goes over the wire: `{"type": "text", "text"}` or `{"type": "image", "source"}`."""

_CATALOGUE: dict[str, Any] = tomllib.loads(Path(__file__).with_name("catalogue.toml").read_text("utf-8"))
ROWS: list[dict[str, Any]] = _CATALOGUE["replies"]
REFUSALS: dict[str, str] = _CATALOGUE["refusals"]
"""Why a result is refused; `{names}` are the calls, files or commands in the way."""
LABELS: dict[str, list[str]] = _CATALOGUE["labels"]
"""What the label of a call has behind the tool's name (see catalogue.toml)."""
PARAMETERS: list[str] = _CATALOGUE["parameters"]
REMINDER: str = _CATALOGUE["reminder"]
"""What the agent repeats wherever a reply could not be read as a tool call."""
RESUMPTION: str = _CATALOGUE["resumption"]
"""What a task resumes with where there is nothing else to send."""


def _reply(text: str, inputs: Sequence[str], none: str) -> Callable[..., str]:
    def made(*given: object, **named: object) -> str:
        values = dict.fromkeys(inputs) | dict(zip(inputs, given, strict=False)) | named
        return text.format_map({"reminder": REMINDER} | {name: _shown(value, none) for name, value in values.items()})

    return made


def _shown(value: object, none: str) -> object:
    """A value in a text; None prints `undefined`, as in JavaScript."""
    if isinstance(value, list | tuple):
        return ", ".join(value) or none
    return "undefined" if value is None else value


_TEXTS = {
    row["name"]: _reply(row.pop("text"), [each["name"] for each in row.get("inputs", ())], row.pop("none", ""))
    for row in ROWS
    if "text" in row
}


def __getattr__(name: str) -> Callable[..., str]:
    if name not in _TEXTS:
        raise AttributeError(name)
    return _TEXTS[name]


def line_count_truncation_error(lines: int, is_new_file: bool, diff_enabled: bool = False) -> str:
    """`write_to_file` came without `line_count`, a sign that the content may have been cut off.

    `lines` is how many lines did arrive. What is advised depends on whether the file is new and, for an
    existing one, on whether `apply_diff` can be used.
    """
    ways = "new" if is_new_file else "existing_with_diff" if diff_enabled else "existing"
    return _TEXTS["line_count_truncation_error"](lines, ways_out=_CATALOGUE["ways_out"][ways])


def text_block(text: str) -> Block:
    """`text` as a content block."""
    return {"type": "text", "text": text}


def tool_result(text: str, images: Sequence[str] | None = None) -> str | list[Block]:
    """A tool's result: the text itself, or with `images` (data URLs) a text block, then image blocks."""
    return [text_block(text), *image_blocks(images)] if images else text


def image_blocks(images: Sequence[str] | None = None) -> list[Block]:
    """Image blocks from data URLs (`data:image/png;base64,…`). One without a `:` is a ValueError."""
    return [_image_block(url) for url in images or ()]


def _image_block(url: str) -> Block:
    # Split at every comma, but only the first two parts are looked at.
    head, *rest = url.split(",")
    _, colon, media = head.partition(":")
    if not colon:
        raise ValueError(f"not a data URL: {url[:40]!r}")
    media_type = media.split(":")[0].split(";")[0]
    data = rest[0] if rest else None
    return {"type": "image", "source": {"type": "base64", "media_type": media_type, "data": data}}


# --- how results join in the user's next message ----------------------------------------------------------------------


def push_tool_result(label: str, result: str | Sequence[Block]) -> list[Block]:
    """The blocks that a result adds: `<label> Result:`, then the text or the blocks, nothing joined."""
    head = text_block(f"{label} Result:")
    if isinstance(result, str):
        return [head, text_block(result or _CATALOGUE["no_output"])]
    return [head, *result]


def resumption(words: str) -> str:
    """What the user says when a saved task is taken up again."""
    text: str = _CATALOGUE["resumption_with_words"]
    return text.format(words=words)
