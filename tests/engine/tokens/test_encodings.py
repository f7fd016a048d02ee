"""The encodings are tiktoken's own, and no text can stop them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import Any, get_args

import pytest
import tiktoken_ext.openai_public as published  # type: ignore[import-untyped]
from hypothesis import given, settings
from hypothesis import strategies as st

from promptscope_engine.tokens import encodings
from promptscope_engine.tokens.encodings import (
    CLOSE,
    SPECS,
    Cuts,
    EncodingDataError,
    EncodingName,
    count_tokens,
    cuts,
    load,
    pieces,
    read_ranks,
)

pytestmark = pytest.mark.slow

NAMES: tuple[EncodingName, ...] = get_args(EncodingName)


@pytest.fixture
def tiktokens_own(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], dict[str, Any]]:
    """tiktoken's constructor arguments of an encoding, with the expected hash in the place of the ranks."""
    monkeypatch.setattr(published, "load_tiktoken_bpe", lambda _url, expected_hash: expected_hash)
    return lambda name: published.ENCODING_CONSTRUCTORS[name]()


@pytest.mark.parametrize(("length", "parts"), [(9, [9]), (10, [10]), (11, [10, 1])])
def test_a_text_of_the_largest_size_is_one_piece(length: int, parts: list[int]) -> None:
    assert [len(part) for part in pieces("a" * length, 3, 10)] == parts


@pytest.mark.parametrize("name", NAMES)
def test_pattern_special_tokens_and_hash_are_tiktokens_own(
    name: EncodingName, tiktokens_own: Callable[[str], dict[str, Any]]
) -> None:
    spec = SPECS[name]
    assert tiktokens_own(name) == {
        "name": spec.name,
        "pat_str": spec.pattern,
        "special_tokens": spec.special_tokens,
        "mergeable_ranks": spec.sha256,
    }


def test_harmony_differs_from_o200k_in_special_tokens_only(
    tiktokens_own: Callable[[str], dict[str, Any]],
) -> None:
    harmony, base = tiktokens_own("o200k_harmony"), tiktokens_own("o200k_base")
    for key in ("pat_str", "mergeable_ranks"):
        assert harmony[key] == base[key]


@pytest.mark.parametrize(("name", "size"), [("o200k_base", 199_998), ("cl100k_base", 100_256)])
def test_ranks_by_position_are_the_ranks_in_the_file(name: EncodingName, size: int) -> None:
    ranks = read_ranks(SPECS[name])
    written = [int(line.split()[1]) for line in (encodings.DATA / f"{name}.tiktoken").read_bytes().splitlines()]
    assert list(ranks.values()) == written
    assert len(ranks) == size


def test_a_changed_rank_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "o200k_base.tiktoken").write_bytes(b"IQ== 0\n")
    with pytest.raises(EncodingDataError, match="the file was changed"):
        read_ranks(SPECS["o200k_base"], tmp_path)


def test_a_missing_rank_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(EncodingDataError, match=r"cl100k_base\.tiktoken: No such file"):
        read_ranks(SPECS["cl100k_base"], tmp_path)


@pytest.mark.parametrize(
    ("name", "text", "tokens"),
    [
        # The first line of each is the example of OpenAI's cookbook, "How to count tokens with tiktoken".
        ("o200k_base", "antidisestablishmentarianism", [493, 129901, 376, 160388, 21203, 2367]),
        ("cl100k_base", "antidisestablishmentarianism", [519, 85342, 34500, 479, 8997, 2191]),
        ("o200k_base", "2 + 2 = 4", [17, 659, 220, 17, 314, 220, 19]),
        ("cl100k_base", "2 + 2 = 4", [17, 489, 220, 17, 284, 220, 19]),
        ("cl100k_base", "tiktoken is great!", [83, 1609, 5963, 374, 2294, 0]),
    ],
)
def test_known_tokens(name: EncodingName, text: str, tokens: list[int]) -> None:
    assert load(name).encode_ordinary(text) == tokens
    assert count_tokens(name, text) == len(tokens)


@pytest.mark.parametrize("name", NAMES)
def test_special_tokens_in_a_text_are_plain_text(name: EncodingName) -> None:
    assert count_tokens(name, "<|endoftext|>") == 7


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("half", ["\ud800", "a\ud83d", "\ude00b", "\ude00\ud83d"])
def test_half_a_surrogate_pair_counts_as_the_replacement_character(name: EncodingName, half: str) -> None:
    replaced = "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in half)
    assert count_tokens(name, half) == count_tokens(name, replaced)


