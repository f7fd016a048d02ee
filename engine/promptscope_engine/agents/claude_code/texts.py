"""Claude Code's sections and tools as text (agent.toml, sections/, tools/), and the conditions that several share.

What these stand for is in docs/agents/claude-code.md#request.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from promptscope_engine.agents.kit.text.expressions import (
    Expression,
    ExpressionError,
    Settled,
    Vocabulary,
    read_expression,
)
from promptscope_engine.agents.kit.text.folder import Folder
from promptscope_engine.agents.kit.text.sources import FolderError
from promptscope_engine.agents.kit.text.texts import Scope
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact, Named, Setting
from promptscope_engine.prompt.leaves import either, flag, given, stated, version_is
from promptscope_engine.prompt.model import Lever, SettingSource
from promptscope_engine.prompt.sourced import Sourced

from .versions import (
    AGENT,
    CURRENT_MODEL,
    FALSE_WORDS,
    LATER,
    OLDER_MODEL,
    TRUE_WORDS,
    V100,
    VERSIONS,
    Layout,
    Model,
    is_on,
    prompt_layout,
)

FIRST_PARTY = "api.anthropic.com"
FIRST_PARTY_URL = f"https://{FIRST_PARTY}"
IS_LATER: Condition = version_is(*LATER, side=f"not before {LATER[0]}")
_GATES: dict[str, Condition] = {
    "headless": flag("args.print", yes="the session is headless", no="the session is interactive"),
    "online": flag(
        "online", yes="the client reaches its maker's own servers", no="its maker's own servers don't answer"
    ),
    "restricted": flag("args.restricted", yes="--restricted is given", no="--restricted is not given"),
    "bare_given": flag("args.bare", yes="--bare is given", no="--bare is not given"),
    "moves_dynamic": flag(
        "args.excludeDynamicSystemPromptSections",
        yes="the dynamic sections are moved into the first message",
        no="the dynamic sections stay in the system prompt",
    ),
    "system_prompt": stated(
        "args.systemPrompt", yes="--system-prompt, or the SDK, replaces the sections", no="no --system-prompt is given"
    ),
    "append": given(
        "args.appendSystemPrompt", yes="--append-system-prompt is given", no="no --append-system-prompt is given"
    ),
    "asks_by_tool": given(
        "args.permissionPromptTool",
        yes="--permission-prompt-tool answers for the user",
        no="no --permission-prompt-tool is given",
    ),
    "no_slash_commands": flag(
        "args.disableSlashCommands", yes="slash commands are disabled", no="slash commands are on"
    ),
}
"""The conditions that are the same in every scenario, as texts name them."""
HEADLESS, SYSTEM_PROMPT = _GATES["headless"], _GATES["system_prompt"]
INTERACTIVE = _GATES["interactive"] = ~HEADLESS
# An interactive run takes the switch and does nothing with it.
EXCLUDE_DYNAMIC = _GATES["exclude_dynamic"] = _GATES["moves_dynamic"] & HEADLESS
_GATES |= {"slash_commands": ~_GATES["no_slash_commands"], "always": ALWAYS}
CONDITIONS = frozenset(name for name in AGENT["gates"] if "@" not in name)
OWN = CONDITIONS.union(AGENT["names"])
"""What one scenario answers, as texts name it."""
_WORDS = frozenset(("is_set", "has", "is_on", "is_off", "credits", "not_off", "stays_on", "own_host", "sets_effort"))
Words = Mapping[str, Callable[[str], Condition]]

WHOLE = 100  # percent


@cache
def _expression(text: str) -> Expression:
    try:
        return read_expression(text, Vocabulary(_GATES, versions=VERSIONS, own=OWN, words=_WORDS))
    except ExpressionError as error:
        raise FolderError(Path(__file__).with_name("agent.toml"), None, f"`{text}`: {error.message}") from None


def variable_is_on(variable: Sourced[str]) -> Condition:
    """The environment variable is set to something that the agent takes for true."""
    name = variable.source.key.removeprefix("env.")
    return _switch(variable.source, is_on(variable.value), f"`{name}` is set", f"`{name}` is not set")


def _switch(source: SettingSource, on: bool, yes: str, no: str) -> Condition:
    """A variable as a switch, whatever it is called on and off with."""
    overlay = source.overlay
    levers = (Lever(overlay, "true"), Lever(overlay, "false")) if overlay else (None, None)
    return Setting(source, str(on).lower(), "in", TRUE_WORDS, yes, no, *levers)


_EFFORTS = ("low", "medium", "high", "xhigh", "max", "auto", "unset")
"""What CLAUDE_CODE_EFFORT_LEVEL takes, beside whole numbers [asked of 2.1.332]."""
SAFE_MODE = "CLAUDE_CODE_SAFE_MODE"
NO_BUILT_IN_AGENTS = "CLAUDE_AGENT_SDK_DISABLE_BUILTIN_AGENTS"


class _Conditions(Scope):
    """With the `[gates]` of agent.toml, which ask the scope itself."""

    def value(self, name: str) -> Any:
        """What is under a name. Raises LookupError."""
        return self._once(name, partial(self._made, name)) if name in CONDITIONS else super().value(name)

    def _made(self, name: str) -> Settled:
        said = AGENT["gates"].get(f"{name}@{self.version}", AGENT["gates"][name])
        table: Mapping[str, Any] = {"when": said} if isinstance(said, str) else said
        found = self.settled(_expression(table["when"]))
        if "yes" not in table or isinstance(found, bool):
            return found
        return Named(table.get("op", "flag"), table["name"], found, table["yes"], table.get("no"))


class Gates:
    """The conditions of one scenario that have a name: each is an attribute, made when it is first asked for.

    Those of `[gates]` in agent.toml, and its `names`. `layout` is that of the system prompt, `messages`
    that of the messages: the same, but for Sonnet 5.
    """

    def __init__(
        self, version: str, model: Model, layouts: tuple[Layout, Layout], found: Mapping[str, object], words: Words
    ) -> None:
        self.version, self.model = version, model
        self.layout, self.messages = layouts
        self._found = found
        self.scope = _Conditions(found, words, version=version)

    def __getattr__(self, name: str) -> Condition:
        if name[:1] == "_" or (name not in CONDITIONS and name not in self._found):
            raise AttributeError(name)
        found: Condition = self.scope.value(name)
        return found

    def layout_is(self, *layouts: Layout) -> Condition:
        """The system prompt has one of these layouts. Version and model decide it together."""
        return self._laid_out("layout", self.layout, layouts)

    def messages_are(self, *layouts: Layout) -> Condition:
        """The messages have one of these layouts."""
        return self._laid_out("messages", self.messages, layouts)

    def _laid_out(self, name: str, actual: Layout, layouts: tuple[Layout, ...]) -> Condition:
        # Another model is nearer than another version.
        others = [layout for layout in _LAYOUTS if layout not in layouts]
        others.sort(key=lambda to: any(lever.param == "agent_version" for lever in self._to(to)))
        what = "messages" if name == "messages" else "a prompt"
        yes, no = either(f"{self.model.name} has {what} of the layout {actual} in {self.version}", layouts)
        on, off = self._to(layouts[0]), self._to(others[0]) if others else None
        wanted = list(layouts)
        return Fact("model", name, actual in layouts, yes, no, wanted=wanted, actual=actual, on=on, off=off)

    def about_model(self, name: str, ok: bool, yes: str, no: str, levers: tuple[str, str]) -> Condition:
        """A fact about the model; `levers` are ids of models for which it holds and does not.

        `{model}` in a sentence is the model's name.
        """
        model = self.model.name
        yes, no = yes.replace("{model}", model), no.replace("{model}", model)
        on, off = ((Lever("model", each),) for each in levers)
        return Fact("model", name, ok, yes, no, actual=model, on=on, off=off)

    def short_by_itself(self) -> Condition:
        """The model has the short prompt where no variable says which one."""
        yes, no = "{model} has the short prompt by itself", "{model} has the long prompt by itself"
        ok = prompt_layout(self.version, self.model) == "B"
        return self.about_model("short prompt", ok, yes, no, (CURRENT_MODEL, OLDER_MODEL))

    def counts_tokens(self) -> Condition:
        """The model is told how many tokens are left (variants, d)."""
        yes, no = "{model} is told how many tokens are left", "{model} is not told how many tokens are left"
        such, other = "claude-haiku-5-5", CURRENT_MODEL
        return self.about_model("total_tokens", self.model.counts_tokens, yes, no, (such, other))

    def model_is(self, family: str, *versions: tuple[int, int]) -> Condition:
        """The model is of this family, and of one of the versions."""
        ok = self.model.family == family and self.model.version in versions
        ids = ["-".join(("claude", family, *(str(part) for part in version if part))) for version in versions]
        other = CURRENT_MODEL if CURRENT_MODEL not in ids else "claude-sonnet-5-5"
        yes, no = either("the model is {model}", ids)
        return self.about_model(" or ".join(ids), ok, yes, no, (ids[0], other))

    def _to(self, layout: Layout) -> tuple[Lever, ...]:
        version, model = _LAYOUTS[layout]
        same = (version == V100) == (self.version == V100)
        levers = () if same else (Lever("agent_version", version),)
        return levers if model is None else (*levers, Lever("model", model))


_LAYOUTS: dict[Layout, tuple[str, str | None]] = {
    "A": (V100, None),
    "A'": (LATER[0], OLDER_MODEL),
    "B": (LATER[0], CURRENT_MODEL),
}
"""The version and the model that give a layout; None where any does."""


def is_first_party(url: str) -> bool:
    """Whether requests go to the vendor's own host: the global cache scope exists only there."""
    host = url.strip().partition("://")[2] or url.strip()
    return not host or host.split("/")[0].split(":")[0] == FIRST_PARTY


