"""Models' names in any spelling find their tokenizer, their windows and what their tokens cost."""

from __future__ import annotations

import pytest

from promptscope_engine.tokens.models import (
    DEFAULT_MAX_OUTPUT,
    DEFAULT_WINDOW,
    NEWEST,
    TOKENIZERS,
    UnknownTokenizer,
    context_window,
    get_tokenizer,
    max_output,
    parse_model,
    price_of,
    tokenizer_for_model,
)


@pytest.mark.parametrize(
    ("model", "bare", "claude", "is_long"),
    [
        ("claude-sonnet-4", "claude-sonnet-4", (4, 0), False),
        ("anthropic/claude-sonnet-4.5", "claude-sonnet-4.5", (4, 5), False),
        ("claude-opus-4-1-20250805", "claude-opus-4-1-20250805", (4, 1), False),
        ("claude-opus-4-20250514", "claude-opus-4-20250514", (4, 0), False),
        ("us.anthropic.claude-opus-4-1-20250805-v1:0", "claude-opus-4-1-20250805-v1", (4, 1), False),
        ("claude-haiku-10-12@20290929", "claude-haiku-10-12", (10, 12), False),
        ("Claude-3-7-Sonnet[1M]", "claude-3-7-sonnet", (3, 7), True),
        ("claude-sonnet-4-1m", "claude-sonnet-4", (4, 0), True),
        ("sonnet:1m", "sonnet", NEWEST, True),
        ("claude-sonnet-latest", "claude-sonnet-latest", NEWEST, False),
        ("opusplan", "opusplan", NEWEST, False),
        ("openrouter/openai/gpt-5:free", "gpt-5", None, False),
        ("ft:gpt-4o:team::id", "gpt-4o", None, False),
        ("  ", "", None, False),
    ],
)
def test_a_name_taken_apart(model: str, bare: str, claude: tuple[int, int] | None, is_long: bool) -> None:
    found = parse_model(model)
    assert (found.bare, found.claude, found.long_context) == (bare, claude, is_long)


def test_a_name_without_a_version_is_newer_than_all_that_have_one() -> None:
    assert NEWEST > (98, 99)


@pytest.mark.parametrize(
    ("model", "window", "answer"),
    [
        ("gpt-4o-mini", 128_000, 16_384), ("chatgpt-4o-latest", 128_000, 16_384), ("gpt-4.1", 1_047_576, 32_768),
        ("gpt-4.5-preview", 128_000, 16_384), ("gpt-4-turbo", 128_000, 4_096), ("gpt-4-32k", 32_768, 32_768),
        ("gpt-4", 8_192, 8_192), ("gpt-3.5-turbo", 16_385, 4_096), ("gpt-35-turbo", 16_385, 4_096),
        ("gpt-5.2", 400_000, 128_000), ("gpt-oss-120b", 131_072, 131_072), ("codex-mini-latest", 200_000, 100_000),
        ("o1-mini", 128_000, 65_536), ("o1-preview", 128_000, 32_768), ("o1", 200_000, 100_000),
        ("o3-mini", 200_000, 100_000), ("o4-mini", 200_000, 100_000), ("gemini-1.5-pro", 2_097_152, 8_192),
        ("gemini-1.5-flash", 1_048_576, 8_192), ("gemini-2.0-flash", 1_048_576, 8_192),
        ("gemini-2.5-pro", 1_048_576, 65_536), ("grok-code-fast-1", 256_000, 16_384),
        ("grok-4-fast", 2_000_000, 65_536), ("grok-4-1-fast", 2_000_000, 65_536), ("grok-4", 256_000, 8_192),
        ("grok-3", 131_072, 8_192),
        ("claude-opus-5-5", 1_000_000, 128_000), ("claude-opus-4-6", 200_000, 128_000),
        ("claude-sonnet-4-5", 200_000, 64_000), ("claude-opus-4-5", 200_000, 64_000),
        ("claude-opus-4-2", 200_000, 64_000), ("claude-opus-3-9", 200_000, 64_000),
        ("claude-opus-4-1", 200_000, 32_000), ("claude-opus-4-0", 200_000, 32_000),
        ("claude-sonnet-4-0", 200_000, 64_000), ("claude-3-7-sonnet", 200_000, 64_000),
        ("claude-3-5-haiku", 200_000, 8_192), ("claude-3-opus", 200_000, 4_096),
        ("claude-sonnet-4-5[1m]", 1_000_000, 64_000),
        ("some-model", DEFAULT_WINDOW, DEFAULT_MAX_OUTPUT), (None, DEFAULT_WINDOW, DEFAULT_MAX_OUTPUT),
    ],
)  # fmt: skip
def test_limits(model: str | None, window: int, answer: int) -> None:
    assert (context_window(model), max_output(model)) == (window, answer)


