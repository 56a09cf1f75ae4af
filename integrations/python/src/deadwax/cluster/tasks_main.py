"""A process for one attempt: ``python -m deadwax.cluster.tasks_main`` reads it as JSON, and prints its outcome."""

from __future__ import annotations

import signal
import sys

from .tasks import Attempt, perform


def main() -> int:
    """Ends quietly, and without its folder, when the driver ends it."""

    def ended(number: int, frame: object) -> None:
        raise SystemExit(128 + number)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, ended)
    print(perform(Attempt.parsed(sys.stdin.read())).text())
    return 0


if __name__ == "__main__":
    sys.exit(main())
