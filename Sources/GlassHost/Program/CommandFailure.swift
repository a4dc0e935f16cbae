package import GlassBase
package import ArgumentParser
import GlassMarketFiles
import GlassMarkets
import Foundation
import GlassSchema

/// The reason that a command exits with a status other than 0, and the message for the user.
package struct CommandFailure: Error {
    /// The exit status.
    package enum Status: Int32 {
        /// A negative result.
        case no = 1
        /// The command could not do its job.
        case impossible = 2
        /// The options make no sense for the markets.
        case usage = 64
    }

    /// The exit status.
    package let status: Status
    /// The message for the user; nil if the results already show the failure.
    package let message: DisplayText?
    /// The failure as findings, which are the JSON result of a command that has no other result.
    var findings: [Finding] = []

    /// Creates a failure.
    package init(status: Status, _ message: DisplayText? = nil) {
        self.status = status
        self.message = message
    }
}

extension CommandFailure {
    /// Creates the failure for a markets folder that cannot be read, and names the option for another folder.
    init(_ error: MarketFolderError) {
        let advice: DisplayText
        if case .unreadableFolder = error { advice = "; name another with --markets DIR" } else { advice = "" }
        self.init(status: .impossible, "\(error)\(advice)")
        findings = [Self.finding(.unreadable, "\(error)\(advice)")]
    }

    /// Returns the failure with a different status.
    func with(status: Status) -> CommandFailure {
        var failure = CommandFailure(status: status, message)
        failure.findings = findings
        return failure
    }

    /// Creates a failure that is also reported as a finding.
    init(status: Status, _ code: FindingCode, _ message: DisplayText) {
        self.init(status: status, message)
        findings = [Self.finding(code, message)]
    }

    /// The finding for a message, whose suggestion becomes the hint.
    private static func finding(_ code: FindingCode, _ message: DisplayText) -> Finding {
        let text = message.plain
        guard let end = text.range(of: "; did you mean ", options: .backwards)?.lowerBound else {
            return Finding(code, at: nil, text)
        }
        return Finding(code, at: nil, String(text[..<end]), hint: String(text[end...].dropFirst(2)))
    }
}

extension CommandFailure {
    /// Creates the failure for a script that cannot be read, and suggests a script with a similar name.
    init(_ error: ScriptRunnerError, script: String, scripts: String) {
        let nearest = Self.script(nearestTo: script, scripts: scripts)
        self.init(
            status: .impossible, .unreadable,
            "\(error)" + (nearest.map { "; did you mean \"\($0)\"?" } ?? ""))
    }

    /// The script with the name most similar to a missing one, in its folder or else among the markets' scripts.
    private static func script(nearestTo path: String, scripts: String) -> String? {
        let slash = path.lastIndex(of: "/")
        let name = String(path[(slash.map { path.index(after: $0) } ?? path.startIndex)...])
        let wanted = name.hasSuffix(".lua") ? name : name + ".lua"
        let folders = [slash.map { String(path[..<$0]) } ?? ".", scripts]
        for folder in folders {
            let all = try? ConfinedDirectory(folder).names()  // a missing folder has no suggestions
            let names = (all ?? []).filter { $0.hasSuffix(".lua") }.sorted()
            guard !names.contains(name) || folder != folders[0] else { return nil }
            if let near = names.contains(wanted) ? wanted : Suggestion.nearest(to: wanted, in: names) {
                return folder == "." ? near : "\(folder)/\(near)"
            }
        }
        return nil
    }
}

/// A command of the host. It runs with a session, and its failures become exit statuses.
package protocol HostCommand: ParsableCommand {
    /// The options that every command takes.
    var options: GlobalOptions { get }
    /// The services that its markets use unless the user chooses others.
    static var servicesByDefault: ServiceSet { get }
    /// The maximum size of its results, in bytes; nil if they continue for as long as its input, a script, or the user
    /// does.
    var resultLimit: Int? { get }
    /// Checks the arguments together, once there are no unknown options among them.
    func validateArguments() throws
    /// Runs the command.
    func run(in session: Session) throws
}

/// Whether commands leave their arguments unchecked, because only unknown options are looked for.
enum ArgumentValidation {
    @TaskLocal static var isSkipped = false
}

extension HostCommand {
    /// Live services.
    package static var servicesByDefault: ServiceSet { .live }
    /// At most 16 MB.
    package var resultLimit: Int? { CommandContext.current.outputLimit }

    /// Nothing to check.
    package func validateArguments() throws {}

    /// Checks the arguments, unless only unknown options are looked for.
    package func validate() throws {
        if !ArgumentValidation.isSkipped { try validateArguments() }
    }

    /// Runs the command with a session.
    package func run() throws {
        let session = Session(options, servicesByDefault: Self.servicesByDefault, resultLimit: resultLimit)
        do {
            do {
                do throws(MarketModule.NameClashes) {
                    try session.program.module.validate()
                } catch {
                    throw CommandFailure(status: .impossible, DisplayText(lines: error.description))
                }
                try run(in: session)
            } catch let exceeded as WorkBudget.Exceeded {
                throw CommandFailure(
                    status: .impossible,
                    "\(exceeded)"
                        + (exceeded.isOfCommand ? "" : ": the markets are too large for `\(Self._commandName)`"))
            }
        } catch let failure as CommandFailure {
            if let message = failure.message { session.console.error(message) }
            if session.console.isJSON, !failure.findings.isEmpty {
                try session.console.result(json: ["findings": failure.findings.map(\.json)])
            }
            throw ExitCode(failure.status.rawValue)
        }
    }
}
