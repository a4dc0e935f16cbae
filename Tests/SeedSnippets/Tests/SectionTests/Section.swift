import Foundation
import Testing

/// A section of the seeds, as an executable beside the tests.
struct Section: CustomTestStringConvertible, Sendable {
    let name: String

    var testDescription: String { name }

    /// What a run of a section came to.
    struct Outcome {
        let reason: Process.TerminationReason
        let status: Int32
        let output: String
        let errors: String
    }

    /// Runs the section in a process of its own.
    ///
    /// - Parameter arguments: chooses what the section does instead of checking its claims.
    /// - Returns: how it ended.
    /// - Throws: an error of Foundation if the section cannot be started.
    func run(_ arguments: [String] = []) throws -> Outcome {
        let process = Process()
        process.executableURL = Self.products.appendingPathComponent(name)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        let output = Pipe()
        let errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // Both are far smaller than what a pipe holds, so reading one after the other cannot block the section.
        let texts = [output, errors]
            .map { String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) }
        process.waitUntilExit()
        return Outcome(
            reason: process.terminationReason, status: process.terminationStatus, output: texts[0], errors: texts[1])
    }

    /// The folder that the package's products are in.
    private static var products: URL {
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
        return bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
    }

    /// All sections, from the folder that holds their sources.
    static let all: [Section] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/Sections").standardizedFileURL
        let names = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?
            .compactMap { $0 as? URL }.filter { $0.lastPathComponent == "main.swift" }
            .map { $0.deletingLastPathComponent().lastPathComponent }
        return (names ?? []).sorted().map { Section(name: $0) }
    }()
}
