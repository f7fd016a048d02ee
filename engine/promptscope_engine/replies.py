"""What an agent says besides its prompt: a catalogue of replies to tool calls, and how a task ends.

An agent that has them offers `replies` and `completion`; screens and commands draw both from what is here.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from promptscope_engine.formats.document import Json
from promptscope_engine.formats.yaml import YamlError, read_yaml
from promptscope_engine.inputs.errors import ScenarioError, unknown

from .agents.adapter import Describes
from .prompt.model import Confidence

PARENT = "the parent task"
"""Where the message of a sub-task that ended goes."""

Block = Mapping[str, Any]
"""A content block as it goes over the wire."""

InputKind = Literal["text", "number", "switch", "list"]

_WANTED: dict[InputKind, tuple[type, str]] = {
    "text": (str, "text"),
    "number": (int, "an integer"),
    "switch": (bool, "true or false"),
    "list": (list, "a list of strings"),
}


class Input(Struct, frozen=True):
    """What a reply is made from. `optional` inputs may be null: there, the agent was given nothing."""

    name: str
    kind: InputKind
    example: Json
    help: str
    optional: bool = False

    def parse(self, typed: str) -> Json:
        """What was typed as a value. Raises ScenarioError for what does not fit."""
        if self.optional and typed.strip() == "null":
            return None
        if self.kind == "text":
            return _unquoted(typed)
        try:
            value = read_yaml(typed).value if typed.strip() else [] if self.kind == "list" else typed
        except YamlError:
            value = typed
        return self.check(value)

    def check(self, value: Json) -> Json:
        """The value, if it fits. Raises ScenarioError."""
        wanted, words = _WANTED[self.kind]
        fits = isinstance(value, wanted) and (self.kind == "switch" or not isinstance(value, bool))
        if self.kind == "list" and fits:
            fits = all(isinstance(item, str) for item in value)
        if not fits and not (self.optional and value is None):
            raise ScenarioError(f"expected {words}, got {value!r}"[:200], where=self.name)
        return value

    def shown(self, value: Json) -> str:
        """A value as it is typed: on one line, so a text of several is quoted as JSON."""
        plain = isinstance(value, str) and "\n" not in value and _unquoted(value) == value and value != "null"
        return str(value) if plain else json.dumps(value, ensure_ascii=False)


def _unquoted(typed: str) -> str:
    """The text that a JSON string stands for; anything else as it is."""
    try:
        value = json.loads(typed) if typed.startswith('"') else typed
    except ValueError:
        return typed
    return value if isinstance(value, str) else typed


class Reply(Struct, frozen=True):
    """One reply of the catalogue: what it is for, what chooses it, and how it is made from its inputs."""

    name: str
    group: str
    purpose: str
    when: str
    """The condition that chooses it, as a sentence."""
    inputs: tuple[Input, ...]
    make: Callable[..., str | Sequence[Block]]
    confidence: Confidence = "stand-in"

    def values(self, given: Mapping[str, Json] | None = None) -> dict[str, Json]:
        """The inputs with their examples, and what was given in their place. Raises ScenarioError."""
        given = given or {}
        inputs = {each.name: each for each in self.inputs}
        for name in given:
            if name not in inputs:
                raise unknown(f"input of {self.name}", name, list(inputs))
        return {name: each.check(given.get(name, each.example)) for name, each in inputs.items()}

    def blocks(self, given: Mapping[str, Json] | None = None) -> tuple[Block, ...]:
        """The reply as content blocks. Raises ScenarioError for inputs that it cannot be made from."""
        try:
            made = self.make(**self.values(given))
        except ValueError as error:
            raise ScenarioError(str(error), where=self.name) from None
        return ({"type": "text", "text": made},) if isinstance(made, str) else tuple(made)


class Message(Struct, frozen=True):
    """A message that a step adds. `to` names another conversation that it goes to, as a parent task's."""

    role: Literal["user", "assistant"]
    blocks: tuple[Block, ...]
    to: str | None = None


class Turn(Struct, frozen=True):
    """What one step did: the messages it added, and what the agent told its surroundings, in order."""

    step: Json
    title: str
    messages: tuple[Message, ...] = ()
    events: tuple[tuple[Any, ...], ...] = ()
    note: str = ""
    mistakes: int = 0
    """Consecutive mistakes afterwards."""

    remarks: tuple[str, ...] = ()
    """What the agent's own guidelines have against what was said."""

    depth: int = 0
    """How many sub-tasks deep the conversation is that the messages belong to; 0: the task's own."""


class StepChoice(Struct, frozen=True):
    """A step that can be taken, with an example of what it says."""

    name: str
    help: str
    example: Json


class Completion(Struct, frozen=True):
    """How the agent ends a task, step by step.

    `play` makes a turn for each step on a system (as in `sys.platform`); it raises ScenarioError, naming the step, for
    one that makes no sense there.
    """

    choices: tuple[StepChoice, ...]
    play: Callable[[Sequence[Json], str], tuple[Turn, ...]]


def replies_of(agent: Describes) -> tuple[Reply, ...]:
    """The agent's catalogue; empty for an agent that has none."""
    found: tuple[Reply, ...] = getattr(agent, "replies", ())
    return found


def completion_of(agent: Describes) -> Completion | None:
    """The agent's way to end a task; None for an agent whose way is not modelled."""
    found: Completion | None = getattr(agent, "completion", None)
    return found


def find_reply(agent: Describes, name: str) -> Reply:
    """The reply of this name. Raises ScenarioError, naming the nearest ones."""
    replies = {reply.name: reply for reply in replies_of(agent)}
    if not replies:
        raise ScenarioError(f"{agent.name} has no catalogue of replies")
    if name not in replies:
        raise unknown(f"reply of {agent.name}", name, list(replies))
    return replies[name]


def block_text(block: Block) -> str:
    """A block as it is shown: its text, or what it is."""
    if block.get("type") == "text":
        return str(block.get("text", ""))
    source = block.get("source") or {}
    return f"[image {source.get('media_type', '')}, {len(str(source.get('data') or '')):,} characters of base64]"


def running_totals(turns: Sequence[Turn], count: Callable[[str], int]) -> Iterator[tuple[int, int]]:
    """(tokens, total) of each turn: what it adds to its conversation, and what that then holds.

    A sub-task has a conversation of its own; what it says to its parent counts there.
    """
    held = [0]
    for turn in turns:
        del held[turn.depth + 1 :]
        held += [0] * (turn.depth + 1 - len(held))
        size = sum(count_blocks(message.blocks, count) for message in turn.messages if message.to is None)
        up = sum(count_blocks(message.blocks, count) for message in turn.messages if message.to == PARENT)
        held[turn.depth] += size
        yield size, held[turn.depth]
        if turn.depth:
            held[turn.depth - 1] += up


def count_blocks(blocks: Sequence[Block], count: Callable[[str], int]) -> int:
    """The tokens of the texts in the blocks."""
    return sum(count(str(block["text"])) for block in blocks if block.get("type") == "text")
