"""No process of a cluster outlives the one that started it, whatever ends that."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cluster.environments import TESTS
from cluster.owned_processes import alive
from cluster.standalone import wait_for

N_AT_LEAST = 6  # the master, a worker, the driver's Java, an executor, Python's daemon and worker


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_nothing_is_left_after(end):
    paths = os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])
    with subprocess.Popen(
        [sys.executable, "-m", "cluster.waiting_driver"],
        env={**os.environ, "PYTHONPATH": paths},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as driver:
        name, folder = driver.stdout.readline().split()
        assert len(alive(name)) >= N_AT_LEAST
        driver.send_signal(end)
    wait_for(lambda: not alive(name), "the end of all processes")
    wait_for(lambda: not Path(folder).exists(), "the end of the folder")
