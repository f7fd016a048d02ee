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
    yield builtin("tools.Read.whole", _READ_WHOLE, when=long & gates.IS_100)
    yield builtin("tools.Read.part", _READ_PART, when=long & ~gates.IS_100)
    yield from lines("tools.Read", _READ_KINDS, before="\n", when=long)
    yield builtin("tools.Read.directories", _READ_DIRECTORIES_100, when=long & gates.IS_100)
    yield builtin("tools.Read.directories", _READ_DIRECTORIES, when=long & ~gates.IS_100)
    yield from lines("tools.Read", _READ_REST, before="\n", when=long)
    yield builtin("tools.Read.no_reread", _READ_NO_REREAD, when=long & ~gates.IS_100)
    yield from lines("tools.Read.short", _READ_SHORT, when=short)
    yield builtin("tools.Read.short.part", _READ_PART, when=short)
    yield from lines("tools.Read.short", _READ_SHORT_KINDS, before="\n", when=short)
    yield builtin("tools.Read.short.no_reread", _READ_NO_REREAD, when=short)
    yield builtin("tools.Read.bare", "Opens text, images, PDFs, notebooks.", when=_bare_329(m))


def _bare_329(m: Materials) -> Condition:
    """Bare mode of 2.1.329 describes its three tools in a few words [measured]."""
    return ~gates.IS_100 & m.gates.bare


_READ = {
    "purpose": "Opens a file of this machine and shows you its contents; no file on the disk is out of reach for this tool.\nA path that the user hands you may be taken as good, whatever file it leads to. Trying to open something that is not there does no harm: what comes back is an error, and you go on from it.",
    "usage": "\nUsage:",
    "absolute": "- Give file_path in absolute form; one relative to cwd is not taken",
    "limit": "- Unless told otherwise, it stops after the first 2000 lines of the file",
}
_READ_WHOLE = "\n- An offset and a limit may be passed, which helps with very long files; in general, though, leave both out, so that the whole of the file lies in front of you"
_READ_PART = "\n- Once you know which stretch of a file matters, read that stretch and nothing else. In long files this saves much."
_READ_FORMAT = "- Output has the shape that cat -n gives it: each line numbered, 1 the first"
_READ_KINDS = {
    "format": _READ_FORMAT,
    "images": "- Pictures (PNG, JPG and others) can be opened as well: the model behind Claude Code has eyes, and gets the picture itself to look at rather than the bytes it is made of.",
    "pdf": '- PDF documents (.pdf) work too. One with over 10 pages is read in portions only: you MUST pass pages and name a range there, for instance pages: "1-5", since without a range the call ends in an error. More than 20 pages in one request are refused.',
    "notebooks": "- For Jupyter notebooks (.ipynb) you are given all the cells, each with what it has put out: the code, the prose around it and the plots.",
}
_READ_DIRECTORIES_100 = (
    "\n- Directories are not files, and this tool refuses them. List one with ls, run through the Bash tool."
)
_READ_DIRECTORIES = (
    "\n- Directories are not files, and this tool refuses them. List one with a command of the shell tool instead."
)
_READ_REST = {
    "screenshots": "- Screenshots come up often. If the user names the path of one, do not answer without a look at it: ALWAYS open it with this tool, at exactly that path. Paths in temporary directories are no obstacle.",
    "empty": "- If there is a file but nothing in it, you are given a warning in the form of a system reminder where the text would be.",
}
_READ_NO_REREAD = "\n- After an edit there is nothing to read again. Had the change not gone in, Edit or Write would have failed, and the harness knows the new contents."
_READ_SHORT = {
    "purpose": "Shows what a file on this machine holds.",
    "absolute": "\n- `file_path` has to be absolute.",
    "limit": "- It stops after 2000 lines unless told.",
}
_READ_SHORT_KINDS = {
    "format": _READ_FORMAT,
    "kinds": '- Images are shown to you as images. PDFs need `pages` (as in "1-5") when they have more than 10 pages, with 20 pages to a request at most. Of a Jupyter notebook (.ipynb) you see every cell and what it has put out.',
    "errors": "- For a directory and for a path with nothing there you get an error, for an empty file a system reminder.",
}

_PATH_TO_READ = string("Which file to read, as an absolute path")
_OFFSET = integer(
    "The number of the line to begin with. Only needed where a file is too long to be read in one go", minimum=0
)
_LIMIT = integer("The number of lines wanted. Only needed where a file is too long for one go", above=0)
_PAGES = string(
    'Page range, for PDF files alone ("1-5", "3" or "10-20", for example). No request takes more than 20 pages.'
)
_READ_PARAMETERS = {"file_path": _PATH_TO_READ, "offset": _OFFSET, "limit": _LIMIT, "pages": _PAGES}
READ_100 = ToolText(_read, parameters(_READ_PARAMETERS, "file_path"))
READ_329 = ToolText(
    _read,
    parameters(
        {
            **_READ_PARAMETERS,
            "allow_large": boolean(
                "Set it to true to have a file returned although it is larger than one read usually gives back. Without it such a read ends in an error that tells the size, so that you can choose a part by offset and limit. Use it rarely: everything that is returned takes up room in the context window."
            ),
        },
        "file_path",
    ),
)

