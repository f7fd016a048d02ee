"""A recorded session (`~/.claude/projects/*/*.jsonl`): how full the window was by turn.

Lines that are no JSON objects or no messages of the main conversation are counted and skipped. Where an answer
reports its usage, the fill is what it reports; messages after it are estimated. The agent writes an answer as one
line per block, each with the answer's id: these are one turn. The forms are those of recorded runs of both versions.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from promptscope_engine.agents.claude_code.gather.machine import find_repository
from promptscope_engine.agents.claude_code.gather.memory import memory_folder
from promptscope_engine.agents.claude_code.versions import config_folder
from promptscope_engine.agents.claude_code.window import mcp_result, result_chars
from promptscope_engine.agents.kit.conversation import (
    IMAGE_TOKENS,
    Lines,
    Object,
    found_file,
    head_of,
    message,
    number_of,
    object_of,
    objects_in,
    text_of,
)
from promptscope_engine.agents.transcripts import Result, Role, TranscriptFile, Turn, newest_first
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.workspace import Workspace

_USED = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")
_TYPES = frozenset({
    "user", "assistant", "system", "summary", "attachment", "queue-operation", "file-history-snapshot", "last-prompt",
    "mode", "permission-mode", "custom-title",
})  # fmt: skip
"""Kinds of entry that a session was seen to begin with, or may."""


def is_transcript(head: bytes) -> bool:
    """Whether a file that begins so is a session: an entry of a known kind, of a session or with a message."""
    first = head_of(head)
    return first.get("type") in _TYPES and any(key in first for key in ("sessionId", "message", "leafUuid", "snapshot"))


@dataclass
class Reader(Lines):
    """Reads a session. Its limits go by BASH_MAX_OUTPUT_LENGTH and MAX_MCP_OUTPUT_TOKENS."""

    form: str = "session of Claude Code"
    _answer: str = ""
    """The id of the answer that the last turn belongs to."""
    _called: dict[str, str] = field(default_factory=dict)
    """The tool of each call that has no result yet, by its id."""
    _sizes: dict[str, int] = field(default_factory=dict)
    """Tokens of each message since the last compaction, by its id: a compaction may keep some of them."""

    def take(self, entry: Object) -> None:
        """A line's object."""
        self.version = text_of(entry.get("version")) or self.version
        if entry.get("type") == "system" and entry.get("subtype") == "compact_boundary":
            self._compaction(entry)
            return
        said = entry.get("message")
        role = entry.get("type")
        if role not in ("user", "assistant") or not isinstance(said, dict) or entry.get("isSidechain") is True:
            self.other += 1
        elif role == "assistant":
            self._assistant(entry, said)
        else:
            self._user(entry, said)

    def _compaction(self, entry: Object) -> None:
        """The prompt remains and what the entry says is kept; the summary follows as a message of its own."""
        what = object_of(entry.get("compactMetadata"))
        kept = object_of(what.get("preservedMessages")).get("uuids")
        names = kept if isinstance(kept, list) else []
        remains = sum(self._sizes.get(name, 0) for name in names if isinstance(name, str))
        before = number_of(what.get("preTokens"))
        words = ", ".join(filter(None, (text_of(what.get("trigger")), f"at {before:,} tokens" if before else "")))
        self.ledger.compact(self.line, remains, words, text_of(entry.get("timestamp")))
        self._answer = ""
        self._sizes.clear()

    def _assistant(self, entry: Object, said: Object) -> None:
        content = said.get("content")
        self.model = text_of(said.get("model")) or self.model
        for block in objects_in(content):
            if _is(block, "tool_use"):
                self._called[text_of(block.get("id"))] = text_of(block.get("name"))
        turn = self._turn("assistant", entry, content, shown=_said(content), reported=_usage(said.get("usage")))
        answer = text_of(said.get("id"))
        if answer and answer == self._answer:
            self.ledger.extend(turn)
        else:
            self.ledger.add(turn)
        self._answer = answer

    def _user(self, entry: Object, said: Object) -> None:
        content = said.get("content")
        results = [block for block in objects_in(content) if _is(block, "tool_result")]
        original = entry.get("toolUseResult") if len(results) == 1 else None
        shown = [*_said(content), *(text for block in results for text in _texts(block.get("content")))]
        returned = [self._result(block, original) for block in results]
        self.ledger.add(self._turn("user", entry, content, returned=returned, shown=shown))
        self._answer = ""

    def _turn(self, role: Role, entry: Object, content: Json, **more: Any) -> Turn:
        images, calls, at = _images(content), _calls(content), text_of(entry.get("timestamp"))
        turn = message(self.line, role, _texts(content), self.count, images=images, calls=calls, at=at, **more)
        self._sizes[text_of(entry.get("uuid"))] = turn.tokens
        return turn

    def _result(self, block: Object, original: Json) -> Result:
        """A result with what the agent's budget does to it."""
        texts = list(_texts(block.get("content")))
        tool = self._called.pop(text_of(block.get("tool_use_id")), "")
        tokens = sum(map(self.count, texts)) + IMAGE_TOKENS * _images(block.get("content"))
        characters = sum(map(len, texts))
        found = _cut(tool or "?", tokens, characters, original, self.variables)
        if not tool.startswith("mcp__"):
            return found
        sent, warned = mcp_result(tokens, self.variables)
        warning = found.remark or ("large: the agent warns of it" if warned else "")
        return replace(found, remark=f"over the limit of {sent:,} tokens" if sent < tokens else warning)


