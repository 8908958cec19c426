"""gainful demo: a tour on the bundled collection."""

import shlex
from contextlib import chdir
from importlib.resources import files
from pathlib import Path

import click

from gainful.alignment import Rules
from gainful.base import open_atomic
from gainful.cli.eval import eval_command
from gainful.cli.explain import explain_command
from gainful.errors import PackageError, SourceError
from gainful.evaluation import evaluate
from gainful.stats import compare

COLLECTION = Path(str(files("gainful") / "demo"))
RUNS = ("keyword.run", "semantic.run", "hybrid.run")
REPORT = "demo-report.html"


@click.command("demo")
@click.option("--save", metavar="DIR", help="Copy the collection to DIR, to try commands on it.")
@click.pass_context
def demo_command(context: click.Context, save: str | None) -> None:
    """Take a tour on a small bundled collection.

    Twelve shop searches, 161 products with graded judgments, and three systems: keyword (many
    ties), semantic (finds unjudged items, fails on one query) and hybrid (the best of them). The
    tour ends with a report, demo-report.html in the current folder.

    \b
    Examples:
      gainful demo
      gainful demo --save shop && gainful eval shop/qrels.txt shop/hybrid.run
    """
    if save is not None:
        _save_collection(Path(save))
        return
    qrels, runs = COLLECTION / "qrels.txt", tuple(str(COLLECTION / run) for run in RUNS)
    print(f"Three systems on twelve shop searches.\n\n$ gainful eval qrels.txt {' '.join(RUNS)}")
    context.invoke(eval_command, qrels=str(qrels), runs=runs, format="table", output=None)
    print("\nIs hybrid better than keyword, or lucky?\n")
    print("$ gainful compare qrels.txt keyword.run hybrid.run -f table | head -n 1")
    print(compare(qrels, [runs[0], runs[2]]).verdict)
    print("\nWhy does hybrid, the best of them, do badly on 'tent pegs for sand'?\n")
    print("$ gainful explain qrels.txt hybrid.run q06")
    context.invoke(
        explain_command, qrels=str(qrels), run=runs[2], query="q06", format="table", output=None
    )
    print("\nHow much of keyword's value is luck, given its ties?\n")
    for ties in ("worst", "average", "best"):
        scores = evaluate(qrels, runs[0], "nDCG@10", rules=Rules(ties=ties))
        print(f"$ gainful eval qrels.txt keyword.run -m nDCG@10 --ties {ties:7}  #", end=" ")
        print(f"{scores['nDCG@10']:.4f}")
    print("\nTry it yourself: gainful demo --save shop, then gainful eval shop/qrels.txt ...")
    print("\nNow look at all of it, query by query.\n")
    _write_demo_report(Path.cwd() / REPORT)


def _write_demo_report(path: Path) -> None:
    """Write the report of the three systems and print where it is, or which package is missing."""
    from gainful.cli.output import format_location
    from gainful.report import write_report

    flags = ["--baseline", "keyword", "--queries", "queries.tsv", "--items", "items.tsv"]
    command = shlex.join(["gainful", "report", "qrels.txt", *RUNS, *flags, "-o", path.name])
    print(f"$ {command}")
    try:
        with chdir(COLLECTION):
            report = write_report(
                "qrels.txt",
                RUNS,
                path,
                command=command,
                baseline="keyword",
                queries="queries.tsv",
                items="items.tsv",
            )
    except PackageError as error:
        print(error)
        return
    print(format_location(report))


def _save_collection(folder: Path) -> None:
    names = sorted(path.name for path in COLLECTION.iterdir() if path.is_file())
    conflict = next((name for name in names if _has_other_content(folder / name)), None)
    if conflict is not None:
        path = (folder / conflict).as_posix()
        message = f"{path}: exists already. Pass another --save, or move it away."
        raise SourceError(message, code="exists-already")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"{folder.as_posix()}: cannot be written to ({error.strerror})."
        raise SourceError(message, code="cannot-write") from error
    for name in names:
        with open_atomic(str(folder / name)) as file:
            file.write((COLLECTION / name).read_bytes())
    print(f"{len(names)} files are in {folder}: {', '.join(names)}")


def _has_other_content(path: Path) -> bool:
    """Return whether there is such a file with content that is not the collection's."""
    return path.exists() and (
        not path.is_file() or path.read_bytes() != (COLLECTION / path.name).read_bytes()
    )
