"""A recorded session, as 1.18.33 keeps it: its database, of which the session used last is read, or an `export`.

A message is an object with its parts: texts, calls of tools with what they answered, files. The part `compaction` asks
for a summary, which the answer marked so is: what was before is not sent any more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from promptscope_engine.agents.kit.disk.settings import object_in
from promptscope_engine.agents.kit.sessions import conversation as kit
from promptscope_engine.agents.kit.sessions.conversation import Ledger, Object, object_of, objects_in, text_of
from promptscope_engine.agents.opencode.gather.settings import data_home
from promptscope_engine.agents.transcripts import TranscriptFile
from promptscope_engine.formats.document import Json
from promptscope_engine.formats.sqlite import HEAD, DatabaseError, rows
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.workspace import Workspace

_LAST = "SELECT id, version FROM session WHERE parent_id IS NULL ORDER BY time_updated DESC LIMIT 1"
_MESSAGES = "SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id LIMIT 100000"
_PARTS = "SELECT message_id, data FROM part WHERE session_id = ? ORDER BY id LIMIT 1000000"


def is_transcript(head: bytes) -> bool:
    """Whether a file that begins so is a session, or the database of sessions."""
    if head.startswith(HEAD):
        return True
    return text_of(object_of(kit.head_of(head).get("info")).get("id")).startswith("ses_") or b'"id": "ses_' in head


@dataclass
class Reader(kit.Document):
    """Takes a session, or the database."""

    form: str = "session of OpenCode"

    def elements(self) -> Iterator[tuple[int, Object, str]]:
        """The messages of a session, or of the one of the database that was used last."""
        if not self._held.startswith(HEAD):
            yield from super().elements()
            return
        self.form = "database of OpenCode, the session used last"
        try:
            yield from ((number, message, "") for number, message in enumerate(self._stored(), 1))
        except DatabaseError as problem:
            yield 1, {}, problem.message

    def _stored(self) -> Iterator[Object]:
        """The messages of the session used last. Raises DatabaseError."""
        data = bytes(self._held)
        for name, version in list(rows(data, _LAST)):
            self.version = text_of(version)
            parts: dict[str, list[Json]] = {}
            for message, part in rows(data, _PARTS, name):
                parts.setdefault(message, []).append(object_in(part) or {})
            for message, info in rows(data, _MESSAGES, name):
                yield {"info": object_in(info) or {}, "parts": parts.get(message, [])}

    def read(self, messages: list[tuple[int, Object]], ledger: Ledger) -> tuple[int, str]:
        """Take the messages."""
        other, model, asked = 0, "", False
        for line, message in messages:
            info, parts = object_of(message.get("info")), message.get("parts")
            blocks, at = kit.blocks_of(parts), kit.moment_of(object_of(info.get("time")).get("created"))
            if info.get("role") == "user":
                asked = any(part.get("type") == "compaction" for part in objects_in(parts))
                if not asked:
                    ledger.add(kit.Message(blocks.texts, at=at).turn(line, "user", self.count))
            elif info.get("role") == "assistant":
                model = "/".join(filter(None, (text_of(info.get("providerID")), text_of(info.get("modelID")))))
                if asked or info.get("summary") is True:
                    ledger.compact(line, sum(map(self.count, (*blocks.texts, *blocks.thoughts))), at=at)
                else:
                    self._answer(line, info, blocks, ledger, at)
                asked = False
            else:
                other += 1
        return other, model

    def _answer(self, line: int, info: Object, blocks: kit.Blocks, ledger: Ledger, at: str) -> None:
        """An answer, then what its tools gave back."""
        words = (*blocks.texts, *blocks.thoughts)
        # with tools the answer is made of several requests, and the usage is that of the last
        told = object_of(info.get("tokens"))
        told = {**told, **object_of(told.get("cache"))}
        used = kit.used(told, "input", "output", "read", "write", total="total")
        cached = kit.cached(told, "read", "write")
        message = kit.Message(words, calls=blocks.calls, shown=blocks.texts, reported=used, at=at, cached=cached)
        ledger.add(message.turn(line, "assistant", self.count))
        if gave := [(text_of(each["toolName"]), [text_of(each["content"])]) for each in blocks.results]:
            ledger.add(kit.returned(line, gave, self.count, at))


def transcript_files(inputs: Inputs, workspace: Workspace) -> tuple[TranscriptFile, ...]:
    """The databases: one for all folders."""
    data = data_home(inputs)
    disk = kit.unwatched(workspace, data)
    return kit.sessions(disk, kit.files_below(data, "", (".db",), disk), inputs, here=lambda _: True)
