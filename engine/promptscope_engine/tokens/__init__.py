"""Token counts: encodings, estimates, windows, and the count cache.

Names are imported when first used: importing the package reads no other file.
"""

# Type checkers take this name as true; importing it from typing would cost 4 ms where nothing else has yet.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from .cache import CountCache as CountCache
    from .counter import Counter as Counter
    from .encodings import EncodingDataError as EncodingDataError
    from .tokenizers import TOKENIZERS as TOKENIZERS
    from .tokenizers import Tokenizer as Tokenizer
    from .tokenizers import UnknownTokenizer as UnknownTokenizer
    from .tokenizers import get_tokenizer as get_tokenizer
    from .tokenizers import tokenizer_for_model as tokenizer_for_model
    from .windows import context_window as context_window
    from .windows import max_output as max_output

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

__all__ = [*_HOMES]


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # Found already by the import system itself, so this import costs nothing.
    from importlib import import_module

    value: object = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value
