"""What every rule may be set to, what that means, and what it amounts to in a few words."""

from typing import Annotated

from gainful.settings import Setting

Ties = Annotated[
    str,
    Setting(
        "what orders items of equal score",
        choices={
            "item-desc": "item ids in descending byte order, as trec_eval does",
            "item-asc": "item ids in ascending byte order",
            "input": "the order in which the run lists them",
            "input-reversed": "the order in which the run lists them, backwards",
            "rank-column": "the rank column of the run, ascending",
            "average": "no order: the expected value over all orders, exactly",
            "best": "the highest label first: the highest DCG if gains rise with labels",
            "worst": "the lowest label first: the lowest DCG if gains rise with labels",
            "middle": "no order: all stand on the middle rank of their block, rounded down",
        },
        phrases={
            "item-desc": "ties by item id, descending",
            "item-asc": "ties by item id, ascending",
            "input": "ties as the run lists them",
            "input-reversed": "ties as the run lists them, backwards",
            "rank-column": "ties by the rank column",
            "average": "ties averaged",
            "best": "ties with the highest label first",
            "worst": "ties with the lowest label first",
            "middle": "ties share their middle rank",
        },
    ),
]
Order = Annotated[
    str,
    Setting(
        "what orders a run",
        choices={
            "score": "the score column, descending",
            "rank": "the rank column, ascending",
            "file": "the order in which the run lists the items",
        },
        phrases={
            "score": "ordered by score",
            "rank": "ordered by the rank column",
            "file": "ordered as the run lists items",
        },
    ),
]
Missing = Annotated[
    str,
    Setting(
        "what becomes of a judged query that the run does not have",
        choices={
            "zero": "it is scored as an empty ranking",
            "skip": "it is left out, and counted in a notice",
            "error": "it is an error",
        },
        phrases={
            "zero": "queries without results count",
            "skip": "queries without results left out",
            "error": "queries without results refused",
        },
    ),
]
Duplicates = Annotated[
    str,
    Setting(
        "what becomes of an item that is judged or retrieved twice for one query",
        choices={
            "error": "it is an error",
            "first": "the first mention counts",
            "last": "the last mention counts",
            "max": "the mention with the highest label, or the best score, counts",
            "once": "all that are retrieved keep their rank, and only the first of them gains; of "
            "labels the first counts",
            "count": "all that are retrieved keep their rank, and every one of them gains; of "
            "labels the first counts",
        },
        phrases={
            "error": "repeated items refused",
            "first": "of repeated items the first counts",
            "last": "of repeated items the last counts",
            "max": "of repeated items the best counts",
            "once": "repeated items keep their rank, and gain once",
            "count": "repeated items keep their rank, and all gain",
        },
    ),
]
Unjudged = Annotated[
    str,
    Setting(
        "what becomes of retrieved items without a judgment",
        choices={
            "nonrelevant": "they keep their rank and gain nothing",
            "condense": "they are taken out of the ranking before it is cut and scored",
            "undefined": "a query that has one above the cutoff has no value",
        },
        phrases={
            "nonrelevant": "unjudged items gain nothing",
            "condense": "unjudged items taken out",
            "undefined": "no value for a query with unjudged items",
        },
    ),
]
Empty = Annotated[
    str,
    Setting(
        "the value of a query with nothing relevant, where a measure divides by zero",
        choices={
            "zero": "0",
            "one": "1",
            "one-if-missing": "1 if the run returned nothing for it either, else 0",
            "nan": "NaN, which means leave out and count in a notice",
            "skip": "the query is left out, and counted in a notice",
            "error": "it is an error",
        },
        phrases={
            "zero": "a query with nothing relevant scores 0",
            "one": "a query with nothing relevant scores 1",
            "one-if-missing": "a query with nothing relevant and no results scores 1",
            "nan": "a query with nothing relevant has no value",
            "skip": "a query with nothing relevant left out",
            "error": "a query with nothing relevant refused",
        },
    ),
]
Depth = Annotated[
    int | None,
    Setting(
        "keep only the first N items of every ranking",
        at_least=1,
        phrases={"none": "rankings of any depth", "...": "only the first {} items of a ranking"},
    ),
]
Precision = Annotated[
    str,
    Setting(
        "how scores are compared",
        choices={
            "float64": "in double precision",
            "float32": "in single precision, as trec_eval 9 does: closer scores are tied",
        },
        phrases={"float64": "scores in double precision", "float32": "scores in single precision"},
    ),
]


