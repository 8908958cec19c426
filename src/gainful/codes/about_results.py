"""Notices of data about queries and items, of dialects, comparisons and reports."""

from gainful.codes._declare import notice
from gainful.comparison_notices import (
    DoubtfulTest,
    Exploratory,
    FewQueries,
    FewSystems,
    InDialect,
    ManyQueries,
    ManyTies,
    ObservedDifference,
    UncertainDeviation,
    UncommonQueries,
    UndefinedQueries,
    UnevenJudging,
)
from gainful.metadata_notices import (
    ManySlices,
    NoKnownQuery,
    OneSlice,
    QueriesWithoutValue,
    UnknownQueries,
    UntitledItems,
    WeightedMeans,
    WholeRunOnly,
)
from gainful.notices import UnknownItems
from gainful.report_notices import ExplainedInstead, RareValues, UnslicedColumns, UnweightedReport
from gainful.ruled_notices import OutsideDialect, RoundedOtherwise

ABOUT_DATA = (
    notice(
        WeightedMeans("'traffic'", 1, 900),
        cause="`--weights`, `weights=`, was given: a query counts as often as its weight says.",
        remedy="Nothing. Say so wherever you quote the number; without weights it is another.",
    ),
    notice(
        UnknownQueries("queries.csv", ("q900",)),
        cause="The table of queries has rows for more queries than the qrels do.",
        remedy="Nothing, as a rule. If they should have been evaluated, compare their ids with "
        "those of the qrels.",
    ),
    notice(
        NoKnownQuery("queries.csv", 50, "401", "q401", "add 'q' to its queries"),
        cause="Ids in the table of queries are written otherwise than in the qrels.",
        remedy="Compare the two that the message shows, and change one side, or name the right "
        "column: `read_queries(path, columns={'query': 'NAME'})`.",
    ),
    notice(
        QueriesWithoutValue("queries.csv", "category", ("q7",), 250),
        cause="The column of `--by` is empty for them, or they have no row in the table.",
        remedy="Fill them in, or read the slice without a value as what it is.",
    ),
    notice(
        ManySlices("length", 180, 250),
        cause="The column of `--by` has nearly as many values as there are queries: an id, a text "
        "or a number, not a category.",
        remedy="Make a column of few values, such as `short` and `long`, and pass that: `--by "
        "length_class`, `by='length_class'`.",
    ),
    notice(
        OneSlice("category", "shoes", 40, 250),
        cause="These scores are one slice, as `scores.by('category')['shoes']` gives it.",
        remedy="Nothing. Notices that came with the whole are about all its queries.",
    ),
    notice(
        WholeRunOnly(("Coverage@10",)),
        cause="Coverage and its kin are one number for a whole run: a slice has no share in it.",
        remedy="Evaluate the queries of the slice alone: pass qrels and a run of those queries.",
    ),
    notice(
        UnknownItems("mine", "catalogue", 3, 200, ("i9",)),
        cause="The run recommends items that `--items` does not have: the catalogue is older than "
        "the run, or ids are written otherwise.",
        remedy="Pass the catalogue of the day, `--items FILE`, `items=ItemData(...)`, and compare "
        "an id of each.",
    ),
    notice(
        UntitledItems("items.tsv", ("i9",), 120),
        cause="The table of `--items` has no title and no url for some items that are shown.",
        remedy="Add a `title` column, or rows for them; else their ids are shown.",
    ),
    notice(
        OutsideDialect("lightgbm", "LightGBM", ("nDCG",), ("AP",)),
        cause="A dialect is how one tool defines some measures, and others were asked for in it.",
        remedy="Ask for those that the message names, or leave out `--dialect`, `dialect=`, for "
        "the rest. `gainful dialects NAME` says what a dialect defines.",
    ),
    notice(
        RoundedOtherwise("nDCG@10", "float32"),
        cause="A dialect, or the setting `arithmetic`, rounds as its tool does, and an "
        "explanation shows terms in double precision.",
        remedy="Nothing: the value is right, and the sum of the terms as shown may differ in the "
        "last digits. Without `arithmetic=...` both agree.",
    ),
)

