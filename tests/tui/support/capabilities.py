"""What the superuser may do more than others, given up for a while: files then keep root out as well."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

_VERSION, _WORDS = 0x20080522, 2  # _LINUX_CAPABILITY_VERSION_3: two words of 32 bits each
_READ_ANYTHING = 1 << 1 | 1 << 2  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Set(ctypes.Structure):
    _fields_ = (("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32), ("inheritable", ctypes.c_uint32))


@contextmanager
def reading_as_anyone() -> Iterator[None]:
    """This thread, and those that it starts, read only what the modes of files allow. Skips where root can't do so."""
    if os.geteuid() != 0:
        yield
        return
    if sys.platform != "linux":
        pytest.skip("root may read everything")
    libc, header, sets = ctypes.CDLL(None, use_errno=True), _Header(_VERSION, 0), (_Set * _WORDS)()
    assert libc.capget(ctypes.byref(header), sets) == 0
    before = sets[0].effective
    sets[0].effective &= ~_READ_ANYTHING
    assert libc.capset(ctypes.byref(header), sets) == 0
    try:
        yield
    finally:
        sets[0].effective = before
        assert libc.capset(ctypes.byref(header), sets) == 0
