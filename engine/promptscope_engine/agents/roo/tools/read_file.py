"""read_file: a simple form for some models, else a full one with or without several files and line ranges (2.3)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.roo.gates import PARTIAL_READS, SEVERAL_READS, SIMPLE_READ
from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.prompt.drafts import Choice, ParameterDraft, Piece, builtin, guarded, label, param_value

from .block import cwd, tool


@tool(
    "read",
    parameters=(
        ParameterDraft("args", when=~SIMPLE_READ),
        ParameterDraft("path"),
        ParameterDraft("line_range", required=False, when=~SIMPLE_READ & PARTIAL_READS),
    ),
    variant=Choice(
        (
            (SIMPLE_READ, "simple"),
            (SEVERAL_READS & PARTIAL_READS, "several files, line ranges"),
            (SEVERAL_READS, "several files, no ranges"),
            (PARTIAL_READS, "one file, line ranges"),
        ),
        "one file, no ranges",
    ),
)
def read_file(materials: Materials) -> Iterator[Piece]:
    """Reading one file, or several at once."""
    yield from guarded(_simple(materials), SIMPLE_READ)
    yield from guarded(_full(materials), ~SIMPLE_READ)


def _simple(materials: Materials) -> Iterator[Piece]:
    yield builtin(
        "read_file.simple.description",
        "Description: Request to see what a file contains. Each line of the answer carries its number (such as 7 | total = 0), which helps you to analyze code and to refer to it in diffs and in discussion. The text of PDF and DOCX files is extracted too; other binary files may come out wrong.\n",
    )
    yield label("Parameters:\n- path: (required) ")
    yield builtin("read_file.simple.path", "Path of the file to read, given relative to the workspace directory ")
    yield cwd(materials)
    yield label("\n\nUsage:\n<read_file>\n<path>")
    yield builtin("read_file.simple.usage", "path of the file")
    yield label("</path>\n</read_file>\n\n")
    yield builtin("read_file.simple.example", "Example: the settings of a package\n")
    yield builtin("read_file.simple.example", "<read_file>\n<path>setup.cfg</path>\n</read_file>")


def _full(materials: Materials) -> Iterator[Piece]:
    limit = param_value("settings.maxConcurrentFileReads", str(materials.params.settings.maxConcurrentFileReads))
    one = ~SEVERAL_READS
    yield builtin("read_file.description", "Description: Request to see what ")
    yield builtin("read_file.description.several", "one or more files contain", when=SEVERAL_READS)
    yield builtin("read_file.description.one", "a file contains", when=one)
    yield builtin(
        "read_file.description",
        ". Each line of the answer carries its number (such as 7 | total = 0), so that it can be referred to in diffs and in discussion.",
    )
    yield builtin(
        "read_file.ranges",
        " With line ranges you can read just the parts of a large file that matter.",
        when=PARTIAL_READS,
    )
    yield builtin(
        "read_file.formats",
        " The text of PDF and DOCX files is extracted too; other binary files may come out wrong.\n\n",
    )
    yield builtin("read_file.limit", "**IMPORTANT: One request may name at most ", when=SEVERAL_READS)
    yield limit.under(SEVERAL_READS)
    yield builtin(
        "read_file.limit", " files.** If more are needed, read them in several requests.\n\n", when=SEVERAL_READS
    )
    yield builtin(
        "read_file.limit.one",
        "**IMPORTANT: Several files in one request are switched off at present: each request may name a single file.**\n\n",
        when=one,
    )
    yield builtin(
        "read_file.line_range.why",
        "Where you can, **give line ranges**: efficient reading needs less memory and context.\n\n",
        when=PARTIAL_READS,
    )
    yield label("Parameters:\n- args: ")
    yield builtin("read_file.args", "holds one or more file elements; each has\n  ")
    yield label("- path: (required) ")
    yield builtin("read_file.path", "the file's path, relative to the workspace directory ")
    yield cwd(materials)
    yield label("\n  - line_range: (optional) ", when=PARTIAL_READS)
    yield builtin(
        "read_file.line_range",
        'lines to read, written "start-end", 1-based and inclusive; may be repeated in one file',
        when=PARTIAL_READS,
    )
    yield label("\n\nUsage:\n")
    yield from _call("path/to/file", "start-end")
    yield label("\n\n")
    yield builtin("read_file.examples", "Examples:\n\n1. A single file:\n")
    yield from _call("lib/prices.py", "1-1000")
    yield builtin("read_file.example.several", "\n\n2. Several files (up to the limit of ", when=SEVERAL_READS)
    yield limit.under(SEVERAL_READS)
    yield builtin("read_file.example.several", "):\n", when=SEVERAL_READS)
    yield from guarded(_files(), SEVERAL_READS)
    yield builtin("read_file.example.whole", "\n\n3. A file as a whole:\n", when=SEVERAL_READS)
    yield builtin("read_file.example.whole", "\n\n2. A file as a whole:\n", when=one)
    yield builtin(
        "read_file.example.whole",
        "<read_file>\n<args>\n  <file>\n    <path>pyproject.toml</path>\n  </file>\n</args>\n</read_file>\n\n",
    )
    yield builtin("read_file.strategy", "IMPORTANT: Read efficiently, in this way:\n")
    yield builtin(
        "read_file.strategy.together",
        "- Files that belong together, such as an implementation and its tests, MUST be read in a single request (up to ",
        when=SEVERAL_READS,
    )
    yield limit.under(SEVERAL_READS)
    yield builtin("read_file.strategy.together", " files)\n", when=SEVERAL_READS)
    yield builtin("read_file.strategy.first", "- Get ALL the context that you need before the first change is made\n")
    yield builtin(
        "read_file.strategy.ranges",
        """\
- Ask through line ranges for the parts you need and not for the whole of a large file
- Put ranges that adjoin each other (fewer than 10 lines apart) into one
- Keep ranges that lie further apart (more than 10 lines) separate
- Take in enough lines around a range to understand what is read, but no more than its purpose calls for
""",
        when=PARTIAL_READS,
    )
    yield builtin("read_file.strategy.rest", "- When more than ", when=SEVERAL_READS)
    yield limit.under(SEVERAL_READS)
    yield builtin(
        "read_file.strategy.rest",
        " files are needed, begin with the most important ones and leave the rest to later requests",
        when=SEVERAL_READS,
    )
    # Without that line its own line end remains: two newlines close the block (recorded: four before the next).
    yield label("\n", when=one)


def _call(path: str, lines: str) -> Iterator[Piece]:
    yield label("<read_file>\n<args>\n  <file>\n    <path>")
    yield builtin("read_file.call", path)
    yield label("</path>\n")
    yield label("    <line_range>", when=PARTIAL_READS)
    yield builtin("read_file.call", lines, when=PARTIAL_READS)
    yield label("</line_range>\n", when=PARTIAL_READS)
    yield label("  </file>\n</args>\n</read_file>")


def _files() -> Iterator[Piece]:
    yield builtin("read_file.example.several", "<read_file>\n<args>\n  <file>\n    <path>lib/prices.py</path>\n")
    yield label("    <line_range>1-50</line_range>\n    <line_range>100-150</line_range>\n", when=PARTIAL_READS)
    yield builtin("read_file.example.several", "  </file>\n  <file>\n    <path>tests/test_prices.py</path>\n")
    yield label("    <line_range>10-20</line_range>\n", when=PARTIAL_READS)
    yield label("  </file>\n</args>\n</read_file>")
