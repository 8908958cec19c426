"""Notices of judgments, and of queries with nothing relevant."""

from gainful.codes._declare import notice
from gainful.data_notices import (
    CarriageReturns,
    FractionalLabels,
    HighLabels,
    NothingRelevant,
    OneLabel,
    SkippedLabels,
)
from gainful.notices import (
    CommentLines,
    DuplicateJudgments,
    EmptyQueries,
    NegativeLabels,
    NoPreferences,
    OneSubtopic,
    UndefinedValues,
)
from gainful.ruled_notices import PaddingItems

NOTICES = (
    notice(
        EmptyQueries(("q4", "q5"), 250, "zero"),
        cause="All judged items of these queries have label 0 or less, so that a measure such as "
        "nDCG would divide by 0. `--empty` says what becomes of them.",
        remedy="`--empty zero`, the default, is what trec_eval does and keeps systems comparable; "
        "`--empty skip`, `Rules(empty='skip')`, leaves them out, for they tell nothing of any "
        "system. Tools differ: `gainful rosetta` shows by how much.",
    ),
    notice(
        NothingRelevant(0.0),
        cause="Every label is 0 or negative: the wrong column was read as the label, labels are "
        "meant the other way round, or the qrels hold only items that are not relevant.",
        remedy="Look at the labels. Name the right column: `--columns qrels.label=NAME`, "
        "`columns={'label': 'NAME'}`. Words are numbers with `--labels good=1,bad=0`.",
    ),
    notice(
        UndefinedValues("AUC", ("q4",), "zero"),
        cause="The measure divides by something that these queries lack though they have relevant "
        "items: AUC, for one, needs items that are not relevant too.",
        remedy="`--empty` decides for them as for queries with nothing relevant: `--empty skip`, "
        "`Rules(empty='skip')`, leaves them out of the mean.",
    ),
    notice(
        NoPreferences(("q4",), 60, "zero"),
        cause="Within every group of judgments all items of these queries are on one level, so "
        "that no pair tells a good ranking from a bad one.",
        remedy="Pass `--empty skip`, `Rules(empty='skip')`, to leave them out, or judge more "
        "items.",
    ),
    notice(
        NegativeLabels(17, -2.0),
        cause="Collections mark spam or harmful items with -1 or -2. Most measures count them as "
        "not relevant.",
        remedy="Nothing, as a rule. To punish them: `-m 'nDCG(gain=signed_exp2)@10'`. To count "
        "them as 0 for tools that refuse them: `--min-label 0`, `Rules(min_label=0)`.",
    ),
    notice(
        FractionalLabels(40, 900, 0.5),
        cause="Labels are averages of several judges, probabilities, or clicks per view.",
        remedy="Gains take them as they are. Where a measure counts what is relevant, say from "
        "which label on: `-m 'P(rel=0.5)@10'`.",
    ),
    notice(
        HighLabels(100.0, 64),
        cause="Labels are percentages, counts or scores of a model, and not grades from 0 to 3 or "
        "4. Exponential gain makes the highest outweigh all others together.",
        remedy="Keep `gain=linear`, the default, or say what each is worth: `-m 'nDCG(gain={50: "
        "1, 100: 2})@10'`.",
    ),
    notice(
        SkippedLabels(("0", "1", "3"), ("2",)),
        cause="A grade was never given, or labels were mapped with a gap.",
        remedy="Nothing, if the scale has that grade. If 3 is meant to be the next after 1, map "
        "the labels: a gain table `nDCG(gain={1: 1, 3: 2})@10` does it without a new file.",
    ),
    notice(
        OneLabel(1.0, 500),
        cause="Qrels of clicks, purchases or answers list only what is relevant.",
        remedy="Nothing. Know that items nobody clicked count as not relevant, and that graded "
        "measures such as nDCG become binary.",
    ),
    notice(
        DuplicateJudgments(12, "max"),
        cause="Items are judged several times for one query, and `--duplicates` says which label "
        "counts.",
        remedy="Nothing, if the rule is the one you want: `max`, `first` or `last`, "
        "`Rules(duplicates='max')`. Else mend the qrels.",
    ),
    notice(
        OneSubtopic("0"),
        cause="Measures of subtopics read the second column of the qrels, and there all lines "
        "have the same: these are ordinary qrels, whose second column means nothing.",
        remedy="Pass qrels with subtopics, a line for each that an item is about: `q1 price d7 "
        "1`. For ordinary qrels take nDCG, ERR and their kin.",
    ),
    notice(
        PaddingItems(30, "minus-one"),
        cause="`--padding` tells by the label which items only fill up a batch.",
        remedy="Nothing, if the count is that of your padding. Leave out the rule, "
        "`Rules(padding=None)`, where -1 is a judgment.",
    ),
    notice(
        CommentLines("bm25.run", 2),
        cause="In TREC files a line that begins with `#` is a comment.",
        remedy="Nothing, if they are comments. If ids of queries begin with `#`, write the file "
        "as CSV with a header, where it means nothing.",
    ),
    notice(
        CarriageReturns("qrels.txt", 1),
        cause="The file has the line ends of old Macs, or was damaged on its way between systems.",
        remedy="Convert it: `tr '\\r' '\\n' < FILE > NEW`.",
    ),
)