# --- Write ------------------------------------------------------------------------------------------------------------


def _write(m: Materials) -> Iterator[Piece]:
    yield from lines("tools.Write", _WRITE, when=m.gates.layout_is("A", "A'"))
    yield from lines("tools.Write.short", _WRITE_SHORT, when=m.gates.layout_is("B"))


_EMOJIS = "- Keep emojis out of files. They go in only where the user has told you that some are wanted."
_WRITE = {
    "purpose": "Puts text into a file on this machine.",
    "usage": "\nUsage:",
    "overwrites": "- What a file at that path held before is lost: the new content replaces it.",
    "read_first": "- A file that is there already must have been opened with the Read tool in this conversation before you write to it; if not, the call fails.",
    "prefer_edit": "- To change part of a file take Edit, which transmits the change alone. Write is for files that are not there yet, or are redone from top to end.",
    "documentation": "- Documentation (*.md files, READMEs) is written only if the user has asked for it in so many words.",
    "emojis": _EMOJIS,
}
_WRITE_SHORT = {
    "purpose": "Writes a file; one that is at the path already is replaced by it.",
    "use": "\nMeant for files that are new or redone as a whole. One that exists has to be opened with Read beforehand, or the call fails. To change parts of a file, Edit is the better choice.",
}
WRITE = ToolText(
    _write,
    parameters(
        {
            "file_path": string("Where the file goes, as an absolute path (a relative one is refused)"),
            "content": string("The text that the file is to hold"),
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
    yield builtin("tools.Edit.bare", "Exchanges text inside a file.", when=bare)


_EDIT = {
    "purpose": "Swaps one exact string in a file for another",
    "usage": "\nUsage:",
    "read_first": "- The file has to have gone through your `Read` tool at some point of this conversation; an edit of a file you have never looked at is turned down.",
    "indentation": "- When you copy text from what Read showed you, its leading whitespace (tabs or spaces) has to stay just as the file has it. Read puts a number and a tab in front of each line, and only what comes after these two is text of the file and can be matched. See to it that neither old_string nor new_string contains any of that prefix.",
    "prefer": "- ALWAYS rather edit a file the codebase has than add one. A new file NEVER appears unless required.",
    "emojis": _EMOJIS,
    "unique": "- An `old_string` that occurs more than once makes the edit FAIL, since it is not clear which is meant. Include more of the lines around it until only one place fits, or set `replace_all` to change them all.",
    "replace_all": "- With `replace_all` each occurrence in the file is changed in one call; handy when a variable, say, is to be called by another name from now on.",
}
_EDIT_SHORT = {
    "purpose": "Swaps one exact string in a file for another",
    "read_first": "\n- A file that you have not opened with Read in this conversation cannot be edited.",
    "match": "- `old_string` has to match to the letter, whitespace included, and at one place only. Leave out the line number and the tab that Read has put in front; they are not in the file.",
    "replace_all": "- `replace_all` changes each occurrence in the file.",
}
EDIT = ToolText(
    _edit,
    parameters(
        {
            "file_path": string("Which file to change, as an absolute path"),
            "old_string": string("The text to look for"),
            "new_string": string("The text to put there (not the same as what old_string says)"),
            "replace_all": boolean("Change each occurrence of old_string (off by default)", default=False),
        },
        "file_path",
        "old_string",
        "new_string",
    ),
)

# --- NotebookEdit -----------------------------------------------------------------------------------------------------

_NOTEBOOK = {
    "purpose": "Gives a cell of a Jupyter notebook (an .ipynb file) a new source, in place of all that it contained. A notebook mixes program code, explanations and plots in one document that can be run piece by piece; it is a common form for analysing data and for work in science. Pass notebook_path as an absolute path. Cells are counted from 0 by cell_number. If edit_mode is insert, a cell is put in at the position that cell_number names; if it is delete, the cell at that position goes.",
}
_NOTEBOOK_329 = {
    "purpose": "Changes one cell of a Jupyter notebook (an .ipynb file): its source or its being.",
    "usage": "\nUsage:",
    "read_first": "- The notebook has to be opened with Read before, in this same conversation; an edit without that is turned down.",
    "absolute": "- Give notebook_path in absolute form only.",
    "cell": "- cell_id is what Read shows as the id of a cell. Whoever wants to replace or to delete has to name it; for insert it may be missing.",
    "mode": "- edit_mode is replace unless you say otherwise. With insert, a new cell goes behind the one that cell_id names, or to the very start of the notebook where none is named; tell its cell_type then. With delete, the named cell is taken out of the notebook.",
}
_NOTEBOOK_SCHEMA = parameters(
    {
        "notebook_path": string("Which Jupyter notebook to edit, as an absolute path (relative ones are refused)"),
        "cell_id": string(
            "The cell to edit, by its ID. When a cell is inserted, it goes after the one that has this ID; without an ID it becomes the first of the notebook."
        ),
        "new_source": string("What the cell says from now on"),
        "cell_type": choice(
            "Whether the cell is code or markdown. Left out, a cell keeps the type that it has. When a cell is inserted (edit_mode=insert), it is required.",
            "code",
            "markdown",
        ),
        "edit_mode": choice(
            "What happens to the cell: replace (unless told otherwise), insert, delete.",
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
