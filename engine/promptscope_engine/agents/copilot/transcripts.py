"""A recorded session, `~/.copilot/session-state/ID/events.jsonl`, as runs of 1.0.102 wrote it.

A line is `{type, data, timestamp}`. What a tool returned is in `tool.execution_complete`. No line tells what an answer
used but `session.shutdown`, which tells what the window holds at the end.
"""

import json
from dataclasses import dataclass, field

from promptscope_engine.agents.copilot.gather.session import copilot_home
from promptscope_engine.agents.kit.sessions import conversation as kit
from promptscope_engine.agents.transcripts import TranscriptFile
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.workspace import Workspace


def is_transcript(head: bytes) -> bool:
    """Whether a file that begins so is a session: it begins with its own entry."""
    first = kit.head_of(head)
    return first.get("type") == "session.start" and "copilotVersion" in kit.object_of(first.get("data"))


@dataclass
class Reader(kit.Lines):
    """Takes a session."""

    form: str = "session of GitHub Copilot CLI"
    _called: dict[str, str] = field(default_factory=dict)

    def take(self, entry: kit.Object) -> None:
        """A line's object."""
        data, at, kind = kit.object_of(entry.get("data")), kit.text_of(entry.get("timestamp")), entry.get("type")
        if kind == "user.message":
            typed = kit.text_of(data.get("content"))
            text = kit.text_of(data.get("transformedContent")) or typed
            self.add(kit.Message([text], shown=[typed], at=at).turn(self.line, "user", self.count))
        elif kind == "assistant.message":
            requests = [*kit.objects_in(data.get("toolRequests"))]
            self._called |= {kit.text_of(each.get("toolCallId")): kit.text_of(each.get("name")) for each in requests}
            calls = [(kit.text_of(each.get("name")), json.dumps(each.get("arguments"))) for each in requests]
            self.model = kit.text_of(data.get("model")) or self.model
            said = [kit.text_of(data.get("content")), kit.text_of(data.get("reasoningText"))]
            message = kit.Message(said, calls=calls, shown=said[:1], at=at, model=self.model)
            self.add(message.turn(self.line, "assistant", self.count))
        elif kind == "tool.execution_complete":
            told = kit.object_of(data.get("result")) or kit.object_of(data.get("error"))
            text = kit.text_of(told.get("content")) or kit.text_of(told.get("message"))
            tool = self._called.pop(kit.text_of(data.get("toolCallId")), "")
            self.add(kit.returned(self.line, [(tool, [text])], self.count, at), results=True)
        elif kind == "session.compaction_complete" and data.get("success") is not False:
            words = kit.text_of(data.get("summaryContent"))
            total = kit.number_of(data.get("postCompactionTokens"))
            self.ledger.compact(self.line, self.count(words), words, at, total=total)
        else:
            self._other(kind, data)

    def _other(self, kind: object, data: kit.Object) -> None:
        self.other += 1
        if kind == "session.start":
            self.version = kit.text_of(data.get("copilotVersion")) or self.version
            self.model = kit.text_of(data.get("selectedModel")) or self.model
        elif kind == "session.shutdown":
            self.ledger.report(kit.number_of(data.get("currentTokens")))


def transcript_files(inputs: Inputs, workspace: Workspace) -> tuple[TranscriptFile, ...]:
    """This workspace's sessions, then the others, each group newest first."""
    home = copilot_home(inputs)
    disk = kit.unwatched(workspace, home)
    return kit.sessions(disk, kit.files_below(f"{home}/session-state", "*", ("events.jsonl",), disk), inputs)
