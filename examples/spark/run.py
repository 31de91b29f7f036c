"""Runs `find`, `rewrite`, `chunk` or `facts` over a table of files with Spark.

    python examples/spark/run.py find --selector 'call#print' --folder src --out rows.parquet
    spark-submit --py-files examples/spark/work.py examples/spark/run.py facts --parquet files.parquet --out facts.parquet

The table has the columns `repo`, `path` and `content` (binary). With --folder it is made of the files of a folder.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from typing import Any, Iterator

from work import COLUMNS, Work

SCHEMA = (
    "repo string, path string, kind string, name string, start_line long, start_col long, start_byte long, "
    "end_byte long, value string, error string"
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("job", choices=["find", "rewrite", "chunk", "facts"])
    parser.add_argument("--selector")
    parser.add_argument("--pattern")
    parser.add_argument("--template")
    parser.add_argument("--containing", help="parse only files that contain this text, which every match must have")
    parser.add_argument("--max-tokens", type=int, default=512, help="the largest chunk")
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--parquet", help="a table with repo, path and content")
    source.add_argument("--folder", type=Path, help="a folder, of which all files are read")
    parser.add_argument("--glob", default="*", help="names of the files of the folder: '*.py'")
    parser.add_argument("--out", required=True, help="where the rows are written, as Parquet")
    parser.add_argument("--master", default="local[2]")
    parser.add_argument("--partitions", type=int, default=64, help="some hundred for each core on a large table")
    arguments = parser.parse_args()

    import pandas
    from pyspark.sql import SparkSession
    from pyspark.sql import functions as f

    # The workers need this environment, with cst_engine and pandas.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = (
        SparkSession.builder.master(arguments.master)
        .appName("cst")
        # A batch holds the contents of its files in memory.
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "256")
        .config("spark.driver.memory", "2g")
        .getOrCreate()
    )
    spark.sparkContext.addPyFile(str(Path(__file__).with_name("work.py")))
    if arguments.parquet:
        files = spark.read.parquet(arguments.parquet)
    else:
        folder = arguments.folder.resolve()
        binary = spark.read.format("binaryFile").option("recursiveFileLookup", "true")
        read = binary.option("pathGlobFilter", arguments.glob).load(str(folder))
        path = f.expr(f"substring(path, {len(folder.as_uri().replace('///', '/')) + 2})")
        files = read.select(f.lit(folder.name).alias("repo"), path.alias("path"), "content")
    # The largest files would be one task's alone at the end: spread them by size, and begin with them.
    files = files.withColumn("bytes", f.length("content"))
    files = files.repartition(arguments.partitions, f.xxhash64("path")).sortWithinPartitions(f.desc("bytes"))
    work = Work(
        arguments.job,
        arguments.selector,
        arguments.pattern,
        arguments.template,
        containing=arguments.containing,
        max_tokens=arguments.max_tokens,
    )

    def search(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            columns = zip(batch["repo"], batch["path"], batch["content"])
            rows = [row for repo, path, content in columns for row in work.rows_of(repo, path, content)]
            yield pandas.DataFrame(rows, columns=COLUMNS).convert_dtypes()

    start = time.monotonic()
    rows = files.select("repo", "path", "content").mapInPandas(search, SCHEMA)
    rows.write.mode("overwrite").parquet(arguments.out)
    seconds = time.monotonic() - start
    written = spark.read.parquet(arguments.out)
    print(f"{written.count()} rows, {written.where('error is not null').count()} errors, {seconds:.1f} s")
    spark.stop()


if __name__ == "__main__":
    main()
