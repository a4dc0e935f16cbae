"""Types into the prompt of a host in a pseudo terminal and compares the output.

usage: session.py PROGRAM FOLDER
"""

import os
import pty
import select
import shutil
import signal
import stat
import subprocess
import sys
import time

program, folder = sys.argv[1:]
repository = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
shutil.copytree(f"{repository}/markets", f"{folder}/markets")
failures = 0


def check(claim, holds, shown=""):
    global failures
    if not holds:
        failures += 1
        print(f"not so: {claim}" + (f"\n{shown!r}" if shown else ""))


class Session:
    """A host at its prompt."""

    def __init__(self, *options, **variables):
        environment = {"PATH": "/usr/bin:/bin", "HOME": folder, "TERM": "xterm", "TMPDIR": folder} | variables
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.execve(program, ["glass-host", "repl", "-m", "ca", *options], environment)
        self.rest = ""
        self.greeting = self.until("ca> ")

    def until(self, text, limit=60):
        """The output up to a text, which is consumed."""
        end = time.monotonic() + limit
        while text not in self.rest:
            if not select.select([self.terminal], [], [], max(0, end - time.monotonic()))[0]:
                raise SystemExit(f"waited for {text!r} in vain: {self.rest!r}")
            try:
                self.rest += os.read(self.terminal, 65536).decode(errors="replace")
            except OSError:
                raise SystemExit(f"ended before {text!r}: {self.rest!r}")
        seen, self.rest = self.rest.split(text, 1)
        return seen + text

    def type(self, keys):
        os.write(self.terminal, keys.encode())

    def answer(self, line, prompt="ca> "):
        """The output after a line up to the next prompt."""
        self.type(line + "\n")
        return self.until("\n" + prompt).split("\n", 1)[1].removesuffix(prompt).strip("\r\n").replace("\r", "")

    def end(self, keys="\x04"):
        """The exit status of the session."""
        self.type(keys)
        while True:
            try:
                if not os.read(self.terminal, 65536):
                    break
            except OSError:
                break
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])


# Characters work with any locale: none, an unknown one, a different encoding, the correct one.
for variables in [{}, {"LC_ALL": "C"}, {"LC_ALL": "xx_XX"}, {"LANG": "C.UTF-8"}]:
    session = Session(**variables)
    shown = session.answer('"é€😀 日本"')
    check(f"text is UTF-8 with {variables}", shown == '"é€😀 日本"', shown)
    # Backspace removes a character, not one of its bytes.
    shown = session.answer('"aé\x7fb"')
    check(f"a character is removed whole with {variables}", shown == '"ab"', shown)
    check("Ctrl-D ends with 0", session.end() == 0)

session = Session()
# Ctrl-C at the prompt, in continued input, and while Lua runs.
session.type("1 + \x03")
session.until("^C\r\nca> ")
check("the line was given up", session.answer("2 + 2") == "4")
session.type("for i = 1, 2 do\n")
session.until("ca>> ")
session.type("print(i) \x03")
session.until("^C\r\nca> ")
check("the whole input was given up", session.answer("3 + 3") == "6")
session.type('print("running") kept = 5 while true do end\n')
# The printed text, not the typed one.
session.until("running\r\n")
session.type("\x03")
shown = session.until("ca> ")
check("what ran was ended", "error: interrupted" in shown, shown)
check("the session lives, with its globals", session.answer("kept") == "5")
shown = session.answer("local n = 0 for i = 1, 1e6 do n = n + i end return n")
check("the next input is not interrupted", shown == "500000500000", shown)

# Completion.
session.type(":mar\t us\n")
session.until("us> ")
session.type(":market c\t\n")
session.until("ca> ")
for line, value in [
    ("market.conf\t.currency", '"CAD"'), ('glass.market("m\t").id', '"mx"'),
    ('market.container:has("NetworkIn\t")', "true"), ("market.container:get('NetworkIn\t') ~= nil", "true"),
]:
    shown = session.answer(line)
    check(f"{line!r} is completed", shown.split("\n")[-1] == value, shown)

# Values that can be typed again.
for source in [
    '{ 1, { a = { b = { c = { d = { e = "f" } } } } }, 2.5, 3.0 }', '"a\\n\\000\\0271\\t\\"\\\\"', "1e+300", "-math.huge",
    'math.mininteger', '{ ["end"] = true, [2.5] = 1, ["a b"] = 2 }', '"\\255\\0010"',
]:
    first = session.answer(source).replace("\n", " ")
    check(f"{source} is what it prints", session.answer(first).replace("\n", " ") == first, first)

# The output of :reload.
path = f"{folder}/markets/ca.lua"
with open(path) as file:
    text = file.read()
check("nothing changed", session.answer(":reload") == "no relevant changes")
with open(path, "w") as file:
    file.write(text.replace('name = "Canada"', 'name = "Kanada"'))
shown = session.answer(":reload")
check("the change is told", '~ name: "Canada" → "Kanada"' in shown, shown)
with open(path, "w") as file:
    file.write("return {")
shown = session.answer(":reload")
check("errors are told", "cannot be loaded" in shown, shown)
check("and the market stays", session.answer("market.name") == '"Kanada"')
with open(path, "w") as file:
    file.write(text)
check("quitting ends with 0", session.end(":quit\n") == 0)

# The history: its path, its permissions, and its contents.
state = f"{folder}/.local/state/glass-host" if sys.platform != "darwin" else f"{folder}/Library/Application Support/glass-host"
check("the history is its owner's", stat.S_IMODE(os.stat(f"{state}/history").st_mode) == 0o600)
check("and so is its folder", stat.S_IMODE(os.stat(state).st_mode) == 0o700)
session = Session()
session.type("\x1b[A")
session.until(":quit")
session.end("\x15\x04")
if sys.platform != "darwin":
    session = Session(XDG_STATE_HOME=f"{folder}/other")
    session.answer("1")
    session.end()
    check("XDG_STATE_HOME names the place", os.path.exists(f"{folder}/other/glass-host/history"))
session = Session(GLASS_HISTORY="", XDG_STATE_HOME=f"{folder}/none")
session.answer("1")
session.end()
check("an empty GLASS_HISTORY keeps none", not os.path.exists(f"{folder}/none"))
os.chmod(folder, 0o700)
with open(f"{folder}/file", "w"):
    pass
session = Session(XDG_STATE_HOME=f"{folder}/file")
check("a place that cannot be used is said", "cannot keep a history in" in session.greeting, session.greeting)
check("and the session goes on", session.answer("1") == "1")
session.end()

# Piped input creates no history.
subprocess.run(
    [program, "repl", "-m", "ca"], input="1", text=True, cwd=folder, stdout=subprocess.DEVNULL,
    env={"PATH": "/usr/bin:/bin", "HOME": f"{folder}/pipe", "XDG_STATE_HOME": f"{folder}/pipe", "TMPDIR": folder})
check("a pipe makes no folder for a history", not os.path.exists(f"{folder}/pipe"))

# A hang-up ends it, like any process.
session = Session()
os.kill(session.process, signal.SIGTERM)
check("a request to end is one", session.end("") == 128 + signal.SIGTERM)

print(f"repl: {'no failure' if failures == 0 else f'{failures} failures'}")
sys.exit(1 if failures else 0)
