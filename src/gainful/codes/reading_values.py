"""Errors of what stands in files and frames: columns, ids, labels, scores."""

from gainful.codes._declare import error

ERRORS = (
    error(
        "missing-column",
        "SourceError",
        "A column or key that is needed is not there, or is not known by its name.",
        cause="Columns are found by the names that `docs/formats.md` lists (`query`, `qid`, "
        "`query_id`, ...), and yours is called otherwise; a name that you gave is misspelt; or "
        "`Columns(...)` was made without labels or scores.",
        remedy="Say what it is called: `--columns query=SEARCH,item=SKU`, or `columns={'query': "
        "'SEARCH'}` in Python; `--columns run.score=SIM` for one of the two files. Numbers count "
        "columns from 1. For `--by`, `--weights` and their like take a name that the message "
        "lists. Distances are no scores: negate them.",
        example="run.csv: no column is known as the query; there are 'search', 'item', 'score'. "
        "Name it with --columns run.query=NAME, or columns={'query': NAME} in Python.",
    ),
    error(
        "repeated-column",
        "SourceError",
        "Two columns, or two keys of a JSON object, have the same name.",
        cause="A join or a concatenation left both; a JSON object was written by hand. Which of "
        "the two is meant cannot be told.",
        remedy="Rename or drop one. In a file of columns the number of the one that is meant "
        "does: `--columns score=4`, `columns={'score': '4'}`.",
        example="double.csv: 'score' is the name of 2 columns. Give the number of the score, from "
        "1: --columns score=3.",
    ),
    error(
        "bad-columns",
        "SourceError EngineError",
        "`--columns`, or `columns=`, says something that is not understood.",
        cause="What stands left of `=` is no role, the value is no dict, or columns are named for "
        "something that has none.",
        remedy="Roles are query, item, label, score and rank, with `qrels.` or `run.` before them "
        "for one of the two files: `--columns query=qid,run.score=sim`, `columns={'query': "
        "'qid'}`.",
        example="columns: must name one of query, item, label, score, rank, got 'doc'.",
    ),
    error(
        "column-type",
        "SourceError",
        "A column holds values of a type that cannot be ids, or cannot be numbers.",
        cause="Ids came as floating-point numbers (pandas makes them of integers where some are "
        "missing), dates or lists; or the label or score is text, dates or lists.",
        remedy="Cast it: `frame.astype({'item': str})` in pandas, `frame.cast({'item': "
        "polars.String})` in polars. Drop rows without an id first.",
        example="run 'run': column 'item' must hold text or integers to be ids, got "
        "floating-point numbers. Cast it to text.",
    ),
    error(
        "bad-id",
        "SourceError UnfitError",
        "An id of a query or an item is empty, null, or of a type that is no id.",
        cause="A join left rows without an id, or ids are floats, booleans or None. `1` and `'1'` "
        "are the same id; `1.0` is none, since nobody could tell whether `1` is meant.",
        remedy="Drop the rows without an id. Make ids strings or integers: `str(int(x))`. Bytes "
        "and UUIDs do as well.",
        example="qrels: query 'q1': an id must be a string, an integer, bytes or a UUID, got 1.5.",
    ),
    error(
        "bad-label",
        "SourceError",
        "A label is not a finite number.",
        cause="The column holds words (`good`), a decimal comma, nothing, NaN or infinity; or it "
        "is another column than the label.",
        remedy="Say what words mean: `--labels good=2,fair=1,bad=0`, `labels={'good': 2}`. Write "
        "decimals with a point. Leave out rows without a judgment: an item without one is "
        "unjudged.",
        example="words.txt, line 2: label must be a finite number, got 'good'. Say what words "
        "mean with --labels good=NUMBER, or labels= in Python.",
    ),
    error(
        "bad-score",
        "SourceError",
        "A score is not a number.",
        cause="The column holds text, a decimal comma or nothing; an item id with a space in it "
        "has moved the columns by one; or it is another column than the score.",
        remedy="Look at the line. Name the column: `--columns run.score=NAME`, `columns={'score': "
        "'NAME'}`. Where items stand in order and have no scores, pass `--order file`, "
        "`Rules(order='file')`.",
        example="b.run, line 2: score must be a number, got 'x8'.",
    ),
    error(
        "nan-score",
        "SourceError",
        "A score is NaN, which no order has a place for.",
        cause="The system divided by zero or took the logarithm of a negative number, most often "
        "the length of an empty vector.",
        remedy="Mend it where scores are made. Infinite scores are accepted, and equal ones are "
        "tied; who wants such items last writes `-inf`.",
        example="b.run, line 2: score must be a number that can be ordered, got NaN.",
    ),
    error(
        "bad-rank",
        "SourceError",
        "A rule orders by the rank column, and a rank is no whole number.",
        cause="`--order rank` and `--ties rank-column` read the rank column, and it holds text, a "
        "fraction or nothing there. Without them it is not needed.",
        remedy="Write ranks as whole numbers, or order by scores: leave out `--order rank`, "
        "`Rules(order='rank')`. `gainful convert --lossy` leaves such ranks out.",
        example="b.run, line 2: rank must be an integer to order by it, got 'x'.",
    ),
    error(
        "missing-ranks",
        "AlignError",
        "A rule orders by the rank column, and the run has none.",
        cause="`--order rank` or `--ties rank-column` was passed for a dict, lists or a table "
        "without ranks.",
        remedy="Name the column: `--columns run.rank=NAME`, `columns={'rank': 'NAME'}`; or order "
        "by scores, or as rows stand: `--order file`, `Rules(order='file')`.",
        example="run 'run' has no rank column, got order=rank. Pass a run file that has one.",
    ),
    error(
        "judged-twice",
        "SourceError PreferenceError",
        "An item is judged twice for the same query.",
        cause="Two assessors judged it, files were put together, or a join repeated rows. "
        "Silently taking one of the two labels would hide that.",
        remedy="Choose: `--duplicates max` keeps the highest label, `first` or `last` that "
        "mention; `Rules(duplicates='max')` in Python. `gainful check` counts them.",
        example="twice.txt, line 2: query 'q1' item 'd1' is judged twice (labels 1 and 0). Pass "
        "--duplicates max to keep the higher.",
    ),
    error(
        "retrieved-twice",
        "SourceError",
        "An item is retrieved twice for the same query.",
        cause="Results of several systems or shards were put together, or passages are listed "
        "under the id of their item. Counted twice, an item could lift nDCG above 1. In TREC files "
        "an id with a space in it is cut there, and two ids may begin alike.",
        remedy="If lines have more than six fields, write ids without spaces, or write the run as "
        "CSV. Otherwise choose: `--duplicates first`, `last` or `max` keeps one mention, "
        "`Rules(duplicates='max')` in Python. For passages with ids such as `d1#3` pass "
        "`--collapse '^(.*)#'`, which keeps the best.",
        example="b.run, line 2: query 'q1' item 'd1' is retrieved twice (first on line 1). Pass "
        "--duplicates first, last or max to keep one.",
    ),
    error(
        "listed-twice",
        "SourceError ComparisonError",
        "A list that must name everything once names something twice.",
        cause="Data about queries or items have two rows for one id, an id is there as text and "
        "as a number (`'1'` and `1` are the same), or a ranking that is compared has an item "
        "twice.",
        remedy="Keep one row of each: `frame.drop_duplicates('query')` in pandas, "
        "`frame.unique('query')` in polars.",
        example="queries.csv, line 3: query 'q1' is listed twice (first on line 2).",
    ),
    error(
        "bad-labels",
        "SourceError",
        "`--labels`, or `labels=`, does not say what every word means.",
        cause="It is no dict of words and numbers, a value in it is no number, a word of the data "
        "is not in it, or labels are given for items that have none.",
        remedy="Name every word that there is: `--labels good=2,fair=1,bad=0`, `labels={'good': "
        "2, 'fair': 1, 'bad': 0}`.",
        example="labels: must name every word, got 'fair'; there are 'good'.",
    ),
    error(
        "scores-alone",
        "SourceError",
        "A run of scores without ids has no rows to belong to.",
        cause="A file with one number a line, or an array of predictions, has a score for each "
        "row of the qrels, in their order; and the qrels are of a kind that has no such rows.",
        remedy="Pass qrels that list their rows: a LETOR file, `Grouped(...)` or `Columns(...)`. "
        "Or write a run with ids.",
        example="run 'run': is scores alone, which needs qrels with rows that they follow. Pass a "
        "LETOR file, Grouped(...) or Columns(...) as qrels.",
    ),
)
