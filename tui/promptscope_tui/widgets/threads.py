"""Work in threads of the app."""

from collections.abc import Callable
from typing import TypeVar

from textual.dom import DOMNode
from textual.worker import get_current_worker

from promptscope_engine.inputs.errors import ScenarioError

T = TypeVar("T")


def in_thread(
    node: DOMNode, work: Callable[[], T], then: Callable[[T | ScenarioError], None], group: str = "default"
) -> None:
    """Work in a thread, then pass the result, or the error, to the app's thread.

    Newer work of the same group takes the place of older work, whose result is dropped.
    """

    def run() -> None:
        worker = get_current_worker()
        try:
            found: T | ScenarioError = work()
        except ScenarioError as error:
            found = error
        if not worker.is_cancelled:
            node.app.call_from_thread(then, found)

    node.run_worker(run, thread=True, exclusive=True, group=group)
