#!/usr/bin/env python3
"""Measures `glass-host lsp` over its pipes: python3 Tests/Editors/measure.py .build/release/glass-host [markets] [edits]

Prints, in milliseconds, the time from start to the answer to initialize, from an edit to its diagnostics, and of hover,
completion and definition; and the memory after the edits.
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
            with self.news:
                if "method" not in message:
                    self.answers[message["id"]] = message
                elif message["method"] == "textDocument/publishDiagnostics":
                    self.published[(message["params"]["uri"], message["params"].get("version"))] = time.perf_counter()
                self.news.notify_all()

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def wait(self, condition):
        with self.news:
            assert self.news.wait_for(condition, 60), "no answer within a minute"

    def ask(self, method, parameters):
        self.count += 1
        number = self.count
        start = time.perf_counter()
        self.send({"id": number, "method": method, "params": parameters})
        self.wait(lambda: number in self.answers)
        return (time.perf_counter() - start) * 1000

    def notify(self, method, parameters):
        self.send({"method": method, "params": parameters})

    def memory(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) // 1024


def shown(name, times):
    times = sorted(times)
    print(f"{name}: p50 {times[len(times) // 2]:.1f} ms, p95 {times[len(times) * 95 // 100]:.1f} ms")


def main():
    host, more = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3
    edits = int(sys.argv[3]) if len(sys.argv) > 3 else 10_000
    folder = pathlib.Path(tempfile.mkdtemp())
    markets = folder / "markets"
    shutil.copytree("markets", markets)
    canada = (markets / "ca.lua").read_text()
    names = [a + b for a in "defghijklm" for b in "abcdefghijklmnopqrstuvwxyz"]
    for name in names[: max(0, more - 3)]:
        (markets / f"{name}.lua").write_text(canada.replace('id = "ca"', f'id = "{name}"'))
    start = time.perf_counter()
    server = Server(host)
    server.ask("initialize", {"rootUri": folder.as_uri(), "capabilities": {}})
    print(f"initialize from start: {(time.perf_counter() - start) * 1000:.0f} ms")
    server.notify("initialized", {})
    name = "us.lua" if more > 3 else "ca.lua"
    uri, text = (markets / name).as_uri(), (markets / name).read_text()
    server.notify(
        "textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "lua", "version": 1, "text": text}}
    )
    server.wait(lambda: (uri, 1) in server.published)
    lines = text.splitlines()
    line = next(i for i, value in enumerate(lines) if "maxRetries" in value)
    column = lines[line].index("maxRetries") + len("maxRetries = ")
    place = {"textDocument": {"uri": uri}, "position": {"line": line, "character": column - 5}}
    digits, version, times, memory = lines[line][column], 1, [], 0
    for index in range(edits):
        version += 1
        new = "3" if digits != "3" else "5"
        change = {"start": {"line": line, "character": column}, "end": {"line": line, "character": column + 1}}
        start = time.perf_counter()
        server.notify(
            "textDocument/didChange",
            {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"range": change, "text": new}]},
        )
        digits = new
        # One at a time first, then as fast as they can be written.
        if index < 300 or index == edits - 1:
            wanted = (uri, version)
            server.wait(lambda: wanted in server.published)
            if index < 300:
                times.append((server.published[wanted] - start) * 1000)
        if index == 1000:
            memory = server.memory()
    shown("edit to diagnostics", times)
    for method in ["hover", "completion", "definition"]:
        shown(method, [server.ask(f"textDocument/{method}", place) for _ in range(200)])
    print(f"memory: {memory or '-'} MB after 1,000 edits, {server.memory()} MB after {edits}")
    server.ask("shutdown", None)
    server.notify("exit", None)
    print(f"status: {server.process.wait(5)}")
    shutil.rmtree(folder)


if __name__ == "__main__":
    os.chdir(pathlib.Path(__file__).parent.parent.parent)
    main()
