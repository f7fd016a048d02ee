"""No key is stored."""

from __future__ import annotations

import pytest

from promptscope_engine.captures.exchange import MASK, Exchange, Masker, kept_headers, masked_path, recorded, secrets_of

KEYS = (
    "sk-ant-api03-" + "a1B2" * 8,
    "sk-proj-" + "x9" * 20,
    "AIza" + "b" * 35,
    "ghp_" + "c" * 36,
    "github_pat_" + "d" * 30,
    "xoxb-1234567890-abc",
    "AKIA" + "Q" * 16,
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjMifQ.c2lnbmF0dXJl",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
)


@pytest.mark.parametrize("key", KEYS)
def test_what_looks_like_a_key_is_masked_wherever_it_stands(key: str) -> None:
    masker = Masker()
    assert masker.value({"a": [f"before {key} after"], "b": 3}) == {"a": [f"before {MASK} after"], "b": 3}
    assert masker.count == 1


@pytest.mark.parametrize("text", ["task-force", "sk-short", "risk-management-of-the-third-kind", "AKIA", "a.b.c"])
def test_ordinary_words_stay(text: str) -> None:
    assert Masker().text(text) == text


def test_values_of_variables_and_headers_are_masked_too() -> None:
    found = secrets_of(
        {"MY_API_KEY": "zq81-plain", "EDITOR": "vim-editor", "MODE_TOKEN": "production", "X_SECRET": "short"},
        {"Authorization": "Bearer tok-en-12345"},
    )
    assert found == {"zq81-plain", "tok-en-12345", "Bearer tok-en-12345"}
    assert Masker(found).text("x zq81-plain tok-en-12345 production") == f"x {MASK} {MASK} production"


def test_headers_are_those_of_the_allow_list() -> None:
    sent = {"User-Agent": "x/1", "X-Stainless-Lang": "js", "Anthropic-Beta": "a,b", "Authorization": "Bearer y",
            "Cookie": "c", "x-api-key": "k", "X-Forwarded-For": "1.2.3.4"}  # fmt: skip
    assert kept_headers(sent) == {"user-agent": "x/1", "x-stainless-lang": "js", "anthropic-beta": "a,b"}


def test_a_key_in_the_address_is_masked() -> None:
    assert masked_path("/v1beta/models/x:generateContent?alt=sse&key=abc&z=1") == (
        f"/v1beta/models/x:generateContent?alt=sse&key={MASK}&z=1"
    )


def test_a_recorded_request_holds_none_of_it() -> None:
    exchange = Exchange(
        path="/v1/messages", headers={"x-api-key": "own-key-value"}, body={"system": f"{KEYS[0]} own-key-value"}
    )
    found = recorded(1, exchange)
    assert found.body == {"system": f"{MASK} {MASK}"}
    assert (found.masked, found.headers) == (2, {})


@pytest.mark.parametrize(("length", "is_masked"), [(7, False), (8, True), (9, True)])
def test_a_value_of_eight_characters_is_looked_for(length: int, is_masked: bool) -> None:
    value = "aB3-xyzw9"[:length]
    assert secrets_of({"MY_KEY": value}) == (frozenset({value}) if is_masked else frozenset())
    assert secrets_of({}, {"X-Api-Key": f" {value} "}) == (frozenset({value}) if is_masked else frozenset())


@pytest.mark.parametrize(
    ("name", "value", "is_masked"),
    [
        ("MODE_TOKEN", "production", False),
        ("MODE_TOKEN", "Production", True),
        ("MODE_TOKEN", "produc7ion", True),
        ("DB_PASSWORD", "production", True),
        ("db_passwd", "production", True),
        ("EDITOR", "produc7ion", False),
    ],
)
def test_ordinary_words_are_no_secrets_unless_they_are_a_password(name: str, value: str, is_masked: bool) -> None:
    assert bool(secrets_of({name: value})) is is_masked


def test_of_two_secrets_the_longer_one_is_masked_as_a_whole() -> None:
    masker = Masker(["abc-12345", "abc-12345-long"])
    assert masker.text("abc-12345-long abc-12345") == f"{MASK} {MASK}"
    assert masker.count == 2
