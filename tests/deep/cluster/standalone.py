"""A standalone Spark cluster of this machine: a master, workers, and a Connect server."""

import json
import os
import shutil
import socket
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pyspark

from cluster.owned_processes import OwnedProcesses

SPARK = Path(pyspark.__file__).parent
_HERE = "127.0.0.1"
_QUICK = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData"  # many on few cores
_ENVIRONMENT = {"SPARK_LOCAL_IP": _HERE, "SPARK_HOME": str(SPARK)}
_DAEMON = {**_ENVIRONMENT, "SPARK_DAEMON_MEMORY": "256m", "SPARK_DAEMON_JAVA_OPTS": _QUICK}
_PATIENCE = 300  # seconds; nothing takes as long unless something is wrong


@dataclass(frozen=True)
class Cluster:
    """Where a cluster is found, and what it is made of."""

    processes: OwnedProcesses
    url: str
    web: str

    @property
    def conf(self) -> dict[str, str]:
        """What its drivers are told."""
        return {
            "spark.master": self.url,
            "spark.driver.host": _HERE,
            "spark.driver.bindAddress": _HERE,
            "spark.driver.memory": "1g",
            "spark.driver.extraJavaOptions": _QUICK,
            "spark.executor.memory": "512m",
            "spark.executor.extraJavaOptions": _QUICK,
            "spark.executor.cores": "1",
            "spark.cores.max": "2",
            "spark.ui.port": "0",
            "spark.ui.showConsoleProgress": "false",
            "spark.pyspark.python": sys.executable,
            "spark.executorEnv.PYTHONPATH": os.environ.get("PYTHONPATH", ""),
            "spark.sql.warehouse.dir": str(self.processes.folder / "warehouse"),
            "spark.sql.shuffle.partitions": "4",
        }

    @property
    def environment(self) -> dict[str, str]:
        """What the processes of drivers have besides the usual."""
        local = self.processes.folder / "driver"
        local.mkdir(exist_ok=True)
        python = {"PYSPARK_PYTHON": sys.executable}
        return {**_ENVIRONMENT, **python, "SPARK_LOCAL_DIRS": str(local)}

    def start_worker(self, number: int) -> None:
        """Start a worker whose files are all below one folder."""
        folder = self.worker_folder(number)
        folder.mkdir()
        inside = {"SPARK_LOCAL_DIRS": str(folder / "local"), "TMPDIR": str(folder)}
        inside["PYTHONPATH"] = ""  # what a driver wants is among its settings
        options = ["--host", _HERE, "--webui-port", "0", "-c", "4", "-m", "4g"]
        self.processes.start(
            [*_make_class_command("worker.Worker"), *options, "-d", str(folder / "work"), self.url],
            _DAEMON | inside,
            f"worker{number}.log",
            f"worker{number}",
        )

    def worker_folder(self, number: int) -> Path:
        """Where a worker keeps what it shuffles, and all else."""
        return self.processes.folder / f"worker{number}"

    def lose_worker(self, number: int) -> int:
        """Kill a worker with its executors, and theirs, and delete its files."""
        ended = self.processes.end(f"worker{number}")
        shutil.rmtree(self.worker_folder(number))
        return ended

    def wait_for_workers(self, number: int) -> None:
        """Wait until the master has so many workers."""
        wait_for(
            lambda: read_json(self.web + "/json/")["aliveworkers"] == number,
            f"{number} workers",
            self.processes.folder / "master.log",
        )

    @contextmanager
    def connect(self) -> Iterator[str]:
        """The address of a Spark Connect server that uses the cluster."""
        port = find_free_port()
        conf = self.conf | {
            "spark.connect.grpc.binding.address": _HERE,
            "spark.connect.grpc.binding.port": str(port),
        }
        server = "org.apache.spark.sql.connect.service.SparkConnectServer"
        command = [*make_submit_command(conf), "--class", server, "spark-internal"]
        self.processes.start(command, self.environment, "connect.log", "connect")
        try:
            wait_for(
                lambda: _is_listening(port),
                "the Connect server",
                self.processes.folder / "connect.log",
            )
            yield f"sc://{_HERE}:{port}"
        finally:
            self.processes.end("connect")


@contextmanager
def standalone(*, workers: int = 2) -> Iterator[Cluster]:
    """A cluster with all of its workers alive; none of its processes is left afterwards."""
    with OwnedProcesses() as processes:
        port, web = find_free_port(), find_free_port()
        cluster = Cluster(processes, f"spark://{_HERE}:{port}", f"http://{_HERE}:{web}")
        options = ["--host", _HERE, "--port", str(port), "--webui-port", str(web)]
        processes.start(
            [*_make_class_command("master.Master"), *options], _DAEMON, "master.log", "master"
        )
        for number in range(1, workers + 1):
            cluster.start_worker(number)
        cluster.wait_for_workers(workers)
        yield cluster


def make_submit_command(conf: Mapping[str, str]) -> list[str]:
    """The beginning of a command that submits."""
    options = [part for pair in conf.items() for part in ("--conf", "=".join(pair))]
    return [str(SPARK / "bin" / "spark-submit"), *options]


def wait_for(done: Callable[[], bool], what: str, log: Path | None = None) -> None:
    """Wait until something is so; an error, with the end of a log, if it takes too long."""
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        with suppress(OSError, ValueError):  # it does not listen yet, or answers no JSON
            if done():
                return
        time.sleep(0.1)
    log_text = "" if log is None else log.read_text()[-3000:]
    raise TimeoutError(f"{what}: not there after {_PATIENCE} seconds. {log_text}")


def read_json(address: str) -> Any:
    """What an address answers, as JSON."""
    with urlopen(address, timeout=_PATIENCE) as answer:
        return json.load(answer)


def find_free_port() -> int:
    """A port that no one listens on."""
    with socket.socket() as listener:
        listener.bind((_HERE, 0))
        return int(listener.getsockname()[1])


def _is_listening(port: int) -> bool:
    with socket.create_connection((_HERE, port), timeout=1):
        return True


def _make_class_command(name: str) -> list[str]:
    return [str(SPARK / "bin" / "spark-class"), f"org.apache.spark.deploy.{name}"]
