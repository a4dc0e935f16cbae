"""Changes metadata in many ways, signs it again, and compares the results of glass-tuf-client and python-tuf.

A difference that is not in the two lists below ends with 1.
"""
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

from securesystemslib.formats import encode_canonical
from tuf.ngclient import Updater

from repository import Repository, Server

CLIENT = os.environ["GLASS_TUF_CLIENT"]

# The client's error when it rejects a file that python-tuf accepts, and why that is correct.
STRICTER = [
    (r"a duplicate member", "two members of one name: other readers keep another one"),
    (r"nested arrays and objects", "deeper than any metadata is"),
    (r"is not an integer", "a truth value, or an integer of more than 64 bits, is no version, length or threshold"),
    (r"is not a time", "a time without leading zeros: the specification has one form"),
    (r"spec_version is not a version", "digits of other scripts"),
    (r"is neither true nor false", "python takes anything for a truth value"),
    (r"a role with the invalid name", "names that differ from the four in case only, on disks that ignore case"),
    (r"contains values other than strings|is not a string", "python keeps other values where it does not look at them"),
    (r"signed\.delegations is not an object", "null is not an object that is missing"),
    (r"half of a surrogate pair", "text that no UTF-8 has"),
    (r"signed\.\S+ is not an (object|array)", "python takes null for a member that is missing"),
    (r"unsigned: \d+ of \d+ required keys", "one key under two ids counts once"),
    (
        r"^timestamp: signed\.snapshot\.json: another beside it: .*number with a fraction or an exponent",
        "python forgets what a timestamp lists beside the snapshot (Timestamp.from_dict), and so verifies the signature of before; "
        "with a fraction in it this script cannot sign it again",
    ),
]
# python-tuf's error when it rejects a file that the client accepts.
LAXER = [
    (r"Unsupported public key|unsupported|keytype|scheme|keyval", "a key of an unknown kind counts for nothing, and the others do"),
    (r"^root: .*another beside it: .*(Role names must be|has no attribute)", "roles that a root has beside the four are left alone"),
    (
        r"^root: signed\.(root|timestamp|snapshot|targets): another beside it: "
        r".*('str' object cannot be interpreted as an integer|Failed to deserialize JSON 'keyids')",
        "the same where the role is a list or lacks its members: python takes them out of it by their names (Role.from_dict)",
    ),
    (r"No key|key.*not found", "an id without a key counts for nothing"),
    (
        r"^timestamp: signed\.snapshot\.json: another beside it: .*timestamp was signed by 0/1 keys",
        "python forgets what a timestamp lists beside the snapshot (Timestamp.from_dict), and so verifies other bytes than were "
        "signed: those of the file, as the specification has it (section 4.2)",
    ),
]


def main():
    count = int(sys.argv[1])
    seed = int(os.environ.get("SEED", random.randrange(1 << 32)))
    print(f"{count} changes, SEED={seed}")
    chance = random.Random(seed)
    server = Server()
    folder = pathlib.Path(tempfile.mkdtemp())
    tally, bad = {}, 0
    try:
        for number in range(count):
            what = change(chance, Repository(server, kind="ed25519"))
            ours, our_text = play_ours(server, folder / "ours")
            theirs, their_text = play_theirs(server, folder / "theirs")
            key = ("taken" if ours else "refused") + " by us, " + ("taken" if theirs else "refused") + " by python-tuf"
            tally[key] = tally.get(key, 0) + 1
            if ours == theirs:
                continue
            known, text = (LAXER, their_text) if ours else (STRICTER, our_text)
            if not any(re.search(pattern, f"{what}: {text}") for pattern, _ in known):
                bad += 1
                print(f"#{number} {what}: {key}: {text}")
    finally:
        shutil.rmtree(folder)
        server.close()
    for key, value in sorted(tally.items()):
        print(f"{value:6} {key}")
    print(f"{bad:6} differences that are not explained")
    return 1 if bad else 0


