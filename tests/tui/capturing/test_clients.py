"""The vendors' own clients accept the replies: `uv sync --group clients`, then this is not skipped."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from promptscope_tui.capturing.server import RecordingServer

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]
HI = [{"role": "user", "content": "hi"}]


@pytest_asyncio.fixture
async def server() -> AsyncIterator[RecordingServer]:
    found = RecordingServer(upstream=None, secrets=frozenset(), seen=lambda _: None, full=lambda: None)
    await found.start(0)
    yield found
    await found.close()


async def test_anthropic(server: RecordingServer) -> None:
    anthropic = pytest.importorskip("anthropic")
    client = anthropic.AsyncAnthropic(base_url=server.url, api_key="made-up-key")
    asked = {"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": HI}
    assert (await client.messages.create(**asked)).content[0].text == "ok"
    async with client.messages.stream(**asked) as stream:
        assert await stream.get_final_text() == "ok"
    counted = await client.messages.count_tokens(model="claude-sonnet-4-5", messages=HI)
    assert counted.input_tokens > 0
    await client.close()
    assert [request.protocol for request in server.requests] == ["anthropic"] * 3
    assert "x-stainless-lang" in server.requests[0].headers


async def test_openai(server: RecordingServer) -> None:
    openai = pytest.importorskip("openai")
    client = openai.AsyncOpenAI(base_url=f"{server.url}/v1", api_key="made-up-key")
    said = await client.chat.completions.create(model="gpt-5", messages=HI)
    assert said.choices[0].message.content == "ok"
    pieces = await client.chat.completions.create(model="gpt-5", messages=HI, stream=True)
    assert "".join([piece.choices[0].delta.content or "" async for piece in pieces]) == "ok"
    assert (await client.responses.create(model="gpt-5", input="hi")).output_text == "ok"
    async with client.responses.stream(model="gpt-5", input="hi") as stream:
        assert (await stream.get_final_response()).output_text == "ok"
    await client.close()
    assert [request.protocol for request in server.requests] == ["chat", "chat", "responses", "responses"]


async def test_gemini(server: RecordingServer) -> None:
    genai = pytest.importorskip("google.genai")
    client = genai.Client(api_key="made-up-key", http_options={"base_url": server.url})
    model = "gemini-2.5-pro"
    assert (await client.aio.models.generate_content(model=model, contents="hi")).text == "ok"
    pieces = await client.aio.models.generate_content_stream(model=model, contents="hi")
    assert "".join([piece.text or "" async for piece in pieces]) == "ok"
    assert (await client.aio.models.count_tokens(model=model, contents="hi")).total_tokens > 0
    await client.aio.aclose()
    assert [request.protocol for request in server.requests] == ["gemini"] * 3
