"""Ray: attempts on every node of its cluster."""

from __future__ import annotations

import logging
from typing import Any

from ..database import DeadwaxError
from .outcomes import Ending, Outcome
from .tasks import Attempt, perform

try:
    import ray
    from ray.exceptions import RayError, RayTaskError
except ImportError as error:
    raise DeadwaxError("the engine ray needs Ray: pip install 'deadwax[ray]'") from error


def _performed(text: str) -> str:
    return perform(Attempt.parsed(text)).text()


class RayEngine:
    """Attempts as tasks of Ray, each with as many of its CPUs as it has jobs.

    Ray itself retries nothing: the driver does that for every engine in the same way.
    """

    def __init__(self, address: str = "auto", jobs: int = 1):
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
        self._jobs = jobs
        self._task: Any = ray.remote(num_cpus=jobs, max_retries=0)(_performed)
        self._running: dict[Any, Attempt] = {}

    def free(self) -> int:
        """See `engines.Engine`; one attempt more than there is room for, so that no node waits for the driver."""
        slots = int(ray.cluster_resources().get("CPU", 0)) // self._jobs
        return slots + 1 - len(self._running)

    def start(self, attempt: Attempt) -> None:
        """See `engines.Engine`."""
        self._running[self._task.remote(attempt.text())] = attempt

    def wait(self) -> tuple[Attempt, Outcome]:
        """See `engines.Engine`."""
        (ended, *_), _ = ray.wait(list(self._running), num_returns=1)
        attempt = self._running.pop(ended)
        try:
            return attempt, Outcome.parsed(ray.get(ended))
        except RayTaskError as error:
            return attempt, Outcome(Ending.RETRY, str(error.cause))
        except RayError as error:
            return attempt, Outcome(Ending.DIED, f"{type(error).__name__}: the node or its worker was lost")

    def close(self) -> None:
        """See `engines.Engine`."""
        for ended in self._running:
            ray.cancel(ended, force=True)
        ray.shutdown()
