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


def pump(path, start, end, head, output):
    """Writes the head of a file, and its lines that begin in a range: the last one may end behind it."""
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
            # The columns that the head names are those of every part.
            with open(path, "rb") as first:
                output.write(first.read(head))
            # Only the first line of a file may begin with a byte order mark, or name columns. An empty line is no link, so
            # behind it every line is what it is.
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
        # The totals name each route a few times, and what at most 5,000 links come close to.
        start = max(0, size - (32 << 20))
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
                pump(part["path"], part["start"], part["end"], part["head"], host.stdin)
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


def head_of(path, market, options):
    """The length of the lines at the start of a file that name columns: comments, and a line that the host takes for a header."""
    head = comments = b""
    with open(path, "rb") as file:
        while line := file.readline(1 << 16):
            head += line
            if not line.removeprefix(b"\xef\xbb\xbf").startswith(b"#") or len(head) > 1 << 16:
                break
            comments = head
    command = filter_of(market, options)
    tried = subprocess.run(command, input=head, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    # The totals are the last line.
    totals = json.loads(tried.stdout.splitlines()[-1]) if tried.returncode in (0, 1) else {"links": 1}
    return len(comments if totals["links"] or totals["skipped"] else head)


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
        parts = []
        for number in numbers:
            with open(os.path.join(options.to, market, "part-%06d.json" % number)) as file:
                parts.append(json.load(file))
        markets[market] = sum_of(parts)
    return {"markets": markets, "schema": 1}


def sum_of(parts):
    """The sum of totals in the order of the files."""
    total = {"links": 0, "outcomes": {}, "patterns": {}, "routables": {}, "skipped": 0, "uncompared": 0}
    near, unused = {}, None
    for part in parts:
        for kind in ("links", "skipped", "uncompared"):
            total[kind] += part[kind]
        for kind in ("outcomes", "patterns", "routables"):
            for name, count in part[kind].items():
                total[kind][name] = total[kind].get(name, 0) + count
        for match in part["nearMatches"]:
            key = tuple(match[name] for name in ("pattern", "difference", "written", "suggestion"))
            if key in near:
                near[key]["links"] += match["links"]
            else:
                near[key] = dict(match)
        # A route is unused if every part lists it.
        listed = [(route["routable"], route["pattern"]) for route in part["unusedRoutes"]]
        kept = set(listed)
        unused = listed if unused is None else [route for route in unused if route in kept]
    total["nearMatches"] = sorted(near.values(), key=lambda match: (-match["links"], match["pattern"], match["link"]))
    total["unusedRoutes"] = [{"pattern": pattern, "routable": routable} for routable, pattern in unused or []]
    return total


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
    heads = {path: head_of(path, options.market[0], options) for path in files}
    pending = []
    for market in options.market:
        os.makedirs(os.path.join(options.to, market), exist_ok=True)
        done = set(remove_unfinished(options, market))
        for number, (path, start, end) in ranges:
            if "part-%06d.json" % number not in done:
                pending.append(
                    json.dumps({
                        "number": number, "market": market, "path": path, "start": start, "end": end, "head": heads[path]}))
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
        unused, near = total["unusedRoutes"], sum(match["links"] for match in total["nearMatches"])
        names = ", ".join(route["pattern"] for route in unused[:10]) + (", …" if len(unused) > 10 else "")
        if unused:
            print(f"{market}: {len(unused)} routes that no link used: {names}")
        if near:
            print(f"{market}: {near} links nearly match a route:")
        for match in total["nearMatches"][:10]:
            print(f"  {match['links']} × {match['pattern']}: {difference_of(match)}, such as {json.dumps(match['link'])}")
    lock.close()


def difference_of(match):
    """What a link differs in."""
    if match["difference"] == "slip":
        return "%s instead of %s" % (json.dumps(match["written"]), json.dumps(match["suggestion"]))
    return "one segment too many" if match["difference"] == "additional" else json.dumps(match["suggestion"]) + " is missing"


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
