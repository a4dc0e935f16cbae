import CommandTesting
import Foundation

/// A `glass-host` that runs until it is interrupted, and whose output is read meanwhile.
final class LiveProcess {
    private let process = Process()
    private let pipe = Pipe()
    private(set) var output = ""
    /// How much of the output has been consumed.
    private var cursor = 0

    /// Starts the program.
    ///
    /// - Parameters:
    ///   - arguments: The command line.
    ///   - environment: Variables in addition to an almost empty environment.
    ///   - folder: The working directory.
    init(
        _ arguments: [String], environment: [String: String] = [:], folder: URL = CommandRun.repository
    ) throws {
        process.executableURL = HostProcess.executable
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = HostProcess.environment(environment)
        process.standardOutput = pipe
        process.standardError = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        // A silent program must not block the tests: ending it ends the reading.
        DispatchQueue.global().asyncAfter(deadline: .now() + 60) { [weak process] in
            if process?.isRunning == true { process?.terminate() }
        }
    }

    /// Reads until the text occurs in the output that is not yet consumed.
    ///
    /// - Returns: The consumed output, up to the end of the text; without the text if the program ended.
    @discardableResult
    func read(until text: String) -> String {
        while true {
            let rest = output.dropFirst(cursor)
            if let found = rest.range(of: text) {
                let seen = rest[..<found.upperBound]
                cursor += seen.count
                return String(seen)
            }
            let chunk = pipe.fileHandleForReading.availableData
            if chunk.isEmpty { return String(rest) }
            output += String(decoding: chunk, as: UTF8.self)
        }
    }

    /// Sends Ctrl-C and waits.
    ///
    /// - Returns: The status.
    func interrupt() -> Int32 {
        process.interrupt()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
