import CommandTesting
import Foundation
import TestSupport

/// A run of the built `glass-host`.
typealias HostProcess = CommandProcess

extension CommandProcess {
    /// The program next to the test bundle.
    static let executable = executable("glass-host")

    /// Whether the program is built with a sanitizer, whose instructions count as the program's own: work close to a
    /// CPU time limit may then reach it, and must end with its finding.
    static let isSanitized = Sanitizer.name != nil

    /// An almost empty environment for a process in a test, with the given variables added or replaced.
    static func environment(_ own: [String: String]) -> [String: String] { CommandEnvironment.almostEmpty(own) }

    /// Runs the program and waits until it ends.
    init(
        _ arguments: [String], environment: [String: String] = [:], folder: URL = CommandRun.repository,
        input: String? = nil, interruptAfter: String? = nil
    ) throws {
        try self.init(
            Self.executable, arguments, environment: environment, folder: folder, input: input,
            interruptAfter: interruptAfter)
    }
}

/// A temporary folder for one test.
final class TestFolder {
    let url = FileManager.default.temporaryDirectory.appending(path: "glass-host-tests-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        // The system cleans up a folder that cannot be removed.
        try? FileManager.default.removeItem(at: url)
    }

    /// A copy of the real markets.
    func markets() throws -> URL {
        let copy = url.appending(path: "markets")
        try FileManager.default.copyItem(at: CommandRun.repository.appending(path: "markets"), to: copy)
        return copy
    }

    func write(_ text: String, to name: String) throws -> String {
        let file = url.appending(path: name)
        try Data(text.utf8).write(to: file)
        return file.path
    }
}