@pytest.mark.parametrize(
    ("model", "input", "read", "write", "hour"),
    [
        ("claude-opus-5-5[1m]", 4, 0.20, 5, 8),
        ("anthropic/claude-opus-4-6", 5, 0.50, 6.25, 10),
        ("us.anthropic.claude-opus-4-1-20250805-v1:0", 15, 1.50, 18.75, 30),
        ("claude-sonnet-4-5@20250929", 3, 0.30, 3.75, 6),
        ("gpt-6.1-sol", 2, 0.10, 2.5, 2.5),
        ("openai/gpt-4o-2024-08-06", 2.5, 1.25, 2.5, 2.5),
        ("gemini-3.8-flash", 0.75, 0.075, 0.75, 0.75),
    ],
)
def test_a_model_by_any_spelling(model: str, input: float, read: float, write: float, hour: float) -> None:
    price = price_of(model)
    assert price is not None
    assert (price.input, price.read, price.write, price.write_hour) == (input, read, write, hour)


@pytest.mark.parametrize("model", [None, "opus", "claude-opus-6", "claude-opus-4-3", "gpt-7", "gemini-9", "own-model"])
def test_an_unknown_model_has_no_price(model: str | None) -> None:
    assert price_of(model) is None


# As published: dollars for input, read from the cache, written for minutes, for an hour; where long requests begin.
LIST = {
    "claude-fable-5-1": (10, 0.25, 12.5, 20, None), "claude-fable-5-0": (10, 1, 12.5, 20, None),
    "claude-mythos-5-1": (10, 0.25, 12.5, 20, None), "claude-mythos-5-0": (10, 1, 12.5, 20, None),
    "claude-opus-5-5": (4, 0.2, 5, 8, None), "claude-opus-4-5": (5, 0.5, 6.25, 10, None),
    "claude-opus-4-0": (15, 1.5, 18.75, 30, None), "claude-sonnet-5-5": (2, 0.1, 2.5, 4, None),
    "claude-sonnet-5-0": (2, 0.2, 2.5, 4, None), "claude-sonnet-3-7": (3, 0.3, 3.75, 6, None),
    "claude-haiku-5-5": (0.1, 0.01, 0.125, 0.2, 100_000), "claude-haiku-4-5": (1, 0.1, 1.25, 2, None),
    "claude-haiku-3-5": (0.8, 0.08, 1, 1.6, None),
    "gpt-6.1-sol": (2, 0.1, 2.5, 2.5, 272_000), "gpt-6.1-terra": (1, 0.05, 1.25, 1.25, 272_000),
    "gpt-6-astra": (10, 1, 12.5, 12.5, 272_000), "gpt-6-sol": (2, 0.2, 2.5, 2.5, 272_000),
    "gpt-6-luna": (0.1, 0.01, 0.125, 0.125, 272_000), "gpt-5.6-sol": (4, 0.4, 5, 5, 272_000),
    "gpt-5.6-terra": (2, 0.2, 2.5, 2.5, 272_000), "gpt-5.6-luna": (0.2, 0.02, 0.25, 0.25, 272_000),
    "gpt-5.5": (5, 0.5, 5, 5, 272_000), "gpt-5": (1.25, 0.125, 1.25, 1.25, None),
    "gpt-5-codex": (1.25, 0.125, 1.25, 1.25, None), "gpt-5-mini": (0.25, 0.025, 0.25, 0.25, None),
    "gpt-4.1": (2, 0.5, 2, 2, None), "gpt-4o": (2.5, 1.25, 2.5, 2.5, None),
    "gemini-3.8-flash": (0.75, 0.075, 0.75, 0.75, None), "gemini-3.7-flash": (0.75, 0.075, 0.75, 0.75, None),
    "gemini-3.1-pro-preview": (2, 0.2, 2, 2, 200_000), "gemini-3.1-pro-preview-customtools": (2, 0.2, 2, 2, 200_000),
    "gemini-2.5-pro": (1.25, 0.125, 1.25, 1.25, 200_000), "gemini-2.5-flash": (0.3, 0.03, 0.3, 0.3, None),
}  # fmt: skip


