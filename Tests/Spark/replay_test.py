"""Compares a replay under Spark with one process over the same links.

usage: replay_test.py PROGRAM FOLDER LINKS
"""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time

program, folder, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
repository = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
script, python = f"{repository}/scripts/replay_spark.py", os.environ["PYTHON"]
markets = ["us", "mx"]
failures = 0


def check(claim, holds, detail=""):
    global failures
    if not holds:
        failures += 1
        print(f"not so: {claim} {detail}", flush=True)


def write_corpus(path, links, generator):
    """Links of all kinds: those that open, in several markets, those that do not, and lines that are not text."""
    kinds = [
        lambda n: b"walmart://ip/%d" % n, lambda n: b"https://www.walmart.com/ip/name-%d/%d" % (n, n), lambda n: b"walmart://account",
        lambda n: b"walmart://search?q=%d" % n, lambda n: b"walmart.mx://ip/%d" % n, lambda n: b"walmart.mx://mi-cuenta",
        lambda n: b"walmart://nowhere/%d" % n, lambda n: b"https://example.org/%d" % n, lambda n: b"walmart://cart\r",
        lambda n: b"walmart://ip/%C3%A9" if n % 7 else "walmart://ip/é😀".encode(), lambda n: b"walmart://lists/\xff\xfe%d" % n,
        lambda n: b"walmart://a\x1b[2J\x00%d" % n, lambda n: b"nonsense", lambda n: b"\xef\xbb\xbfwalmart://cart",
        lambda n: b"walmart://ca\rrt" if n % 2 else b"walmart://" + b"x" * (70_000 if n % 1000 == 0 else 300),
    ]
    written = 0
    with open(path, "wb") as file:
        file.write(b"\xef\xbb\xbf")
        while written < links:
            number = generator.randrange(10**9)
            if number % 50 == 0:
                file.write(b"# a comment\n" if number % 100 else b"\n\r\n")
            file.write(generator.choice(kinds)(number))
            written += 1
            # The last line has no line end.
            if written < links:
                file.write(b"\n")
    return written


def one_process(path, market):
    """The output of one process: the lines, the totals, the time, and its memory in megabytes."""
    result, begin = f"{folder}/{market}-{os.path.basename(path)}.jsonl", time.monotonic()
    with open(path, "rb") as links, open(result, "wb") as output:
        process = subprocess.Popen(
            [program, "open", "--from", "-", "--format", "json", "-m", market], stdin=links, stdout=output, cwd=repository)
        # The memory in `wait4` includes that of this process, from before the program replaced it.
        memory = 0
        while process.poll() is None:
            with open(f"/proc/{process.pid}/status") as file:
                found = re.search(r"VmHWM:\s+(\d+)", file.read())
            memory = int(found[1]) if found else memory
            time.sleep(0.05)
    seconds = time.monotonic() - begin
    check("one process ends with 0 or 1", process.returncode in (0, 1), process.returncode)
    with open(result, "rb") as file:
        lines = file.read()
    os.remove(result)
    place = lines.rfind(b"\n", 0, len(lines) - 1) + 1
    check("the memory of a filter does not grow with its input", memory < 64 << 10, f"{memory} KB")
    return lines[:place], json.loads(lines[place:]), seconds, memory >> 10


