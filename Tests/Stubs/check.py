"""Plants mistakes in markets and scripts, and counts the diagnostics of EmmyLua's language server: check.py SERVER FOLDER

FOLDER contains the stubs. Ends with 1 if a mistake is not exactly one diagnostic, or if valid code has one.
"""

import json
import pathlib
import subprocess
import sys
import threading
import time

HEAD = 'return market {\n  id = "xx", name = "Test", extends = "us",\n'
# A text, and the line and code of its only diagnostic.
MISTAKES = {
    "an unknown key": (HEAD + '  currensy = "EUR",\n}\n', 1, "param-type-mismatch"),
    "an unknown key in a section": (
        HEAD + "  platform = { networking = { retry = {\n    maxRetires = 4 } } },\n}\n", 3, "assign-type-mismatch"),
    "a value of another type": (
        HEAD + '  platform = { networking = { retry = {\n    maxRetries = "4" } } },\n}\n', 3, "assign-type-mismatch"),
    "no choice": (
        HEAD + '  platform = { urlSession = {\n    cachePolicy = "never" } },\n}\n', 3, "assign-type-mismatch"),
    "an unknown key of the configuration": (
        'local us = glass.market("us")\nprint(us.config.platform.networking.retry.maxRetires)\n', 2, "undefined-field"),
    "an unknown service": (
        'local us = glass.market("us")\nprint(us.container:get("AppInfo"))\n', 2, "param-type-mismatch"),
    "an unknown routable": ('print(glass.market("us"):link("acount"))\n', 1, "param-type-mismatch"),
    "an unknown member of a result": (
        'local result = glass.market("us"):open("walmart://account")\nprint(result.outcom)\n', 2, "undefined-field"),
    # More of the same: names that are enumerations, a result that never exists, a string in place of a secret.
    "an unknown market": ('print(glass.market("uss").id)\n', 1, "param-type-mismatch"),
    "an unknown precondition": ('glass.market("us").preconditions:reset("signdIn")\n', 1, "param-type-mismatch"),
    "an unknown method of a service": (
        'print(glass.market("us").container:get("AppInfoAPI"):bundle())\n', 1, "undefined-field"),
    "an unknown key in an overlay": (
        HEAD + '  overlays = { { name = "a", when = true,\n    platfrom = {} } },\n}\n', 3, "assign-type-mismatch"),
    "no choice in a condition": (
        HEAD + '  conditions = { a = {\n    build = "debgu" } },\n}\n', 3, "assign-type-mismatch"),
    "a value of another type in a condition": (
        HEAD + "  conditions = { a = {\n    signedIn = 1 } },\n}\n", 3, "assign-type-mismatch"),
    "an attribute of an unknown type": (
        HEAD + '  attributes = { a = {\n    type = "bool" } },\n}\n', 3, "assign-type-mismatch"),
    "a secret in the open": (
        HEAD + '  platform = { networking = {\n    consumerKey = "abc" } },\n}\n', 3, "assign-type-mismatch"),
}


# A file with every word and key about situations, and no mistake.
SITUATIONS = HEAD + """  attributes = { tier = { type = "choice", values = { "plus", "gold" }, doc = "From the membership." } },
  conditions = {
    debug = { build = "debug" }, tests = { build = { "debug", "beta" }, osVersion = missing, installID = present },
    internal = any { "debug", { audience = "associates", environment = no "production" }, { tier = "gold" } },
    late = all { "debug", no { region = { "CA", "US-AL" } }, { date = ">= 2026-11-27T00:00Z", locale = "fr" }, true },
  },
  overlays = {
    { name = "one", when = "debug", platform = { networking = { retry = { maxRetries = 0 } } } },
    { name = "two", when = { platform = "iOS", appVersion = "< 18.2" }, beats = { "three" }, currency = "CAD" },
    { name = "three", when = any { "debug", "tests" }, routables = { home = false } },
    { name = "four", when = false },
  },
  platform = {
    networking = {
      retry = {
        maxRetries = vary { { when = "debug", value = 0 }, { when = { deviceClass = "tablet" }, value = 2 }, default = 3 },
        jitter = vary { { when = "debug", value = 0.5 } }, statuses = prepend { 599 },
      },
      consumerKey = vary { { when = "debug", value = secret "GLASS_A" }, default = secret "GLASS_B" },
    },
    urlSession = {
      setsCookies = vary { { when = "debug", value = true }, default = false },
      cachePolicy = perLocale { en = "useProtocolCachePolicy", default = "returnCacheDataElseLoad" },
    },
  },
  routables = { home = vary { { when = "debug", value = { paths = { "a" } } }, default = false } },
}
"""


