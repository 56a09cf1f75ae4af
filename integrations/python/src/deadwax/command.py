"""The command ``deadwax``: the only file of this package that starts it."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from .database import DeadwaxError

PathLike = str | os.PathLike[str]


class Command:
    """The program itself; what it says on standard error becomes a `DeadwaxError` with its exit status.

    `program` is its name or path, by default ``$DEADWAX``, else `deadwax` in the search path.
    """

    def __init__(self, program: PathLike | None = None):
        self.program = os.fspath(program or os.environ.get("DEADWAX") or "deadwax")

    # Queries

    def paths(self, library: Path, query: Iterable[str], sort: str | None, limit: int | None) -> Iterator[bytes]:
        """The absolute paths that a query finds, as bytes and in its order."""
        options = [*_option("--sort", sort), *_option("--limit", limit), "-0"]
        with self._output("ls", "-q", "-L", library, *options, "--", *query) as output:
            rest = b""
            while block := output.read(1 << 16):
                *paths, rest = (rest + block).split(b"\0")
                yield from paths

    def rows(
        self, library: Path, query: Iterable[str], fields: Iterable[str], sort: str | None, limit: int | None
    ) -> Iterator[dict[str, Any]]:
        """Fields of the files that a query finds, by name."""
        options = [*_option("--sort", sort), *_option("--limit", limit), "--fields", ",".join(fields), "--jsonl"]
        with self._output("ls", "-q", "-L", library, *options, "--", *query) as output:
            yield from map(json.loads, output)

    # What is decoded

    def segment(self, library: Path, track: int, start_seconds: float, end_seconds: float) -> bytes:
        """Samples as 32-bit floats, interleaved."""
        part = ["-s", repr(start_seconds), "-e", repr(end_seconds)]
        return self.run("segment", "-q", "-L", library, track, *part, "--format", "raw", "-o", "-")

    def waveform(self, library: Path, track: int, zoom: int, bits: int, split_channels: bool) -> bytes:
        """Peaks as audiowaveform's `.dat`."""
        shape = ["-z", zoom, "-b", bits, *(["--split-channels"] if split_channels else [])]
        return self.run("waveform", "-q", "-L", library, track, *shape, "--format", "dat", "-o", "-")

    # Running it

    def run(self, *arguments: Any) -> bytes:
        """What it prints on standard output."""
        with self._output(*arguments) as output:
            return output.read()

    @contextmanager
    def _output(self, *arguments: Any) -> Iterator[IO[bytes]]:
        """Its standard output while it runs; a caller who stops reading ends it."""
        words = [self.program, *(os.fspath(a) if isinstance(a, os.PathLike) else str(a) for a in arguments)]
        with tempfile.TemporaryFile() as errors:
            try:
                process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors)
            except OSError as error:
                raise DeadwaxError(
                    f"{self.program}: {error.strerror}; put the command into PATH, or name it in $DEADWAX"
                ) from error
            assert process.stdout
            try:
                yield process.stdout
            except BaseException:
                process.terminate()
                raise
            finally:
                process.stdout.close()
                status = process.wait()
            if status:
                errors.seek(0)
                text = errors.read().decode(errors="replace").strip().removeprefix("deadwax: ")
                raise DeadwaxError(text or f"{words[1]} ended with status {status}", status)


def _option(name: str, value: object | None) -> list[str]:
    return [] if value is None else [name, str(value)]
