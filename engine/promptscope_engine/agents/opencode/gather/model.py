"""The model behind a name, the base text that it gets, and the body's other keys in its provider's protocol."""

from collections.abc import Mapping

from promptscope_engine.agents.kit.disk.settings import mapping, texts
from promptscope_engine.agents.kit.text.choosing import keys_for
from promptscope_engine.agents.kit.text.endpoints import endpoint
from promptscope_engine.agents.opencode.materials import Agent, Model
from promptscope_engine.agents.opencode.texts import FOLDER
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.params import flatten
from promptscope_engine.prompt.model import Endpoint
from promptscope_engine.wire.protocols import Protocol

from .settings import Session

COMPATIBLE = "@ai-sdk/openai-compatible"
_PROTOCOLS: Mapping[str, Protocol] = {
    "@ai-sdk/anthropic": "messages",
    "@ai-sdk/openai": "responses",
    "@ai-sdk/azure": "responses",
    "@ai-sdk/google": "gemini",
}
"""The protocol of a provider's package; of all others it is `chat`."""
OUTPUT_MAX = 32_000


def model_named(session: Session, named: str) -> Model | None:
    """The model of the catalogue, with what the settings say of it; None for one that its provider does not have.

    A provider of which nothing is known here is taken for one that is compatible with OpenAI's.
    """
    provider, _, name = named.partition("/")
    catalogue, own = FOLDER.data("models.json"), mapping(session.settings.at("provider", provider))
    known = catalogue["models"].get(provider)
    row, mine = mapping(mapping(known).get(name)), mapping(mapping(own.get("models")).get(name))
    listed, off = (session.settings.texts(f"{which}_providers") for which in ("enabled", "disabled"))
    is_on = provider not in (off or ()) and (listed is None or provider in listed)
    is_missing = not row and name not in mapping(own.get("models")) and (known is not None or own)
    whitelist, blacklist = (texts(own.get(key)) for key in ("whitelist", "blacklist"))
    is_let_in = (whitelist is None or name in whitelist) and name not in (blacklist or ())  # own models, too [asked]
    if not name or not is_on or is_missing or not is_let_in:
        return None
    package = mapping(mine.get("provider")).get("npm") or row.get("npm") or own.get("npm")
    package = str(package or catalogue["providers"].get(provider) or COMPATIBLE)
    said = {**row, **mine, **mapping(mine.get("limit"))}
    sizes = {key: said.get(key) for key in ("context", "output", "input")}
    variants = {**catalogue["variants"].get(row.get("variants"), {}), **mapping(mine.get("variants"))}
    return Model(
        named=named, provider=provider, name=name, api=str(said.get("id") or name), package=package,
        protocol=_PROTOCOLS.get(package, "chat"), is_known=known is not None or bool(own),
        **{key: int(size) for key, size in sizes.items() if isinstance(size, int | float)},
        temperature=bool(said.get("temperature")), reasoning=bool(said.get("reasoning")),
        options={**mapping(row.get("options")), **mapping(mine.get("options"))},
        variants={key: mapping(variant) for key, variant in variants.items()},
    )  # fmt: skip


def endpoint_of(session: Session, model: Model) -> Endpoint:
    """Where the request goes: `[[endpoints]]` of agent.toml."""
    provider, hosts = model.provider, FOLDER.agent["hosts"]
    own, is_known = mapping(session.settings.at("provider", provider)), provider in FOLDER.data("models.json")["models"]
    given = {
        **session.env,
        f"provider.{provider}.options.baseURL": mapping(own.get("options")).get("baseURL"),
        f"provider.{provider}.api": None if is_known else own.get("api"),  # the catalogue's counts [asked]
    }
    facts = {"protocol": model.protocol, "provider": provider, "model": model.api, "host": hosts.get(provider)}
    return endpoint(FOLDER.agent["endpoints"], facts, given)


def output_of(model: Model, env: Mapping[str, str]) -> int:
    """The most tokens of an answer."""
    said = env.get("OPENCODE_EXPERIMENTAL_OUTPUT_TOKEN_MAX", "")
    most = int(said) if said.isascii() and said.isdigit() and len(said) < 10 and int(said) else OUTPUT_MAX  # noqa: PLR2004
    return min(model.output, most) or most


# --- the body's other keys --------------------------------------------------------------------------------------------


def body_options(model: Model, agent: Agent, variant: str, env: Mapping[str, str]) -> dict[str, Json]:
    """The options: those of the client, the model's, the agent's, the variant's, the later ones winning."""
    facts, said = model.facts, {**mapping(agent.options)}
    own = {key: said.pop(key) for key in ("temperature", "top_p") if key in said}
    sampled = keys_for(FOLDER.agent["rows"]["sampling"], facts) | own
    if not model.temperature:
        sampled.pop("temperature", None)
    chosen = {**keys_for(FOLDER.agent["rows"]["options"], facts), **mapping(model.options), **said}
    chosen |= mapping(mapping(model.variants).get(variant))
    names, thinking, most = (
        keys_for(FOLDER.agent["rows"]["renamed"], facts),
        chosen.get("thinking"),
        output_of(model, env),
    )
    sent: dict[str, Json] = {names.get(key, key): value for key, value in chosen.items()}
    facts |= flatten({"chosen": sent, "sampled": sampled})
    budget = mapping(thinking).get("budgetTokens")
    facts |= {"thinks": isinstance(thinking, dict), "tempered": "temperature" in sampled, "most": most}
    facts["with_budget"] = most + budget if isinstance(budget, int) else None
    return {"model": model.api, **keys_for(FOLDER.agent["rows"]["body"], facts)}
