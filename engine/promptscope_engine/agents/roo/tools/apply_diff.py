"""apply_diff: one file, or several at once with the multi-file strategy (specs/roo.md 2.3)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.roo.gates import DIFF, MULTI_FILE_DIFF
from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.prompt.drafts import Choice, ParameterDraft, Piece, builtin, guarded, label

from .block import cwd, tool


@tool(
    "edit",
    when=DIFF,
    parameters=(
        ParameterDraft("args", when=MULTI_FILE_DIFF),
        ParameterDraft("path"),
        ParameterDraft("diff"),
        ParameterDraft("content", when=MULTI_FILE_DIFF),
        ParameterDraft("start_line", when=MULTI_FILE_DIFF),
    ),
    variant=Choice(((MULTI_FILE_DIFF, "several files"),), "one file"),
)
def apply_diff(materials: Materials) -> Iterator[Piece]:
    """Replacing exact lines of existing files."""
    yield from guarded(_single(materials), ~MULTI_FILE_DIFF)
    yield from guarded(_multi(materials), MULTI_FILE_DIFF)


def _blocks(*changes: tuple[int, str, str]) -> str:
    """SEARCH/REPLACE blocks: the line where each starts, what is there, what shall be there."""
    return "\n\n".join(
        f"<<<<<<< SEARCH\n:start_line:{line}\n-------\n{old}\n=======\n{new}\n>>>>>>> REPLACE"
        for line, old, new in changes
    )


_OLD = """\
def longest(words):
    best = ""
    for word in words:
        if len(word) > len(best):
            best = word
    return best"""

_NEW = """\
def longest(words):
    # the first one wins where several are equally long
    return max(words, key=len, default="")"""

_HEAD_OLD, _HEAD_NEW = 'def longest(words):\n    best = ""', 'def longest_word(words):\n    best = ""'
_TAIL_OLD, _TAIL_NEW = "            best = word\n    return best", "            best = word.lower()\n    return best"

_NUMBERED = """\
1 | def longest(words):
2 |     best = ""
3 |     for word in words:
4 |         if len(word) > len(best):
5 |             best = word
6 |     return best"""


def _single(materials: Materials) -> Iterator[Piece]:
    yield builtin(
        "apply_diff.description",
        """\
Description: Request exact changes of an existing file: stretches of its content are searched for and replaced by others. It is NOT a tool for rewriting; use it where individual lines of existing code have to be different.
One call can carry out several separate replacements: give a SEARCH/REPLACE block for each in the `diff` parameter. Of all the ways to edit a file in several places, this is the one to choose.
A SEARCH part must match what the file holds exactly, white space and indentation included.
Call read_file first if you have the slightest doubt about what the file says there.
A change may have consequences later in the file, such as a bracket without its partner: see to these as well.
However many changes there are to be made, gather them ALL in one 'apply_diff' request, with a SEARCH/REPLACE block for each.

""",
    )
    yield label("Parameters:\n- path: (required) ")
    yield builtin("apply_diff.path", "The file to change, relative to the workspace directory ")
    yield cwd(materials)
    yield label("\n- diff: (required) ")
    yield builtin("apply_diff.diff", "The block or blocks that say what changes.\n\nFormat of the diff:\n")
    yield label("```\n<<<<<<< SEARCH\n:start_line: ")
    yield builtin("apply_diff.format", "(required) number of the line at which the searched content starts")
    yield label("\n-------\n[")
    yield builtin("apply_diff.format", "the exact content to find, with its white space")
    yield label("]\n=======\n[")
    yield builtin("apply_diff.format", "the content to put in its place")
    yield label("]\n>>>>>>> REPLACE\n```\n\n")
    yield builtin("apply_diff.example", "Example: let this be the file:\n")
    yield builtin("apply_diff.example", f"```\n{_NUMBERED}\n```\n\n")
    yield builtin("apply_diff.example", "Search and replacement:\n")
    yield builtin("apply_diff.example", f"```\n{_blocks((1, _OLD, _NEW))}\n```\n\n")
    yield builtin("apply_diff.example", "The same file, changed in several places by one call:\n")
    yield builtin(
        "apply_diff.example", f"```\n{_blocks((1, _HEAD_OLD, _HEAD_NEW), (5, _TAIL_OLD, _TAIL_NEW))}\n```\n\n"
    )
    yield label("\nUsage:\n<apply_diff>\n<path>")
    yield builtin("apply_diff.usage", "path of the file")
    yield label("</path>\n<diff>\n")
    yield builtin(
        "apply_diff.usage",
        "The search and replacement content goes here; one diff may hold several blocks, each with a start_line of its own. The line ======= parts the two halves of a block and may occur just once in it: a second one would damage the file.",
    )
    yield label("\n</diff>\n</apply_diff>")


def _multi(materials: Materials) -> Iterator[Piece]:
    yield builtin(
        "apply_diff.multi.description",
        """\
