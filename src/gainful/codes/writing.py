"""Errors of what is written, and of packages that are not there."""

from gainful.codes._declare import error

ERRORS = (
    error(
        "cannot-write",
        "SourceError GainfulError",
        "A file, or standard output, cannot be written to.",
        cause="The folder is not there, you may not write to it, or the disk is full, be it that "
        "of temporary files. Nothing half-written is left: files appear when they are complete.",
        remedy="Make the folder (`mkdir -p out`), free some space (`df -h .`), or write "
        "elsewhere: `-o FILE`, the path in Python.",
        example="out/run.csv: cannot be written to (No such file or directory).",
    ),
    error(
        "exists-already",
        "SourceError GainfulError EngineError",
        "What is to be written is there already, and is not replaced unasked.",
        cause="The command ran before, or the name is taken by something else.",
        remedy="Pass another name, or say that it may be replaced: `gainful convert --force`, "
        "`force=True` in Python. On Spark `--mode overwrite` replaces a table and `--mode append` "
        "adds to it; in Python write `scores.to_spark()` with a mode of your own.",
        example="old.csv: exists already. Pass --force to replace it, force=True in Python.",
    ),
    error(
        "writes-over-input",
        "SourceError",
        "The file to be written is one that is read.",
        cause="Input and output are the same file, maybe by another path or a link.",
        remedy="Write to another file, and rename it afterwards: `gainful convert a.run b.csv && "
        "mv b.csv a.csv`.",
        example="qrels.txt: is what is read. Write to another file.",
    ),
    error(
        "lossy",
        "SourceError OutputError",
        "The format to be written cannot hold all that was read.",
        cause="TREC files have no place for other columns, for queries without items, or for ids "
        "with spaces in them; JSON has none for infinite numbers.",
        remedy="Choose a format that can, `--to parquet`, `to='parquet'`, or say that it may be "
        "left out or changed: `--lossy`, `lossy=True`. For holes `-o csv` holds any id.",
        example="wide.csv: trec has no place for the columns 'title'. Pass --lossy to leave them "
        "out.",
    ),
    error(
        "bad-name",
        "OutputError",
        "A name cannot be used where results are written.",
        cause="MLflow takes letters, digits and `_ - . /` and spaces in the names of metrics, up "
        "to 250 of them; in a wide table a measure cannot be called like the column of queries.",
        remedy="Pass another `prefix=`, such as `valid/`, or rename the measure; for tables "
        "`shape='tidy'` has measures in a column.",
        example="prefix: may hold letters, digits, and _ - . / or spaces, got 'a:b'.",
    ),
    error(
        "cannot-send",
        "SourceError",
        "Judgments that were read were to be sent to another process.",
        cause="They were an argument, or a result, of a pool that starts processes by spawn or "
        "forkserver, or were pickled. The index of the native core stays in its process.",
        remedy="Send the path, and read it there: `ProcessPoolExecutor(initializer=...)` with a "
        "function that calls `read_qrels` once in each process. Runs, rules, measures and results "
        "can be sent.",
        example="judgments that were read cannot be sent to another process. Send the path, and "
        "call read_qrels there, once in each process: as the initializer of a pool, for example.",
    ),
    error(
        "no-memory",
        "MemoryError OutOfMemoryError",
        "There was not enough memory.",
        cause="The judgments, or a run whose lines are not grouped by query, are larger than what "
        "the machine or the container has left. A run with the lines of each query together takes "
        "little.",
        remedy="Sort the run by query (`sort -k1,1 -s RUN`), give the process more memory, or use "
        "Spark: `gainful.engines.spark.evaluate`. `--threads 1`, `threads=1`, takes less than "
        "many.",
        example="there is not enough memory for this. Pass fewer runs or measures at once, or "
        "--threads 1.",
    ),
    error(
        "mlflow-failed",
        "OutputError",
        "MLflow did not log what it was given.",
        cause="No run is active, or the server refused or did not answer. The message says what "
        "MLflow said, and what was not logged.",
        remedy="Call `log_to_mlflow(scores)` within `with mlflow.start_run():`, or pass "
        "`run_id=...`. Check `mlflow.get_tracking_uri()`.",
        example="log_to_mlflow: no run of MLflow is active. Call it within mlflow.start_run(), or "
        "pass run_id=...",
    ),
    error(
        "missing-package",
        "PackageError SourceError EngineError",
        "A package is needed that is not installed, or is too old.",
        cause="Gainful itself needs little. Reports, Spark, data sets and frames of other "
        "libraries need packages that are installed on request.",
        remedy="Run the `pip install` that the message names, in the environment that `gainful` "
        "runs in: `python -m pip install 'gainful[report]'`.",
        example="report: altair is not installed. Install it with: pip install 'gainful[report]'",
    ),
)
