"""Which mounts other machines write to, from the text in which the kernel lists them."""

from __future__ import annotations

import os

import pytest

from promptscope_tui.watching.mounts import shared_devices

LINES = """\
22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw,discard
31 27 0:44 / /home rw,relatime shared:9 master:2 - {kind} {source} rw,vers=4.2
32 27 0:45 / /mnt/with\\040-\\040in\\040it rw - tmpfs tmpfs rw
"""


@pytest.mark.parametrize(
    ("kind", "source"),
    [
        ("nfs", "server:/export"),
        ("nfs4", "[fe80::1]:/"),
        ("cifs", "//server/my\\040share"),
        ("smb3", "//server/share"),
        ("9p", "drvfs"),
        ("virtiofs", "host"),
        ("vboxsf", "work"),
        ("ceph", "10.0.0.1:/"),
        ("fuse", "who-knows"),
        ("fuse.sshfs", "ada@server:/home/ada"),
        ("fuse.rclone", "drive:"),
    ],
)
def test_what_another_machine_may_write_to(kind: str, source: str) -> None:
    assert shared_devices(LINES.format(kind=kind, source=source)) == {os.makedev(0, 44)}


@pytest.mark.parametrize(
    "kind",
    ["ext4", "btrfs", "xfs", "zfs", "overlay", "tmpfs", "fuseblk", "fuse.fuse-overlayfs", "fuse.gocryptfs", "nfsd", ""],
)
def test_what_is_this_machines_own(kind: str) -> None:
    assert shared_devices(LINES.format(kind=kind, source="nfs")) == set()


def test_two_mounts_of_one_device_and_none_at_all() -> None:
    text = LINES.format(kind="nfs4", source="a:/b") + LINES.format(kind="nfs4", source="a:/c").replace("0:44", "0:300")
    assert shared_devices(text) == {os.makedev(0, 44), os.makedev(0, 300)}
    assert shared_devices("") == set()
