"""A model of a cluster run: how long and how much it takes. ``python -m deadwax.cluster.model`` prints a table.

Buckets go to slots, the largest first. A slot has a speed (some machines are slow), reading is shared by all of them,
and machines are lost at a rate per hour: what runs there begins again elsewhere. The costs of a track are the measured
ones of docs/scale.md; prices are assumptions, as written there.
"""

from __future__ import annotations

import argparse
import heapq
import math
import random
from dataclasses import dataclass, replace

CORE_SECONDS = 0.4
"""Of a track of four minutes."""
MERGED_PER_SECOND = 5_000
DOLLARS_PER_CORE_HOUR = 0.06
"""Two hyperthreads at 0.03."""


@dataclass(frozen=True)
class Scenario:
    """A collection and the machines for it."""

    tracks: int
    cores: int
    megabytes: float = 30
    """Of a track: 30 for FLAC, 8 for MP3."""
    gigabytes_per_second: float = 1e9
    """That all cores together can read."""
    tracks_in_bucket: int = 2_000
    losses_per_hour: float = 0.01
    """The part of the cores that is lost in an hour and comes back at once."""
    slow_part: float = 0.05
    """The part of the cores that is half as fast."""
    spread: float = 0.3
    """Of the sizes of buckets, as the deviation of their logarithm."""


@dataclass(frozen=True)
class Estimate:
    """What a run takes."""

    hours: float
    core_hours: float
    """That somebody pays for: the cores are kept until the end."""
    ideal_hours: float
    """If all cores read and computed without a pause or a loss."""
    repeated: int
    """Attempts that began again."""
    merge_hours: float

    @property
    def efficiency(self) -> float:
        """The part of the time that an ideal cluster would have taken."""
        return self.ideal_hours / self.hours

    @property
    def dollars(self) -> float:
        """For the cores."""
        return self.core_hours * DOLLARS_PER_CORE_HOUR


def estimate(scenario: Scenario, seed: int = 1) -> Estimate:
    """Simulates one run; equal seeds give equal runs.

    Between two events all slots go on at one common pace, which reading sets. So the clock of the work runs at that
    pace, and the order of the ends does not change when the pace does.
    """
    chance = random.Random(seed)
    work = _works(scenario, chance)
    slow = round(scenario.slow_part * scenario.cores)
    idle = [0.5] * slow + [1.0] * (scenario.cores - slow)
    demand = scenario.megabytes / CORE_SECONDS / 1_000  # GB a second of one core
    running: list[tuple[float, int, float, float]] = []  # end by the clock of the work, number, speed, work
    lost: set[int] = set()
    now = clock = 0.0
    number = repeated = 0
    while work or len(running) > len(lost):
        while work and idle:
            speed, task = idle.pop(), work.pop()
            number += 1
            heapq.heappush(running, (clock + task / speed, number, speed, task))
        active = len(running) - len(lost)
        pace = min(1.0, scenario.gigabytes_per_second / (demand * active)) if active else 1.0
        rate = active * scenario.losses_per_hour / 3600
        until_loss = chance.expovariate(rate) if rate else math.inf
        until_end = (running[0][0] - clock) / pace
        if until_loss < until_end:
            now += until_loss
            clock += until_loss * pace
            victims = [entry for entry in running if entry[1] not in lost] if active < 64 else running
            victim = chance.choice(victims)
            if victim[1] not in lost:
                lost.add(victim[1])
                work.append(victim[3])
                idle.append(victim[2])
                repeated += 1
            continue
        end, which, speed, _ = heapq.heappop(running)
        now += until_end
        clock = end
        if which in lost:
            lost.remove(which)
        else:
            idle.append(speed)
    total = scenario.tracks * CORE_SECONDS
    ideal = max(total / scenario.cores, scenario.tracks * scenario.megabytes / 1_000 / scenario.gigabytes_per_second)
    merge = scenario.tracks / MERGED_PER_SECOND
    return Estimate(now / 3600, scenario.cores * now / 3600, ideal / 3600, repeated, merge / 3600)


