"""Ray with a head and two nodes on the loopback of a network namespace of its own: scripts/test-cluster.sh makes it."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
import ray

# The helpers of the other tests.
sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))


class RayCluster:
    """A head without CPUs, and nodes that can be lost."""

    def __init__(self, port, folder):
        self.address = f"127.0.0.1:{port}"
        self._processes = []
        self._start("--head", f"--port={port}", "--num-cpus=0", "--include-dashboard=false", f"--temp-dir={folder}")
        wait_until(lambda: socket.create_connection(("127.0.0.1", port), 1).close() is None, OSError)

    def add_node(self, cpus=1):
        """A node as its own session, so that it can be killed as a whole."""
        return self._start(f"--address={self.address}", f"--num-cpus={cpus}")

    def lose(self, node):
        """As if its machine had lost its power."""
        for process in _processes_of(node.pid):
            os.kill(process, signal.SIGKILL)
        node.wait()

    def wait_for(self, cpus):
        """Until so many CPUs are there."""
        ray.init(self.address, log_to_driver=False)
        wait_until(lambda: ray.cluster_resources().get("CPU") == cpus)
        ray.shutdown()

    def close(self):
        for process in reversed(self._processes):
            if process.poll() is None:
                self.lose(process)

    def _start(self, *options):
        common = ["--node-ip-address=127.0.0.1", "--object-store-memory=80000000", "--disable-usage-stats"]
        with open(os.environ.get("RAY_TEST_LOG", os.devnull), "ab") as log:
            process = subprocess.Popen(
                ["ray", "start", "--block", *options, *common], start_new_session=True, stdout=log, stderr=log
            )
        self._processes.append(process)
        return process


def wait_until(condition, *errors):
    """Until it is true; within two minutes, because the machine may be busy."""
    for _ in range(240):
        try:
            if condition():
                return
        except errors:
            pass
        time.sleep(0.5)
    raise AssertionError("Ray does not come up")


def _processes_of(session):
    """The processes of a session and their children, whatever groups they are in."""
    table = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        table[int(folder.name)] = (int(fields[1]), int(fields[3]))
    found = {pid for pid, (_, own) in table.items() if own == session}
    while more := {pid for pid, (parent, _) in table.items() if parent in found} - found:
        found |= more
    return found


@pytest.fixture(scope="session", autouse=True)
def loopback_only():
    """Nothing of Ray may leave the machine."""
    lines = Path("/proc/self/net/dev").read_text().splitlines()[2:]
    interfaces = [line.partition(":")[0].strip() for line in lines]
    assert interfaces == ["lo"], "scripts/test-cluster.sh runs these tests"


@pytest.fixture(scope="session")
def ray_cluster():
    with tempfile.TemporaryDirectory(prefix="ray-") as folder:
        cluster = RayCluster(6399, folder)
        cluster.nodes = []
        for count in (1, 2):
            cluster.nodes.append(cluster.add_node())
            cluster.wait_for(count)
        yield cluster
        cluster.close()