def test_the_whole_list() -> None:
    for model, figures in LIST.items():
        price = price_of(model)
        assert price is not None, model
        found = (price.input, price.read, price.write, price.write_hour)
        assert found == pytest.approx(figures[:4]), model
        assert price.long_from == figures[4], model


@pytest.mark.parametrize(
    ("family", "versions"),
    [
        ("fable", "5.0 5.1"), ("mythos", "5.0 5.1"), ("opus", "4.0 4.1 4.5 4.6 4.7 4.8 4.9 5.0 5.5"),
        ("sonnet", "3.7 3.8 3.9 4.0 4.1 4.2 4.3 4.4 4.5 4.6 5.0 5.5"), ("haiku", "3.5 4.5 5.5"), ("instant", ""),
    ],
)  # fmt: skip
def test_the_versions_that_have_a_price(family: str, versions: str) -> None:
    every = [(major, minor) for major in range(10) for minor in range(10)]
    priced = [f"{one}.{two}" for one, two in every if price_of(f"claude-{family}-{one}-{two}") is not None]
    assert priced == versions.split()


def test_a_long_request_costs_more_as_a_whole() -> None:
    haiku = price_of("claude-haiku-5-5")
    assert haiku is not None
    assert [haiku.of_size(size).input for size in (99_999, 100_000, 100_001)] == [0.10, 0.10, 0.50]
    assert haiku.of_size(100_001).read == 0.05
    opus = price_of("claude-opus-5-5")
    assert opus is not None
    assert opus.of_size(900_000) is opus
    gemini = price_of("gemini-2.5-pro")
    assert gemini is not None
    assert [gemini.of_size(size).input for size in (199_999, 200_000, 200_001)] == [1.25, 1.25, 2.5]


MODELS = [
    (None, "o200k_base", 200_000, 8_192),
    ("claude-sonnet-4-5", "claude-estimate", 200_000, 64_000),
    ("claude-sonnet-4-5-20250929", "claude-estimate", 200_000, 64_000),
    ("anthropic/claude-sonnet-4.5", "claude-estimate", 200_000, 64_000),
    ("claude-sonnet-4-5[1m]", "claude-estimate", 1_000_000, 64_000),
    ("Claude-Sonnet-4-5-20250929[1M]", "claude-estimate", 1_000_000, 64_000),
    ("us.anthropic.claude-opus-4-1-20250805-v1:0", "claude-estimate", 200_000, 32_000),
    ("bedrock/eu.anthropic.claude-3-5-sonnet-20241022-v2:0", "claude-estimate", 200_000, 8_192),
    ("claude-opus-4-20250514", "claude-estimate", 200_000, 32_000),
    ("claude-sonnet-4@20250514", "claude-estimate", 200_000, 64_000),
    ("claude-3-7-sonnet-20250219:thinking", "claude-estimate", 200_000, 64_000),
    ("claude-3-haiku-20240307", "claude-estimate", 200_000, 4_096),
    ("claude-4-opus", "claude-estimate", 200_000, 32_000),
    ("claude-sonnet-4-6", "claude-estimate", 200_000, 128_000),
    ("anthropic/claude-opus-4-6", "claude-estimate", 200_000, 128_000),
    ("claude-opus-4-7", "claude-5-estimate", 200_000, 128_000),
    ("claude-opus-4.7", "claude-5-estimate", 200_000, 128_000),
    ("claude-sonnet-5", "claude-5-estimate", 200_000, 128_000),
    ("claude-opus-5-5", "claude-5-estimate", 1_000_000, 128_000),
    ("claude-haiku-10-1", "claude-5-estimate", 1_000_000, 128_000),
    ("opus", "claude-5-estimate", 200_000, 64_000),
    ("sonnet[1m]", "claude-5-estimate", 1_000_000, 64_000),
    ("claude-sonnet-latest", "claude-5-estimate", 200_000, 64_000),
    ("gpt-4o", "o200k_base", 128_000, 16_384),
    ("chatgpt-4o-latest", "o200k_base", 128_000, 16_384),
    ("ft:gpt-4o-mini:team::id", "o200k_base", 128_000, 16_384),
    ("gpt-4.1-mini", "o200k_base", 1_047_576, 32_768),
    ("gpt-5", "o200k_base", 400_000, 128_000),
    ("openrouter/openai/gpt-5", "o200k_base", 400_000, 128_000),
    ("gpt-5.1-codex:free", "o200k_base", 400_000, 128_000),
    ("o1-mini", "o200k_base", 128_000, 65_536),
    ("o3", "o200k_base", 200_000, 100_000),
    ("openai/o4-mini-high", "o200k_base", 200_000, 100_000),
    ("openai/gpt-oss-120b", "o200k_harmony", 131_072, 131_072),
    ("openai.gpt-oss-20b-1:0", "o200k_harmony", 131_072, 131_072),
    ("gpt-4", "cl100k_base", 8_192, 8_192),
    ("gpt-4-0613", "cl100k_base", 8_192, 8_192),
    ("gpt-4-turbo-2024-04-09", "cl100k_base", 128_000, 4_096),
    ("gpt-3.5-turbo", "cl100k_base", 16_385, 4_096),
    ("azure/gpt-35-turbo", "cl100k_base", 16_385, 4_096),
    ("gemini-2.5-pro", "gemini-estimate", 1_048_576, 65_536),
    ("google/gemini-2.0-flash-001", "gemini-estimate", 1_048_576, 8_192),
    ("x-ai/grok-code-fast-1", "o200k-estimate", 256_000, 16_384),
    ("acme/large-2", "o200k-estimate", 200_000, 8_192),
    ("minimax-portal/m2", "o200k-estimate", 200_000, 8_192),
    ("deepseek.r1-v1:0", "o200k-estimate", 200_000, 8_192),
    ("omega-3", "o200k-estimate", 200_000, 8_192),
    ("", "o200k-estimate", 200_000, 8_192),
]


