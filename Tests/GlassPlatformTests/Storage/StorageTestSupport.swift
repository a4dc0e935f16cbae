import Foundation
import GRDB
import GlassBase
import GlassContainer
@testable import GlassPlatform
import GlassPlatformMocks
import GlassSchema

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A temporary state folder, removed with the object.
final class StateFolder: Sendable {
    let url: URL

    init(in parent: URL = FileManager.default.temporaryDirectory) throws {
        url = parent.appending(path: "glass-storage-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)  // a leftover in the temporary folder does no harm
    }

    /// The names in the folder, in byte order.
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }

    /// The files that were set aside, without their log files.
    func setAside() throws -> [String] {
        try names().filter { $0.contains(".corrupt-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
    }
}

/// A small temporary file system; `nil` if the system does not permit mounting one.
final class SmallDisk: Sendable {
    let folder: StateFolder

    /// Whether this process may mount file systems, which requires root on Linux.
    static let isPermitted: Bool = (try? SmallDisk(kilobytes: 64)) != nil  // any failure means no

    init(kilobytes: Int) throws {
        folder = try StateFolder()
        #if os(Linux)
            guard mount("tmpfs", folder.url.path, "tmpfs", 0, "size=\(kilobytes)k") == 0 else {
                throw CocoaError(.fileWriteNoPermission)
            }
        #else
            throw CocoaError(.featureUnsupported)
        #endif
    }

    deinit {
        #if os(Linux)
            umount2(folder.url.path, CInt(MNT_DETACH))
        #endif
    }

    /// Uses up the remaining space.
    func fill() throws {
        let path = folder.url.appending(path: "filler").path
        guard let file = fopen(path, "w") else { throw CocoaError(.fileWriteUnknown) }
        setvbuf(file, nil, _IONBF, 0)
        let page = [UInt8](repeating: 1, count: 4096)
        while fwrite(page, 1, page.count, file) == page.count {}
        fclose(file)
    }

    func free() throws { try FileManager.default.removeItem(at: folder.url.appending(path: "filler")) }

    /// Makes the file system read-only or writable again.
    func setReadOnly(_ readOnly: Bool) throws {
        #if os(Linux)
            let flags = UInt(MS_REMOUNT) | (readOnly ? UInt(MS_RDONLY) : 0)
            guard mount("tmpfs", folder.url.path, "tmpfs", flags, nil) == 0 else {
                throw CocoaError(.fileWriteNoPermission)
            }
        #endif
    }
}

extension ServiceKind {
    /// The family's services with preferences of every type.
    func storageContainer(stateFolder: URL? = nil) -> Container {
        let container = Container()
        var config = sampleConfig()
        config.preferences = .sample
        if self == .mock {
            container.setupPlatformMocks(with: config)
        } else {
            container.setupPlatformDependencies(with: config, host: PlatformHost(stateFolder: stateFolder))
        }
        return container
    }
}

extension PreferencesConfiguration {
    /// Preferences of every type.
    static let sample = PreferencesConfiguration(
        suite: "group.com.example",
        [
            "storeID": (.integer, .integer(100)), "prefersPickup": (.boolean, .boolean(false)),
            "language": (.string, .string("en")), "textScale": (.number, .integer(1)), "lastSearch": (.string, nil),
        ])

    init(suite: String, _ keys: [String: (PreferenceType, ConfigurationScalar?)]) {
        self.init()
        self.suite = suite
        self.keys = keys.mapValues { type, value in
            var preference = Preference()
            preference.type = type
            preference.default = value
            return preference
        }
    }
}

extension StorageError {
    /// SQLite's code for the cause.
    var code: ResultCode? {
        guard case .unavailable(_, let cause) = self else { return nil }
        return (cause as? DatabaseError)?.resultCode
    }

    /// The system's code for the cause.
    var systemCode: CInt? {
        guard case .unavailable(_, let cause) = self else { return nil }
        return (cause as? POSIXFailure)?.code
    }
}

/// Runs blocking work on its own thread, away from those that the tests share.
func onOwnThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
    }
}

/// The program `storage-writer`, next to the test bundle.
enum StorageWriter {
    static let executable: URL = {
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        while folder.path != "/" {
            folder = folder.deletingLastPathComponent()
            let candidate = folder.appending(path: "storage-writer")
            if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
        }
        return folder
    }()

    /// The lines that the program prints with some environment variables, and those of its log.
    static func lines(
        _ arguments: [String], _ environment: [String: String]
    ) throws -> (printed: [String], logged: [String]) {
        let process = Process()
        let (output, log) = (Pipe(), FileManager.default.temporaryDirectory.appending(path: UUID().uuidString))
        try Data().write(to: log)
        defer { try? FileManager.default.removeItem(at: log) }  // the system empties the temporary folder
        process.executableURL = executable
        process.arguments = arguments
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: log)
        try process.run()
        func lines(_ data: Data) -> [String] {
            String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
        }
        let printed = lines(output.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
        return (printed, lines(try Data(contentsOf: log)))
    }

    /// Starts the program and discards its output.
    static func start(_ arguments: [String]) throws -> Process {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        try process.run()
        return process
    }
}
