"""A program whose threads use gainful for the first time, all at once; run by a test."""

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import gainful


def answers(given: dict[str, Any], number: int, begin: Barrier) -> dict[str, list[str]]:
    """The values of all measures, every thread beginning with another one."""
    first = number * len(given["asked"]) // (2 * given["threads"])  # some families are shared
    begin.wait()
    found = {}
    for name in given["asked"][first:] + given["asked"][:first]:
        scores = gainful.evaluate(given["qrels"], given["run"], name)
        found[name] = [value.hex() for value in [*scores.values[:, 0].tolist(), scores[name]]]
    return found


if __name__ == "__main__":
    sys.setswitchinterval(1e-6)
    given = json.load(sys.stdin)
    begin = Barrier(given["threads"])
    with ThreadPoolExecutor(given["threads"]) as pool:
        found = pool.map(lambda number: answers(given, number, begin), range(given["threads"]))
        json.dump(list(found), sys.stdout)
