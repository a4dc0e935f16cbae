"""Opens the links of a corpus in parts under PySpark; `scripts/replay-spark --help` describes it.

    replay_spark.py run ...    the driver
    replay_spark.py part ...   what Spark pipes descriptions of parts through, on the workers

The links themselves do not go through Spark: a worker reads its part of a file, so that every byte reaches the host as it is
(Spark's own reading of text repairs what is not UTF-8), and no link costs any Python.
"""

import argparse
import fcntl
import hashlib
import json
import os
import shlex
import socket
import subprocess
import sys

CHUNK = 1 << 20


class Failure(Exception):
    """What the user is told."""


class Parser(argparse.ArgumentParser):
    """Ends with 64 for a usage error, as the host does."""

    def error(self, message):
        print(f"replay-spark: {message}; see scripts/replay-spark --help", file=sys.stderr)
        sys.exit(64)


# The workers' side


def pump(path, start, end, output):
    """Writes the lines of a file that begin in a range: the last one may end behind it."""
    with open(path, "rb", buffering=0) as file:
        position = 0
        if start > 0:
            # A line that began before belongs to the part before.
            file.seek(start - 1)
            position = start - 1
            while True:
                chunk = file.read(CHUNK)
                if not chunk:
                    return
                found = chunk.find(b"\n")
                if found >= 0:
                    position += found + 1
                    break
                position += len(chunk)
            file.seek(position)
            # Only the first line of a file may begin with a byte order mark that is none of the link. An empty line is no
            # link, so behind it every line is what it is.
            output.write(b"\n")
        last = b"\n"
        while position < end:
            chunk = file.read(min(CHUNK, end - position))
            if not chunk:
                return
            output.write(chunk)
            position += len(chunk)
            last = chunk[-1:]
        while last != b"\n":
            chunk = file.read(4096)
            if not chunk:
                return
            found = chunk.find(b"\n")
            output.write(chunk if found < 0 else chunk[: found + 1])
            last = b"\n" if found >= 0 else b""


def take_totals(path):
    """Removes the last line of a result, and returns what it says."""
    with open(path, "r+b") as file:
        file.seek(0, os.SEEK_END)
        size = file.tell()
        # The totals name each pattern and routable at most once.
        start = max(0, size - (4 << 20))
        file.seek(start)
        tail = file.read()
        if not tail.endswith(b"\n"):
            raise Failure("the result has no end")
        begin = tail.rfind(b"\n", 0, len(tail) - 1) + 1
        totals = json.loads(tail[begin:])
        if "links" not in totals:
            raise Failure("the result has no totals")
        file.truncate(start + begin)
        file.flush()
        os.fsync(file.fileno())
    return totals


def filter_of(market, options):
    """The command that answers links."""
    command = [options.program, "open", "--from", "-", "--format", "json", "--markets", options.markets]
    return command + ["-m", market] + options.open


def open_part(part, options):
    """Opens the links of a part. What others see of it is there at once and whole, and its totals come last."""
    folder = os.path.join(options.to, part["market"])
    name = os.path.join(folder, "part-%06d" % part["number"])
    own = "%s.%s.%d.new" % (name, socket.gethostname(), os.getpid())
    command = filter_of(part["market"], options)
    try:
        with open(own, "wb") as output:
            host = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=output)
            try:
                pump(part["path"], part["start"], part["end"], host.stdin)
                host.stdin.close()
            except BrokenPipeError:
                pass  # the status says why it ended
            status = host.wait()
        # 1 says that not every link was routed.
        if status not in (0, 1):
            raise Failure(f"{shlex.join(command)} ended with {status}")
        totals = take_totals(own)
        os.rename(own, name + ".jsonl")
        with open(own, "w") as file:
            json.dump(totals, file, sort_keys=True)
            file.flush()
            os.fsync(file.fileno())
        os.rename(own, name + ".json")
    finally:
        if os.path.exists(own):
            os.remove(own)


def run_parts(options):
    for line in sys.stdin:
        part = json.loads(line)
        open_part(part, options)
        print(part["number"], flush=True)


# The driver's side


def parts_of(files, size):
    """The parts of a corpus: a file, and from where to where."""
    for path in files:
        length = os.path.getsize(path)
        for start in range(0, length, size):
            yield path, start, min(start + size, length)


def digest_of_files(paths):
    digest = hashlib.sha256()
    for path in sorted(paths):
        with open(path, "rb") as file:
            content = file.read()
        digest.update(b"%d %s %d\n" % (len(os.fsencode(path)), os.fsencode(path), len(content)) + content)
    return digest.hexdigest()


def description(options, files):
    """What the results depend on: those of another corpus, program or market are no part of these."""
    lua = [
        os.path.join(place, name) for place, _, names in os.walk(options.markets) for name in names if name.endswith(".lua")
    ]
    return {
        "corpus": [[path, os.path.getsize(path), os.stat(path).st_mtime_ns] for path in files],
        "markets": digest_of_files(lua),
        "open": options.open,
        "partBytes": options.part_bytes,
        "program": digest_of_files([options.program]),
        "schema": 1,
    }


def write(path, value):
    own = f"{path}.{os.getpid()}.new"
    with open(own, "w") as file:
        json.dump(value, file, indent=2, sort_keys=True)
        file.write("\n")
    os.rename(own, path)