def spark(to, master="local[2,4]", size=None, start=False):
    command = [python, script, "run", "--program", program, "--markets", f"{repository}/markets", "--to", to]
    command += ["--master", master, "--part-size", str(size or part_size)]
    command += [word for market in markets for word in ("-m", market)] + files
    # Spark's cluster of processes needs the path of its installation.
    home = subprocess.run(
        [python, "-c", "import os, pyspark; print(os.path.dirname(pyspark.__file__))"], stdout=subprocess.PIPE, text=True)
    environment = os.environ | {"SPARK_HOME": home.stdout.strip()}
    options = dict(env=environment, cwd=repository, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
    if start:
        return subprocess.Popen(command, **options)
    run = subprocess.run(command, **options)
    check("the replay ends with 0", run.returncode == 0, run.stdout[-3000:])
    return run


def compare(to, claim):
    """Compares with one process, byte by byte."""
    for market in markets:
        names = sorted(name for name in os.listdir(f"{to}/{market}") if name.endswith(".jsonl"))
        lines = b"".join(open(f"{to}/{market}/{name}", "rb").read() for name in names)
        check(f"{claim}: {market} has the lines of one process, in their order", lines == expected[market][0])
        check(f"{claim}: nothing half written is left in {market}", not [n for n in os.listdir(f"{to}/{market}") if n.endswith(".new")])
    with open(f"{to}/summary.json") as file:
        summary = json.load(file)["markets"]
    for market in markets:
        totals, unused = expected[market][1]
        check(f"{claim}: the totals of {market} are the same", counts(summary[market]) == totals, f"{summary[market]} {totals}")
        check(
            f"{claim}: the unused routes of {market} are the same",
            {route["pattern"] for route in summary[market]["unusedRoutes"]} == unused)


def added(totals):
    """The totals of several processes, by the key of each count."""
    sum = {}
    unused = [{route["pattern"] for route in each["unusedRoutes"]} for each in totals]
    for each in totals:
        for key, number in counts(each).items():
            sum[key] = sum.get(key, 0) + number
    return sum, set.intersection(*unused)


def counts(totals):
    """Each count of totals by its key."""
    found = {kind: totals[kind] for kind in ("links", "skipped")}
    for kind in ("outcomes", "patterns", "routables"):
        found |= {(kind, name): number for name, number in totals[kind].items()}
    for match in totals["nearMatches"]:
        found["near", match["pattern"], match["difference"], match["written"], match["suggestion"]] = match["links"]
    return {key: number for key, number in found.items() if number}


def done_parts(to):
    found = {}
    for market in markets:
        if os.path.isdir(f"{to}/{market}"):
            for name in os.listdir(f"{to}/{market}"):
                if re.fullmatch(r"part-\d+\.json", name):
                    found[market, name] = os.stat(f"{to}/{market}/{name}").st_ino
    return found


def parent(pid):
    with open(f"/proc/{pid}/stat") as file:
        return int(file.read().rsplit(")", 1)[1].split()[1])


def is_below(pid, ancestor):
    while pid > 1 and pid != ancestor:
        pid = parent(pid)
    return pid == ancestor


def children(pattern, of=None):
    """Processes of this test by command line: they name its folder, or are descendants of a process that does."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/cmdline", "rb") as file:
                    line = file.read().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue  # it has ended
            try:
                if pattern in line and (is_below(int(name), of) if of else folder in line):
                    found.append(int(name))
            except OSError:
                continue  # as above
    return found


def wait_for_parts(process, to, number):
    while len(done_parts(to)) < number and process.poll() is None:
        time.sleep(0.02)


seed = random.randrange(10**6)
print(f"{count} links, seed {seed}", flush=True)
generator = random.Random(seed)
files = [f"{folder}/first.txt", f"{folder}/second.txt", f"{folder}/empty.txt", f"{folder}/export.csv"]
write_corpus(files[0], count - count // 10, generator)
write_corpus(files[1], count // 10, generator)
open(files[2], "w").close()
with open(files[3], "w") as file:
    # Each part needs the columns that the first line names.
    file.write("time,url\n")
    file.writelines('2026-11-27,"walmart://ip/%d"\n' % number for number in range(count // 5))
all_links = count + count // 5
size = sum(os.path.getsize(path) for path in files)
# About twenty parts for each market.
part_size = size / 20 / (1 << 20)

expected = {}
for market in markets:
    results = [one_process(path, market) for path in files]
    expected[market] = (b"".join(result[0] for result in results), added([result[1] for result in results]))
    check("every link has a line", expected[market][0].count(b"\n") == all_links == expected[market][1][0]["links"])
    seconds = sum(result[2] for result in results)
    print(
        f"one process, {market}: {seconds:.1f} s, {all_links / seconds:,.0f} links a second, "
        f"{max(result[3] for result in results)} MB, {len(expected[market][0]) >> 20} MB of answers", flush=True)

begin = time.monotonic()
spark(f"{folder}/plain")
seconds = time.monotonic() - begin
print(f"local[2]: {seconds:.1f} s for {len(markets)} markets, {len(markets) * all_links / seconds:,.0f} links a second", flush=True)
compare(f"{folder}/plain", "Spark")
# Nothing is repeated, and Spark is not even started.
before = done_parts(f"{folder}/plain")
spark(f"{folder}/plain")
check("a second run does nothing", done_parts(f"{folder}/plain") == before)
# Different parts give the same lines; a part without the start of a line gives none.
small = f"{folder}/small"
if count <= 20_000:
    spark(small, size=part_size / 3)
    compare(small, "smaller parts")
shutil.rmtree(f"{folder}/plain")
shutil.rmtree(small, ignore_errors=True)

# The driver is killed, and everything that it started; a second run resumes.
to = f"{folder}/killed"
process = spark(to, start=True)
wait_for_parts(process, to, 6)
os.killpg(process.pid, signal.SIGKILL)
process.communicate()
# Spark creates separate sessions for its workers.
for pid in children("replay_spark.py part"):
    os.kill(pid, signal.SIGKILL)
before = done_parts(to)
check("the run was killed on its way", 6 <= len(before) < 40, len(before))
run = spark(to)
after = done_parts(to)
check("parts that were done are not done again", all(after[part] == inode for part, inode in before.items()))
compare(to, "after a killed run")
print(f"killed with {len(before)} of {len(after)} parts done, and resumed: the same", flush=True)
shutil.rmtree(to)

# A host dies in the middle of its part, repeatedly.
to = f"{folder}/lost"
process = spark(to, start=True)
lost = 0
while process.poll() is None and lost < 3:
    wait_for_parts(process, to, 3 + 8 * lost)
    # The host that a part runs, or the process of the part.
    for part in children("replay_spark.py part"):
        try:
            with open(f"/proc/{part}/task/{part}/children") as file:
                hosts = [int(pid) for pid in file.read().split()]
            os.kill(hosts[0] if hosts else part, signal.SIGKILL)
            lost += 1
            break
        except OSError:
            continue  # it has ended
output = process.communicate()[0]
check("the replay survives lost processes", process.returncode == 0, output[-3000:])
check("processes were lost", lost > 0)
compare(to, "after lost processes")
print(f"{lost} processes lost: the same", flush=True)
shutil.rmtree(to)

# A whole worker is lost, in a cluster in which each is a separate process.
to = f"{folder}/worker"
process = spark(to, master="local-cluster[2,1,1024]", start=True)
wait_for_parts(process, to, 4)
executors = [pid for pid in children("CoarseGrainedExecutorBackend", of=process.pid)]
if executors:
    os.kill(executors[0], signal.SIGKILL)
check("there was a worker to lose", executors)
output = process.communicate()[0]
check("the replay survives a lost worker", process.returncode == 0, output[-3000:])
compare(to, "after a lost worker")
print("a worker lost: the same", flush=True)
shutil.rmtree(to)

# A different corpus must not use the same folder.
to = f"{folder}/other"
os.makedirs(to)
with open(f"{to}/replay.json", "w") as file:
    json.dump({"corpus": []}, file)
run = subprocess.run(
    [python, script, "run", "--program", program, "--markets", f"{repository}/markets", "--to", to, files[0]],
    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
check("results of another replay are refused", run.returncode == 2 and "another replay" in run.stderr, run.stderr)
check("one line says so", run.stderr.count("\n") == 1, run.stderr)

# Errors in the command line are reported before Spark starts.
for arguments, status, message in [
    (["--to", f"{folder}/none", f"{folder}/none.txt"], 2, "there is no such file"),
    (["--to", f"{folder}/none", "-m", "nope", files[0]], 2, 'there is no market "nope"'),
    (["--to", f"{folder}/none", "--hold", "nope", files[0]], 2, 'no precondition "nope"'),
    (["--to", f"{folder}/none", "--part-size", "0", files[0]], 64, "more than 0"), ([files[0]], 64, "--to"),
]:
    run = subprocess.run(
        [python, script, "run", "--program", program, "--markets", f"{repository}/markets", *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    check(f"{arguments} ends with {status}", run.returncode == status and message in run.stderr, run.stderr)
print("spark: " + ("no failure" if failures == 0 else f"{failures} failures"))
sys.exit(1 if failures else 0)
