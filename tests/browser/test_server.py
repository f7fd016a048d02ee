"""What the server of `promptscope serve` refuses, and what it says with everything."""

from __future__ import annotations

import asyncio
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from .test_serve import served, until_children

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not Path("/proc").is_dir(), reason="/proc tells who started whom"),
]


async def test_strangers_are_refused(tmp_path: Path) -> None:
    from aiohttp import ClientSession
    from yarl import URL

    async with served(tmp_path) as (url, server), ClientSession() as client:
        ours = urlsplit(url)
        origin = f"http://{ours.netloc}"
        root = f"{origin}/"
        upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
        upgrade["Sec-WebSocket-Key"] = "MDEyMzQ1Njc4OWFiY2RlZg=="
        tries = [
            (200, url, {}),
            (200, url, {"Origin": origin}),
            (200, url, {"Host": f"localhost:{ours.port}"}),
            (200, f"{url}static/css/xterm.css", {}),
            (403, root, {}),
            (403, f"{root}static/css/xterm.css", {}),
            (403, f"{url[:-2]}/", {}),
            (403, f"{root}%C3%BCnknown/", {}),
            (403, f"{root}ws", {**upgrade, "Origin": origin}),
            (403, url, {"Host": "rebound.invalid"}),
            (403, url, {"Host": f"rebound.invalid:{ours.port}"}),
            (403, url, {"Host": "127.0.0.1.rebound.invalid"}),
            (403, url, {"Origin": "http://elsewhere.invalid"}),
            (403, url, {"Origin": "null"}),
            (403, url, {"Origin": f"https://{ours.netloc}"}),
            (403, f"{url}ws", upgrade),
            (403, f"{url}ws", {**upgrade, "Origin": "http://elsewhere.invalid"}),
            (403, f"{url}ws", {**upgrade, "Origin": f"http://localhost:{ours.port}"}),
            (403, f"{url}static/", {}),
            (404, f"{url}static/..%2fapp_service.py", {}),
            (404, f"{url}static/%2e%2e%2f%2e%2e%2fapp_service.py", {}),
            (404, f"{url}download/x", {}),
        ]
        for code, address, headers in tries:
            async with client.get(URL(address, encoded=True), headers=headers) as answer:
                assert answer.status == code, (address, headers)
                assert answer.headers["Referrer-Policy"] == "no-referrer"
                assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        await until_children(server, 0)


async def test_only_the_loopback_address_listens(tmp_path: Path) -> None:
    async with served(tmp_path) as (url, _):
        port = urlsplit(url).port
        for host in ("127.0.0.2", "::1"):
            with pytest.raises(OSError, match="Connect call failed"):
                await asyncio.open_connection(host, port)


@pytest.mark.parametrize("message", ["{", "{}", "[]", '["stdin"]', '["stdin", 1]', '["resize", {}]', "null"])
async def test_a_message_that_is_none_of_the_page_ends_the_visit(tmp_path: Path, message: str) -> None:
    from aiohttp import ClientSession

    async with served(tmp_path) as (url, server), ClientSession() as client:
        origin = url.rpartition("/")[0].rpartition("/")[0]
        address = f"{url.replace('http', 'ws')}ws?width=-5&height=99999999"
        async with client.ws_connect(address, headers={"Origin": origin}) as socket:
            await until_children(server, 1)
            await socket.send_str(message)
            while not socket.closed:
                await socket.receive(timeout=30)
        await until_children(server, 0)
        server.terminate()
        assert await asyncio.to_thread(server.wait, 30) == 0
        assert server.stderr is not None
        assert b"Traceback" not in server.stderr.read()
