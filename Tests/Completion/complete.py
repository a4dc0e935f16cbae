"""Types lines into a real shell in a pseudo terminal, presses Tab, and compares the completed line.

usage: complete.py SHELL PROGRAM FOLDER
"""

import os
import pty
import shutil
import subprocess
import sys
import threading

shell, program, folder = sys.argv[1:]
repository = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def prepare():
    """A home with the scripts installed, a project with the markets, and folders with unusual names or permissions."""
    project, binaries = f"{folder}/project", f"{folder}/bin"
    os.makedirs(binaries)
    shutil.copytree(f"{repository}/markets", f"{project}/markets")
    for name in ["glass-host", "shop-host"]:
        os.symlink(program, f"{binaries}/{name}")
    for place in ["project/my markets", "home-markets"]:
        shutil.copytree(f"{repository}/markets", f"{folder}/{place}")
        for name in ["ca.lua", "us.lua"]:
            os.remove(f"{folder}/{place}/{name}")
    shutil.copytree(f"{repository}/markets", f"{project}/broken")
    with open(f"{project}/broken/ca.lua", "w") as file:
        file.write("return { id = ")
    os.makedirs(f"{project}/hostile")
    for name in ["$(touch owned)", "`touch owned`", "zz;touch owned", "zz"]:
        with open(f"{project}/hostile/{name}.lua", "w") as file:
            file.write("return {}")
    os.mkdir(f"{project}/closed", 0)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.com"]
    for command in [["init", "-q", "-b", "trunk"], ["commit", "-q", "--allow-empty", "-m", "a"], ["branch", "zfeature/x"]]:
        subprocess.run(git + command, cwd=project, check=True)
    return project


def install(environment):
    """Installs the scripts as described in README and `--help`, and returns the command that starts the shell."""
    start = {
        "bash": ["bash", "--noprofile", "--rcfile", f"{folder}/rc", "-i"],
        "zsh": ["zsh", "-i"],
        "fish": ["fish", "-i"],
    }[shell]

    def script(name):
        return subprocess.run(
            [f"{folder}/bin/{name}", "--generate-completion-script", shell], env=environment, check=True, text=True,
            stdout=subprocess.PIPE).stdout

    if shell == "bash":
        with open(f"{folder}/rc", "w") as file:
            for name in ["glass-host", "shop-host"]:
                file.write(f"source <({name} --generate-completion-script bash)\n")
            file.write(f"""bind -x '"\\C-g": printf "%s\\n" "$READLINE_LINE" >{folder}/line'\nPS1='READY '\n""")
    elif shell == "zsh":
        os.mkdir(f"{folder}/functions")
        for name in ["glass-host", "shop-host"]:
            with open(f"{folder}/functions/_{name}", "w") as file:
                file.write(script(name))
        with open(f"{folder}/.zshrc", "w") as file:
            file.write(
                f"fpath=({folder}/functions $fpath)\nautoload -U compinit\ncompinit -u -D\n"
                f'line() {{ print -r -- "$BUFFER" >{folder}/line }}\nzle -N line\nbindkey "^G" line\nPS1="READY "\n')
    else:
        os.makedirs(f"{folder}/.config/fish/completions")
        # Without this folder, fish starts to read all manual pages, and still writes when the test is over.
        os.makedirs(f"{environment.get('XDG_DATA_HOME', folder + '/.local/share')}/fish/generated_completions")
        for name in ["glass-host", "shop-host"]:
            with open(f"{folder}/.config/fish/completions/{name}.fish", "w") as file:
                file.write(script(name))
        with open(f"{folder}/.config/fish/config.fish", "w") as file:
            file.write(f"bind \\cg 'commandline >{folder}/line'\nfunction fish_prompt; echo 'READY '; end\n")
    return start


