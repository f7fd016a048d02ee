"""How each agent's model traffic is turned to a server on this machine.

A recipe is data. `{url}` stands for `http://127.0.0.1:PORT`. Keys that it sets are made up: they belong to nobody, and
they keep the person's own key from being used.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import PurePath

from msgspec import Struct

from promptscope_engine.formats.document import Json

from .model import Fidelity

DUMMY_KEY = "sk-promptscope-blank-run-0000000000000000"
"""A key that no service knows. It is longer than the shortest that agents take for one."""


class Recipe(Struct, frozen=True):
    """One agent's.

    `programs`: base names of its command · `env`: variables that turn its traffic · `keys`: variables that hold a
    made-up key unless the login is kept · `unset`: variables that would turn it elsewhere · `arguments` follow the
    program · `settings`: an option that takes JSON, and what is laid over the person's own value of it ·
    `typed`: options or sub-commands behind which the prompt stands · `writes`: what a run may write.
    """

    agent: str
    programs: tuple[str, ...]
    env: Mapping[str, str] = {}
    keys: tuple[str, ...] = ()
    unset: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    settings: tuple[str, Json] | None = None
    typed: tuple[str, ...] = ("-p", "--prompt", "--print")
    fidelity: Fidelity = Fidelity()
    example: str = ""
    writes: str = ""
    starts: str = ""
    """What of the repository a run starts without asking."""


_LOGGED_OUT = "logged out: account settings may differ (model, cache lifetime, listings, remote feature flags)"
_GENERIC_ENV = {
    "ANTHROPIC_BASE_URL": "{url}",
    "OPENAI_BASE_URL": "{url}/v1",
    "OPENAI_API_BASE": "{url}/v1",
    "GOOGLE_GEMINI_BASE_URL": "{url}",
    "GOOGLE_VERTEX_BASE_URL": "{url}",
}
_GENERIC_KEYS = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY")

_CLAUDE_ENV = {
    "ANTHROPIC_BASE_URL": "{url}",
    # Undocumented. With it the body equals that of a run without a base URL, ids aside.
    "_CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL": "1",
}

RECIPES = (
    Recipe(
        agent="claude-code",
        programs=("claude",),
        env=_CLAUDE_ENV,
        keys=("ANTHROPIC_API_KEY",),
        unset=("ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_UNIX_SOCKET", "CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX"),
        # `env` of user and project settings beats the process; an option's settings beat both.
        settings=("--settings", {"env": _CLAUDE_ENV}),
        fidelity=Fidelity("unredirected"),
        example="claude -p hi",
        starts="SessionStart hooks and the servers of .mcp.json",
    ),
    Recipe(
        agent="codex",
        programs=("codex",),
        # Codex ignores OPENAI_BASE_URL, and a provider of one's own gives another request.
        arguments=("-c", 'openai_base_url="{url}/v1"'),
        keys=("CODEX_API_KEY",),
        typed=("exec", "e"),
        fidelity=Fidelity("unredirected"),
        example="codex exec hi",
        starts="MCP servers of its configuration",
    ),
    Recipe(
        agent="gemini",
        programs=("gemini",),
        # The Vertex route equals the default; a Gemini base URL makes the system prompt longer.
        env={
            "GOOGLE_GENAI_USE_VERTEXAI": "true",
            "GOOGLE_VERTEX_BASE_URL": "{url}",
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
        },
        keys=("GOOGLE_API_KEY",),
        unset=("GOOGLE_GEMINI_BASE_URL", "GEMINI_API_KEY", "GOOGLE_GENAI_USE_GCA"),
        fidelity=Fidelity("unredirected", ("the workspace is trusted for this run",)),
        example="gemini -p hi",
        starts="MCP servers and hooks of its settings",
    ),
    Recipe(
        agent="opencode",
        programs=("opencode",),
        env={
            "OPENCODE_CONFIG_CONTENT": json.dumps(
                {
                    "provider": {
                        "promptscope": {
                            "npm": "@ai-sdk/openai-compatible",
                            "name": "promptscope",
                            "options": {"baseURL": "{url}/v1", "apiKey": DUMMY_KEY},
                            "models": {"blank": {"name": "blank"}},
                        }
                    },
                    "model": "promptscope/blank",
                    "small_model": "promptscope/blank",
                }
            )
        },
        typed=("run",),
        fidelity=Fidelity("redirected", ("the model is one of promptscope's, not the configured one",)),
        example="opencode run hi",
        starts="plugins and MCP servers of its configuration",
    ),
    Recipe(
        agent="copilot",
        programs=("copilot",),
        env={
            "COPILOT_PROVIDER_BASE_URL": "{url}/v1",
            "COPILOT_PROVIDER_TYPE": "openai",
            "COPILOT_MODEL": "gpt-5",
        },
        keys=("COPILOT_PROVIDER_API_KEY",),
        fidelity=Fidelity("redirected", ("the model is gpt-5 of a provider of one's own",)),
        example="copilot -p hi --allow-all-tools",
        starts="MCP servers of its configuration",
    ),
    Recipe(
        agent="qwen",
        programs=("qwen",),
        env={"OPENAI_BASE_URL": "{url}/v1", "OPENAI_MODEL": "qwen3-coder-plus"},
        keys=("OPENAI_API_KEY",),
        fidelity=Fidelity("redirected", ("the model is qwen3-coder-plus by an OpenAI key",)),
        example="qwen -p hi",
        writes=".qwen/settings.json",
        starts="MCP servers of its settings",
    ),
    Recipe(
        agent="openclaw",
        programs=("openclaw",),
        env=_GENERIC_ENV,
        keys=_GENERIC_KEYS,
        typed=("--message",),
        fidelity=Fidelity(
            "unknown", ("providers of openclaw.json keep their own address: name {url}/v1 there if nothing arrives",)
        ),
        example="openclaw agent --local --agent main --message hi",
        writes="its state folder: a kept home continues the old conversation",
    ),
    Recipe(
        agent="aider",
        programs=("aider",),
        env={"OPENAI_API_BASE": "{url}/v1", "ANTHROPIC_API_BASE": "{url}"},
        keys=("OPENAI_API_KEY", "ANTHROPIC_API_KEY"),
        typed=("--message", "-m"),
        fidelity=Fidelity("redirected", ("the address is in a variable; the text does not depend on it",)),
        example="aider --message hi --yes-always",
        writes=".gitignore and .aider* history files",
    ),
)

GENERIC = Recipe(
    agent="unknown",
    programs=(),
    env=_GENERIC_ENV,
    keys=_GENERIC_KEYS,
    typed=("-p", "--prompt", "--print", "--message", "exec", "run"),
    fidelity=Fidelity("unknown", ("no recipe for this agent: the variables of all protocols were set",)),
)
"""For an agent without a recipe."""


def recipe_for(agent: str | None, command: Sequence[str]) -> Recipe:
    """The recipe of a named agent, else of the command's base name; GENERIC if there is none."""
    program = PurePath(command[0]).name.removesuffix(".exe").removesuffix(".cmd") if command else ""
    for recipe in RECIPES:
        if (agent == recipe.agent or agent in recipe.programs) if agent else program in recipe.programs:
            return recipe
    return GENERIC


