"""A driver with a cluster that works until it is stopped from outside."""

import time

from cluster.driver_session import session
from cluster.standalone import standalone


def main() -> None:
    """Have all kinds of processes at work, say what they are known by, and wait."""
    with standalone(workers=1) as cluster, session(cluster) as spark:
        spark.range(8).mapInArrow(lambda batches: batches, "id long").collect()
        print(cluster.processes.name, cluster.processes.folder, flush=True)  # noqa: T201
        time.sleep(3600)


if __name__ == "__main__":
    main()
