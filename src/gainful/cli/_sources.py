"""Options that say how files are read: their formats, their columns, what words mean."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, NamedTuple, TypeVar

import click

from gainful.errors import ComparisonError
from gainful.named_runs import name_of
from gainful.rules import Rules
from gainful.sources import Judgments, Progress, Reading, Run, read_judgments, read_run

Command = TypeVar("Command", bound=Callable[..., Any])

_ROLES = {"qrels": ("query", "item", "label"), "run": ("query", "item", "score", "rank")}


class Said(NamedTuple):
    """What the user said about the files."""

    qrels_format: str | None
    run_format: str | None
    columns: dict[str, dict[str, str]]
    labels: dict[str, float] | None

    @property
    def of_qrels(self) -> dict[str, Any]:
        """What was said about the qrels, as ``read_qrels`` takes it."""
        columns = self.columns["qrels"]
        return {"format": self.qrels_format, "columns": columns, "labels": self.labels}

    def qrels(
        self, path: str, rules: Rules, threads: int | None, progress: Progress | None
    ) -> str | Judgments:
        """The qrels, read as the user said; as they are where nothing was said."""
        if not any(self.of_qrels.values()):
            return path
        return read_judgments(path, rules, Reading(threads, progress), **self.of_qrels)

    def run(self, path: str, name: str | None = None) -> Run:
        """A run, to be read as the user said."""
        columns = self.columns["run"]
        return read_run(path, name=name, format=self.run_format, columns=columns)

    def runs(self, paths: Sequence[str]) -> list[Run]:
        """The runs, called by their file's name, or by their path where two have the same."""
        runs = [self.run(path) for path in paths]
        n_called = Counter(run.name for run in runs)
        return [
            run if n_called[run.name] == 1 else self.run(run.source, run.source) for run in runs
        ]


def source_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """How files are read; the command takes what all of the options say as ``said``."""

    @wraps(command)
    def told(
        *arguments: Any,
        qrels_format: str | None,
        run_format: str | None,
        columns: tuple[str, ...],
        labels: tuple[str, ...],
        **others: Any,
    ) -> Any:
        said = Said(qrels_format, run_format, columns_from(columns), labels_from(labels))
        return command(*arguments, said=said, **others)

    for option in reversed(_options()):
        told = option(told)
    return told


def _options() -> list[Callable[[Command], Command]]:
    return [
        format_option("qrels"),
        format_option("run"),
        columns_option,
        click.option(
            "--labels",
            metavar="WORD=NUMBER,...",
            multiple=True,
            help="NUMBER that a WORD means as a label: good=2,fair=1,bad=0.",
        ),
    ]


def read_once(*paths: str | None) -> None:
    """Refuse to read standard input twice."""
    if paths.count("-") > 1:
        message = "standard input (-) can be read only once."
        raise click.UsageError(message)


def named_once(runs: Sequence[str]) -> None:
    """Refuse a run that is named twice."""
    twice = next((path for number, path in enumerate(runs) if path in runs[:number]), None)
    if twice is not None:
        message = f"run {twice!r} is given twice. Name every run once."
        raise click.UsageError(message)


def baseline_among(runs: Sequence[Run], baseline: str | None) -> str | None:
    """The name of the baseline, which may be given by its path, or by its file's name."""
    try:
        return name_of(baseline, runs)
    except ComparisonError as error:
        message = f"--{error}"
        raise click.UsageError(message) from None


def columns_option(command: Command) -> Command:
    """``--columns``: what columns are called; see ``columns_from``."""
    return click.option(
        "--columns",
        metavar="ROLE=NAME,...",
        multiple=True,
        help="NAME of the column that is the query, item, label, score or rank, or its number; "
        "qrels.ROLE and run.ROLE name those of one file.",
    )(command)


def format_option(holds: str) -> Callable[[Command], Command]:
    """``--qrels-format`` or ``--run-format``."""
    return click.option(
        f"--{holds}-format",
        metavar="FORMAT",
        help=f"FORMAT of the {holds}, for example csv, where the content does not tell.",
    )


def columns_from(given: tuple[str, ...]) -> dict[str, dict[str, str]]:
    """The names of columns, by file and role.

    >>> columns_from(("query=qid,qrels.label=grade",))
    {'qrels': {'query': 'qid', 'label': 'grade'}, 'run': {'query': 'qid'}}
    """
    found: dict[str, dict[str, str]] = {"qrels": {}, "run": {}}
    for role, name in pairs("--columns", "query=qid,item=docno", given):
        file, _, bare = role.rpartition(".")
        files = [f for f, roles in _ROLES.items() if file in ("", f) and bare in roles]
        if not files:
            known = dict.fromkeys(role for roles in _ROLES.values() for role in roles)
            roles = ", ".join(f"{file}.{one}" for one in _ROLES[file]) if file in _ROLES else ""
            message = f"--columns: must name one of {roles or ', '.join(known)}, got {role!r}."
            raise click.UsageError(message)
        for one in files:
            found[one][bare] = name
    return found


def sided_columns(given: tuple[str, ...]) -> dict[str, str]:
    """The same by file and role in one: ``{"qrels.label": "grade"}``.

    >>> sided_columns(("qrels.label=grade",))
    {'qrels.label': 'grade'}
    """
    each = columns_from(given).items()
    return {f"{file}.{role}": name for file, held in each for role, name in held.items()}


def labels_from(given: tuple[str, ...]) -> dict[str, float] | None:
    """What words mean as labels.

    >>> labels_from(("good=2,bad=0",))
    {'good': 2.0, 'bad': 0.0}
    """
    found: dict[str, float] = {}
    for word, number in pairs("--labels", "good=2,bad=0", given):
        try:
            found[word] = float(number)
        except ValueError:
            message = f"--labels: {word!r} must mean a number, got {number!r}."
            raise click.UsageError(message) from None
    return found or None


def pairs(option: str, like: str, given: tuple[str, ...]) -> list[tuple[str, str]]:
    """The pairs of an option that is a list of them."""
    found = []
    for part in ",".join(given).split(",") if given else []:
        name, equals, value = (word.strip() for word in part.partition("="))
        if not (name and equals and value):
            message = f"{option}: must look like {like}, got {part!r}."
            raise click.UsageError(message)
        found.append((name, value))
    return found
