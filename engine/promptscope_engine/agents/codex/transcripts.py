"""A recorded session, a rollout (`<CODEX_HOME>/sessions/YYYY/MM/DD/rollout-*.jsonl`), as runs of 0.169.0 wrote it.

A line is `{timestamp, type, payload}`. What goes to the model are the `response_item`s: those of developers, and the
parts of users that the harness writes, belong to the prompt. The items of one answer are one turn, and so are the
outputs that follow it. What an answer used is behind it, in a `token_usage_record` or, before those existed, in an
event `token_count`. `compacted` holds the history that remains.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field

from promptscope_engine.agents.codex.gather.gathering import codex_home
from promptscope_engine.agents.kit.sessions import conversation as kit
from promptscope_engine.agents.transcripts import Restored, TranscriptFile, Turn
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.workspace import Workspace

_OUTPUTS = ("function_call_output", "custom_tool_call_output", "local_shell_call_output", "tool_search_output")
_SUMMARIES = ("compaction", "compaction_summary")
_OWN = ("# AGENTS.md instructions", "<environment_context>", "<user_instructions>", "<skill>", "<turn_aborted>")
"""How the user's parts begin that the harness writes, in files that do not tell the kind of each part."""


def is_transcript(head: bytes) -> bool:
    """Whether a file that begins so is a rollout: it begins with the session's own entry."""
    return kit.head_of(head).get("type") == "session_meta"


@dataclass
class Reader(kit.Lines):
    """Takes a rollout."""

    form: str = "rollout of Codex CLI"
    _open: str = ""
    """What the last turn may still be added to: an `answer`, or `results`."""
    _records: bool = False
    """Whether the file has usage records, which make the events superfluous."""
    _called: dict[str, str] = field(default_factory=dict)

    def take(self, entry: kit.Object) -> None:
        """A line's object."""
        payload = kit.object_of(entry.get("payload"))
        at = kit.text_of(entry.get("timestamp"))
        match entry.get("type"):
            case "response_item":
                self._item(payload, at)
            case "compacted":
                self._compacted(payload, at)
            case "token_usage_record":
                self._records = True
                self._used(payload.get("usage"))
            case "event_msg" if payload.get("type") == "token_count":
                info = kit.object_of(payload.get("info"))
                self.window = kit.number_of(info.get("model_context_window")) or self.window
                if not self._records:
                    self._used(info.get("last_token_usage"))
            case "session_meta":
                self.version = kit.text_of(payload.get("cli_version")) or self.version
                self.attended = _ATTENDED.get(kit.text_of(payload.get("source")))
                self.other += 1
            case "turn_context":
                self.model = kit.text_of(payload.get("model")) or self.model
                self.other += 1
            case _:
                self.other += 1

    def _used(self, usage: Json) -> None:
        """Only of an answer that is under way: a compaction's own request is told in the same way, and no turn."""
        if self._open:  # input counts what came from the cache, too
            total = kit.used(usage, "input_tokens", "output_tokens") or 0
            self.ledger.report(total, kit.cached(usage, "cached_input_tokens", whole="input_tokens"))
        if self._open == "answer":
            self._open = ""

    def _item(self, item: kit.Object, at: str) -> None:
        kind = item.get("type")
        if kind in _OUTPUTS:
            self._turn(self._returned(item, at), "results")
        elif kind == "message" and item.get("role") == "user":
            texts = list(_typed(item))
            if texts or _images(item):
                self._turn(kit.Message(texts, _images(item), at=at).turn(self.line, "user", self.count), "")
            else:
                self.other += 1
        elif (kind == "message" and item.get("role") != "assistant") or kind == "additional_tools":
            self.other += 1  # a part of the prompt
        else:
            self._turn(self._answered(item, at), "answer")

    def _turn(self, turn: Turn, kind: str) -> None:
        if kind and kind == self._open:
            self.ledger.extend(turn)
        else:
            self.ledger.add(turn)
        self._open = kind

    def _answered(self, item: kit.Object, at: str) -> Turn:
        """Words, thoughts or a call: of a thought that is encrypted the size is not known."""
        name = _name(item)
        given = item.get("arguments", item.get("input", item.get("action")))
        if name:
            self._called[kit.text_of(item.get("call_id"))] = name
        said = list(kit.texts_in(item.get("content")))
        thought = [kit.text_of(part.get("text")) for part in kit.objects_in(item.get("summary"))]
        calls = [(name, given if isinstance(given, str) else json.dumps(given))] if name else []
        message = kit.Message((*said, *thought), 0, calls, (), said, at=at, model=self.model)
        return message.turn(self.line, "assistant", self.count)

    def _returned(self, item: kit.Object, at: str) -> Turn:
        output = item.get("output")
        texts = [output] if isinstance(output, str) else list(kit.texts_in(output))
        if isinstance(output, dict):
            texts = [kit.text_of(output.get("content")) or json.dumps(output)]
        tool = self._called.pop(kit.text_of(item.get("call_id")), "")
        return kit.returned(self.line, [(tool, texts)], self.count, at)

    def _compacted(self, payload: kit.Object, at: str) -> None:
        """What remains is told item by item, the prompt with it. A summary that is encrypted cannot be counted."""
        history = list(kit.objects_in(payload.get("replacement_history")))
        kept = [text for item in history for text in _kept(item)]
        summary = kit.text_of(payload.get("message"))
        remains = sum(map(self.count, kept if history else [summary]))
        words = summary or (
            "summary encrypted, not counted" if any(i.get("type") in _SUMMARIES for i in history) else ""
        )
        self.ledger.compact(self.line, remains, words, at)
        if history:
            said = [text for item in history if item.get("role") == "user" for text in _typed(item)]
            told = [text for text in said if not (summary and summary in text)]
            self.ledger.restore(Restored("said", text, len(text)) for text in told)
        self._open = ""


