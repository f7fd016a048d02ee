"""Paths as people read them."""

from __future__ import annotations

from promptscope_engine.prompt.model import Assembly


def short_path(path: str, assembly: Assembly) -> str:
    """A path without the workspace in front, or with the home folder as `~`."""
    base = assembly.workspace.rstrip("/") + "/"
    if base != "/" and path.startswith(base):
        return path[len(base) :]
    return home_short(path, assembly.home)


def short_text(text: str, assembly: Assembly) -> str:
    """A sentence with its paths shortened."""
    for folder, short in ((assembly.workspace, ""), (assembly.home, "~/")):
        if base := folder.rstrip("/"):
            text = text.replace(base + "/", short)
    return text


def home_short(path: str, home: str) -> str:
    """The path with the home folder as `~`."""
    home = home.rstrip("/")
    return f"~{path[len(home) :]}" if home and (path == home or path.startswith(home + "/")) else path
