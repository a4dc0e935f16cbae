import Foundation

/// The program `delivery-writer`, next to the test bundle.
enum DeliveryWriter {
    static let executable: URL = {
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        while folder.path != "/" {
            folder = folder.deletingLastPathComponent()
            let candidate = folder.appending(path: "delivery-writer")
            if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
        }
        return folder
    }()

    /// Starts the program.
    ///
    /// - Returns: The process, and its output.
    static func start(_ arguments: [String]) throws -> (process: Process, output: Pipe) {
        let (process, output) = (Process(), Pipe())
        process.executableURL = executable
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        try process.run()
        return (process, output)
    }

    /// A `delivery-writer serve`, which forks one process after the other.
    final class Server {
        private let process = Process()
        private let commands = Pipe()
        private let output = Pipe()
        private var unread = Data()

        init() throws {
            process.executableURL = executable
            process.arguments = ["serve"]
            process.standardInput = commands
            process.standardOutput = output
            try process.run()
        }

        /// Runs a flow in a process that is killed before one of its system calls.
        ///
        /// - Parameters:
        ///   - flow: The flow.
        ///   - step: The number of the call, from 1; 0 for none.
        ///   - isTorn: Whether a call that writes is cut short before the process is killed at the next one.
        ///   - folder: The folder with the app, the server and the store.
        /// - Returns: Whether it was killed, and how many calls it made otherwise.
        func run(_ flow: String, killBefore step: Int, isTorn: Bool = false, in folder: URL) throws
            -> (wasKilled: Bool, steps: Int, error: String?)
        {
            let line = "\(flow) \(step) \(isTorn ? "torn" : "kill") \(folder.path)\n"
            try commands.fileHandleForWriting.write(contentsOf: Data(line.utf8))
            var error: String?
            while let words = self.line()?.split(separator: " ").map(String.init) {
                if words[0] == "ended" { return (words[1] == "9", Int(words[2]) ?? 0, error) }
                error = words.joined(separator: " ")
            }
            return (false, 0, "the server ended")
        }

        func stop() throws {
            try commands.fileHandleForWriting.close()
            process.waitUntilExit()
        }

        private func line() -> String? {
            while true {
                if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                    let text = String(decoding: unread[unread.startIndex..<end], as: UTF8.self)
                    unread = Data(unread[(end + 1)...])
                    return text
                }
                let chunk = output.fileHandleForReading.availableData
                if chunk.isEmpty { return nil }
                unread += chunk
            }
        }
    }
}
