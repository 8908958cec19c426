"""trec_eval from its command line to what it prints."""

import math
from collections.abc import Callable, Iterable, Sequence
from threading import Thread
from typing import NamedTuple

import numpy as np

from gainful import ragged
from gainful.errors import MeasureError
from gainful.trec_eval._numbers import atof
from gainful.trec_eval.arguments import Arguments, Exit, read_arguments
from gainful.trec_eval.catalogue import CATALOGUE, Entry, ParameterError, Parameters, parameters_of
from gainful.trec_eval.lines import ZSCORES, content, rows
from gainful.trec_eval.rankings import (
    Evaluated,
    grouped_rankings,
    judged_rankings,
    preference_rankings,
)
from gainful.trec_eval.reading import NOTHING_SHARED
from gainful.trec_eval.values import Column, Failure, columns_of, prepare

_MISSING = -1000000.0
_LEAST = math.log(ragged.LEAST)
_READS = {
    "qrels": "labels",
    "qrels_jg": "groups",
    "prefs": "preferences",
    "qrels_prefs": "preferences",
}
_RANKINGS = {
    "labels": judged_rankings,
    "groups": grouped_rankings,
    "preferences": preference_rankings,
}
_UNFIT = {
    "labels": "trec_eval.form_res_qrels: rel_info format not qrels or results format not "
    "trec_results\n",
    "groups": "trec_eval: rel_info format not qrels_jg or results format not trec_results\n",
    "preferences": "trec_eval.form_prefs_info: prefs_info format not (prefs or qrels_prefs) or "
    "results format not trec_results\n",
}


class Outcome(NamedTuple):
    """What the program prints, what it says on standard error, and its exit code."""

    printed: str
    said: str = ""
    code: int = 0


def trec_eval(given: Sequence[str]) -> Outcome:
    """What trec_eval prints for a command line.

    ``--compat 9`` or ``--compat 10`` asks for every habit of 9.0.8 or 10.0, mistakes included.

    >>> trec_eval(["-v"]).said
    'trec_eval version 10.0-rc3\\n'
    """
    try:
        compat, rest = _compat(given)
        arguments = read_arguments(rest, compat)
        if arguments.help:
            from gainful.trec_eval.manual import manual  # only who asks for it pays for loading it

            return Outcome(manual(arguments))
        return _evaluated(arguments)
    except Exit as end:
        return Outcome("", end.said, end.code)


def _compat(given: Sequence[str]) -> tuple[int | None, list[str]]:
    rest = list(given)
    for i, text in enumerate(rest):
        if text == "--":
            break
        if text == "--compat" or text.startswith("--compat="):
            value = text.partition("=")[2] or "".join(rest[i + 1 : i + 2])
            del rest[i : i + (1 if "=" in text else 2)]
            if value not in ("9", "10"):
                raise Exit(1, f"trec_eval: --compat must be 9 or 10, got '{value}'\n")
            return int(value), rest
    return None, rest


def _evaluated(arguments: Arguments) -> Outcome:
    if arguments.judgments not in _READS:
        raise Exit(2, f"trec_eval: Illegal rel_format '{arguments.judgments}'\n")
    reads = _READS[arguments.judgments]
    ragged.retain_memory()
    # The native core needs no Python to read the files: meanwhile the measures are imported.
    ahead = Thread(target=prepare, args=(arguments,))
    ahead.start()
    try:
        evaluated = _RANKINGS[reads](arguments)
    finally:
        ahead.join()
    zscores = _zscores(arguments)
    wanted = [entry for entry in CATALOGUE if entry.name in arguments.measures]
    parameters = [_parameters(entry, arguments) for entry in wanted]
    if not evaluated.ranked.n_queries and not evaluated.failure:
        raise Exit(7, NOTHING_SHARED)
    columns: list[Column] = []
    for entry, given in zip(wanted, parameters, strict=True):
        if entry.name == "runid" or not evaluated.ranked.n_queries:
            continue
        try:
            if entry.name != "num_q" and entry.reads != reads:
                raise Failure(_UNFIT[entry.reads])
            columns += columns_of(entry, given, evaluated, arguments)
        except MeasureError as error:  # a parameter that only trec_eval makes something of
            said = f"trec_eval: {error}\ntrec_eval: Cannot initialize measure '{entry.name}'\n"
            return Outcome("", said, 2)
        except Failure as failure:
            said = f"{failure}trec_eval: Can't calculate measure '{entry.name}'\n"
            return Outcome("", said, 4)
    queries = evaluated.queries
    for column in columns:
        column.take(evaluated.order)
        zscores(column, queries)
    mark = "Z" if arguments.zscores is not None else ""
    each = _each(columns, evaluated, mark) if arguments.per_query else ""
    if evaluated.failure:
        return Outcome(each, _failure(evaluated, wanted, reads), 4)
    summary = _summary(columns, evaluated, arguments, mark) if arguments.summary else ""
    return Outcome(each + summary, evaluated.said)


