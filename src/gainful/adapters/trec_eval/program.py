"""trec_eval from its command line to its output."""

import math
from collections.abc import Callable, Iterable, Sequence
from threading import Thread
from typing import NamedTuple

import numpy as np

from gainful.adapters.trec_eval.command_line import USAGE, Arguments, Exit, read_arguments
from gainful.adapters.trec_eval.evaluated_rankings import (
    EvaluatedRankings,
    read_grouped_rankings,
    read_judged_rankings,
    read_preference_rankings,
)
from gainful.adapters.trec_eval.measure_list import (
    CATALOG,
    NICKNAMES,
    Entry,
    ParameterError,
    Parameters,
    atof,
    list_names,
    parse_parameters,
)
from gainful.adapters.trec_eval.reading import NOTHING_SHARED, ZSCORES, read_content, split_columns
from gainful.adapters.trec_eval.values import (
    Column,
    Failure,
    compute_columns,
    find_measure,
    load_measures,
)
from gainful.base import ragged
from gainful.errors import MeasureError

_OPTIONS = """
  -q                print the values of every query before the summary
  -n                print no summary
  -m NAME[.PARAMS]  compute the measure NAME, or all that a nickname stands for; repeatable
  -c                average over all queries of the qrels; those the run lacks count 0
  -l NUM            lowest label that is relevant (1); measures of gain do not use it
  -M NUM            look at the first NUM items of every query alone
  -J                take unjudged items out of the rankings first
  -N NUM            how many documents the collection has, for utility
  -R FORMAT         what the first file holds: {formats}
  -T FORMAT         what the second file holds: trec_results
  -Z FILE           print distances from the means in FILE, in standard deviations
  -D NUM[.QUERY]    evaluate QUERY alone; nothing else is printed for any NUM
  -v                print the version on standard error
  --compat 9|10     repeat every habit of trec_eval 9.0.8 or 10.0, mistakes included
  --install DIR     put a command trec_eval into DIR that runs this one

Examples:
    gainful trec_eval qrels.txt bm25.run
    gainful trec_eval -q -m map -m ndcg_cut.10,20 qrels.txt bm25.run
    gainful trec_eval -c -l 2 -M 1000 -m all_trec qrels.txt bm25.run

The second file may be - for standard input, and both may be compressed. Without -m the measures
are those of the nickname official. Nicknames:
"""


def format_manual(arguments: Arguments) -> str:
    """Return the usage text, and descriptions of the requested measures."""
    formats = "qrels, qrels_jg, prefs or qrels_prefs"
    nicknames = "".join(
        _wrap(f"  {nickname:<9}  ", " ".join(measures)) for nickname, measures in NICKNAMES.items()
    )
    all_measures = _wrap("All measures: ", " ".join(list_names(arguments.compat)))
    entries = [entry for entry in CATALOG if entry.name in arguments.measures]
    descriptions = "".join(f"\n{entry.name}: {_describe_measure(entry.name)}" for entry in entries)
    return USAGE + _OPTIONS.format(formats=formats) + nicknames + all_measures + descriptions


def _wrap(start: str, text: str) -> str:
    import textwrap  # only for help

    return textwrap.fill(start + text, 100, subsequent_indent=" " * len(start)) + "\n"


def _describe_measure(name: str) -> str:
    measure = find_measure(name)
    if measure is None:
        return f"{_DESCRIPTIONS[name]}\n"
    from gainful.report import describe_measure  # only for help

    return "Gainful's " + describe_measure(measure)


_DESCRIPTIONS = {
    "runid": "the name that the run gives itself, in its last line.",
    "relstring": "the labels of the first 10 items, - for an unjudged and . for a negative one.",
    "rbp": "Gainful's RBP(p=0.9, gain=linear, scale=query); rbp.p=0.8,1=0.5 sets p and gains.",
    "rbp_resid": "Gainful's RBPResidual(p=0.9), but 0 where every item is judged.",
}


