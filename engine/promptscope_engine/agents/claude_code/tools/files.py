"""Tools on single files: Read, Write, Edit, NotebookEdit (specs/claude-code.md 6)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.claude_code import gates
from promptscope_engine.agents.claude_code.materials import Materials
from promptscope_engine.agents.claude_code.wording import fixed, lines
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import Piece, builtin

from .schema import ToolText, boolean, choice, integer, parameters, string

# --- Read -------------------------------------------------------------------------------------------------------------


def _read(m: Materials) -> Iterator[Piece]:
    long = m.gates.layout_is("A", "A'") & ~_bare_329(m)
    short = m.gates.layout_is("B") & ~_bare_329(m)
    yield from lines("tools.Read", _READ, when=long)
    yield builtin("tools.Read.no_reread", _READ_NO_REREAD, when=long & gates.IS_329)
    yield from lines("tools.Read.short", _READ_SHORT, when=short)
    yield builtin("tools.Read.bare", "Reads files, images, PDFs, notebooks.", when=_bare_329(m))


def _bare_329(m: Materials) -> Condition:
    """Bare mode of 2.1.329 describes its three tools in a few words [measured]."""
    return gates.IS_329 & m.gates.bare


_READ = {
    "purpose": "Takes a file from the local filesystem and shows you what is in it. With this tool you can reach any file directly, without going through a shell.\nTake it that the tool is able to read every file on the machine. If the user hands you the path of a file, assume that the path is valid. It is fine to read a file that does not exist; what comes back is an error.\n\nHow to use it:",
    "absolute": "- file_path has to be an absolute path, never a relative one",
    "limit": "- Without further parameters it reads up to 2000 lines from the top of the file",
    "part": "- When you know already which part of the file matters, ask for that part alone. With large files this counts.",
    "format": "- What you get is in the format of cat -n: lines carry numbers, counted from 1",
    "images": "- The tool lets Claude Code see images (PNG, JPG and so on). Claude Code is a multimodal LLM, so an image file is presented visually.",
    "pdf": '- It reads PDF files (.pdf) too. If a PDF is large (over 10 pages), you MUST say which pages you want in the pages parameter, as in pages: "1-5"; without it a large PDF fails. One request takes at most 20 pages.',
    "notebooks": "- It reads Jupyter notebooks (.ipynb files) and gives back every cell together with its output: code, text and visualizations in one.",
    "directories": "- It reads files and no directories. For a directory, run ls through the Bash tool.",
    "screenshots": "- You will often be asked to look at screenshots. Whenever the user gives the path of one, ALWAYS view the file at that path with this tool. It works with every temporary path, too.",
    "empty": "- Where a file exists but holds nothing, a system reminder stands in place of its contents.",
}
_READ_NO_REREAD = (
    "\n- Do not read a file over again to check on an edit: Edit and Write report when a change did not go through."
)
_READ_SHORT = {
    "purpose": "Shows you a file of the local filesystem.",
    "absolute": "\n- `file_path` is an absolute path. Up to 2000 lines are returned if you ask for no part; name a part with `offset` and `limit` when you know which one you need.",
    "format": "- Lines come numbered from 1, as cat -n prints them.",
    "kinds": '- Images are presented visually. Jupyter notebooks (.ipynb) come with all their cells and outputs. PDFs can be read as well; over 10 pages you have to choose with `pages` ("1-5", for instance; 20 pages at most).',
    "errors": "- A path that does not exist and a directory give an error, an empty file a system reminder.",
    "no_reread": "- Do not read a file over again to check on an edit: Edit and Write report when a change did not go through, and the harness keeps track of what the file holds.",
}

_PAGES = 'Which pages of a PDF file to read (as in "1-5", "3", "10-20"). Has an effect on PDF files only. One request takes at most 20 pages.'

READ_100 = ToolText(
    _read,
    parameters(
        {
            "file_path": string("Absolute path of the file that is to be read"),
            "offset": integer(
                "Number of the line at which reading begins. Give it only for files that are too large to be read at once",
                minimum=0,
            ),
            "limit": integer(
                "How many lines to read. Give it only for files that are too large to be read at once.",
                exclusiveMinimum=0,
            ),
            "pages": string(_PAGES),
        },
        "file_path",
    ),
)
READ_329 = ToolText(
    _read,
    parameters(
        {
            "file_path": string("Absolute path of the file that is to be read"),
            "offset": integer(
                "Number of the line at which reading begins, counted from 1. Give it when you know which part you need, or when the file is too large to be read at once; together with limit it pages through a long file. A number beyond the end of the file is reported as an error",
                minimum=0,
            ),
            "limit": integer(
                "How many lines to read, 2000 if nothing is said. Give it when you know which part you need, or when the file is too large to be read at once; the result tells you if there is more after it.",
                exclusiveMinimum=0,
            ),
            "pages": string(_PAGES),
        },
        "file_path",
    ),
)

# --- Write ------------------------------------------------------------------------------------------------------------


def _write(m: Materials) -> Iterator[Piece]:
    yield from lines("tools.Write", _WRITE, when=m.gates.layout_is("A", "A'"))
    yield from lines("tools.Write.short", _WRITE_SHORT, when=m.gates.layout_is("B"))


_WRITE = {
    "purpose": "Writes a file onto the local filesystem.\n\nHow to use it:",
    "overwrites": "- A file that is at the given path already is overwritten by this tool.",
    "read_first": "- If the file exists, you MUST have looked at its contents with the Read tool first. The tool fails if you did not read it before.",
    "prefer_edit": "- For changes to existing files prefer the Edit tool: it sends the difference only. Use this tool to make new files or to rewrite one completely.",
    "documentation": "- NEVER make documentation files (*.md) or READMEs unless the user explicitly asks for them.",
    "emojis": "- Emojis only if the user explicitly wants them. Without being asked, write none into files.",
}
_WRITE_SHORT = {
    "purpose": "Puts a file onto the local filesystem, in place of one that is there.",
    "use": "\nMeant for new files and for complete rewrites; a file that exists has to be Read before, or the call fails. Anything smaller is a matter for Edit.",
}
WRITE = ToolText(
    _write,
    parameters(
        {
            "file_path": string(
                "Absolute path of the file that is to be written (it has to be absolute, relative is refused)"
            ),
            "content": string("What the file is to hold"),
        },
        "file_path",
        "content",
    ),
)

# --- Edit -------------------------------------------------------------------------------------------------------------


def _edit(m: Materials) -> Iterator[Piece]:
    bare = _bare_329(m)
    yield from lines("tools.Edit", _EDIT, when=m.gates.layout_is("A", "A'") & ~bare)
    yield from lines("tools.Edit.short", _EDIT_SHORT, when=m.gates.layout_is("B") & ~bare)
    yield builtin("tools.Edit.bare", "Replaces a string in a file.", when=bare)


_EDIT = {
    "purpose": "Replaces strings in files, exactly as given.\n\nHow to use it:",
    "read_first": "- Before you edit a file, look into it with the `Read` tool at least once in this conversation. An edit of a file you have not read is an error. ",
    "indentation": "- Text that you take from Read's output must keep its exact indentation (tabs/spaces), as it stands AFTER the line number prefix. That prefix is made of the line number and a tab; what comes after it is the file's own content, which has to be matched. Let no part of the prefix get into old_string or new_string.",
    "prefer": "- Edit files that the codebase has already; ALWAYS prefer that. NEVER write new ones unless they are explicitly required.",
    "emojis": "- Emojis only if the user explicitly wants them. Unless you are asked, put none into files.",
    "unique": "- If `old_string` does not occur exactly once in the file, the edit FAILS. Take in more of the surrounding text to make it unique, or change every occurrence of `old_string` with `replace_all`. ",
    "replace_all": "- `replace_all` serves to replace and rename strings in the whole file, for instance to give a variable another name.",
}
_EDIT_SHORT = {
    "purpose": "Replaces a string in a file, exactly as given.",
    "rules": "\n- The file has to be Read in this conversation before, or the call fails.\n- `old_string` must match the file to the letter, indentation included and without Read's line number and tab, and must occur only once; with `replace_all` every occurrence is changed. Otherwise the edit fails, and nothing is written.",
}
EDIT = ToolText(
    _edit,
    parameters(
        {
            "file_path": string("Absolute path of the file that is to be changed"),
            "old_string": string("The text that is to be replaced"),
            "new_string": string("The text that takes its place (has to differ from old_string)"),
            "replace_all": boolean(
                "Whether every occurrence of old_string is replaced (false if not given)", default=False
            ),
        },
        "file_path",
        "old_string",
        "new_string",
    ),
)

# --- NotebookEdit -----------------------------------------------------------------------------------------------------

_NOTEBOOK = {
    "purpose": "Puts new source in place of what a certain cell of a Jupyter notebook (.ipynb file) holds. Such notebooks are interactive documents of code, text and visualizations, much used for data analysis and for scientific computing. The parameter notebook_path has to be an absolute path, never a relative one.",
    "cells": "The cell_number counts from 0, beginning with the first cell. With edit_mode=insert a new cell is added at the index given by cell_number, with edit_mode=delete the cell at that index is removed.",
}
_NOTEBOOK_329 = {
    "purpose": "Changes one cell of a Jupyter notebook (.ipynb file): replaces its source, inserts a new cell or deletes it.",
    "rules": "\n- The notebook has to be Read in this conversation before, or the call fails.\n- notebook_path has to be an absolute path, never a relative one.\n- cell_id is the `id` attribute shown in the `<cell id=\"...\">` tag of Read's output.\n- edit_mode is `replace` if nothing is said. `insert` adds a cell after the one with the given cell_id, or at the top of the notebook when there is no cell_id; it needs cell_type. `delete` takes the cell away.\n- new_source replaces the cell's source as a whole; outputs of a replaced code cell are dropped.",
}
_NOTEBOOK_SCHEMA = parameters(
    {
        "notebook_path": string(
            "Absolute path of the Jupyter notebook file to edit (it has to be absolute, relative is refused)"
        ),
        "cell_id": string(
            "ID of the cell to edit. A cell that is inserted comes after the one with this ID, or at the top if none is given."
        ),
        "new_source": string("The cell's new source"),
        "cell_type": choice(
            "What kind of cell it is (code or markdown). If it is not given, the present kind of the cell stays. Required with edit_mode=insert.",
            "code",
            "markdown",
        ),
        "edit_mode": choice(
            "What kind of edit it is (replace, insert, delete). Replace, if it is not given.",
            "replace",
            "insert",
            "delete",
        ),
    },
    "notebook_path",
    "new_source",
)
NOTEBOOK_EDIT_100 = ToolText(fixed("tools.NotebookEdit", _NOTEBOOK), _NOTEBOOK_SCHEMA)
NOTEBOOK_EDIT_329 = ToolText(fixed("tools.NotebookEdit", _NOTEBOOK_329), _NOTEBOOK_SCHEMA)
