import ArgumentParser
import Foundation
import GlassDelivery
import GlassBase
import GlassHost
import GlassMarkets

/// The options of every command that signs.
struct PublishingOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The published folder, which contains metadata/ and targets/.", valueName: "dir"))
    var to: String?

    @OptionGroup var keys: KeyOptions

    @Option(
        help: ArgumentHelp(
            "A signing command that reads the bytes from standard input and prints the signature in hexadecimal "
                + "digits, or prints nothing if it has no key for $GLASS_ROLE; may be repeated.", valueName: "command"))
    var signer: [String] = []

    @Option(help: ArgumentHelp("The reason, for the log.", valueName: "text"))
    var reason: String?

    @OptionGroup var log: LogOptions

    @Option(
        help: ArgumentHelp(
            "Sign as of this time, such as 2026-06-01T12:00:00Z. (default: now)", valueName: "time"))
    var at: String?

    @Flag(
        help: "Publish metadata that expires before the metadata it replaces, for example after a clock was ahead.")
    var allowEarlierExpiry = false

    func validate() throws {
        if let at, UpdateTime(at) == nil {
            throw ValidationError("--at \(at) is not a time; expected for example 2026-06-01T12:00:00Z")
        }
        if let reason, reason.utf8.count > 1_000 {
            throw ValidationError("--reason has \(reason.utf8.count) bytes; write at most 1,000")
        }
    }

    /// The time of the signatures.
    var now: UpdateTime { at.flatMap(UpdateTime.init) ?? .now }

    /// Creates a publisher from the options, for a command.
    func publisher(_ session: Session, _ command: String) throws -> Publisher {
        guard let to else { throw ValidationError("name the published folder with --to DIR") }
        let folder = RepositoryFolder(to, mask: OutputFile.usualMask)
        return Publisher(
            folder: folder,
            signers: try Signers(
                paths: keys.paths(session.environment, isNeeded: signer.isEmpty), commands: signer),
            now: now,
            secrets: SecretScan(
                environment: session.environment, prefixes: session.program.module.secretPrefixes),
            allowsEarlierExpiry: allowEarlierExpiry,
            log: (
                try PublicationLog(of: folder, at: log.log),
                PublicationLog.Entry(
                    command: command, user: PublicationLog.Entry.user(in: session.environment), reason: reason)
            ))
    }
}

/// How a command writes targets.
struct WritingOptions: ParsableArguments {
    @Flag(help: "Do everything except write files.")
    var dryRun = false

    @Flag(help: "Stage targets in DIR/staged until they are signed.")
    var stage = false
}

/// The option that names key files.
struct KeyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A key file (PKCS#8, PEM), or a folder of key files; may be repeated. The root determines the role of each "
                + "key. (default: the folder of `key new`, if it exists)", valueName: "path"))
    var keys: [String] = []

    /// The named files and folders; otherwise the folder of `key new`, if it exists and no other key was named.
    func paths(_ environment: [String: String], isNeeded: Bool = true) -> [String] {
        guard keys.isEmpty, isNeeded else { return keys }
        guard let folder = Self.folder(environment), ConfinedDirectory.isFolder(folder) else { return [] }
        return [folder]
    }

    /// The folder for new keys, `$XDG_CONFIG_HOME/glass-delivery` (XDG Base Directory Specification); `nil` if neither
    /// that variable nor the home is set.
    static func folder(_ environment: [String: String]) -> String? {
        // The specification ignores a relative path.
        let configuration = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = environment["HOME"].flatMap { $0.isEmpty ? nil : "\($0)/.config" }
        return (configuration ?? home).map { "\($0)/glass-delivery" }
    }
}

/// The option that names the log.
struct LogOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The log of the publication, which must not be in DIR. (default: DIR.log.jsonl)", valueName: "file"))
    var log: String?
}

/// The app versions that a market is for, and the releases that must be able to read it.
struct MarketPublishingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The lowest app version that gets the markets. (default: any)", valueName: "version"))
    var appMin: String?

    @Option(
        help: ArgumentHelp(
            "The highest app version that gets the markets; 25 includes 25.3. (default: any)", valueName: "version"))
    var appMax: String?

    @OptionGroup var releases: ReleaseOptions

    @Flag(help: "Publish markets whose files are not committed.")
    var allowUncommitted = false

    /// Refuses to publish markets whose files are not committed, so that each publication can be traced.
    func requireCommitted(_ folder: String) throws(PublishingError) {
        guard !allowUncommitted else { return }
        let files = try GitWorkingTree.uncommittedFiles(in: folder)
        guard let first = files.first else { return }
        let (others, verb) = files.count > 1 ? (" and \(files.count - 1) more", "are") : ("", "is")
        throw .refused(
            "\(first)\(others) in \(folder) \(verb) not committed, so the publication could not be traced; commit "
                + "the markets, or pass --allow-uncommitted")
    }

    func validate() throws {
        for version in [appMin, appMax] {
            if let version, AppVersion(version) == nil {
                throw ValidationError("\(version) is not an app version; expected for example 24.2")
            }
        }
        if let appMin, !apps.contains(appMin) {
            throw ValidationError("no version is at least \(appMin) and at most \(appMax ?? "")")
        }
    }

    /// The app versions that the options select.
    var apps: AppRange { AppRange(min: appMin, max: appMax) }
}

/// The option that names the records of app releases.
struct ReleaseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder that contains the records of app releases. (default: releases in the project folder, if it exists)",
            valueName: "dir"))
    var releases: String?

    /// The recorded app releases, if any.
    func fleet() throws(PublishingError) -> Fleet? {
        if let releases { return try Fleet(reading: releases) }
        // Where `schema record` writes them, from any folder of the project.
        let folder = "\(ProjectFolder.current)releases"
        guard FileManager.default.fileExists(atPath: folder) else { return nil }
        return try Fleet(reading: folder)
    }
}

extension UpdateTime {
    /// The system time.
    static var now: UpdateTime { .system }
}

/// A command that publishes. Its errors determine the exit status.
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
    /// The text with the program name that the user ran, because an app's own program has another name.
    var namingProgram: String { replacing("glass-delivery", with: ProgramName.current) }
}
