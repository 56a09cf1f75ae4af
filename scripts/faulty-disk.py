#!/usr/bin/env python3
"""A file system for `make faults`: shows a folder under the rules of a foreign disk, with faults on request.

    faulty-disk.py [--fold] [--decompose] [--new-inodes] [--faults FILE] FOLDER MOUNT_POINT

It stays in the foreground until it is unmounted. With --fold, names that differ only in case are one, as with vfat,
exFAT or casefolded ext4: the case in which a file was created is kept. With --decompose, names are kept in NFD and
looked up in any form, as on HFS+. Both may be given; names that are not UTF-8 are left as they are. With --new-inodes
each name by which a file is found has a number of its own, as with exfat-fuse.

FILE has one fault a line, `CALL ERROR FROM NAME`: CALL is a method below such as read, write, fsync or readdir, ERROR a
name of errno, NAME a pattern of file names, and FROM the first byte (read, write), entry (readdir) or call (any other)
that fails. The file is looked at with each call, so that faults come and go while the disk is mounted.

Needs libfuse 2 and the Python package fusepy (Debian: python3-fusepy).
"""

import argparse
import errno
import fnmatch
import os
import unicodedata

try:
    import fusepy as fuse
except ImportError:
    import fuse


class Rules:
    """How names are written down, and which ones are equal."""

    def __init__(self, is_folding: bool, is_decomposing: bool):
        self.is_folding = is_folding
        self.is_decomposing = is_decomposing

    def stored(self, name: str) -> str:
        return unicodedata.normalize("NFD", name) if self.is_decomposing else name

    def key(self, name: str) -> str:
        name = self.stored(name)
        return unicodedata.normalize("NFD", name.casefold()) if self.is_folding else name


class Faults:
    def __init__(self, path: str | None):
        self.path = path
        self.counts: dict[str, int] = {}

    def check(self, call: str, path: str, position: int | None = None) -> None:
        """Raises what FILE says of this call.

        Args:
            position: The first byte or entry that the call is not about any more; None to count calls.
        """
        if self.path is None:
            return
        try:
            with open(self.path, encoding="utf-8") as file:
                lines = file.read().splitlines()
        except FileNotFoundError:
            return
        for line in lines:
            fields = line.split(maxsplit=3)
            if len(fields) != 4 or fields[0] != call or not fnmatch.fnmatch(os.path.basename(path), fields[3]):
                continue
            reached = position
            if reached is None:
                reached = self.counts[line] = self.counts.get(line, 0) + 1
            if reached > int(fields[2]):
                raise fuse.FuseOSError(getattr(errno, fields[1]))


