"""Every reply of Roo's with its inputs and the condition that chooses it: the rows of catalogue.toml."""

from collections.abc import Callable, Sequence
from typing import Any, TypedDict, Unpack

from promptscope_engine.agents.roo.ignore import RooIgnore, RooProtected
from promptscope_engine.agents.roo.ignore import format_files_list as listed
from promptscope_engine.replies import Input, Reply

from . import format_response
from .diff import create_pretty_patch
from .instructions import fetch_instructions


class _Marks(TypedDict):
    """`rooignore`: the text of .rooignore, None for no handling of it. Whether ignored files and shields are shown."""

    rooignore: str | None
    show_ignored: bool
    shields: bool


def format_files_list(directory: str, files: Sequence[str], did_hit_limit: bool, **marks: Unpack[_Marks]) -> str:
    """Roo's list of files from what a person can type: files relative to the folder, or absolute."""
    root, rooignore = directory.rstrip("/"), marks["rooignore"]
    ignore = None if rooignore is None else RooIgnore(root, rooignore)
    protected = RooProtected(root) if marks["shields"] else None
    absolute = [file if file.startswith("/") else f"{root}/{file}" for file in files]
    return listed(root, absolute, did_hit_limit, ignore=ignore, show_ignored=marks["show_ignored"], protected=protected)


_MADE_HERE: dict[str, Callable[..., Any]] = {
    "create_pretty_patch": create_pretty_patch,
    "fetch_instructions": fetch_instructions,
    "format_files_list": format_files_list,
}


def _reply(row: dict[str, Any]) -> Reply:
    inputs, name = tuple(Input(**each) for each in row.get("inputs", ())), row["name"]
    return Reply(**row | {"inputs": inputs}, make=_MADE_HERE.get(name) or getattr(format_response, name))


CATALOGUE = tuple(map(_reply, format_response.ROWS))
"""In the order in which a task meets them."""