_MISSING = -1000000.0
_LEAST = math.log(ragged.GEOMETRIC_FLOOR)
_READS = {
    "qrels": "labels",
    "qrels_jg": "groups",
    "prefs": "preferences",
    "qrels_prefs": "preferences",
}
_RANKINGS = {
    "labels": read_judged_rankings,
    "groups": read_grouped_rankings,
    "preferences": read_preference_rankings,
}
_UNFIT = {
    "labels": "trec_eval.form_res_qrels: rel_info format not qrels or results format not "
    "trec_results\n",
    "groups": "trec_eval: rel_info format not qrels_jg or results format not trec_results\n",
    "preferences": "trec_eval.form_prefs_info: prefs_info format not (prefs or qrels_prefs) or "
    "results format not trec_results\n",
}


class Outcome(NamedTuple):
    """Standard output, standard error and exit code of the program."""

    stdout: str
    stderr: str = ""
    code: int = 0


def run_trec_eval(words: Sequence[str]) -> Outcome:
    """Run trec_eval's command line and return its output.

    ``--compat 9`` or ``--compat 10`` asks for every habit of 9.0.8 or 10.0, mistakes included.

    >>> run_trec_eval(["-v"]).stderr
    'trec_eval version 10.0-rc3\\n'
    """
    try:
        compat, remaining = _split_compat(words)
        arguments = read_arguments(remaining, compat)
        if arguments.help:
            return Outcome(format_manual(arguments))
        return _run_evaluation(arguments)
    except Exit as end:
        return Outcome("", end.message, end.code)


def _split_compat(argv: Sequence[str]) -> tuple[int | None, list[str]]:
    remaining = list(argv)
    for i, text in enumerate(remaining):
        if text == "--":
            break
        if text == "--compat" or text.startswith("--compat="):
            value = text.partition("=")[2] or "".join(remaining[i + 1 : i + 2])
            del remaining[i : i + (1 if "=" in text else 2)]
            if value not in ("9", "10"):
                raise Exit(1, f"trec_eval: --compat must be 9 or 10, got '{value}'\n")
            return int(value), remaining
    return None, remaining


def _run_evaluation(arguments: Arguments) -> Outcome:
    if arguments.judgments_format not in _READS:
        raise Exit(2, f"trec_eval: Illegal rel_format '{arguments.judgments_format}'\n")
    reads = _READS[arguments.judgments_format]
    ragged.retain_memory()
    # The native core needs no Python to read the files: meanwhile the measures are imported.
    loader = Thread(target=load_measures, args=(arguments,))
    loader.start()
    try:
        evaluated = _RANKINGS[reads](arguments)
    finally:
        loader.join()
    convert_values = _make_zscore_converter(arguments)
    entries = [entry for entry in CATALOG if entry.name in arguments.measures]
    parameters = [_parse_parameters(entry, arguments) for entry in entries]
    if not evaluated.ranked.n_queries and not evaluated.failure:
        raise Exit(7, NOTHING_SHARED)
    columns: list[Column] = []
    for entry, entry_parameters in zip(entries, parameters, strict=True):
        if entry.name == "runid" or not evaluated.ranked.n_queries:
            continue
        try:
            if entry.name != "num_q" and entry.reads != reads:
                raise Failure(_UNFIT[entry.reads])
            columns += compute_columns(entry, entry_parameters, evaluated, arguments)
        except MeasureError as error:  # a parameter that only trec_eval accepts
            message = f"trec_eval: {error}\ntrec_eval: Cannot initialize measure '{entry.name}'\n"
            return Outcome("", message, 2)
        except Failure as failure:
            message = f"{failure}trec_eval: Can't calculate measure '{entry.name}'\n"
            return Outcome("", message, 4)
    queries = evaluated.queries
    for column in columns:
        column.reorder(evaluated.order)
        convert_values(column, queries)
    prefix = "Z" if arguments.zscores is not None else ""
    query_lines = _format_queries(columns, evaluated, prefix) if arguments.per_query else ""
    if evaluated.failure:
        return Outcome(query_lines, _describe_failure(evaluated, entries, reads), 4)
    summary = _format_summary(columns, evaluated, arguments, prefix) if arguments.summary else ""
    return Outcome(query_lines + summary, evaluated.message)