def _own_host(variable: Sourced[str]) -> Condition:
    """ANTHROPIC_BASE_URL names no custom host."""
    overlay, usual = variable.source.overlay, (True, None, "", FIRST_PARTY_URL)
    yes, no = "requests go to the first-party host", "requests go to a custom host (`ANTHROPIC_BASE_URL`)"
    levers = (Lever(overlay, FIRST_PARTY_URL), Lever(overlay, "http://localhost:8080")) if overlay else (None, None)
    return Setting(variable.source, is_first_party(variable.value), "in", usual, yes, no, *levers)


def _searchable(model: Model, version: str) -> Condition:
    """Tool search needs a model that can load tools: not Claude 3, in 2.1.100 no Haiku either (variants, d and f)."""
    ok = not model.known or (model.version >= (4, 0) and (version != V100 or model.family != "haiku"))
    yes, no = f"{model.name} can search for tools", f"{model.name} cannot search for tools"
    return Fact("model", "tool search", ok, yes, no, actual=model.name, on=(Lever("model", "opus"),))


def searches_by_default(first_party: Condition, version: str, model: Model) -> Condition:
    """What follows for tool search where ENABLE_TOOL_SEARCH is not set."""
    return (IS_LATER | first_party) & _searchable(model, version)


def tool_search_gates(
    variable: Sourced[str], version: str, model: Model, first_party: bool, heavy: bool
) -> tuple[Condition, Condition]:
    """ENABLE_TOOL_SEARCH: tools are left out until they are searched for; and they are listed.

    The switch, or its default: on in 2.1.329, in 2.1.100 only at the first-party host. `auto` and `auto:N` send the
    tools whole as long as they take no more than their share of the window, here `heavy`, and list their names all the
    same; a share of 0 is on, one of 100 off (recorded 2.1.332).
    """
    able = _searchable(model, version)
    share = auto_share(variable.value)
    if version != V100 and share is not None and 0 < share < WHOLE:
        defers = _switch(variable.source, heavy, "the tools are many", "the tools are few")
        names = _switch(variable.source, True, "tool search decides by the size of the tools", "tool search is off")
        return defers & able, names & able
    switch = _search_switch(variable, version, first_party, heavy, share) & able
    return switch, switch


