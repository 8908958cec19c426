"""The command line of trec_eval."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from getopt import GetoptError, gnu_getopt

from gainful.adapters.trec_eval.measure_list import NICKNAMES, atol, list_names

USAGE = (
    "Usage: trec_eval [-h] [-q] {-m measure}* trec_rel_file trec_top_file\n"
    "   -h: Give full help information, including other options\n"
    "   -q: In addition to summary evaluation, give evaluation for each query\n"
    "   -m: calculate and print measures indicated by 'measure'\n"
    "       ('-m all_qrels' prints all qrels measures, '-m official' is default)\n"
)
VERSIONS = {9: "9.0.8", 10: "10.0-rc3", None: "10.0-rc3"}
_SHORT = "hvqm:cl:nD:JN:M:R:T:oZ:"
_LONG = {  # those that end in = take an argument
    "help": "h",
    "version": "v",
    "query_eval_wanted": "q",
    "measure=": "m",
    "complete_rel_info_wanted": "c",
    "level_for_rel=": "l",
    "nosummary": "n",
    "Debug_level=": "D",
    "Judged_docs_only": "J",
    "Number_docs_in_coll=": "N",
    "Max_retrieved_per_topic=": "M",
    "Rel_info_format=": "R",
    "Results_format=": "T",
    "Output_old_results_format=": "o",
    "Zscore=": "Z",
}


class Exit(Exception):  # noqa: N818
    """The end of the program: its message on standard error and its exit code."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass(eq=False)
class Arguments:
    """The arguments of the command line.

    Attributes:
        compat: The version of trec_eval to reproduce with its mistakes: 9, 10, or None.
        measures: The measures to compute, by trec_eval's names.
        parameters: The first parameters of each name.
        files: The words that are not options: qrels and run.
    """

    compat: int | None = None
    measures: set[str] = field(default_factory=set)
    parameters: dict[str, str] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)
    per_query: bool = False
    summary: bool = True
    complete: bool = False
    judged_only: bool = False
    level: int = 1
    max_retrieved: int | None = None
    collection: int = 0
    only_query: str | None = None
    judgments_format: str = "qrels"
    results_format: str = "trec_results"
    zscores: str | None = None
    help: bool = False

    @property
    def is_newer(self) -> bool:
        """True to behave like trec_eval 10, False to behave like trec_eval 9."""
        return self.compat != 9


def read_arguments(argv: Sequence[str], compat: int | None) -> Arguments:
    """Return the arguments; raise ``Exit`` if they end the program."""
    arguments = Arguments(compat=compat)
    try:
        options, arguments.files = gnu_getopt(list(argv), _SHORT, list(_LONG))
    except GetoptError as error:
        raise Exit(1, f"trec_eval: {_describe_error(error)}\n{USAGE}") from None
    for option, value in options:
        letter = (
            _LONG[option[2:] + "=" * (option[2:] + "=" in _LONG)]
            if option[:2] == "--"
            else option[1]
        )
        _apply_option(arguments, letter, value)
    if not arguments.help and len(arguments.files) != 2:
        raise Exit(1, USAGE)
    if arguments.level < 0 and not arguments.help:
        # trec_eval would treat unjudged items, which it marks with -1 and -2, as relevant.
        raise Exit(1, f"trec_eval: relevance level {arguments.level} is not supported\n")
    is_emptied = arguments.max_retrieved is not None and arguments.max_retrieved < 1
    if is_emptied and arguments.judgments_format != "qrels":
        raise Exit(1, f"trec_eval: -M must be >= 1, got {arguments.max_retrieved}\n")
    if not arguments.measures and not arguments.help:
        arguments.measures |= set(NICKNAMES["official"])
    return arguments


def _apply_option(arguments: Arguments, letter: str, value: str) -> None:
    if letter == "v":
        raise Exit(0, f"trec_eval version {VERSIONS[arguments.compat]}\n")
    if letter == "m":
        _add_measure(arguments, value)
    elif letter == "D":
        _, dot, query = value.partition(".")
        arguments.only_query = query if dot else arguments.only_query
    elif letter in _NUMBERS:
        if arguments.compat is None and not re.match(r"\s*[+-]?\d", value):
            raise Exit(1, f"trec_eval: -{letter} must be a number, got '{value}'\n")
        setattr(arguments, _NUMBERS[letter], atol(value))
    elif letter in _TEXTS:
        setattr(arguments, _TEXTS[letter], value)
    elif letter in _FLAGS:
        name, flag_value = _FLAGS[letter]
        setattr(arguments, name, flag_value)


_NUMBERS = {"l": "level", "M": "max_retrieved", "N": "collection"}
_TEXTS = {"R": "judgments_format", "T": "results_format", "Z": "zscores"}
_FLAGS = {
    "h": ("help", True),
    "q": ("per_query", True),
    "c": ("complete", True),
    "n": ("summary", False),
    "J": ("judged_only", True),
}


def _add_measure(arguments: Arguments, value: str) -> None:
    """Add a measure, or all measures of a nickname, and keep its first parameters."""
    name, dot, parameters = value.partition(".")
    if dot and not parameters:
        message = f"trec_eval: improper measure in parameter '{name}'\n"
        raise Exit(1, f"{message}trec_eval: illegal measure '{name}'\n")
    if dot:
        arguments.parameters.setdefault(name, parameters)
    names = list_names(arguments.compat)
    if name in NICKNAMES:
        arguments.measures |= set(NICKNAMES[name]) & set(names)
    elif name in names:
        arguments.measures.add(name)
    else:
        raise Exit(1, f"trec_eval: illegal measure '{name}'\n")


def _describe_error(error: GetoptError) -> str:
    """Return the error in the words of the C library's getopt_long()."""
    option = f"--{error.opt}" if len(error.opt) > 1 else error.opt
    if "requires" in error.msg and len(error.opt) > 1:
        return f"option '{option}' requires an argument"
    if "requires" in error.msg:
        return f"option requires an argument -- '{option}'"
    if "must not have" in error.msg:
        return f"option '{option}' doesn't allow an argument"
    kind = "unrecognized option" if len(error.opt) > 1 else "invalid option --"
    return f"{kind} '{option}'"
