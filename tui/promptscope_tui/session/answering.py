"""What answers a job of the worker: the assembly with what changed, then what is found out about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec.structs import replace

from promptscope_engine.assembly.assembler import totals
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.tokens.encodings import EncodingDataError, load
from promptscope_engine.tokens.models import get_tokenizer

from .changes import ChangeLog
from .findings import Tools, Update, findings
from .history import AssemblyCache
from .worker import Job

if TYPE_CHECKING:  # not loaded for the first frame
    from promptscope_engine.checks.live import LiveCheck


class Answering:
    """Answers one job after the other, in the worker."""

    def __init__(self, tools: Tools, clock: Callable[[], datetime]) -> None:
        self._tools = tools
        self._answers = AssemblyCache(tools.workspace, tools.counter, tools.knowledge)
        self._changes = ChangeLog(tools.workspace, clock, tools.knowledge)

    def answer(self, job: Job, scenario: Scenario, first: Scenario) -> Iterator[Update]:
        """The assembly, then what is found out about it.

        `scenario` is the job's with its workspace named from the root, `first` the one that the session began with.
        """
        workspace, counter = self._tools.workspace, self._tools.counter
        assembly = self._answers.find(scenario)
        plain, knowledge = without_edits(scenario), self._tools.knowledge()
        before = totals(plain, workspace, counter, knowledge).expected if assembly.edited else None
        self._changes.look(job.scenario, assembly, counter)
        yield lambda now: replace(self._changes.answered(now, assembly, job, first), unedited=before)
        if not workspace.is_dir(assembly.workspace):
            gone = ScenarioError(f"the folder {assembly.workspace} is gone")
            yield lambda now: replace(now, error=gone, gone=True)
        yield from findings(scenario, assembly, self._tools, self.live_check)
        encoding = get_tokenizer(assembly.tokens.tokenizer).encoding
        if encoding is not None and not self._tools.cancelled():
            with suppress(EncodingDataError):
                load(encoding)  # the first save need not wait for it

    @cached_property
    def live_check(self) -> LiveCheck:
        """What checks the prompt that is shown."""
        from promptscope_engine.checks.live import LiveCheck

        return LiveCheck(self._tools.counter)


def without_edits(scenario: Scenario) -> Scenario:
    """The scenario with the prompt as the agent makes it."""
    return scenario.model_copy(update={"edits": []})
