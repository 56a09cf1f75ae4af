"""Where attempts run: what the driver asks of an engine, and the one that starts processes on this machine."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
from typing import Protocol

from .outcomes import Ending, Outcome, signal_name
from .tasks import Attempt


class Engine(Protocol):
    """Runs attempts somewhere. It decides nothing: the driver starts the next attempt."""

    def free(self) -> int:
        """How many more attempts are worth starting now."""

    def start(self, attempt: Attempt) -> None:
        """Begins an attempt; returns at once."""

    def wait(self) -> tuple[Attempt, Outcome]:
        """The next attempt that ends; one whose process or machine was lost has `Ending.DIED`."""

    def close(self) -> None:
        """Ends what still runs."""


class LocalEngine:
    """A process for each attempt, so many at a time: what ``deadwax-cluster task`` runs."""

    def __init__(self, slots: int | None = None, jobs: int = 1):
        self._slots = slots or max(1, (os.cpu_count() or 1) // jobs)
        self._ended: queue.Queue[tuple[Attempt, Outcome]] = queue.Queue()
        self._processes: set[subprocess.Popen[str]] = set()
        self._running = 0

    def free(self) -> int:
        """See `Engine`."""
        return self._slots - self._running

    def start(self, attempt: Attempt) -> None:
        """See `Engine`."""
        words = [sys.executable, "-m", "deadwax.cluster.tasks_main"]
        process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._processes.add(process)
        self._running += 1
        threading.Thread(target=self._follow, args=(process, attempt), daemon=True).start()

    def wait(self) -> tuple[Attempt, Outcome]:
        """See `Engine`."""
        attempt, outcome = self._ended.get()
        self._running -= 1
        return attempt, outcome

    def close(self) -> None:
        """See `Engine`."""
        for process in list(self._processes):
            process.terminate()

    def _follow(self, process: subprocess.Popen[str], attempt: Attempt) -> None:
        # Whatever happens here is an outcome: the driver waits for one.
        try:
            answer, _ = process.communicate(attempt.text())
            outcome = _outcome(process.returncode, answer)
        except (OSError, ValueError) as error:
            outcome = Outcome(Ending.RETRY, f"the process did not answer as a task does: {error}")
        self._processes.discard(process)
        self._ended.put((attempt, outcome))


def _outcome(status: int, answer: str) -> Outcome:
    if status < 0:
        return Outcome(Ending.DIED, f"the process was ended by {signal_name(-status)}")
    if status or not answer.strip():
        return Outcome(Ending.RETRY, f"the process ended with status {status}")
    return Outcome.parsed(answer)