def begin(options, files):
    """Makes the folder, or goes on in the one of an earlier run."""
    os.makedirs(options.to, exist_ok=True)
    lock = open(os.path.join(options.to, "lock"), "w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise Failure(f"another replay is writing to {options.to}")
    wanted, path = description(options, files), os.path.join(options.to, "replay.json")
    if os.path.exists(path):
        with open(path) as file:
            there = json.load(file)
        if there != wanted:
            changed = ", ".join(key for key in wanted if there.get(key) != wanted[key])
            raise Failure(
                f"{options.to} has the results of another replay (different: {changed}): name another folder with --to, or "
                "remove it")
    else:
        write(path, wanted)
    return lock


def summary_of(options, numbers):
    """The totals of all parts, by market."""
    markets = {}
    for market in options.market:
        total = {"links": 0, "outcomes": {}, "patterns": {}, "routables": {}}
        for number in numbers:
            with open(os.path.join(options.to, market, "part-%06d.json" % number)) as file:
                part = json.load(file)
            total["links"] += part["links"]
            for kind in ("outcomes", "patterns", "routables"):
                for name, count in part[kind].items():
                    total[kind][name] = total[kind].get(name, 0) + count
        markets[market] = total
    return {"markets": markets, "schema": 1}


def run(options):
    files = [os.path.abspath(path) for path in options.files]
    for path in files:
        if not os.path.isfile(path):
            raise Failure(f"cannot read {path}: there is no such file")
    if not os.path.isdir(options.markets):
        raise Failure(f"cannot read the markets folder {options.markets}: name another with --markets DIR")
    for market in options.market:
        # What is wrong with the market or an option is said once, and not by each part.
        tried = subprocess.run(
            filter_of(market, options), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if tried.returncode != 0:
            raise Failure(tried.stderr.strip() or f"{options.program} ended with {tried.returncode}")
    lock = begin(options, files)
    ranges = list(enumerate(parts_of(files, options.part_bytes)))
    pending = []
    for market in options.market:
        os.makedirs(os.path.join(options.to, market), exist_ok=True)
        done = set(remove_unfinished(options, market))
        for number, (path, start, end) in ranges:
            if "part-%06d.json" % number not in done:
                pending.append(
                    json.dumps({"number": number, "market": market, "path": path, "start": start, "end": end}))
    count = len(ranges) * len(options.market)
    print(f"{count} parts, {count - len(pending)} of them done already", file=sys.stderr)
    if pending:
        try:
            replay(pending, options)
        finally:
            for market in options.market:
                remove_unfinished(options, market)
    summary = summary_of(options, [number for number, _ in ranges])
    write(os.path.join(options.to, "summary.json"), summary)
    for market, total in summary["markets"].items():
        outcomes = ", ".join(f"{count} {name}" for name, count in sorted(total["outcomes"].items()))
        print(f"{market}: {total['links']} links: {outcomes}")
    lock.close()


def remove_unfinished(options, market):
    """Removes what workers that were killed left half written, and returns the names of what is there."""
    folder = os.path.join(options.to, market)
    names = os.listdir(folder)
    for name in names:
        if name.endswith(".new"):
            os.remove(os.path.join(folder, name))
    return names


def replay(pending, options):
    """Has Spark pipe each part through a process of this program on a worker."""
    from py4j.protocol import Py4JError
    from pyspark import SparkConf, SparkContext

    conf = SparkConf().setAppName("replay").setMaster(options.master).setIfMissing("spark.ui.enabled", "false")
    context = SparkContext(conf=conf)
    context.setLogLevel("ERROR")
    command = [os.environ.get("PYSPARK_PYTHON", sys.executable), os.path.abspath(__file__), "part"]
    command += ["--to", options.to, "--markets", options.markets, "--program", options.program]
    command += ["--"] + options.open
    environment = {key: os.environ[key] for key in ("PATH", "HOME", "TMPDIR", "LANG", "LC_ALL") if key in os.environ}
    try:
        parts = context.parallelize(pending, len(pending))
        parts.pipe(shlex.join(command), env=environment, checkCode=True).count()
    except Py4JError as error:
        reason = " ".join(str(error).split())[:300]
        raise Failure(
            f"Spark gave up, and the log of a worker says why; run the same again for the parts that are not done ({reason})")
    finally:
        context.stop()


def absolute(path):
    return os.path.abspath(path)


def main():
    parser = Parser(prog="replay-spark", add_help=False)
    parser.add_argument("mode", choices=["run", "part"])
    parser.add_argument("--to", required=True, type=absolute)
    parser.add_argument("--markets", default="markets", type=absolute)
    parser.add_argument("--program", required=True, type=absolute)
    if sys.argv[1:2] == ["part"]:
        arguments, rest = sys.argv[1:], []
        if "--" in arguments:
            place = arguments.index("--")
            arguments, rest = arguments[:place], arguments[place + 1 :]
        options = parser.parse_args(arguments)
        options.open = rest
        run_parts(options)
        return
    parser.add_argument("-m", "--market", action="append")
    parser.add_argument("--hold", action="append", default=[])
    parser.add_argument("--dry-run", action="store_true")
    parser.add_argument("--part-size", type=float, default=16)
    parser.add_argument("--master", default=os.environ.get("SPARK_MASTER", "local[*,4]"))
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    options.market = options.market or ["us"]
    options.part_bytes = int(options.part_size * (1 << 20))
    if options.part_bytes < 1:
        parser.error("--part-size takes more than 0 megabytes")
    options.open = [word for name in options.hold for word in ("--hold", name)] + (["--dry-run"] if options.dry_run else [])
    run(options)


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        print(f"replay-spark: {failure}", file=sys.stderr)
        sys.exit(2)
