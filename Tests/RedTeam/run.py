#!/usr/bin/env python3
"""Attacks on the commands of glass-host from outside: files of a pull request, a served site, a page in the browser, an editor.

    Tests/RedTeam/run.py HOST [NAME…] [--markets DIR] [--list]

A NAME is a case or a prefix of several. Each case works in a temporary folder with a copy of the project's markets (--markets,
else ./markets), runs HOST with limits, and ends what it started. It prints `held NAME: figures` or `FELL NAME: reason`, then a
total, and ends with 1 if a case fell. The control cases are harmless: if one of them falls, the others prove nothing.

A command with hostile input uses at most 2 s of CPU time, including its git, and 300 MB. It ends within 5 s of wall time,
`verify` within 15 s. Its status is 0, 1, or 2; no signal ends it, and it leaves no process behind. The inspector serves /app.js
within 2 s during an attack and after it, and is idle once the attackers have disconnected. The language server responds to a
request within 5 s. Nothing in a file outside the project is printed.

Python 3.11 on Linux; uses only the loopback network. HOSTILE_SLOWNESS=2 doubles the time limits.
"""
import argparse, contextlib, ctypes, inspect, json, os, pathlib, re, resource, shutil, signal, socket, stat, struct, subprocess, sys
import tempfile, threading, time, zlib

SLOWNESS = float(os.environ.get("HOSTILE_SLOWNESS", "1"))
CPU_S, RSS_MB = 2.0 * SLOWNESS, 300             # for any single command, whatever its input
WALL_S, VERIFY_WALL_S = 5.0 * SLOWNESS, 15.0 * SLOWNESS
PAGE_S = 2.0 * SLOWNESS                         # the inspector's own page, during an attack and after it
ADDRESS_SPACE = 8 << 30
PR_SET_CHILD_SUBREAPER = 36
KEPT = 1 << 20                                  # bytes at the start and end of an output that are examined
APP = "US7W4LMART.com.walmart.electronics"      # the app of the project's market us


class Fell(Exception):
    """The host does not withstand the case; the text has the reason."""


def market(body="", before="", id="zz"):
    return f'{before}\nreturn {{ id = "{id}", name = "Z", extends = "us", {body} }}\n'


class Ended:
    def __init__(self, code, hung, cpu, rss, wall, left, out, err):
        self.code, self.hung, self.cpu, self.rss, self.wall, self.left, self.out, self.err = code, hung, cpu, rss, wall, left, out, err
        self.text = (out + b"\n" + err).decode("utf8", "replace")
        self.figures = f"{cpu:.1f} s CPU, {rss:.0f} MB, {wall:.1f} s"

    def bounded(self, wall=WALL_S, cpu=CPU_S, rss=RSS_MB, codes=(0, 1, 2)):
        """-> the figures; raises if a bound is exceeded"""
        bad = []
        if self.hung: bad.append(f"no end within {wall:.0f} s")
        elif self.code < 0: bad.append(f"ended by signal {-self.code}")
        elif codes is not None and self.code not in codes: bad.append(f"exit status {self.code}")
        if self.cpu > cpu: bad.append(f"more than {cpu:.0f} s CPU")
        if self.rss > rss: bad.append(f"more than {rss} MB")
        if self.left and not self.hung: bad.append(f"left {' and '.join(self.left)} running")
        if bad: raise Fell(", ".join(bad) + f" ({self.figures}; {' '.join(self.text.split())[-90:]!r})")
        return self.figures


def cpu_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def peak_mb(pid):
    return next(int(l.split()[1]) / 1024 for l in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines() if l.startswith("VmHWM"))


def state_of(pid):
    """-> a letter such as R, S or Z, and the name; Z if the process has ended"""
    try: name, rest = pathlib.Path(f"/proc/{pid}/stat").read_text().split("(", 1)[1].rsplit(")", 1)
    except OSError: return "Z", ""
    return rest.split()[0], name


