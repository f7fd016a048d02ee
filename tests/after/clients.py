"""What is known of each client beforehand: how it was started, what its tools do to a session, and when it compacts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from promptscope_engine import Scenario, assemble
from promptscope_engine.agents.registry import registered_agent
from promptscope_engine.prompt.model import TokenSummary
from promptscope_engine.tokens.counter import counter_for

from .worlds import World

if TYPE_CHECKING:
    from .sessions import Session

Json = Any
_SUMMARY = "ZQSUMMARYn0001 a made-up summary\nZQSUMMARYn0002 its second line"
_RAW = f"<analysis>ZQTHOUGHTn0001</analysis>\n<summary>\n{_SUMMARY}\n</summary>"
UNKNOWN = " "
"""A result whose text is not known yet: see `Session.seen`."""
_CHARS_PER_TOKEN = 4
_LONG = 5_000
_MODELS = {"opencode": "anthropic/claude-sonnet-4-5", "copilot": "gpt-5.4"}


@dataclass
class Client:
    """One agent's client. `output`: the tokens that the stand-in claims for an answer, beside those of the input."""

    agent: str
    model: str | None
    args: list[str]
    compacts_by: str = "/compact"
    summaries: int = 1
    output: int = 2
    sends_command: bool = False
    """What is typed to compact reaches the model too."""
    goes_on: bool = False
    """After a compaction of its own it asks the model to go on."""
    beside: int = 0
    """Characters that come with each prompt."""
    one_shot: bool = False
    """Each turn is a process of its own, which resumes the session."""

    compacts_nothing: bool = False
    """It asks for a summary of an empty session too."""
    keeps_skills: bool = False
    """What it knows of skills outlives `/clear`."""
    read_once: tuple[str, ...] = ()
    """How the files' names end that a running client does not read again."""

    summarised: str = _SUMMARY
    """What the stand-in answers where a summary is asked for, as far as it reaches the session."""

    def scenario(self, world: World, prompt: str, source: str = "startup") -> Json:
        """A first request in the world as it is now, with this prompt, of a session that began so."""
        situation = world.situation
        agent = registered_agent(self.agent)
        command = [self.agent, *world.fill(situation.get("args", []))]
        given = agent.started_by([*command, "-p", prompt] if self._prints(situation) else command, "")
        found = Scenario(
            agent=self.agent,
            agent_version=situation.get("version"),
            workspace=str(world.cwd),
            home=str(world.home),
            managed=str(world.root / "no-managed"),
            model=self.model,
            mcp_servers=[*servers(situation), *self.own_servers(situation)],
            env={**world.fill(self.environment()), **world.fill(situation.get("env", {}))},
            environment={"date": "2026-11-29T12:00:00+00:00"},
        )
        for name, value in {**given, **self.params(situation, prompt, source)}.items():
            found = found.with_value(name, value)
        return found.to_dict()

    def _prints(self, situation: Json) -> bool:
        return not situation.get("tty") and self.agent == "claude-code"

    def own_servers(self, situation: Json) -> list[Json]:
        """Tools of the client's own that promptscope does not model."""
        return []

    def environment(self) -> dict[str, str]:
        """Variables that the recorder set and the agent reads."""
        return {}

    def params(self, situation: Json, prompt: str, source: str) -> dict[str, Json]:
        """What the recorder's way of starting it says."""
        return {"prompt": prompt}

    def has_read(self, name: str) -> bool:
        """Whether a running client goes on with what it has read of a file."""
        return name.endswith(self.read_once) if self.read_once else False

    def after_compaction(self, kept: list[Json]) -> list[Json]:
        """The exchanges of a session whose compaction kept these."""
        return kept

    def told(self, session: Session) -> list[str]:
        """Of the files that changed, those that the client tells of."""
        return []

    def compacts(self, session: Session, when: str) -> bool:
        """Whether it compacts before this request (`turn`, `within` one) or after an `answer`, by what that claimed."""
        if when == "answer":
            return False
        at = self._window(session).compact_at if session.usage else None
        return at is not None and session.usage + session.since // _CHARS_PER_TOKEN >= at

    def ends(self, session: Session) -> bool:
        """Whether the session ends here, as nothing is compacted."""
        at = self._window(session).ends_at if session.usage else None
        return at is not None and session.usage + session.since // _CHARS_PER_TOKEN >= at

    def _window(self, session: Session) -> TokenSummary:
        scenario = Scenario.model_validate(self.scenario(session.world, "hi"))
        return assemble(scenario, with_files=False).tokens

    def type(self, session: Session, text: str) -> None:
        """What a typed prompt brings along."""

    def session_hooks(self, session: Session) -> list[str]:
        """What SessionStart hooks print, where they run for two causes at once."""
        return []

    def call(self, session: Session, call: Json) -> Json:
        """What a call does; its result as text, and the files that it read."""
        return {}


