"""The server that a recorded agent talks to: it answers with the smallest reply, or forwards to the real service."""

import socket
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from urllib.parse import urlsplit

from aiohttp import ClientError, ClientSession, ClientTimeout, web

from promptscope_engine.captures.exchange import Exchange, recorded, secrets_of
from promptscope_engine.captures.model import Answer, Recorded
from promptscope_engine.captures.protocols import usage_of
from promptscope_engine.captures.recipes import blank_reply

from .http import MAX_BYTES, UndecodableError, decoded, proxy_for, tunnelled

HOST = "127.0.0.1"
MAX_RECORDED = 64 * 1024 * 1024
"""Bytes of all recorded bodies; what comes later is answered and left out."""

_MAX_REPLY = 16 * 1024 * 1024
"""Bytes of a forwarded reply in which the usage is looked for."""

_HOP_BY_HOP = {
    *("connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer"),
    *("transfer-encoding", "upgrade", "host", "content-length", "accept-encoding", "expect"),
}


class RecordingServer:
    """Answers on 127.0.0.1 until it is closed. `secrets` are values that are masked in what is recorded.

    `seen` is called with each request once it was answered, `full` once when the size limit is reached.
    """

    def __init__(
        self,
        *,
        upstream: str | None,
        secrets: frozenset[str],
        seen: Callable[[Recorded], object],
        full: Callable[[], object],
    ) -> None:
        self.upstream, self.secrets, self.seen, self.full = upstream, secrets, seen, full
        self.requests: list[Recorded] = []
        self.refused: Counter[str] = Counter()
        self.left_out = 0
        self.under_way = 0
        self.url = ""
        self._size = 0
        self._port = 0
        self._ports: tuple[str, ...] = ()
        self._runner: web.ServerRunner | None = None
        self._session: ClientSession | None = None

    async def start(self, port: int) -> None:
        """Listen; 0 lets the system choose. Raises OSError where the port is taken."""
        # auto_decompress off: the codings are more than aiohttp knows, and the answer must not depend on them.
        self._runner = web.ServerRunner(web.Server(self._handle, access_log=None, auto_decompress=False))
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, HOST, port).start()
        except OSError:
            await self._runner.cleanup()
            raise
        self._port = self._runner.addresses[0][1]
        self.url = f"http://{HOST}:{self._port}"
        self._ports = (f"{HOST}:{self._port}", f"localhost:{self._port}")
        if self.upstream:
            self._session = ClientSession(timeout=ClientTimeout(total=None), auto_decompress=False)

    async def listen(self, listener: socket.socket) -> None:
        """Listen on a socket of another network, too."""
        assert self._runner is not None
        await web.SockSite(self._runner, listener).start()

    async def close(self) -> None:
        """Stop listening. What is under way has a moment to end."""
        if self._session:
            await self._session.close()
        if self._runner:
            await self._runner.shutdown()
            await self._runner.cleanup()

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        path = request.raw_path
        if request.method == "CONNECT" and path in self._ports:
            return await tunnelled(request, HOST, self._port)
        if elsewhere := self._leads_elsewhere(request, path):
            self.refused[elsewhere] += 1
            response = web.Response(status=403, text="promptscope refuses all traffic but the model's\n")
            response.force_close()
            return response
        if "://" in path.partition("?")[0]:  # asked as a proxy, for this server
            parts = urlsplit(path)
            path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        self.under_way += 1
        try:
            return await self._answer(request, path)
        finally:
            self.under_way -= 1

    def _leads_elsewhere(self, request: web.BaseRequest, path: str) -> str:
        """The host that a request asks for by way of this one, or "": as a proxy, or by a page with another name."""
        if request.method == "CONNECT":
            return path.rpartition(":")[0] or path
        asked = urlsplit(path).netloc if "://" in path.partition("?")[0] else request.host
        return "" if asked in self._ports else asked or "no host"

    async def _answer(self, request: web.BaseRequest, path: str) -> web.StreamResponse:
        body = await _read(request)
        if body is None:
            return web.Response(status=413, text=f"promptscope takes bodies of up to {MAX_BYTES >> 20} MB\n")
        found = self._recorded(request, path, body)
        place = self._keep(found)
        if "websocket" in request.headers.get("upgrade", "").lower():
            # The refusal that makes Codex fall back to POST at once.
            response: web.StreamResponse = web.Response(status=426, text="promptscope speaks no web sockets\n")
            answered = replace(found, response=Answer(426), note="web socket refused")
        elif self._session:
            response, answered = await self._forward(self._session, request, path, body, found)
        elif found.protocol and isinstance(found.body, Mapping) and request.method == "POST":
            reply = blank_reply(found.protocol, path, found.body)
            response = web.Response(body=reply.body, headers={"content-type": reply.content_type})
            answered = replace(found, response=Answer(200))
        else:
            response = web.Response(status=404, text="not found\n")
            answered = replace(found, response=Answer(404))
        if place is not None:
            self.requests[place] = answered
        self.seen(answered)
        return response

    def _recorded(self, request: web.BaseRequest, path: str, body: bytes) -> Recorded:
        note = ""
        try:
            body = decoded(body, request.headers.get("content-encoding", ""))
        except UndecodableError as error:
            body, note = b"", str(error)
        exchange = Exchange(
            method=request.method,
            path=path,
            headers=request.headers,
            body=body.decode("utf-8", "replace") or None,
            bytes=len(body),
            time=datetime.now().astimezone().isoformat(timespec="milliseconds"),
            note=note,
        )
        return recorded(len(self.requests) + 1, exchange, self.secrets | secrets_of({}, request.headers))

    def _keep(self, found: Recorded) -> int | None:
        """Its place among the requests; None where there is no more room."""
        if self._size + found.bytes > MAX_RECORDED:
            self.left_out += 1
            if self.left_out == 1:
                self.full()
            return None
        self._size += found.bytes
        self.requests.append(found)
        return len(self.requests) - 1

    async def _forward(
        self, session: ClientSession, request: web.BaseRequest, path: str, body: bytes, found: Recorded
    ) -> tuple[web.StreamResponse, Recorded]:
        """Ask the real service, and pass on what it says piece by piece."""
        assert self.upstream is not None
        headers = [(name, value) for name, value in request.headers.items() if name.lower() not in _HOP_BY_HOP]
        headers.append(("accept-encoding", "identity"))  # the usage is read from the reply
        target = self.upstream.rstrip("/") + path
        kept = bytearray()
        try:
            async with session.request(
                request.method,
                target,
                headers=headers,
                data=body or None,
                allow_redirects=False,
                proxy=proxy_for(self.upstream),  # as it would be asked without promptscope in between
            ) as reply:
                response = web.StreamResponse(status=reply.status, reason=reply.reason)
                for name, value in reply.headers.items():
                    if name.lower() not in _HOP_BY_HOP:
                        response.headers.add(name, value)
                await response.prepare(request)
                async for piece in reply.content.iter_any():
                    kept += piece[: max(_MAX_REPLY - len(kept), 0)]
                    await response.write(piece)
                await response.write_eof()
        except (TimeoutError, ClientError, OSError) as error:
            text = f"promptscope could not reach {self.upstream}: {error}\n"
            return web.Response(status=502, text=text), replace(found, response=Answer(502), note=text.strip())
        usage = usage_of(kept.decode("utf-8", "replace"))
        return response, replace(found, response=Answer(response.status, usage))


async def _read(request: web.BaseRequest) -> bytes | None:
    """The body as it came; None if it is too large."""
    pieces, size = [], 0
    async for piece in request.content.iter_any():
        size += len(piece)
        if size > MAX_BYTES:
            return None
        pieces.append(piece)
    return b"".join(pieces)
