"""python-tuf and glass-delivery read each other's repositories; see README.md."""

import datetime
import functools
import http.server
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading

from securesystemslib.signer import CryptoSigner, SSlibKey
from tuf.api.metadata import (
    Key,
    Metadata,
    MetaFile,
    Root,
    Snapshot,
    TargetFile,
    Targets,
    Timestamp,
)
from tuf.api.serialization.json import JSONSerializer
from tuf.ngclient import Updater

COMMAND = sys.argv[1]
MARKETS = pathlib.Path("markets").resolve()
failures = []


def check(condition, text):
    print("ok  " if condition else "FAIL", text)
    if not condition:
        failures.append(text)


def run(folder, *arguments, status=0):
    done = subprocess.run(
        [COMMAND, *arguments], cwd=folder, capture_output=True, text=True
    )
    if done.returncode != status:
        print(done.stdout, done.stderr, file=sys.stderr)
        check(False, f"glass-delivery {' '.join(arguments)} ends with {done.returncode}, not {status}")
    return done


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def serve(folder):
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Quiet, directory=folder)
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def python_client(folder, url, root):
    """python-tuf's client after a refresh, starting with a root."""
    store = pathlib.Path(tempfile.mkdtemp(dir=folder))
    (store / "files").mkdir()
    updater = Updater(
        str(store / "metadata"),
        f"{url}/metadata/",
        str(store / "files"),
        f"{url}/targets/",
        bootstrap=root,
    )
    updater.refresh()
    return updater


def read_ours(folder):
    """python-tuf's client reads what we publish, including after rotations and rollouts."""
    run(folder, "root", "init", "--to", "site", "--make-keys", "keys")
    root = (folder / "site/metadata/1.root.json").read_bytes()
    publish = ["--to", "site", "--keys", "keys", "--markets", str(folder / "markets")]
    run(folder, "publish", *publish)
    server = serve(folder / "site")
    url = f"http://127.0.0.1:{server.server_port}"

    def files(names):
        client = python_client(folder, url, root)
        content = {}
        for name in names:
            info = client.get_targetinfo(name)
            if info is None:
                content[name] = None
                continue
            content[name] = pathlib.Path(client.download_target(info)).read_bytes()
        return content

    content = files(["4/us.json", "4/ca.json", "4/mx.json", "4/ca.map.json"])
    check(
        all(content.values()) and json.loads(content["4/ca.json"])["id"] == "ca",
        "python-tuf's client reads three markets and a map",
    )
    client = python_client(folder, url, root)
    custom = client.get_targetinfo("4/ca.json").custom
    check(custom == {"market": "ca", "schema": 4, "serial": 1}, f"and what is said about one: {custom}")

    market = folder / "markets/ca.lua"
    market.write_text(market.read_text().replace('currency = "CAD"', 'currency = "USD"'))
    run(folder, "rollout", "ca", "25%", *publish)
    client = python_client(folder, url, root)
    share = client.get_targetinfo("4/ca.next.json").custom["rollout"]["share"]
    check(share == 2500, "python-tuf's client sees a rollout")
    run(folder, "rollout", "ca", "100%", *publish)
    check(
        files(["4/ca.json"])["4/ca.json"] != content["4/ca.json"], "and its end"
    )

    # Different keys for two roles, including an ECDSA key.
    pem = folder / "new.pem"
    with open(os.open(pem, os.O_CREAT | os.O_WRONLY, 0o600), "wb") as file:
        file.write(CryptoSigner.generate_ecdsa().private_bytes)
    signed = Metadata.from_file(str(folder / "site/metadata/1.root.json")).signed
    old = {role: signed.roles[role].keyids[0] for role in ("timestamp", "root")}
    rotate = ["root", "rotate", "--to", "site", "--keys", "keys"]
    run(
        folder, *rotate,
        "--add", "timestamp=new.pem", "--remove", f"timestamp={old['timestamp']}",
        "--add", "root=new-root.pem" if make_key(folder / "new-root.pem") else "",
        "--remove", f"root={old['root']}",
    )
    client = python_client(folder, url, root)
    check(client._trusted_set.root.version == 2, "python-tuf's client follows a rotation to a key of ECDSA P-256")
    run(folder, "timestamp", "--to", "site", "--keys", "new.pem")
    check(
        python_client(folder, url, root)._trusted_set.timestamp.version == 5,
        "and a timestamp of the daily job",
    )
    run(folder, "publish", "--check", "site")
    server.shutdown()
    return root