def _works(scenario: Scenario, chance: random.Random) -> list[float]:
    """Core-seconds of each bucket, the largest last; their sum is that of all tracks."""
    count = max(1, round(scenario.tracks / scenario.tracks_in_bucket))
    sizes = [chance.lognormvariate(0, scenario.spread) for _ in range(count)]
    scale = scenario.tracks * CORE_SECONDS / sum(sizes)
    return sorted(size * scale for size in sizes)


SCENARIOS = [
    Scenario(1_000_000, 12, gigabytes_per_second=0.25),
    Scenario(1_000_000, 12, gigabytes_per_second=1.2),
    Scenario(1_000_000, 100, gigabytes_per_second=1.2),
    Scenario(1_000_000, 100, gigabytes_per_second=10),
    Scenario(1_000_000, 100, megabytes=8, gigabytes_per_second=1.2),
    Scenario(1_000_000, 100, gigabytes_per_second=10, losses_per_hour=0.2),
    Scenario(1_000_000, 100, gigabytes_per_second=10, tracks_in_bucket=20_000),
    Scenario(100_000_000, 2_000, gigabytes_per_second=100),
]


TITLES = "tracks|each|cores|reading|bucket|lost an hour|time|of the ideal|repeated|limit|merge|cores cost"


def _row(scenario: Scenario, runs: int) -> str:
    """The middle one of some runs."""
    estimates = [estimate(scenario, seed) for seed in range(1, runs + 1)]
    middle = sorted(estimates, key=lambda one: one.hours)[runs // 2]
    reading = scenario.cores * scenario.megabytes / CORE_SECONDS / 1_000 > scenario.gigabytes_per_second
    cells = [
        f"{scenario.tracks / 1e6:g} million",
        f"{scenario.megabytes:g} MB",
        f"{scenario.cores}",
        f"{scenario.gigabytes_per_second:g} GB/s",
        f"{scenario.tracks_in_bucket}",
        f"{100 * scenario.losses_per_hour:g} %",
        f"{middle.hours:.2f} h",
        f"{100 * middle.efficiency:.0f} %",
        f"{middle.repeated}",
        "reading" if reading else "cores",
        f"{middle.merge_hours:.2f} h",
        f"{middle.dollars:,.0f} $",
    ]
    return f"| {' | '.join(cells)} |"


def main(arguments: list[str] | None = None) -> None:
    """Prints the table of docs/scale.md."""
    parser = argparse.ArgumentParser(
        prog="scale-model", description="Estimate how long a cluster needs, and what it costs."
    )
    parser.add_argument("--tracks", type=int, help="a scenario of your own; the other options belong to it")
    parser.add_argument("--cores", type=int, default=100)
    parser.add_argument("--megabytes", type=float, default=30, help="of a track (default: 30, FLAC)")
    parser.add_argument("--gigabytes-per-second", type=float, default=10, help="that all cores can read")
    parser.add_argument("--bucket", type=int, default=2_000, help="tracks in a bucket")
    parser.add_argument("--losses", type=float, default=0.01, help="part of the cores that is lost in an hour")
    parser.add_argument("--runs", type=int, default=9, help="the middle one of so many is shown")
    options = parser.parse_args(arguments)
    scenarios = SCENARIOS
    if options.tracks:
        own = Scenario(options.tracks, options.cores, options.megabytes, options.gigabytes_per_second, options.bucket)
        scenarios = [replace(own, losses_per_hour=options.losses)]
    print(f"| {TITLES.replace('|', ' | ')} |")
    print(f"|{'---|' * len(TITLES.split('|'))}")
    for scenario in scenarios:
        print(_row(scenario, options.runs if scenario.tracks <= 1_000_000 else 1))


if __name__ == "__main__":
    main()
