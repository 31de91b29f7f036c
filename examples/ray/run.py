"""Runs `find`, `rewrite`, `chunk` or `facts` over a table of files with Ray Data.

    python examples/ray/run.py find --selector 'call#print' --parquet files.parquet --out rows

The table has the columns `repo`, `path` and `content` (binary). What is done with a file is in examples/spark/work.py.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

# Where `work` is; importing Ray changes `sys.path`.
WORK = str(Path(__file__).resolve().parent.parent / "spark")
sys.path.insert(0, WORK)

from work import COLUMNS, Work  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("job", choices=["find", "rewrite", "chunk", "facts"])
    parser.add_argument("--selector")
    parser.add_argument("--pattern")
    parser.add_argument("--template")
    parser.add_argument("--containing", help="parse only files that contain this text, which every match must have")
    parser.add_argument("--max-tokens", type=int, default=512, help="the largest chunk")
    parser.add_argument("--parquet", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()

    import pandas
    import ray

    ray.init(num_cpus=arguments.workers, runtime_env={"env_vars": {"PYTHONPATH": WORK}})
    work = Work(
        arguments.job,
        arguments.selector,
        arguments.pattern,
        arguments.template,
        containing=arguments.containing,
        max_tokens=arguments.max_tokens,
    )

    def search(batch: Any) -> Any:
        columns = zip(batch["repo"], batch["path"], batch["content"])
        rows = [row for repo, path, content in columns for row in work.rows_of(repo, path, content)]
        numbers = {name: "Int64" for name in ["start_line", "start_col", "start_byte", "end_byte"]}
        texts = {name: "string" for name in COLUMNS if name not in numbers}
        return pandas.DataFrame(rows, columns=COLUMNS).astype({**numbers, **texts})

    start = time.monotonic()
    rows = ray.data.read_parquet(arguments.parquet).map_batches(search, batch_format="pandas", batch_size=256)
    rows.write_parquet(arguments.out)
    print(f"{ray.data.read_parquet(arguments.out).count()} rows, {time.monotonic() - start:.1f} s")


if __name__ == "__main__":
    main()