_AUTO_SHARE = 10


def auto_share(value: str) -> int | None:
    """The percentage N of `auto:N`, 10 if N is not a number; None for any other value."""
    word, colon, number = value.partition(":")
    if word != "auto":
        return None
    digits = re.match(r"\s*([+-]?\d{1,9})", number) if colon else None
    return int(digits[1]) if digits else _AUTO_SHARE


def _search_switch(
    variable: Sourced[str], version: str, first_party: bool, heavy: bool, share: int | None
) -> Condition:
    value = variable.value.strip().lower()
    if share is not None and version == V100:
        return _switch(variable.source, heavy, "the tools are many", "the tools are few")
    if share is not None:
        return _switch(variable.source, share <= 0, "tool search is on", f"`ENABLE_TOOL_SEARCH` is {variable.value}")
    if value in FALSE_WORDS or (value and version == V100):
        return _switch(variable.source, is_on(value), "tool search is on", "`ENABLE_TOOL_SEARCH` is off")
    if version != V100:
        return _switch(variable.source, True, "tool search is on by default", "tool search is off")
    there, elsewhere = "the host is the first-party one, where tool search is on", "tool search is off at a custom host"
    return _switch(variable.source, first_party, there, elsewhere)


def words_of(variable: Callable[[str], Sourced[str]], setting: Callable[..., Sourced[Json]]) -> Words:
    """What `[gates]` ask of variables and settings, which are looked up by name, a setting with its `default`."""

    def is_on(key: str) -> Condition:
        return setting(key, default=True).is_(True, unset=False)

    def credits(kind: str) -> Condition:
        """A text of one's own, which may be empty, goes before the switch for both [D]."""
        own = setting(f"attribution.{kind}")
        return own.is_given("Helped-by: Claude", "") if isinstance(own.value, str) else is_on("includeCoAuthoredBy")

    def not_off(name: str) -> Condition:
        """A variable that switches auto memory off; said to be off, it beats a setting that does."""
        found = ~variable_is_on(variable(name))
        return found if variable(name).value.strip().lower() in FALSE_WORDS else found & is_on("autoMemoryEnabled")

    def stays_on(name: str) -> Condition:
        """A variable that switches something off that is on without it: `0`, `false`, `no`, `off`."""
        found, yes, no = variable(name), f"`{name}` does not switch it off", f"`{name}` switches it off"
        back, off = (Lever(found.source.overlay, text) if found.source.overlay else None for text in ("1", "0"))
        return ~Setting(found.source, found.value.strip().lower(), "in", FALSE_WORDS, no, yes, off, back)

    def sets_effort(name: str) -> Condition:
        """A variable that sets the level; a word that is none changes nothing [asked of 2.1.332]."""
        found = variable(name)
        word = found.value.strip().lower()
        level = word if word in _EFFORTS or word.isdigit() else ""
        return replace(found, value=level).is_given("low", "", yes=f"`{name}` is set", no=f"`{name}` sets no level")

    return {
        "stays_on": stays_on,
        "sets_effort": sets_effort,
        "is_set": lambda name: variable_is_on(variable(name)),
        "has": lambda name: variable(name).is_given("1", "", yes=f"`{name}` is set", no=f"`{name}` is not set"),
        "is_on": is_on,
        "is_off": lambda key: setting(key, default=False).is_(False, unset=True, no=f"`{key}` is on"),
        "credits": credits,
        "not_off": not_off,
        "own_host": lambda name: _own_host(variable(name)),
    }


