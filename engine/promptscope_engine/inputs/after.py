"""What has happened in a session by the time of the request that is asked for: the scenario's `after`."""

from typing import Literal

from .models import Model, field

Event = Literal["compact", "auto", "clear", "resume", "turn"]
EVENTS: dict[Event, str] = {
    "compact": "/compact",
    "auto": "a compaction of its own",
    "clear": "/clear",
    "resume": "a resume",
    "turn": "another turn",
}
"""The events in words."""


class Exchange(Model):
    """An answer of the model, and what was said to it next. Texts as they were sent."""

    answer: str = field(default="", description="the answer's text; empty where it only calls a tool")
    tool: str = field(default="", description="the tool that it calls")
    input: str = field(default="", description="the call's input, as JSON")
    results: list[str] = field(default_factory=list, description="what the tool answered, text by text")
    files: list[str] = field(default_factory=list, description="the files that the call read")
    said: str = field(default="", description="what the user said next")
    sums_up: bool = field(default=False, description="the answer is the summary of an earlier compaction")

    @property
    def spoken(self) -> str:
        """The answer's text, or the input of its call where it has none."""
        return self.answer or self.input

    @property
    def follows(self) -> list[str]:
        """What came next: the tool's results, else what the user said."""
        return self.results or [self.said] * bool(self.said)


class After(Model):
    """A session under way, and what happened to it last. The files that it read are the scenario's `reads`."""

    event: Event = field(
        default="compact",
        description="what happened last: `/compact`, a compaction of the agent's own, `/clear`, a restart that goes on "
        "with the session, or nothing but another turn",
    )
    within: bool = field(
        default=False, description="of a compaction of the agent's own: it came between a tool's result and the answer"
    )
    refused: bool = field(default=False, description="it came because the service found the prompt too long")
    over: float | None = field(
        default=None,
        gt=1,
        description="of such a one: how many times its limit the prompt was; null: the service gave no numbers",
    )
    words: str = field(default="", description="what was typed behind `/compact`")
    summary: str | None = field(
        default=None, description="the summary; null: not known, and a short sample takes its place"
    )
    said: list[str] = field(default_factory=list, description="what the user said so far, oldest first")
    exchanges: list[Exchange] = field(default_factory=list, description="the last answers, oldest first")
    skills: list[str] = field(
        default_factory=list,
        description="skills that were invoked, oldest first; `NAME ARGUMENTS` for one with arguments",
    )
    replayed_reads: list[str] = field(
        default_factory=list,
        description="files among `reads` that were read before the session was resumed, oldest first",
    )
    replayed_skills: list[str] = field(default_factory=list, description="those invoked before the session was resumed")
    tools: list[str] = field(default_factory=list, description="tools that were used, in the order of their first use")
    changed: list[str] = field(
        default_factory=list, description="instruction files that changed on disk since they were sent"
    )
    model: str | None = field(default=None, description="the model before, of a session that goes on with another one")
    session_hooks: list[str] = field(
        default_factory=list,
        description="what SessionStart hooks print, of an agent that runs them for two causes at once",
    )
    turns: int = field(default=1, ge=1, description="user turns so far, the next one counted")
    answers: int | None = field(
        default=None, ge=0, description="answers so far; null: one for each turn before the next"
    )
    compactions: int = field(default=0, ge=0, description="compactions before this one")

    @property
    def compacts(self) -> bool:
        """Whether the conversation was summarised."""
        return self.event in ("compact", "auto")
