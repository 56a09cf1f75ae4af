"""How an attempt at a piece ends, and what that means for whoever started it: docs/scale.md has the same table."""

from __future__ import annotations

import enum
import json
import signal
from dataclasses import dataclass

from ..database import DeadwaxError


class Ending(enum.Enum):
    """What is to be done next."""

    DONE = "done"
    RETRY = "retry"
    """Something outside the files failed: a full disk, a lost machine."""
    DIED = "died"
    """The process of the attempt was lost: perhaps a file does that."""
    OUTDATED = "outdated"
    """The list is not what the source holds: plan again."""
    STOP = "stop"
    """It would fail everywhere: wrong usage, no command."""


def signal_name(number: int) -> str:
    """``SIGKILL`` for 9; real-time signals have no names."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


@dataclass(frozen=True)
class Outcome:
    """How an attempt ended."""

    ending: Ending
    reason: str = ""
    committed: bool = False
    """Whether the shard is of this attempt, rather than of an earlier one."""

    @property
    def exit_status(self) -> int:
        """The status of ``deadwax-cluster task``: 75 asks a scheduler for another attempt."""
        return {Ending.DONE: 0, Ending.OUTDATED: 4, Ending.STOP: 64}.get(self.ending, 75)

    def text(self) -> str:
        """A line of JSON."""
        document = {"outcome": self.ending.value, "reason": self.reason, "committed": self.committed}
        return json.dumps(document)

    @staticmethod
    def parsed(text: str) -> Outcome:
        """The outcome of a line of JSON; ValueError if it is none."""
        try:
            document = json.loads(text)
            ending, reason, committed = (document[name] for name in ("outcome", "reason", "committed"))
            outcome = Outcome(Ending(ending), reason, committed)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise ValueError(f"no outcome: {text[:100]!r}") from error
        if not isinstance(reason, str) or not isinstance(committed, bool):
            raise ValueError(f"no outcome: {text[:100]!r}")
        return outcome

    @staticmethod
    def of(error: DeadwaxError) -> Outcome:
        """What an error of the command means: only wrong usage, or no command at all, is the same everywhere."""
        if error.exit_status in (64, None):
            return Outcome(Ending.STOP, str(error))
        if error.exit_status is not None and error.exit_status < 0:
            return Outcome(Ending.DIED, f"deadwax was ended by {signal_name(-error.exit_status)}")
        return Outcome(Ending.RETRY, str(error))