FOLDER = Folder.of(
    __file__,
    _GATES,
    own=OWN,
    words=frozenset(("layout", "messages", "tool", "family", "style_is")),
)


STYLES = ("Explanatory", "Learning", "Proactive", "Concise")
"""The output styles; their texts are sections/styles/NAME.md."""
STYLES_100 = ("Explanatory", "Learning")
"""Those of 2.1.100."""
COMMANDS = frozenset((
    "add-dir", "agents", "background", "batch", "branch", "btw", "bug", "cd", "clear", "color", "compact", "config",
    "context", "copy", "debug", "deep-research", "diff", "doctor", "effort", "exit", "export", "fast", "feedback",
    "focus", "fork", "goal", "heapdump", "help", "hooks", "ide", "init", "insights", "keybindings", "login",
    "logout", "loop", "mcp", "memory", "mobile", "model", "output-style", "passes", "permissions", "plan", "plugin",
    "powerup", "radio", "recap", "release-notes", "reload-plugins", "reload-skills", "rename", "resume", "rewind",
    "sandbox", "scroll-speed", "security-review", "setup-bedrock", "setup-vertex", "skills", "status", "statusline",
    "stickers", "tasks", "team-onboarding", "terminal-setup", "theme", "tui", "usage", "verify", "workflows",
))  # fmt: skip
"""Built-in slash commands of 2.1.329 and later: a skill of another folder is not shown by such a name [recorded]."""


RECORDED_PROMPTS: Mapping[str, str] = {"general-purpose": "general_purpose", "Explore": "explore", "Plan": "plan"}
"""The built-in sub-agents whose prompts were recorded, each with its text in sections/subagents."""
