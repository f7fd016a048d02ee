"""A network of loopback alone, without names, and roots on a private tmpfs, for everything that this process starts."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

_INSIDE = "ORACLE_NETNS"


def enter_namespace() -> None:
    """Start this command again inside, unless it is there already.

    Roots are below /media then: some clients treat what is below /tmp in ways of their own. Needs `unshare` and
    `ip`, and root or user namespaces.
    """
    if os.environ.get(_INSIDE) != "1":
        flags = "-nm" if os.geteuid() == 0 else "-rnm"
        command = ["unshare", flags, *sys.orig_argv]
        os.execvpe("unshare", command, {**os.environ, _INSIDE: "1"})
    for words in (["ip", "link", "set", "lo", "up"], ["mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", "/media"]):
        subprocess.run(words, check=True)
    names = Path("/media/resolv.conf")  # it ends with the tmpfs
    names.write_text("nameserver 127.0.0.1\n")
    subprocess.run(["mount", "--bind", str(names), "/etc/resolv.conf"], check=True)
    threading.Thread(target=_no_names, daemon=True).start()


def _no_names() -> None:
    """Answer at once that there is no such name, so that nobody waits."""
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind(("127.0.0.1", 53))
    while True:
        question, peer = server.recvfrom(2048)
        server.sendto(question[:2] + b"\x81\x83" + question[4:6] + b"\0" * 6 + question[12:], peer)
