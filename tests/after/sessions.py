"""What a client does with the steps of a run: the requests that it makes, each with the scenario that predicts it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from promptscope_engine.agents.opencode.after import GO_ON

from .clients import UNKNOWN, Client
from .worlds import World

Json = Any


@dataclass(frozen=True)
class Asked:
    """A request: a summary of the conversation, or one of the session itself.

    `scenario` predicts one that a step begins with, or that follows a compaction; None for others.
    """

    step: int
    kind: Literal["main", "summary"]
    scenario: Json | None = None


@dataclass
class Session:
    """The session so far, as the scenario's `after` tells it."""

    client: Client
    world: World
    event: Json | None = None
    said: list[str] = field(default_factory=list)
    exchanges: list[Json] = field(default_factory=list)
    skills: list[str] = field(default_factory=list)
    replayed: list[str] = field(default_factory=list)
    replayed_reads: list[str] = field(default_factory=list)
    reads: list[str] = field(default_factory=list)
    last_reads: list[str] = field(default_factory=list)
    """The same by the last read of each."""
    tools: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    edited: list[str] = field(default_factory=list)
    restored: list[str] = field(default_factory=list)
    """The files that the last compaction brought back, as they were predicted: the session knows no others then."""
    kept: list[Json] = field(default_factory=list)
    """The exchanges that it kept, as they were predicted."""
    waiting: dict[str, Json] = field(default_factory=dict)
    """Files that were written and that the client, which runs, does not read before it is started anew."""
    answers: int = 0
    unsure: set[str] = field(default_factory=set)
    """Marks that may come or not: a branch's name lags behind a switch."""
    summarised: int = 0
    """How much of what was said a summary has."""
    resumed: bool = False
    model: str | None = None
    usage: int = 0
    since: int = 0
    compactions: int = 0

    def scenario(self, prompt: str) -> Json:
        """What is asked of promptscope: a first request, or one after the last event."""
        began = {None: "startup", "turn": "startup", "auto": "compact"}
        event = self.event["event"] if self.event else None
        found = self.client.scenario(self.world, prompt, began.get(event, event))
        if self.event is None:
            return found
        after = {
            **self.event,
            "summary": self.client.summarised,
            "said": self.said,
            "exchanges": self.exchanges,
            "skills": self.skills,
            "replayed_skills": self.replayed,
            "replayed_reads": self.replayed_reads,
            "tools": self.tools,
            "changed": self.client.told(self),
            "turns": max(len(self.said), 1),
            "answers": self.answers,
            "compactions": self.compactions,
            "model": self.model,
            "session_hooks": self.client.session_hooks(self),
        }
        return {**found, "after": after, "reads": self.reads}

    def run(self) -> Iterator[Asked]:
        """Every request that the steps lead to."""
        for number, step in enumerate(self.world.fill(self.world.situation["steps"])):
            self.world.step()
            self._change(step)
            if "say" in step:
                yield from self._say(number, step)

    def _change(self, step: Json) -> None:
        if "write" in step:
            now = {name: text for name, text in step["write"].items() if not self.client.has_read(name)}
            self.waiting |= {name: text for name, text in step["write"].items() if name not in now}
            self.world.write(now)
            self.changed += [str(self.world.root / name) for name in step["write"] if self.said]
        if "remove" in step:
            self.world.remove(step["remove"])
            self.changed += [str(self.world.root / name) for name in step["remove"]]
        if "run" in step:
            self.world.run(step["run"])
            self.unsure |= set(re.findall(r"git (?:checkout|switch) -\S+ -?\S* ?(ZQ[A-Z]+)", step["run"]))
        if "restart" in step:
            self.world.write(self.waiting)
            self.waiting = {}
        if step.get("fresh"):
            self._clear()
        elif "restart" in step:
            if self.event is None and (self.exchanges or self.compactions):
                self.event = {"event": "resume"}
            self.resumed = True
            if self.client.keeps_skills:  # and a process that starts knows of none
                self.replayed, self.skills = [*self.replayed, *self.skills], []
            if "--model" in step["restart"]:
                self.model = self.client.model
                self.client.model = step["restart"][step["restart"].index("--model") + 1]

    def _say(self, number: int, step: Json) -> Iterator[Asked]:
        command, _, words = step["say"].partition(" ")
        if command == self.client.compacts_by:
            yield from self._told_to_compact(number, words)
        elif command in ("/clear", "/new"):
            self._clear()
        else:
            said = step["say"].rstrip() if self.world.situation.get("tty") else step["say"]
            yield from self._turn(number, said, [*step.get("replies", []), {}])

    def _summarised(self, number: int) -> Iterator[Asked]:
        return (Asked(number, "summary") for _ in range(self.client.summaries))

    def _told_to_compact(self, number: int, words: str) -> Iterator[Asked]:
        if self.exchanges or self.compactions or self.client.compacts_nothing:
            yield from self._summarised(number)
        elif not self.client.sends_command:
            return
        if self.client.sends_command:  # and what was compressed is forgotten
            yield Asked(number, "main")
            self._answer({})
            self.event = None
        else:
            self._compact({"event": "compact", "words": words})

    def _turn(self, number: int, text: str, replies: list[Json]) -> Iterator[Asked]:
        self.since += len(text) + self.client.beside
        if self.client.compacts(self, "turn"):
            yield from self._summarised(number)
            self._compact({"event": "auto"})
        elif (self.said or self.exchanges) and self.event is None:
            self.event = {"event": "resume" if self.client.one_shot else "turn"}
        if self.client.ends(self):
            return
        yield from self._asked(number, text)
        self.said.append(text)
        self._typed(text)
        self.changed = []
        yield from self._replied(number, text, replies)

    def _replied(self, number: int, text: str, replies: list[Json]) -> Iterator[Asked]:
        """The requests that follow the model's replies in a turn."""
        for at, reply in enumerate(replies):
            if reply.get("error"):
                yield from self._summarised(number)
                said = re.search(r"(\d+) tokens > (\d+)", json.dumps(reply["error"]))
                over = int(said[1]) / int(said[2]) if said else None
                within = "said" not in (self.exchanges or [{}])[-1]
                self.exchanges[-1:] = [{**each, "said": ""} for each in self.exchanges[-1:]]
                self._compact({"event": "auto", "within": within, "refused": True, "over": over})
                yield from self._asked(number, text)
                continue
            self.usage, self.since = reply.get("usage", 1000) + self.client.output, 0
            self._answer(reply)
            if not reply.get("calls"):
                yield from self._answered(number)
                return
            if self.client.ends(self):
                return
            if at + 1 < len(replies) and self.client.compacts(self, "within"):
                yield from self._summarised(number)
                self._compact({"event": "auto", "within": True})
                yield from self._asked(number, text)
            else:
                yield Asked(number, "main")

    def _asked(self, number: int, text: str) -> Iterator[Asked]:
        """The request that follows the event, which is over with it."""
        yield Asked(number, "main", self.scenario(text))
        if self.event and self.event["event"] in ("compact", "auto"):
            self.exchanges, self.reads = self.client.after_compaction(self.kept), [*self.restored]
            if self.client.goes_on and self.event["event"] == "auto":
                self.exchanges[-1]["said"] = GO_ON
        self.event = self.model = None
        if self.resumed:
            self.resumed, self.replayed, self.skills = False, [*self.replayed, *self.skills], []
            self.replayed_reads = [*self.last_reads]

    def _kept(self) -> list[Json]:
        return self.exchanges[-1:] if len(self.exchanges) > 1 or (self.event or {}).get("within") else []

    def _answered(self, number: int) -> Iterator[Asked]:
        """Some compact right after an answer: one goes on by itself then, another one did it beside the turn."""
        if not self.client.compacts(self, "answer"):
            return
        yield from self._summarised(number)
        self._compact({"event": "auto"})
        if self.client.goes_on:
            yield from self._asked(number, "")
            self.exchanges.append({"answer": "ZQSAIDn0000"})

    def _typed(self, text: str) -> None:
        if self.exchanges:
            self.exchanges[-1] = {**self.exchanges[-1], "said": text}
        self.client.type(self, text)

    def _answer(self, reply: Json) -> None:
        """An answer, and what its calls do to the session and to the disk."""
        self.answers += 1
        calls = reply.get("calls", [])
        if not calls:
            self.exchanges.append({"answer": reply.get("text") or "ZQSAIDn0000"})
            return
        done = [self.client.call(self, call) for call in calls]
        for call in calls:
            if call["tool"] not in self.tools:
                self.tools.append(call["tool"])
        results = [text for each in done for text in each.get("results", [])]
        self.since += sum(map(len, results))
        self.exchanges.append({
            "tool": calls[0]["tool"],
            "input": "".join(json.dumps(call["input"]) for call in calls),
            "results": results,
            "files": [path for each in done for path in each.get("files", [])],
        })  # fmt: skip

    def read(self, path: str) -> None:
        """A file is known from now on."""
        if path not in self.reads:
            self.reads.append(path)
        self.last_reads = [*(each for each in self.last_reads if each != path), path]
        self.replayed_reads = [each for each in self.replayed_reads if each != path]

    def _compact(self, event: Json) -> None:
        if self.event and self.event["event"] == "compact":  # another one right behind it
            self.exchanges = self._kept()
        self.event, self.changed, self.usage, self.summarised = event, [], 0, len(self.said)
        self.compactions += 1

    def _clear(self) -> None:
        self.event = {"event": "clear"}
        self.said, self.exchanges, self.reads, self.tools = [], [], [], []
        self.skills = self.skills if self.client.keeps_skills else []
        self.answers = self.usage = self.compactions = 0

    def seen(self, request: Json) -> None:
        """The results of the newest calls, by their sizes and marks in the request that was recorded after them."""
        blocks = request["messages"][-1]["blocks"] if request["messages"] else []
        results = [each for each in blocks if "result" in each]
        if self.exchanges and self.exchanges[-1].get("results") == [UNKNOWN] and results:
            self.exchanges[-1]["results"] = [like(results[-1])]


def like(block: Json) -> str:
    """A text with a recorded block's size and marks."""
    numbers = {name: re.findall(r"\d+", lines) for name, lines in block.get("marks", {}).items()}
    words = [f"{name}n{int(n):04}" if int(n) else name for name, found in numbers.items() for n in found]
    text = "  ".join(["", *words, ""])
    return text + "x" * (block["chars"] - len(text))
