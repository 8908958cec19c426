"""Errors of qrels and runs that do not fit together, and of runs that are compared."""

from gainful.codes._declare import error

ERRORS = (
    error(
        "no-common-query",
        "AlignError ComparisonError",
        "Qrels and run, or two runs, have no query in common.",
        cause="Ids are written differently on the two sides (`401` and `q401`, `1` and `01`), or "
        "the files are of different collections.",
        remedy="The message shows the first id of each side, and what would make them match if "
        "that can be told. Change the ids of one side, or name the right column: `--columns "
        "run.query=NAME`, `columns={'query': 'NAME'}`.",
        example="run 'run' and the qrels share no query; the first ids are 'q401' (run) and '401' "
        "(qrels). Did you mean to strip 'q' from the queries of the run? 100.0% of the judged "
        "queries would match.",
    ),
    error(
        "unknown-query",
        "AlignError ComparisonError",
        "A query was named that has no judgments.",
        cause="The id is misspelt, or the qrels are of other queries. For a gate, a pinned query "
        "was renamed or lost its judgments.",
        remedy="The message shows ids of the qrels. `gainful eval QRELS RUN -q` lists all "
        "queries. Take lost queries out of the file of `--pinned`.",
        example="query 'q9' has no judgments; the first ids of the qrels are 'q1', 'q2'.",
    ),
    error(
        "no-query-left",
        "AlignError",
        "After all rules no query is left to evaluate.",
        cause="`--missing skip` leaves out queries without results and `--empty skip` those with "
        "nothing relevant; together they left out all.",
        remedy="Pass `--missing zero` or `--empty zero`, `Rules(missing='zero', empty='zero')`. "
        "`gainful check QRELS RUN` says why so many are empty or missing.",
        example="no query is left to evaluate, got missing=zero empty=skip.",
    ),
    error(
        "refused-missing",
        "AlignError",
        "A judged query has no results, and the rules refuse that.",
        cause="`--missing error`, `Rules(missing='error')`, or a dialect that has it, was set, "
        "and the run returned nothing for a query.",
        remedy="Mend the run, or pass `--missing zero` to score such queries 0, as trec_eval -c "
        "does, or `--missing skip` to leave them out.",
        example="run 'run' has no items for query 'q2', got missing=error.",
    ),
    error(
        "refused-empty",
        "AlignError",
        "A query has nothing relevant, and the rules refuse that.",
        cause="`--empty error`, `Rules(empty='error')`, or a dialect that has it, was set, and a "
        "measure would divide by zero.",
        remedy="Judge more for it, or pass `--empty zero`, `one`, `nan` or `skip`, which say what "
        "such a query scores; `docs/rules.md` has what each means.",
        example="nothing is relevant for query 'q1', got empty=error.",
    ),
    error(
        "refused-size",
        "AlignError",
        "A ranking has fewer items than the rules ask for.",
        cause="`--min-items N`, `Rules(min_items=N)`, or a dialect that has it, was set: "
        "scikit-learn, for one, refuses rankings of one item.",
        remedy="Leave out the rule, or such queries.",
        example="query 'q1' has a ranking of 1 item, which min_items=2 refuses.",
    ),
    error(
        "contradicting-preferences",
        "PreferenceError",
        "Preferences of one group say that A is better than B and B better than A.",
        cause="Judgments of several people were put into one group, or an item has level 0, which "
        "is not relevant, and another level as well.",
        remedy="Give each judge a group of their own, in the second column: `q1 anna 0 d7 2`. "
        "Each group must be an order.",
        example="prefs.txt: query 'q1' item 'd1' has level 0 and a level above 0 in group 'anna'.",
    ),
    error(
        "unlike-runs",
        "ComparisonError AlignError MeasureError",
        "Results were made under different rules, measures or queries, and cannot be compared.",
        cause="Scores were evaluated with other qrels, other `Rules` or other measures; or "
        "`missing=skip` left out other queries in one run than in the other.",
        remedy="Evaluate all in one call, or with the same qrels, rules and measures; pass "
        "`--missing zero`, `Rules(missing='zero')`, so that all runs have the same queries.",
        example="gate: both runs must have the same queries, got nothing for query 'q2' in run "
        "'candidate', which missing=skip leaves out. Pass --missing zero.",
    ),
    error(
        "no-values",
        "ComparisonError",
        "A measure has no value for any query.",
        cause="Nothing is relevant for any query, and `--empty nan` leaves such queries without a "
        "value; or `--unjudged undefined` does.",
        remedy="Pass `--empty zero`, `Rules(empty='zero')`, another measure, or other qrels. "
        "`gainful check QRELS` says whether any label is above 0.",
        example="compare: nDCG@10 has no value for any query; there is nothing to compare. Choose "
        "another measure, or another rule for queries with nothing relevant.",
    ),
    error(
        "too-few-runs",
        "ComparisonError MeasureError",
        "Fewer runs were given than are needed, or the same one twice.",
        cause="A comparison takes two runs, a gate the run in use and another that would replace "
        "it, Friedman's test three.",
        remedy="Name more: `gainful compare QRELS RUN RUN`, `gainful.compare(qrels, [first, "
        "second])`. A single run is for `gainful eval`.",
        example="compare: must be given two runs or more, got 1. Pass them in a list, or as "
        "{name: run}.",
    ),
    error(
        "unknown-run",
        "ComparisonError",
        "A run was named that is not among those given.",
        cause="Runs are called after their files, without folder and extension, or by the keys of "
        "the dict they came in; the name given is another.",
        remedy="The message lists the names. `--baseline bm25` or the path, `baseline='bm25'` in "
        "Python; `{'bm25': run}` names a run.",
        example="baseline: must be one of bm25, dense, got 'bm52'. Did you mean bm25?",
    ),
    error(
        "not-in-result",
        "MeasureError ComparisonError SliceError RuleError",
        "A result was asked for something that it does not hold.",
        cause="The measure, run, pair, slice or dialect was not among those asked for when the "
        "result was made, or is spelt otherwise.",
        remedy="The message lists what there is. Ask for it in the first place: `evaluate(qrels, "
        "run, ['nDCG@10', 'AP'])`, then `scores['AP']`.",
        example="AP was not evaluated; there are nDCG@10.",
    ),
    error(
        "incomplete-plan",
        "ComparisonError",
        "A power analysis does not know enough, or what it knows cannot be planned with.",
        cause="It needs to know by how much queries differ, from a pilot of two runs or from a "
        "deviation, and a difference or a number of queries to ask about. A pilot of one query, "
        "or one whose queries all differ alike, has no deviation.",
        remedy="`gainful power QRELS RUN RUN --difference 0.02`, or without a pilot `gainful "
        "power --deviation 0.2 --difference 0.02`; `power_analysis(difference=0.02, "
        "deviation=0.2)` in Python.",
        example="power: must know by how much queries differ, got no pilot, no deviation and no "
        "variance. Pass qrels and two runs, or deviation, or variance.",
    ),
    error(
        "bad-threshold",
        "ComparisonError",
        "A threshold of a gate cannot decide anything.",
        cause="No value could meet it, or none could miss it; it needs a baseline that is not "
        "there; it contradicts the mode; or it is for a measure that is not gated.",
        remedy="`gainful gate -h` says what each takes; `docs/gate.md` which go together. `--mode "
        "noninferior` needs `--max-drop` above 0, `max_drop=0.01` in Python.",
        example="gate: max_drop must be > 0 in mode noninferior, got 0: no test rules out every "
        "drop.",
    ),
    error(
        "bad-config",
        "SourceError",
        "The file with the thresholds of a gate is not written as it must be.",
        cause="It is no TOML, has no table `[gate]` (`[tool.gainful.gate]` in pyproject.toml), a "
        "key in it is misspelt, or a value is of another type.",
        remedy="`docs/gate.md` has a file to start from. `--config FILE` names one, `--no-config` "
        "reads none.",
        example="gate.toml: unknown key 'max-dorp' in [gate]. Did you mean max-drop?",
    ),
)
