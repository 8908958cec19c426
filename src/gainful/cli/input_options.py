"""Options that say how files are read: their formats, their columns, what words mean."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, NamedTuple, TypeVar

import click

from gainful.alignment import Rules
from gainful.base import Progress, ReadOptions
from gainful.errors import ComparisonError
from gainful.evaluation import Collection
from gainful.sources import Judgments, Run, find_run_name, read_judgments, read_run

Command = TypeVar("Command", bound=Callable[..., Any])

_ROLES = {"qrels": ("query", "item", "label"), "run": ("query", "item", "score", "rank")}


class InputOptions(NamedTuple):
    """The options that say how the files of a command are read."""

    qrels_format: str | None
    run_format: str | None
    columns: dict[str, dict[str, str]]
    labels: dict[str, float] | None

    @property
    def qrels_options(self) -> dict[str, Any]:
        """Return the options of the qrels, as ``read_qrels`` takes them."""
        columns = self.columns["qrels"]
        return {"format": self.qrels_format, "columns": columns, "labels": self.labels}

    def qrels(
        self, path: str, rules: Rules, threads: int | None, progress: Progress | None
    ) -> str | Judgments:
        """Read the qrels as the options say; return the path if no option is set."""
        if not any(self.qrels_options.values()):
            return path
        return read_judgments(path, rules, ReadOptions(threads, progress), **self.qrels_options)

    def collection(
        self,
        qrels: str,
        runs: Sequence[Run],
        *,
        rules: Rules,
        items: object = None,
        queries: object = None,
        threads: int | None,
        progress: Progress | None,
    ) -> Collection:
        """Return a collection that is read as the options say; close it at the end."""
        return Collection(
            self.qrels(qrels, rules, threads, progress),
            runs,
            items=items,
            queries=queries,
            rules=rules,
            threads=threads,
            progress=progress,
        )

    def run(self, path: str, name: str | None = None) -> Run:
        """Return a run that is read as the options say."""
        columns = self.columns["run"]
        return read_run(path, name=name, format=self.run_format, columns=columns)

    def runs(self, paths: Sequence[str]) -> list[Run]:
        """Return the runs, named after their files, or after their paths where two are the same."""
        runs = [self.run(path) for path in paths]
        n_runs = Counter(run.name for run in runs)
        return [run if n_runs[run.name] == 1 else self.run(run.source, run.source) for run in runs]


def input_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say how files are read; the command takes them as ``inputs``."""

    @wraps(command)
    def with_inputs(
        *arguments: object,
        qrels_format: str | None,
        run_format: str | None,
        columns: tuple[str, ...],
        labels: tuple[str, ...],
        **options: object,
    ) -> Any:
        inputs = InputOptions(
            qrels_format, run_format, parse_columns(columns), parse_labels(labels)
        )
        return command(*arguments, inputs=inputs, **options)

    for option in reversed(_list_options()):
        with_inputs = option(with_inputs)
    return with_inputs


def _list_options() -> list[Callable[[Command], Command]]:
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


def check_stdin_once(*paths: str | None) -> None:
    """Refuse to read standard input twice."""
    if paths.count("-") > 1:
        message = "standard input (-) can be read only once."
        raise click.UsageError(message)


def check_runs_differ(runs: Sequence[str]) -> None:
    """Refuse a run that is named twice."""
    repeated = next((path for number, path in enumerate(runs) if path in runs[:number]), None)
    if repeated is not None:
        message = f"run {repeated!r} is given twice. Name every run once."
        raise click.UsageError(message)


def find_baseline(runs: Sequence[Run], baseline: str | None) -> str | None:
    """Return the name of the baseline, which may be named by its path or by its file's name."""
    try:
        return find_run_name(baseline, runs)
    except ComparisonError as error:
        message = f"--{error}"
        raise click.UsageError(message) from None


def columns_option(command: Command) -> Command:
    """Add ``--columns``: what columns are called; see ``parse_columns``."""
    return click.option(
        "--columns",
        metavar="ROLE=NAME,...",
        multiple=True,
        help="NAME of the column that is the query, item, label, score or rank, or its number; "
        "qrels.ROLE and run.ROLE name those of one file.",
    )(command)


def format_option(side: str) -> Callable[[Command], Command]:
    """Add ``--qrels-format`` or ``--run-format``."""
    return click.option(
        f"--{side}-format",
        metavar="FORMAT",
        help=f"Format of the {side}, for example csv, if it cannot be detected from the content.",
    )


def parse_columns(values: tuple[str, ...]) -> dict[str, dict[str, str]]:
    """Return the names of columns, by file and role.

    >>> parse_columns(("query=qid,qrels.label=grade",))
    {'qrels': {'query': 'qid', 'label': 'grade'}, 'run': {'query': 'qid'}}
    """
    names: dict[str, dict[str, str]] = {"qrels": {}, "run": {}}
    for role, name in parse_pairs("--columns", "query=qid,item=docno", values):
        file, _, role_name = role.rpartition(".")
        files = [f for f, roles in _ROLES.items() if file in ("", f) and role_name in roles]
        if not files:
            all_roles = dict.fromkeys(role for roles in _ROLES.values() for role in roles)
            roles = (
                ", ".join(f"{file}.{known_role}" for known_role in _ROLES[file])
                if file in _ROLES
                else ""
            )
            message = f"--columns: must name one of {roles or ', '.join(all_roles)}, got {role!r}."
            raise click.UsageError(message)
        for file_with_role in files:
            names[file_with_role][role_name] = name
    return names


def parse_sided_columns(values: tuple[str, ...]) -> dict[str, str]:
    """Return the names of columns, by file and role in one: ``{"qrels.label": "grade"}``.

    >>> parse_sided_columns(("qrels.label=grade",))
    {'qrels.label': 'grade'}
    """
    return {
        f"{file}.{role}": name
        for file, names in parse_columns(values).items()
        for role, name in names.items()
    }


def parse_labels(values: tuple[str, ...]) -> dict[str, float] | None:
    """Return the numbers that words mean as labels.

    >>> parse_labels(("good=2,bad=0",))
    {'good': 2.0, 'bad': 0.0}
    """
    numbers: dict[str, float] = {}
    for word, number in parse_pairs("--labels", "good=2,bad=0", values):
        try:
            numbers[word] = float(number)
        except ValueError:
            message = f"--labels: {word!r} must mean a number, got {number!r}."
            raise click.UsageError(message) from None
    return numbers or None


def parse_pairs(option: str, example: str, values: tuple[str, ...]) -> list[tuple[str, str]]:
    """Return the pairs of an option that is a list of them."""
    pairs = []
    for pair in ",".join(values).split(",") if values else []:
        name, equals, value = (word.strip() for word in pair.partition("="))
        if not (name and equals and value):
            message = f"{option}: must look like {example}, got {pair!r}."
            raise click.UsageError(message)
        pairs.append((name, value))
    return pairs
