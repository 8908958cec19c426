"""Options that several commands share."""

import importlib
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gainful.cli.output import OPTIONS, RULES, SectionOption
from gainful.errors import GainfulError, SourceError

if TYPE_CHECKING:  # every command loads this module: what only some need is loaded by these
    from gainful.alignment import Rules
    from gainful.base import Argument
    from gainful.dialects import Dialect
    from gainful.sources import ItemData, QueryData

Command = TypeVar("Command", bound=Callable[..., Any])


_METAVARS = {int: "N", float: "X", str: "PATTERN"}
_WIDEST_CHOICES = 60  # columns


def argument_options(
    arguments: "dict[str, Argument]", section: str = OPTIONS, **defaults: object
) -> Callable[[Command], Command]:
    """Add one option for each argument, as it is declared; None if it is not set.

    Args:
        arguments: The arguments by their names.
        section: The heading that help lists them below.
        defaults: The defaults to show, where they depend on other arguments.
    """

    from gainful.base import format_setting

    def with_options(command: Command) -> Command:
        for name, argument in reversed(arguments.items()):
            choices, text = list(argument.setting.choices), argument.setting.help
            default, metavar = defaults.get(name, argument.default), None
            if not choices:
                metavar = _METAVARS[argument.type]
            elif len("|".join(choices)) > _WIDEST_CHOICES:
                metavar, text = name.upper(), f"{text}: {', '.join(choices)}"
            command = click.option(
                f"--{name.replace('_', '-')}",
                cls=SectionOption,
                section=section,
                type=click.Choice(choices) if choices else argument.type,
                metavar=metavar,
                help=f"{text[0].upper()}{text[1:]}"
                + ("." if default is None else f" (default {format_setting(default)})."),
            )(command)
        return command

    return with_options


def rule_options(command: Command) -> Command:
    """Add one option per rule; see ``build_rules``."""
    from gainful.alignment import list_rule_arguments

    return argument_options(list_rule_arguments(), RULES)(command)


def shared_rule_options(command: Command) -> Command:
    """Add one option per rule, without defaults, since every dialect has its own."""
    from gainful.alignment import list_rule_arguments

    rules = list_rule_arguments()
    return argument_options(rules, RULES, **dict.fromkeys(rules))(command)


def measures_option(
    purpose: str, *default: str, addition: str = ""
) -> Callable[[Command], Command]:
    """Add ``-m``, which may be repeated: what the measures are for, and the default ones."""
    return click.option(
        "-m",
        "--measure",
        "measures",
        metavar="MEASURE",
        multiple=True,
        help=f"MEASURE {purpose}; may be repeated (default {' '.join(default)}).{addition}",
    )


def build_rules(options: Mapping[str, object]) -> "Rules":
    """Return the rules that the options set."""
    from gainful.alignment import Rules, list_rule_arguments

    return Rules(**pick_options(list_rule_arguments(), options))


def dialect_option(command: Command) -> Command:
    """Add ``--dialect``: whose definition of the measures applies; see ``read_dialect_options``."""
    return click.option(
        "--dialect",
        "dialects",
        metavar="NAME",
        multiple=True,
        help="Score as the tool NAME does, for example lightgbm or trec_eval@9; rules that are "
        "given beside it win. See gainful dialects.",
    )(command)


def read_dialect_options(names: tuple[str, ...], options: Mapping[str, object]) -> "Dialect | None":
    """Return the dialect of that name with the rules that the options set; None if not named."""
    if not names:
        return None
    if len(names) > 1:
        message = (
            f"--dialect: must be one, got {', '.join(names)}. gainful reconcile takes several."
        )
        raise click.UsageError(message)
    from gainful.alignment import list_rule_arguments
    from gainful.dialects import find_dialect

    return find_dialect(names[0]).with_rules(**pick_options(list_rule_arguments(), options))


def pick_options(names: Iterable[str], options: Mapping[str, object]) -> dict[str, Any]:
    """Return the options that were set.

    >>> pick_options(["ties", "depth"], {"ties": None, "depth": 10, "measure": "AP"})
    {'depth': 10}
    """
    return {name: options[name] for name in names if options[name] is not None}


def threads_option(command: Command) -> Command:
    """Add ``--threads``: how many threads read files."""
    return click.option(
        "--threads",
        type=click.IntRange(min=1),
        metavar="N",
        help="Read files on N threads (default all cores).",
    )(command)


def seed_option(command: Command) -> Command:
    """Add ``--seed``: what random numbers start from."""
    return click.option(
        "--seed",
        type=click.IntRange(min=0),
        metavar="N",
        default=0,
        help="Draw random numbers from seed N (default 0).",
    )(command)