def servers(situation: Json) -> list[Json]:
    """The stand-in servers of a situation's .mcp.json: what each says is its program's last argument."""
    found = []
    text = situation.get("files", {}).get("repo/.mcp.json", "{}")
    for name, server in json.loads(text).get("mcpServers", {}).items():
        said = json.loads(server["args"][-1])
        found.append({"name": name, "instructions": said.get("instructions"), "tools": said.get("tools", [])})
    return found


@dataclass
class ClaudeCode(Client):
    """Claude Code, in one process over several turns."""

    beside: int = 49

    def environment(self) -> dict[str, str]:
        """A gateway, and no traffic besides."""
        return {"ANTHROPIC_BASE_URL": "http://127.0.0.1:8377", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}

    def params(self, situation: Json, prompt: str, source: str) -> dict[str, Json]:
        """What the hooks print, each of them an `echo`."""
        hooks = json.loads(situation["files"].get("repo/.claude/settings.json", "{}")).get("hooks", {})
        found: dict[str, Json] = {"prompt": prompt}
        for event, groups in hooks.items():
            for group in groups:
                if event != "SessionStart" or source in group.get("matcher", source).split("|"):
                    found[f"hooks.{event}"] = group["hooks"][0]["command"].removeprefix("echo ")
        return found

    def told(self, session: Session) -> list[str]:
        """After a resume all instruction files; in a session those that a read woke, and what the model edited."""
        changed = list(dict.fromkeys(session.changed))
        if session.event and session.event["event"] == "resume":
            return changed
        nested = [path for path in changed if Path(path).parent != session.world.repo and _is_woken(path)]
        if session.world.situation.get("tty"):
            nested += [path for path in changed if path == str(session.world.repo / "CLAUDE.md")]
        order = {path: at for at, path in enumerate(session.edited)}
        return [
            *sorted(nested, key=lambda path: ".claude/rules" not in path),
            *sorted((p for p in changed if p in order), key=order.__getitem__),
        ]

    def type(self, session: Session, text: str) -> None:
        """A command is a skill; `@path` is read."""
        if text.startswith("/"):
            session.skills.append(text)
        for name in re.findall(r"(?:^|\s)@(\S+)", text):
            session.read(str(session.world.cwd / name))

    def call(self, session: Session, call: Json) -> Json:
        """Read, Edit, Write, Skill, and what Bash prints of files."""
        given, tool = call["input"], call["tool"]
        path = given.get("file_path", "")
        if tool == "Read":
            session.read(path)
            text = text_of(Path(path))
            lines = "\n".join(f"{n}\t{line}" for n, line in enumerate(text.split("\n"), 1))
            return {"results": [lines], "files": [path]}
        if tool == "Edit":
            text = Path(path).read_text().replace(given["old_string"], given["new_string"], 1)
            self._write(session, path, text)
        elif tool == "Write":
            self._write(session, path, given["content"])
        elif tool == "Skill":
            name = given["skill"]
            session.skills.append(" ".join(filter(None, (name, given.get("args", "")))))
            folder = session.world.repo / ".claude/skills" / name
            body = text_of(folder / "SKILL.md").rpartition("---\n")[2]
            return {"results": [f"Launching skill: {name}", f"Base directory for this skill: {folder}\n\n{body}"]}
        elif tool == "Bash":
            for name in re.findall(r"[\w./-]+", given["command"]):
                if (session.world.cwd / name).is_file():
                    session.read(str(session.world.cwd / name))
        return {}

    def _write(self, session: Session, path: str, text: str) -> None:
        session.world.now += 1
        session.world.write({str(Path(path).relative_to(session.world.root)): text})
        session.read(path)
        session.edited.append(path)


@dataclass
class OpenCode(Client):
    """OpenCode behind its server: it compacts right after an answer, and goes on by itself."""

    goes_on: bool = True
    compacts_nothing: bool = True
    read_once: tuple[str, ...] = ("/SKILL.md",)
    summarised: str = _RAW

    def after_compaction(self, kept: list[Json]) -> list[Json]:
        """Then its question, and the summary."""
        return [*kept, {"answer": self.summarised, "sums_up": True}]

    def told(self, session: Session) -> list[str]:
        """Skills, which it does not read again."""
        return [*session.waiting]

    def compacts(self, session: Session, when: str) -> bool:
        """By what the answer claimed, once it is there."""
        return when in ("answer", "within") and super().compacts(session, "within")

    def call(self, session: Session, call: Json) -> Json:
        """Reads, edits, writes."""
        _edited(session, call)
        if call["tool"] == "read":
            session.read(call["input"]["filePath"])
        return {"results": [UNKNOWN]}


