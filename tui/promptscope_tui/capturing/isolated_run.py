"""Run a command that may write, so that nothing reaches the disk. Linux only.

Started as a program of its own:

    python -I isolated_run.py [--offline | --listen FD PORT] FOLDER... -- COMMAND ARG...

It leaves for namespaces of its own: users (which gives the right to mount) and mounts. There everything becomes
read-only, and each FOLDER an overlay whose writes go to memory. With --offline it has a network of its own, too: of the
loopback alone. With --listen that has one port on which a server outside can answer: the listening socket goes to it
through FD, a Unix socket. No path changes. The memory belongs to the namespace
and goes with the last process in it, so there is nothing to clean up, however the command ends. Without a COMMAND it
only finds out whether all of that is permitted. Stands on the standard library alone.

Exit code 125 and a line on stderr: it is not permitted, and why.
"""

import ctypes
import errno
import fcntl
import os
import socket
import struct
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

REFUSED = 125

_CLONE_NEWNS, _CLONE_NEWUSER, _CLONE_NEWNET = 0x00020000, 0x10000000, 0x40000000
_SIOCGIFFLAGS, _SIOCSIFFLAGS, _UP = 0x8913, 0x8914, 0x1
_MS_BIND, _MS_REC, _MS_PRIVATE = 0x1000, 0x4000, 0x40000
_MNT_DETACH = 2
_MOUNT_SETATTR = 442  # the number of the system call, the same on every architecture
_AT_FDCWD, _AT_RECURSIVE, _ATTR_RDONLY = -100, 0x8000, 0x1
_PR_SET_SECUREBITS, _NOROOT_LOCKED = 28, 0x3

_KERNELS_OWN = ("/proc", "/dev", "/dev/pts", "/dev/shm", "/dev/mqueue")
"""What is written to there reaches no disk, and programs need it."""


class RefusedError(Exception):
    """What was not permitted."""


class _Attributes(ctypes.Structure):
    """`struct mount_attr`."""

    _fields_ = (
        ("attr_set", ctypes.c_uint64),
        ("attr_clr", ctypes.c_uint64),
        ("propagation", ctypes.c_uint64),
        ("userns_fd", ctypes.c_uint64),
    )


_libc = ctypes.CDLL(None, use_errno=True)


def _call(what: str, function: Callable[..., int], *arguments: object) -> None:
    if function(*arguments) != 0:
        code = ctypes.get_errno()
        raise RefusedError(f"{what}: {os.strerror(code)}{_hint(code)}")


def _hint(code: int) -> str:
    if code in (errno.EPERM, errno.EACCES):
        return " (the kernel, a container or AppArmor keeps user namespaces from it)"
    if code in (errno.EINVAL, errno.ENOSYS):
        return " (it takes Linux 5.12)"
    if code == errno.ENOSPC:
        return " (user.max_user_namespaces allows no more)"
    return ""


def _mount(what: str, source: str, target: str, flags: int = 0, kind: tuple[str, str] | None = None) -> None:
    """Mount; `kind` is the file system and its options. `what` is said where it is not permitted."""
    texts = (source, target, *(kind or ("", "")))
    one, other, name, options = (text.encode("utf-8", "surrogateescape") or None for text in texts)
    _call(what, _libc.mount, one, other, name, ctypes.c_ulong(flags), options)


def _own_namespaces(offline: bool) -> None:
    """A user of the same number, who may mount here and nowhere else."""
    user, group = os.geteuid(), os.getegid()
    network = _CLONE_NEWNET if offline else 0
    _call("no user namespace", _libc.unshare, _CLONE_NEWUSER | _CLONE_NEWNS | network)
    try:
        for name, line in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
            Path(f"/proc/self/{name}").write_text(line)
    except OSError as error:
        raise RefusedError(f"no user namespace: {error.strerror}{_hint(error.errno or 0)}") from None
    _mount("no mounts of its own", "none", "/", _MS_REC | _MS_PRIVATE)
    if offline:
        _start_loopback()


def _start_loopback() -> None:
    with socket.socket() as any_socket:
        asked = bytearray(struct.pack("16sH14x", b"lo", 0))
        fcntl.ioctl(any_socket, _SIOCGIFFLAGS, asked)
        flags = struct.unpack_from("16sH", asked)[1] | _UP
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", flags))