def agent_name(agent: str | None, command: Sequence[str]) -> str:
    """Whose requests they will be: the recipe's agent, else the given name, else the program's."""
    recipe = recipe_for(agent, command)
    if recipe is not GENERIC:
        return recipe.agent
    return agent or (PurePath(command[0]).stem if command else "unknown")


def fidelity_of(recipe: Recipe, *, keep_login: bool) -> Fidelity:
    """The recipe's grade, with what a made-up key changes."""
    notes = tuple(note for note in recipe.fidelity.notes)
    return Fidelity(recipe.fidelity.grade, notes if keep_login or not recipe.keys else (*notes, _LOGGED_OUT))


def environment(recipe: Recipe, url: str, env: Mapping[str, str], *, keep_login: bool, proxied: bool) -> dict[str, str]:
    """The environment of the command. `proxied`: all other traffic is sent to `url`, too, which refuses it."""
    found = {name: value for name, value in env.items() if name not in recipe.unset or keep_login}
    found |= {name: value.replace("{url}", url) for name, value in recipe.env.items()}
    if not keep_login:
        found |= dict.fromkeys(recipe.keys, DUMMY_KEY)
    if proxied:
        for name in ("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "https_proxy", "http_proxy", "all_proxy"):
            found[name] = url
        for name in ("NO_PROXY", "no_proxy"):
            found[name] = "127.0.0.1,localhost,::1"
    return found


def command_line(recipe: Recipe, url: str, command: Sequence[str], overlay: Json = None) -> list[str]:
    """The command with the recipe's arguments after the program.

    `overlay`: the JSON in place of the person's own value of the settings option.
    """
    program, *rest = command
    added = [argument.replace("{url}", url) for argument in recipe.arguments]
    if recipe.settings is not None:
        option, _ = recipe.settings
        rest = _without(rest, option)
        added += [option, json.dumps(overlay if overlay is not None else settings_of(recipe, url, {}))]
    return [program, *added, *rest]


def given_settings(recipe: Recipe, command: Sequence[str]) -> str | None:
    """What the person's command line itself gives for the recipe's settings option: JSON, or a file's path."""
    if recipe.settings is None:
        return None
    option, _ = recipe.settings
    for number, word in enumerate(command):
        if word == option and number + 1 < len(command):
            return command[number + 1]
        if word.startswith(f"{option}="):
            return word.partition("=")[2]
    return None


def settings_of(recipe: Recipe, url: str, own: Json) -> Json:
    """The person's own settings with those of the recipe laid over them."""
    return _laid_over(own, json.loads(json.dumps(recipe.settings[1] if recipe.settings else {}).replace("{url}", url)))


def _laid_over(below: Json, above: Json) -> Json:
    if not (isinstance(below, dict) and isinstance(above, dict)):
        return above
    return {**below, **{key: _laid_over(below.get(key), value) for key, value in above.items()}}


def _without(words: Sequence[str], option: str) -> list[str]:
    kept: list[str] = []
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word == option:
            skip = True
        elif not word.startswith(f"{option}="):
            kept.append(word)
    return kept


def typed_prompt(recipe: Recipe, command: Sequence[str]) -> str | None:
    """What was typed as the prompt, where the command line tells it: the word behind an option or a sub-command.

    Options may stand in between: it is then the last word that is none.
    """
    words = list(command[1:])
    for number, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name not in recipe.typed:
            continue
        if equals:
            return value
        after = words[number + 1 :]
        if after and not after[0].startswith("-"):
            return after[0]
        plain = [each for each in after if not each.startswith("-")]
        return plain[-1] if plain else None
    return None


def is_one_shot(recipe: Recipe, command: Sequence[str]) -> bool:
    """Whether the command ends by itself once it has its answer."""
    return any(word.partition("=")[0] in recipe.typed for word in command[1:])