class Shell:
    """An interactive shell; its output is read continuously, so that it never blocks."""

    def __init__(self, arguments, environment, place):
        os.mkfifo(f"{folder}/line")
        self.shown = b""
        self.is_ready = threading.Event()
        process, self.terminal = pty.fork()
        if process == 0:
            os.chdir(place)
            os.execvpe(arguments[0], arguments, environment)
        threading.Thread(target=self.read, daemon=True).start()
        assert self.is_ready.wait(30), f"{shell} shows no prompt: {self.shown}"

    def read(self):
        while True:
            try:
                part = os.read(self.terminal, 65536)
            except OSError:
                return
            self.shown += part
            if b"READY" in self.shown:
                self.is_ready.set()

    def complete(self, line, keys=""):
        """The line after pressing Tab at its end, or after other keys."""
        # Ctrl-E and Ctrl-U clear the line.
        os.write(self.terminal, f"\x05\x15{line}{keys}\t\x07".encode())
        with open(f"{folder}/line") as file:
            return file.read().rstrip("\n")


project = prepare()
environment = {
    "PATH": f"{folder}/bin:/usr/local/bin:/usr/bin:/bin", "HOME": folder, "ZDOTDIR": folder, "TERM": "xterm",
    "LC_ALL": "C.UTF-8", "XDG_CONFIG_HOME": f"{folder}/.config", "XDG_DATA_HOME": f"{folder}/data", "COLUMNS": "200",
}
session = Shell(install(environment), environment, project)
cases = [
    ("glass-host show platform.networking.retry.maxR", "etries "),
    ("glass-host explain -m ca curr", "ency "),
    # Options may precede the command.
    ("glass-host -m ca show curr", "ency "),
    ("glass-host -m c", "a "),
    ("glass-host check c", "a "),
    ("glass-host diff us m", "x "),
    ("glass-host new br --extends u", "s "),
    ("glass-host open --hold sig", "nedIn "),
    ("glass-host services NetworkIn", "formationProvider "),
    ("glass-host diff --against zf", "eature/x "),
    ("glass-host matrix --below platform.networking.retry.maxR", "etries "),
    # Quotes and spaces, before the word and inside it.
    ("glass-host check --markets 'my markets' m", "x "),
    ('glass-host check --markets "my markets" m', "x "),
    ("glass-host check --markets my\\ markets m", "x "),
    ("glass-host check --markets ~/home-markets m", "x "),
    # An app's own host, next to the default one.
    ("shop-host show platform.networking.retry.maxR", "etries "),
    # No candidates, and no message: links, a market with errors, a missing folder, one without permission.
    ("glass-host explain walmart://myac", ""),
    ("glass-host show --markets broken -m ca curr", ""),
    ("glass-host check --markets nowhere c", ""),
    ("glass-host check --markets closed c", ""),
    # The name of a file is not executed.
    ("glass-host check --markets hostile z", "z "),
]
failures = 0
for line, rest in cases:
    became = session.complete(line)
    # fish and zsh may omit the space until the next key.
    if became.rstrip(" ") != (line + rest).rstrip(" "):
        print(f"{shell}: {line!r} became {became!r}, not {line + rest!r}")
        failures += 1
if shell == "bash":
    # The others complete the whole word, wherever the cursor is in it.
    became = session.complete("glass-host show currx", "\x02")
    if not became.startswith("glass-host show currency"):
        print(f"{shell}: inside a word: {became!r}")
        failures += 1
quoted = session.complete("glass-host check 'c")
if quoted.rstrip(" ") not in ["glass-host check 'ca'", "glass-host check 'ca"]:
    print(f"{shell}: in quotes: {quoted!r}")
    failures += 1
if os.path.exists(f"{project}/owned"):
    print(f"{shell}: ran the name of a file")
    failures += 1
for message in [b"error:", b"Error", b"cannot", b"invalid"]:
    if message in session.shown:
        print(f"{shell}: shows a message: {session.shown!r}")
        failures += 1
print(f"{shell}: {len(cases)} lines and {'no failure' if failures == 0 else f'{failures} failures'}")
sys.exit(1 if failures else 0)
