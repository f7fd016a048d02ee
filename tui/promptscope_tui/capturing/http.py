"""Bodies as they were before they were compressed for the way."""

from __future__ import annotations

import asyncio
import zlib
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import brotli
import zstandard
from aiohttp import web

MAX_BYTES = 64 * 1024 * 1024
"""Bytes of a body, decoded: a few kilobytes can say that they are gigabytes."""


class UndecodableError(ValueError):
    """A body that cannot be decoded, and why."""


def decoded(body: bytes, encoding: str) -> bytes:
    """The body behind the codings that the header `content-encoding` lists. Raises UndecodableError."""
    for coding in reversed([word.strip().lower() for word in encoding.split(",")]):
        try:
            body = _decoded(body, coding)
        except (zlib.error, brotli.error, zstandard.ZstdError, EOFError) as error:
            raise UndecodableError(f"its {coding} encoding is broken: {error}") from None
    return body


def _decoded(body: bytes, coding: str) -> bytes:
    match coding:
        case "" | "identity":
            return body
        case "gzip" | "x-gzip":
            return _inflated(body, zlib.decompressobj(zlib.MAX_WBITS | 16))
        case "deflate":
            try:
                return _inflated(body, zlib.decompressobj())
            except zlib.error:  # some send it bare
                return _inflated(body, zlib.decompressobj(-zlib.MAX_WBITS))
        case "zstd":
            with zstandard.ZstdDecompressor().stream_reader(body, read_across_frames=True) as reader:
                return _within(reader.read(MAX_BYTES + 1))
        case "br":
            return _unbrotlied(body)
    raise UndecodableError(f"its encoding {coding} is not known")


def _inflated(body: bytes, decoder: zlib._Decompress) -> bytes:
    found = decoder.decompress(body, MAX_BYTES + 1)
    if not decoder.eof and len(found) <= MAX_BYTES:
        raise EOFError("it breaks off")
    return _within(found)


def _unbrotlied(body: bytes) -> bytes:
    decoder = brotli.Decompressor()
    found, size = [], 0
    for start in range(0, len(body), 4096):
        piece = decoder.process(body[start : start + 4096], output_buffer_limit=MAX_BYTES)
        while True:
            found.append(piece)
            size += len(piece)
            if size > MAX_BYTES:
                _within(b"", size)
            if decoder.can_accept_more_data():
                break
            piece = decoder.process(b"", output_buffer_limit=MAX_BYTES)
    if not decoder.is_finished():
        raise EOFError("it breaks off")
    return b"".join(found)


def _within(body: bytes, size: int = 0) -> bytes:
    if max(len(body), size) > MAX_BYTES:
        raise UndecodableError(f"it is larger than {MAX_BYTES >> 20} MB")
    return body


def proxy_for(url: str) -> str | None:
    """The proxy that the environment names for an address; None if it is to be asked itself.

    aiohttp could find it out, but would also take a password from ~/.netrc, and refuse a request that has a key.
    """
    parts = urlsplit(url)
    return None if proxy_bypass(parts.netloc.rpartition("@")[2]) else getproxies().get(parts.scheme)


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