class Disk(fuse.Operations):
    use_ns = True

    def __init__(self, folder: str, rules: Rules, faults: Faults):
        self.folder = folder
        self.rules = rules
        self.faults = faults

    def __call__(self, call, *arguments):
        """Names come and go as text of one byte a character, see main()."""
        arguments = [os.fsdecode(word.encode("latin-1")) if isinstance(word, str) else word for word in arguments]
        result = super().__call__(call, *arguments)
        if call == "readdir":
            return [os.fsencode(name).decode("latin-1") for name in result]
        return os.fsencode(result).decode("latin-1") if isinstance(result, str) else result

    # Names

    def entry(self, folder: str, name: str) -> str:
        """The name of an existing entry that the rules equate with `name`, or how a new one would be written."""
        stored = self.rules.stored(name)
        if os.path.lexists(os.path.join(folder, stored)):
            return stored
        key = self.rules.key(name)
        try:
            return next((other for other in os.listdir(folder) if self.rules.key(other) == key), stored)
        except OSError:
            return stored

    def real(self, path: str) -> str:
        real = self.folder
        for name in path.split("/"):
            if name:
                real = os.path.join(real, self.entry(real, name))
        return real

    def new(self, path: str) -> str:
        """Where a new name comes, in the case that was asked for."""
        return os.path.join(self.real(os.path.dirname(path)), self.rules.stored(os.path.basename(path)))

    # Folders

    def getattr(self, path, fh=None):
        self.faults.check("getattr", path)
        status = os.lstat(self.real(path))
        names = ("mode", "nlink", "uid", "gid", "size", "rdev", "ino", "blocks")
        result = {f"st_{name}": getattr(status, f"st_{name}") for name in names}
        return result | {f"st_{name}": getattr(status, f"st_{name}_ns") for name in ("atime", "mtime", "ctime")}

    def readdir(self, path, fh):
        names = [".", "..", *os.listdir(self.real(path))]
        for index, name in enumerate(names):
            self.faults.check("readdir", path, index + 1)
            yield name

    def mkdir(self, path, mode):
        self.faults.check("mkdir", path)
        return os.mkdir(self.new(path), mode)

    def rmdir(self, path):
        return os.rmdir(self.real(path))

    def unlink(self, path):
        self.faults.check("unlink", path)
        return os.unlink(self.real(path))

    def rename(self, old, new):
        self.faults.check("rename", old)
        source, target = self.real(old), self.new(new)
        replaced = self.real(new)
        os.rename(source, target)
        if replaced not in (source, target) and os.path.lexists(replaced):
            os.unlink(replaced)

    def symlink(self, target, source):
        return os.symlink(source, self.new(target))

    def readlink(self, path):
        return os.readlink(self.real(path))

    def link(self, target, source):
        raise fuse.FuseOSError(errno.EPERM)

    # Files

    def open(self, path, flags):
        self.faults.check("open", path)
        return os.open(self.real(path), flags & ~os.O_CREAT)

    def create(self, path, mode, fi=None):
        self.faults.check("create", path)
        return os.open(self.new(path), os.O_RDWR | os.O_CREAT, mode)

    def read(self, path, size, offset, fh):
        self.faults.check("read", path, offset + size)
        return os.pread(fh, size, offset)

    def write(self, path, data, offset, fh):
        self.faults.check("write", path, offset + len(data))
        return os.pwrite(fh, data, offset)

    def truncate(self, path, length, fh=None):
        self.faults.check("truncate", path)
        return os.truncate(self.real(path) if fh is None else fh, length)

    def fsync(self, path, datasync, fh):
        self.faults.check("fsync", path)
        return os.fsync(fh)

    def fsyncdir(self, path, datasync, fh):
        self.faults.check("fsyncdir", path)
        return 0

    def release(self, path, fh):
        return os.close(fh)

    def chmod(self, path, mode):
        return os.chmod(self.real(path), mode)

    def chown(self, path, uid, gid):
        return os.chown(self.real(path), uid, gid, follow_symlinks=False)

    def utimens(self, path, times=None):
        return os.utime(self.real(path), ns=times) if times else os.utime(self.real(path))

    def statfs(self, path):
        status = os.statvfs(self.folder)
        return {name: getattr(status, name) for name in dir(status) if name.startswith("f_") and name != "f_fsid"}


def main() -> None:
    parser = argparse.ArgumentParser(description="A file system with the rules and faults of a foreign disk.")
    parser.add_argument("--fold", action="store_true", help="names that differ in case are one")
    parser.add_argument("--decompose", action="store_true", help="names are kept in NFD")
    parser.add_argument("--new-inodes", action="store_true", help="each name has an inode of its own")
    parser.add_argument("--faults", help="the file of faults")
    parser.add_argument("folder")
    parser.add_argument("mount_point")
    options = parser.parse_args()
    disk = Disk(os.path.realpath(options.folder), Rules(options.fold, options.decompose), Faults(options.faults))
    # One thread: the counts of calls are exact. Nothing is cached, so that each call meets its fault. fusepy cannot
    # pass on names that are not UTF-8, so it is told that each byte is a character.
    fuse.FUSE(
        disk, options.mount_point, foreground=True, nothreads=True, use_ino=not options.new_inodes, attr_timeout=0, entry_timeout=0,
        big_writes=True, fsname="faulty-disk", encoding="latin-1")


if __name__ == "__main__":
    main()