Description: Request exact changes of one or more existing files: stretches of their content are searched for and replaced by others. It is NOT a tool for rewriting; use it where individual lines of existing code have to be different. It takes a single file as well as several in one request, and a request may touch different files in a coordinated way.

**IMPORTANT: Where several files have to change, you MUST combine them into one request; do not send one request per file. That is efficient, and it keeps the files consistent with each other.**

A SEARCH part must match what the file holds exactly, white space and indentation included.
Call read_file first if you have the slightest doubt about what the file says there.
A change may have consequences later in the file, such as a bracket without its partner: see to these as well.
However many changes there are to be made, gather them ALL in one 'apply_diff' request, with a SEARCH/REPLACE block for each.

""",
    )
    yield label("Parameters:\n- args: ")
    yield builtin("apply_diff.multi.args", "Holds one or more file elements. Each file element has:\n  ")
    yield label("- path: (required) ")
    yield builtin("apply_diff.multi.path", "The file to change, relative to the workspace directory ")
    yield cwd(materials)
    yield label("\n  - diff: (required) ")
    yield builtin("apply_diff.multi.diff", "One or more diff elements, each with:\n    ")
    yield label("- content: (required) ")
    yield builtin("apply_diff.multi.content", "The block that says what changes, in the format below.\n    ")
    yield label("- start_line: (required) ")
    yield builtin(
        "apply_diff.multi.start_line",
        "Number of the line in the original file at which the searched content starts.\n\nFormat of the diff:\n",
    )
    yield label("```\n<<<<<<< SEARCH\n:start_line: ")
    yield builtin("apply_diff.multi.format", "(required) number of the line at which the searched content starts")
    yield label("\n-------\n[")
    yield builtin("apply_diff.multi.format", "the exact content to find, with its white space")
    yield label("]\n=======\n[")
    yield builtin("apply_diff.multi.format", "the content to put in its place")
    yield label("]\n>>>>>>> REPLACE\n```\n\n")
    yield builtin("apply_diff.multi.example", "Example: let this be the file:\n")
    yield builtin("apply_diff.multi.example", f"```\n{_NUMBERED}\n```\n\n")
    yield builtin("apply_diff.multi.example", "Search and replacement in this one file:\n")
    yield builtin("apply_diff.multi.example", _request(("src/words.py", (_blocks((1, _OLD, _NEW)),))))
    yield builtin("apply_diff.multi.example", "\n\nSeveral places in it, and a second file, by one call:\n")
    yield builtin(
        "apply_diff.multi.example",
        _request(
            ("src/words.py", (_blocks((1, _HEAD_OLD, _HEAD_NEW)), _blocks((5, _TAIL_OLD, _TAIL_NEW)))),
            ("src/report.py", (_blocks((12, "from words import longest", "from words import longest_word")),)),
        ),
    )
    yield label("\n\n\nUsage:\n<apply_diff>\n<args>\n  <file>\n    <path>")
    yield builtin("apply_diff.multi.usage", "path of the file")
    yield label("</path>\n    <diff>\n      <content>\n")
    yield builtin(
        "apply_diff.multi.usage",
        "The search and replacement content goes here; one diff may hold several blocks, each with a start_line of its own. The line ======= parts the two halves of a block and may occur just once in it: a second one would damage the file.",
    )
    yield label("\n      </content>\n      <start_line>1</start_line>\n    </diff>\n  </file>\n  <file>\n    <path>")
    yield builtin("apply_diff.multi.usage", "path of another file")
    yield label("</path>\n    <diff>\n      <content>\n")
    yield builtin("apply_diff.multi.usage", "Another search and replacement goes here, in the same format.")
    yield label("\n      </content>\n      <start_line>5</start_line>\n    </diff>\n  </file>\n</args>\n</apply_diff>")


def _request(*files: tuple[str, tuple[str, ...]]) -> str:
    """A call that changes `files`: (path, SEARCH/REPLACE blocks)."""
    lines = ["<apply_diff>", "<args>"]
    for path, diffs in files:
        lines += ["  <file>", f"    <path>{path}</path>"]
        for diff in diffs:
            lines += ["    <diff>", f"      <content>\n{diff}\n      </content>", "    </diff>"]
        lines += ["  </file>"]
    return "\n".join([*lines, "</args>", "</apply_diff>"])
