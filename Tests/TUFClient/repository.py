"""A repository of The Update Framework that python-tuf signs, and a local server for it."""
import datetime
import http.server
import threading
import urllib.parse

from securesystemslib.signer import CryptoSigner
from tuf.api.metadata import (
    DelegatedRole, Delegations, Metadata, MetaFile, Root, Snapshot, TargetFile, Targets, Timestamp)
from tuf.api.serialization.json import JSONSerializer

TOP = ("root", "timestamp", "snapshot", "targets")


def days(count):
    now = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
    return now + datetime.timedelta(days=count)


class Repository:
    """Metadata in memory; `publish` signs it and uploads it to the server."""

    def __init__(self, server, kind="ecdsa", consistent=True):
        self.server, self.kind = server, kind
        server.reset()
        self.signers = {role: [self.signer()] for role in TOP}
        self.root = Root(expires=days(365), consistent_snapshot=consistent)
        self.timestamp = Timestamp(expires=days(7))
        self.snapshot = Snapshot(expires=days(30))
        self.targets = {"targets": Targets(expires=days(180))}
        for role in TOP:
            self.root.add_key(self.signers[role][0].public_key, role)
        self.hashes = False
        self.publish_root()
        self.publish_targets()

    def signer(self):
        return {"ecdsa": CryptoSigner.generate_ecdsa, "ed25519": CryptoSigner.generate_ed25519}[self.kind]()

    def sign(self, signed, signers):
        metadata = Metadata(signed)
        for signer in signers:
            metadata.sign(signer, append=True)
        return metadata.to_bytes(JSONSerializer())

    def publish_root(self, signers=None):
        data = self.sign(self.root, signers or self.signers["root"])
        self.server.put(f"metadata/{self.root.version}.root.json", data)
        return data

    def rotate(self, role, signers=1):
        """Replaces the keys of a role; the root is signed with old and new ones."""
        old = self.signers[role]
        for signer in old:
            self.root.revoke_key(signer.public_key.keyid, role)
        self.signers[role] = [self.signer() for _ in range(signers)]
        for signer in self.signers[role]:
            self.root.add_key(signer.public_key, role)
        self.root.version += 1
        self.publish_root(self.signers["root"] + (old if role == "root" else []))

    def put_versioned(self, name, version, data):
        prefix = f"{version}." if self.root.consistent_snapshot else ""
        self.server.put(f"metadata/{prefix}{urllib.parse.quote(name, '')}.json", data)

    def meta(self, version, data):
        meta = MetaFile(version)
        if self.hashes:
            meta = MetaFile.from_data(version, data, ["sha256"])
        return meta

    def publish_targets(self):
        for role, targets in self.targets.items():
            data = self.sign(targets, self.signers[role])
            self.put_versioned(role, targets.version, data)
            self.snapshot.meta[f"{role}.json"] = self.meta(targets.version, data)
        self.publish_snapshot()

    def publish_snapshot(self):
        data = self.sign(self.snapshot, self.signers["snapshot"])
        self.put_versioned("snapshot", self.snapshot.version, data)
        self.timestamp.snapshot_meta = self.meta(self.snapshot.version, data)
        self.publish_timestamp()

    def publish_timestamp(self, signers=None):
        self.server.put("metadata/timestamp.json", self.sign(self.timestamp, signers or self.signers["timestamp"]))

    def step(self, role="targets"):
        """A new version of a role's targets, and of the metadata that lists it."""
        self.targets[role].version += 1
        self.snapshot.version += 1
        self.timestamp.version += 1
        self.publish_targets()

    def add(self, path, content, role="targets"):
        file = TargetFile.from_data(path, content, ["sha256"])
        self.targets[role].targets[path] = file
        folder, _, name = path.rpartition("/")
        name = f"{file.hashes['sha256']}.{name}" if self.root.consistent_snapshot else name
        self.server.put(f"targets/{folder}/{name}" if folder else f"targets/{name}", content)

    def delegate(self, name, paths, parent="targets", terminating=False):
        signer = self.signer()
        self.signers[name] = [signer]
        self.targets[name] = Targets(expires=days(180))
        parent = self.targets[parent]
        if parent.delegations is None:
            parent.delegations = Delegations({}, {})
        parent.delegations.roles[name] = DelegatedRole(name, [], 1, terminating, paths)
        parent.add_key(signer.public_key, name)


class Server:
    """Files in memory on 127.0.0.1; requests are recorded."""

    def __init__(self):
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                path = self.path.lstrip("/")
                server.requests.append(path)
                answer = server.answers.get(path)
                body = server.files.get(urllib.parse.unquote(path) if path.startswith("targets") else path)
                self.send_response(answer or (200 if body is not None else 404))
                body = b"" if body is None or answer else body
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.reset()
        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def reset(self):
        self.files, self.answers, self.requests = {}, {}, []

    def put(self, path, data):
        self.files[path] = data

    def close(self):
        self.http.shutdown()
        self.http.server_close()
