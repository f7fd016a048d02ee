"""How each agent's model traffic is turned to a server on this machine, and the smallest valid replies to it."""

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any

from msgspec import Struct, convert

from promptscope_engine.formats.document import Json, with_texts

from .model import Fidelity, Grade, Protocol, word
from .protocols import is_count, route

DUMMY_KEY = "sk-promptscope-blank-run-0000000000000000"
"""A key that no service knows. It is longer than the shortest that agents take for one."""


class Recipe(Struct, frozen=True, forbid_unknown_fields=True):
    """How one agent's requests are recorded."""

    agent: str
    """its id"""
    programs: tuple[str, ...]
    """base names of its command"""
    env: Mapping[str, str] = {}
    """variables that turn its traffic; `{url}` is the address"""
    keys: tuple[str, ...] = ()
    """variables that hold a made-up key unless the login is kept"""
    unset: tuple[str, ...] = ()
    """variables that would turn its traffic elsewhere"""
    arguments: tuple[str, ...] = ()
    """what follows all options"""
    settings: tuple[str, Any] | None = None
    """an option that takes JSON, and what is laid over the person's own value of it"""
    typed: tuple[str, ...] = ("-p", "--prompt", "--print")
    """options and sub-commands behind which the prompt stands"""
    grade: Grade = "unknown"
    """how near its requests are to those that go to the real service: `unredirected`, `redirected` or `unknown`"""
    notes: tuple[str, ...] = ()
    """in what they differ"""
    example: str = ""
    """a command to try"""
    writes: str = ""
    """what a run may write"""
    starts: str = ""
    """what of the repository a run starts without asking"""


_LOGGED_OUT = "logged out: account settings may differ (model, cache lifetime, listings, remote feature flags)"


_FILE = Path(__file__).with_suffix(".toml")
*RECIPES, GENERIC = convert(tomllib.loads(_FILE.read_text("utf-8"))["recipe"], list[Recipe])
"""The last one is for an agent without a recipe."""


def recipe_for(agent: str | None, command: Sequence[str]) -> Recipe:
    """The recipe of a named agent, else of the command's base name; GENERIC if there is none."""
    program = PurePath(command[0]).name.removesuffix(".exe").removesuffix(".cmd") if command else ""
    for recipe in RECIPES:
        if (agent == recipe.agent or agent in recipe.programs) if agent else program in recipe.programs:
            return recipe
    return GENERIC


def without_env(command: Sequence[str], env: Mapping[str, str]) -> tuple[tuple[str, ...], dict[str, str]]:
    """The command after a leading `env`, and the variables that it is run with.

    Of env's own options, `-i`, `-u NAME` and `--` are known; a command with another one stays as it is.
    """
    found, words = dict(env), list(command[1:])
    if not command or PurePath(command[0]).name != "env":
        return tuple(command), found
    while words:
        word = words.pop(0)
        name, equals, value = word.partition("=")
        if word in ("-i", "-", "--ignore-environment"):
            found.clear()
        elif name in ("-u", "--unset") and (equals or words):
            found.pop(value if equals else words.pop(0), None)
        elif word != "--" and word.startswith("-"):
            break
        elif equals:
            found[name] = value
        elif word != "--":
            return (word, *words), found
    return tuple(command), dict(env)


def agent_name(agent: str | None, command: Sequence[str]) -> str:
    """Whose requests they will be: the recipe's agent, else the given name, else the program's."""
    recipe = recipe_for(agent, command)
    if recipe is not GENERIC:
        return recipe.agent
    return agent or (PurePath(command[0]).stem if command else "unknown")


def fidelity_of(recipe: Recipe, *, keep_login: bool) -> Fidelity:
    """The recipe's grade, with what a made-up key changes."""
    return Fidelity(recipe.grade, recipe.notes if keep_login or not recipe.keys else (*recipe.notes, _LOGGED_OUT))


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
    """The command with the recipe's settings after the program, and its arguments behind all options.

    There they count in any case: of Codex 0.149 an option of a sub-command takes away those before it. `overlay`: the
    JSON in place of the person's own value of the settings option. A script that starts the agent itself, as one of the
    Agent SDK does, gets no settings: they would be its interpreter's.
    """
    program, *rest = command
    first: list[str] = []
    if recipe.settings is not None and not is_interpreter(program):
        option, _ = recipe.settings
        rest = _without(rest, option)
        first = [option, json.dumps(overlay if overlay is not None else settings_of(recipe, url, {}))]
    end = rest.index("--") if "--" in rest else len(rest)
    last = [argument.replace("{url}", url) for argument in recipe.arguments]
    return [program, *first, *rest[:end], *last, *rest[end:]]


def is_interpreter(program: str) -> bool:
    """Whether a program runs a script that the command names."""
    return _INTERPRETER.fullmatch(PurePath(program).name.removesuffix(".exe").removesuffix(".cmd")) is not None


_INTERPRETER = re.compile(
    r"node|nodejs|bun|bunx|deno|npx|npm|pnpm|yarn|tsx|ts-node|python[\d.]*|uv|uvx|pipx|poetry|bash|sh|zsh"
)