def children_of(parent):
    found = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit(): continue
        with contextlib.suppress(OSError):
            if int(pathlib.Path(f"/proc/{entry}/stat").read_text().rsplit(")", 1)[1].split()[1]) == parent: found.append(int(entry))
    return found


class Case:
    """The resources of a case: a temporary folder, the host, and everything that is ended afterwards."""

    def __init__(self, host, markets):
        self.host = str(host)
        self.room = pathlib.Path(tempfile.mkdtemp(prefix="red-team-")).resolve()
        self.folder, self.outside = self.room / "project", self.room / "outside"
        for name in ("home", "tmp"): (self.room / name).mkdir()
        self.folder.mkdir(), self.outside.mkdir()
        shutil.copytree(markets, self.folder / "markets")
        self.ends = contextlib.ExitStack()
        self.count, self.alive = 0, set()
        # Processes that the host starts may have their own groups (git); orphans become children of this process, and
        # are found.
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

    def close(self):
        self.ends.close()
        for path, folders, _ in os.walk(self.room):
            with contextlib.suppress(OSError): os.chmod(path, 0o700)
        shutil.rmtree(self.room, ignore_errors=True)

    # files

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf8", "surrogateescape"))
        return path

    def pipe(self, name):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_symlink() or path.exists(): path.unlink()
        os.mkfifo(path)
        return path

    def link(self, name, to):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        os.symlink(to, path)
        return path

    def sparse(self, name, size):
        path = self.write(name, b"")
        os.truncate(path, size)
        return path

    def change(self, old, new, file="markets/us.lua"):
        path = self.folder / file
        text = path.read_text()
        assert old in text, f"the project's {file} no longer has {old!r}: update the case"
        path.write_text(text.replace(old, new))

    def git(self, *arguments, given=None):
        done = subprocess.run(
            ["git", "-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "commit.gpgsign=false", "-c", "init.defaultBranch=main",
             *arguments], cwd=self.folder, input=given, capture_output=True, env=self.environment(), timeout=60)
        if done.returncode: raise RuntimeError(f"git {arguments[0]}: {done.stderr[:200]!r}")
        return done.stdout.strip().decode()

    def repository(self):
        self.git("init", "-q"), self.git("add", "-A"), self.git("commit", "-qm", "one")

    def commit_of(self, tree, branch="evil"):
        """A commit whose tree has `markets` = tree."""
        top = self.git("mktree", "-z", given=b"040000 tree " + tree.encode() + b"\tmarkets\0")
        self.git("branch", branch, self.git("commit-tree", top, "-m", "m"))
        return branch

    # runs

    def environment(self, more=()):
        return {"PATH": os.environ["PATH"], "HOME": str(self.room / "home"), "TMPDIR": str(self.room / "tmp"), "NO_COLOR": "1", **dict(more)}

    def start(self, *arguments, env=(), **streams):
        process = subprocess.Popen(
            [self.host, *map(str, arguments)], cwd=self.folder, env=self.environment(env), start_new_session=True, **streams)
        for kind, most in ((resource.RLIMIT_AS, ADDRESS_SPACE), (resource.RLIMIT_FSIZE, 64 << 20), (resource.RLIMIT_CORE, 0)):
            with contextlib.suppress(ProcessLookupError): resource.prlimit(process.pid, kind, (most, most + 1))
        self.alive.add(process.pid)
        self.ends.callback(self.end, process)
        return process

    def end(self, process):
        """Ends a process, its group, and what it left. -> its resource usage, the names of what was left"""
        if process.returncode is not None: return None, []
        # Until it is waited for, its zombie keeps the group number in use.
        with contextlib.suppress(ProcessLookupError, PermissionError): os.killpg(process.pid, signal.SIGKILL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.alive.discard(process.pid)
        return usage, self.end_orphans()

    def end_orphans(self):
        names = []
        while orphans := [pid for pid in children_of(os.getpid()) if pid not in self.alive]:
            for pid in orphans:
                state, name = state_of(pid)
                if state != "Z": names.append(name)
                with contextlib.suppress(ProcessLookupError): os.kill(pid, signal.SIGKILL)   # our child: its number is not reused
                with contextlib.suppress(ChildProcessError): os.waitpid(pid, 0)
        return names

    def run(self, *arguments, wall=WALL_S, stdin=b"", env=()):
        self.count += 1
        names = [self.room / f"{self.count}.{stream}" for stream in ("in", "out", "err")]
        names[0].write_bytes(stdin)
        with open(names[0], "rb") as given, open(names[1], "wb") as out, open(names[2], "wb") as err:
            began = time.monotonic()
            process = self.start(*arguments, env=env, stdin=given, stdout=out, stderr=err)
            while not (done := os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)):
                if time.monotonic() - began > wall: break
                time.sleep(0.01)
            took = time.monotonic() - began
            usage, left = self.end(process)
        return Ended(
            process.returncode, not done, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, took, left, ends_of(names[1]),
            ends_of(names[2]))

    def serve(self, answer):
        server = Server(answer)
        self.ends.callback(server.close)
        return server

    def inspector(self, *arguments):
        return Inspector(self, *arguments)

    def editor(self):
        return Editor(self)


