"""The model of a cluster, against what can be computed by hand."""

import pytest

from deadwax.cluster.model import CORE_SECONDS, Scenario, estimate

PERFECT = {"losses_per_hour": 0, "slow_part": 0, "spread": 0}


def test_equal_buckets_on_perfect_cores_take_whole_rounds():
    # 10 buckets on 4 cores: three rounds of 1,000 tracks.
    hours = estimate(Scenario(10_000, 4, tracks_in_bucket=1_000, **PERFECT)).hours
    assert hours == pytest.approx(3 * 1_000 * CORE_SECONDS / 3600)


def test_reading_is_the_limit_where_it_is_slow():
    # 64 buckets on 64 cores, which want 75 MB/s each; all of it is read once at 1 GB/s.
    found = estimate(Scenario(64_000, 64, tracks_in_bucket=1_000, gigabytes_per_second=1, **PERFECT))
    assert found.hours == pytest.approx(64_000 * 0.030 / 3600)
    assert found.efficiency == pytest.approx(1)


def test_a_slow_core_with_the_last_bucket_is_waited_for():
    found = estimate(Scenario(2_000, 2, tracks_in_bucket=1_000, losses_per_hour=0, slow_part=0.5, spread=0))
    assert found.hours == pytest.approx(1_000 * CORE_SECONDS / 0.5 / 3600)


def test_losses_are_repeated_and_all_is_done():
    calm = estimate(Scenario(1_000_000, 100, losses_per_hour=0))
    rough = estimate(Scenario(1_000_000, 100, losses_per_hour=1))
    # A core is lost once in 1 h on average, and works for some 1.1 h.
    assert calm.repeated == 0 and 60 < rough.repeated < 220
    assert calm.hours < rough.hours < 2 * calm.hours


def test_small_buckets_lose_less_than_large_ones():
    small, large = (estimate(Scenario(1_000_000, 100, tracks_in_bucket=size)) for size in (500, 20_000))
    assert small.efficiency > 0.9 > large.efficiency
