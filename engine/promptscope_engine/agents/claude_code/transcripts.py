"""A recorded session (`~/.claude/projects/*/*.jsonl`): how full the window was by turn.

Lines that are no JSON objects or no messages of the main conversation are counted and skipped. Where an answer
reports its usage, the fill is what it reports; messages after it are estimated. The agent writes an answer as one
line per block, each with the answer's id: these are one turn. The forms are those of recorded runs of both versions.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from msgspec.structs import replace

from promptscope_engine.agents.claude_code.gather.machine import find_repository
from promptscope_engine.agents.claude_code.gather.memory import memory_folder
from promptscope_engine.agents.claude_code.versions import config_folder
from promptscope_engine.agents.claude_code.window import EXEMPT, LARGE, is_exempt, mcp_result, result_chars
from promptscope_engine.agents.kit.sessions import conversation as kit
from promptscope_engine.agents.kit.sessions.conversation import Object, blocks_of, number_of, object_of, text_of
from promptscope_engine.agents.transcripts import Cached, Restored, Result, TranscriptFile, Turn
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
    first = kit.head_of(head)
    return first.get("type") in _TYPES and any(key in first for key in ("sessionId", "message", "leafUuid", "snapshot"))


@dataclass
class Reader(kit.Lines):
    """Reads a session. Its limits go by BASH_MAX_OUTPUT_LENGTH and MAX_MCP_OUTPUT_TOKENS."""

    form: str = "session of Claude Code"
    _answer: str = ""
    """The id of the answer that the last turn belongs to."""
    _called: dict[str, str] = field(default_factory=dict)
    """The tool of each call that has no result yet, by its id."""
    _restores: bool = False
    """Whether a compaction was the last thing before the answer to come."""
    _turns: dict[str, int] = field(default_factory=dict)
    """How many turns there were with each entry, by its id."""
    _sizes: dict[str, int] = field(default_factory=dict)
    """Tokens of each message since the last compaction, by its id: a compaction may keep some of them."""

    def take(self, entry: Object) -> None:
        """A line's object. What a person types behind an earlier entry than the last one takes back those between."""
        before = self._turns.get(text_of(entry.get("parentUuid")))
        is_typed = entry.get("type") == "user" and not entry.get("isMeta") and "toolUseResult" not in entry
        if before is not None and is_typed and entry.get("isSidechain") is not True:
            gone = self.ledger.rewind(before)
            self.rewound += gone
            self._restores = self._restores and not gone  # the compaction may be among them
        self._take(entry)
        if uuid := text_of(entry.get("uuid")):
            self._turns[uuid] = len(self.ledger.turns)

    def _take(self, entry: Object) -> None:
        self.version = text_of(entry.get("version")) or self.version
        self.attended = _ATTENDED.get(text_of(entry.get("entrypoint")), self.attended)
        if entry.get("type") == "system" and entry.get("subtype") == "compact_boundary":
            self._compaction(entry)
            return
        if entry.get("type") == "attachment" and self._restores:
            self.ledger.restore(_restored(object_of(entry.get("attachment"))))
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
        trigger = text_of(what.get("trigger"))
        words = ", ".join(filter(None, (trigger, kit.at_tokens(what.get("preTokens")))))
        self.ledger.compact(self.line, remains, words, text_of(entry.get("timestamp")))
        self.ledger.restore((), "auto" if trigger == "auto" else "compact")
        self._answer, self._restores = "", True
        self._sizes.clear()

    def _assistant(self, entry: Object, said: Object) -> None:
        blocks, at = blocks_of(said.get("content")), text_of(entry.get("timestamp"))
        self.model = text_of(said.get("model")) or self.model
        for block in kit.objects_in(said.get("content")):
            if block.get("type") == "tool_use":
                self._called[text_of(block.get("id"))] = text_of(block.get("name"))
        words, used = (*blocks.texts, *blocks.thoughts), kit.used(said.get("usage"), *_USED)
        message = kit.Message(
            words,
            blocks.images,
            blocks.calls,
            shown=blocks.texts,
            reported=used,
            at=at,
            cached=_cached(said),
            model=text_of(said.get("model")),
            reads=("Read", "file_path"),
            skills=("Skill", "skill"),
        )
        answer = text_of(said.get("id"))
        self._add(
            message.turn(self.line, "assistant", self.count), entry, continues=answer != "" and answer == self._answer
        )
        self._answer, self._restores = answer, False

    def _user(self, entry: Object, said: Object) -> None:
        blocks, at = blocks_of(said.get("content")), text_of(entry.get("timestamp"))
        original = entry.get("toolUseResult") if len(blocks.results) == 1 else None
        shown = [*blocks.texts, *(text for each in blocks.results for text in blocks_of(each.get("content")).texts)]
        returned = [self._result(block, original) for block in blocks.results]
        message = kit.Message((*blocks.texts, *blocks.thoughts), blocks.images, blocks.calls, returned, shown, at=at)
        self._add(message.turn(self.line, "user", self.count), entry, continues=False)
        self._answer = ""

    def _add(self, turn: Turn, entry: Object, *, continues: bool) -> None:
        """A message, which `continues` the one before."""
        self._sizes[text_of(entry.get("uuid"))] = turn.tokens
        (self.ledger.extend if continues else self.ledger.add)(turn)

    def _result(self, block: Object, original: Json) -> Result:
        """A result with what the agent's budget does to it."""
        content = blocks_of(block.get("content"))
        tool = self._called.pop(text_of(block.get("tool_use_id")), "")
        found = kit.result_of(tool, (*content.texts, *content.thoughts), self.count, content.images)
        found = _cut(found, original, self.variables)
        if not tool.startswith("mcp__"):
            return found
        sent, warned = mcp_result(found.tokens, self.variables)
        warning = found.remark or ("large: the agent warns of it" if warned else "")
        return replace(found, remark=f"over the limit of {sent:,} tokens" if sent < found.tokens else warning)


