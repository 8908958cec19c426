"""Errors of Python objects, and of data about queries and items."""

from gainful.codes._declare import error

ERRORS = (
    error(
        "wrong-type",
        "SourceError MeasureError ComparisonError OutputError EngineError UnfitError",
        "An object was given that is not of a kind that is taken there.",
        cause="A result was passed where data are wanted, or data where a result is; one run "
        "where a list of runs is wanted; a set where an order is needed; an array that lies on a "
        "graphics card, or of a type that NumPy lacks.",
        remedy="The message says what may be passed. Qrels and runs are paths, dicts, frames, "
        "rows or `Columns(...)`; several runs go in a list or as `{name: run}`; what compares "
        "results takes the `Scores` of `evaluate()`. Tensors: `.cpu().float()`.",
        example="runs: must be a list of runs, or {name: run}, got 3.",
    ),
    error(
        "wrong-structure",
        "SourceError UnfitError",
        "A dict, a list or a JSON document is nested otherwise than qrels or runs are.",
        cause="A query holds a number or text where its items should be, elements of one list are "
        "of different shapes, or levels are missing, such as the subtopics of `{query: {subtopic: "
        "{item: label}}}`.",
        remedy="Write `{query: {item: label}}` for qrels, `{query: {item: score}}` or `{query: "
        "[item, ...]}` for runs, or rows `(query, item, number)`. `docs/data.md` shows every "
        "shape that is read.",
        example="qrels: query 'q2' must hold a dict of items, got 3.",
    ),
    error(
        "wrong-shape",
        "SourceError",
        "An array has another number of dimensions than it may have, or rows of several lengths.",
        cause="One ranking is one list; many are a list of lists, or an array with a row for "
        "each. Lists and numbers in one list, three dimensions, or a classifier's probabilities "
        "of all classes are none of these.",
        remedy="Look at `.shape`. Ragged rankings go as lists of lists, or as one list with "
        "`group_sizes=`. Of a matrix of probabilities pass one column: `p[:, 1]`.",
        example="ranking: expected one or two dimensions, got 3.",
    ),
    error(
        "unequal-lengths",
        "SourceError ComparisonError",
        "Things that belong together are not equally many.",
        cause="Labels and scores, the columns of a table, or the rows of qrels and the scores "
        "predicted for them have different lengths: one of them was filtered, padded or cut.",
        remedy="Compare their lengths, and filter all of them alike. For padded batches pass what "
        "is padding as a label: `--padding minus-one`, `Rules(padding='minus-one')`.",
        example="scores: must have the shape of the ranking, one list of 3, got one list of 2.",
    ),
    error(
        "not-numbers",
        "SourceError ComparisonError",
        "Values that must be numbers are none, or are NaN, infinite or beyond all measure.",
        cause="Text, None or NaN stands among labels, scores or values. A NaN mostly comes from a "
        "division by zero where the scores are made.",
        remedy="The message has the value and mostly its position. Words for labels are numbers "
        "with `labels={'good': 2}`. Replace or drop NaN before: `numpy.nan_to_num`.",
        example="labels: must be finite numbers, got nan at position 1.",
    ),
    error(
        "bad-groups",
        "SourceError",
        "Which rows belong to which query is not said, or does not add up.",
        cause="Learning-to-rank data are one long list, cut into queries by sizes, offsets or an "
        "id for each row. They are missing, given twice, negative, not as many as there are rows, "
        "or the rows of a query stand apart.",
        remedy="Pass one of `group_sizes=[3, 2]`, `query_ids=['a', 'a', 'a', 'b', 'b']` or "
        "`group_offsets=[0, 3, 5]`; `group=` or `qid=` to LightGBM and XGBoost; `group_column=` "
        "or `groups=` to `ranking_scorer`. Sort rows by query where they must stand together.",
        example="group_sizes: must be integers >= 0, got [-1, 4].",
    ),
    error(
        "bad-weights",
        "SourceError MeasureError",
        "Weights of queries are missing, negative, not as many as they must be, or not taken.",
        cause="`--weights` and `weights=` weigh queries in the means. Every query that is "
        "evaluated needs a finite weight >= 0, and not all may be 0. Measures of risk take all "
        "queries alike.",
        remedy="Give each query one; 0 leaves it out of the means. Pass the name of a column of "
        "`--queries`, or `weights={'q1': 2, 'q2': 1}` in Python.",
        example="weights: 1 query has no weight ('q2'). Give each of them one; 0 leaves it out of "
        "the means.",
    ),
    error(
        "missing-query-data",
        "SourceError",
        "A column of the data about queries is asked for, and there are no such data.",
        cause="`--by` and `--weights`, `by=` and `weights=`, name columns of the table that "
        "`--queries` brings. It was not given.",
        remedy="Pass it: `--queries queries.csv --by category`, `queries='queries.csv'` in "
        "Python. It needs a query column; the others are yours.",
        example="by('category') needs to know of queries. Pass queries=... to it, or to "
        "evaluate().",
    ),
    error(
        "missing-item-data",
        "MeasureError",
        "A measure needs to know the items, and they were not given.",
        cause="Coverage, novelty, diversity and their kin look at the catalogue, at the "
        "popularity or at the features of items, and at the number of users.",
        remedy="Pass `--items FILE`, and `--users N` for Novelty; `items=ItemData(catalogue=..., "
        "popularity=..., features=..., n_users=...)` in Python. `gainful measures NAME` says what "
        "a measure reads.",
        example="Coverage needs the catalogue of items. Pass --items FILE, or "
        "items=ItemData(catalogue=...).",
    ),
    error(
        "bad-item-data",
        "SourceError",
        "What is known of items holds something that cannot be.",
        cause="A popularity is negative or above the number of users, feature vectors differ in "
        "length, a text is none, or the catalogue is no list of ids.",
        remedy="The message names the item. Popularity counts users, from 0 to `--users N` "
        "(`n_users=`); all items have as many features.",
        example="items: the popularity of 'i1' must be at most n_users=10, got 80.",
    ),
    error(
        "unknown-argument",
        "MeasureError",
        "A function was given an argument by a name that it does not know.",
        cause="The name is misspelt, or belongs to a function beside it: `weights` are taken by "
        "`mean_ndcg`, not by `ndcg`, which gives one value for each ranking.",
        remedy="The message lists those that there are; `help(gainful.ndcg)` explains them.",
        example="ndcg has no argument 'cutoff'; it takes scores, k, relevant, labels, "
        "group_sizes, query_ids, list_size, ties, empty, precision, duplicates, gain, discount, "
        "ideal, ideal_depth, ideal_order, negatives, rel, above_one, arithmetic, dialect.",
    ),
    error(
        "unknown-code",
        "GainfulError",
        "`gainful help` was asked for a code or a command that there is none of.",
        cause="The word is misspelt, or is a measure, a rule or a dialect.",
        remedy="`gainful help` lists all codes, `gainful -h` the commands. `gainful measures "
        "NAME` explains a measure, `gainful dialects NAME` a dialect, `docs/rules.md` the rules.",
        example="no code and no command is called 'missing-colum'. Did you mean missing-column?",
    ),
    error(
        "bad-argument",
        "SourceError MeasureError RuleError ComparisonError OutputError EngineError UnfitError",
        "An argument or option has a value that it does not take.",
        cause="A number is outside its limits, a word is none of the choices, two arguments "
        "exclude each other, or one needs another that is not there.",
        remedy="The message says what the argument takes and what it got. On the command line "
        "`gainful COMMAND -h` lists options and choices; in Python `help(gainful.compare)` does.",
        example="compare: alpha must be a number > 0 and < 1, got 2.",
    ),
)
