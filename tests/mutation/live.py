"""Puts another version of a module in place without importing anything again."""

from __future__ import annotations

import ast
import gc
from collections import defaultdict
from collections.abc import Callable
from functools import _lru_cache_wrapper
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import CodeType, FunctionType


class Live:
    """The functions of these folders that exist in this process, by the code that they were made from."""

    def __init__(self, engine: Path, tests: Path) -> None:
        self._engine = engine
        self._functions: dict[object, list[FunctionType]] = defaultdict(list)
        self._forget: list[Callable[[], None]] = []
        gc.unfreeze()  # what is frozen is not listed
        for found in gc.get_objects():
            if type(found) is FunctionType and found.__code__.co_filename.startswith(str(engine)):
                self._functions[_key(found.__code__)].append(found)
            elif type(found) is _lru_cache_wrapper:
                code = getattr(found.__wrapped__, "__code__", None)
                if code is None or code.co_filename.startswith((str(engine), str(tests))):
                    self._forget.append(found.cache_clear)
        gc.freeze()  # the collector of a forked process would copy every page

    def forget(self) -> None:
        """Empty the caches of functions."""
        for clear in self._forget:
            clear()

    def put(self, module: Path, changed: ast.Module) -> bool:
        """Give the functions of a module the code that they have in the changed one; whether that is all that differs.

        What has run during an import cannot be put in place, nor what nothing that lives was made from.
        """
        path = self._engine / module
        before = compile(path.read_text(encoding="utf-8"), str(path), "exec", dont_inherit=True)
        return self._put(before, compile(changed, str(path), "exec", dont_inherit=True), made_again=False)

    def _put(self, before: CodeType, after: CodeType, *, made_again: bool) -> bool:
        """`made_again`: whether what holds this code is a function that is in place, and makes it when it is called."""
        if before == after:
            return True
        if before.co_flags & CO_OPTIMIZED:  # of a function, not of a module or class
            for function in self._functions[_key(before)]:
                function.__code__ = after
                made_again = True
        inner = list(zip(_nested(before), _nested(after), strict=False))
        alike = len(inner) == len(_nested(before)) == len(_nested(after))
        done = [self._put(*pair, made_again=made_again) for pair in inner] if alike else [made_again]
        return all(done) and (made_again or _own(before) == _own(after))


def _key(code: CodeType) -> object:
    return code.co_filename, code.co_qualname, code.co_firstlineno, code.co_linetable


def _nested(code: CodeType) -> list[CodeType]:
    return [value for value in code.co_consts if isinstance(value, CodeType)]


def _own(code: CodeType) -> CodeType:
    """The code without what is nested in it."""
    return code.replace(co_consts=tuple(None if isinstance(value, CodeType) else value for value in code.co_consts))