def _failure(evaluated: Evaluated, wanted: list[Entry], reads: str) -> str:
    if not evaluated.needs_measure:
        return evaluated.failure
    first = next(entry for entry in wanted if entry.name not in ("runid", "num_q"))
    said = evaluated.failure if first.reads == reads else _UNFIT[first.reads]
    return f"{said}trec_eval: Can't calculate measure '{first.name}'\n"


def _parameters(entry: Entry, arguments: Arguments) -> Parameters:
    try:
        return parameters_of(entry, arguments.parameters.get(entry.name))
    except ParameterError as error:
        said = f"{error}trec_eval: Cannot initialize measure '{entry.name}'\n"
        raise Exit(2, said) from None


def _each(columns: list[Column], evaluated: Evaluated, mark: str) -> str:
    shown = [column for column in columns if column.entry.per_query]
    texts = [_texts(column, mark) for column in shown]
    names = [_name(column, mark) for column in shown]
    lines = (
        f"{name}\t{query}\t{text}\n"
        for query, *row in zip(evaluated.queries, *texts, strict=True)
        for name, text in zip(names, row, strict=True)
    )
    return "".join(lines)


def _name(column: Column, mark: str) -> str:
    return ("" if column.entry.name == "relstring" else mark) + f"{column.name:<22}"


def _texts(column: Column, mark: str) -> Iterable[str]:
    if column.entry.name == "relstring":
        return [f"'{text}'" for text in column.values]
    return map(_text(column.entry, mark), column.values.tolist())


def _text(entry: Entry, mark: str) -> Callable[[float], str]:
    return str_of_count if entry.counts and not mark else str_of_value


def str_of_value(value: float) -> str:
    """A value as C prints it."""
    return "  -nan" if math.isnan(value) else f"{value:6.4f}"


def str_of_count(value: float) -> str:
    """A count as C prints it."""
    return str(int(value))


def _summary(columns: list[Column], evaluated: Evaluated, arguments: Arguments, mark: str) -> str:
    lines = []
    if "runid" in arguments.measures:
        lines.append(f"{'runid':<22}\tall\t{evaluated.tag}\n")
    for column in columns:
        if column.entry.average != "none":
            value = _average(column, evaluated, arguments)
            lines.append(f"{_name(column, mark)}\tall\t{_text(column.entry, mark)(value)}\n")
    return "".join(lines)


def _average(column: Column, evaluated: Evaluated, arguments: Arguments) -> float:
    """One value for all queries, added in their order as trec_eval does."""
    entry, n_evaluated = column.entry, evaluated.ranked.n_queries
    n_queries = evaluated.n_judged if arguments.complete else n_evaluated
    if entry.name == "num_q":
        return n_queries
    if entry.name == "num_rel" and arguments.complete:
        return evaluated.n_relevant
    total = float(np.cumsum(column.values)[-1])
    if entry.average == "sum":
        return total
    if entry.average == "geometric":
        return math.exp((total + (n_queries - n_evaluated) * _LEAST) / n_queries)
    return total / n_queries


def _zscores(arguments: Arguments) -> Callable[[Column, tuple[str, ...]], None]:
    """What turns values into their distance from a known mean, in standard deviations."""
    if arguments.zscores is None:
        return lambda _column, _queries: None
    path = arguments.zscores
    fields = rows(path, content(path, ZSCORES, code=255), ZSCORES, arguments)
    known = {(query, name): (atof(mean), atof(width)) for query, name, mean, width in fields}

    def convert(column: Column, queries: tuple[str, ...]) -> None:
        if column.entry.average == "none":
            return
        values = zip(queries, column.values.tolist(), strict=True)
        found = [_zscore(value, known.get((query, column.name))) for query, value in values]
        column.values = np.array(found)

    return convert


def _zscore(value: float, known: tuple[float, float] | None) -> float:
    if known is None:
        return _MISSING
    mean, width = known
    if width:
        return (value - mean) / width
    return 0.0 if value == mean else _MISSING
