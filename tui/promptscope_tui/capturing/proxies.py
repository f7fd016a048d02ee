"""The person's own proxy, for what leaves this machine."""

from __future__ import annotations

from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass


def proxy_for(url: str) -> str | None:
    """The proxy that the environment names for an address; None if it is to be asked itself.

    aiohttp could find it out, but would also take a password from ~/.netrc, and refuse a request that has a key.
    """
    parts = urlsplit(url)
    return None if proxy_bypass(parts.netloc.rpartition("@")[2]) else getproxies().get(parts.scheme)