def _describe_failure(evaluated: EvaluatedRankings, entries: list[Entry], reads: str) -> str:
    if not evaluated.needs_measure:
        return evaluated.failure
    first = next(entry for entry in entries if entry.name not in ("runid", "num_q"))
    message = evaluated.failure if first.reads == reads else _UNFIT[first.reads]
    return f"{message}trec_eval: Can't calculate measure '{first.name}'\n"


def _parse_parameters(entry: Entry, arguments: Arguments) -> Parameters:
    try:
        return parse_parameters(entry, arguments.parameters.get(entry.name))
    except ParameterError as error:
        message = f"{error}trec_eval: Cannot initialize measure '{entry.name}'\n"
        raise Exit(2, message) from None


def _format_queries(columns: list[Column], evaluated: EvaluatedRankings, prefix: str) -> str:
    query_columns = [column for column in columns if column.entry.per_query]
    texts = [_format_values(column, prefix) for column in query_columns]
    names = [_format_name(column, prefix) for column in query_columns]
    lines = (
        f"{name}\t{query}\t{text}\n"
        for query, *row in zip(evaluated.queries, *texts, strict=True)
        for name, text in zip(names, row, strict=True)
    )
    return "".join(lines)


def _format_name(column: Column, prefix: str) -> str:
    return ("" if column.entry.name == "relstring" else prefix) + f"{column.name:<22}"


def _format_values(column: Column, prefix: str) -> Iterable[str]:
    if column.entry.name == "relstring":
        return [f"'{text}'" for text in column.values]
    return map(_get_formatter(column.entry, prefix), column.values.tolist())


def _get_formatter(entry: Entry, prefix: str) -> Callable[[float], str]:
    return format_count if entry.is_count and not prefix else format_value


def format_value(value: float) -> str:
    """Return a value as C prints it."""
    return "  -nan" if math.isnan(value) else f"{value:6.4f}"


def format_count(value: float) -> str:
    """Return a count as C prints it."""
    return str(int(value))


def _format_summary(
    columns: list[Column], evaluated: EvaluatedRankings, arguments: Arguments, prefix: str
) -> str:
    lines = []
    if "runid" in arguments.measures:
        lines.append(f"{'runid':<22}\tall\t{evaluated.tag}\n")
    for column in columns:
        if column.entry.average != "none":
            value = _compute_average(column, evaluated, arguments)
            text = _get_formatter(column.entry, prefix)(value)
            lines.append(f"{_format_name(column, prefix)}\tall\t{text}\n")
    return "".join(lines)


def _compute_average(column: Column, evaluated: EvaluatedRankings, arguments: Arguments) -> float:
    """Return one value for all queries, added in their order as trec_eval does."""
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


def _make_zscore_converter(arguments: Arguments) -> Callable[[Column, tuple[str, ...]], None]:
    """Return a function that turns values into distances from a mean in standard deviations."""
    if arguments.zscores is None:
        return lambda _column, _queries: None
    path = arguments.zscores
    text = read_content(path, ZSCORES, code=255)
    queries, names, means, deviations = split_columns(path, text, ZSCORES, arguments)
    numbers = zip(map(atof, means), map(atof, deviations), strict=True)
    statistics = dict(zip(zip(queries, names, strict=True), numbers, strict=True))

    def convert(column: Column, queries: tuple[str, ...]) -> None:
        if column.entry.average == "none":
            return
        values = zip(queries, column.values.tolist(), strict=True)
        zscores = [
            _compute_zscore(value, statistics.get((query, column.name))) for query, value in values
        ]
        column.values = np.array(zscores)

    return convert


def _compute_zscore(value: float, statistics: tuple[float, float] | None) -> float:
    if statistics is None:
        return _MISSING
    mean, deviation = statistics
    if deviation:
        return (value - mean) / deviation
    return 0.0 if value == mean else _MISSING
