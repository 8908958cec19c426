"""What ``-h`` prints: in words of our own, unlike all else that the drop-in prints."""

from gainful.report.declarations import measure_text
from gainful.trec_eval.arguments import USAGE, Arguments
from gainful.trec_eval.catalogue import CATALOGUE, NICKNAMES, names
from gainful.trec_eval.values import declared_as

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


def manual(arguments: Arguments) -> str:
    """The usage, and what the measures that were named are."""
    formats = "qrels, qrels_jg, prefs or qrels_prefs"
    nicknames = "".join(_wrapped(f"  {n:<9}  ", " ".join(held)) for n, held in NICKNAMES.items())
    known = _wrapped("All measures: ", " ".join(names(arguments.compat)))
    chosen = [entry for entry in CATALOGUE if entry.name in arguments.measures]
    described = "".join(f"\n{entry.name}: {_described(entry.name)}" for entry in chosen)
    return USAGE + _OPTIONS.format(formats=formats) + nicknames + known + described


def _wrapped(start: str, text: str) -> str:
    import textwrap  # only for help

    return textwrap.fill(start + text, 100, subsequent_indent=" " * len(start)) + "\n"


def _described(name: str) -> str:
    measure = declared_as(name)
    if measure is None:
        return f"{_OTHERS[name]}\n"
    return "Gainful's " + measure_text(measure)


_OTHERS = {
    "runid": "the name that the run gives itself, in its last line.",
    "relstring": "the labels of the first 10 items, - for an unjudged and . for a negative one.",
    "rbp": "Gainful's RBP(p=0.9, gain=linear, scale=query); rbp.p=0.8,1=0.5 sets p and gains.",
    "rbp_resid": "Gainful's RBPResidual(p=0.9), but 0 where every item is judged.",
}