Collapse = Annotated[
    str | None,
    Setting(
        "take items for parts of the item that the first group of PATTERN finds in their id; "
        "the best part counts, once",
        pattern=True,
        phrases={"none": "items not collapsed", "...": "items collapsed by {}"},
    ),
]
UnjudgedLabel = Annotated[
    float | None,
    Setting(
        "label that unjudged items have in the ranking, and not in the best possible one",
        phrases={"none": "unjudged items without a label", "...": "unjudged items have label {}"},
        rare=True,
    ),
]
Padding = Annotated[
    str | None,
    Setting(
        "which items are padding: they are taken out of ranking and judgments",
        choices={
            "negative": "those with a label below 0",
            "minus-one": "those with the label -1",
        },
        phrases={
            "none": "no label is padding",
            "negative": "items with negative labels taken out",
            "minus-one": "items with label -1 taken out",
        },
        rare=True,
    ),
]
OwnItems = Annotated[
    str | None,
    Setting(
        "what becomes of a retrieved item whose id is that of its query",
        choices={"drop": "it is taken out of the ranking"},
        phrases={
            "none": "items with the id of their query kept",
            "drop": "items with the id of their query taken out",
        },
        rare=True,
    ),
]
LabelType = Annotated[
    str | None,
    Setting(
        "what a label may be",
        choices={
            "whole": "a whole number; others are an error",
            "truncated": "a whole number; of others the fraction is cut off",
            "float32": "a number in single precision; others are rounded",
        },
        phrases={
            "none": "labels of any kind",
            "whole": "fractional labels refused",
            "truncated": "labels cut to whole numbers",
            "float32": "labels in single precision",
        },
        rare=True,
    ),
]
MinLabel = Annotated[
    float | None,
    Setting(
        "count labels below X as 0",
        phrases={"none": "low labels kept", "...": "labels below {} count as 0"},
        rare=True,
    ),
]
MaxLabel = Annotated[
    float | None,
    Setting(
        "refuse labels above X",
        phrases={"none": "labels of any height", "...": "labels above {} refused"},
        rare=True,
    ),
]
MinItems = Annotated[
    int | None,
    Setting(
        "refuse rankings of fewer than N items",
        at_least=1,
        phrases={
            "none": "rankings of any length",
            "...": "rankings of fewer than {} items refused",
        },
        rare=True,
    ),
]
EmptyTest = Annotated[
    str | None,
    Setting(
        "which queries have nothing relevant (if not set: whose best ranking gains 0)",
        choices={
            "no-gain": "those whose best ranking gains 0 or less",
            "no-label": "those without a label above 0",
            "zero-sum": "those whose labels add up to 0",
        },
        phrases={
            "none": "nothing relevant where the ideal gains 0",
            "no-gain": "nothing relevant where the ideal gains 0 or less",
            "no-label": "nothing relevant where no label is above 0",
            "zero-sum": "nothing relevant where labels add up to 0",
        },
        rare=True,
    ),
]
EmptyWeight = Annotated[
    str | None,
    Setting(
        "what a query with nothing relevant adds to a weighted mean (if not set: by its weight)",
        choices={"one": "its value once, while its weight counts in the divisor"},
        phrases={"none": "empty queries weighted as others", "one": "empty queries not weighted"},
        rare=True,
    ),
]
Averaging = Annotated[
    str | None,
    Setting(
        "how values are added up for their mean (if not set: exactly, and rounded once)",
        choices={
            "sequential": "one after another, every sum rounded",
            "bounded": "as sequential, but not above what a value can be at most",
            "running": "as a running mean, which every value moves",
            "pairwise": "in pairs, as NumPy does",
        },
        phrases={
            "none": "mean rounded once",
            "sequential": "mean added up one by one",
            "bounded": "mean added up one by one, at most 1",
            "running": "running mean",
            "pairwise": "mean added up in pairs",
        },
        rare=True,
    ),
]
Decimals = Annotated[
    int | None,
    Setting(
        "round values and means, each for itself, to N decimals",
        at_least=0,
        at_most=15,
        phrases={"none": "not rounded", "...": "rounded to {} decimals"},
        rare=True,
    ),
]
