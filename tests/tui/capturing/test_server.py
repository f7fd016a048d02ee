"""The recording server over real sockets: what it answers, what it keeps, what it refuses."""

from __future__ import annotations

import asyncio
import gzip
import json
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import brotli
import pytest
import zstandard
from aiohttp import ClientSession, web
from tests.engine.captures.bodies import ANTHROPIC, BODIES

from promptscope_engine.captures.model import Answer, Usage
from promptscope_tui.capturing import http as decoding
from promptscope_tui.capturing import server
from promptscope_tui.capturing.server import RecordingServer


@asynccontextmanager
async def serving(upstream: str | None = None) -> AsyncIterator[RecordingServer]:
    found = RecordingServer(
        upstream=upstream, secrets=frozenset({"own-secret-1"}), seen=lambda _: None, full=lambda: None
    )
    await found.start(0)
    try:
        yield found
    finally:
        await found.close()


async def post(to: RecordingServer, path: str, body: Any, **headers: str) -> tuple[int, str]:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    async with ClientSession() as session, session.post(to.url + path, data=data, headers=headers) as reply:
        return reply.status, await reply.text()


@pytest.mark.parametrize("protocol", BODIES)
async def test_each_protocol_is_answered_and_recorded(protocol: str) -> None:
    body, path = BODIES[protocol]
    async with serving() as found:
        status, text = await post(found, path, {**body, "stream": True})
        plain_path = path.replace("streamGenerateContent?alt=sse", "generateContent")
        plain_status, plain = await post(found, plain_path, body)
    assert (status, plain_status) == (200, 200)
    assert text.startswith(("data: ", "event: "))
    assert '"ok"' in plain
    json.loads(plain)
    assert [(r.protocol, r.path) for r in found.requests] == [(protocol, path), (protocol, plain_path)]
    assert found.requests[1].body == body


ENCODINGS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": brotli.compress,
    "zstd": zstandard.ZstdCompressor().compress,
    "gzip, br": lambda data: brotli.compress(gzip.compress(data)),
}


@pytest.mark.parametrize("encoding", ENCODINGS)
async def test_compressed_bodies_are_decoded(encoding: str) -> None:
    async with serving() as found:
        data = ENCODINGS[encoding](json.dumps(ANTHROPIC).encode())
        status, _ = await post(found, "/v1/messages", data, **{"content-encoding": encoding})
    assert status == 200
    assert found.requests[0].body == ANTHROPIC


@pytest.mark.parametrize("encoding", [*ENCODINGS, "lzma"])
async def test_a_broken_encoding_is_a_note(encoding: str) -> None:
    async with serving() as found:
        await post(found, "/v1/messages", b"\x1f\x8b broken", **{"content-encoding": encoding})
    assert "encoding" in found.requests[0].note
    assert found.requests[0].body is None


def test_a_body_that_grows_beyond_all_bounds_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoding, "MAX_BYTES", 10_000)
    for name in ("gzip", "br", "zstd", "deflate"):
        with pytest.raises(decoding.UndecodableError, match="larger"):
            decoding.decoded(ENCODINGS[name](b"a" * 100_000), name)


async def test_no_key_is_kept() -> None:
    async with serving() as found:
        body = {**ANTHROPIC, "system": "own-secret-1 and tok-123456789"}
        await post(found, "/v1/messages?key=abc", body, Authorization="Bearer tok-123456789", **{"user-agent": "x/1"})
    (request,) = found.requests
    assert request.headers == {"user-agent": "x/1"}
    assert request.path == "/v1/messages?key=[masked]"
    assert request.body["system"] == "[masked] and [masked]"


async def test_everything_else_is_refused_or_not_found() -> None:
    async with serving() as found:
        assert (await post(found, "/telemetry", {"a": 1}))[0] == 404
        assert (await post(found, "/v1/messages", ANTHROPIC, Host="evil.example"))[0] == 403
        upgrade = {"Upgrade": "websocket", "Connection": "Upgrade"}
        async with ClientSession() as session:
            async with session.get(f"{found.url}/v1/responses", headers=upgrade) as reply:
                assert reply.status == 426
            async with session.head(f"{found.url}/api/hello") as reply:
                assert reply.status == 404
        reader, writer = await asyncio.open_connection("127.0.0.1", int(found.url.rpartition(":")[2]))
        writer.write(b"CONNECT telemetry.example:443 HTTP/1.1\r\nHost: telemetry.example:443\r\n\r\n")
        assert b" 403 " in await reader.readline()
        writer.close()
        await writer.wait_closed()
        async with (
            ClientSession() as session,
            session.get("http://plain.example/x", proxy=found.url) as reply,
        ):
            assert reply.status == 403
    assert dict(found.refused) == {"evil.example": 1, "telemetry.example": 1, "plain.example": 1}
    assert [(r.path, r.response) for r in found.requests] == [
        ("/telemetry", Answer(404)), ("/v1/responses", Answer(426)), ("/api/hello", Answer(404)),
    ]  # fmt: skip


