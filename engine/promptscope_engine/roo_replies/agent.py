"""Roo with its replies, as the registry knows it."""

from __future__ import annotations

from promptscope_engine.agents.roo.agent import Roo
from promptscope_engine.replies import Completion, Reply


class RooWithReplies(Roo):
    """The agent, what it answers to tool calls, and how a task of it ends."""

    @property
    def replies(self) -> tuple[Reply, ...]:
        from .catalogue import CATALOGUE  # few look at them, and a prompt needs none

        return CATALOGUE

    @property
    def completion(self) -> Completion:
        from .conversation import CompletionMachine

        return CompletionMachine()


ROO = RooWithReplies()
