"""A tunnel through the server to itself.

A client that is told of a proxy may ask it for everything, whatever NO_PROXY says, and by CONNECT even where nothing
is encrypted (Qwen Code does): what it then says in the tunnel is an ordinary request to the server.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from aiohttp import web

_PIECE = 1 << 16


class _Inward:
    """Passes on what the client says; what aiohttp calls the parser of an upgraded connection."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self.writer = writer

    def feed_data(self, data: bytes) -> tuple[bool, bytes]:
        self.writer.write(data)
        return False, b""

    def feed_eof(self) -> None:
        with suppress(OSError, RuntimeError):
            self.writer.write_eof()


async def tunnelled(request: web.BaseRequest, host: str, port: int) -> web.StreamResponse:
    """Carry bytes both ways between the client and a port, until one of them ends."""
    reader, writer = await asyncio.open_connection(host, port)
    response = web.StreamResponse(status=200, reason="Connection established")
    try:
        transport = request.transport
        if transport is None:  # the client has gone
            return response
        transport.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        protocol: Any = request.protocol  # typed for web sockets, which upgrade in the same way
        protocol.set_parser(_Inward(writer))
        while (data := await reader.read(_PIECE)) and not transport.is_closing():
            transport.write(data)
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()
        if request.transport is not None:
            request.transport.close()
    return response