async def test_a_client_that_ignores_no_proxy_is_served_too() -> None:
    async with (
        serving() as found,
        ClientSession() as session,
        session.post(f"{found.url}/v1/messages?beta=true", json=ANTHROPIC, proxy=found.url) as reply,
    ):
        assert reply.status == 200
    assert found.requests[0].path == "/v1/messages?beta=true"


async def test_what_does_not_fit_is_answered_and_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MAX_RECORDED", 1_000)
    said: list[int] = []
    found = RecordingServer(upstream=None, secrets=frozenset(), seen=lambda _: None, full=lambda: said.append(1))
    await found.start(0)
    for _ in range(4):
        assert (await post(found, "/v1/messages", ANTHROPIC))[0] == 200
    await found.close()
    assert (len(found.requests) + found.left_out, said) == (4, [1])
    assert found.left_out


async def test_a_taken_port_is_an_error() -> None:
    async with serving() as first:
        second = RecordingServer(upstream=None, secrets=frozenset(), seen=lambda _: None, full=lambda: None)
        with pytest.raises(OSError, match="address"):
            await second.start(int(first.url.rpartition(":")[2]))


# --- with an upstream ------------------------------------------------------------------------------------------------

Handler = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]


@asynccontextmanager
async def service(handler: Handler) -> AsyncIterator[str]:
    runner = web.ServerRunner(web.Server(handler))
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/base"
    finally:
        await runner.cleanup()


async def test_forwarding_streams_and_records_the_usage() -> None:
    goes_on = asyncio.Event()
    asked: list[tuple[str, str, bytes]] = []

    async def real(request: web.BaseRequest) -> web.StreamResponse:
        asked.append((request.raw_path, request.headers["x-api-key"], await request.read()))
        response = web.StreamResponse(headers={"content-type": "text/event-stream", "x-id": "7"})
        await response.prepare(request)
        usage = {"input_tokens": 9, "cache_read_input_tokens": 4}
        await response.write(f"data: {json.dumps({'message': {'usage': usage}})}\n\n".encode())
        await goes_on.wait()
        await response.write(b'data: {"usage": {"output_tokens": 3}}\n\n')
        return response

    async with service(real) as upstream, serving(upstream) as found, ClientSession() as session:
        sent = session.post(f"{found.url}/v1/messages", json=ANTHROPIC, headers={"x-api-key": "own-key-1234"})
        async with sent as reply:
            first = await reply.content.readline()
            goes_on.set()  # the first piece was here before the second one was made
            rest = await reply.read()
            assert reply.headers["x-id"] == "7"
    assert b"input_tokens" in first
    assert b"output_tokens" in rest
    assert (asked[0][0], asked[0][1], json.loads(asked[0][2])) == ("/base/v1/messages", "own-key-1234", ANTHROPIC)
    assert found.requests[0].response == Answer(200, Usage(input=9, output=3, cache_read=4))


async def test_a_service_that_cannot_be_reached_is_said() -> None:
    async with serving("http://127.0.0.1:9") as found:
        status, text = await post(found, "/v1/messages", ANTHROPIC)
    assert status == 502
    assert "could not reach http://127.0.0.1:9" in text
    assert found.requests[0].response == Answer(502)


async def test_a_password_in_netrc_does_not_take_the_place_of_the_login(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "netrc").write_text("default login ada password not-for-this\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    came: list[str] = []

    async def answer(request: web.Request) -> web.Response:
        came.append(request.headers["authorization"])
        return web.json_response({"content": []})

    async with service(answer) as url, serving(url) as found:
        status, _ = await post(found, "/v1/messages", ANTHROPIC, authorization="Bearer mine")
    assert (status, came) == (200, ["Bearer mine"])


async def test_a_tunnel_to_the_server_itself_is_carried_and_any_other_is_refused() -> None:
    body = json.dumps(BODIES["chat"][0]).encode()
    async with serving() as found:
        host = found.url.removeprefix("http://")
        head = f"POST /v1/chat/completions HTTP/1.1\r\nhost: {host}\r\ncontent-length: {len(body)}\r\n\r\n"
        reader, writer = await asyncio.open_connection("127.0.0.1", int(host.partition(":")[2]))
        writer.write(f"CONNECT {host} HTTP/1.1\r\nhost: {host}\r\n\r\n".encode())
        assert await reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 200 Connection established\r\n\r\n"
        for _ in range(2):
            writer.write(head.encode() + body)
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200 OK\r\n")
            assert b'"ok"' in await reader.readuntil(b"}}")
        writer.close()
        await writer.wait_closed()
        reader, writer = await asyncio.open_connection("127.0.0.1", int(host.partition(":")[2]))
        writer.write(b"CONNECT 127.0.0.1:22 HTTP/1.1\r\nhost: 127.0.0.1:22\r\n\r\n")
        assert (await reader.read()).startswith(b"HTTP/1.1 403 ")
        writer.close()
        await writer.wait_closed()
    assert [request.path for request in found.requests] == ["/v1/chat/completions"] * 2
    assert dict(found.refused) == {"127.0.0.1": 1}
