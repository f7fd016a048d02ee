"""Counting: the same number however it was come by, and no load before one is needed."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterable, Sequence
from math import ceil
from pathlib import Path
from threading import Event, Thread, current_thread
from threading import enumerate as enumerate_threads

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from promptscope_engine.tokens import counter, encodings
from promptscope_engine.tokens.cache import CountCache
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.encodings import count_tokens
from promptscope_engine.tokens.models import TOKENIZERS


def counted(counts: Counter, texts: Iterable[str]) -> list[int]:
    """The tokens of each text."""
    return [counts.count(text) for text in texts]


no_deadline = settings(deadline=None)  # the first example loads an encoding

ANY_TEXT = st.text(alphabet=st.characters(), max_size=300) | st.text(alphabet="ab \n'1<|>é中\ud800", max_size=300)


def forbid_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise AssertionError("something was encoded")

    monkeypatch.setattr(encodings, "count_tokens", refuse)


def in_a_new_process(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.strip()


@no_deadline
@given(text=ANY_TEXT)
@pytest.mark.slow
def test_a_count_is_the_same_every_time_and_by_every_way(text: str) -> None:
    cache = CountCache("unused: never flushed")
    for tokenizer in TOKENIZERS.values():
        fresh = Counter(tokenizer, cache)
        first = fresh.count(text)
        assert fresh.count(text) == fresh.cached(text) == first
        assert Counter(tokenizer, cache).cached(text) == first
        assert Counter(tokenizer).count(text) == first


@no_deadline
@given(one=ANY_TEXT, other=ANY_TEXT)
def test_a_joined_text_has_a_token_for_every_1_to_128_bytes(one: str, other: str) -> None:
    joined = one + other
    # tiktoken joins two halves of a surrogate pair that meet, and replaces those that stay alone.
    size = len(joined.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode())
    longest = 128  # bytes of o200k's longest token
    assert ceil(size / longest) <= Counter(TOKENIZERS["o200k_base"]).count(joined) <= size


@pytest.mark.slow
@no_deadline
@given(lines=st.lists(st.from_regex(r"\A[A-Za-z][A-Za-z0-9 '!]*\n\Z"), max_size=8))
def test_lines_that_begin_with_a_letter_add_up(lines: list[str]) -> None:
    counts = Counter(TOKENIZERS["o200k_base"])
    assert counts.count("".join(lines)) == sum(counted(counts, lines))


@no_deadline
@given(text=ANY_TEXT)
def test_estimates_go_by_the_base_count(text: str) -> None:
    base = count_tokens("o200k_base", text)
    assert Counter(TOKENIZERS["claude-estimate"]).count(text) == round(1.18 * base)
    assert Counter(TOKENIZERS["claude-5-estimate"]).count(text) == round(1.53 * base)
    assert Counter(TOKENIZERS["gemini-estimate"]).count(text) == ceil(len(text) / 4)
    assert Counter(TOKENIZERS["o200k_harmony"]).count(text) == base


@pytest.mark.slow
@settings(no_deadline, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20)
@given(texts=st.lists(ANY_TEXT, max_size=5))
def test_another_run_finds_the_counts_on_disk(tmp_path: Path, texts: list[str]) -> None:
    first = Counter(TOKENIZERS["cl100k_base"], CountCache(tmp_path))
    counts = counted(first, texts)
    first.flush()
    second = Counter(TOKENIZERS["cl100k_base"], CountCache(tmp_path))
    assert [second.cached(text) for text in texts] == counts


def test_cached_never_encodes(monkeypatch: pytest.MonkeyPatch) -> None:
    forbid_encoding(monkeypatch)
    new = Counter(TOKENIZERS["o200k_base"], CountCache("unused: never flushed"))
    assert new.cached("never seen") is None
    assert Counter(TOKENIZERS["o200k_base"]).cached("never seen") is None


def test_tokenizers_of_one_encoding_share_their_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    cache = CountCache("unused: never flushed")
    base = Counter(TOKENIZERS["o200k_base"], cache).count("shared by the estimate")
    forbid_encoding(monkeypatch)
    assert Counter(TOKENIZERS["claude-estimate"], cache).count("shared by the estimate") == round(1.18 * base)


def test_memory_is_let_go_when_it_holds_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counter, "MEMORY", 10)
    counts = Counter(TOKENIZERS["o200k_base"])
    counted(counts, ["first text", "second text", "third text"])
    assert counts.cached("first text") is None
    assert counts.cached("third text") == 2


def test_a_worker_and_a_screen_may_count_at_once() -> None:
    counts = Counter(TOKENIZERS["o200k_base"], CountCache("unused: never flushed"))
    texts = [f"text number {number}" for number in range(200)]
    worker = Thread(target=counted, args=(counts, texts))
    worker.start()
    seen = [counts.cached(text) for text in texts]
    worker.join()
    expected = counted(counts, texts)
    assert all(found in (None, right) for found, right in zip(seen, expected, strict=True))


# Each is just long enough to have a middle of its own.
LONG_TEXTS = [f"Rule {n}\nThe one of {n}.\n".ljust(1_000, "All work and no play.\n"[n % 22]) for n in range(80)]


def test_a_second_thread_counts_what_comes_later(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[str] = []
    real, begun = count_tokens, Event()

    def counted(name: encodings.EncodingName, text: str) -> int:
        if current_thread().name == "promptscope-counter":
            taken.append(text)
            begun.set()
        elif len(found) == 50:
            assert begun.wait(60)
        return real(name, text)

    monkeypatch.setattr(encodings, "count_tokens", counted)
    mine, found = Counter(TOKENIZERS["o200k_base"], CountCache("unused: never flushed")), list[int]()
    with mine.ahead(LONG_TEXTS):
        for text in LONG_TEXTS:
            found.append(mine.count_joined(["# A heading\n", text]))
    assert not [text for text in LONG_TEXTS[:50] if taken[0] in text]
    assert not _is_counting()
    other = Counter(TOKENIZERS["o200k_base"])
    assert found == [other.count("# A heading\n" + text) for text in LONG_TEXTS]
    forbid_encoding(monkeypatch)
    assert [mine.count(text) for text in LONG_TEXTS] == [mine.cached(text) for text in LONG_TEXTS], "known, too"


def test_who_is_caught_up_with_goes_ahead_again() -> None:
    taken: list[int] = []

    def encode(text: str) -> None:
        taken.append(int(text))
        if len(taken) == 3:  # the first thread has come up to here
            ahead.miss([text])

    ahead = counter.Ahead(map(str, range(100)), encode)
    ahead.miss(["7", "a heading"])
    ahead.run()
    assert taken == [39, 40, 41, *range(73, 100)]


@pytest.mark.parametrize(("at", "taken"), [(39, range(39, 100)), (40, (39, 40, 41, *range(72, 100)))])
def test_who_comes_near_is_not_waited_for(at: int, taken: Sequence[int]) -> None:
    """The second thread is about to take number 42: two ahead is near, three is not."""
    found: list[int] = []

    def encode(text: str) -> None:
        found.append(int(text))
        if len(found) == 3:
            ahead.miss([str(at)])

    ahead = counter.Ahead(map(str, range(100)), encode)
    ahead.miss(["7"])
    ahead.run()
    assert found == list(taken)


@pytest.mark.parametrize(("misses", "begins"), [(31, False), (32, True), (33, True)])
def test_a_second_thread_begins_with_the_32nd_text_that_had_to_be_encoded(misses: int, begins: bool) -> None:
    found: list[str] = []
    seen, begun = Event(), Event()

    def encode(text: str) -> None:
        found.append(text)
        begun.set()
        seen.wait(60)

    ahead = counter.Ahead(map(str, range(33)), encode)
    for _ in range(misses):
        ahead.miss(["none of them"])
    assert _is_counting() is begins
    assert not begins or begun.wait(60)
    seen.set()
    ahead.end()
    assert found == (["32"] if begins else [])


def test_the_second_thread_ends_with_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    mine, begun = Counter(TOKENIZERS["o200k_base"]), Event()

    def counted(*_: object) -> int:
        if current_thread().name == "promptscope-counter":
            begun.set()
        return 1

    def interrupted() -> None:
        with mine.ahead(LONG_TEXTS):
            for text in LONG_TEXTS[:40]:
                mine.count(text)
            assert begun.wait(60)
            raise InterruptedError

    monkeypatch.setattr(encodings, "count_tokens", counted)
    with pytest.raises(InterruptedError):
        interrupted()
    assert not _is_counting()


def test_what_is_known_needs_no_second_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    cache = CountCache("unused: never flushed")
    first = Counter(TOKENIZERS["o200k_base"], cache)
    for text in LONG_TEXTS:
        first.count_joined(["# A heading\n", text])
    forbid_encoding(monkeypatch)
    for mine in (Counter(TOKENIZERS["o200k_base"], cache), Counter(TOKENIZERS["gemini-estimate"])):
        with mine.ahead(LONG_TEXTS):
            assert all(mine.count_joined(["# A heading\n", text]) for text in LONG_TEXTS)
            assert not _is_counting()


def _is_counting() -> bool:
    return "promptscope-counter" in {thread.name for thread in enumerate_threads()}


def test_the_package_alone_imports_nothing() -> None:
    code = """
