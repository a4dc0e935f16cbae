#!/usr/bin/env python3
"""Measures `glass-host lsp` over its pipes: python3 Tests/Editors/measure.py .build/release/glass-host [EDITS]

Prints a line for each row of `scripts/benchmark lsp`, separated by tabs: its name, `ours`, and milliseconds, megabytes, or
percent of a processor. With 3 markets: the time from start to the response to initialize; from an edit to its diagnostics;
hover, completion and definition while Lua runs; the memory at rest after EDITS edits (10,000), and its growth since 1,000;
the CPU time while idle. With 200 markets: the time from an edit of the market that all others extend to its own diagnostics,
and to those of all others.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time


# Seconds until an idle server has returned freed memory, and its idle threads have ended.
REST = 10


class Server:
    def __init__(self, host):
        self.process = subprocess.Popen([host, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.answers, self.published = {}, {}
        self.news = threading.Condition()
        self.count = 0
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        output = self.process.stdout
        while header := output.readline():
            length = int(header.split(b":")[1])
            output.readline()
            message = json.loads(output.read(length))
            now = time.perf_counter()
            with self.news:
                if "method" not in message:
                    self.answers[message["id"]] = now
                elif message["method"] == "textDocument/publishDiagnostics":
                    parameters = message["params"]
                    self.published.setdefault(parameters["uri"], []).append((parameters.get("version"), now))
                self.news.notify_all()

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def wait(self, condition):
        with self.news:
            assert self.news.wait_for(condition, 60), "no answer within a minute"

    def ask(self, method, parameters):
        """The milliseconds until the response to a request."""
        self.count += 1
        number = self.count
        start = time.perf_counter()
        self.send({"id": number, "method": method, "params": parameters})
        self.wait(lambda: number in self.answers)
        return (self.answers[number] - start) * 1000

    def notify(self, method, parameters):
        self.send({"method": method, "params": parameters})

    def memory(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1024

    def processor_time(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self):
        self.ask("shutdown", None)
        self.notify("exit", None)
        assert self.process.wait(5) == 0


class Document:
    """An open document with one text that changes."""

    def __init__(self, server, file, place, text=None):
        self.server, self.uri, self.version = server, file.as_uri(), 1
        text = text or file.read_text()
        offset = text.index(place)
        before = text[:offset]
        self.line, self.column = before.count("\n"), offset - (before.rfind("\n") + 1)
        self.length = len(place)
        server.notify("textDocument/didOpen", {
            "textDocument": {"uri": self.uri, "languageId": "lua", "version": 1, "text": text}})

    def edit(self, new):
        """Replaces the text, and returns when the change was sent."""
        self.version += 1
        start = time.perf_counter()
        self.server.notify("textDocument/didChange", {
            "textDocument": {"uri": self.uri, "version": self.version},
            "contentChanges": [{"text": new, "range": {
                "start": {"line": self.line, "character": self.column},
                "end": {"line": self.line, "character": self.column + self.length}}}]})
        self.length = len(new)
        return start

    def published(self):
        """When the diagnostics of the current text arrived; None before."""
        return next((t for version, t in self.server.published.get(self.uri, []) if version == self.version), None)

    def wait(self):
        self.server.wait(lambda: self.published() is not None)
        return self.published()

    def at(self):
        return {"textDocument": {"uri": self.uri}, "position": {"line": self.line, "character": self.column + 4}}


def row(name, value):
    print(f"lsp-{name}\tours\t{value:.4g}", flush=True)


def percentile(times, part):
    times = sorted(times)
    return times[min(len(times) - 1, len(times) * part // 100)]


def started(host, folder):
    start = time.perf_counter()
    server = Server(host)
    server.ask("initialize", {"rootUri": folder.as_uri(), "capabilities": {}})
    elapsed = (time.perf_counter() - start) * 1000
    server.notify("initialized", {})
    return server, elapsed


def few(host, folder, edits):
    starts = []
    for _ in range(10):
        server, elapsed = started(host, folder)
        starts.append(elapsed)
        server.end()
    server, elapsed = started(host, folder)
    row("initialize", percentile(starts + [elapsed], 50))
    canada = Document(server, folder / "markets/ca.lua", "maxRetries = 4")
    canada.wait()
    times, memory = [], 0
    for index in range(edits):
        start = canada.edit(f"maxRetries = {3 + index % 4}")
        # One at a time first, then as fast as they can be written.
        if index < 300 or index in (1000, edits - 1):
            found = canada.wait()
            if index < 300:
                times.append((found - start) * 1000)
        if index == 1000:
            time.sleep(REST)
            memory = server.memory()
    row("edit-p50", percentile(times, 50))
    row("edit-p95", percentile(times, 95))
    time.sleep(REST)
    row("memory", server.memory())
    if memory:
        row("growth", max(0, server.memory() - memory))
    before = server.processor_time()
    time.sleep(3)
    row("idle", (server.processor_time() - before) / 3 * 100)
    # Lua runs until its time limit, repeatedly.
    endless = Document(server, folder / "markets/xx.lua", "1", "while 1 do end")
    for method in ["hover", "completion", "definition"]:
        times = []
        for index in range(200):
            if index % 20 == 0:
                endless.edit(str(index + 2))
            times.append(server.ask(f"textDocument/{method}", canada.at()))
        row(method, percentile(times, 95))
    server.end()


def many(host, folder):
    markets = folder / "markets"
    names = [a + b for a in "defghijklm" for b in "abcdefghijklmnopqrstuvwxyz"][:197]
    canada = (markets / "ca.lua").read_text()
    for name in names:
        (markets / f"{name}.lua").write_text(canada.replace('id = "ca"', f'id = "{name}"'))
    server, _ = started(host, folder)
    base = Document(server, markets / "us.lua", '"alert", "sound", "badge"')
    base.wait()
    dependents = [(markets / f"{name}.lua").as_uri() for name in names + ["ca"]]

    def told():
        return {uri: len(server.published.get(uri, [])) for uri in dependents}

    # All have been evaluated once each no longer has the badge that it removes.
    base.edit('"alert", "sound"')
    server.wait(lambda: all(told().values()))
    times = []
    everything = []
    for index in range(6):
        before = told()
        start = base.edit('"alert", "sound", "badge"' if index % 2 == 0 else '"alert", "sound"')
        times.append((base.wait() - start) * 1000)
        server.wait(lambda: all(told()[uri] > before[uri] for uri in dependents))
        everything.append((max(server.published[uri][-1][1] for uri in dependents) - start) * 1000)
    for index in range(100):
        start = base.edit('"alert", "sound", "badge"' if index % 2 == 0 else '"alert", "sound"')
        times.append((base.wait() - start) * 1000)
    row("edit-200", percentile(times, 95))
    row("all-200", percentile(everything, 50))
    row("memory-200", server.memory())
    server.end()


def main():
    host, edits = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    folder = pathlib.Path(tempfile.mkdtemp())
    try:
        shutil.copytree("markets", folder / "markets")
        few(host, folder, edits)
        (folder / "markets/xx.lua").unlink(missing_ok=True)
        many(host, folder)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
