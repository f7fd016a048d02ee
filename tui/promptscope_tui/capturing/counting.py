"""Asking a provider's own endpoint how many tokens a request has. Only `tokens --exact` does it."""

import asyncio
import hashlib
import ipaddress
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import date
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

from aiohttp import ClientConnectionError, ClientError, ClientSession, ClientTimeout, InvalidURL
from msgspec import Struct
from msgspec.json import decode as json_decode

from promptscope_engine.captures.exchange import Masker
from promptscope_engine.formats.document import Json
from promptscope_engine.insight.exact_counts import Provider, Question, count_in
from promptscope_engine.wire.request import wire_json
from promptscope_tui.settings.paths import cache_folder, write_whole

from .http import proxy_for

TIMEOUT = 30.0
"""Seconds that an answer may take."""

MAX_KEPT = 500
"""Counts that are kept; the oldest go first."""

_SHORTEST = 8
"""Characters of a key that is looked for in messages: a shorter one would mask ordinary words."""

_MAX_ANSWER = 1 << 20
_MAX_FILE = 1 << 20
_FILE = "exact-counts.json"


class _Service(Struct, frozen=True):
    """The variables that the vendor's own programs read: its address and its keys, each with its header."""

    base: str
    default: str
    keys: tuple[tuple[str, str], ...]


_SERVICES = json_decode(Path(__file__).with_name("services.json").read_bytes(), type=dict[Provider, _Service])


class CountError(Exception):
    """There is no count, and why."""


class Counted(Struct, frozen=True):
    """What the provider said. `kept`: the day on which it said so, None if it was asked just now."""

    tokens: int
    host: str
    kept: str | None = None


def count(question: Question, env: Mapping[str, str], say: Callable[[str], None]) -> Counted:
    """The provider's count, from the kept ones if it was asked before. `say` is told whom it asks before it does.

    Raises CountError.
    """
    service = _SERVICES[question.provider]
    url = _address(service, env)
    host = url.netloc.rpartition("@")[2]
    target = url.geturl().rstrip("/") + question.path
    key = hashlib.sha256(f"{target}\n{wire_json([dict(question.headers), dict(question.body)])}".encode()).hexdigest()
    kept = _read()
    if key in kept:
        tokens, day = kept[key]
        return Counted(tokens, host, day)
    variable, header = next(((v, h) for v, h in service.keys if env.get(v)), (None, ""))
    if variable is None:
        raise CountError(f"no key to ask {host} with: {' or '.join(v for v, _ in service.keys)} is not set")
    secret = env[variable].strip()
    say(f"asking {host} for the number of tokens, with the key of {variable}")
    tokens = asyncio.run(_asked(question, target, host, _Key(variable, header, secret)))
    _keep({**kept, key: (tokens, date.today().isoformat())})
    return Counted(tokens, host)


def _address(service: _Service, env: Mapping[str, str]) -> SplitResult:
    """Where the service is. A key is sent in the open to this machine only."""
    given = env.get(service.base) or service.default
    try:
        url = urlsplit(given)
        local = url.hostname == "localhost" or _is_loopback(url.hostname or "")
    except ValueError:
        raise CountError(f"{service.base} is not an address: {given}") from None
    if url.scheme not in ("http", "https") or not url.hostname:
        raise CountError(f"{service.base} is not an address: {given}")
    if url.scheme == "http" and not local:
        raise CountError(f"{service.base} is {given}: a key is not sent to another machine without encryption")
    return url


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class _Key(Struct, frozen=True):
    """A key: the variable that it comes from, and the header that it is sent in."""

    variable: str
    header: str
    secret: str


async def _asked(question: Question, target: str, host: str, key: _Key) -> int:
    secret = key.secret
    headers = {**question.headers, key.header: f"Bearer {secret}" if key.header == "authorization" else secret}
    try:
        async with (
            ClientSession(timeout=ClientTimeout(total=TIMEOUT)) as session,
            session.post(
                target, json=dict(question.body), headers=headers, allow_redirects=False, proxy=proxy_for(target)
            ) as reply,
        ):
            body = await reply.content.read(_MAX_ANSWER)
            while len(body) < _MAX_ANSWER and (more := await reply.content.read(_MAX_ANSWER - len(body))):
                body += more
            status = reply.status
    except TimeoutError:
        raise CountError(f"{host} did not answer within {TIMEOUT:g} seconds") from None
    except ClientConnectionError as error:
        raise CountError(f"cannot reach {host}: {_plain(error, secret)}") from None
    except (ClientError, InvalidURL, OSError, ValueError) as error:
        raise CountError(f"{host} gave no answer that can be read: {_plain(error, secret)}") from None
    answer = _json(body)
    if status == HTTPStatus.OK:
        tokens = count_in(question.provider, answer)
        if tokens is None:
            raise CountError(f"{host} answered without a number of tokens")
        return tokens
    raise CountError(_refusal(status, host, key.variable, _plain(_said(answer), secret)))


def _refusal(status: int, host: str, variable: str, said: str) -> str:
    more = f": {said}" if said else ""
    if status in (401, 403):
        return f"{host} does not take the key of {variable} ({status}){more}"
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return f"{host} wants to be asked later (429){more}"
    if HTTPStatus.MULTIPLE_CHOICES <= status < HTTPStatus.BAD_REQUEST:
        return f"{host} leads elsewhere ({status}), and the key is sent to nobody else"
    return f"{host} refused to count ({status}){more}"


def _said(answer: Json) -> str:
    """The message of an error, as both providers give it."""
    error = answer.get("error") if isinstance(answer, dict) else None
    return str(error.get("message") or "") if isinstance(error, dict) else ""


def _plain(error: object, secret: str) -> str:
    """A message on one line, without the key."""
    secrets = {secret} if len(secret) >= _SHORTEST else set()
    return " ".join(Masker(secrets).text(str(error)).split())[:300]


def _json(body: bytes) -> Json:
    try:
        found: Json = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return found


# --- kept counts -----------------------------------------------------------------------------------------------------


def _file() -> Path:
    return cache_folder() / _FILE


def _read() -> dict[str, tuple[int, str]]:
    """The kept counts with their days, oldest first; none where the file is not what `_keep` writes."""
    try:
        with _file().open("rb") as file:
            found: Any = json.loads(file.read(_MAX_FILE))
        return {str(key): (int(tokens), str(day)) for key, (tokens, day) in found.items()}
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        return {}


def _keep(counts: Mapping[str, tuple[int, str]]) -> None:
    """Write them for the owner only. A disk that takes nothing costs another question, no more."""
    newest = dict(list(counts.items())[-MAX_KEPT:])
    with suppress(OSError):
        _file().parent.mkdir(parents=True, exist_ok=True)
        write_whole(_file(), json.dumps(newest).encode())