import sys
before = set(sys.modules)
import promptscope_engine.tokens
print(*sorted(set(sys.modules) - before))
"""
    assert in_a_new_process(code) == "__future__ promptscope_engine promptscope_engine.lazy promptscope_engine.tokens"


@pytest.mark.slow
def test_nothing_is_loaded_before_a_text_must_be_encoded(tmp_path: Path) -> None:
    known = Counter(TOKENIZERS["o200k_base"], CountCache(tmp_path))
    known.count("counted before")
    known.flush()
    code = f"""
import sys
from promptscope_engine.tokens.cache import CountCache
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import TOKENIZERS
for name in ("o200k_base", "gemini-estimate"):
    counts = Counter(TOKENIZERS[name], CountCache({str(tmp_path)!r}))
    counts.count("")
    counts.count("counted before")
print("tiktoken" in sys.modules)
counts = Counter(TOKENIZERS["o200k_base"])
counts.count("new")
print("tiktoken" in sys.modules)
for wall in ("textual", "rich", "click", "watchfiles", "platformdirs", "tiktoken_ext.openai_public"):
    assert wall not in sys.modules, wall
"""
    assert in_a_new_process(code).split() == ["False", "True"]


@no_deadline
@given(
    parts=st.lists(
        st.tuples(ANY_TEXT, st.sampled_from((1, 40, 2_000))).map(lambda pair: pair[0] * pair[1])
        | st.integers(1, 3_000).map("\nLine 12 of prose. ".__mul__),
        max_size=5,
    )
)
@pytest.mark.slow
def test_joined_parts_count_what_their_text_counts(parts: list[str]) -> None:
    known = Counter(TOKENIZERS["o200k_base"])
    counted(known, parts)
    assert known.count_joined(parts) == count_tokens("o200k_base", "".join(parts))


@pytest.mark.parametrize("parts", [["# A heading\n", LONG_TEXTS[0]], ["short, ", "too"], [LONG_TEXTS[0]]])
def test_joined_parts_are_known_once_they_were_counted(parts: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for cache in (None, CountCache("unused: never flushed")):
        mine = Counter(TOKENIZERS["o200k_base"], cache)
        assert mine.cached_joined(parts) is None
        found = mine.count_joined(parts)
        with monkeypatch.context() as patch:
            forbid_encoding(patch)
            assert mine.cached_joined(parts) == mine.count_joined(parts) == found
            assert Counter(TOKENIZERS["o200k_base"], cache).cached_joined(parts) == (found if cache else None)
    characters = Counter(TOKENIZERS["gemini-estimate"])
    assert characters.cached_joined(parts) == characters.count_joined(parts) == ceil(len("".join(parts)) / 4)


def test_a_counter_of_another_tokenizer_is_made_once_and_shares_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    cache = CountCache("unused: never flushed")
    counts = Counter(TOKENIZERS["o200k_base"], cache)
    assert counts.by(TOKENIZERS["o200k_base"]) is counts
    other = counts.by(TOKENIZERS["claude-estimate"])
    assert other.tokenizer is TOKENIZERS["claude-estimate"]
    assert counts.by(TOKENIZERS["claude-estimate"]) is other
    counts.count("a text")
    forbid_encoding(monkeypatch)
    assert other.count("a text") == round(1.18 * counts.count("a text"))


@pytest.mark.parametrize(("most", "kept"), [(9, False), (10, True), (11, True)])
def test_memory_holds_as_many_characters_as_it_may(monkeypatch: pytest.MonkeyPatch, most: int, kept: bool) -> None:
    monkeypatch.setattr(counter, "MEMORY", most)
    for before in ([], ["more than all of it"]):
        counts = Counter(TOKENIZERS["o200k_base"])
        counted(counts, [*before, "first", "other", "third"])
        assert (counts.cached("first") is not None) is kept
        assert counts.cached("third") == 1
    counted(counts, ["four", "five", "six"])
    assert counts.cached("third") is None


class Asked(CountCache):
    """Tells how often it was asked."""

    times = 0

    def get(self, key: bytes) -> int | None:
        self.times += 1
        return super().get(key)


def test_a_count_on_the_disk_is_looked_up_once() -> None:
    cache = Asked("unused: never flushed")
    Counter(TOKENIZERS["o200k_base"], cache).count("a text")
    before = cache.times
    counts = Counter(TOKENIZERS["o200k_base"], cache)
    assert [counts.cached("a text"), counts.cached("a text")] == [2, 2]
    assert cache.times == before + 1


@pytest.mark.parametrize("seed", range(3))
def test_thousands_of_parts_are_counted_from_the_last_ones(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counter, "MANY", 8)
    monkeypatch.setattr(encodings, "PLAIN", 10_000)  # of so many characters a count must be exact to be a sum
    chosen, tokenizer = random.Random(seed), TOKENIZERS["o200k_base"]
    texts = ("\n# Rule\n", "Use tabs, not 4 spaces.\n" * 60, "Nothing to cut at: " + "é" * 1_500, "x", "a\n" * 700)
    parts = [chosen.choice(texts) for _ in range(20)]
    mine = Counter(tokenizer, CountCache(tmp_path))
    for _ in range(12):
        at = chosen.randrange(len(parts))
        parts = [*parts[:at], *chosen.choices(texts, k=chosen.randrange(3)), *parts[at + chosen.randrange(2) :]]
        assert mine.count_joined(parts) == Counter(tokenizer).count_joined(parts)
    mine.flush()
    forbid_encoding(monkeypatch)
    assert Counter(tokenizer, CountCache(tmp_path)).count_joined(parts) == mine.count_joined(parts)


def divided_from_now_on(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many parts are looked at each time that some are divided."""
    sizes: list[int] = []
    divided = Counter.divided
    monkeypatch.setattr(Counter, "divided", lambda self, parts: (sizes.append(len(parts)), divided(self, parts))[1])
    return sizes