@pytest.mark.parametrize(
    ("unit", "name"),
    list(zip([" ", "\t", "\u3000", " \t", "a", "=", "\n", "中", "\ud800"], cycle(NAMES))),
)
def test_a_very_long_run_is_counted(name: EncodingName, unit: str) -> None:
    # tiktoken itself panics on the first four of these.
    repeats = (1_100_000 if unit.isspace() else 600_000) // len(unit)
    whole = count_tokens(name, unit * repeats + "x")
    tenth = count_tokens(name, unit * (repeats // 10))
    assert whole == pytest.approx(10 * tenth, abs=3 * 11)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("unit", [" ", "\t", "a", "=", "\n"])
def test_runs_in_pieces_agree_with_the_plain_count(name: EncodingName, unit: str) -> None:
    text = unit * 20_000 + "x"
    in_pieces = [len(load(name).encode_ordinary(piece)) for piece in pieces(text, 500, 1_000)]
    assert sum(in_pieces) == pytest.approx(count_tokens(name, text), abs=3 * len(in_pieces))


# Text with everything around a cut: white space of all kinds, contractions, digits of other scripts, marks.
_AROUND_CUTS = st.text(alphabet="aB'sS1 2\t\n\r/!{é中²٣\u0301\u00a0\u2028_", max_size=200)


@pytest.mark.parametrize("name", NAMES)
@settings(deadline=None)  # the first example loads an encoding
@given(text=_AROUND_CUTS, least=st.integers(min_value=0, max_value=20))
def test_cuts_at_exact_places_change_no_count(name: EncodingName, text: str, least: int) -> None:
    # `pieces` cuts at the first such place after `least`; here each is looked at alone.
    cut = encodings.EXACT_CUT.search(text, least)
    if cut is None:
        return
    encode = load(name).encode_ordinary
    head, tail = text[: cut.end()], text[cut.end() :]
    assert encode(head) + encode(tail) == encode(text)


@given(text=_AROUND_CUTS, least=st.integers(0, 20), more=st.integers(1, 20))
def test_pieces_join_to_the_text_and_are_short(text: str, least: int, more: int) -> None:
    parts = list(pieces(text, least, least + more))
    assert "".join(parts) == text
    assert all(len(part) <= least + more for part in parts)
    assert all(parts[:-1])


@pytest.mark.parametrize("name", NAMES)
def test_a_long_ordinary_text_is_counted_exactly(name: EncodingName) -> None:
    text = "def total(items):\n    return sum(item.price * 100 for item in items)  # it's 12 %\n" * 7_000
    assert len(text) > 500_000
    assert count_tokens(name, text) == len(load(name).encode_ordinary(text))


@pytest.mark.parametrize(("apart", "close"), [(CLOSE - 1, True), (CLOSE, True), (CLOSE + 1, False)])
def test_cuts_that_are_further_apart_than_that_are_not_close(apart: int, close: bool) -> None:
    text = "\n" + "x" * (apart - 1) + "\nx"
    assert cuts(text) == Cuts((1, apart + 1), close)


def test_between_cuts_that_are_far_apart_there_are_others() -> None:
    text = "\n" + "x" * (CLOSE - 10) + "\n" + "x" * CLOSE + "\nx"
    assert cuts(text).places == (1, CLOSE - 8, 2 * CLOSE - 7)
    assert cuts("x") == Cuts(())
    assert cuts("\nx") == Cuts((1,))


def lengths(monkeypatch: pytest.MonkeyPatch, text: str) -> list[int]:
    """Of the pieces that a text is encoded in."""
    found: list[int] = []

    class Watching:
        def encode_ordinary(self, piece: str) -> list[int]:
            found.append(len(piece))
            return [0, 0, 0]

    monkeypatch.setattr(encodings, "load", lambda _: Watching())
    assert count_tokens("o200k_base", text) == 3 * len(found)
    return found


def test_a_text_of_500_000_characters_is_encoded_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    assert lengths(monkeypatch, "x" * 500_000) == [500_000]
    assert lengths(monkeypatch, "x" * 500_001) == [100_000] * 5 + [1]


def test_a_piece_ends_at_the_first_exact_cut_behind_50_000_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    rest = "y" * 500_000
    assert lengths(monkeypatch, "x" * 49_999 + "\n" + rest)[0] == 100_000
    assert lengths(monkeypatch, "x" * 50_000 + "\n" + rest)[0] == 50_001
    assert lengths(monkeypatch, "x" * 99_998 + "\n" + rest)[0] == 99_999
    assert lengths(monkeypatch, "x" * 99_999 + "\n" + rest)[0] == 100_000


def test_a_long_text_is_cut_about_every_24_500_characters() -> None:
    assert CLOSE == 49_000
    lines = "\n" + ("x" * 500 + "\n") * 150  # a cut each 501 characters
    places = cuts(lines + "x").places
    assert places == (1, 49 * 501 + 1, 98 * 501 + 1, 150 * 501 + 1)
    assert cuts(lines + "x" * 60_000 + "\nx").close is False
