"""Notices of runs: their queries, items, scores and depths."""

from gainful.codes._declare import notice
from gainful.data_notices import NearIds
from gainful.notices import (
    DuplicateItems,
    LongLines,
    MissingQueries,
    NoJudgedItems,
    TiedItems,
    UnjudgedItems,
    UnjudgedQueries,
)
from gainful.ruled_notices import (
    CollapsedItems,
    CondensedLists,
    OwnItems,
    RowOrder,
    UnjudgedAbove,
    UnjudgedLabelled,
)
from gainful.score_notices import (
    AscendingScores,
    CloseScores,
    ContradictedRanks,
    EqualScores,
    InfiniteScores,
    ReversedScores,
    ShortRankings,
    UnequalDepths,
)

NOTICES = (
    notice(
        MissingQueries("bm25", ("q7", "q9"), 250, False),
        cause="The system found nothing for them, failed on them, or was run on fewer queries. "
        "Under `missing=zero` they score 0 and pull the mean down.",
        remedy="If the system was meant to answer them, nothing is to be done: 0 is right. If it "
        "was never asked, evaluate the queries it has with `--missing skip`, "
        "`Rules(missing='skip')`, and never compare such means with those of other runs.",
    ),
    notice(
        UnjudgedQueries("bm25", ("q801", "q802")),
        cause="The run was made for more queries than were judged, as for a whole log of searches.",
        remedy="Nothing, as a rule: nobody can score them. If they were judged, their ids are "
        "written otherwise in the qrels; `gainful check` says so where it can tell.",
    ),
    notice(
        UnjudgedItems("bm25", 0.137, 10),
        cause="The run returns items that nobody has judged, more so the more it differs from the "
        "systems that the judgments were made for. They count as not relevant.",
        remedy="Have them judged: `gainful holes` lists which to judge first. `gainful bounds` "
        "says how much they could change. `Judged@10` puts the share beside the values.",
    ),
    notice(
        NoJudgedItems("bm25", "doc_17", "17"),
        cause="Ids of items are written differently in run and qrels, or the files are of "
        "different collections. All values are 0, and mean nothing.",
        remedy="Compare the two ids that the message shows. A prefix or a suffix goes away with "
        "`--collapse '^doc_(.*)$'`, `Rules(collapse='^doc_(.*)$')`; else rewrite one side, or "
        "name the right column: `--columns run.item=NAME`.",
    ),
    notice(
        NearIds("bm25", "items", "strip 'doc_' from", "run", 0.0, 0.871, "", "^doc_(.*)$"),
        cause="A prefix, a suffix, leading zeros or upper and lower case differ between the two "
        "sides: changed as the message says, the share that it names would match.",
        remedy="Pass the `--collapse` that the message has, `Rules(collapse=...)` in Python, "
        "which is for items; for ids of queries rewrite one of the files.",
    ),
    notice(
        DuplicateItems("bm25", 12, "max"),
        cause="The run lists an item several times for one query, and `--duplicates` says which "
        "mention counts.",
        remedy="Nothing, if the rule is the one you want. Else remove repeats where results are "
        "put together; `--duplicates error`, the default, names the first.",
    ),
    notice(
        TiedItems("bm25", 38, 1200, "item-desc"),
        cause="The system gives equal scores, or they were rounded when they were written. A rule "
        "puts tied items in order, and with it decides part of the value.",
        remedy="Write scores with all digits. To see how much of the value is luck, compare "
        "`--ties best` with `--ties worst`; `--ties average` is exact and owes nothing to ids. "
        "`Rules(ties='average')` in Python.",
    ),
    notice(
        EqualScores("bm25", 30, 250, "q1", "item-desc"),
        cause="The score column holds the same number throughout, often 0 or 1, because the "
        "system gave none; so the order of ids, and not the system, makes the ranking.",
        remedy="If lines stand in order pass `--order file`, if ranks are right `--order rank`; "
        "`Rules(order='rank')` in Python. Or name the true column: `--columns run.score=NAME`.",
    ),
    notice(
        CloseScores("bm25", 5, 1200, "q3"),
        cause="Scores have more digits than single precision keeps. Gainful tells them apart; "
        "trec_eval 9 and tools like it do not, and order them by id.",
        remedy="Nothing, unless values must equal such a tool's: then pass `--precision float32`, "
        "`Rules(precision='float32')`.",
    ),
    notice(
        InfiniteScores("bm25", 3, "line 17"),
        cause="The system divided by zero or took the logarithm of 0. `inf` stands above all "
        "numbers and `-inf` below; several of the same are tied.",
        remedy="Mend it where scores are made. If items were meant to come last, all is well.",
    ),
    notice(
        ContradictedRanks("bm25", 4, 900, "line 17"),
        cause="The file was sorted or rescored without new ranks, or ranks were written before a "
        "last step of the system.",
        remedy="Scores order the run, as in trec_eval. If the ranks are what was shown to users, "
        "pass `--order rank`, `Rules(order='rank')`.",
    ),
    notice(
        ReversedScores("dense", 250, 250, "q1"),
        cause="Scores are distances, of which the lowest is best, and ranks say so: what the "
        "system ranked first is ranked last.",
        remedy="Pass `--order rank`, `Rules(order='rank')`, or negate them when you write the run.",
    ),
    notice(
        AscendingScores("dense", 250, 250, "q1", False),
        cause="Each query's scores only rise: they are distances, or the file was sorted the "
        "wrong way round, or rank and score have changed places.",
        remedy="If lines stand in order pass `--order file`, `Rules(order='file')`; if they are "
        "distances negate them. If the highest is best all is well.",
    ),
    notice(
        ShortRankings("bm25", 1000, ("q7",)),
        cause="The system found little for them, broke off, or the file was cut short.",
        remedy="Look at one: `grep '^q7 ' RUN | wc -l`. If little was found, all is well.",
    ),
    notice(
        UnequalDepths(("bm25", "dense"), (1000, 100)),
        cause="The systems were asked for different numbers of results. Measures that look at the "
        "whole ranking, such as AP or recall without a cutoff, find more in the longer.",
        remedy="Cut them alike: `--depth 100`, `Rules(depth=100)`, or take measures with a cutoff.",
    ),
    notice(
        LongLines("bm25", 3, 17),
        cause="TREC runs have six fields. A tag of several words is harmless; an id with a space "
        "in it moves item and score by one.",
        remedy="Look at the line that is named. If ids have spaces, write the run as CSV or "
        "Parquet: `gainful convert` does so from a table.",
    ),
    notice(
        CollapsedItems("passages", 5000, 1200, 3100),
        cause="`--collapse` takes items for parts of others, such as passages of a document, and "
        "ranks each by its best part.",
        remedy="Nothing, if the pattern finds what it should: compare the counts with what you "
        "expect. `Rules(collapse=None)`, the default, takes items as they are.",
    ),
    notice(
        OwnItems("similar", 40),
        cause="`--own-items drop` takes out a retrieved item whose id is that of its query: a "
        "document that is found with itself.",
        remedy="Nothing; leave out the rule, `Rules(own_items=None)`, to keep them.",
    ),
    notice(
        CondensedLists("bm25", 430),
        cause="`--unjudged condense` takes out unjudged items and moves up what stands below.",
        remedy="Read such values beside those under `--unjudged nonrelevant`, the default: a run "
        "of which little is judged gains most by it. `gainful bounds` says what is certain.",
    ),
    notice(
        UnjudgedLabelled("bm25", 0.2, 10, 0.5),
        cause="`--unjudged-label X` gives unjudged items a label in the ranking, and not in the "
        "best possible one, as some tools do.",
        remedy="Nothing, if you follow such a tool. Leave out the rule, "
        "`Rules(unjudged_label=None)`, to count them as not relevant.",
    ),
    notice(
        UnjudgedAbove("nDCG@10", ("q3", "q8")),
        cause="`--unjudged undefined` leaves a query without a value where an unjudged item "
        "stands above the cutoff.",
        remedy="Have those items judged, which `gainful holes` lists, or pass `--unjudged "
        "nonrelevant`, `Rules(unjudged='nonrelevant')`. The mean is of the others alone.",
    ),
    notice(
        RowOrder("run", "order=file"),
        cause="`--order file`, `--ties input` and `--duplicates first` go by the order of rows, "
        "which Spark does not promise to keep.",
        remedy="Order by a column: `order='score'` or `order='rank'`, or sort the DataFrame by "
        "one before you pass it.",
    ),
)
