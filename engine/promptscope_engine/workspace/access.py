"""Which places may be read: a value, decided once for a scenario and compared with real paths."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from functools import cached_property

from msgspec import Struct


class AccessPolicy(Struct, frozen=True, dict=True):
    """The places that may be read: whole trees, and single folders with their own files and `.…` children.

    `follows_links`: a link in such a place may lead out of it.
    """

    trees: frozenset[str] = frozenset()
    folders: frozenset[str] = frozenset()
    follows_links: bool = False

    @classmethod
    def of(cls, trees: Iterable[str], folders: Iterable[str] = (), *, follows_links: bool = False) -> AccessPolicy:
        """A policy of these places."""
        return cls(frozenset(trees), frozenset(folders), follows_links)

    def with_trees(self, trees: Iterable[str]) -> AccessPolicy:
        """The same policy with more trees."""
        return AccessPolicy(self.trees.union(trees), self.folders, self.follows_links)

    def with_places_of(self, other: AccessPolicy) -> AccessPolicy:
        """The same policy with another one's places added."""
        return AccessPolicy(self.trees | other.trees, self.folders | other.folders, self.follows_links)

    def covers(self, other: AccessPolicy) -> bool:
        """Whether it has all places of another policy."""
        return self.trees >= other.trees and self.folders >= other.folders

    @cached_property
    def _prefixes(self) -> tuple[str, ...]:
        return tuple(tree.rstrip("/") + "/" for tree in self.trees)

    def admits(self, path: str, *, listing: bool) -> bool:
        """Whether a path is in one of the places; `listing`: as a folder whose names are read."""
        if path in self.trees or path.startswith(self._prefixes):
            return True
        if listing and path in self.folders:
            return True
        parent, name = posixpath.split(path)
        if not listing and parent in self.folders:
            return True
        # The dot folders of a parent directory (/work/.claude/rules/x.md) belong to that parent.
        while name:
            if name.startswith(".") and parent in self.folders:
                return True
            parent, name = posixpath.split(parent)
        return False
