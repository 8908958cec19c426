"""Values that libraries printed for small edge cases, read from ``recorded.json``."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Qrels = dict[str, dict[str, float]]
Run = dict[str, dict[str, float]]

_TOLD = json.loads(Path(__file__).with_name("recorded.json").read_text())


@dataclass(frozen=True)
class Case:
    """Judgments and a run; both list their items in the order that the libraries were given."""

    name: str
    qrels: Qrels
    run: Run


@dataclass(frozen=True)
class Record:
    """One value of one library.

    Attributes:
        library: Its name, as in the file.
        version: The version that gave the value, with what it was made with.
        function: What was called.
        params: With which arguments, beside the cutoff.
        case: On which input.
        asked: The cutoff that was wanted; None for none.
        cutoff: The cutoff that the library was given in its place.
        value: A number in hexadecimal, "nan", {query: number}, {"raised": message}, or "random".
    """

    library: str
    version: str
    function: str
    params: dict[str, Any]
    case: Case
    asked: int | None
    cutoff: int | None
    value: Any

    def __str__(self) -> str:
        named = ", ".join(f"{name}={value}" for name, value in self.params.items())
        return f"{self.case.name} {self.function}({named}) k={self.asked}->{self.cutoff}"


def _case(told: dict[str, Any]) -> Case:
    qrels = {query: dict(both["qrels"]) for query, both in told["queries"].items()}
    run = {query: dict(both["run"]) for query, both in told["queries"].items() if both["run"]}
    return Case(told["id"], qrels, run)


CASES = {told["id"]: _case(told) for told in _TOLD["cases"]}
RECORDS = [
    Record(one["library"], one["version"], one["function"], one["params"], CASES[case], *row)
    for one in _TOLD["libraries"]
    for case, *row in one["records"]
]
LIBRARIES = list(dict.fromkeys(record.library for record in RECORDS))
