"""A program whose threads use gainful for the first time, all at once; run by a test."""

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import gainful


def compute_values(request: dict[str, Any], number: int, begin: Barrier) -> dict[str, list[str]]:
    """The values of all measures, every thread beginning with another one."""
    first = number * len(request["asked"]) // (2 * request["threads"])  # some families are shared
    begin.wait()
    values = {}
    for name in request["asked"][first:] + request["asked"][:first]:
        scores = gainful.evaluate(request["qrels"], request["run"], name)
        values[name] = [value.hex() for value in [*scores.values[:, 0].tolist(), scores[name]]]
    return values


if __name__ == "__main__":
    sys.setswitchinterval(1e-6)
    request = json.load(sys.stdin)
    begin = Barrier(request["threads"])
    with ThreadPoolExecutor(request["threads"]) as pool:
        results = pool.map(
            lambda number: compute_values(request, number, begin), range(request["threads"])
        )
        json.dump(list(results), sys.stdout)