@dataclass
class Gemini(Client):
    """Gemini CLI, started anew for each turn."""

    compacts_by: str = "/compress"
    sends_command: bool = True
    summaries: int = 2
    output: int = 1
    one_shot: bool = True
    summarised: str = "<state_snapshot>ZQSUMMARYn0001 made up\nZQSUMMARYn0002 second</state_snapshot>"

    def environment(self) -> dict[str, str]:
        """With system settings of the recorder's."""
        return {"GEMINI_CLI_SYSTEM_SETTINGS_PATH": "{ROOT}/system.json"}

    def params(self, situation: Json, prompt: str, source: str) -> dict[str, Json]:
        """A trusted folder."""
        return {"prompt": prompt, "trusted": True, "args.print": not situation.get("tty")}

    def call(self, session: Session, call: Json) -> Json:
        """A file that is read, a skill that is activated."""
        _edited(session, call)
        if call["tool"] == "read_file":
            session.read(call["input"]["file_path"])
        if call["tool"] == "activate_skill":
            session.skills.append(call["input"]["name"])
        return {"results": [UNKNOWN]}

    def told(self, session: Session) -> list[str]:
        """Context and skills, which it does not read again on a terminal."""
        return [*session.waiting]

    def compacts(self, session: Session, when: str) -> bool:
        """On a terminal by the usage of the last answer; else by its own estimate, with each result twice."""
        if when != "turn":
            return False
        at = self._window(session).compact_at or 0
        if not self.one_shot:
            return session.usage >= at
        held = sum(len(json.dumps(each)) + sum(map(len, each.get("results", []))) for each in session.exchanges)
        return held // _CHARS_PER_TOKEN >= at


@dataclass
class Copilot(Client):
    """Copilot CLI, started anew for each turn: it summarises beside a turn."""

    one_shot: bool = True
    summarised: str = _RAW

    def compacts(self, session: Session, when: str) -> bool:
        """By its own count of the request against a share of the window."""
        window, said = self._window(session), session.said[session.summarised :]
        held = (window.expected or 0) + sum(map(counter_for(self.model).count, said))
        return when == "answer" and held >= (window.compact_at or 0)

    def params(self, situation: Json, prompt: str, source: str) -> dict[str, Json]:
        """Any tool may be used."""
        return {"prompt": prompt, "entry": "interactive" if situation.get("tty") else "prompt"}

    def call(self, session: Session, call: Json) -> Json:
        """A file that is looked at, a skill that is used."""
        if call["tool"] == "view":
            session.read(call["input"]["path"])
        if call["tool"] == "skill":
            session.skills.append(call["input"]["skill"])
        return {"results": [UNKNOWN]}


def text_of(path: Path) -> str:
    """A file's text; "" for one that is not there."""
    return path.read_text() if path.is_file() else ""


@dataclass
class Codex(Client):
    """Codex, which is started anew for each turn, but for a terminal."""

    output: int = 1
    one_shot: bool = True
    summarised: str = _RAW

    def params(self, situation: Json, prompt: str, source: str) -> dict[str, Json]:
        """What its hooks print."""
        found: dict[str, Json] = {"prompt": prompt, "entry": "interactive" if situation.get("tty") else "exec"}
        hooks = json.loads(situation["files"].get("home/.codex/hooks.json", "{}")).get("hooks", {})
        for event, groups in hooks.items():
            for group in groups:
                if event in ("SessionStart", "UserPromptSubmit") and group.get("matcher", source) == source:
                    found[f"hooks.{event}"] = group["hooks"][0]["command"].removeprefix("echo ")
        return found

    def own_servers(self, situation: Json) -> list[Json]:
        """On a terminal it has tools for threads."""
        tools = [{"name": "threads", "description": "", "input_schema": {"type": "object"}}]
        return [{"name": "codex_tui", "tools": tools}] if situation.get("tty") else []

    def session_hooks(self, session: Session) -> list[str]:
        """A compaction at the start of a resumed run begins the session twice."""
        compacts = (session.event or {}).get("event") in ("compact", "auto")
        causes = ["resume"] * self.one_shot + ["compact"] * compacts
        said = (self.params(session.world.situation, "", cause).get("hooks.SessionStart") for cause in causes)
        return [text for text in said if text]

    def told(self, session: Session) -> list[str]:
        """All that changed."""
        return list(dict.fromkeys(session.changed))

    def call(self, session: Session, call: Json) -> Json:
        """What a command prints of a file."""
        return {"results": [UNKNOWN]}


