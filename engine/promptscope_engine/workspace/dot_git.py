"""What a repository's own files say, without git: where they are, and the remotes."""

import posixpath
import re

from .paths import path_in
from .workspace import Workspace


def git_folder(workspace: Workspace, marker: str) -> str:
    """The folder of a repository's own files: its `.git`, or where a file of this name leads."""
    if workspace.kind(marker) != "file":
        return marker
    target = workspace.read(marker).text.partition("gitdir:")[2].strip()
    return path_in(posixpath.dirname(marker), target) if target else marker


def on_github(workspace: Workspace, marker: str) -> str:
    """OWNER/NAME of the repository on GitHub: of `origin`, else of the first remote; "" where that is elsewhere."""
    found = remotes(workspace, git_folder(workspace, marker))
    named = _GITHUB.match(found.get("origin") or next(iter(found.values()), ""))
    return f"{named[1]}/{named[2]}" if named else ""


_GITHUB = re.compile(r"(?:https?://(?:[^@/]*@)?|ssh://git@|git@)github\.com[:/]([\w.-]+)/([\w.-]+?)(?:\.git)?/?\Z")


def remotes(workspace: Workspace, folder: str) -> dict[str, str]:
    """The addresses of the remotes by name, as the `config` in such a folder has them: the first of each."""
    common = folder.partition("/worktrees/")[0]
    found: dict[str, str] = {}
    name = ""
    for line in map(str.strip, workspace.read(f"{common}/config").text.split("\n")):
        key, _, value = line.partition("=")
        if line.startswith("["):
            name = line.removeprefix('[remote "').removesuffix('"]') if line.startswith("[remote") else ""
        elif name and key.strip() == "url":
            found.setdefault(name, _unquoted(value.strip()))
    return found


def _unquoted(value: str) -> str:
    """A value without its quotes, and without the backslashes that keep what follows them."""
    return re.sub(r'\\(.)|"', lambda found: found[1] or "", value) if '"' in value else value
