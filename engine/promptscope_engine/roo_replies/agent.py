"""Roo with its replies, as the registry knows it."""

from importlib import import_module
from types import ModuleType

from promptscope_engine.agents.roo.agent import Roo
from promptscope_engine.replies import Completion, Reply


class RooWithReplies(Roo):
    """The agent, what it answers to tool calls, and how a task of it ends."""

    @property
    def replies(self) -> tuple[Reply, ...]:
        """The catalogue."""
        found: tuple[Reply, ...] = _module("catalogue").CATALOGUE
        return found

    @property
    def completion(self) -> Completion:
        """The steps in which a task ends."""
        found: Completion = _module("conversation").COMPLETION
        return found


def _module(name: str) -> ModuleType:
    """A module that no prompt needs and few look at."""
    return import_module(f"promptscope_engine.roo_replies.{name}")


ROO = RooWithReplies()