@pytest.mark.parametrize(("model", "tokenizer", "window", "output"), MODELS)
def test_models(model: str | None, tokenizer: str, window: int, output: int) -> None:
    assert tokenizer_for_model(model).id == tokenizer
    assert context_window(model) == window
    assert max_output(model) == output


def test_a_model_without_a_public_tokenizer_is_not_exact() -> None:
    chosen = tokenizer_for_model("deepseek-v3")
    assert not chosen.exact
    assert chosen.note == "no public tokenizer: counted as o200k_base"
    assert chosen.tokens(1_000) == tokenizer_for_model(None).tokens(1_000) == 1_000


@pytest.mark.parametrize("tokenizer", TOKENIZERS.values(), ids=TOKENIZERS)
def test_only_exact_tokenizers_have_no_band(tokenizer: object) -> None:
    found = next(one for one in TOKENIZERS.values() if one is tokenizer)
    low, high = found.band
    assert low <= found.factor <= high
    assert found.exact == (low == high == 1.0)
    assert get_tokenizer(found.id) is found


def test_the_published_ratios() -> None:
    assert TOKENIZERS["claude-estimate"].tokens(1_000) == 1_180
    assert TOKENIZERS["claude-5-estimate"].tokens(1_000) == 1_530
    assert TOKENIZERS["claude-5-estimate"].span(1_530) == (1_500, 1_610)
    assert TOKENIZERS["gemini-estimate"].tokens(9) == 3
    assert TOKENIZERS["o200k_base"].span(1_530) == (1_530, 1_530)


def test_an_unknown_id_names_the_nearest() -> None:
    with pytest.raises(UnknownTokenizer, match=r"no tokenizer 'o200k-base'; did you mean o200k_base"):
        get_tokenizer("o200k-base")


def test_an_id_like_no_other_names_all() -> None:
    with pytest.raises(UnknownTokenizer) as raised:
        get_tokenizer("???")
    assert all(id in str(raised.value) for id in TOKENIZERS)
    assert isinstance(raised.value, ValueError)


def test_no_more_than_three_ids_are_named() -> None:
    with pytest.raises(UnknownTokenizer) as raised:
        get_tokenizer("estimate")  # four are near
    assert str(raised.value).count(" or ") == 2