class Server:
    def __init__(self, program, folder):
        self.process = subprocess.Popen(
            [program, "--editor", "neovim"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.answers, self.news, self.count = {}, threading.Condition(), 0
        threading.Thread(target=self.read, daemon=True).start()
        self.ask("initialize", {
            "processId": None, "rootUri": folder.as_uri(),
            "workspaceFolders": [{"uri": folder.as_uri(), "name": "work"}],
            "capabilities": {"textDocument": {"diagnostic": {}}, "workspace": {}},
        })
        self.send({"method": "initialized", "params": {}})

    def read(self):
        output = self.process.stdout
        while header := output.readline():
            length = int(header.split(b":")[1]) if header.lower().startswith(b"content-length") else 0
            while (line := output.readline()) != b"\r\n":
                if line.lower().startswith(b"content-length"):
                    length = int(line.split(b":")[1])
            message = json.loads(output.read(length))
            if "method" in message and "id" in message:
                items = message.get("params", {}).get("items", [])
                self.send({"id": message["id"], "result": [None] * len(items) or None})
            elif "method" not in message:
                with self.news:
                    self.answers[message["id"]] = message
                    self.news.notify_all()

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def ask(self, method, parameters):
        self.count += 1
        number = self.count
        self.send({"id": number, "method": method, "params": parameters})
        with self.news:
            assert self.news.wait_for(lambda: number in self.answers, 60), f"no answer to {method} within a minute"
        return self.answers[number].get("result")

    def open(self, file):
        self.send({"method": "textDocument/didOpen", "params": {"textDocument": {
            "uri": file.as_uri(), "languageId": "lua", "version": 1, "text": file.read_text()}}})

    def diagnostics(self, file):
        """The server's diagnostics for an open file, as lines and codes."""
        result = self.ask("textDocument/diagnostic", {"textDocument": {"uri": file.as_uri()}}) or {}
        return [(d["range"]["start"]["line"] + 1, d["code"], d["message"]) for d in result.get("items", [])]


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    wrong, right = {}, []
    for number, (name, (text, line, code)) in enumerate(MISTAKES.items()):
        file = folder / f"mistake{number}.lua"
        file.write_text(text)
        wrong[name] = (file, line, code)
    for market in sorted(pathlib.Path("markets").glob("*.lua")):
        text = market.read_text()
        right.append(folder / market.name)
        # As shipped, and with its keys checked.
        right[-1].write_text(text)
        right.append(folder / f"typed_{market.name}")
        right[-1].write_text(text.replace("\nreturn {", "\nreturn market {"))
    right.append(folder / "situations.lua")
    right[-1].write_text(SITUATIONS)
    for script in ["smoke.lua", "links_test.lua"]:
        right.append(folder / script)
        right[-1].write_text((pathlib.Path("scripts") / script).read_text())
    server = Server(program, folder)
    for file in [file for file, _, _ in wrong.values()] + right:
        server.open(file)
    first = next(iter(wrong.values()))[0]
    # The server responds before it has read the stubs.
    for _ in range(300):
        found = server.diagnostics(first)
        if found and all(code != "undefined-global" for _, code, _ in found):
            break
        time.sleep(0.1)
    failed = 0
    for name, (file, line, code) in wrong.items():
        found = server.diagnostics(file)
        if [d[:2] for d in found] != [(line, code)]:
            failed += 1
            print(f"{name}: expected {code} in line {line}, got {found or 'nothing'}")
    for file in right:
        for line, code, message in server.diagnostics(file):
            failed += 1
            print(f"{file.name}:{line}: {code}: {message}")
    server.process.kill()
    print(f"stubs: {len(wrong)} mistakes, {len(right)} files without one: {'ok' if not failed else f'{failed} wrong'}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
