"""The server behind `promptscope serve`: on the loopback address, one process of the app for each visitor.

Anyone who reaches it can use the app, which shows files of this machine. So it listens on 127.0.0.1 only; every address
begins with a random token; a request that was sent to another host's name (which may resolve to this machine) or by
another site's page is refused. textual-serve brings the terminal for the browser and talks to the processes. Its own
page takes a font from another host, and it starts commands through a shell: both are ours here.
"""

from __future__ import annotations

import asyncio
import os
import re
from asyncio.subprocess import PIPE, Process
from base64 import b64encode
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from secrets import compare_digest
from socket import socket
from string import Template

from aiohttp import WSCloseCode, web
from aiohttp.typedefs import Handler, Middleware
from textual_serve.app_service import AppService
from textual_serve.server import Server, to_int

from promptscope_tui.output.stdout import BROWSER

_HOST = re.compile(r"(?:127\.0\.0\.1|localhost)(?::\d{1,5})?")
_PAGE = Path(__file__).with_suffix(".html")
_SCRIPT = re.compile("<script>(.*?)</script>", re.DOTALL)

_MOST_CELLS = 1000
"""Columns or rows that a visitor's terminal can have."""

_PATIENCE = 5.0
"""Seconds that a process has to end by itself."""


def serve(listening: socket, token: str, command: Sequence[str]) -> None:
    """Serve on a bound socket until ctrl+c or SIGTERM. `command` starts the app for a visitor."""
    web.run_app(_application(token, command), sock=listening, print=None, access_log=None, shutdown_timeout=_PATIENCE)


def _application(token: str, command: Sequence[str]) -> web.Application:
    server = _Server(command)
    application = web.Application(middlewares=[_guarded_by(token)])
    application.add_routes(
        [
            web.get(f"/{token}/", server.handle_index),
            web.get(f"/{token}/ws", server.handle_websocket),
            web.static(f"/{token}/static", server.statics_path),
        ]
    )
    application.on_response_prepare.append(_add_headers)
    application.on_shutdown.append(server.on_shutdown)
    return application


def _guarded_by(token: str) -> Middleware:
    @web.middleware
    async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
        origin = request.headers.get("Origin")
        is_ours = origin == f"http://{request.host}"
        is_socket = request.headers.get("Upgrade") is not None  # browsers always say whose page opens one
        known = compare_digest(request.path.split("/")[1].encode(), token.encode())
        if not (_HOST.fullmatch(request.host) and (is_ours or (origin is None and not is_socket)) and known):
            raise web.HTTPForbidden(text="use the address that promptscope serve has printed\n")
        return await handler(request)

    return guard


async def _add_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Allow nothing from other hosts, no frames of other sites, and no leak of the address, which holds the token."""
    script = _SCRIPT.search(_PAGE.read_text(encoding="utf-8"))
    digest = b64encode(sha256(script[1].encode()).digest()).decode() if script else ""
    response.headers["Content-Security-Policy"] = (
        f"default-src 'none'; script-src 'self' 'sha256-{digest}'; style-src 'self' 'unsafe-inline'; font-src 'self'; "
        f"img-src 'self' data:; connect-src 'self' ws://{request.host}; frame-ancestors 'none'; base-uri 'none'; "
        "form-action 'none'"
    )
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    response.headers["Cache-Control"] = "no-store"


class _Server(Server):
    """textual-serve's server with our page, our processes and no downloads."""

    def __init__(self, command: Sequence[str]) -> None:
        super().__init__("promptscope")
        self._command = command
        self._sockets: set[web.WebSocketResponse] = set()

    async def handle_index(self, request: web.Request) -> web.Response:
        page = Template(_PAGE.read_text(encoding="utf-8"))
        text = page.substitute(socket=f"ws://{request.host}{request.path}ws")  # the guard has checked both
        return web.Response(text=text, content_type="text/html")

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        """A visitor: a process until the page is closed or the app is quit."""
        channel = web.WebSocketResponse(heartbeat=15)
        await channel.prepare(request)
        self._sockets.add(channel)
        visitor = _Visitor(
            self._command,
            write_bytes=channel.send_bytes,
            write_str=channel.send_str,
            close=channel.close,
            download_manager=self.download_manager,
        )
        width, height = (max(1, min(to_int(request.query.get(n, ""), 80), _MOST_CELLS)) for n in ("width", "height"))
        try:
            await visitor.start(width, height)
            # A message that is none of the page's ends the visit.
            with suppress(ValueError, TypeError, LookupError, AttributeError, AssertionError):
                await self._process_messages(channel, visitor)
        finally:
            self._sockets.discard(channel)
            await visitor.stop()
            await channel.close()
        return channel

    async def on_shutdown(self, _: web.Application) -> None:
        for channel in tuple(self._sockets):
            await channel.close(code=WSCloseCode.GOING_AWAY)


class _Visitor(AppService):
    """A visitor's process."""

    def __init__(self, command: Sequence[str], **given: object) -> None:
        super().__init__("promptscope", **given)
        self._words = command

    async def _open_app_process(self, width: int = 80, height: int = 24) -> Process:
        """Start it: without a shell, and with nothing in its environment but what Textual needs to draw."""
        size = {"COLUMNS": str(width), "ROWS": str(height)}
        drawing = {**BROWSER, "TEXTUAL_FPS": "60", "TEXTUAL_COLOR_SYSTEM": "truecolor"}
        self._process = await asyncio.create_subprocess_exec(
            *self._words, stdin=PIPE, stdout=PIPE, stderr=PIPE, env={**os.environ, **drawing, **size}
        )
        self._stdin = self._process.stdin
        return self._process

    async def run(self) -> None:
        """Run until the process ends, and tell the page."""
        await super().run()
        await self.remote_close()

    async def stop(self) -> None:
        """Ask the process to end; one that does not is killed."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE):
                await super().stop()
        process: Process | None = self._process
        if process is None:
            return
        with suppress(ProcessLookupError):
            if process.returncode is None:
                process.kill()
        await process.wait()
