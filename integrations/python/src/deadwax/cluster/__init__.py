"""Scans a collection with many machines: ``deadwax-cluster`` plans buckets, runs them, merges their libraries.

A *store* is a folder or an S3 prefix that all machines reach. It has the plan, a list of files for each bucket, and the
*shards*: the library of each bucket, committed under a name that follows from its list. So what is committed is never
done again, whoever was killed in between, and a new list of an unchanged bucket leads to the shard that is there.

===============================  ==================================================================
``plan.json``                    the buckets with the keys of their lists
``lists/BUCKET-KEY.list``        the files of a bucket, see `listing`
``shards/BUCKET-KEY.sqlite``     its library; the first attempt that commits wins
``shards/BUCKET-KEY.json``       what was done, written after the shard
``splits/BUCKET-KEY.json``       the pieces of a bucket that was halved
``quarantine.tsv``               files that ended every attempt at them
``_manifest.json``               written last: what readers of the shards believe
===============================  ==================================================================
"""

from .driver import RunReport, run
from .engines import Engine, LocalEngine
from .merging import merge
from .planning import Bucket, Plan, plan
from .storage import Storage, open_storage

__all__ = [
    "Bucket",
    "Engine",
    "LocalEngine",
    "Plan",
    "RunReport",
    "Storage",
    "merge",
    "open_storage",
    "plan",
    "run",
]
