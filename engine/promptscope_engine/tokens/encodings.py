"""OpenAI's encodings, built from the rank files that are shipped in `data/`.

tiktoken's own loader fetches the files over the network, without a time-out, when first used; promptscope
must work offline. So the ranks are read here and `tiktoken.Encoding` is built directly.
"""

from __future__ import annotations

import gc
import re
import threading
from binascii import a2b_base64
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tiktoken import Encoding

EncodingName = Literal["o200k_base", "cl100k_base"]
"""The encodings whose ranks are shipped."""

DATA = Path(__file__).parent / "data"
"""The folder of the rank files, `<encoding>.tiktoken`, under tiktoken's MIT licence (see its NOTICE)."""


class EncodingDataError(RuntimeError):
    """A shipped rank file is missing or is not the one that was shipped; counts would be wrong."""


class EncodingSpec(msgspec.Struct, frozen=True):
    """What makes an encoding, besides its ranks; the values are those of tiktoken_ext/openai_public.py."""

    name: EncodingName
    sha256: str
    """Of the rank file, in hexadecimal; the same that tiktoken expects."""
    pattern: str
    """The regular expression that cuts text into the pieces that are merged."""
    special_tokens: dict[str, int]


SPECS = msgspec.json.decode(Path(__file__).with_suffix(".json").read_bytes(), type=dict[EncodingName, EncodingSpec])

_loaded: dict[EncodingName, Encoding] = {}
_loading = threading.Lock()


def load(name: EncodingName) -> Encoding:
    """The encoding, built at the first call and kept; safe from several threads.

    The first call takes 190 ms for o200k_base and 85 ms for cl100k_base (81 and 33 of them to read the
    ranks; best of six on one core of a small virtual machine), and holds the interpreter's lock for most
    of it.

    Raises:
        EncodingDataError: the rank file cannot be read or has another sha256.
    """
    with _loading:
        if name not in _loaded:
            _loaded[name] = _build(SPECS[name])
        return _loaded[name]


def _build(spec: EncodingSpec) -> Encoding:
    # Half a million young objects are made and all of them stay: the collector would walk them for nothing,
    # and parsing takes twice as long with it on.
    # 22 ms warm: it brings concurrent.futures and logging along. A run whose counts are all cached does
    # without.
    from tiktoken import Encoding

    collecting = gc.isenabled()
    gc.disable()
    try:
        return Encoding(
            spec.name, pat_str=spec.pattern, mergeable_ranks=read_ranks(spec), special_tokens=spec.special_tokens
        )
    finally:
        if collecting:
            gc.enable()


def read_ranks(spec: EncodingSpec, folder: Path = DATA) -> dict[bytes, int]:
    """Token bytes to rank, from `<folder>/<name>.tiktoken`: lines `<base64> <rank>`, in the order of rank.

    Raises:
        EncodingDataError: the file cannot be read or has another sha256.
    """
    path = folder / f"{spec.name}.tiktoken"
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise EncodingDataError(f"{path}: {error.strerror}; install promptscope again") from error
    found = sha256(raw).hexdigest()
    if found != spec.sha256:
        raise EncodingDataError(
            f"{path}: sha256 is {found}, not {spec.sha256}: the file was changed; install promptscope again"
        )
    # By position: the rank of line n is n, which the pinned sha256 vouches for.
    return {a2b_base64(token): rank for rank, token in enumerate(raw.split()[::2])}


# Past this many characters a text is counted in pieces. Measured with tiktoken 0.14.0: a run of a million
# white-space characters overflows its regex stack, and it panics, with a BaseException and a message on fd 2,
# over the screen (500,000 and 900,000 still pass). And one run of anything else, all merged as one piece, is
# slower than linear: 100,000 letters take 18 ms, 2,000,000 take 1 s, 20,000,000 take 14 s. In pieces the
# two millions take 0.4 s and the twenty 3.8 s.
PLAIN = 500_000
_PIECE_LEAST = 50_000
_PIECE_MOST = 100_000

# Where both patterns always end one match and begin the next, so that cutting there changes no count: before a
# space after an ASCII letter, before an ASCII digit after anything printable that isn't one, and before an ASCII
# letter after a newline.
EXACT_CUT = re.compile(r"[A-Za-z](?= )|[\n!-/:-~](?=[0-9])|\n(?=[A-Za-z])")


def count_tokens(name: EncodingName, text: str) -> int:
    """Tokens of `text`, with special tokens such as `<|endoftext|>` counted as the plain text they are here.

    Any text is counted: half a surrogate pair counts as U+FFFD, as in tiktoken. Up to 500,000 characters the
    count is tiktoken's; beyond, it is the same wherever 50,000 characters hold two words, a digit after a non-digit
    or a line that begins with a letter, and otherwise at most a few tokens off for every 100,000 characters.

    Raises:
        EncodingDataError: the rank file cannot be read or has another sha256.
    """
    # `encode` would raise on `<|endoftext|>` in a text.
    encode = load(name).encode_ordinary
    if len(text) <= PLAIN:
        return len(encode(text))
    return sum(len(encode(piece)) for piece in pieces(text))


def pieces(text: str, least: int = _PIECE_LEAST, most: int = _PIECE_MOST) -> Iterator[str]:
    """Cut `text` into parts of at most `most` characters that join to it again.

    Each ends at the first place after `least` characters where no token can reach over, else at `most`.
    """
    start = 0
    while len(text) - start > most:
        cut = EXACT_CUT.search(text, start + least, start + most)
        end = cut.end() if cut else start + most
        yield text[start:end]
        start = end
    yield text[start:]


CLOSE = _PIECE_MOST - _PIECE_LEAST - 1_000
"""Where exact cuts are closer together than this, `pieces` cuts at exact cuts only, wherever it is."""


class Cuts(msgspec.Struct, frozen=True):
    """Places where a text may be cut without changing its count, from the first to the last.

    `close`: no two neighbours are further apart than `CLOSE`.
    """

    places: tuple[int, ...]
    close: bool = True


_LAST_CUT = re.compile(f"(?s:.*)(?:{EXACT_CUT.pattern})")


def cuts(text: str) -> Cuts:
    """The first and the last exact cut of a text, and some between them if they are far from each other."""
    first = EXACT_CUT.search(text)
    if first is None:
        return Cuts(())
    last = _LAST_CUT.match(text)
    assert last is not None
    places = [first.end()]
    while last.end() - places[-1] > CLOSE:
        further = EXACT_CUT.search(text, places[-1] + CLOSE // 2)
        assert further is not None  # the last one, if no other
        places.append(further.end())
    if places[-1] < last.end():
        places.append(last.end())
    return Cuts(tuple(places), all(end - at <= CLOSE for at, end in pairwise(places)))
