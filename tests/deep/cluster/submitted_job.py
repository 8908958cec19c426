"""A job as one would submit it: reads qrels and a run, and writes the values of measures."""

import sys


def main(qrels: str, run: str, out: str, *measures: str) -> None:
    """Write a row for each query, with a column for each measure."""
    from pyspark.sql import SparkSession

    from gainful.spark import evaluate

    spark = SparkSession.builder.getOrCreate()
    scores = evaluate(qrels, run, measures, spark=spark)
    spark.createDataFrame(scores.to_arrow(shape="wide")).write.parquet(out)


if __name__ == "__main__":
    main(*sys.argv[1:])
