import ArgumentParser
import Foundation
import GlassDelivery
import GlassBase
import GlassHost
import GlassMarkets

/// The options of every command that signs.
struct PublishingOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The folder that is served: metadata/ and targets/.", valueName: "dir"))
    var to: String?

    @Option(
        help: ArgumentHelp(
            "A key file (PKCS#8, PEM), or a folder of them; may be repeated. Which role a key signs for is the root's to "
                + "say.", valueName: "path"))
    var keys: [String] = []

    @Option(
        help: ArgumentHelp(
            "A command that signs: it gets the bytes on standard input and prints the signature as hexadecimal digits, "
                + "or nothing when it has no key for $GLASS_ROLE; may be repeated.", valueName: "command"))
    var signer: [String] = []

    @Option(
        help: ArgumentHelp(
            "Sign as of this time, such as 2026-06-01T12:00:00Z. (default: now)", valueName: "time"))
    var at: String?

    func validate() throws {
        if let at, UpdateTime(at) == nil {
            throw ValidationError("--at \(at) is no time; expected one such as 2026-06-01T12:00:00Z")
        }
    }

    /// When it is signed.
    var now: UpdateTime { at.flatMap(UpdateTime.init) ?? .now }

    /// Makes a publisher of what the options name.
    func publisher(_ session: Session) throws -> Publisher {
        guard let to else { throw ValidationError("name the folder that is served with --to DIR") }
        return Publisher(
            folder: RepositoryFolder(to, mask: OutputFile.usualMask),
            signers: try Signers(paths: keys, commands: signer),
            now: now,
            secrets: SecretScan(
                environment: session.environment, prefixes: session.program.module.secretPrefixes))
    }
}

/// Which apps a market is for, and the releases that must be able to read it.
struct MarketPublishingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The lowest version of the app that gets the markets. (default: any)", valueName: "version"))
    var appMin: String?

    @Option(
        help: ArgumentHelp(
            "The highest version of the app that gets them; 25 covers 25.3. (default: any)", valueName: "version"))
    var appMax: String?

    @Option(
        help: ArgumentHelp(
            "The folder with the records of the releases in the field. (default: releases, where there is one)",
            valueName: "dir"))
    var releases: String?

    func validate() throws {
        for version in [appMin, appMax] {
            if let version, AppVersion(version) == nil {
                throw ValidationError("\(version) is no version of an app; expected one such as 24.2")
            }
        }
        if let appMin, !apps.contains(appMin) {
            throw ValidationError("no version is at least \(appMin) and at most \(appMax ?? "")")
        }
    }

    /// The versions of the app.
    var apps: AppRange { AppRange(min: appMin, max: appMax) }

    /// The releases.
    func fleet() throws(PublishingError) -> Fleet? {
        if let releases { return try Fleet(reading: releases) }
        guard FileManager.default.fileExists(atPath: "releases") else { return nil }
        return try Fleet(reading: "releases")
    }
}

extension UpdateTime {
    /// What the system's clock says.
    static var now: UpdateTime { .system }
}

/// A command that publishes, whose errors become exit statuses.
protocol PublishingCommand: HostCommand {
    func publish(in session: Session) throws
}

extension PublishingCommand {
    func run(in session: Session) throws {
        do {
            try publish(in: session)
        } catch let error as PublishingError {
            throw CommandFailure(
                status: error.kind == .refused ? .no : .impossible, DisplayText(lines: error.description.namingProgram))
        }
    }
}

extension String {
    /// The text with the commands in it as the user calls them: an app's own program has another name.
    var namingProgram: String { replacing("glass-delivery", with: ProgramName.current) }
}
