"""trec_eval from its command line to what it prints."""

import math
from collections.abc import Callable, Iterable, Sequence
from threading import Thread
from typing import NamedTuple

import numpy as np

from gainful.adapters.trec_eval.command_line import USAGE, Arguments, Exit, read_arguments
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
from gainful.adapters.trec_eval.rankings import (
    EvaluatedRankings,
    read_grouped_rankings,
    read_judged_rankings,
    read_preference_rankings,
)
from gainful.adapters.trec_eval.reading import NOTHING_SHARED, ZSCORES, read_content, split_rows
from gainful.adapters.trec_eval.values import (
    Column,
    Failure,
    compute_columns,
    find_measure,
    load_measures,
)
from gainful.base import ragged
from gainful.errors import MeasureError
from gainful.report import describe_measure

_OPTIONS = """
  -q                print the values of every query before the summary
  -n                print no summary
  -m NAME[.PARAMS]  compute the measure NAME, or all that a nickname stands for; repeatable
  -c                average over all queries of the qrels; those the run lacks count 0
  -l NUM            lowest label that is relevant (1); measures of gain do not heed it
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
    """The usage, and what the measures that were named are."""
    formats = "qrels, qrels_jg, prefs or qrels_prefs"
    nicknames = "".join(_wrap(f"  {n:<9}  ", " ".join(held)) for n, held in NICKNAMES.items())
    known = _wrap("All measures: ", " ".join(list_names(arguments.compat)))
    chosen = [entry for entry in CATALOG if entry.name in arguments.measures]
    described = "".join(f"\n{entry.name}: {_describe_measure(entry.name)}" for entry in chosen)
    return USAGE + _OPTIONS.format(formats=formats) + nicknames + known + described


def _wrap(start: str, text: str) -> str:
    import textwrap  # only for help

    return textwrap.fill(start + text, 100, subsequent_indent=" " * len(start)) + "\n"


def _describe_measure(name: str) -> str:
    measure = find_measure(name)
    if measure is None:
        return f"{_OTHERS[name]}\n"
    return "Gainful's " + describe_measure(measure)


_OTHERS = {
    "runid": "the name that the run gives itself, in its last line.",
    "relstring": "the labels of the first 10 items, - for an unjudged and . for a negative one.",
    "rbp": "Gainful's RBP(p=0.9, gain=linear, scale=query); rbp.p=0.8,1=0.5 sets p and gains.",
    "rbp_resid": "Gainful's RBPResidual(p=0.9), but 0 where every item is judged.",
}


_MISSING = -1000000.0
_LEAST = math.log(ragged.LEAST)
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
    """What the program prints, what it says on standard error, and its exit code."""

    printed: str
    said: str = ""
    code: int = 0


def run_trec_eval(given: Sequence[str]) -> Outcome:
    """What trec_eval prints for a command line.

    ``--compat 9`` or ``--compat 10`` asks for every habit of 9.0.8 or 10.0, mistakes included.

    >>> run_trec_eval(["-v"]).said
    'trec_eval version 10.0-rc3\\n'
    """
    try:
        compat, rest = _split_compat(given)
        arguments = read_arguments(rest, compat)
        if arguments.help:
            return Outcome(format_manual(arguments))
        return _run_evaluation(arguments)
    except Exit as end:
        return Outcome("", end.said, end.code)


def _split_compat(given: Sequence[str]) -> tuple[int | None, list[str]]:
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


def _run_evaluation(arguments: Arguments) -> Outcome:
    if arguments.judgments not in _READS:
        raise Exit(2, f"trec_eval: Illegal rel_format '{arguments.judgments}'\n")
    reads = _READS[arguments.judgments]
    ragged.retain_memory()
    # The native core needs no Python to read the files: meanwhile the measures are imported.
    ahead = Thread(target=load_measures, args=(arguments,))
    ahead.start()
    try:
        evaluated = _RANKINGS[reads](arguments)
    finally:
        ahead.join()
    zscores = _make_zscore_converter(arguments)
    wanted = [entry for entry in CATALOG if entry.name in arguments.measures]
    parameters = [_parse_parameters(entry, arguments) for entry in wanted]
    if not evaluated.ranked.n_queries and not evaluated.failure:
        raise Exit(7, NOTHING_SHARED)
    columns: list[Column] = []
    for entry, given in zip(wanted, parameters, strict=True):
        if entry.name == "runid" or not evaluated.ranked.n_queries:
            continue
        try:
            if entry.name != "num_q" and entry.reads != reads:
                raise Failure(_UNFIT[entry.reads])
            columns += compute_columns(entry, given, evaluated, arguments)
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
    each = _format_queries(columns, evaluated, mark) if arguments.per_query else ""
    if evaluated.failure:
        return Outcome(each, _describe_failure(evaluated, wanted, reads), 4)
    summary = _format_summary(columns, evaluated, arguments, mark) if arguments.summary else ""
    return Outcome(each + summary, evaluated.said)


def _describe_failure(evaluated: EvaluatedRankings, wanted: list[Entry], reads: str) -> str:
    if not evaluated.needs_measure:
        return evaluated.failure
    first = next(entry for entry in wanted if entry.name not in ("runid", "num_q"))
    said = evaluated.failure if first.reads == reads else _UNFIT[first.reads]
    return f"{said}trec_eval: Can't calculate measure '{first.name}'\n"


def _parse_parameters(entry: Entry, arguments: Arguments) -> Parameters:
    try:
        return parse_parameters(entry, arguments.parameters.get(entry.name))
    except ParameterError as error:
        said = f"{error}trec_eval: Cannot initialize measure '{entry.name}'\n"
        raise Exit(2, said) from None


def _format_queries(columns: list[Column], evaluated: EvaluatedRankings, mark: str) -> str:
    shown = [column for column in columns if column.entry.per_query]
    texts = [_format_values(column, mark) for column in shown]
    names = [_format_name(column, mark) for column in shown]
    lines = (
        f"{name}\t{query}\t{text}\n"
        for query, *row in zip(evaluated.queries, *texts, strict=True)
        for name, text in zip(names, row, strict=True)
    )
    return "".join(lines)


def _format_name(column: Column, mark: str) -> str:
    return ("" if column.entry.name == "relstring" else mark) + f"{column.name:<22}"


def _format_values(column: Column, mark: str) -> Iterable[str]:
    if column.entry.name == "relstring":
        return [f"'{text}'" for text in column.values]
    return map(_get_formatter(column.entry, mark), column.values.tolist())


def _get_formatter(entry: Entry, mark: str) -> Callable[[float], str]:
    return format_count if entry.counts and not mark else format_value


def format_value(value: float) -> str:
    """A value as C prints it."""
    return "  -nan" if math.isnan(value) else f"{value:6.4f}"


def format_count(value: float) -> str:
    """A count as C prints it."""
    return str(int(value))


def _format_summary(
    columns: list[Column], evaluated: EvaluatedRankings, arguments: Arguments, mark: str
) -> str:
    lines = []
    if "runid" in arguments.measures:
        lines.append(f"{'runid':<22}\tall\t{evaluated.tag}\n")
    for column in columns:
        if column.entry.average != "none":
            value = _compute_average(column, evaluated, arguments)
            lines.append(
                f"{_format_name(column, mark)}\tall\t{_get_formatter(column.entry, mark)(value)}\n"
            )
    return "".join(lines)


def _compute_average(column: Column, evaluated: EvaluatedRankings, arguments: Arguments) -> float:
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


def _make_zscore_converter(arguments: Arguments) -> Callable[[Column, tuple[str, ...]], None]:
    """What turns values into their distance from a known mean, in standard deviations."""
    if arguments.zscores is None:
        return lambda _column, _queries: None
    path = arguments.zscores
    fields = split_rows(path, read_content(path, ZSCORES, code=255), ZSCORES, arguments)
    known = {(query, name): (atof(mean), atof(width)) for query, name, mean, width in fields}

    def convert(column: Column, queries: tuple[str, ...]) -> None:
        if column.entry.average == "none":
            return
        values = zip(queries, column.values.tolist(), strict=True)
        found = [_compute_zscore(value, known.get((query, column.name))) for query, value in values]
        column.values = np.array(found)

    return convert


def _compute_zscore(value: float, known: tuple[float, float] | None) -> float:
    if known is None:
        return _MISSING
    mean, width = known
    if width:
        return (value - mean) / width
    return 0.0 if value == mean else _MISSING