def _cut(tool: str, tokens: int, characters: int, original: Json, variables: Mapping[str, str]) -> Result:
    """`original` is the entry's own account: it has the size of an output that was written to a file."""
    size = number_of(object_of(original).get("persistedOutputSize")) if tool == "Bash" else 0
    whole = max(size, characters)
    sent = result_chars(tool, whole, variables)
    if sent == whole and not size:
        return Result(tool, tokens, characters)
    became = f"were cut to a stub of {characters:,}" if size else f"would be cut to a stub of {sent:,}"
    return Result(tool, tokens, characters, whole, f"{whole:,} characters {became}")


def _is(block: Object, kind: str) -> bool:
    return block.get("type") == kind


def _texts(content: Json) -> Iterator[str]:
    """The texts of a message, but for its calls and results."""
    if isinstance(content, str):
        yield content
    for block in objects_in(content):
        if block.get("type") in ("text", "thinking"):
            yield str(block.get("text") or block.get("thinking") or "")


def _said(content: Json) -> list[str]:
    """What was said, without what was thought."""
    if isinstance(content, str):
        return [content]
    return [text_of(block.get("text")) for block in objects_in(content) if _is(block, "text")]


def _calls(content: Json) -> list[tuple[str, str]]:
    called = (block for block in objects_in(content) if _is(block, "tool_use"))
    return [(text_of(block.get("name")), json.dumps(block.get("input"))) for block in called]


def _images(content: Json) -> int:
    return sum(block.get("type") in ("image", "document") for block in objects_in(content))


def _usage(usage: Json) -> int | None:
    """What the window held with the answer: input, written to and read from the cache, and output."""
    return sum(number_of(object_of(usage).get(key)) for key in _USED) or None


# --- which there are: `<config>/projects/<key>/*.jsonl`; names, sizes and times are looked at --------------------


def transcript_files(inputs: Inputs, workspace: Workspace) -> tuple[TranscriptFile, ...]:
    """This workspace's transcripts, then the others, each group newest first."""
    config = config_folder(inputs.env, inputs.home, inputs.workspace)
    # What is looked at here is not part of the prompt, so it is not to be watched.
    unwatched = workspace.snapshot()
    repository = find_repository(inputs.workspace, unwatched)
    places = {inputs.workspace, *((repository.root, repository.main_root) if repository else ())}
    mine = {memory_folder(config, place).split("/")[-2] for place in places}
    return newest_first(_found(f"{config}/projects", mine, unwatched))


def _found(projects: str, mine: set[str], workspace: Workspace) -> Iterator[TranscriptFile]:
    for project in workspace.list(projects).entries:
        folder = f"{projects}/{project.name}"
        for entry in workspace.list(folder).entries if project.kind == "directory" else ():
            if entry.kind == "file" and entry.name.endswith(".jsonl"):
                yield from found_file(f"{folder}/{entry.name}", workspace, project.name in mine, project.name)
