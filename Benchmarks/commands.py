#!/usr/bin/env python3
"""Times whole processes: `glass-host check` of 303 markets, and `glass-host review` of three markets, of 200, and what
10,000 recorded links add.

usage: commands.py HOST MARKETS FOLDER

Prints lines for the report: an id, `floor` or `ours`, nanoseconds. The floor is `git --version`, a process that does
nothing. Needs git and leaves its repositories in FOLDER.
"""

import os
import shutil
import statistics
import subprocess
import sys
import time

host, markets, folder = sys.argv[1:]


def git(where, *arguments):
    identity = {"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@b"}
    subprocess.run(["git", *arguments], cwd=where, check=True, env={**os.environ, **identity}, stdout=subprocess.DEVNULL)


def repository(name, more):
    """Commits the real markets and so many that extend them, then changes the one that all extend."""
    where = f"{folder}/{name}"
    shutil.copytree(markets, f"{where}/markets")
    for number in range(more):
        with open(f"{where}/markets/m{number:03}.lua", "w") as file:
            file.write(
                f'return {{ id = "m{number:03}", name = "M", extends = "us",\n'
                f'deepLinking = {{ schemes = {{ "m{number:03}" }}, universalLinks = {{ "m{number:03}.example" }} }} }}\n'
            )
    git(where, "init", "--quiet")
    git(where, "add", "--all")
    git(where, "commit", "--quiet", "--message", "Markets")
    with open(f"{where}/markets/us.lua") as file:
        text = file.read()
    with open(f"{where}/markets/us.lua", "w") as file:
        file.write(text.replace("    cart = {},", '    cart = { paths = { "basket" } },').replace("maxRetries = 3", "maxRetries = 1"))
    return where


def nanoseconds(command, where, rounds, expected):
    times = []
    for _ in range(rounds):
        start = time.perf_counter_ns()
        status = subprocess.run(command, cwd=where, stdout=subprocess.DEVNULL).returncode
        times.append(time.perf_counter_ns() - start)
        if status != expected:
            sys.exit(f"{command} ended with {status}, expected {expected}")
    return statistics.median(times)


few, many, most = repository("few", 0), repository("many", 197), repository("most", 300)
with open(f"{folder}/links.txt", "w") as file:
    for number in range(10_000):
        file.write(f"walmart://{['ip/', 'search?q=', 'cart?n='][number % 3]}{number}\n")
floor = nanoseconds(["git", "--version"], folder, 11, 0)
three = nanoseconds([host, "review"], few, 11, 1)
linked = nanoseconds([host, "review", "--links", f"{folder}/links.txt"], few, 5, 1)
rows = [
    ("check-303", nanoseconds([host, "check"], most, 3, 0)),
    ("review-3", three),
    ("review-200", nanoseconds([host, "review"], many, 3, 1)),
    ("review-links", linked - three),
]
for name, value in rows:
    print(f"{name}\tfloor\t{floor}\n{name}\tours\t{value}")
