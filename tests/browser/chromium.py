"""Headless Chromium, spoken to as its developer tools do."""

from __future__ import annotations

import asyncio
import shutil
from asyncio.subprocess import DEVNULL, PIPE
from base64 import b64decode
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pyte
import pytest
from aiohttp import ClientSession, ClientWebSocketResponse, WSMsgType

PROGRAM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PATIENCE = 60.0
"""Seconds after which what did not come is a failure."""

_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--enable-unsafe-swiftshader",
    "--remote-debugging-port=0",
    "--window-size=1200,800",
)
_KEYS = {"Enter": (13, "\r"), "Escape": (27, "")}


class Tab:
    """A page; `requests` are the addresses that it asked for, `screen` what a terminal in it shows."""

    def __init__(self, tools: ClientWebSocketResponse) -> None:
        self._tools = tools
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._count = 0
        self.requests: list[str] = []
        self.screen = pyte.Screen(80, 24)
        self._stream = pyte.ByteStream(self.screen)
        self._heard = asyncio.Event()

    async def listen(self) -> None:
        """Take what the browser says until it ends."""
        async for message in self._tools:
            if message.type is not WSMsgType.TEXT:
                continue
            said = message.json()
            if answer := self._answers.pop(said.get("id"), None):
                answer.set_result(said)
            self._take(said.get("method"), said.get("params", {}))
            self._heard.set()

    def _take(self, method: str | None, params: dict[str, Any]) -> None:
        match method:
            case "Network.requestWillBeSent":
                self.requests.append(params["request"]["url"])
            case "Network.webSocketCreated":
                self.requests.append(params["url"])
                sizes = dict(parse_qsl(urlsplit(params["url"]).query))
                self.screen.resize(int(sizes["height"]), int(sizes["width"]))
            case "Network.webSocketFrameReceived" if params["response"]["opcode"] == 2:
                self._stream.feed(b64decode(params["response"]["payloadData"]))

    async def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """One command of the protocol, and its result."""
        self._count += 1
        answer = self._answers[self._count] = asyncio.get_running_loop().create_future()
        await self._tools.send_json({"id": self._count, "method": method, "params": params})
        async with asyncio.timeout(PATIENCE):
            said = await answer
        assert "error" not in said, said
        result: dict[str, Any] = said["result"]
        return result

    async def open(self, url: str) -> None:
        """Go to an address."""
        await self.ask("Network.enable")
        await self.ask("Page.enable")
        await self.ask("Page.navigate", url=url)
        await self.until("document.readyState === 'complete'")

    async def value(self, expression: str) -> Any:
        """What an expression of JavaScript is in the page."""
        said = await self.ask("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in said, said
        return said["result"].get("value")

    async def until(self, expression: str) -> None:
        """Wait until an expression is true in the page."""
        async with asyncio.timeout(PATIENCE):
            while not await self.value(expression):
                await asyncio.sleep(0.05)

    async def until_shown(self, holds: Callable[[str], bool]) -> None:
        """Wait until the text of the terminal is as wanted."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not holds("\n".join(self.screen.display)):
                    self._heard.clear()
                    await self._heard.wait()
        except TimeoutError:
            raise AssertionError("\n".join(self.screen.display)) from None

    async def click(self, x: float, y: float) -> None:
        """Click at a place of the window."""
        for kind in ("mousePressed", "mouseReleased"):
            await self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    async def type(self, text: str) -> None:
        """Type into what has the focus."""
        for char in text:
            await self.ask("Input.dispatchKeyEvent", type="keyDown", text=char, key=char)
            await self.ask("Input.dispatchKeyEvent", type="keyUp", key=char)

    async def press(self, key: str) -> None:
        """Press a key that has a name."""
        code, text = _KEYS[key]
        about = {"key": key, "windowsVirtualKeyCode": code}
        await self.ask("Input.dispatchKeyEvent", type="keyDown", text=text, **about)
        await self.ask("Input.dispatchKeyEvent", type="keyUp", **about)

    async def picture(self) -> bytes:
        """What the page looks like, as PNG."""
        return b64decode((await self.ask("Page.captureScreenshot", format="png"))["data"])


@asynccontextmanager
async def tab(profile: Path) -> AsyncIterator[Tab]:
    """A tab of a new browser with an empty profile."""
    assert PROGRAM is not None
    process = await asyncio.create_subprocess_exec(
        PROGRAM, *_FLAGS, f"--user-data-dir={profile}", "about:blank", stdout=DEVNULL, stderr=PIPE
    )
    try:
        async with ClientSession() as session:
            address = await _address(process)
            async with session.get(f"http://{address}/json/list") as answer:
                targets = [target for target in await answer.json() if target["type"] == "page"]
            async with session.ws_connect(targets[0]["webSocketDebuggerUrl"], max_msg_size=0) as tools:
                found = Tab(tools)
                listening = asyncio.create_task(found.listen())
                yield found
                listening.cancel()
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        await process.communicate()


async def _address(process: asyncio.subprocess.Process) -> str:
    """Where the browser listens, which it says on stderr."""
    assert process.stderr is not None
    async with asyncio.timeout(PATIENCE):
        while line := (await process.stderr.readline()).decode(errors="replace"):
            if "DevTools listening on ws://" in line:
                return line.partition("ws://")[2].partition("/")[0]
    pytest.skip(f"{PROGRAM} does not start here")