def _read_only(path: str, on: bool, recursive: bool = False) -> None:
    wanted = _Attributes(_ATTR_RDONLY if on else 0, 0 if on else _ATTR_RDONLY, 0, 0)
    flags = _AT_RECURSIVE if recursive else 0
    arguments = (_MOUNT_SETATTR, _AT_FDCWD, path.encode(), flags, ctypes.byref(wanted), ctypes.sizeof(wanted))
    _call(f"{path} stays writable", _libc.syscall, *arguments)


def _mounts_below(folders: Sequence[str]) -> list[str]:
    """The folders, and the file systems that are mounted inside of them: an overlay would hide those."""
    with Path("/proc/self/mountinfo").open(encoding="utf-8", errors="surrogateescape") as file:
        mounted = [_unescaped(line.split(" ")[4]) for line in file]
    inner = {path for path in mounted if any(path.startswith(folder.rstrip("/") + "/") for folder in folders)}
    found = {path for path in (*folders, *inner) if Path(path).is_dir()}
    outermost_first = sorted(found, key=lambda path: (path.count("/"), path))
    inside = {one for one in folders for other in folders if one.startswith(other.rstrip("/") + "/") and one != other}
    own = [path for path in outermost_first if path in folders and path not in inside]
    return [*own, *(path for path in outermost_first if path in inner)]


def _unescaped(path: str) -> str:
    for code, character in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        path = path.replace(code, character)
    return path


def _isolate(folders: Sequence[str], *, offline: bool) -> None:
    here = Path.cwd()
    targets = _mounts_below(folders)
    place = tempfile.mkdtemp(prefix="promptscope-isolated-")
    # of the mounts outside, which stay as they are: the folder is removed by way of it
    parent = os.open(Path(place).parent, os.O_PATH | os.O_DIRECTORY)
    memory = -1
    try:
        _own_namespaces(offline)
        below = [os.open(path, os.O_PATH | os.O_DIRECTORY) for path in targets]
        _mount("no file system in memory", "promptscope", place, kind=("tmpfs", "mode=0700"))
        memory = os.open(place, os.O_PATH | os.O_DIRECTORY)
        _read_only("/", on=True, recursive=True)
        for path in (*filter(os.path.ismount, _KERNELS_OWN), f"/proc/self/fd/{memory}"):
            _read_only(path, on=False)
        for number, (path, lower) in enumerate(zip(targets, below, strict=True)):
            _overlay(path, lower, memory, number)
    finally:
        if memory >= 0:
            _libc.umount2(f"/proc/self/fd/{memory}".encode(), _MNT_DETACH)
        os.rmdir(Path(place).name, dir_fd=parent)
    os.chdir(here)


def _overlay(path: str, lower: int, memory: int, number: int) -> None:
    for name in ("upper", "work"):
        os.mkdir(f"{name}{number}", 0o700, dir_fd=memory)
    about = os.stat(lower)
    upper = f"/proc/self/fd/{memory}/upper{number}"
    Path(upper).chmod(about.st_mode & 0o7777)
    parts = f"lowerdir=/proc/self/fd/{lower},upperdir={upper},workdir=/proc/self/fd/{memory}/work{number}"
    try:
        _mount(f"no overlay on {path}", "promptscope", path, kind=("overlay", f"userxattr,{parts}"))
    except RefusedError:
        if number == 0:
            raise
        # A file system that cannot be below an overlay: it is there, and stays read-only.
        _mount(f"no view of {path}", f"/proc/self/fd/{lower}", path, _MS_BIND | _MS_REC)


def _hand_out(channel: int, port: int) -> None:
    """Listen on a port of this network, and hand the socket to the server outside of it."""
    with socket.socket() as listener, socket.socket(fileno=channel) as server:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen(128)
        socket.send_fds(server, [b"."], [listener.fileno()])


def main(arguments: Sequence[str]) -> int:
    """Isolate, and become the command. Returns only where that is not permitted, or without a command."""
    options = {"--offline": 1, "--listen": 3}.get(arguments[0], 0)
    at = arguments.index("--", options)
    folders, command = arguments[options:at], arguments[at + 1 :]
    try:
        _isolate(folders, offline=options > 0)
        if arguments[0] == "--listen":
            _hand_out(int(arguments[1]), int(arguments[2]))
        # Starting a program as root would hand it the right to undo all this.
        _call("the rights of root stay", _libc.prctl, _PR_SET_SECUREBITS, _NOROOT_LOCKED, 0, 0, 0)
    except RefusedError as error:
        sys.stderr.write(f"{error}\n")
        return REFUSED
    except OSError as error:
        sys.stderr.write(f"{error.filename or 'a folder'}: {error.strerror}\n")
        return REFUSED
    if command:
        os.execvp(command[0], list(command))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
