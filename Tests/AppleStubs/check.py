"""Type-checks a copy of the sources as Apple's systems read them; then again with a type error in each branch that Linux does
not compile, to show that no branch was left out. `run` starts it.

In the copy, each condition is replaced by its value on the system, and `import Foundation` by the stub AppleFoundation. A
branch is the text between two directives.
"""
import collections, json, pathlib, re, shlex, subprocess, sys, tempfile

SYSTEMS = {"ios": "iOS", "macos": "macOS", "tvos": "tvOS", "watchos": "watchOS", "visionos": "visionOS"}
# Of these, Package.swift names the minimum. Of the others, only the branches that are theirs alone are checked.
WHOLE = ["ios", "macos"]
# What .github/workflows/apple.yml builds for iOS, and what those targets stand on. macOS has every target.
IOS = {
    "GlassBase", "GlassContainer", "GlassContainerTesting", "GlassDeepLinking", "GlassDelivery", "GlassFlags", "GlassMarkets",
    "GlassPlatform", "GlassPlatformMocks", "GlassSchema", "GlassTransfer",
}
STUBS = pathlib.Path("Tests/AppleStubs")
# SwiftUI's stub belongs to the seeds' snippets; parts of it belong to Combine and Observation on Apple's systems.
SWIFTUI = pathlib.Path("Tests/SeedSnippets/SwiftUIStub")
FRAMEWORKS = {folder.name for folder in STUBS.iterdir() if (folder / f"{folder.name}.swift").exists()} | {"SwiftUI"}
ONLY = {"AppKit": {"macos"}, "UIKit": set(SYSTEMS) - {"macos"}}
NOT_APPLE = {"CCurl", "FoundationNetworking", "Glibc", "Musl"}
# Flags that are on in a debug build. The others are off: those of stubs, sanitizers and traits.
FLAGS = {"DEBUG"}

ATOM = re.compile(r"canImport\((\w+)\)|os\((\w+)\)|([A-Za-z_]\w*)")
DIRECTIVE = re.compile(r"\s*#(if|elseif|else|endif)\b(.*)")
FOUNDATION = re.compile(r"((?:^|\s)import )Foundation$|(?<![\w.`])Foundation(?=\.[a-z])")
FAULT = 'func glassFault() -> Int { "" }'
FOUND = re.compile(r"^(\S+):(\d+):\d+: error: cannot convert return expression of type 'String'", re.MULTILINE)

SWIFT = ["-parse-as-library", "-swift-version", "6", "-warnings-as-errors", "-diagnostic-style", "llvm"] + [
    word
    for feature in (
        "ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault", "InferIsolatedConformances",
        "NonisolatedNonsendingByDefault", "ImmutableWeakCaptures",
    )
    for word in ("-enable-upcoming-feature", feature)
]


def holds(condition, system):
    """Whether a condition holds on a system, or on Linux if that is None."""
    def value(match):
        module, named, flag = match.groups()
        if named: return str(named == SYSTEMS.get(system, "Linux"))
        if flag: return str(flag in FLAGS)
        if module in NOT_APPLE: return str(system is None and module != "Musl")
        if module not in FRAMEWORKS: sys.exit(f"FAILED: there is no stub of {module}; add one to {STUBS}")
        return str(system is not None and system in ONLY.get(module, SYSTEMS))
    text = ATOM.sub(value, condition.split("//")[0])
    return eval(text.replace("&&", " and ").replace("||", " or ").replace("!", " not ").strip())