def ends_of(path):
    size = path.stat().st_size
    with open(path, "rb") as file:
        data = file.read(KEPT)
        if size > 2 * KEPT: file.seek(size - KEPT); data += b"\n...\n"
        return data + file.read(KEPT)


class Server:
    """A server on the loopback interface: `answer(connection, request)` for each request's head."""

    def __init__(self, answer):
        self.answer, self.open, self.requests = answer, True, []
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=200)
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while self.open:
            try: connection, _ = self.socket.accept()
            except OSError: return
            threading.Thread(target=self.one, args=(connection,), daemon=True).start()

    def one(self, connection):
        with connection:
            with contextlib.suppress(OSError):
                connection.settimeout(60)
                head = b""
                while b"\r\n\r\n" not in head:
                    if not (more := connection.recv(65536)): return
                    head += more
                self.requests.append(head)
                self.answer(connection, head)

    def close(self):
        self.open = False
        # close() does not wake a thread in accept().
        with contextlib.suppress(OSError): self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()


def response(body, type=b"application/json", more=b""):
    return b"HTTP/1.1 200 OK\r\nContent-Type: " + type + b"\r\n" + more + b"Content-Length: %d\r\n\r\n" % len(body) + body


def always(answer):
    return lambda connection, head: connection.sendall(answer)


def association(components, **more):
    return json.dumps({"applinks": {**more, "details": [{"appIDs": [APP], "components": components}]}}).encode()


