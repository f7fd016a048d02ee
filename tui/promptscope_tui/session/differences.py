"""What was sent against the prompt: reading a capture, its two scenarios, and what differs between them."""

from collections.abc import Mapping

from msgspec import Struct

from promptscope_engine.agents.registry import OBSERVED, agent_ids
from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.captures.files import chosen, recording
from promptscope_engine.captures.model import Content
from promptscope_engine.captures.protocols import content_of
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.insight.fitting import best_fit
from promptscope_engine.insight.sent_blocks import Unpredictable, blocks_of
from promptscope_engine.insight.tally import PartTexts, Unexplained
from promptscope_engine.insight.verification import Verification, side_by_side
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.tokens.counter import counter_for
from promptscope_engine.wire.request import wire_json
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.paths import is_folder

from .session import Session
from .snapshot import Sent


class Differences(Struct, frozen=True):
    """A prediction compared with what was sent, with the texts of each part."""

    assembly: Assembly
    content: Content
    verification: Verification
    texts: Mapping[str, PartTexts]

    def text_of(self, place: Unexplained) -> str:
        """The characters that nothing predicted accounts for."""
        if place.channel == "tools":
            tool = self.content.tools[place.index]
            whole = tool.description + (wire_json(tool.schema) if tool.schema is not None else "")
        else:
            whole = blocks_of(self.content, Unpredictable(()))[place.channel][place.index].text
        return whole[place.offset : place.offset + place.length]


def read_sent(path: str, number: int, workspace: Workspace) -> Sent:
    """The request of a capture by its number; 0: the main one. Raises ScenarioError for what is no capture."""
    capture = recording(path, workspace)
    request = chosen(capture, number)
    assert request.protocol is not None
    name = capture.header.agent.removeprefix(OBSERVED)
    return Sent(
        path=path,
        capture=capture,
        request=request,
        content=content_of(request.protocol, request.path, request.body),
        agent=name if name in agent_ids() and request.label == "main" else None,
        numbers=tuple(each.index for each in capture.requests if each.protocol and each.body is not None),
    )


def observed(sent: Sent, now: Scenario) -> Scenario:
    """The scenario that shows the request as it was sent."""
    is_main = sent.capture.main is not None and sent.request.index == sent.capture.main.index
    params = {} if is_main else {"request": sent.request.index}
    return _started_alike(sent, now).model_copy(update={"capture": sent.path, "params": params})


def predicted(sent: Sent, session: Session) -> tuple[Scenario, tuple[str, ...]]:
    """The scenario whose prompt should have been sent, and each assumption in words.

    Raises ScenarioError for an agent that is not modelled.
    """
    base = _started_alike(sent, session.placed)
    counter = counter_for(base.model, session.counter.cache)
    fit = best_fit(sent.capture, sent.request, base, counter, session.workspace.snapshot(), knowledge=session.knowledge)
    return fit.scenario, fit.assumed


def _started_alike(sent: Sent, now: Scenario) -> Scenario:
    """Of the scenario in force, what does not belong to its agent; in the folder of the run, if that is still there."""
    cwd = sent.capture.header.cwd
    own = dict.fromkeys(("agent", "agent_version", "mode", "model", "capture"))
    place = cwd if cwd is not None and is_folder(cwd) else now.workspace
    return now.model_copy(update={**own, "params": {}, "reads": [], "workspace": place})


def find_differences(sent: Sent, session: Session, prediction: Scenario) -> Differences:
    """Compare what was sent with the scenario in force if that predicts it, else with the given prediction.

    Raises ScenarioError. It is assembled again: what is shown may be the answer to an earlier scenario.
    """
    now = session.placed
    asked = now if now.agent == sent.agent and now.capture is None else prediction
    counter = counter_for(asked.model, session.counter.cache)
    assembly = assemble(asked, session.workspace.snapshot(), counter, knowledge=session.knowledge)
    found, texts = side_by_side(assembly, sent.content, sent.capture)
    return Differences(assembly, sent.content, found, texts)


def section_of(text: str, assembly: Assembly) -> tuple[str, int] | None:
    """The section of a sent request in which a text begins, with the line in it, from 1."""
    lines = [line for line in text.split("\n") if line.strip()]
    for needle in ("\n".join(lines[:2]), lines[0] if lines else ""):
        for section in assembly.sections if needle else ():
            at = section.text.find(needle) if section.present else -1
            if at >= 0:
                return section.id, section.text.count("\n", 0, at) + 1
    return None
