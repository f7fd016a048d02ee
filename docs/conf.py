"""The docs as a site: `uv run --group docs sphinx-build -W --keep-going docs site`.

The pages are written for GitHub, which shows them as they are; what differs on the site is done here.
"""

import os
import re
from importlib.metadata import version as installed
from os.path import normpath
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the tests look at what this makes of a page without it
    from sphinx.application import Sphinx

project = "promptscope"
author = copyright = "the promptscope authors"
release = version = installed("promptscope-tui")

extensions = ["myst_parser"]
myst_enable_extensions = ["html_image"]
myst_heading_anchors = 3
highlight_language = "none"  # indented blocks are shell commands, texts and their output

html_theme = "furo"
html_title = project
html_copy_source = False

REPOSITORY = os.environ.get("GITHUB_REPOSITORY")  # owner/name, which a workflow has
ADDRESS = f"{os.environ.get('GITHUB_SERVER_URL')}/{REPOSITORY}/blob/main" if REPOSITORY else ""
html_theme_options = {"source_edit_link": f"{ADDRESS}/docs/{{filename}}"} if ADDRESS else {}

_PAGES = {
    "README.md": "index.md",
    "ARCHITECTURE.md": "how-it-works.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
}
"""Documents beside `docs/`, and the pages that include them."""

_IMAGE = r"<picture>\s*<source media[^>]*>\s*<img alt=\"([^\"]*)\" src=\"(?:\.\./)?([^\"]*)\">\s*</picture>"
_LINK = re.compile(r"\[([^\]]+)\]\((?![a-z]+:|#)([^)#\s]+)(#[^)\s]*)?\)")


def for_the_site(text: str, folder: str) -> str:
    """Pictures for light and dark as the theme has them, and links out of `docs/` to a page or the repository.

    `folder` is where the document's own links begin, from the repository's root.
    """

    def link(found: re.Match[str]) -> str:
        words, target, anchor = found[1], normpath(f"{folder}/{found[2]}"), found[3] or ""
        if target.startswith("docs/"):
            return found[0]
        if target in _PAGES:
            return f"[{words}](/{_PAGES[target]}{anchor})"
        return f"[{words}]({ADDRESS}/{target}{anchor})" if ADDRESS else words

    text = re.sub(_IMAGE, _picture, text)
    return _LINK.sub(link, re.sub(r'(<img alt="[^"]*" src=")(?=screenshots/)', r"\1../", text))


def _picture(found: re.Match[str]) -> str:
    name = re.sub(r"-(?:dark|light)\.svg$", "", found[2])
    return "\n\n".join(
        f"```{{image}} ../{name}-{theme}.svg\n:alt: {found[1]}\n:class: only-{theme}\n```"
        for theme in ("light", "dark")
    )


def setup(app: "Sphinx") -> None:
    """Change what is read, before it is parsed: a text is the only item of a list, to be replaced in it."""
    app.connect("source-read", lambda _, name, text: text.append(for_the_site(text.pop(), f"docs/{name}/..")))
    app.connect("include-read", lambda _, _path, _page, text: text.append(for_the_site(text.pop(), ".")))