def change(chance, repository):
    """Changes one file of a fresh repository."""
    repository.delegate("mx", ["mx/*"])
    repository.add("mx/file.txt", b"content", role="mx")
    repository.step()
    server = repository.server
    role = chance.choice(["root", "timestamp", "snapshot", "targets", "targets", "mx"])
    if role == "root":
        repository.root.version += 1
        repository.publish_root()
    names = {"root": "2.root", "timestamp": "timestamp", "snapshot": "2.snapshot", "targets": "2.targets", "mx": "1.mx"}
    path = f"metadata/{names[role]}.json"
    data = server.files[path]
    if chance.random() < 0.2:
        server.put(path, flip(chance, data))
        return f"{role}: bytes"
    document = json.loads(data)
    inside = chance.random() < 0.85
    place, what = mutate(chance, document["signed"] if inside else document)
    text = json.dumps(document)
    if inside:
        try:
            canonical = encode_canonical(document["signed"]).encode()
            signer = repository.signers[role][0]
            document["signatures"] = [signer.sign(canonical).to_dict()]
            text = json.dumps(document)
        except Exception:  # a value without a canonical form cannot be signed
            pass
    if what == "twice":
        text = text.replace(f'"{place}":', f'"{place}": null, "{place}":', 1)
    server.put(path, text.encode())
    return f"{role}: {'signed.' if inside else ''}{place}: {what}"


def flip(chance, data):
    data = bytearray(data)
    for _ in range(chance.randint(1, 3)):
        kind, at = chance.randrange(4), chance.randrange(len(data))
        if kind == 0:
            data[at] = chance.randrange(256)
        elif kind == 1:
            del data[at]
        elif kind == 2:
            data.insert(at, chance.choice(b' \t\n",:{}[]0\\\xef\xbb\xbf\x00'))
        else:
            del data[at:]
            data += b" "
    return bytes(data)


VALUES = [
    None, True, False, 0, 1, -1, 2, 2**63 - 1, 2**63, 10**30, 1.0, 0.5, "", "1", "é", "e\u0301", "\u0000", "x" * 300,
    [], {}, [1], {"a": 1}, "2026-6-1T1:1:1Z", "9999-12-31T23:59:59Z", "1970-01-01T00:00:00Z", "1.0", "1.0.31", "2.0.0",
    "1.a", "root", "TARGETS", "*", "mx/*", "[", "ed25519", "rsa", [[[[[[]]]]]], "sha256", "sha512",
]


def mutate(chance, document):
    """Changes one value in a document, and returns which and how."""
    places = []

    def collect(value, prefix):
        if isinstance(value, dict):
            for key in value:
                places.append((value, key))
                collect(value[key], prefix)
        elif isinstance(value, list):
            for index in range(len(value)):
                places.append((value, index))
                collect(value[index], prefix)

    collect(document, "")
    holder, key = chance.choice(places)
    kind = chance.randrange(6)
    if kind == 0:
        del holder[key]
        return key, "removed"
    if kind == 1 and isinstance(holder, dict):
        return key, "twice"
    if kind == 2 and isinstance(holder, dict):
        holder["x-" + str(key)] = chance.choice(VALUES)
        return key, "another beside it"
    if kind == 3 and isinstance(holder, list):
        holder.append(holder[key])
        return key, "listed twice"
    if kind == 4:
        deep = value = []
        for _ in range(chance.choice([3, 20, 40])):
            value.append([])
            value = value[0]
        holder[key] = deep
        return key, "deep"
    holder[key] = chance.choice(VALUES)
    return key, repr(holder[key])[:40]


def play_ours(server, folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    root = folder / "trusted"
    root.write_bytes(server.files["metadata/1.root.json"])
    metadata = folder / "metadata"
    subprocess.run([CLIENT, "--metadata-dir", metadata, "init", root], check=True)
    files = folder / "files"
    files.mkdir()
    result = subprocess.run(
        [CLIENT, "--metadata-dir", metadata, "--metadata-url", f"{server.url}/metadata", "--target-dir", files,
         "--target-base-url", f"{server.url}/targets", "--target-name", "mx/file.txt", "download"],
        capture_output=True, text=True, timeout=60)
    assert result.returncode in (0, 1), f"ends with {result.returncode}: {result.stderr}"
    return result.returncode == 0, result.stderr.strip()


def play_theirs(server, folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    try:
        updater = Updater(
            str(folder), f"{server.url}/metadata/", str(folder), f"{server.url}/targets/",
            bootstrap=server.files["metadata/1.root.json"])
        updater.refresh()
        file = updater.get_targetinfo("mx/file.txt")
        if file is None:
            return False, "not listed"
        updater.download_target(file)
        return True, ""
    except Exception as error:  # python-tuf raises errors of all kinds
        return False, f"{type(error).__name__}: {error} {error.__cause__ or ''}"


sys.exit(main())
