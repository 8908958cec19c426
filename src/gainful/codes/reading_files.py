"""Errors of files that cannot be read as what they were given as."""

from gainful.codes._declare import error

ERRORS = (
    error(
        "cannot-read",
        "SourceError EngineError",
        "A file, or a table of Spark, is not there or cannot be opened.",
        cause="The path is misspelt or relative to another folder, the name is that of a folder, "
        "you may not read it, or standard input (`-`) is closed. Spark looks for paths where its "
        "workers are, not where you are.",
        remedy="Look with `ls -l PATH` in the folder where the command runs. Quote paths that "
        "have spaces in them. In Python a string is always a path; for data at hand pass a dict, "
        "a frame or `Columns(...)`.",
        example="no.txt: no such file or directory.",
    ),
    error(
        "broken-file",
        "SourceError",
        "A file is damaged, or a library cannot read it as what it looks like.",
        cause="A download or a copy was cut short, compressed data end too early, other bytes "
        "follow them, or a table is not the Parquet or Arrow that its first bytes promise. The "
        "library that reads such files says why, in brackets.",
        remedy="Fetch or write the file again. `gzip -t FILE` tells whether compressed data are "
        "whole; `python -c \"import polars; polars.read_parquet('FILE')\"` whether a table is.",
        example="a.run.gz: the compressed data end too early; the file was cut short.",
    ),
    error(
        "changed-file",
        "SourceError",
        "A file was written to while it was read.",
        cause="A system is still writing its run, or a job has replaced the file. What was read "
        "may be half of the old and half of the new.",
        remedy="Run the command again when the file is complete. Writers that write beside the "
        "file and rename it at the end, as `gainful convert` does, are never seen half-way.",
        example="a.run: changed while it was read. Read it again when it is complete.",
    ),
    error(
        "foreign-file",
        "SourceError",
        "A file is in a format that is not read at all.",
        cause="It is a zip archive, as Excel's files are, a web page, a picture, a PDF document, a "
        "pickle, a database, or the first version of Feather.",
        remedy="Unpack the archive, or save the sheet as CSV. Write Feather's second version, "
        "which is Arrow, or Parquet. `docs/formats.md` lists all that is read.",
        example="qrels.xlsx: is a zip archive, as Excel files are. Unpack it, or save the table "
        "as CSV.",
    ),
    error(
        "not-text",
        "SourceError",
        "Text is not UTF-8.",
        cause="The file was saved as UTF-16, as Windows tools like to, or in an old encoding such "
        "as Latin-1, and ids or words in it have letters beyond ASCII. TREC files may hold any "
        "bytes as ids; tables, JSON and Spark need UTF-8.",
        remedy="Save it as UTF-8, or convert it: `iconv -f UTF-16 -t UTF-8 FILE > NEW`, with `-f "
        "LATIN1` for old files.",
        example="utf16.txt: is UTF-16 text. Save it as UTF-8.",
    ),
    error(
        "malformed-line",
        "SourceError",
        "A line does not have the fields that its format has.",
        cause="An id with a space in it makes one field two; a line was cut short; columns are "
        "separated otherwise than in the other lines; the quotes of a CSV field are not closed; "
        "lines end in a carriage return alone, or a line is longer than 16 MB; or the file is in "
        "another format than was told by its first lines.",
        remedy="Look at the line that the message names: `sed -n 17p FILE`. A line of qrels is "
        "`query iteration item label`, one of a run `query Q0 item rank score tag`. If the format "
        "is another, name it: `--qrels-format csv`, `--run-format csv`, `format='csv'` for "
        "`read_qrels` and `read_run`. `gainful check QRELS RUN` counts all such lines.",
        example="short.txt, line 3: expected 4 fields, found 3: 'q2 0 d7'. A line of qrels is: "
        "query iteration item label.",
    ),
    error(
        "looks-swapped",
        "SourceError",
        "What was given as qrels looks like a run, or the other way round.",
        cause="The two files were given in the other order: the first lines have six fields where "
        "four are expected, or four where six are.",
        remedy="Put the qrels first: `gainful eval QRELS RUN`, `gainful.evaluate(qrels, run)`.",
        example="a.run, line 1: expected 4 fields, found 6: 'q1 Q0 d1 1 0.9 a'. This looks like a "
        "run; qrels come first.",
    ),
    error(
        "not-json",
        "SourceError",
        "Text that looks like JSON is none.",
        cause="A comma or a bracket is missing or one too many, strings have single quotes, the "
        "file was cut short, or a line of JSON Lines holds something else than one object. "
        "Objects that are nested a thousand deep are refused too.",
        remedy="The message names line and column. `python -m json.tool FILE` checks a JSON file. "
        "Write it with `json.dump`, not with `print`.",
        example="run.jsonl, line 2: must be a JSON object, got 'oops'.",
    ),
    error(
        "nothing-in-it",
        "SourceError AlignError",
        "There are no rows in what was given.",
        cause="The file is empty or holds only blank lines, comments or a header; a filter before "
        "left nothing; or a metric of torchmetrics' kind was computed before its first update.",
        remedy="Look at what wrote it: `wc -l FILE`. For qrels, a run, queries or items at least "
        "one row is needed.",
        example="none.txt: there are no judgments in it.",
    ),
    error(
        "unclear-format",
        "SourceError",
        "The content of a file fits two readings, and neither is guessed.",
        cause="A third column of whole numbers may be ranks (as MS MARCO writes them) or scores; "
        "a table with query, item and a number may be qrels or a run.",
        remedy="Say it: `--run-format msmarco` for ranks, `--run-format triples` for scores, "
        "`format='msmarco'` in Python; for `gainful convert`, `--holds qrels` or `--holds run`, "
        "`holds='run'` in Python.",
        example="three.run: cannot tell whether the third column holds ranks or scores. Pass "
        "--run-format msmarco for ranks, triples for scores, or format= in Python.",
    ),
    error(
        "unknown-format",
        "SourceError EngineError",
        "A format was named that is not known, or that nothing tells.",
        cause="The name is misspelt, it is a format of qrels and not of runs, the name of a file "
        "that is to be written has no extension that tells one, or a format is named for what is "
        "no file.",
        remedy="The message lists the formats. They are those of `--qrels-format`, "
        "`--run-format`, `--from` and `--to`, and of `format=` and `to=` in Python; "
        "`docs/formats.md` shows each. Mostly none need be named: files are told by their content.",
        example="run format: must be one of trec, csv, tsv, msmarco, triples, jsonl, json, "
        "parquet, arrow, predictions, got 'excel'.",
    ),
    error(
        "read-once",
        "SourceError",
        "A run is read twice, but can be read once.",
        cause="The run comes from standard input, a pipe or a generator. `report`, `rosetta`, "
        "`agree` and `compare --bounds` read every run twice, and so does `bounds` under `--ties "
        "average`.",
        remedy="Save it to a file first, and pass that: `zcat run.gz > run.txt`, or pass the "
        "compressed file itself, which is read as it is. In Python, pass a list in place of a "
        "generator.",
        example="rosetta: reads every run twice, got -, which can be read once. Pass a file.",
    ),
    error(
        "unknown-dataset",
        "SourceError",
        "A data set of ir_datasets, or of Hugging Face, cannot be used as it was named.",
        cause="There is none of that name, it has no qrels or no run in it, it has several "
        "splits, or it could not be downloaded.",
        remedy="Take the name from https://ir-datasets.com, with its split: "
        "`irds:beir/scifact/test`. Of a data set with several splits pass one, such as "
        "`data['test']`. The first use downloads it.",
        example="irds:no/such: ir_datasets knows no such data set; see https://ir-datasets.com.",
    ),
)
