package import GlassBase
package import ArgumentParser
import GlassMarketFiles

/// Why a command ends with a status other than 0, and the message for the user.
package struct CommandFailure: Error {
    /// The exit status.
    package enum Status: Int32 {
        /// The answer is no.
        case no = 1
        /// The job could not be done.
        case impossible = 2
    }

    /// The exit status.
    package let status: Status
    /// What the user is told; nil when the results say it.
    package let message: SafeText?

    /// Ends a command.
    ///
    /// - Parameters:
    ///   - status: How.
    ///   - message: What the user is told; nil when the results say it.
    package init(status: Status, _ message: SafeText? = nil) {
        self.status = status
        self.message = message
    }
}

extension CommandFailure {
    /// A markets folder that cannot be read, with the option that names another.
    init(_ error: MarketFolderError) {
        let advice: SafeText
        if case .unreadableFolder = error { advice = "; name another with --markets DIR" } else { advice = "" }
        self.init(status: .impossible, "\(error)\(advice)")
    }
}

/// A command of the host: runs with a session, and its failures become exit statuses.
package protocol HostCommand: ParsableCommand {
    /// The options that every command takes.
    var options: GlobalOptions { get }
    /// Which services its markets have unless the user says.
    static var servicesByDefault: ServiceSet { get }
    /// The most bytes of its results; nil where they go on as long as its input, a script or the user does.
    var resultLimit: Int? { get }
    /// Runs the command.
    ///
    /// - Parameter session: The markets that the options name, and where results go.
    /// - Throws: ``CommandFailure``, or what ends the command as a usage error.
    func run(in session: Session) throws
}

extension HostCommand {
    /// The real ones.
    package static var servicesByDefault: ServiceSet { .live }
    /// As much as one can read.
    package var resultLimit: Int? { ResultAllowance.bytes }

    /// Runs the command with a session.
    ///
    /// - Throws: The exit status.
    package func run() throws {
        let session = Session(options, servicesByDefault: Self.servicesByDefault, resultLimit: resultLimit)
        do {
            do {
                try run(in: session)
            } catch let exceeded as Allowance.Exceeded {
                throw CommandFailure(
                    status: .impossible, "\(exceeded): the markets are too large for `\(Self._commandName)`")
            }
        } catch let failure as CommandFailure {
            if let message = failure.message { session.console.error(message) }
            throw ExitCode(failure.status.rawValue)
        }
    }
}
