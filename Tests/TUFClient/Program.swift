import Foundation
import GlassBase
import GlassDelivery

/// Drives the verifier like test suites for clients of The Update Framework do, using only files in a folder.
///
/// ```console
/// $ glass-tuf-client --metadata-dir DIR init ROOT
/// $ glass-tuf-client --metadata-url URL --metadata-dir DIR refresh
/// $ glass-tuf-client --metadata-url URL --metadata-dir DIR --target-name PATH --target-dir DIR \
///     --target-base-url URL download
/// ```
///
/// It exits with 0 or 1, requests each file once, accepts plain http, and reads the clock like C programs do.
@main
struct Program {
    static func main() async {
        do {
            try await Command(CommandLine.arguments.dropFirst()).run()
        } catch {
            FileHandle.standardError.write(Data("glass-tuf-client: \(error)\n".utf8))
            exit(1)
        }
    }
}

/// An error in the arguments or the files.
struct ProgramError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// One invocation of the program.
struct Command {
    private var options: [String: [String]] = [:]
    private var words: [String] = []

    private static let names = [
        "--metadata-dir", "--metadata-url", "--target-name", "--target-dir", "--target-base-url",
    ]

    init(_ arguments: ArraySlice<String>) throws {
        var rest = arguments
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
            if let name = parts.first, Self.names.contains(name) {
                guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
                    throw ProgramError("\(name) needs a value")
                }
                options[name, default: []].append(value)
            } else if argument.hasPrefix("--") {
                throw ProgramError("unknown option \(argument)")
            } else {
                words.append(argument)
            }
        }
    }

    private func option(_ name: String) throws -> String {
        guard let value = options[name]?.last else { throw ProgramError("\(name) is missing") }
        return value
    }

    func run() async throws {
        let store = MetadataFolder(URL(filePath: try option("--metadata-dir")))
        switch words.first {
        case "init" where words.count == 2:
            let root = try Data(contentsOf: URL(filePath: words[1]))
            _ = try TrustedSet(root: Array(root), limits: Self.limits)
            try store.write(Array(root), to: "root.json")
        case "refresh" where words.count == 1: _ = try await refresh(store, lookingFor: [])
        case "download" where words.count == 1: try await download(store)
        default: throw ProgramError("usage: [OPTION…] init ROOT | refresh | download")
        }
    }

    private static let limits: UpdateLimits = {
        var limits = UpdateLimits.wide
        limits.tries = 1
        return limits
    }()

    private func client() throws -> UpdateClient {
        func transport(_ option: String) throws -> HTTPUpdateTransport {
            let text = try self.option(option)
            guard let url = URL(string: text) else { throw ProgramError("\(option): \(text) is no URL") }
            return HTTPUpdateTransport(try UpdateServer(url, allowsPlainHTTP: true), silence: Self.limits.silence)
        }
        let metadata = try transport("--metadata-url")
        return UpdateClient(
            metadata: metadata,
            files: options["--target-base-url"] == nil ? metadata : try transport("--target-base-url"))
    }

    private func refresh(_ store: MetadataFolder, lookingFor paths: [String]) async throws -> RefreshOutcome {
        let trusted = try TrustedSet(remembering: store.files(), limits: Self.limits)
        var now = time_t()
        time(&now)
        let outcome = try await client().refresh(
            from: trusted, now: UpdateTime(secondsSince1970: Int(now)), lookingFor: paths)
        if outcome.hasForgotten { try store.remove(["timestamp.json", "snapshot.json"]) }
        for file in outcome.received { try store.write(file.bytes, to: file.name) }
        if let error = outcome.error { throw error }
        return outcome
    }

    private func download(_ store: MetadataFolder) async throws {
        let paths = options["--target-name"] ?? []
        if paths.isEmpty { throw ProgramError("--target-name is missing") }
        let folder = URL(filePath: try option("--target-dir"))
        let outcome = try await refresh(store, lookingFor: paths)
        for path in paths {
            guard let file = outcome.files[path] else { throw ProgramError("\(path) is not listed") }
            let place = folder.appending(path: TrustedSet.encodedName(of: path))
            // A valid file is not downloaded again; an unreadable or invalid one is.
            if let data = try? Data(contentsOf: place), (try? file.check(Array(data))) != nil { continue }
            let download = await (try client()).download(file, of: outcome.trusted)
            if let error = download.error { throw error }
            try Data(download.bytes ?? []).write(to: place, options: .atomic)
        }
    }
}

/// The folder that stores metadata as received.
struct MetadataFolder {
    private let url: URL

    init(_ url: URL) { self.url = url }

    func files() throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: url.path) where name.hasSuffix(".json") {
            files[name] = Array(try Data(contentsOf: url.appending(path: name)))
        }
        return files
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try Data(bytes).write(to: url.appending(path: name), options: .atomic)
    }

    func remove(_ names: [String]) throws {
        for name in names where FileManager.default.fileExists(atPath: url.appending(path: name).path) {
            try FileManager.default.removeItem(at: url.appending(path: name))
        }
    }
}