ABOUT_COMPARISONS = (
    notice(
        FewQueries(12, 25),
        cause="With few queries the mean depends on which they happen to be.",
        remedy="Judge more: `gainful power QRELS RUN RUN --difference 0.02` says how many it "
        "takes. Until then call nothing equal that is merely not significant.",
    ),
    notice(
        ManyQueries(6980),
        cause="With thousands of queries differences that nobody would notice are significant.",
        remedy="Decide by size: look at the interval, and say from where on it matters: `--margin "
        "0.01`, `margin=0.01`.",
    ),
    notice(
        ManyTies("nDCG@10", ("dense against bm25",), 0.62),
        cause="The measure looks at few ranks, or few items are judged, so that both runs score "
        "the same on many queries.",
        remedy="Add a deeper or finer one: `-m nDCG@10 -m nDCG@100`.",
    ),
    notice(
        UnevenJudging("nDCG@10", "dense", 0.61, "bm25", 0.97),
        cause="The judgments were made from what one of the systems returned, so that the other "
        "is punished for finding what nobody looked at.",
        remedy="`gainful holes QRELS RUN RUN` lists what to judge; `gainful bounds` and `gainful "
        "compare --bounds` say whether the verdict could turn.",
    ),
    notice(
        UndefinedQueries("nDCG@10", 40, 250),
        cause="Nothing is relevant for them, so that all runs score the same there, by rule.",
        remedy="Leave them out: `--empty skip`, `Rules(empty='skip')`.",
    ),
    notice(
        UncommonQueries(("q7",)),
        cause="Runs are compared query by query, and `--missing skip` or `--empty nan` left some "
        "without a value in one run.",
        remedy="Pass `--missing zero`, `Rules(missing='zero')`, so that no run gains by not "
        "answering.",
    ),
    notice(
        DoubtfulTest("sign", "the sign test rejects too often as the number of queries grows."),
        cause="`--test`, `tests=`, asked for a test that is in use but known to mislead; the "
        "message says in which way.",
        remedy="Go by the test that is always shown, by randomisation; leave out `--test`.",
    ),
    notice(
        Exploratory("nDCG@10", ("AP", "P@5")),
        cause="Whoever looks at many measures finds one that shows what they hope for. The first "
        "decides.",
        remedy="Name the measure that counts first: `-m nDCG@10 -m AP`, before you look.",
    ),
    notice(
        InDialect("lightgbm"),
        cause="The scores that are compared were evaluated with `dialect=`.",
        remedy="Nothing. Say so where you quote them; `gainful dialects NAME` has the definition.",
    ),
    notice(
        FewSystems(3),
        cause="Agreement of two orders is counted by pairs of systems, and few systems have few.",
        remedy="Add runs, or do not read much into tau.",
    ),
    notice(
        ObservedDifference(0.031),
        cause="No difference was named, so the plan takes that of the pilot, which is as likely "
        "luck as not.",
        remedy="Name the smallest difference that would matter to you: `--difference 0.02`, "
        "`difference=0.02`.",
    ),
    notice(
        UncertainDeviation(12, 0.21, 0.15, 0.36),
        cause="How much queries differ is itself known from few.",
        remedy="Plan for the upper end, `--deviation 0.36`, `deviation=0.36`, or pilot with more.",
    ),
    notice(
        ExplainedInstead("AP", "nDCG@10"),
        cause="The report is about a measure that is no sum over ranks.",
        remedy="Nothing; with `-m nDCG@10` first, rankings are explained by what is reported.",
    ),
    notice(
        UnweightedReport("nDCG@10", ("bm25 0.4312", "dense 0.4519")),
        cause="`--weights` was given for a report, whose tests and intervals count queries alike.",
        remedy="Decide by the unweighted numbers, or quote the weighted means without a test.",
    ),
    notice(
        UnslicedColumns("queries.csv", ("text",), 20),
        cause="A report slices by columns with a few values; others, such as texts, make none.",
        remedy="Nothing. To slice by one name it: `--by COLUMN`, `by='COLUMN'`.",
    ),
    notice(
        RareValues("category", 60, 11),
        cause="A column has more values than a chart has room for.",
        remedy="Put values together in a column of your own, and pass `--by` that, `by=`.",
    ),
)
