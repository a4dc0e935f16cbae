#!/usr/bin/env python3
"""Compares swcutil's results for links with ours.

    ask.py CASES.tsv                  checks each row: FILE, URL, expected result (opens, stays or unknown), description
    ask.py --links FILE HOST          writes rows for an exported file: a link for each of its components

Paths of files are relative to the folder of CASES.tsv. `sudo swcutil verify` needs a Mac; GLASS_SWCUTIL names another
program to run instead. Ends with 1 if the system's result differs from the expected one, or is not recognized. Rows with
`unknown` are printed with the result, which then belongs in the tests.
"""
import csv
import json
import os
import pathlib
import re
import subprocess
import sys

# The output of swcutil on macOS 27.0, in order of precedence.
ANSWERS = (("blocked match", "stays"), ("did not match", "stays"), ("matched", "opens"))


def answer(text):
    return next((verdict for words, verdict in ANSWERS if words in text.lower()), None)


def ask(file, url):
    command = [os.environ["GLASS_SWCUTIL"]] if "GLASS_SWCUTIL" in os.environ else ["sudo", "swcutil"]
    host = url.split("/")[2]
    done = subprocess.run(
        [*command, "verify", "-d", host, "-j", str(file), "-u", url], capture_output=True, text=True, timeout=60)
    return done.stdout + done.stderr


def compare(path):
    wrong = learned = count = 0
    with open(path, encoding="utf-8", newline="") as rows:
        for file, url, expected, about in csv.reader(rows, delimiter="\t", quoting=csv.QUOTE_NONE):
            count += 1
            text = ask(pathlib.Path(path).parent / file, url)
            verdict = answer(text)
            if verdict is None:
                wrong += 1
                print(f"no known answer: {url} ({about}): {' '.join(text.split())[:200]}")
            elif expected == "unknown":
                learned += 1
                print(f"learned: {url} {verdict} ({about})")
            elif verdict != expected:
                wrong += 1
                print(f"wrong: {url} {verdict}, expected that it {expected} ({about})")
    print(f"{count} links: {wrong} wrong, {learned} learned")
    return 1 if wrong or not count else 0


def example(pattern, variables):
    """A text that matches one of our patterns."""
    def variable(match):
        name = match[1]
        return "a" if name == "xdigit" else variables[name][0]

    text = re.sub(r"\$\(([^)]*)\)", variable, pattern)
    return text.replace("?*", "x").replace("?", "x").replace("*", "")


def links(file, host):
    applinks = json.loads(pathlib.Path(file).read_text(encoding="utf-8"))["applinks"]
    variables = applinks.get("substitutionVariables", {})
    name = pathlib.Path(file).name
    for detail in applinks["details"]:
        for component in detail["components"]:
            path = component["/"]
            if component.get("exclude"):
                continue
            query = "&".join(f"{key}={example(value, variables)}" for key, value in component.get("?", {}).items())
            url = f"https://{host}{example(path, variables)}" + (f"?{query}" if query else "")
            print(name, url, "opens", path, sep="\t")
        # No market has a route with this many segments, unless one starts with a catch-all.
        if not any(component["/"].startswith(("/?*", "/*", "*")) for component in detail["components"]
                   if not component.get("exclude")):
            print(name, f"https://{host}/no-such/route/of/any/market/at/all", "stays", "no route", sep="\t")


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[1] == "--links":
        links(sys.argv[2], sys.argv[3])
    elif len(sys.argv) == 2 and not sys.argv[1].startswith("-"):
        sys.exit(compare(sys.argv[1]))
    else:
        print(__doc__, file=sys.stderr)
        sys.exit(64)
