"""Errors of measures and rules."""

from gainful.codes._declare import error

ERRORS = (
    error(
        "unknown-measure",
        "MeasureError",
        "There is no measure of that name.",
        cause="The name is misspelt, the measure is called otherwise here, or the cutoff has no "
        "`@` before it: `nDCG@10`, not `ndcg10`. Names are read in any case, and trec_eval's "
        "names too. Measures of your own are known once they are imported.",
        remedy="`gainful measures` lists all. For those of your own pass `--load my_measures.py`, "
        "or import the module in Python.",
        example="unknown measure 'ndgc'. Did you mean nDCG?",
    ),
    error(
        "unreadable-measure",
        "MeasureError",
        "A measure is not written as measures are.",
        cause="Brackets are not closed, a setting has no value, the cutoff is no number, or a "
        "trec_eval name has a parameter that it does not take. A shell takes brackets and spaces "
        "for its own, unless they are quoted.",
        remedy="Write `NAME(setting=value, ...)@cutoff`, in quotes: `-m 'nDCG(gain=exp2)@5,10'`.",
        example="cannot read 'nDCG(@10' as a measure; write it like nDCG@10 or "
        "nDCG(gain=exp2)@5,10.",
    ),
    error(
        "not-a-measure",
        "MeasureError UnfitError",
        "What was given as a measure is none, or none was given.",
        cause="A number, None or an empty list was passed in place of the name of a measure.",
        remedy="Pass text or measures: `gainful.evaluate(qrels, run, 'nDCG@10')`, `['nDCG@10', "
        "'AP']`, or `nDCG @ 10` with `from gainful import nDCG`.",
        example="measures: must be text such as 'nDCG@10', or measures, got 3.",
    ),
    error(
        "one-measure",
        "MeasureError",
        "Several measures were given where one is taken.",
        cause="`nDCG@5,10` is two measures. `explain`, `bounds`, `holes`, `rosetta`, and what "
        "training libraries call, take one.",
        remedy="Name one: `-m nDCG@10`, `measure='nDCG@10'`. Call it once for each of several.",
        example="'nDCG@5,10' names 2 measures; name one.",
    ),
    error(
        "unknown-setting",
        "MeasureError",
        "A measure has no setting of that name.",
        cause="It is misspelt, is a setting of another measure, or is a rule. Rules, such as ties "
        "and depth, hold for a whole evaluation and are set beside the measures.",
        remedy="`gainful measures NAME` lists the settings. Rules go to `--ties average`, "
        "`rules=Rules(ties='average')`; `docs/rules.md` has all.",
        example="P has no setting 'gian'; it takes cutoff, rel.",
    ),
    error(
        "bad-setting",
        "MeasureError",
        "A setting of a measure has a value that it does not take.",
        cause="The value is of another type, outside the limits, none of the choices, or it does "
        "not go with another setting.",
        remedy="`gainful measures NAME` says what each setting takes: `P(rel=2)@5`, "
        "`nDCG(gain={1: 1, 2: 3})@10`.",
        example="P: rel must be a number > 0, got 0.",
    ),
    error(
        "missing-setting",
        "MeasureError",
        "A measure needs a setting that has no default.",
        cause="Precision without a cutoff is no number that anybody means; nor is graded "
        "precision without a scale.",
        remedy="Set it, as the message shows: `-m P@10`, `'P@10'`, `P @ 10`.",
        example="P needs a cutoff, for example P@10.",
    ),
    error(
        "unfit-measure",
        "MeasureError ComparisonError",
        "A measure cannot be used for what is asked.",
        cause="Explaining needs a sum of terms, comparing and gating a mean over queries that is "
        "better when it is higher, bounds the nDCG family, rosetta a measure that dialects "
        "define. Some measures are one number for a whole run.",
        remedy="Choose another, for example `-m nDCG@10`, `measure='nDCG@10'`. `gainful measures "
        "NAME` says what a measure is; `gainful eval` takes all of them.",
        example="AP: has no terms to show, got AP. Explain nDCG or DCG instead.",
    ),
    error(
        "wrong-judgments",
        "AlignError MeasureError",
        "A measure reads another kind of judgments than were given.",
        cause="Measures of subtopics, of preferences and of understandability read judgments in "
        "groups; those of read_qrels() have one label for each item.",
        remedy="Pass the path, so that the right reader is chosen, or read them with the one that "
        "the message names: `read_subtopics`, `read_preferences`. Groups stand in the second "
        "column of the qrels, as in `q1 price d7 1`.",
        example="alpha_nDCG@10 needs judgments from read_subtopics(), got <Judgments 'qrels': 2 "
        "queries, 4 judgments>.",
    ),
    error(
        "label-above-max",
        "MeasureError",
        "Labels are above the highest that a measure was told of.",
        cause="Measures that turn labels into chances divide by the highest label there may be "
        "(`max_label`, `max_rel`), and a label lies above it; or gains leave the range that such "
        "a chance has.",
        remedy="Set it to the highest grade of your scale, not of your data: `-m "
        "'ERR(max_label=4)@20'`, `ERR(max_label=4) @ 20`.",
        example="ERR: labels must be at most max_label, 1, got 2. Set max_label to the highest "
        "label there may be.",
    ),
    error(
        "refused-label",
        "MeasureError AlignError SourceError",
        "A label is of a kind that a measure, a rule or a dialect refuses.",
        cause="Labels below 0 under `negatives=error` (LightGBM, XGBoost and scikit-learn refuse "
        "them), labels that a gain table lacks, labels above `--max-label`, or fractions under "
        "`--label-type whole`.",
        remedy="Count negative labels as 0 with `--min-label 0`, `Rules(min_label=0)`; complete "
        "the gain table: `nDCG(gain={1: 1, 2: 3, 3: 7})@10`; or leave out the rule.",
        example="query 'q2' has the label 2, which max_label=1 refuses.",
    ),
    error(
        "infinite-gain",
        "MeasureError",
        "Gains add up to more than a floating-point number holds.",
        cause="Exponential gain, 2^label - 1, is infinite from label 1024 on: such labels are no "
        "grades, but percentages, counts or scores.",
        remedy="Give grades a table, `nDCG(gain={1: 1, 2: 3})@10`, take `gain=linear`, or put "
        "labels into few grades first.",
        example="gain exp2: must be finite for every label, got 2000.",
    ),
    error(
        "too-large",
        "MeasureError SourceError",
        "More is asked for than is read, or can be worked out.",
        cause="`arithmetic` other than the default adds rank by rank, and a ranking is too deep "
        "for that; bounds are to try more different labels than make sense; a file of a format "
        "that is read as a whole, such as one JSON document, unpacks to more than 1 GB; or there "
        "are more rows of one query, or more ids, than 32 bits can number.",
        remedy="Cut rankings with `--depth N`, `Rules(depth=N)`, or leave out `arithmetic`. For "
        "bounds and holes name the grades: `--grades 0,1,2,3`, `grades=(0, 1, 2, 3)`. Write large "
        "files as JSON lines, CSV or Parquet, which are read in pieces.",
        example="the qrels have 300 different labels, more than 256 to try. Pass --grades, for "
        "example 0,1,2,3; grades=(0, 1, 2, 3) in Python.",
    ),
    error(
        "no-exact-average",
        "MeasureError",
        "`ties=average` was asked for, and no exact average is known for the measure.",
        cause="Averaging over all orders of tied items has a closed form for sums over ranks, "
        "such as DCG, and not for every measure; nor where `--depth` cuts through a tie.",
        remedy="Choose an order: `--ties item-desc`, `Rules(ties='item-desc')`. `--ties best` and "
        "`--ties worst` say between which values it lies. Leave out `--depth`.",
        example="IPrecAvg: no exact average over ties is known for it, got ties=average. Pass "
        "another --ties, for example item-desc.",
    ),
    error(
        "bad-declaration",
        "MeasureError OutputError",
        "A measure of your own is declared, or computes, in a way that does not work.",
        cause="The name is taken, a setting is not keyword-only or not annotated, the function "
        "does not return one number for each query, or its formula is no TeX that is known here.",
        remedy="Write `def Name(ranked, *, cutoff: Annotated[int, Setting('what it is')])`, and "
        "return an array as long as `ranked.n_queries`, for example of `ranked.total(...)`. "
        "CONTRIBUTING.md and the README have examples.",
        example="Top: must return 2 values, one per query, got 3.",
    ),
    error(
        "cannot-load",
        "SourceError",
        "A file or module of `--load` cannot be imported.",
        cause="It is not there, has an error in it, or needs a package that is not installed. The "
        "name of the exception is in brackets.",
        remedy="Try it alone: `python my_measures.py`. Files end in `.py`; anything else is the "
        "name of a module, looked for in the working folder too.",
        example="--load my_measures.py: cannot be imported (ModuleNotFoundError: No module named "
        "'no_such').",
    ),
    error(
        "bad-rule",
        "RuleError SourceError",
        "A rule has a value that it does not take.",
        cause="The word is none of its choices, a number is outside its limits, a pattern has no "
        "group, or something other than `Rules(...)` was passed as rules.",
        remedy="`docs/rules.md` and `gainful eval -h` list what each takes. In Python rules go "
        "together: `rules=Rules(ties='average', depth=100)`.",
        example="rules: ties must be one of item-desc, item-asc, input, input-reversed, "
        "rank-column, average, best, worst, middle, got 'random'.",
    ),
    error(
        "unknown-rule",
        "RuleError",
        "There is no rule of that name.",
        cause="It is misspelt, or is a setting of a measure, such as gain.",
        remedy="`docs/rules.md` lists the rules. Settings are written with the measure: "
        "`nDCG(gain=exp2)@10`.",
        example="rules: there is no rule 'tie'. Did you mean ties?",
    ),
    error(
        "conflicting-rules",
        "RuleError",
        "Two rules cannot hold together.",
        cause="One needs what the other takes away, as `ties=rank-column` needs scores that "
        "`order=file` does not look at; or rules are passed beside a dialect, which brings its "
        "own.",
        remedy="Leave out one of the two. To change a rule of a dialect pass "
        "`dialect=find_dialect('lightgbm').with_rules(min_label=0)`; on the command line options "
        "beside `--dialect` do that.",
        example="rules: ties=rank-column orders equal scores, but order=file has none.",
    ),
    error(
        "refused-rule",
        "AlignError RuleError",
        "A rule is set that this part cannot follow, and would have to ignore.",
        cause="Some rules go by the one label of an item, or by the order of items, and the "
        "measure, the command or the library at hand has no such thing.",
        remedy="Leave the rule out, or pass another value, as the message says: `--ties "
        "item-desc`, `Rules(ties='item-desc')`.",
        example="ties=best orders by label, but an item has one for every subtopic. Pass another "
        "--ties, for example item-desc.",
    ),
    error(
        "ties-need-ids",
        "RuleError",
        "Equal scores are to be ordered by item ids, and there are none.",
        cause="Arrays of labels and scores have no ids; `ties=item-desc` and its kin, or a "
        "dialect that has them, need some.",
        remedy="Pass `ties='average'`, `'input'`, `'best'` or `'worst'`, or rank ids: "
        "`gainful.ndcg(['d1', 'd2'], relevant={'d1': 2})`.",
        example="ties: must be one of input, input-reversed, average, best, worst, middle where "
        "there are no item ids, got 'item-desc'.",
    ),
    error(
        "unknown-dialect",
        "RuleError",
        "There is no dialect of that name, or none of that version.",
        cause="The name is misspelt, the tool is not among those that are known, or the version "
        "is older than any that was looked at.",
        remedy="`gainful dialects` lists them. A version follows the name: `--dialect "
        "xgboost@1.7`, `dialect='xgboost@1.7'`; without one the newest holds.",
        example="unknown dialect 'lightgmb'. Did you mean lightgbm?",
    ),
)