@dataclass
class OpenClaw(Client):
    """OpenClaw without a gateway, started anew for each turn."""

    output: int = 1
    one_shot: bool = True
    compacts_by: str = "never"
    """What is typed to compact does nothing there."""
    summarised: str = _RAW

    def environment(self) -> dict[str, str]:
        """As `tests/oracle` starts it."""
        return {"ANTHROPIC_BASE_URL": "http://127.0.0.1:8377", "OPENCLAW_BUNDLED_SKILLS_DIR": "/var/empty/skills"}

    def params(self, situation: Json, prompt: str, source: str) -> dict[str, Json]:
        """The main session of the main agent."""
        return {"task": prompt, "sessionKey": "agent:main:main", "entry": "agent"}

    def call(self, session: Session, call: Json) -> Json:
        """What is read and written."""
        _edited(session, call)
        if call["tool"] != "read":
            return {"results": [UNKNOWN]}
        path = call["input"]["path"]
        session.read(path)
        return {"results": [text_of(Path(path)) or UNKNOWN], "files": [path]}


def _edited(session: Session, call: Json) -> None:
    """What a call writes or changes on the disk."""
    given = {re.sub(r"_", "", name).lower(): value for name, value in call["input"].items()}
    path = Path(given.get("filepath", ""))
    text = given.get("content")
    if "oldstring" in given and path.is_file():
        text = path.read_text().replace(given["oldstring"], given["newstring"], 1)
    if text is not None:
        session.world.now += 1
        session.world.write({str(path.relative_to(session.world.root)): text})


def _is_woken(path: str) -> bool:
    return path.endswith("/CLAUDE.md") or (".claude/rules/" in path and "paths:" in Path(path).read_text()[:200])


def requests_of(recording: Json) -> Iterator[Json]:
    """The requests that count; the recorder takes a summary's for the session's own where our words are in it.

    A terminal asks for a title on the side, with fewer tools.
    """
    before: Json = {}
    tools = None
    requests = recording["requests"]
    if recording["situation"]["agent"] == "gemini":  # what is typed to compress is sent beside the summaries
        requests = sorted(requests, key=lambda each: (each["step"], each["kind"] != "summary"))
    for each in requests:
        last = each["messages"][-1]["blocks"] if each["messages"] else []
        if (last[-1] if last else {}).get("tags", [])[:2] == ["analysis", "summary"] and last[-1]["chars"] > _LONG:
            each = {**each, "kind": "summary"}
            if (before.get("step"), before.get("kind")) == (each["step"], "summary"):  # it was asked again
                continue
        sent = each["tools"] if isinstance(each["tools"], str) else f"as before ({len(each['tools'])})"
        tools = tools or sent
        if recording["situation"].get("tty") and recording["situation"]["agent"] == "codex" and sent != tools:
            continue
        if each["kind"] in ("main", "summary"):
            before = each
            yield each


_KINDS: dict[str, type[Client]] = {
    "claude-code": ClaudeCode,
    "codex": Codex,
    "opencode": OpenCode,
    "gemini": Gemini,
    "copilot": Copilot,
    "openclaw": OpenClaw,
}


def client_of(recording: Json) -> Client:
    """The client of a run, as it is started there."""
    situation = recording["situation"]
    agent = situation["agent"]
    made = _KINDS[agent](agent, situation.get("model") or _MODELS.get(agent), situation.get("args", []))
    marks = {
        mark
        for request in recording["requests"]
        for message in request["messages"]
        for b in message["blocks"]
        for mark in b.get("marks", {})
    }
    made.one_shot = made.one_shot and not situation.get("tty")
    made.sends_command = made.sends_command and not situation.get("tty")
    if agent == "gemini" and situation.get("tty"):
        made.keeps_skills, made.read_once = True, ("repo/GEMINI.md", ".gemini/GEMINI.md", "/SKILL.md")
    if "ZQSUMMARY" not in marks and any(
        request["kind"] == "summary" for request in requests_of(recording)
    ):  # the stand-in answered as if it had not been asked for a summary
        made.summarised = "ZQSAIDn0000"
    return made
