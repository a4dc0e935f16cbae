package import Foundation
import TestSupport

/// The result of running a built program.
package struct CommandProcess: Sendable {
    package let status: Int32
    package let output: String
    package let errors: String

    /// A program next to the test bundle.
    package static func executable(_ name: String) -> URL {
        let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        var folder = bundle.deletingLastPathComponent()
        while folder.path != "/" {
            let candidate = folder.appending(path: name)
            if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
            folder = folder.deletingLastPathComponent()
        }
        return bundle
    }

    /// Runs the program and waits until it ends.
    ///
    /// - Parameters:
    ///   - program: The program.
    ///   - arguments: The command line.
    ///   - environment: Variables in addition to an almost empty environment.
    ///   - folder: The working directory.
    ///   - input: The standard input of the process.
    ///   - interruptAfter: Text on standard output after which the process receives SIGINT.
    package init(
        _ program: URL, _ arguments: [String], environment: [String: String] = [:],
        folder: URL = CommandRun.repository, input: String? = nil, interruptAfter: String? = nil
    ) throws {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = CommandEnvironment.almostEmpty(environment)
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        let inputPipe = input == nil ? nil : Pipe()
        process.standardInput = inputPipe ?? FileHandle.nullDevice
        try process.run()
        // Small enough for the pipe's buffer, so this does not block on a process that does not read.
        if let input { try inputPipe?.fileHandleForWriting.write(contentsOf: Data(input.utf8)) }
        try inputPipe?.fileHandleForWriting.close()
        // Both pipes are read concurrently, so that neither can fill up and block the process.
        let errorReader = DispatchQueue(label: "errors")
        nonisolated(unsafe) var errorData = Data()  // written by the queue, read once it is done
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
    package func json() throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any] ?? [:]
    }
}
