"""Token counts: encodings, estimates, windows, and the count cache.

Names are imported when first used: importing the package reads no other file.
"""

# Type checkers take this name as true; importing it from typing would cost 4 ms where nothing else has yet.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from .cache import CountCache
    from .counter import Counter
    from .encodings import EncodingDataError
    from .tokenizers import TOKENIZERS, Tokenizer, UnknownTokenizer, get_tokenizer, tokenizer_for_model
    from .windows import context_window, max_output

_HOMES = {
    "CountCache": "cache",
    "Counter": "counter",
    "EncodingDataError": "encodings",
    "TOKENIZERS": "tokenizers",
    "Tokenizer": "tokenizers",
    "UnknownTokenizer": "tokenizers",
    "get_tokenizer": "tokenizers",
    "tokenizer_for_model": "tokenizers",
    "context_window": "windows",
    "max_output": "windows",
}

__all__ = [
    "TOKENIZERS",
    "CountCache",
    "Counter",
    "EncodingDataError",
    "Tokenizer",
    "UnknownTokenizer",
    "context_window",
    "get_tokenizer",
    "max_output",
    "tokenizer_for_model",
]


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # Found already by the import system itself, so this import costs nothing.
    from importlib import import_module

    value: object = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value
