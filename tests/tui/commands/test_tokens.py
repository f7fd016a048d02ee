"""`tokens --exact` and `--cost` as a script meets them; the provider is a server on this machine."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from tests.engine.captures.bodies import ANTHROPIC, CHAT, GEMINI

from promptscope_tui.capturing import counting
from promptscope_tui.cli import cli
from promptscope_tui.output import exits

KEY = "the-persons-own-key-1"


class Provider(ThreadingHTTPServer):
    """Answers with `answer`; `asked` are the paths, headers and bodies that came."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, str], Any]] = []
        self.answer: tuple[int, bytes] = (200, b'{"input_tokens": 31}')
        self.silent = threading.Event()
        super().__init__(("127.0.0.1", 0), _Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: Provider

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.asked.append((self.path, headers, json.loads(body)))
        status, text = self.server.answer
        if status == 0:
            self.server.silent.wait(10)
            return
        self.send_response(status)
        self.send_header("location", "http://127.0.0.1:1/elsewhere")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        """Nothing on stderr."""


@pytest.fixture
def provider() -> Iterator[Provider]:
    found = Provider()
    thread = threading.Thread(target=found.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield found
    found.silent.set()
    found.shutdown()
    found.server_close()
    thread.join()


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, provider: Provider) -> Path:
    for name in ("ANTHROPIC_AUTH_TOKEN", "GEMINI_API_KEY", "GOOGLE_API_KEY", "http_proxy", "HTTP_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PROMPTSCOPE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", provider.url)
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", f"{provider.url}/google/")
    monkeypatch.chdir(tmp_path)
    for name, body in (("anthropic", ANTHROPIC), ("gemini", GEMINI), ("chat", CHAT)):
        (tmp_path / f"{name}.json").write_text(json.dumps(body))
    return tmp_path


def tokens(*args: str, code: int = exits.OK) -> Result:
    result = CliRunner().invoke(cli, ["tokens", *args])
    assert result.exit_code == code, result.output
    return result


def test_the_provider_is_named_asked_once_and_kept(shop: Path, provider: Provider) -> None:
    result = tokens("--exact", "--capture", "anthropic.json")
    host = provider.url.removeprefix("http://")
    assert f"asking {host} for the number of tokens, with the key of ANTHROPIC_API_KEY" in result.stderr
    assert f"=31 tokens as {host} counted just now the request as it is; ours is" in result.stdout
    ((path, headers, body),) = provider.asked
    assert (path, headers["x-api-key"], headers["anthropic-version"]) == (
        "/v1/messages/count_tokens",
        KEY,
        "2023-06-01",
    )
    assert body == {key: ANTHROPIC[key] for key in ("model", "system", "messages", "tools")}
    again = json.loads(tokens("--exact", "--capture", "anthropic.json", "--format", "json").stdout)["exact"]
    assert (again["tokens"], again["host"], again["error"]) == (31, host, None)
    assert again["kept"] is not None
    assert len(provider.asked) == 1
    kept = shop / "cache" / "exact-counts.json"
    assert kept.stat().st_mode & 0o777 == 0o600
    assert KEY not in kept.read_text()


def test_google_gets_the_key_in_a_header(shop: Path, provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_API_KEY", KEY)
    provider.answer = (200, b'{"totalTokens": 29}')
    result = tokens("--exact", "--capture", str(shop / "gemini.json"), "--model", "gemini-2.5-pro")
    assert "=29 tokens" in result.stdout
    ((path, headers, body),) = provider.asked
    assert (path, headers["x-goog-api-key"]) == ("/google/v1beta/models/gemini-2.5-pro:countTokens", KEY)
    assert body["generateContentRequest"]["contents"] == GEMINI["contents"]


@pytest.mark.parametrize(
    ("status", "text", "says"),
    [
        (
            401,
            '{"error": {"message": "bad key the-persons-own-key-1"}}',
            "take the key of ANTHROPIC_API_KEY (401): bad",
        ),
        (429, "slow down", "wants to be asked later (429)"),
        (404, '{"error": {"message": "no such model"}}', "refused to count (404): no such model"),
        (307, "", "leads elsewhere (307), and the key is sent to nobody else"),
        (200, "<html>", "answered without a number of tokens"),
        (200, '{"input_tokens": "many"}', "answered without a number of tokens"),
        (0, "", "did not answer within 0.2 seconds"),
    ],
)
@pytest.mark.usefixtures("shop")
def test_no_count_is_said_and_the_estimate_stands(
    status: int, text: str, says: str, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "TIMEOUT", 0.2)
    provider.answer = (status, text.encode())
    result = tokens("--exact", "--capture", "anthropic.json", code=exits.CHECK_FAILED)
    assert says in result.stderr
    assert KEY not in result.output
    assert "the estimate is kept" in result.stderr
    assert "the whole request" in result.stdout


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("ANTHROPIC_API_KEY", None, "no key to ask 127.0.0.1"),
        ("ANTHROPIC_BASE_URL", "http://127.0.0.1:1", "cannot reach 127.0.0.1:1"),
        ("ANTHROPIC_BASE_URL", "http://example.com", "is not sent to another machine without encryption"),
        ("ANTHROPIC_BASE_URL", "api.anthropic.com", "ANTHROPIC_BASE_URL is not an address: api.anthropic.com"),
    ],
)
@pytest.mark.usefixtures("shop")
def test_nobody_is_asked(
    name: str, value: str | None, says: str, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    if value is None:
        monkeypatch.delenv(name)
    else:
        monkeypatch.setenv(name, value)
    result = tokens("--exact", "--capture", "anthropic.json", "--format", "json", code=exits.CHECK_FAILED)
    found = json.loads(result.stdout)
    assert says in found["exact"]["error"]
    assert found["summary"]["expected"] > 0
    assert not provider.asked


@pytest.mark.usefixtures("shop")
def test_a_model_without_an_endpoint(provider: Provider) -> None:
    result = tokens("--exact", "--capture", "chat.json", code=exits.CHECK_FAILED)
    assert "no counting endpoint is known for gpt-5" in result.stderr
    assert not provider.asked


def test_kept_counts_are_bounded_and_a_broken_file_is_started_again(
    shop: Path, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "MAX_KEPT", 1)
    kept = shop / "cache" / "exact-counts.json"
    kept.parent.mkdir()
    kept.write_text('{"broken": 1}')
    tokens("--exact", "--capture", "anthropic.json")
    tokens("--exact", "--capture", "anthropic.json", "--model", "claude-opus-5-5")
    assert len(json.loads(kept.read_text())) == 1
    assert len(provider.asked) == 2


@pytest.mark.usefixtures("shop")
def test_the_cost_with_the_date_of_its_prices() -> None:
    result = tokens("--cost", "--capture", "anthropic.json")
    assert "a turn's prompt costs $" in result.stdout
    assert "claude-sonnet-4-5, list prices of 2026-10-27, $ per million: input 3, cache write 3.75" in result.stdout
    found = json.loads(tokens("--cost", "--capture", "anthropic.json", "--format", "json").stdout)["cost"]
    assert (found["prices_of"], found["currency"], found["caching"]) == ("2026-10-27", "USD", "breakpoints")
    assert 0 < found["cached"] < found["cold"]
    unknown = tokens("--cost", "--capture", "anthropic.json", "--model", "own-model")
    assert "no cost: own-model is not in the price table of 2026-10-27" in unknown.stdout


def test_what_the_service_reported_stands_beside_our_count(shop: Path) -> None:
    usage = {"input_tokens": 2, "cache_read_input_tokens": 30, "cache_creation_input_tokens": 8, "output_tokens": 1}
    record = {
        "turn": 1,
        "request": {"method": "POST", "path": "/v1/messages", "headers": {}, "body": ANTHROPIC},
        "response": {"status": 200, "headers": {}, "body": {"usage": usage}},
    }
    (shop / "tap.jsonl").write_text(json.dumps(record) + "\n")
    assert "=40 tokens as the service reported for this request; ours is" in tokens("--capture", "tap.jsonl").stdout
    found = json.loads(tokens("--capture", "tap.jsonl", "--format", "json").stdout)
    assert found["summary"]["reported"] == 40
