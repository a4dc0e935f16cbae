#!/usr/bin/env python3
"""Times `glass-host review` of whole processes: three markets, 200 markets, and what 10,000 recorded links add.

usage: review.py HOST MARKETS FOLDER

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


def milliseconds(command, where, rounds):
    times = []
    for _ in range(rounds):
        start = time.perf_counter_ns()
        status = subprocess.run(command, cwd=where, stdout=subprocess.DEVNULL).returncode
        times.append(time.perf_counter_ns() - start)
        if command[0] == host and status != 1:
            sys.exit(f"review ended with {status}, expected 1")
    return statistics.median(times)


few, many = repository("few", 0), repository("many", 197)
with open(f"{folder}/links.txt", "w") as file:
    for number in range(10_000):
        file.write(f"walmart://{['ip/', 'search?q=', 'cart?n='][number % 3]}{number}\n")
floor = milliseconds(["git", "--version"], folder, 11)
three = milliseconds([host, "review"], few, 11)
linked = milliseconds([host, "review", "--links", f"{folder}/links.txt"], few, 5)
for name, value in [("review-3", three), ("review-200", milliseconds([host, "review"], many, 3)), ("review-links", linked - three)]:
    print(f"{name}\tfloor\t{floor}\n{name}\tours\t{value}")
