"""The requirements for a client of The Update Framework, tested with glass-tuf-client."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from repository import Repository, Server, days

CLIENT = os.environ["GLASS_TUF_CLIENT"]


class ClientTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()

    @classmethod
    def tearDownClass(cls):
        cls.server.close()

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.metadata, self.files = self.folder / "metadata", self.folder / "files"
        self.metadata.mkdir()
        self.files.mkdir()

    def start(self, **options):
        repository = Repository(self.server, **options)
        (self.folder / "root").write_bytes(self.server.files["metadata/1.root.json"])
        self.assertEqual(self.run_client("--metadata-dir", self.metadata, "init", self.folder / "root"), 0)
        return repository

    def run_client(self, *arguments, days_later=None):
        command = [CLIENT, *map(str, arguments)]
        if days_later:
            command = ["faketime", "-f", f"+{days_later}d", *command]
        result = subprocess.run(command, capture_output=True, text=True, timeout=60)
        self.said = result.stderr
        self.assertIn(result.returncode, (0, 1), self.said)
        return result.returncode

    def refresh(self, **options):
        self.server.requests.clear()
        return self.run_client(
            "--metadata-url", f"{self.server.url}/metadata", "--metadata-dir", self.metadata, "refresh", **options)

    def download(self, *paths):
        self.server.requests.clear()
        names = [word for path in paths for word in ("--target-name", path)]
        return self.run_client(
            "download", *names, "--target-base-url", f"{self.server.url}/targets", "--target-dir", self.files,
            "--metadata-dir", self.metadata, "--metadata-url", f"{self.server.url}/metadata")

    def versions(self):
        stored = {}
        for path in self.metadata.iterdir():
            stored[path.name.removesuffix(".json")] = json.loads(path.read_bytes())["signed"]["version"]
        return stored

    def contents(self):
        return sorted(path.read_bytes() for path in self.files.rglob("*") if path.is_file())

    def asked(self):
        return [path.removeprefix("metadata/") for path in self.server.requests]

    # Installation

    def test_fresh_install(self):
        for kind in ("ecdsa", "ed25519"):
            with self.subTest(kind):
                shutil.rmtree(self.metadata)
                self.start(kind=kind)
                self.assertEqual(self.versions(), {"root": 1})
                self.assertEqual(self.refresh(), 0, self.said)
                self.assertEqual(self.versions(), {"root": 1, "timestamp": 1, "snapshot": 1, "targets": 1})
                self.assertEqual(
                    self.asked(), ["2.root.json", "timestamp.json", "1.snapshot.json", "1.targets.json"])
                for name in ("timestamp", "1.snapshot", "1.targets"):
                    stored = self.metadata / f"{name.split('.')[-1]}.json"
                    self.assertEqual(stored.read_bytes(), self.server.files[f"metadata/{name}.json"])

    def test_nothing_new(self):
        self.start()
        self.assertEqual(self.refresh(), 0)
        self.assertEqual(self.refresh(), 0)
        self.assertEqual(self.asked(), ["2.root.json", "timestamp.json"])

    def test_initialised_again(self):
        self.start()
        self.refresh()
        self.assertEqual(self.run_client("init", self.folder / "root", "--metadata-dir", self.metadata), 0)
        self.assertEqual(self.versions(), {"root": 1, "timestamp": 1, "snapshot": 1, "targets": 1})

    def test_without_consistent_snapshots(self):
        repository = self.start(consistent=False)
        repository.add("a/b.txt", b"content")
        repository.step()
        self.assertEqual(self.download("a/b.txt"), 0, self.said)
        self.assertIn("targets/a/b.txt", self.server.requests)
        self.assertEqual(self.contents(), [b"content"])

    def test_wrong_arguments(self):
        for arguments in ([], ["refresh"], ["--metadata-dir", self.metadata, "refresh"], ["--colour", "init", "x"]):
            self.assertEqual(self.run_client(*arguments), 1)
        self.assertEqual(list(self.metadata.iterdir()), [])

    def test_root_that_is_not_signed(self):
        self.start()
        root = json.loads((self.folder / "root").read_bytes())
        root["signatures"] = []
        (self.folder / "root").write_text(json.dumps(root))
        shutil.rmtree(self.metadata)
        self.assertEqual(self.run_client("--metadata-dir", self.metadata, "init", self.folder / "root"), 1)

    # Root

    def test_rotations(self):
        repository = self.start()
        for role in ("root", "timestamp", "snapshot", "targets", "root"):
            repository.rotate(role)
        repository.step()
        self.assertEqual(self.refresh(), 0, self.said)
        self.assertEqual(self.versions(), {"root": 6, "timestamp": 2, "snapshot": 2, "targets": 2})
        self.assertEqual(self.asked()[:6], [f"{number}.root.json" for number in range(2, 8)])

    def test_root_without_the_old_key(self):
        repository = self.start()
        self.refresh()
        stranger = repository.signer()
        repository.root.revoke_key(repository.signers["root"][0].public_key.keyid, "root")
        repository.root.add_key(stranger.public_key, "root")
        repository.root.version += 1
        repository.publish_root([stranger])
        self.assertEqual(self.refresh(), 1)
        self.assertIn("unsigned", self.said)
        self.assertEqual(self.versions()["root"], 1)

    def test_root_without_its_own_threshold(self):
        repository = self.start()
        repository.root.add_key(repository.signer().public_key, "root")
        repository.root.roles["root"].threshold = 2
        repository.root.version += 1
        repository.publish_root()
        self.assertEqual(self.refresh(), 1)
        self.assertEqual(self.versions(), {"root": 1})

    def test_root_of_another_version(self):
        repository = self.start()
        repository.root.version = 3
        self.server.put("metadata/2.root.json", repository.publish_root())
        self.assertEqual(self.refresh(), 1)
        self.assertIn("wrong version", self.said)
        self.assertEqual(self.versions(), {"root": 1})

    def test_expired_root(self):
        repository = self.start()
        self.refresh()
        repository.root.expires = days(-1)
        repository.root.version += 1
        repository.publish_root()
        repository.step()
        self.assertEqual(self.refresh(), 1)
        self.assertEqual(self.versions(), {"root": 2, "timestamp": 1, "snapshot": 1, "targets": 1})
        self.assertEqual(self.asked(), ["2.root.json", "3.root.json"])

    def test_answers_for_the_next_root(self):
        self.start()
        self.server.answers["metadata/2.root.json"] = 403
        self.assertEqual(self.refresh(), 0, self.said)
        self.server.answers["metadata/2.root.json"] = 500
        self.assertEqual(self.refresh(), 1)

    # Rollbacks and freezes

    def test_older_timestamp(self):
        repository = self.start()
        repository.step()
        self.refresh()
        repository.timestamp.version = 1
        repository.publish_timestamp()
        self.assertEqual(self.refresh(), 1)
        self.assertIn("rollback", self.said)
        self.assertEqual(self.versions()["timestamp"], 2)

    def test_older_snapshot(self):
        for hashes in (False, True):
            with self.subTest(hashes=hashes):
                shutil.rmtree(self.metadata)
                repository = self.start()
                repository.hashes = hashes
                repository.step()
                self.refresh()
                repository.snapshot.version = 1
                repository.timestamp.version += 1
                repository.publish_snapshot()
                self.assertEqual(self.refresh(), 1)
                self.assertEqual(self.versions()["timestamp"], 2)
                self.assertEqual(self.versions()["snapshot"], 2)

    def test_older_targets(self):
        repository = self.start()
        repository.step()
        self.refresh()
        repository.targets["targets"].version = 1
        repository.snapshot.version += 1
        repository.timestamp.version += 1
        repository.publish_targets()
        self.assertEqual(self.refresh(), 1)
        self.assertEqual(self.versions(), {"root": 1, "timestamp": 3, "snapshot": 2, "targets": 2})

    def test_recovery_from_huge_versions(self):
        repository = self.start()
        repository.targets["targets"].version = repository.snapshot.version = repository.timestamp.version = 99_999
        repository.publish_targets()
        self.assertEqual(self.refresh(), 0)
        repository.rotate("snapshot")
        repository.rotate("timestamp")
        repository.targets["targets"].version = repository.snapshot.version = repository.timestamp.version = 1
        repository.publish_targets()
        self.assertEqual(self.refresh(), 0, self.said)
        self.assertEqual(self.versions(), {"root": 3, "timestamp": 1, "snapshot": 1, "targets": 1})

    def test_expired_metadata_is_not_stored(self):
        for role in ("timestamp", "snapshot", "targets"):
            with self.subTest(role):
                shutil.rmtree(self.metadata)
                repository = self.start()
                self.refresh()
                signed = repository.targets["targets"] if role == "targets" else getattr(repository, role)
                signed.expires = days(-1)
                repository.step()
                self.assertEqual(self.refresh(), 1)
                self.assertIn("expired", self.said)
                self.assertEqual(self.versions()[role], 1)

    def test_another_day(self):
        repository = self.start()
        self.assertEqual(self.refresh(), 0)
        # The same files are served for too long.
        self.assertEqual(self.refresh(days_later=18), 1)
        self.assertIn("expired", self.said)
        # The known metadata has expired, but the served metadata has not.
        repository.timestamp.expires = days(21)
        repository.step()
        self.assertEqual(self.refresh(days_later=18), 0, self.said)
        self.assertEqual(self.versions(), {"root": 1, "timestamp": 2, "snapshot": 2, "targets": 2})

    # Signatures

    def test_thresholds(self):
        repository = self.start()
        repository.rotate("timestamp", signers=3)
        repository.root.roles["timestamp"].threshold = 2
        repository.root.version += 1
        repository.publish_root()
        first, second, _ = repository.signers["timestamp"]
        for signers, result in (([first], 1), ([first, repository.signers["root"][0]], 1), ([first, second], 0)):
            repository.publish_timestamp(signers)
            self.assertEqual(self.refresh(), result)

    def test_one_key_under_two_ids(self):
        repository = self.start()
        signer = repository.signers["timestamp"][0]
        twin = json.loads(self.server.files["metadata/1.root.json"])["signed"]["keys"][signer.public_key.keyid]
        from securesystemslib.signer import SSlibKey
        repository.root.add_key(SSlibKey.from_dict("twin", json.loads(json.dumps(twin))), "timestamp")
        repository.root.roles["timestamp"].threshold = 2
        repository.root.version += 1
        repository.publish_root()
        repository.publish_timestamp()
        timestamp = json.loads(self.server.files["metadata/timestamp.json"])
        timestamp["signatures"].append({**timestamp["signatures"][0], "keyid": "twin"})
        self.server.put("metadata/timestamp.json", json.dumps(timestamp).encode())
        self.assertEqual(self.refresh(), 1)
        self.assertIn("unsigned", self.said)
        self.assertEqual(self.versions(), {"root": 2})

    def test_content_that_was_changed(self):
        repository = self.start()
        for name in ("timestamp", "1.snapshot", "1.targets"):
            with self.subTest(name):
                path = f"metadata/{name}.json"
                good = self.server.files[path]
                changed = json.loads(good)
                changed["signed"]["expires"] = "2999-01-01T00:00:00Z"
                self.server.put(path, json.dumps(changed).encode())
                self.assertEqual(self.refresh(), 1)
                self.assertIn("unsigned", self.said)
                self.server.put(path, good)
        self.assertEqual(self.refresh(), 0)

    def test_snapshot_that_is_not_the_listed_one(self):
        repository = self.start()
        repository.hashes = True
        repository.step()
        self.server.files["metadata/2.snapshot.json"] += b" "
        self.assertEqual(self.refresh(), 1)
        self.assertEqual(self.versions(), {"root": 1, "timestamp": 2})

    # Files

    def test_files_in_folders(self):
        repository = self.start()
        for path in ("file.txt", "path/to/a/file.txt", "a b/ü?#%.txt"):
            repository.add(path, path.encode())
        repository.step()
        self.assertEqual(self.download("file.txt", "path/to/a/file.txt", "a b/ü?#%.txt"), 0, self.said)
        self.assertEqual(self.contents(), sorted(p.encode() for p in ("file.txt", "path/to/a/file.txt", "a b/ü?#%.txt")))
        self.assertEqual([path.parent for path in self.files.rglob("*")], [self.files] * 3)

    def test_a_file_that_is_there_is_not_fetched_again(self):
        repository = self.start()
        repository.add("file.txt", b"one")
        repository.step()
        self.assertEqual(self.download("file.txt"), 0)
        self.assertEqual(self.download("file.txt"), 0)
        self.assertFalse([path for path in self.server.requests if path.startswith("targets/")])
        repository.add("file.txt", b"two")
        repository.step()
        self.assertEqual(self.download("file.txt"), 0)
        self.assertEqual(self.contents(), [b"two"])

    def test_files_that_were_changed(self):
        repository = self.start()
        repository.add("file.txt", b"content")
        repository.step()
        path = next(path for path in self.server.files if path.endswith(".file.txt"))
        for bad in (b"", b"conten", b"contenT", b"content+", b"x" * 1_000_000):
            self.server.put(path, bad)
            self.assertEqual(self.download("file.txt"), 1)
            self.assertEqual(list(self.files.rglob("*")), [])

    def test_a_file_that_no_one_lists(self):
        self.start()
        self.assertEqual(self.download("file.txt"), 1)
        self.assertEqual(list(self.files.rglob("*")), [])

    # Delegations

    def test_delegation(self):
        repository = self.start()
        repository.delegate("a", ["mx/*"])
        repository.delegate("b", ["mx/deep/*"], parent="a")
        repository.add("mx/file.txt", b"file", role="a")
        repository.add("mx/deep/file.txt", b"never", role="b")
        repository.add("us/file.txt", b"not its own", role="a")
        repository.step()
        self.assertEqual(self.download("mx/file.txt"), 0, self.said)
        self.assertEqual(self.versions(), {"root": 1, "timestamp": 2, "snapshot": 2, "targets": 2, "a": 1})
        self.assertEqual(self.download("us/file.txt"), 1)
        # One more slash than in the pattern of the first role.
        self.assertEqual(self.download("mx/deep/file.txt"), 1)
        self.assertEqual(self.contents(), [b"file"])

    def test_delegated_targets_are_kept(self):
        repository = self.start()
        repository.delegate("a", ["*"])
        repository.add("file.txt", b"file", role="a")
        repository.step()
        self.assertEqual(self.download("file.txt"), 0)
        self.assertEqual(self.download("file.txt"), 0)
        self.assertEqual(self.asked(), ["2.root.json", "timestamp.json"])
        repository.step("a")
        self.assertEqual(self.download("file.txt"), 0)
        self.assertEqual(self.versions()["a"], 2)

    def test_delegated_targets_that_have_expired(self):
        repository = self.start()
        repository.delegate("a", ["*"])
        repository.add("file.txt", b"file", role="a")
        repository.targets["a"].expires = days(-1)
        repository.step()
        self.assertEqual(self.download("file.txt"), 1)
        self.assertNotIn("a", self.versions())

    def test_names_of_roles(self):
        for role in ("?", "#", "/role", "../role", "ünï"):
            with self.subTest(role):
                shutil.rmtree(self.metadata)
                repository = self.start()
                repository.delegate(role, ["*"])
                repository.step()
                self.assertEqual(self.download("nothing"), 1)
                self.assertIn("is not listed", self.said)
                self.assertEqual(len(self.versions()), 5)
                self.assertEqual(len(list(self.folder.rglob("*.json"))), 5)

    def test_order_of_delegations(self):
        repository = self.start()
        for name in ("a", "b", "c"):
            repository.delegate(name, ["*"])
        repository.delegate("a1", ["*"], parent="a")
        repository.delegate("a2", ["*"], parent="a", terminating=True)
        repository.add("file.txt", b"file", role="b")
        repository.step()
        self.assertEqual(self.download("file.txt"), 1)
        self.assertEqual(self.asked()[-3:], ["1.a.json", "1.a1.json", "1.a2.json"])

    def test_many_delegations(self):
        repository = self.start()
        for number in range(40):
            repository.delegate(f"r{number}", ["*"])
        repository.step()
        self.assertEqual(self.download("nothing"), 1)
        self.assertEqual(len([name for name in self.asked() if ".r" in name and "root" not in name]), 32)


if __name__ == "__main__":
    unittest.main()
