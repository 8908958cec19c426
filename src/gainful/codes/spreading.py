"""Errors of Spark."""

from gainful.codes._declare import error

ERRORS = (
    error(
        "no-spark-session",
        "EngineError",
        "There is no session of Spark, and none can be made.",
        cause="Java is missing or older than 17, no server answers at the address that "
        "`SPARK_REMOTE` names, the session was stopped, or qrels and run are of two sessions.",
        remedy="Install Java 17 or newer and set `JAVA_HOME`; or set "
        "`SPARK_REMOTE=sc://HOST:15002`. In Python make a session first and pass `spark=session`. "
        "After `session.stop()` make the DataFrames anew.",
        example="spark: nothing answers at sc://localhost:15002 (connection refused). "
        "SPARK_REMOTE names the server.",
    ),
    error(
        "spark-workers",
        "EngineError",
        "Spark's workers do not have what the driver has.",
        cause="Gainful, NumPy or PyArrow are not installed there, or in another version; or "
        "workers run another Python.",
        remedy="Install the same wheel on all machines, or ship an environment with `--archives`; "
        "on one machine set `PYSPARK_PYTHON` to the Python that runs the driver. `docs/scale.md` "
        "shows each.",
        example="spark: the workers run Python 3.10, and the driver 3.12. Set PYSPARK_PYTHON to "
        "the same Python on both.",
    ),
    error(
        "unread-by-spark",
        "EngineError",
        "What was given cannot be read on Spark, or is on Spark and is wanted here.",
        cause="The run is a dict or a frame of another library, the file is in a format that "
        "Spark does not read, an id is not UTF-8, or a judged query has no items. The other way "
        "round, only `evaluate()`, `compare()` and `gate()` take DataFrames of Spark.",
        remedy="Make it a DataFrame with `spark.createDataFrame(...)`, or convert the file with "
        "`gainful convert a.run a.parquet`. For all else collect: `df.toArrow()`.",
        example="run: must be a DataFrame of Spark, a table or a path, got a dict. Make it one "
        "with spark.createDataFrame(...), or collect the qrels with df.toArrow().",
    ),
    error(
        "cannot-count",
        "UncountableError",
        "`strategy='count'` cannot tell ranks without moving the run.",
        cause="Counting leaves rows where they are, and sends the judged items to every worker. "
        "It does not know every rule and measure, nor judgments beyond some size.",
        remedy="Pass `strategy='partition'`, `--strategy partition`, which brings the rows of a "
        "query together; or leave it out: `auto` chooses.",
        example="strategy=count cannot say how many items the run has twice: there are too many. "
        "Pass strategy='partition'.",
    ),
    error(
        "rows-changed",
        "EngineError UncountableError",
        "Rows on Spark were not the same when they were read again.",
        cause="The DataFrame is of a source that changes, has a random step or an order that is "
        "not fixed in it, or its files were written to meanwhile. Values would be of two states "
        "at once.",
        remedy="Keep the rows first: `run = run.persist()`, or write them to a table and evaluate "
        "that. Then evaluate again.",
        example="spark: the rows have changed since they were evaluated, and Spark no longer has "
        "the values. Evaluate them again.",
    ),
    error(
        "spark-failed",
        "EngineError",
        "Spark failed for a reason of its own.",
        cause="A worker ran out of memory, a path or a column was wrong in a step before, or the "
        "cluster gave up. The message has the line of Spark's own error that says most.",
        remedy="Read the exception it came from (`error.__cause__`), or the log of the driver. "
        "Try the DataFrame alone: `run.limit(10).toArrow()`. More `partitions=` make each smaller.",
        example="spark: Job aborted due to stage failure.",
    ),
)