class Source:
    """A file, and what each system compiles of it."""

    def __init__(self, path):
        self.path = path
        self.target = path.parts[1]
        self.lines = path.read_text().split("\n")
        self.directives = [
            (index, *match.groups()) for index, line in enumerate(self.lines) if (match := DIRECTIVE.match(line))
        ]

    def compiled(self, system):
        """For each directive, whether a system compiles the text after it."""
        stack, result = [], {}  # the stack: around the directive, taken before, now
        for index, keyword, condition in self.directives:
            if keyword == "if":
                around = not stack or stack[-1][2]
                now = holds(condition, system)
                stack.append((around, now, around and now))
            elif keyword == "endif":
                stack.pop()
            else:
                around, taken, _ = stack.pop()
                now = not taken and (keyword == "else" or holds(condition, system))
                stack.append((around, taken or now, around and now))
            result[index] = not stack or stack[-1][2]
        return result

    def differs(self, system):
        return self.compiled(system) != self.compiled(None)

    def branches(self, system):
        """The directives that begin a branch of this system alone, other than imports: the compiler finds a wrong one of those
        wherever the file is compiled."""
        linux, here = self.compiled(None), self.compiled(system)
        ends = [index for index, *_ in self.directives[1:]] + [len(self.lines)]
        for (index, keyword, _), end in zip(self.directives, ends):
            text = [line.strip() for line in self.lines[index + 1:end]]
            isCode = any(line and not re.match(r"//|(\w+ )?import ", line) for line in text)
            if here[index] and not linux[index] and keyword != "endif" and isCode: yield index

    def copy(self, system, root, faults=()):
        """Writes the file as a system reads it; returns the lines of the copy that have a fault."""
        conditions = {index: (keyword, text) for index, keyword, text in self.directives}
        lines, planted = [], {}
        for index, line in enumerate(self.lines):
            keyword, condition = conditions.get(index, ("", ""))
            if keyword in ("if", "elseif"): line = f"#{keyword} {str(holds(condition, system)).lower()}"
            elif not keyword and not line.lstrip().startswith("//"):
                line = FOUNDATION.sub(lambda match: f"{match[1] or ''}AppleFoundation", line)
            lines.append(line)
            if index in faults:
                lines.append(FAULT)
                planted[len(lines)] = index
        target = root / self.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("\n".join(lines))
        return planted


def compile(*arguments):
    result = subprocess.run(["swiftc", *map(str, arguments)], capture_output=True, text=True)
    return result.returncode, result.stdout + result.stderr


def emit(name, to, sources, *flags):
    """Compiles a stub."""
    status, output = compile(
        "-emit-module", "-module-name", name, "-o", to / f"{name}.swiftmodule", "-I", to, *flags, "-suppress-warnings",
        *SWIFT[:3], *SWIFT[4:], *sources)
    if status: sys.exit(f"{output}\nFAILED: the stub of {name}")


def make_stubs(work):
    common = work / "common"
    common.mkdir()
    for name in sorted(FRAMEWORKS - {"AppleFoundation", "SwiftUI"}): emit(name, common, sorted((STUBS / name).glob("*.swift")))
    parts = sorted(SWIFTUI.glob("*.swift"))
    emit("Combine", common, [part for part in parts if part.name == "ObservableObject.swift"])
    views = []
    for part in parts:
        if part.name == "ObservableObject.swift": continue
        views.append(work / part.name)
        text = part.read_text().replace("public protocol Observable {}", "")
        views[-1].write_text(f"public import Combine\npublic import Observation\n{text}")
    emit("SwiftUI", common, views)
    for name, flags in (("mac", []), ("phone", ["-D", "NO_PROCESS"])):
        (work / name).mkdir()
        emit("AppleFoundation", work / name, (STUBS / "AppleFoundation").glob("*.swift"), *flags)


def folder_of_build():
    result = subprocess.run(["swift", "build", "--show-bin-path"], stdout=subprocess.PIPE, text=True, check=True)
    return pathlib.Path(result.stdout.strip())


def flags_of_build(binaries):
    """How the modules of the build are found, and those in C that they import."""
    maps = [*pathlib.Path("Sources").rglob("module.modulemap")]
    for package in ("GRDB.swift/Sources/GRDBSQLite", "swift-crypto/Sources"):
        maps += pathlib.Path(".build/checkouts", package).rglob("module.modulemap")
    folders = [file.parent for file in maps] + sorted(pathlib.Path("Sources").glob("*/include"))
    lua = subprocess.run(["pkg-config", "--cflags-only-I", "lua5.4"], capture_output=True, text=True).stdout
    # `package` declarations are visible only with the package name that SwiftPM derives from the folder.
    package = re.sub("[^a-z0-9_]", "_", pathlib.Path.cwd().name.lower())
    flags = ["-package-name", package, "-I", binaries / "Modules", *shlex.split(lua)]
    for folder in folders: flags += ["-I", folder]
    for file in sorted(binaries.glob("*.build/module.modulemap")): flags += ["-Xcc", f"-fmodule-map-file={file}"]
    return flags