def make_key(path):
    with open(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600), "wb") as file:
        file.write(CryptoSigner.generate_ed25519().private_bytes)
    return True


def sign_staged(folder):
    """securesystemslib signs our staged metadata, with our key files, and we publish it."""
    keys = folder / "keys"
    offline = folder / "offline"
    offline.mkdir()
    os.rename(keys / "targets.pem", offline / "targets.pem")
    market = folder / "markets/mx.lua"
    market.write_text(market.read_text().replace('currency = "MXN"', 'currency = "USD"'))
    more = ["--to", "site", "--keys", "keys", "--keys", "new.pem", "--markets", str(folder / "markets")]
    run(folder, "publish", *more, "--stage")
    staged = max((folder / "site/staged").glob("*.targets.json"))
    metadata = Metadata[Targets].from_file(str(staged))
    root = Metadata[Root].from_file(str(max((folder / "site/metadata").glob("*.root.json"))))
    public = root.signed.keys[root.signed.roles["targets"].keyids[0]]
    signer = CryptoSigner.from_priv_key_uri(f"file2:{offline / 'targets.pem'}", public)
    metadata.sign(signer, append=True)
    root.verify_delegate("targets", metadata)
    metadata.to_file(str(staged), JSONSerializer(compact=True))
    done = run(folder, "sign", "--to", "site", "--keys", "keys", "--keys", "new.pem")
    check("published to site" in done.stdout, "we publish what securesystemslib signed with our key file")
    os.rename(offline / "targets.pem", keys / "targets.pem")


def read_theirs(folder):
    """Our commands read and continue a repository that python-tuf wrote."""
    site = folder / "theirs/metadata"
    site.mkdir(parents=True)
    signers = {role: CryptoSigner.generate_ed25519() for role in ("root", "snapshot", "timestamp")}
    signers["targets"] = CryptoSigner.generate_ecdsa()
    later = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0) + datetime.timedelta(days=100)
    root = Root(version=1, expires=later, consistent_snapshot=True)
    for role, signer in signers.items():
        root.add_key(signer.public_key, role)
    content = b'{"not":"a market"}'
    targets = Targets(version=1, expires=later)
    target = TargetFile.from_data("note.txt", content, ["sha256"])
    targets.targets["note.txt"] = target
    (folder / "theirs/targets").mkdir()
    (folder / "theirs/targets" / f"{target.hashes['sha256']}.note.txt").write_bytes(content)

    def write(name, signed, role):
        metadata = Metadata(signed)
        metadata.sign(signers[role])
        data = metadata.to_bytes(JSONSerializer(compact=True))
        (site / name).write_bytes(data)
        return data

    write("1.root.json", root, "root")
    write("1.targets.json", targets, "targets")
    data = write(
        "1.snapshot.json", Snapshot(version=1, expires=later, meta={"targets.json": MetaFile(1)}), "snapshot"
    )
    meta = MetaFile.from_data(1, data, ["sha256"])
    write("timestamp.json", Timestamp(version=1, expires=later, snapshot_meta=meta), "timestamp")
    run(folder, "publish", "--check", "theirs")
    check(True, "we read what python-tuf wrote")
    for role, signer in signers.items():
        path = folder / f"theirs-{role}.pem"
        with open(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600), "wb") as file:
            file.write(signer.private_bytes)
    keys = [part for role in ("targets", "snapshot", "timestamp") for part in ("--keys", f"theirs-{role}.pem")]
    # Their metadata is valid for longer than ours.
    run(folder, "publish", "--to", "theirs", *keys, "us", "--markets", str(MARKETS), "--allow-earlier-expiry")
    server = serve(folder / "theirs")
    url = f"http://127.0.0.1:{server.server_port}"
    client = python_client(folder, url, (site / "1.root.json").read_bytes())
    check(
        client.get_targetinfo("note.txt") is not None and client.get_targetinfo("4/us.json") is not None,
        "and publish beside it",
    )
    server.shutdown()


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    subprocess.run(["cp", "-R", str(MARKETS), str(folder / "markets")], check=True)
    read_ours(folder)
    sign_staged(folder)
    read_theirs(folder)
sys.exit(1 if failures else 0)
