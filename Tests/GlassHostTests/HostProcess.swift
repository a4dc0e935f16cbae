import CommandTesting
import Foundation
import TestSupport

/// What a run of the built `glass-host` did.
struct HostProcess {
    let status: Int32
    let output: String
    let errors: String

    /// The program beside the test bundle.
    static let executable: URL = {
        let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        var folder = bundle.deletingLastPathComponent()
        while folder.path != "/" {
            let candidate = folder.appending(path: "glass-host")
            if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
            folder = folder.deletingLastPathComponent()
        }
        return bundle
    }()

    /// Whether the program is built with a sanitizer, whose instructions count as the program's own: what comes near a limit
    /// of processor time may meet it then, and has to end with its diagnostic.
    static let isSanitized = Sanitizer.name != nil

    /// An almost empty environment for a process of a test, with variables beside it, or instead of its own.
    static func environment(_ own: [String: String]) -> [String: String] { CommandEnvironment.almostEmpty(own) }

    /// Runs the program and waits for its end.
    ///
    /// - Parameters:
    ///   - arguments: The command line.
    ///   - environment: Variables beside an almost empty environment.
    ///   - folder: The working directory.
    ///   - input: What the process reads from standard input.
    ///   - interruptAfter: Text on standard output after which the process gets SIGINT.
    init(
        _ arguments: [String], environment: [String: String] = [:], folder: URL = CommandRun.repository,
        input: String? = nil, interruptAfter: String? = nil
    ) throws {
        let process = Process()
        process.executableURL = Self.executable
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = Self.environment(environment)
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        let inputPipe = input == nil ? nil : Pipe()
        process.standardInput = inputPipe ?? FileHandle.nullDevice
        try process.run()
        // Small enough for the pipe's buffer, so that this cannot wait for a process that does not read.
        if let input { try inputPipe?.fileHandleForWriting.write(contentsOf: Data(input.utf8)) }
        try inputPipe?.fileHandleForWriting.close()
        // Both pipes are read at once, so that neither can fill up and block the process.
        let errorReader = DispatchQueue(label: "errors")
        nonisolated(unsafe) var errorData = Data()  // written by the queue, read after it is done
        errorReader.async { errorData = errors.fileHandleForReading.readDataToEndOfFile() }
        var outputData = Data()
        if let interruptAfter {
            while !String(decoding: outputData, as: UTF8.self).contains(interruptAfter) {
                let chunk = output.fileHandleForReading.availableData
                if chunk.isEmpty { break }
                outputData += chunk
            }
            process.interrupt()
        }
        outputData += output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        errorReader.sync {}
        status = process.terminationStatus
        self.output = String(decoding: outputData, as: UTF8.self)
        self.errors = String(decoding: errorData, as: UTF8.self)
    }

    /// The standard output as a JSON object.
    func json() throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any] ?? [:]
    }
}

/// A folder of a test's own.
final class TestFolder {
    let url = FileManager.default.temporaryDirectory.appending(path: "glass-host-tests-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        // A folder that cannot be removed is the system's to clean up.
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