def load_option(command: Command) -> Command:
    """Add ``--load``: import a module or file that declares measures."""
    return click.option(
        "--load",
        "loaded",
        metavar="FILE",
        multiple=True,
        callback=lambda _context, _option, names: _load_measures(names),
        expose_value=False,
        is_eager=True,
        help="Import FILE (or a module by name) that declares measures of your own.",
    )(command)


def _load_measures(names: tuple[str, ...]) -> None:
    for name in names:
        try:
            _run_file(name) if name.endswith(".py") else _load_module(name)
        except GainfulError as error:
            message = f"--load {name}: {error}"
            raise SourceError(message, code=error.code) from error
        except Exception as error:
            message = f"--load {name}: cannot be imported ({type(error).__name__}: {error})."
            raise SourceError(message, code="cannot-load") from error


def _run_file(name: str) -> None:
    """Run a file, without writing or trusting a compiled copy beside it."""
    import runpy
    from pathlib import Path

    runpy.run_path(name, run_name=Path(name).stem)


def _load_module(name: str) -> None:
    sys.path.insert(0, ".")
    importlib.import_module(name)


def item_options(command: Command) -> Command:
    """Add ``--items`` and ``--users``; see ``read_item_options``."""
    return _item_options(
        "FILE of the catalog: one item per line (id, popularity, features), or a table."
    )(command)


def item_title_options(command: Command) -> Command:
    """Add ``--items`` and ``--users`` for a command that shows titles of items."""
    return _item_options(
        "FILE of item titles: a table with a header, an item column, and title or url; and the "
        "columns that measures of recommendations read."
    )(command)


def _item_options(items_help: str) -> Callable[[Command], Command]:
    users = click.option(
        "--users",
        type=click.IntRange(min=1),
        metavar="N",
        help="Number of users behind the popularity counts in --items.",
    )
    items = click.option("--items", metavar="FILE", help=items_help)
    return lambda command: items(users(command))


def read_item_options(items: str | None, users: int | None) -> "ItemData | None":
    """Read the item table of ``--items``; refuse ``--users`` without it."""
    if users is not None and items is None:
        message = "--users says how many --items counts, got no --items."
        raise click.UsageError(message)
    if items is None:
        return None
    from gainful.sources import read_items

    return read_items(items, n_users=users)


def query_options(command: Command) -> Command:
    """Add ``--queries``, ``--by`` and ``--weights``; see ``read_query_options``."""
    for name, metavar, text in reversed(
        [
            ("queries", "FILE", "FILE of query attributes: a table with a query column."),
            ("by", "COLUMN", "Report each slice: the queries with the same COLUMN of --queries."),
            ("weights", "COLUMN", "Weigh queries in the means by COLUMN of --queries."),
        ]
    ):
        command = click.option(f"--{name}", metavar=metavar, help=text)(command)
    return command


def read_query_options(
    queries: str | None,
    by: str | None,
    weights: str | None,
    *,
    per_query: bool,
) -> "QueryData | None":
    """Read the query table of ``--queries``; refuse options that contradict each other."""
    for name, column in (("--by", by), ("--weights", weights)):
        if column is not None and queries is None:
            message = f"{name} names a column of --queries, got no --queries."
            raise click.UsageError(message)
    if by is not None and per_query:
        message = "--by prints slices and --per-query prints queries, got both."
        raise click.UsageError(message)
    if queries is None:
        return None
    from gainful.sources import read_queries

    data = read_queries(queries)
    if by is not None:
        data.texts(by)  # refused now, not after a long run has been read
    return data


def unjudged_options(command: Command) -> Command:
    """Add ``-m``, ``--possible-labels`` and ``--baseline``; see ``parse_possible_labels``."""
    options = [
        click.option(
            "-m",
            "--measure",
            metavar="MEASURE",
            default="nDCG@10",
            help="MEASURE of the nDCG family (default nDCG@10).",
        ),
        click.option(
            "--possible-labels",
            metavar="NUMBER,...",
            help="NUMBERs that an unjudged item may get as a label (default 0 and all labels of "
            "the qrels).",
        ),
        click.option(
            "--baseline",
            metavar="RUN",
            help="Compare all others with this RUN, by its name or path.",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def parse_possible_labels(text: str | None) -> tuple[float, ...] | None:
    """Return the labels that an unjudged item may get.

    >>> parse_possible_labels("0,1,2.5")
    (0.0, 1.0, 2.5)
    """
    if text is None:
        return None
    try:
        return tuple(float(number) for number in text.split(","))
    except ValueError:
        message = f"--possible-labels: must look like 0,1,2,3, got {text!r}."
        raise click.UsageError(message) from None
