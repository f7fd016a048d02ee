"""The folders besides the project that the model hears about: `references` of the settings files [asked of 1.18.33].

They are those of the user's settings folder (or of OPENCODE_CONFIG_DIR in its place), of the project's files and of
its `.opencode` folders, also where the project's settings are disabled. No other settings count. What a stronger file
says of a name replaces all that a weaker one says.
"""

import re
from collections.abc import Iterator
from urllib.parse import quote

from promptscope_engine.agents.kit.disk.settings import mapping
from promptscope_engine.formats.document import Json
from promptscope_engine.javascript.text import join, js_trim, resolve

from .settings import Session, data_home, named_by, settings_files

KEYS = ("references", "reference")
"""The second is the older name: a file that has both is read for the first."""

_NO_NAME = re.compile(r"[/\s,`]")
_BRANCH = re.compile(r"(?!-)(?!.*\.\.)[A-Za-z0-9/_.-]+")
_GITHUB = re.compile(r"github:([^/\s]+/[^/\s]+)")
_SSH = re.compile(r"(?:[^@/\s]+@)?([^:/\s]+):(.+)")
_URL = re.compile(r"([a-z][a-z0-9+.-]*)://(?:[^/?]*@)?([^/?]*)([^?]*)(?:\?.*)?", re.IGNORECASE)
_PORTS = {"http": ":80", "https": ":443"}
_NO_SEGMENT = re.compile(r"[\s:\\]")


def references(session: Session) -> Iterator[tuple[str, str, str]]:
    """Name, folder and description, by name.

    Without a description it is for a person to choose alone, and `hidden` hides it only from them.
    """
    found: dict[str, tuple[Json, str]] = {}
    layers = {layer.path: layer for layer in session.layers if layer.path}
    base = named_by(session.inputs, "OPENCODE_CONFIG_DIR") or [session.config]
    for folder in (*base, *reversed(session.folders), *reversed(session.around)):
        for layer in (layers[path] for path in settings_files(folder) if path in layers):
            key = next((key for key in KEYS if key in layer.values), KEYS[0])
            found |= {name: (each, layer.folder) for name, each in layer.table(key).items()}
    for name, (said, folder) in sorted(found.items()):
        text, where = mapping(said).get("description"), _folder(session, mapping(said), folder)
        if isinstance(text, str) and where is not None and name and not _NO_NAME.search(name):
            yield name, where, text


def _folder(session: Session, said: Json, beside: str) -> str | None:
    """The folder of a reference; `beside` is that of the settings file."""
    values = mapping(said)
    repository, branch, path = (values.get(key) for key in ("repository", "branch", "path"))
    if isinstance(repository, str) and isinstance(branch, str | None):
        clone = _clone(repository)
        if clone is None or (branch and not _BRANCH.fullmatch(branch)):
            return None
        cloned = resolve(f"{data_home(session.inputs)}/repos", clone)
        return f"{cloned}@{quote(branch, safe='')}" if branch else cloned
    if not isinstance(path, str):
        return None
    if path.startswith("~/"):
        return join(session.home, path[2:])
    return path if path.startswith("/") else resolve(beside, path)


def _clone(repository: str) -> str | None:
    """Where a repository is cloned to, below the folder of all of them: its host, and its path there."""
    text = re.sub(r"#.*", "", js_trim(repository).removeprefix("git+")).rstrip("/").removesuffix(".git")
    if "://" in text:
        host, path = _of_url(text)
    elif found := _GITHUB.fullmatch(text):
        host, path = "github.com", found[1]
    elif found := _SSH.fullmatch(text):
        host, path = found[1], found[2]
    else:
        first, *rest = [each for each in text.split("/") if each] or [""]
        if "." in first or ":" in first or first == "localhost":
            host, path = first, "/".join(rest)
        else:
            host, path = "github.com", "/".join([first, *rest] if len(rest) == 1 else [])
    segments = [each.removesuffix(".git") for each in path.split("/") if each]
    if not segments or not all(map(_is_segment, segments)):
        return None
    return "/".join([*filter(None, host.lower().split(":")), *segments])


def _of_url(text: str) -> tuple[str, str]:
    """Host, with the port unless it is the usual one, and path of an address; no path where there is none."""
    found = _URL.fullmatch(text)
    if found is None or found[1].lower() == "file":
        return "", ""
    path = quote(resolve("/", found[3]), safe="!$%&'()*+,-./:;=@[]^_|~\\")
    return found[2].removesuffix(_PORTS.get(found[1].lower(), " ")), path


def _is_segment(text: str) -> bool:
    return text not in ("", ".", "..") and not _NO_SEGMENT.search(text)