def test_one_changed_part_of_thousands_is_encoded_with_its_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    mine = Counter(TOKENIZERS["o200k_base"])
    rules = [f"\n# Rule {number}\n" + "Be kind.\n" * 200 for number in range(600)]
    mine.count_joined(rules)
    mine.count_joined([*rules[:300], "Saved.\n", *rules[301:]])
    looked = divided_from_now_on(monkeypatch)
    changed = [*rules[:300], "Saved twice.\n", *rules[301:]]
    assert mine.count_joined(changed) == Counter(mine.tokenizer).count("".join(changed))
    assert looked[:2] == [3, 3]


SHORT, MIDDLE = "\n# Rule\nBe kind.\n", "Be kind.\n" * 111 + "x"  # both may be cut; the other one has 1,000 characters


@pytest.mark.parametrize(
    ("rows", "at", "looked"),
    [
        ([MIDDLE] * 500, 0, 2),
        ([MIDDLE] * 500, 1, 3),
        ([MIDDLE] * 500, 499, 2),
        ([MIDDLE, SHORT] * 250, 250, 5),  # up to the next middle on both sides
        ([SHORT, MIDDLE] * 250, 1, 4),  # nothing before it has one
        ([MIDDLE, SHORT] * 250, 498, 4),
        ([SHORT] * 499 + [MIDDLE], 3, 500),
    ],
)
def test_a_change_is_looked_at_up_to_the_next_middles(
    rows: list[str], at: int, looked: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = Counter(TOKENIZERS["o200k_base"])
    rows = [f"{number}{row[len(str(number)) :]}" for number, row in enumerate(rows)]  # no two are one object
    mine.count_joined(rows)
    mine.count_joined(rows)
    sizes = divided_from_now_on(monkeypatch)
    changed = [*rows[:at], "Saved.\n", *rows[at + 1 :]]
    assert mine.count_joined(changed) == count_tokens("o200k_base", "".join(changed))
    assert sizes == [looked, looked]


@pytest.mark.parametrize(("parts", "is_looked_up"), [(499, True), (500, False), (501, False)])
def test_of_500_parts_the_last_count_is_kept_at_hand(parts: int, is_looked_up: bool) -> None:
    cache = Asked("unused: never flushed")
    mine = Counter(TOKENIZERS["o200k_base"], cache)
    rows = ["x\n"] * (parts - 1) + [MIDDLE]
    mine.count_joined(rows)
    before = cache.times
    mine.count_joined(["y\n", *rows[1:]])
    assert (cache.times > before) is is_looked_up


@pytest.mark.parametrize(("size", "is_summed"), [(4_999, True), (5_000, False), (5_001, False)])
def test_a_sum_counts_where_exact_cuts_are_close_together(
    size: int, is_summed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else all of a text that is counted in pieces is encoded, so that its count is the same however it is made."""
    seen: list[int] = []
    monkeypatch.setattr(encodings, "PLAIN", 1_000)
    monkeypatch.setattr(encodings, "CLOSE", 5_000)
    monkeypatch.setattr(encodings, "count_tokens", lambda _, text: (seen.append(len(text)), 1)[1])
    text = "a\n" * 1_000  # cut from the 2nd character to the 1,998th
    Counter(TOKENIZERS["o200k_base"]).count_joined([text, "é" * (size - 2)])
    assert (max(seen) < 2_000 + size - 2) is is_summed