class Inspector:
    def __init__(self, case, *arguments):
        self.connections = []
        case.ends.callback(self.hang_up)
        self.log = case.room / f"inspect-{case.count}"
        with open(self.log, "wb") as out:
            self.process = case.start("inspect", *arguments, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT)
        deadline = time.monotonic() + 20 * SLOWNESS
        while not (found := re.search(rb"http://127\.0\.0\.1:(\d+)/#token=(\w+)", self.log.read_bytes())):
            if time.monotonic() > deadline: raise RuntimeError(f"inspect printed no address: {self.log.read_bytes()[:200]!r}")
            time.sleep(0.05)
        self.port, self.token = int(found[1]), found[2].decode()
        self.began = cpu_seconds(self.process.pid)

    def connect(self, timeout=2):
        return socket.create_connection(("127.0.0.1", self.port), timeout=timeout)

    def send(self, data, hold=False):
        """Sends until all is sent or the host stops reading, and then hangs up or stays connected."""
        connection = self.connect()
        with contextlib.suppress(OSError):
            for at in range(0, len(data), 1 << 16): connection.sendall(data[at:at + (1 << 16)])
        if hold: self.connections.append(connection)
        else: connection.close()

    def page(self, when):
        """The page's script, which needs no token. -> seconds until its first bytes"""
        began = time.monotonic()
        try:
            with self.connect(PAGE_S) as s:
                s.settimeout(PAGE_S)
                s.sendall(f"GET /app.js HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nConnection: close\r\n\r\n".encode())
                first = s.recv(32)
        except OSError as error: raise Fell(f"{when}: no answer for the page within {PAGE_S:.0f} s ({error})")
        took = time.monotonic() - began
        if not first.startswith(b"HTTP/1.1 200"): raise Fell(f"{when}: the page is answered with {first!r}")
        if took > PAGE_S: raise Fell(f"{when}: the page took {took:.1f} s")
        return took

    def held(self, cpu=CPU_S, rss=RSS_MB):
        """After the attack: it responds, is idle, and has used little."""
        took = self.page("afterwards")
        time.sleep(0.5)
        used = cpu_seconds(self.process.pid)
        time.sleep(1)
        resting = cpu_seconds(self.process.pid) - used
        spent, most = used - self.began, peak_mb(self.process.pid)
        figures = f"{spent:.1f} s CPU, {most:.0f} MB, page {took:.2f} s"
        if resting > 0.3: raise Fell(f"works on after its clients went: {resting:.1f} s CPU in a second ({figures})")
        if spent > cpu: raise Fell(f"more than {cpu:.0f} s CPU ({figures})")
        if most > rss: raise Fell(f"more than {rss} MB ({figures})")
        return figures

    def attack(self, data, clients=3, cpu=CPU_S):
        """Some clients send it at once and stay connected, the page is requested, they disconnect, and it is requested again."""
        threads = [threading.Thread(target=self.send, args=(data, True), daemon=True) for _ in range(clients)]
        for thread in threads: thread.start()
        time.sleep(0.3)
        self.page("during the attack")
        for thread in threads: thread.join(15)
        self.hang_up()
        return self.held(cpu)

    def hang_up(self):
        for connection in self.connections: connection.close()
        self.connections.clear()


