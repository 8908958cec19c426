"""The command line of trec_eval, read as getopt_long() reads it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

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
_LONG = {
    "help": "h",
    "version": "v",
    "query_eval_wanted": "q",
    "measure": "m:",
    "complete_rel_info_wanted": "c",
    "level_for_rel": "l:",
    "nosummary": "n",
    "Debug_level": "D:",
    "Judged_docs_only": "J",
    "Number_docs_in_coll": "N:",
    "Max_retrieved_per_topic": "M:",
    "Rel_info_format": "R:",
    "Results_format": "T:",
    "Output_old_results_format": "o:",
    "Zscore": "Z:",
}


class Exit(Exception):  # noqa: N818
    """The end of the program: what it says on standard error, and its exit code."""

    def __init__(self, code: int, said: str) -> None:
        super().__init__(said)
        self.code = code
        self.said = said


@dataclass(eq=False, repr=False)
class Arguments:
    """What the command line asks for.

    Attributes:
        compat: The version of trec_eval whose every habit is wanted: 9, 10, or None.
        measures: The measures that are marked to be computed, by trec_eval's names.
        parameters: The first parameters that each name was given.
        files: What is no option: qrels and run.
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
    deepest: int | None = None
    collection: int = 0
    only_query: str | None = None
    judgments: str = "qrels"
    results: str = "trec_results"
    zscores: str | None = None
    help: bool = False

    @property
    def newer(self) -> bool:
        """Whether it is to behave as trec_eval 10 rather than 9."""
        return self.compat != 9


def read_arguments(given: Sequence[str], compat: int | None) -> Arguments:
    """The arguments; ``Exit`` where they end the program."""
    arguments = Arguments(compat=compat)
    for letter, value in _split_options(given, arguments.files):
        _apply_option(arguments, letter, value)
    if not arguments.help and len(arguments.files) != 2:
        raise Exit(1, USAGE)
    if arguments.level < 0 and not arguments.help:
        # trec_eval would take unjudged items, which it marks with -1 and -2, for relevant ones.
        raise Exit(1, f"trec_eval: relevance level {arguments.level} is not supported\n")
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
        name, wanted = _FLAGS[letter]
        setattr(arguments, name, wanted)


_NUMBERS = {"l": "level", "M": "deepest", "N": "collection"}
_TEXTS = {"R": "judgments", "T": "results", "Z": "zscores"}
_FLAGS = {
    "h": ("help", True),
    "q": ("per_query", True),
    "c": ("complete", True),
    "n": ("summary", False),
    "J": ("judged_only", True),
}


def _add_measure(arguments: Arguments, value: str) -> None:
    """Mark a measure, or all that a nickname stands for, and keep its first parameters."""
    name, dot, parameters = value.partition(".")
    if dot and not parameters:
        said = f"trec_eval: improper measure in parameter '{name}'\n"
        raise Exit(1, f"{said}trec_eval: illegal measure '{name}'\n")
    if dot:
        arguments.parameters.setdefault(name, parameters)
    known = list_names(arguments.compat)
    if name in NICKNAMES:
        arguments.measures |= set(NICKNAMES[name]) & set(known)
    elif name in known:
        arguments.measures.add(name)
    else:
        raise Exit(1, f"trec_eval: illegal measure '{name}'\n")


def _split_options(given: Sequence[str], files: list[str]) -> Iterator[tuple[str, str]]:
    """The letter of every option with its value; what is no option goes to ``files``."""
    waiting = list(given)
    while waiting:
        text = waiting.pop(0)
        if text == "--":
            files += waiting
            return
        if text.startswith("--"):
            yield _split_long(text[2:], waiting)
        elif text.startswith("-") and text != "-":
            yield from _split_short(text[1:], waiting)
        else:
            files.append(text)


def _split_short(letters: str, waiting: list[str]) -> Iterator[tuple[str, str]]:
    while letters:
        letter, letters = letters[0], letters[1:]
        place = _SHORT.find(letter) if letter != ":" else -1
        if place < 0:
            raise Exit(1, f"trec_eval: invalid option -- '{letter}'\n{USAGE}")
        if _SHORT[place + 1 : place + 2] != ":":
            yield letter, ""
            continue
        if not letters and not waiting:
            raise Exit(1, f"trec_eval: option requires an argument -- '{letter}'\n{USAGE}")
        yield letter, letters or waiting.pop(0)
        return


def _split_long(text: str, waiting: list[str]) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    matching = [name] if name in _LONG else [known for known in _LONG if known.startswith(name)]
    if not matching:
        raise Exit(1, f"trec_eval: unrecognized option '--{name}'\n{USAGE}")
    if len(matching) > 1:
        could = "".join(f" '--{known}'" for known in matching)
        said = f"trec_eval: option '--{name}' is ambiguous; possibilities:{could}\n"
        raise Exit(1, said + USAGE)
    letter = _LONG[matching[0]]
    if not letter.endswith(":"):
        if equals:
            said = f"trec_eval: option '--{matching[0]}' doesn't allow an argument\n"
            raise Exit(1, said + USAGE)
        return letter, ""
    if not equals and not waiting:
        said = f"trec_eval: option '--{matching[0]}' requires an argument\n"
        raise Exit(1, said + USAGE)
    return letter[0], value if equals else waiting.pop(0)
