"""Assemblies that are likely to be asked for again: those of the last scenarios."""

from msgspec import Struct

from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.learned.model import Learned
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.workspace import Workspace

KEPT = 8
"""Assemblies that are kept."""

SECTIONS = 200
"""Sections of an assembly that is kept at most: one of thousands of files takes megabytes, and half a second of the
worker, in which it hears of nothing else."""


class _Kept(Struct, frozen=True):
    scenario: Scenario
    assembly: Assembly
    forgotten: int
    learned: Learned | None


class AssemblyCache:
    """Assembles, and keeps the assemblies as long as nothing is forgotten that they were made of."""

    def __init__(self, workspace: Workspace, counter: Counter) -> None:
        self._workspace, self._counter = workspace, counter
        self._kept: list[_Kept] = []  # the last one first

    def find(self, scenario: Scenario) -> Assembly:
        """The assembly of a scenario. Raises ScenarioError for one that cannot be assembled."""
        if known := self._known(scenario):
            return known
        forgotten, learned = self._workspace.forgotten, self._workspace.learned
        assembly = assemble(scenario, self._workspace, self._counter)
        if len(assembly.sections) <= SECTIONS:
            self._keep(_Kept(scenario, assembly, forgotten, learned))
        return assembly

    def _known(self, scenario: Scenario) -> Assembly | None:
        found = next((each for each in self._kept if self._stands(each) and _same(each.scenario, scenario)), None)
        if found is None:
            return None
        resolve(scenario, self._workspace)  # as every assembly begins: the workspace learns what may be read
        if not self._stands(found):
            return None
        self._keep(found)
        return found.assembly

    def _stands(self, kept: _Kept) -> bool:
        return kept.forgotten == self._workspace.forgotten and kept.learned is self._workspace.learned

    def _keep(self, new: _Kept) -> None:
        self._kept = [new, *(each for each in self._kept if each is not new and self._stands(each))][:KEPT]


def _same(one: Scenario, other: Scenario) -> bool:
    """Whether two scenarios are one question.

    True equals 1, but is not written so; and equal ones that were not made from each other have times of their own.
    """
    if one is other:
        return True
    return one == other and repr(one) == repr(other) and one.environment.read_at == other.environment.read_at