class Editor:
    """A client of `glass-host lsp`."""

    def __init__(self, case):
        self.process = case.start("lsp", stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.answers, self.arrived, self.next = {}, threading.Condition(), 1
        self.root = f"file://{case.folder}"
        self.uri = f"{self.root}/markets/zz.lua"
        self.queue, self.queued = [], threading.Condition()
        for work in (self.read, self.write): threading.Thread(target=work, daemon=True).start()
        self.ask("initialize", {"rootUri": self.root, "capabilities": {}}, within=20 * SLOWNESS)
        self.tell("initialized", {})
        self.began = cpu_seconds(self.process.pid)

    def write(self):
        while True:
            with self.queued:
                while not self.queue: self.queued.wait()
                data = self.queue.pop(0)
            try: self.process.stdin.write(data); self.process.stdin.flush()
            except (OSError, ValueError): return

    def read(self):
        stream = self.process.stdout
        while True:
            length = None
            while (line := stream.readline()) not in (b"\r\n", b""):
                if line.lower().startswith(b"content-length:"): length = int(line.split(b":")[1])
            if length is None: return
            message = json.loads(stream.read(length))
            if "id" in message and "method" in message:     # a request from the server: registration, configuration, progress
                self.put({"jsonrpc": "2.0", "id": message["id"], "result": None})
            elif "id" in message:
                with self.arrived: self.answers[message["id"]] = message; self.arrived.notify_all()

    def put(self, message):
        body = json.dumps(message).encode()
        with self.queued: self.queue.append(b"Content-Length: %d\r\n\r\n" % len(body) + body); self.queued.notify()

    def tell(self, method, parameters): self.put({"jsonrpc": "2.0", "method": method, "params": parameters})

    def open(self, text, uri=None):
        self.tell("textDocument/didOpen", {"textDocument": {"uri": uri or self.uri, "languageId": "lua", "version": 1, "text": text}})

    def send(self, method, parameters):
        number, self.next = self.next, self.next + 1
        self.put({"jsonrpc": "2.0", "id": number, "method": method, "params": parameters})
        return number

    def await_(self, number, what, within=WALL_S):
        """-> seconds until the response"""
        began = time.monotonic()
        with self.arrived:
            if not self.arrived.wait_for(lambda: number in self.answers, within): raise Fell(f"{what} is not answered within {within:.0f} s")
        return time.monotonic() - began

    def ask(self, method, parameters, within=WALL_S):
        return self.await_(self.send(method, parameters), method, within)

    def at(self, line=0, character=0, uri=None):
        return {"textDocument": {"uri": uri or self.uri}, "position": {"line": line, "character": character}}

    def document(self): return {"textDocument": {"uri": self.uri}}

    def held(self, cpu=CPU_S, rss=RSS_MB):
        spent, most = cpu_seconds(self.process.pid) - self.began, peak_mb(self.process.pid)
        figures = f"{spent:.1f} s CPU, {most:.0f} MB"
        if spent > cpu: raise Fell(f"more than {cpu:.0f} s CPU ({figures})")
        if most > rss: raise Fell(f"more than {rss} MB ({figures})")
        return figures


# --- the cases: a function each; its first line says what must hold ------------------------------------------------------------------

CASES = {}


def case(name):
    def register(function):
        assert name not in CASES, name
        CASES[name] = function
        return function
    return register


# Harmless: if one of these falls, the others prove nothing.

@case("control-check")
def _(c):
    """the project's markets pass check"""
    return c.run("check").bounded(codes=(0,))


@case("control-review")
def _(c):
    """review of an unchanged repository"""
    c.repository()
    return c.run("review").bounded(codes=(0,))


@case("control-inspect")
def _(c):
    """the inspector serves its page"""
    return c.inspector().held()


@case("control-lsp")
def _(c):
    """the language server responds to a hover"""
    e = c.editor()
    e.open(market())
    e.ask("textDocument/hover", e.at())
    return e.held()


@case("control-verify")
def _(c):
    """a served file is read: if the app is not in it, verify reports that"""
    done = c.run("verify", c.serve(always(response(b'{"applinks":{"details":[]}}'))).url, wall=VERIFY_WALL_S)
    if APP not in done.text: raise Fell(f"verify does not name the app: {done.text[:200]!r}")
    return done.bounded(wall=VERIFY_WALL_S)


FOREIGN = b" HTTP/1.1\r\nHost: evil.example\r\nOrigin: http://evil.example\r\n\r\n"


@case("inspect-long-path")
def _(c):
    """a path of 1 MB, from three clients of a foreign page: the inspector's own page is served within 2 s, during and after"""
    return c.inspector().attack(b"GET /" + b"a" * (1 << 20) + FOREIGN)


@case("inspect-long-query")
def _(c):
    """the same with a query of 450 KB"""
    return c.inspector().attack(b"GET /api/values?" + b"market=us&" * 45_000 + FOREIGN)


@case("inspect-long-header")
def _(c):
    """the same with a header field of 1 MB"""
    return c.inspector().attack(b"GET /api/values HTTP/1.1\r\nHost: evil.example\r\nX-Filler: " + b"a" * (1 << 20) + b"\r\n\r\n")


@case("inspect-long-body")
def _(c):
    """the same with a body of one line of 3 MB, and with a chunk whose size line has 3 MB, from a foreign page and under its own name"""
    i = c.inspector()
    for host in (b"evil.example", b"127.0.0.1:%d" % i.port):
        head = b"POST /api/link HTTP/1.1\r\nHost: " + host + b"\r\n"
        i.attack(head + b"Content-Length: 3145728\r\n\r\n" + b"a" * (3 << 20))
        figures = i.attack(head + b"Transfer-Encoding: chunked\r\n\r\n" + b"0" * (3 << 20))
    return figures


@case("inspect-endless-line")
def _(c):
    """3 MB of a request line that never ends, from two clients that then hang up: it responds immediately, and stops working on it"""
    return c.inspector().attack(b"GET /" + b"a" * (3 << 20), clients=2)


@case("links-dir-reads-outside")
def _(c):
    """a link in links/ that leads outside the project: no byte of that file is printed, in any format"""
    c.repository()
    (c.outside / "mail.txt").write_text(
        "https://www.walmart.com/myaccount/reset?token=TOPSECRET\nwalmart://account?session=TOPSECRET\nTOPSECRET not a link\n")
    c.link("links/a.txt", c.outside / "mail.txt")
    c.change("account = {},", 'account = { paths = { "me" } },')
    figures = ""
    for form in ("text", "markdown", "sarif", "github", "gitlab"):
        done = c.run("review", "--as", form)
        figures = done.bounded()
        if "topsecret" in done.text.lower(): raise Fell(f"--as {form} prints a line of a file outside of the project")
    return figures


@case("links-dir-zero")
def _(c):
    """a link in links/ to an endless device, committed to git: review ends"""
    c.link("links/a.txt", "/dev/zero")
    c.repository()
    return c.run("review").bounded()


@case("links-dir-pipe")
def _(c):
    """a named pipe in links/: review ends"""
    c.repository()
    c.pipe("links/a.txt")
    return c.run("review").bounded()


@case("links-dir-sparse")
def _(c):
    """20 GB without a line end in links/: review ends"""
    c.repository()
    c.sparse("links/a.txt", 20 << 30)
    return c.run("review").bounded()


def binary_plist(levels, width):
    """A binary property list: lists of `width` references to the next list, `levels` deep."""
    references = lambda numbers: b"".join(struct.pack(">H", n) for n in numbers)
    objects = [b"\xD1" + references([1, 2]), b"\x51a"]
    for _ in range(levels): objects.append(bytes([0xA0 | width]) + references([len(objects) + 1] * width))
    objects.append(b"\x51x")
    return binary_plist_of(objects)


def binary_plist_of(objects):
    out, offsets = b"bplist00", []
    for item in objects:
        offsets.append(len(out))
        out += item
    table = len(out)
    out += b"".join(struct.pack(">I", offset) for offset in offsets)
    return out + b"\0" * 6 + bytes([4, 2]) + struct.pack(">QQQ", len(objects), 0, table)


@case("plist-bomb-small")
def _(c):
    """an Info.plist of 259 bytes that expands to 4 million objects"""
    c.write("Info.plist", binary_plist(22, 2))
    return c.run("check", "us", "--bundle", "Info.plist").bounded()


@case("plist-bomb-large")
def _(c):
    """an Info.plist of 811 bytes that expands to 10^30 objects"""
    c.write("Info.plist", binary_plist(30, 10))
    return c.run("check", "us", "--bundle", "Info.plist").bounded()


def gzip_bomb(megabytes):
    block, crc = bytes(1 << 20), 0
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    first = packer.compress(block) + packer.flush(zlib.Z_FULL_FLUSH)
    for _ in range(megabytes): crc = zlib.crc32(block, crc)
    return (b"\x1f\x8b\x08\0\0\0\0\0\0\x03" + first * megabytes + zlib.compressobj(9, zlib.DEFLATED, -15).flush()
            + struct.pack("<II", crc, (megabytes << 20) & 0xFFFFFFFF))


@case("verify-gzip-bomb")
def _(c):
    """a site file of 1 MB that decompresses to 1 GB"""
    server = c.serve(always(response(gzip_bomb(1000), more=b"Content-Encoding: gzip\r\n")))
    return c.run("verify", server.url, wall=VERIFY_WALL_S).bounded(wall=VERIFY_WALL_S)


@case("verify-substitution-variables")
def _(c):
    """a site file of 35 KB whose variable with 1,000 values occurs 50 times in each of 100 patterns"""
    c.write("site/apple-app-site-association",
            association([{"/": "/" + "$(v)" * 50}] * 100, substitutionVariables={"v": ["x" * 10] * 1000}))
    return c.run("verify", "site", wall=VERIFY_WALL_S).bounded(wall=VERIFY_WALL_S)


@case("policies-1000")
def _(c):
    """1,000 empty policies"""
    c.write("policies/p.lua", "for i = 1, 1000 do glass.policy('p' .. i, function(m) end) end")
    return c.run("check", "us").bounded()


@case("policies-9999")
def _(c):
    """9,999 empty policies: accepted, or rejected as too many"""
    c.write("policies/p.lua", "for i = 1, 9999 do glass.policy('p' .. i, function(m) end) end")
    return c.run("check", "us").bounded()


@case("policies-busy")
def _(c):
    """20 policies, each of which runs until just before its own limit: their sum is limited"""
    c.write("policies/p.lua", "for i = 1, 20 do glass.policy('p' .. i, function(m) for i = 1, 1e8 do end end) end")
    return c.run("check", "us").bounded()


@case("git-tree-bomb")
def _(c):
    """a commit whose few trees expand to 262,144 files: diff --against and review end, or reject it"""
    c.repository()
    blob = c.git("hash-object", "-w", "--stdin", given=b"x").encode()
    tree = c.git("mktree", "-z", given=b"".join(b"100644 blob " + blob + b"\t%c.txt\0" % (97 + k) for k in range(2)))
    for _ in range(17): tree = c.git("mktree", "-z", given=b"".join(b"040000 tree " + tree.encode() + b"\t%c\0" % (97 + k) for k in range(2)))
    branch = c.commit_of(tree)
    c.run("diff", "--against", branch).bounded()
    return c.run("review", branch).bounded()


def git_pipe(name):
    def run(c):
        c.repository()
        c.pipe(f".git/{name}")
        c.run("review").bounded()
        return c.run("diff", "--against", "HEAD").bounded()
    run.__doc__ = f"a named pipe as .git/{name}, as an unpacked archive may have: review and diff --against end"
    return run


for _name in ("config", "HEAD", "packed-refs", "commondir"): case(f"git-pipe-{_name}")(git_pipe(_name))


@case("lsp-long-line")
def _(c):
    """a market of one line of 256 KB: the symbols are returned, and the hover after them"""
    e = c.editor()
    e.open(market("platform = {" + "k=1," * 64_000 + "}"))
    symbols = e.ask("textDocument/documentSymbol", e.document())
    hover = e.ask("textDocument/hover", e.at())
    return f"symbols {symbols:.1f} s, hover {hover:.1f} s, " + e.held()


@case("lsp-many-files-written")
def _(c):
    """a checkout reports 8,000 new market files: the hover after it is answered"""
    e = c.editor()
    e.open(market())
    e.tell("workspace/didChangeWatchedFiles", {"changes": [{"uri": f"{e.root}/markets/w{j}.lua", "type": 1} for j in range(8000)]})
    hover = e.ask("textDocument/hover", e.at())
    return f"hover {hover:.1f} s, " + e.held()


@case("verify-busy-wait")
def _(c):
    """a server that sends nothing: verify gives up within 15 s, and does not spin while it waits"""
    server = c.serve(lambda connection, head: time.sleep(60))
    return c.run("verify", server.url, wall=VERIFY_WALL_S).bounded(wall=VERIFY_WALL_S)


@case("write-to-pipe-compile")
def _(c):
    """a named pipe at the path that compile writes to"""
    c.pipe("o/4/us.json")
    return c.run("compile", "us", "--to", "o").bounded()


@case("write-to-pipe-new")
def _(c):
    """a named pipe at the path that new writes the editor stubs to"""
    c.pipe(".glass/glass.lua")
    return c.run("new", "br").bounded()


@case("ghactions-policy-print")
def _(c):
    """check --as github: a policy's output is no command for the runner, which reads standard output and error"""
    c.write("policies/p.lua", "print('::stop-commands::x')\nprint('  ::add-mask::x')\nprint('a\\n::error::x')\nprint('y ##[group]x')\n"
            "glass.policy('p', function(m) print('::warning::x') end)")
    done = c.run("check", "us", "--as", "github")
    runner_commands(done)
    return done.bounded()


def runner_commands(done, words=("stop-commands", "add-mask", "group", "error::x", "warning::x", "set-env", "debug")):
    """A command starts a line (leading spaces do not count); the older form ##[…] may occur anywhere in it."""
    for line in re.split(r"[\r\n]", done.text):
        if re.match(r"\s*::(" + "|".join(map(re.escape, words)) + ")", line) or re.search(r"##\[(" + "|".join(words) + ")", line):
            raise Fell(f"the log has the line {line!r}, which GitHub's runner obeys")


def modes(path): return {str(p.relative_to(path)): stat.S_IMODE(p.stat().st_mode) for p in [path, *path.rglob("*")]}


def state_kept(c, argument, shared):
    """A folder with other files is given as --state: rejected with advice, or a folder inside it is used; nothing there changes."""
    before, content = modes(shared), {p: p.read_bytes() for p in shared.rglob("*") if p.is_file()}
    c.write("s.lua", "local p = glass.market('us').container:get('PreferencesStorage') p:set('storeID', 1003)")
    figures = ""
    for arguments in (("open", "walmart://account"), ("run", "--services", "live", "s.lua"), ("explain", "currency")):
        done = c.run(*arguments, "--state", argument)
        for name, mode in modes(shared).items():
            if name in before and before[name] != mode:
                raise Fell(f"{arguments[0]}: the mode of {'the folder' if name == '.' else name} became {mode:04o}, and was {before[name]:04o}")
        if any(p.read_bytes() != old for p, old in content.items()): raise Fell(f"{arguments[0]}: a file there was changed")
        if done.code == 2 and not done.err.strip(): raise Fell(f"{arguments[0]}: refused without a word")
        figures = done.bounded()
    return figures


@case("state-folder-of-others")
def _(c):
    """--state names a folder of mode 0755 with an unrelated file: its mode stays (rejected, or a folder inside it is used)"""
    shared = c.folder / "shared"
    c.write("shared/notes.txt", "mine\n")
    os.chmod(shared, 0o755), os.chmod(shared / "notes.txt", 0o644)
    return state_kept(c, "shared", shared)


@case("state-folder-of-others-link")
def _(c):
    """the same if --state names a link to such a folder"""
    shared = c.outside / "shared"
    shared.mkdir()
    (shared / "notes.txt").write_text("mine\n")
    os.chmod(shared, 0o755), os.chmod(shared / "notes.txt", 0o644)
    c.link("st", shared)
    return state_kept(c, "st", shared)


# ---------------------------------------------------------------------------------------------------------------------------------------

def run_case(name, function, host, markets):
    """-> None if it held, otherwise the reason; prints a line"""
    c = Case(host, markets)
    try:
        figures = function(c)
        print(f"held {name}: {figures or ''}", flush=True)
    except Fell as reason:
        print(f"FELL {name}: {reason}", flush=True)
        return str(reason)
    except Exception as error:      # a case that cannot be run proves nothing
        print(f"FELL {name}: the case could not be run: {type(error).__name__}: {error}", flush=True)
        return f"could not be run: {error}"
    finally: c.close()


def run_all(cases, host, markets):
    return [name for name, function in cases.items() if run_case(name, function, host, markets) is not None]


def main(cases=CASES):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("host", nargs="?")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--markets", type=pathlib.Path, default=pathlib.Path("markets"))
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    if arguments.list or not arguments.host:
        for name, function in cases.items(): print(f"| `{name}` | {inspect.getdoc(function)} |")
        return 0 if arguments.list else 2
    host, markets = pathlib.Path(arguments.host).resolve(), arguments.markets.resolve()
    if not host.is_file(): parser.error(f"no file {host}")
    if not (markets / "us.lua").is_file(): parser.error(f"no us.lua in {markets}: give --markets")
    chosen = {n: f for n, f in cases.items() if not arguments.names or any(n.startswith(wanted) for wanted in arguments.names)}
    if not chosen: parser.error("no such case; --list names them")
    fallen = run_all(chosen, host, markets)
    print(f"{len(chosen) - len(fallen)} held, {len(fallen)} fell")
    return 1 if fallen else 0


if __name__ == "__main__": sys.exit(main())