def macros():
    """Where a frontend that no driver starts finds Swift's own macros."""
    output = subprocess.run(["swiftc", "-print-target-info"], capture_output=True, text=True, check=True).stdout
    return ["-plugin-path", pathlib.Path(json.loads(output)["paths"]["runtimeResourcePath"], "host/plugins")]


def check(system, sources, elsewhere, binaries, work):
    """Checks each target that has something for the system; returns what is wrong, and the branches and whether a fault in
    them was found."""
    wrong, branches = [], []
    alone = {source.path: [mark for mark in source.branches(system) if (source.path, mark) not in elsewhere] for source in sources}
    targets = collections.defaultdict(list)
    for source in sources: targets[source.target].append(source)
    flags = ["-I", work / ("mac" if system == "macos" else "phone"), "-I", work / "common", *flags_of_build(binaries), *SWIFT]
    for target, files in sorted(targets.items()):
        if system in WHOLE:
            chosen, isTouched = files, any(source.differs(system) for source in files)
        else:
            chosen = [source for source in files if alone[source.path]]
            isTouched = bool(chosen)
        if not isTouched or system == "ios" and target not in IOS: continue
        root = work / system
        for source in files: source.copy(system, root)
        own = ["-typecheck", "-module-name", target, *flags]
        generated = sorted((binaries / f"{target}.build/DerivedSources").glob("embedded_resources.swift"))
        others = [root / source.path for source in files if source not in chosen]
        if others:
            primaries = [word for source in chosen for word in ("-primary-file", root / source.path)]
            status, output = compile("-frontend", *own, *macros(), *primaries, *others, *generated)
        else:
            status, output = compile(
                *own, "-continue-building-after-errors", *(root / source.path for source in files), *generated)
        if status:
            wrong.append(output.replace(f"{root}/", "") + f"FAILED: {target} as for {SYSTEMS[system]}")
            continue
        faulty = work / f"{system}-faults"
        planted = {}
        for source in files:
            marks = alone[source.path] if system not in WHOLE else list(source.branches(system))
            if not marks: continue
            lines = source.copy(system, faulty, marks)
            planted[source] = lines
        primaries = [word for source in planted for word in ("-primary-file", faulty / source.path)]
        rest = [root / source.path for source in files if source not in planted]
        _, output = compile("-frontend", *own, *macros(), *primaries, *rest, *generated) if planted else (0, "")
        found = {(path, int(line)) for path, line in FOUND.findall(output)}
        for source, lines in planted.items():
            for line, mark in lines.items():
                isFound = (str(faulty / source.path), line) in found
                branches.append((source.path, mark, isFound))
                if not isFound:
                    wrong.append(f"{source.path}:{mark + 1}: a type error here is not found as for {SYSTEMS[system]}")
    return wrong, branches


def main(arguments):
    if arguments not in ([], ["--faults"]): sys.exit("usage: Tests/AppleStubs/run [--faults]")
    sources = [Source(path) for path in sorted(pathlib.Path("Sources").rglob("*.swift"))]
    binaries, failed, elsewhere = folder_of_build(), False, set()
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        make_stubs(work)
        for system, name in SYSTEMS.items():
            wrong, branches = check(system, sources, elsewhere, binaries, work)
            elsewhere |= {(path, mark) for path, mark, _ in branches}
            if arguments:
                for path, mark, isFound in branches: print(f"{'found ' if isFound else 'MISSED'} {name:8} {path}:{mark + 1}")
            for text in wrong: print(text, file=sys.stderr)
            failed = failed or bool(wrong)
            if not wrong: print(f"ok   as for {name}: a type error in each of {len(branches)} branches is found", flush=True)
    sys.exit(1 if failed else 0)


main(sys.argv[1:])
