#!/usr/bin/env python3
"""Cases from public threads about other tools: a host's result for each, and whether it is correct.

    Tests/Cases/run.py HOST [NAME…]

Each case is a function below; its docstring has the sources and the correct result. It writes a small market, us.lua next to
this file with some changes, into a temporary folder and runs HOST there. Prints `held NAME`, or `FELL NAME: reason` and ends
with 1. A case in AWAITED requires a capability that does not exist yet; it must fall, so that a new capability removes its
case from that list. Requires Python 3.11, git, and patch; uses only the loopback network.
"""
import argparse
import contextlib
import http.server
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

BASE = (pathlib.Path(__file__).resolve().parent / "us.lua").read_text()
SITE = "https://www.shop.example/"
APP = "ABCDE12345.com.example.shop"
AASA, ASSETLINKS = "apple-app-site-association", "assetlinks.json"
DIGEST = "1A:2B:3C:4D:5E:6F:70:81:92:A3:B4:C5:D6:E7:F8:09:1A:2B:3C:4D:5E:6F:70:81:92:A3:B4:C5:D6:E7:F8:09"


class Fell(Exception):
    """The host's result is wrong; the text has the reason."""


def app_links(components, details=None, **applinks):
    """An association file with the app, as a value."""
    detail = details or {"appIDs": [APP]}
    return {"applinks": {**applinks, "details": [{**detail, "components": components}]}}


def asset_links(digests=[DIGEST]):
    target = {"namespace": "android_app", "package_name": "com.example.shop", "sha256_cert_fingerprints": digests}
    return [{"relation": ["delegate_permission/common.handle_all_urls"], "target": target}]