_ATTENDED = {"cli": True, "sdk-cli": False}


def _restored(attachment: Object) -> Iterator[Restored]:
    """What an entry behind a compaction says is in the window again."""
    match attachment.get("type"):
        case "file":
            content = object_of(object_of(attachment.get("content")).get("file")).get("content")
            yield Restored("file", text_of(attachment.get("filename")), len(text_of(content)))
        case "invoked_skills":
            for skill in kit.objects_in(attachment.get("skills")):
                yield Restored("skill", text_of(skill.get("name")), len(text_of(skill.get("content"))))
        case "instructions":
            for file in kit.objects_in(attachment.get("files")):
                yield Restored("instructions", text_of(file.get("path")), len(text_of(file.get("content"))))


def _cached(said: Object) -> Cached | None:
    """What an answer says of the cache, and for how long entries were asked for."""
    usage = object_of(said.get("usage"))
    hour = number_of(object_of(usage.get("cache_creation")).get("ephemeral_1h_input_tokens"))
    read, written = _USED[2], _USED[1]
    return kit.cached(usage, read, written, lives=_HOUR if hour else _MINUTES)


_HOUR, _MINUTES = 3_600, 300


def _cut(found: Result, original: Json, variables: Mapping[str, str]) -> Result:
    """`original` is the entry's own account: it has the size of an output that was written to a file."""
    size = number_of(object_of(original).get("persistedOutputSize")) if found.tool == "Bash" else 0
    whole = max(size, found.characters)
    sent = result_chars(found.tool, whole, variables)
    if sent == whole and not size:
        return replace(found, exempt=EXEMPT) if whole > LARGE and is_exempt(found.tool) else found
    became = f"were cut to a stub of {found.characters:,}" if size else f"would be cut to a stub of {sent:,}"
    return replace(found, whole=whole, remark=f"{whole:,} characters {became}")


# --- which there are: `<config>/projects/<key>/*.jsonl`; names, sizes and times are looked at --------------------


def transcript_files(inputs: Inputs, workspace: Workspace) -> tuple[TranscriptFile, ...]:
    """This workspace's transcripts, then the others, each group newest first."""
    config = config_folder(inputs.env, inputs.home, inputs.workspace)
    # What is looked at here is not part of the prompt, so it is not to be watched.
    unwatched = workspace.snapshot()
    repository = find_repository(inputs.workspace, unwatched)
    places = {inputs.workspace, *((repository.root, repository.main_root) if repository else ())}
    mine = {memory_folder(config, place).split("/")[-2] for place in places}
    paths = kit.files_below(f"{config}/projects", "*", (".jsonl",), unwatched)
    return kit.sessions(unwatched, paths, inputs, here=lambda path: path.split("/")[-2] in mine)