def given_settings(recipe: Recipe, command: Sequence[str]) -> str | None:
    """What the person's command line itself gives for the recipe's settings option: JSON, or a file's path."""
    if recipe.settings is None:
        return None
    option, _ = recipe.settings
    for number, given in enumerate(command):
        if given == option and number + 1 < len(command):
            return command[number + 1]
        if given.startswith(f"{option}="):
            return given.partition("=")[2]
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
    for given in words:
        if skip:
            skip = False
        elif given == option:
            skip = True
        elif not given.startswith(f"{option}="):
            kept.append(given)
    return kept


def typed_prompt(recipe: Recipe, command: Sequence[str]) -> str | None:
    """What was typed as the prompt, where the command line tells it: the word behind an option or a sub-command.

    Options may be in between: it is then the last word that is none.
    """
    words = list(command[1:])
    for number, given in enumerate(words):
        name, equals, value = given.partition("=")
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


_WORD = "ok"
"""All that is answered where no form is asked for."""


class Reply(Struct, frozen=True):
    """Its content type and its bytes."""

    content_type: str
    body: bytes


_REPLIES: dict[Protocol, dict[str, Json]] = json.loads(Path(__file__).with_name("stub_replies.json").read_text("utf-8"))
"""A reply as a whole and as events; the last event but one of a chat is sent where its usage is asked for."""

_FORMS: dict[Protocol, tuple[tuple[str, ...], ...]] = {
    "anthropic": (("output_config", "format", "schema"), ("output_format", "schema")),
    "responses": (("text", "format", "schema"),),
    "chat": (("response_format", "json_schema", "schema"),),
    "gemini": (("generationConfig", "responseJsonSchema"), ("generationConfig", "responseSchema")),
}
"""Where a body says which form the answer has to have."""


def blank_reply(protocol: Protocol, path: str, body: Mapping[str, Json]) -> Reply:
    """The reply to a request."""
    if is_count(path):
        tokens = max(len(json.dumps(body)) // 4, 1)
        return _json({"totalTokens": tokens} if protocol == "gemini" else _count(protocol, tokens))
    form = next(filter(None, (_inner(body, *keys) for keys in _FORMS[protocol])), None)
    model = route(path).rpartition("/")[2].partition(":")[0] if protocol == "gemini" else word(body.get("model"))
    values = {"{said}": _said(form), "{model}": model}
    reply, events = with_texts([*_REPLIES[protocol].values()], lambda text: values.get(text, text))
    if protocol == "chat" and not _inner(body, "stream_options", "include_usage"):
        del events[-2]
    if protocol == "gemini" and "streamGenerateContent" in path:
        return _stream(events) if "alt=sse" in path else _json([reply])
    return _stream(events) if protocol != "gemini" and body.get("stream") else _json(reply)


def _said(form: Json) -> str:
    """The answer: a word, or the smallest JSON of the requested form.

    If the answer does not parse, a router asks again and again before the main request comes.
    """
    return _WORD if form is None else json.dumps(smallest(form))


_SMALLEST: Mapping[str, Json] = {
    "string": _WORD,
    "integer": 1,
    "number": 1,
    "boolean": False,
    "array": [],
    "null": None,
}
_MAX_DEPTH = 20


def smallest(schema: Json, depth: int = 0) -> Json:
    """The smallest value that a JSON schema allows, as far as types, choices and required properties say it."""
    if not isinstance(schema, Mapping) or depth > _MAX_DEPTH:
        return {}
    if "const" in schema:
        return schema["const"]
    for key in ("enum", "anyOf", "oneOf", "allOf"):
        choices = schema.get(key)
        if isinstance(choices, list) and choices:
            return choices[0] if key == "enum" else smallest(choices[0], depth + 1)
    kind = schema.get("type")
    name = word(kind[0] if isinstance(kind, list) and kind else kind).lower()  # Gemini writes them in capitals
    if name in ("integer", "number") and type(schema.get("minimum")) in (int, float):
        return schema["minimum"]
    if name in _SMALLEST:
        return _SMALLEST[name]
    inner, required = schema.get("properties"), schema.get("required")
    inner = inner if isinstance(inner, Mapping) else {}
    wanted = required if isinstance(required, list) else []
    return {each: smallest(inner.get(each), depth + 1) for each in wanted if isinstance(each, str)}


def _inner(value: Json, *keys: str) -> Json:
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _count(protocol: Protocol, tokens: int) -> dict[str, Json]:
    more = {"object": "response.input_tokens"} if protocol == "responses" else {}
    return {"input_tokens": tokens, **more}


def _json(value: Json) -> Reply:
    return Reply("application/json", json.dumps(value).encode())


def _stream(events: Sequence[Json]) -> Reply:
    lines = []
    for data in events:
        lines.append(f"event: {data['type']}\n" if isinstance(data, dict) and "type" in data else "")
        lines.append(f"data: {data if isinstance(data, str) else json.dumps(data)}\n\n")
    return Reply("text/event-stream; charset=utf-8", "".join(lines).encode())
