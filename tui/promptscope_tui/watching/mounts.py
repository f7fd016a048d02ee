"""Which file systems other machines write to as well: the kernel does not report changes that another one makes."""

import os
import re

_SHARED = re.compile(
    r"9p|afs|beegfs|ceph|cifs|coda|davfs|drvfs|gfs2?|glusterfs|gpfs|lustre|ncpfs|nfs4?|ocfs2|orangefs|prl_fs|smb3|smbfs"
    r"|vboxsf|virtiofs|vmhgfs|fuse(\..+)?"
)
"""Types of network file systems, and of those that show a virtual machine its host's folders. Behind FUSE is a program,
which may reach another machine (`fuse.sshfs`)."""

_OWN = re.compile(r"fuse\.(cryfs|encfs|fuse-overlayfs|gocryptfs)")
"""Those behind FUSE that are this machine's alone."""


def shared_devices(mountinfo: str) -> frozenset[int]:
    """The devices, as `st_dev` has them, that other machines may write to.

    `mountinfo` is the text of /proc/self/mountinfo (proc_pid_mountinfo(5)): a mount a line, its device as the third
    field, its type after ` - `.
    """
    found = set()
    for line in mountinfo.splitlines():
        mount, _, source = line.partition(" - ")
        kind = source.partition(" ")[0]
        if _SHARED.fullmatch(kind) and not _OWN.fullmatch(kind):
            major, _, minor = mount.split(" ")[2].partition(":")
            found.add(os.makedev(int(major), int(minor)))
    return frozenset(found)