class Case:
    """A temporary folder with the market us, and the host that runs there."""

    def __init__(self, host):
        self.host, self.room = str(host), pathlib.Path(tempfile.mkdtemp(prefix="case-")).resolve()
        self.folder = self.room / "case"
        (self.room / "home").mkdir()
        self.write("markets/us.lua", BASE)

    def close(self):
        shutil.rmtree(self.room, ignore_errors=True)

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode())

    def change(self, old, new):
        assert old in BASE, f"us.lua no longer has {old!r}"
        self.write("markets/us.lua", BASE.replace(old, new))

    def paths(self, *paths):
        self.change('paths = { "buy" }', "paths = { " + ", ".join(f'"{path}"' for path in paths) + " }")

    def child(self, body, before=""):
        """The market zz, which extends us and has its own hosts."""
        self.write("markets/zz.lua", f"""{before}return {{
  id = "zz", {body}
  deepLinking = {{ schemes = {{ "zz" }}, universalLinks = {{ "zz.example" }} }},
}}
""")

    def site(self, association, assets=None):
        self.write(f"site/.well-known/{AASA}", json.dumps(association))
        self.write(f"site/.well-known/{ASSETLINKS}", json.dumps(assets or asset_links()))

    def tool(self, *command, env=()):
        """Runs any program: its status, standard output, and standard error as text."""
        environment = {
            "PATH": os.environ["PATH"], "HOME": str(self.room / "home"), "NO_COLOR": "1", "GIT_CONFIG_NOSYSTEM": "1", **dict(env)}
        process = subprocess.Popen(
            list(map(str, command)), cwd=self.folder, env=environment, start_new_session=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            out, err = process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise Fell("did not end within 30 s")
        self.bytes = out
        return process.returncode, out.decode("utf8", "replace"), err.decode("utf8", "replace")

    def run(self, *arguments, env=()):
        return self.tool(self.host, "--markets", "markets", *arguments, env=env)

    def succeeds(self, *arguments):
        """Runs the host, which must exit with 0: its standard output."""
        status, out, err = self.run(*arguments)
        if status:
            raise Fell(f"{arguments[0]}: status {status}: {' '.join((out + err).split())[:200]}")
        return out

    def verify(self, site="site"):
        """The findings of `verify`, and its status."""
        status, out, err = self.run("-m", "us", "verify", site, "--format", "json")
        try:
            return json.loads(out)["findings"], status
        except (ValueError, KeyError):
            raise Fell(f"verify prints no JSON: status {status}, {(out + err)[:200]!r}")

    def missed(self):
        """The links of routes that `verify` reports as staying in the browser."""
        codes = ("missedRoute", "missedSpelling")
        return {link for f in self.verify()[0] if f["code"] in codes and f["file"] == AASA for link in f["links"]}

    def opens(self, *paths):
        missed = self.missed()
        if wrong := [path for path in paths if SITE + path in missed]:
            raise Fell(f"reported as missed, but a phone opens {', '.join(wrong)}")

    def stays(self, *paths):
        missed = self.missed()
        if wrong := [path for path in paths if SITE + path not in missed]:
            raise Fell(f"reported as opened, but {', '.join(wrong)} stays in the browser")

    def says(self, *patterns, of):
        for pattern in patterns:
            if not re.search(pattern, of, re.I | re.S):
                raise Fell(f"nothing like {pattern!r} in {' '.join(of.split())[:220]!r}")


CASES = {}


def case(function):
    CASES[function.__name__.replace("_", "-")] = function
    return function


@case
def aasa_appid_beside_appids(c):
    """st-tech/universal-links-test, whose tests use the real swcutil. If there is `appIDs`, `appID` is not read: missingApp."""
    c.site(app_links([{"/": "/buy"}], {"appID": APP, "appIDs": ["ABCDE12345.com.example.other"]}))
    if not any(f["code"] == "missingApp" and f["file"] == AASA for f in c.verify()[0]):
        raise Fell("the app of appID counts as named")


@case
def aasa_at_the_root(c):
    """blazingly-aasa, docs/findings.md; shortstuffsushi/Universal-Link-Validator#7. A device tries the legacy path second: a
    warning that names the path, no error, status 0."""
    files = {f"/{AASA}": app_links([{"/": "/buy"}]), f"/.well-known/{ASSETLINKS}": asset_links()}
    files[f"/{AASA}"]["applinks"]["defaults"] = {"caseSensitive": False}

    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def do_GET(self):
            body = json.dumps(files[self.path]).encode() if self.path in files else b""
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        findings, status = c.verify(f"http://127.0.0.1:{server.server_port}")
    finally:
        server.shutdown()
        server.server_close()
    findings = [f for f in findings if f["file"] == AASA]
    if errors := [f["message"] for f in findings if f["severity"] == "error"]:
        raise Fell(f"an error: {errors[0]}")
    if not findings:
        raise Fell("no warning names the older place")
    if status:
        raise Fell(f"status {status}")


@case
def aasa_defaults_are_patterns(c):
    """sergii-ziborov/blazingly-aasa, conformance/oracle/swcutil-gap-probes.tsv. `defaults` may contain `exclude`, `/`, `?` and `#`,
    which then apply to every component. Nothing here opens the app."""
    c.paths("buy", "news")
    c.site(app_links([{"/": "/buy"}, {"/": "/news"}], defaults={"exclude": True, "caseSensitive": False}))
    c.stays("buy", "news")


@case
def aasa_export_double_slash_exclude(c):
    """sergii-ziborov/blazingly-aasa, conformance/oracle/swcutil-probes.tsv. How the system reads a pattern with two inner slashes
    is not recorded, and by one reading `*//*` matches every link. No exported pattern has two consecutive slashes."""
    c.change('account = { paths = { "buy" }', 'home = {}, account = { paths = { "shop/*rest" }')
    components = [
        component
        for detail in json.loads(c.succeeds("export", "aasa"))["applinks"]["details"]
        for component in detail["components"]]
    if wrong := [component["/"] for component in components if "//" in component.get("/", "")]:
        raise Fell(f"exported: {wrong}")
    if not any(component.get("/") == "/" and not component.get("exclude") for component in components):
        raise Fell("the home link is not exported")


@case
def aasa_region_lang(c):
    """blazingly-aasa, conformance/cases.json, substitution/*. $(region) and $(lang) are the ISO lists; the region of UK is GB."""
    c.paths("UK/home", "qq/start", "GB/home", "de/start")
    c.site(app_links([{"/": "/$(region)/home"}, {"/": "/$(lang)/start"}]))
    c.stays("UK/home", "qq/start")
    c.opens("GB/home", "de/start")


@case
def aasa_trailing_slash(c):
    """blazingly-aasa, conformance/oracle/swcutil-probes.tsv, trailing-star/* and trail/*. `/buy/*` matches `/buy` and `/buy/`."""
    c.site(app_links([{"/": "/buy/*"}]))
    c.opens("buy", "buy/")


@case
def android_unset(c):
    """Found with helm/helm#12991. A market whose app is only for iOS can be declared; the exports for Android report it."""
    c.child("""name = "Z", extends = "us", locales = { "en-US" }, currency = "USD",
  platform = {
    appInfo = { bundleIdentifier = "com.z.z", android = unset },
    userDefaultsRegistration = { suite = "group.z" }, preferences = { suite = "group.z" },
  },""")
    c.succeeds("check", "zz")
    for form in ("assetlinks", "intent-filters"):
        status, out, err = c.run("-m", "zz", "export", form)
        if status == 0 and not err.strip():
            raise Fell(f"export {form} does not say that there is no Android app")


@case
def append_to_default(c):
    """helm/helm#5274. `append` adds to the schema's default, or the message has the default."""
    c.change('"www.shop.example" } }', '"www.shop.example" }, linkParameters = append { "u" } }')
    status, out, err = c.run("check", "us")
    if status:
        c.says("default", of=out + err)
    else:
        c.says('"u"', "returnTo|url", of=c.run("-m", "us", "show", "deepLinking.linkParameters")[1])


@case
def assetlinks_fingerprint_string(c):
    """mrviduus/textstack#486; GSTJ/pegada#241. A string in place of a list is malformed, not missing."""
    c.site(app_links([{"/": "/buy"}], defaults={"caseSensitive": False}), asset_links(DIGEST))
    findings = [f for f in c.verify()[0] if f["file"] == ASSETLINKS]
    key = "sha256_cert_fingerprints"
    if not any(f["code"] == "malformed" and key in f"{f['key']} {f['message']} {f['hint']}" for f in findings):
        raise Fell(f"nothing says that {key} has the wrong form: {[f['message'][:80] for f in findings]}")


@case
def fix_diff_not_applicable(c):
    """git-for-windows/git#804; magit/magit#2832. git and patch apply the output of `fix --diff`, with the same result as `fix`."""
    body = 'nmae = "Z", extends = "us",\n  locales = { "en-US" }, currency = "USD",'
    bom = "\ufeff"
    for name, before, end in (
            ("a byte order mark", bom, "\n"), ("invisible characters", bom + "-- \u00adZ\u200b\n", "\n"), ("CRLF", "", "\r\n"),
            ("both", bom, "\r\n")):
        c.child(body, before)
        file = c.folder / "markets/zz.lua"
        original = file.read_bytes().replace(b"\n", end.encode())
        file.write_bytes(original)
        c.run("fix", "zz", "--diff")
        patch = c.bytes
        c.run("fix", "zz")
        right = file.read_bytes()
        if not patch or right == original:
            raise Fell(f"{name}: fix finds nothing to do")
        (c.folder / "p.diff").write_bytes(patch)
        c.tool("git", "init", "-q", ".")
        level = "-p1" if re.search(rb"^\+\+\+ b/", patch, re.M) else "-p0"
        for command in (
                ("git", "apply", level, "p.diff"),
                ("patch", "--binary", "-s", "-f", "--no-backup-if-mismatch", level, "-i", "p.diff")):
            file.write_bytes(original)
            status, out, err = c.tool(*command)
            if status:
                raise Fell(f"{name}: {command[0]} refuses it: {' '.join((out + err).split())[:160]}")
            if file.read_bytes() != right:
                raise Fell(f"{name}: {command[0]} makes another file of it than fix")


@case
def global_assignment(c):
    """luanti-org/luanti#8794; liwangqian/LuaCoderAssist#69. A warning at the line that sets a global that is never read."""
    c.child('name = "Z", extends = "us", locales = { "en-CA" },', 'currency = "CAD"\n')
    status, out, err = c.run("check", "zz")
    c.says(r"zz\.lua:1:[^\n]*currency", "global", of=out + err)


@case
def secret_with_newline(c):
    """sendgrid/sendgrid-nodejs#732; stripe/stripe-go#1855. A secret that cannot be the value of a header is a warning that names
    the variable and does not show the value."""
    name, good = "GLASS_US_WRITE_KEY", "hunter2plain"
    c.change('tenant = "shop"', f'tenant = "shop", writeKey = secret "{name}"')

    def lines(value):
        status, out, err = c.run("check", "us", "--strict", "-v", env={name: value})
        for part in re.split(r"[\s\x00-\x1f\x7f]+", value):
            if len(part) > 5 and part in out + err:
                raise Fell("the value is shown")
        return {line for line in (out + err).splitlines() if name in line}

    plain = lines(good)
    for value in ("hunter2\nSECRET", "hunter2 ", "\thunter2", "hunter2\r\n", "hunter\x1b2"):
        if not lines(value) - plain:
            raise Fell(f"nothing is said about {value!r}")


@case
def undecided_misses_suites(c):
    """onmyway133/notes#615; KasemJaffer/receive_sharing_intent#170. If a market with its own app inherits a suite or a shared
    group, that is reported, whichever key names it."""
    c.change("networking = {", 'cookieStorage = { sharedGroup = "group.com.example.shop" },\n    networking = {')
    c.write("markets/ca.lua", """return {
  id = "ca", name = "Canada", extends = "us", locales = { "en-CA" }, currency = "CAD",
  deepLinking = { schemes = { "shop.ca" }, universalLinks = { "www.shop-ca.example" } },
  platform = {
    appInfo = { bundleIdentifier = "com.example.shop.ca", android = { package = "com.example.shop.ca" } },
    userDefaultsRegistration = { suite = "group.com.example.shop.ca" },
  },
}
""")
    status, out, err = c.run("check", "ca", "--strict")
    c.says(r"platform\.preferences\.suite", r"platform\.cookieStorage\.sharedGroup", of=out + err)


@case
def segment_parameters(c):
    """airbnb/DeepLinkDispatch#257, #152, #365; reach/router#260. A parameter with fixed text before or after it."""
    c.paths(":sku.aspx", "@:name", "A-:tcin")
    c.succeeds("check", "us")
    c.says("12345678", of=c.succeeds("-m", "us", "open", SITE + "A-12345678", "--format", "json"))


@case
def wildcard_hosts(c):
    """openradar 22435256 and 21389747; llfbandit/app_links#224. Universal hosts such as *.stores.shop.example."""
    c.change('"www.shop.example" } }', '"www.shop.example", "*.stores.shop.example" } }')
    c.succeeds("check", "us")
    c.succeeds("-m", "us", "open", "https://berlin.stores.shop.example/buy")


@case
def excluded_paths(c):
    """nordnet/cordova-universal-links-plugin#30; avioli/uni_links#169; Volksverpetzer/vvp_app#358. A path that a partner
    serves stays in the browser, though a wider route takes it."""
    c.write("markets/us.lua", BASE.replace('"www.shop.example" } }', '"www.shop.example" }, browser = { "shop/gift-card/*" } }')
        .replace('paths = { "buy" }', 'paths = { "shop/*rest" }'))
    c.succeeds("check", "us")
    components = json.loads(c.succeeds("export", "aasa"))["applinks"]["details"][0]["components"]
    kept = [component.get("/") for component in components if component.get("comment") == "stays in the browser"]
    if kept != ["/shop/gift-card", "/shop/gift-card/*"] or not all(c.get("exclude") for c in components[:2]):
        raise Fell(f"not excluded first: {components}")
    c.succeeds("-m", "us", "open", f"{SITE}shop/shoes")
    if c.run("-m", "us", "open", f"{SITE}shop/gift-card/42")[0] == 0:
        raise Fell("the app opens a link that stays in the browser")


AWAITED = set()


def run_case(name, host):
    """Runs a case and prints a line: whether it is as expected."""
    c = Case(host)
    try:
        CASES[name](c)
    except Fell as reason:
        if name in AWAITED:
            print(f"awaited {name}: {reason}", flush=True)
            return True
        print(f"FELL {name}: {reason}", flush=True)
        return False
    except Exception as error:
        print(f"FELL {name}: the case could not be run: {type(error).__name__}: {error}", flush=True)
        return False
    finally:
        c.close()
    if name in AWAITED:
        print(f"FELL {name}: it holds now; take it off AWAITED", flush=True)
        return False
    print(f"held {name}", flush=True)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("host", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    host = arguments.host.resolve()
    if not host.is_file():
        parser.error(f"no file {host}")
    names = [name for name in CASES if not arguments.names or any(name.startswith(start) for start in arguments.names)]
    if not names:
        parser.error(f"no such case; there are {', '.join(CASES)}")
    expected = [run_case(name, host) for name in names]
    print(f"{sum(expected)} as expected, {len(expected) - sum(expected)} fell")
    return 0 if all(expected) else 1


if __name__ == "__main__":
    sys.exit(main())