_ATTENDED = {"cli": True, "exec": False}


def _kept(item: kit.Object) -> Iterator[str]:
    """The texts of an item that remains, unless it is a part of the prompt."""
    if item.get("type") == "message" and item.get("role") == "user":
        yield from _typed(item)
    elif item.get("type") == "message" and item.get("role") == "assistant":
        yield from kit.texts_in(item.get("content"))


def _typed(item: kit.Object) -> Iterator[str]:
    """What a person typed of a user's message. Newer files tell the kind of each part."""
    kinds = kit.object_of(item.get("internal_chat_message_metadata_passthrough")).get("content_item_kinds")
    parts = list(kit.objects_in(item.get("content")))
    for number, part in enumerate(parts):
        text = kit.text_of(part.get("text"))
        kind = kit.text_of(kinds[number]) if isinstance(kinds, list) and number < len(kinds) else ""
        own = not kind.startswith("user.") if kind else text.lstrip().startswith(_OWN)
        if text and not own:
            yield text


def _images(item: kit.Object) -> int:
    return sum(part.get("type") == "input_image" for part in kit.objects_in(item.get("content")))


def _name(item: kit.Object) -> str:
    """The tool that an item calls; "" for words and thoughts. The service's own tools are named by their item."""
    kind = kit.text_of(item.get("type"))
    if kind in ("message", "reasoning"):
        return ""
    name = kit.text_of(item.get("name"))
    space = kit.text_of(item.get("namespace"))
    return f"{space}.{name}" if space and name else name or kind.removesuffix("_call")


# --- which there are --------------------------------------------------------------------------------------------------


def transcript_files(inputs: Inputs, workspace: Workspace) -> tuple[TranscriptFile, ...]:
    """This workspace's rollouts, then the others, each group newest first."""
    home = codex_home(inputs)
    disk = kit.unwatched(workspace, home)
    paths = [*kit.files_below(f"{home}/sessions", "*/*/*", (".jsonl",), disk)]
    paths += kit.files_below(f"{home}/archived_sessions", "", (".jsonl",), disk)
    return kit.sessions(disk, paths, inputs)
