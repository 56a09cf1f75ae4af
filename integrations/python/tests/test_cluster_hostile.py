"""A store that others write to, and processes that answer what they should not: errors, and no wait without end."""

import json
import os
import signal
import stat
import sys
import threading

import pytest

from deadwax import DeadwaxError
from deadwax.cluster import engines, outcomes
from deadwax.cluster.driver import MANIFEST, write_manifest
from deadwax.cluster.listing import Entry, decoded, encoded
from deadwax.cluster.merging import merge
from deadwax.cluster.outcomes import Ending, Outcome
from deadwax.cluster.planning import PLAN, Piece, Plan
from deadwax.cluster.storage import FolderStorage
from deadwax.cluster.tasks import Attempt


# Faults: 205
@pytest.mark.parametrize(
    "script",
    [
        "print('{')",
        "print('[' * 200_000)",
        'print(\'{"outcome": "done"}\')',
        'print(\'{"outcome": "won", "reason": "", "committed": true}\')',
        'print(\'{"outcome": "done", "reason": 5, "committed": true}\')',
        'print(\'{"outcome": "done", "reason": "", "committed": 1e400}\')',
        "print('9' * 10_000)",
        "import sys; sys.stdout.buffer.write(bytes(range(256)))",
        "import os, signal; os.kill(os.getpid(), signal.SIGRTMIN + 3)",
        "import os; os._exit(255)",
    ],
)
def test_whatever_a_process_answers_the_driver_gets_an_outcome(script, tmp_path, monkeypatch):
    program = tmp_path / "python"
    program.write_text(f"#!{sys.executable}\nimport sys\nsys.stdin.read()\n{script}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(engines.sys, "executable", os.fspath(program))
    engine = engines.LocalEngine(slots=1)
    attempt = Attempt("store", Piece(0, "key", 0, 1))
    engine.start(attempt)
    answers = []
    waiting = threading.Thread(target=lambda: answers.append(engine.wait()), daemon=True)
    waiting.start()
    waiting.join(30)
    assert answers and answers[0][0] == attempt
    assert answers[0][1].ending in (Ending.RETRY, Ending.DIED) and not answers[0][1].committed


def test_signals_without_a_name_are_told_by_their_number():
    number = signal.SIGRTMIN + 3
    assert Outcome.of(DeadwaxError("x", -number)) == Outcome(Ending.DIED, f"deadwax was ended by signal {int(number)}")
    assert outcomes.signal_name(9) == "SIGKILL"


@pytest.mark.parametrize("path", [b"/etc/x", b"../x", b"a/../../x", b"a//x", b"./x", b"", b"a/"])
def test_a_list_with_a_path_outside_is_refused(path):
    with pytest.raises(DeadwaxError, match="path"):
        decoded(encoded([Entry(b"a.wav", 1, 1), Entry(path, 1, 1)]))


@pytest.mark.parametrize("data", [b"x\0", b"1\t2\0", b"1e3\t2\t\ta\0", b"-1\t2\t\ta\0", b"1\t2\t\xff\ta\0"])
def test_a_list_that_is_none_is_an_error(data):
    with pytest.raises(DeadwaxError):
        decoded(data)


@pytest.mark.parametrize("name", ["../x", "/x", "shards/../../x", "shards//x", ""])
def test_a_name_that_leads_out_of_a_storage_is_refused(name, tmp_path):
    (tmp_path / "x").write_text("secret")
    store = FolderStorage(tmp_path / "store")
    for ask in (store.read, store.exists, store.remove, lambda name: store.local(name, tmp_path)):
        with pytest.raises(DeadwaxError):
            ask(name)
    with pytest.raises(DeadwaxError):
        store.write(name, b"")
    assert (tmp_path / "x").read_text() == "secret"


@pytest.mark.parametrize(
    "manifest",
    [
        b"",
        b"[" * 100_000,
        b"9" * 10_000,
        b"[]",
        b"{}",
        b'{"shards": {}}',
        b'{"shards": [5]}',
        b'{"shards": [{"name": "../x.sqlite", "bytes": 1, "sha256": ""}]}',
        b'{"shards": [{"name": "shards/a.sqlite", "bytes": 1e400, "sha256": ""}]}',
    ],
)
def test_a_manifest_that_is_none_merges_nothing(manifest, tmp_path):
    store = FolderStorage(tmp_path / "store")
    store.write(MANIFEST, manifest)
    with pytest.raises(DeadwaxError):
        merge(store, tmp_path / "out.sqlite")
    assert not (tmp_path / "out.sqlite").exists()


@pytest.mark.parametrize("plan", [b"", b"{", b"[]", b'{"schema": 1}', b'{"schema": 1, "buckets": [{"evil": 1}]}'])
def test_a_plan_that_is_none_is_an_error(plan, tmp_path):
    store = FolderStorage(tmp_path / "store")
    store.write(PLAN, plan)
    with pytest.raises(DeadwaxError):
        Plan.read(store)


@pytest.mark.parametrize(
    "result",
    [
        {"piece": "00001-key", "bytes": 5, "sha256": "00"},
        {"bytes": 5, "sha256": "00"},
        {"piece": "00000-key", "bytes": "5", "sha256": "00"},
        {"piece": "00000-key", "bytes": 5, "sha256": None},
    ],
)
def test_a_result_of_another_piece_is_not_believed(result, tmp_path):
    store = FolderStorage(tmp_path / "store")
    bucket = {"number": 0, "key": "key", "files": 1, "bytes": 1}
    plan = {"schema": 1, "source": "/m", "bucket_count": 1, "program": "p", "exclude": [], "buckets": [bucket]}
    store.write(PLAN, json.dumps(plan).encode())
    store.write("shards/00000-key.json", json.dumps(result).encode())
    with pytest.raises(DeadwaxError, match="not about this piece"):
        write_manifest(store)
    assert store.read(MANIFEST) is None
