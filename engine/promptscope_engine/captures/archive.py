"""Recordings as public archives keep them: a folder for each version of an agent.

`captures/AGENT/VERSION/variants/NAME/trace.jsonl`, such as the repository WEIFENG2333/phistory; or any files of
recordings below AGENT/VERSION.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from promptscope_engine.tokens.measured import version_numbers


class Archived(NamedTuple):
    """A file of an archive: whose it is, which version's, and which of its variants."""

    agent: str
    version: str
    variant: str
    path: Path


def archived(folder: Path) -> list[Archived]:
    """The recordings below a folder, by agent and rising version."""
    root = folder / "captures" if (folder / "captures").is_dir() else folder
    found = []
    for path in root.rglob("*.jsonl"):
        agent, *inner = path.relative_to(root).parts
        if len(inner) > 1:
            found.append(Archived(agent, inner[0], "/".join(inner[1:]), path))
    return sorted(found, key=lambda each: (each.agent, version_numbers(each.version), each.version, each.variant))


def first_of_versions(found: Iterable[Archived]) -> Iterator[Archived]:
    """The first variant of each version."""
    for _, variants in groupby(found, key=lambda each: each[:2]):
        yield next(variants)
