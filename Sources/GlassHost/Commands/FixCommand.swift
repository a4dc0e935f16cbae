import GlassBase
import ArgumentParser
import Foundation
import GlassMarketFiles
import GlassMarkets
import GlassSchema
import GlassAuthoring

struct FixCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "fix",
        abstract: "Applies the unambiguous fixes that the check command suggests.",
        usage: "glass-host fix [<options>] [<market> ...]",
        discussion: """
            Fixes misspelled names, numbers in quotes, missing commas, duplicate table entries, and syntax from other \
            languages in the named markets, or in all markets in the folder. Comments and formatting are preserved. \
            Checks again after each change, until there is nothing left to fix.

            Ignores ambiguous mistakes, and skips any change that would not improve the markets or that would cause a \
            new error. Files that a market extends or includes are fixed with it. Exits with 1 if errors remain or, \
            with --check, if there is something to fix.

            To apply the output of --diff, use `git apply -p0` or `patch -p0` in the working directory. If the markets \
            are outside the working directory, a message names the folder to use instead. On a terminal, invisible \
            characters are escaped.

            EXAMPLES
              glass-host fix
              glass-host fix ca --diff
              glass-host fix --check
            """
    )

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Argument(
        help: ArgumentHelp("The markets to fix. (default: all markets in the folder)", valueName: "market"),
        completion: .markets)
    var ids: [String] = []

    @Flag(help: "Print the changes as a unified diff without writing any files.")
    var diff = false

    @Flag(help: "Write no files, and exit with 1 if there is something to fix.")
    var check = false

    func validateArguments() throws {
        if let file = ids.first(where: SessionMarkets.isFile) {
            throw ValidationError(
                "\(file.quotedForMessage) is a compiled file: fix its Lua source instead")
        }
    }

    func run(in session: Session) throws {
        let loader = try session.loader().checkingAbstractBases
        let result: MarketFixer.Result = try session.reporting {
            var names = ids
            if names.isEmpty { names = try options.market.map { [$0] } ?? loader.folder.fileIDs() }
            guard !names.isEmpty else { throw try session.markets().isEmptyFailure }
            return try MarketFixer.run(names, with: loader)
        }
        var failures: [DisplayText] = []
        let folder = Self.patchFolder(of: result.files)
        if !diff, !check {
            for file in result.files {
                do throws(FileFailure) {
                    try loader.folder.replace(file.name, file.original, with: file.fixed)
                } catch {
                    failures.append("cannot write \(file.file): \(error.reason)")
                }
            }
        }
        if session.console.isJSON {
            let isWritten = !diff && !check && failures.isEmpty
            try session.console.result(json: json(of: result, isWritten: isWritten, folder: diff ? folder : nil))
        } else if result.unreadable.isEmpty || !result.findings.isEmpty || !result.files.isEmpty {
            print(result, isWritten: failures.isEmpty, folder: folder, on: session.console)
        }
        if diff, folder != FileManager.default.currentDirectoryPath { Console.message("apply the diff in \(folder)") }
        if !result.isComplete { Console.message("more fixes are available: run fix again") }
        failures += result.unreadable.map { DisplayText($0) }
        guard failures.isEmpty else { throw CommandFailure(status: .impossible, failures.joined(separator: "\n")) }
        if check ? !result.files.isEmpty : !diff && result.findings.hasErrors { throw CommandFailure(status: .no) }
    }

    /// The folder in which to apply a patch of the files: the working directory or, if a file is outside it, the parent
    /// of the markets folder.
    private static func patchFolder(of files: [MarketFixer.File]) -> String {
        let current = FileManager.default.currentDirectoryPath
        let paths = ReportPaths(root: current, current: current, fallback: "")
        guard let file = files.first(where: { paths.path(of: $0.file).hasPrefix("/") }) else { return current }
        // Plus one for the markets folder itself.
        let count = file.name.split(separator: "/").count + 1
        return "/" + paths.path(of: file.file).split(separator: "/").dropLast(count).joined(separator: "/")
    }

    private func print(_ result: MarketFixer.Result, isWritten: Bool, folder: String, on console: Console) {
        if diff {
            for file in result.files { print(file, in: folder, on: console) }
            return
        }
        let word: DisplayText = check ? "would fix" : "fixed"
        for made in result.files.flatMap(\.fixes) {
            console.result("\(made.position): \(word): \(made.title)")
        }
        for made in result.refused where !console.isQuiet {
            let reason = made.newError.map { "it would cause an error: \($0)" as DisplayText }
            console.result(
                "\(made.position): skipped: \(made.title): \(reason ?? "it would not improve the market")")
        }
        let count = result.files.reduce(0) { $0 + $1.fixes.count }
        if check, !console.isQuiet {
            console.result(
                count == 0
                    ? "nothing to fix"
                    : "\(count.counted("place")) to fix in \(result.files.count.counted("file"))")
        }
        guard !check, isWritten else { return }
        let left = result.findings.filter { $0.code != .secretUnset }
        for finding in left where !console.isQuiet || finding.severity == .error {
            console.result(console.text(of: finding))
        }
        if console.isQuiet { return }
        // Warnings about meaning are among what `check` reports, and not among these findings.
        let fixed: DisplayText = "\(result.files.count.counted("file")) fixed in \(count.counted("place"))"
        console.result("\(fixed); to see what is left, run \(ProgramName.current) check")
    }

    private func print(_ file: MarketFixer.File, in folder: String, on console: Console) {
        guard console.isForPeople else { return console.result(bytes: file.patch(in: folder)) }
        let name = file.name(in: folder)
        let names: DisplayText = "--- \(name)\n+++ \(name)"
        console.result(names.styled(.bold))
        for line in UnifiedDifference.lines(from: file.original, to: file.fixed) {
            console.result(DisplayText(line.text).styled(line.style))
        }
    }

    /// The result, with diffs if a folder is given in which to apply them.
    private func json(of result: MarketFixer.Result, isWritten: Bool, folder: String?) -> JSONObject {
        let files: [JSONObject] = result.files.map { file in
            [
                "file": file.file, "diff": folder.map { String(decoding: file.patch(in: $0), as: UTF8.self) },
                // Scripts rely on the original name of this key.
                "mends": file.fixes.map(\.json),
            ]
        }
        return [
            "files": files, "refused": result.refused.map(\.json), "written": isWritten,
            "findings": result.findings.map(\.json),
        ]
    }
}

extension MarketFixer.AppliedFix {
    fileprivate var json: JSONObject {
        var json = position.json
        json["title"] = title
        return json
    }
}

extension MarketFixer.File {
    /// The file's name in a patch: relative to the folder in which the patch is applied.
    fileprivate func name(in folder: String) -> String {
        ReportPaths(root: folder, current: FileManager.default.currentDirectoryPath, fallback: file).path(of: file)
    }

    /// The changes as a patch.
    fileprivate func patch(in folder: String) -> [UInt8] {
        UnifiedDifference.patch(of: name(in: folder), from: original, to: fixed)
    }
}

extension UnifiedDifference.Line {
    fileprivate var style: DisplayText.Style? {
        switch self {
        case .same: nil
        case .removed: .red
        case .added: .green
        case .note: .dim
        }
    }
}
