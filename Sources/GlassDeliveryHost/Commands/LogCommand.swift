import ArgumentParser
import GlassBase
import GlassDelivery
import GlassHost

struct LogCommand: PublishingCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Shows what was published, when, by whom, and why.",
        usage: "glass-delivery log [<options>] [<market>] --to <dir>",
        discussion: """
            Each command that changes what devices get adds lines to DIR.log.jsonl, beside the published folder, so \
            that they are not served. A line has the time, the user, the commit of the markets, the market, its \
            version, its percentage, and the --reason of the command.

            NUMBER is that of the publication, which `rollback` takes. --check verifies that no line before the last was \
            changed, that none was removed, and that the log has what DIR publishes now. It exits with 1 if not.

            EXAMPLES
              glass-delivery log --to production
              glass-delivery log us --to production
              glass-delivery log --check --to production
            """
    )

    @OptionGroup var log: LogOptions
    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Option(help: ArgumentHelp("The published folder, which contains metadata/ and targets/.", valueName: "dir"))
    var to: String

    @Flag(help: "Verify the log, and that it has everything that is published.")
    var check = false

    @Argument(help: ArgumentHelp("The market whose lines to show. (default: all)", valueName: "market"))
    var id: String?

    func validateArguments() throws {
        if check, let id { throw ValidationError("--check verifies the whole log; leave \(id) out") }
    }

    func publish(in session: Session) throws {
        let console = session.console
        let folder = RepositoryFolder(to)
        let state = try PublishedState(reading: folder)
        let file = try PublicationLog(of: folder, at: log.log)
        guard let reading = try file.reading(beside: state) else {
            throw PublishingError.impossible("there is no log \(file.path); the next publication starts one")
        }
        let lines = reading.lines.enumerated().filter { id == nil || $0.element["market"] == id }
        if let id, lines.isEmpty {
            throw PublishingError.impossible("the log \(file.path) has no line about the market \(id)")
        }
        if console.isJSON {
            let rows: [JSONObject] = lines.map { Self.json($1, isFinished: !reading.unfinished.contains($0)) }
            try console.result(json: ["lines": rows, "problems": reading.problems])
        } else if !check {
            var table = Table("NUMBER", "WHEN", "COMMAND", "MARKET", "CHANGE", "VERSION", "COMMIT", "BY", "REASON")
            for (index, line) in lines { table.add(Self.row(line, isFinished: !reading.unfinished.contains(index))) }
            console.result(table.text(console))
        }
        for problem in reading.problems where !console.isJSON {
            console.error("\("error:", .red) \(file.path): \(problem.namingProgram)")
        }
        guard reading.problems.isEmpty else { throw CommandFailure(status: .no) }
        guard check, !console.isQuiet, !console.isJSON else { return }
        let count = "\(reading.lines.count) line\(reading.lines.count == 1 ? "" : "s")"
        let start = reading.start == 0 ? "" : "; the log starts after publication \(reading.start)"
        console.result("\(count), each follows the one before, and what is published is among them\(start)")
    }

    private static func json(_ line: PublicationLog.Line, isFinished: Bool) -> JSONObject {
        [
            "at": line["at"], "by": line["by"], "command": line["command"], "commit": line["commit"],
            "reason": line["reason"], "change": line["change"], "market": line["market"], "digest": line["digest"],
            "serial": line.serial, "share": line.share, "targets": line.targets, "root": line.root,
            "staged": line.isStaged, "finished": isFinished,
        ]
    }

    private static func row(_ line: PublicationLog.Line, isFinished: Bool) -> [DisplayText] {
        let change: String =
            switch line["change"] {
            case "published": "to all"
            case "rolling out": "to \(TargetsDraft.percent(line.share ?? 0))"
            case "root": "root \(line.root ?? 0)"
            case let other: other ?? ""
            }
        let version = [line.serial.map(String.init), (line["digest"]?.prefix(8)).map { "(\($0))" }].compactMap { $0 }
        return [
            "\(line.targets.map(String.init) ?? "-")", "\(line["at"] ?? "")", "\(line["command"] ?? "")",
            "\(line["market"] ?? "-")",
            "\(change)\(line.isStaged ? ", staged" : isFinished ? "" : ", interrupted")",
            "\(version.isEmpty ? "-" : version.joined(separator: " "))",
            "\((line["commit"].map { $0.prefix(8) + ($0.hasSuffix("+") ? "+" : "") }) ?? "-")", "\(line["by"] ?? "")",
            "\(line["reason"] ?? "")",
        ]
    }
}
