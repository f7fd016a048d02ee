"""Every spelling of a model's name finds its tokenizer and its window."""

from __future__ import annotations

import pytest

from promptscope_engine.tokens.models import context_window, max_output
from promptscope_engine.tokens.tokenizers import TOKENIZERS, UnknownTokenizer, get_tokenizer, tokenizer_for_model

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
