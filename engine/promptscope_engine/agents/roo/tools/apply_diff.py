"""apply_diff: one file, or several at once with the multi-file strategy (specs/roo.md 2.3)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.roo.gates import DIFF, MULTI_FILE_DIFF
from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.conditions import mode_has
from promptscope_engine.draft import ParameterDraft, Piece, ToolDraft, builtin, guarded, label

from .block import block, cwd, variant


def apply_diff(materials: Materials) -> ToolDraft:
    """Replacing exact lines of existing files."""
    single = ~MULTI_FILE_DIFF
    return block(
        "apply_diff",
        "edit",
        (*guarded(_single(materials), single), *guarded(_multi(materials), MULTI_FILE_DIFF)),
        when=mode_has("edit") & DIFF,
        parameters=(
            ParameterDraft("args", when=MULTI_FILE_DIFF),
            ParameterDraft("path"),
            ParameterDraft("diff"),
            ParameterDraft("content", when=MULTI_FILE_DIFF),
            ParameterDraft("start_line", when=MULTI_FILE_DIFF),
        ),
        variant=variant(materials.facts, (MULTI_FILE_DIFF, "several files"), (single, "one file")),
    )


def _blocks(*changes: tuple[int, str, str]) -> str:
    """SEARCH/REPLACE blocks: the line where each starts, what is there, what shall be there."""
    return "\n\n".join(
        f"<<<<<<< SEARCH\n:start_line:{line}\n-------\n{old}\n=======\n{new}\n>>>>>>> REPLACE"
        for line, old, new in changes
    )


_OLD = """\
def calculate_total(items):
    total = 0
    for item in items:
        total += item
    return total"""

_NEW = '''\
def calculate_total(items):
    """The sum of all items, plus 10%"""
    return sum(item * 1.1 for item in items)'''

_HEAD_OLD, _HEAD_NEW = "def calculate_total(items):\n    sum = 0", "def calculate_sum(items):\n    sum = 0"
_TAIL_OLD, _TAIL_NEW = "        total += item\n    return total", "        sum += item\n    return sum"

_NUMBERED = """\
1 | def calculate_total(items):
2 |     total = 0
3 |     for item in items:
4 |         total += item
5 |     return total"""


def _single(materials: Materials) -> Iterator[Piece]:
    yield builtin(
        "apply_diff.description",
        """\
Description: Request PRECISE, targeted changes of an existing file: certain stretches of its content are searched for and replaced by others. The tool is meant for surgical edits ONLY, specific changes of code that is there.
One call can carry out several separate replacements: give a SEARCH/REPLACE block for each in the `diff` parameter. It is the preferred way to make several targeted edits of a file efficiently.
A SEARCH part must match what the file holds exactly, white space and indentation included.
Where you are not sure of the exact content, look at it first with the read_file tool.
When you apply diffs, remember to change also the brackets and other syntax further down that the change affects.
ALWAYS put as many of the changes as possible into a single 'apply_diff' request, by means of several SEARCH/REPLACE blocks.

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
    yield label(f"```\n{_NUMBERED}\n```\n\n")
    yield builtin("apply_diff.example", "Search and replacement:\n")
    yield label(f"```\n{_blocks((1, _OLD, _NEW))}\n```\n\n")
    yield builtin("apply_diff.example", "The same file, changed in several places by one call:\n")
    yield label(f"```\n{_blocks((1, _HEAD_OLD, _HEAD_NEW), (4, _TAIL_OLD, _TAIL_NEW))}\n```\n\n")
    yield label("\nUsage:\n<apply_diff>\n<path>")
    yield builtin("apply_diff.usage", "path of the file")
    yield label("</path>\n<diff>\n")
    yield builtin(
        "apply_diff.usage",
        "The search and replacement content goes here; one diff may hold several blocks, each with a start_line of its own. Put a single ======= line between what is searched and what replaces it, since further such lines corrupt the file.",
    )
    yield label("\n</diff>\n</apply_diff>")


def _multi(materials: Materials) -> Iterator[Piece]:
    yield builtin(
        "apply_diff.multi.description",
        """\
Description: Request PRECISE, targeted changes of one or more files: certain stretches of their content are searched for and replaced by others. The tool is meant for surgical edits ONLY, specific changes of code that is there. It takes a single file as well as several in one request, and a request may touch different files in a coordinated way.

**IMPORTANT: Where several files have to change, you MUST combine them into one request; do not send one request per file. That is efficient, and it keeps the files consistent with each other.**

A SEARCH part must match what the file holds exactly, white space and indentation included.
Where you are not sure of the exact content, look at it first with the read_file tool.
When you apply diffs, remember to change also the brackets and other syntax further down that the change affects.
ALWAYS put as many of the changes as possible into a single 'apply_diff' request, by means of several SEARCH/REPLACE blocks.

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
    yield label(f"```\n{_NUMBERED}\n```\n\n")
    yield builtin("apply_diff.multi.example", "Search and replacement in this one file:\n")
    yield label(_request(("eg.file.py", (_blocks((1, _OLD, _NEW)),))))
    yield builtin("apply_diff.multi.example", "\n\nSeveral places in it, and a second file, by one call:\n")
    yield label(
        _request(
            (
                "eg.file.py",
                (_blocks((1, _HEAD_OLD, _HEAD_NEW)), _blocks((4, _TAIL_OLD, _TAIL_NEW))),
            ),
            (
                "eg.file2.py",
                (
                    _blocks(
                        (
                            12,
                            "def greet(name):\n    return name",
                            'def greet(name):\n    return f"Hello {name}!"',
                        )
                    ),
                ),
            ),
        )
    )
    yield label("\n\n\nUsage:\n<apply_diff>\n<args>\n  <file>\n    <path>")
    yield builtin("apply_diff.multi.usage", "path of the file")
    yield label("</path>\n    <diff>\n      <content>\n")
    yield builtin(
        "apply_diff.multi.usage",
        "The search and replacement content goes here; one diff may hold several blocks, each with a start_line of its own. Put a single ======= line between what is searched and what replaces it, since further such lines corrupt the file.",
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
