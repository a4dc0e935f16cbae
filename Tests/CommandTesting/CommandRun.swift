import CThreadFolder
package import Foundation
import GlassBase
package import GlassHost
import TestSupport

/// What a command did that ran in the process of the tests, in a working folder of its own.
///
/// A process of its own costs a tenth of a second and, under a sanitizer, seconds. Tests about processes (signals, pipes,
/// terminals, limits that end the process) use ``CommandProcess`` instead.
package struct CommandRun: Sendable {
    package let status: Int32
    package let output: String
    package let errors: String

    /// The repository, found from this file.
    package static let repository = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Runs a command and waits for its end.
    ///
    /// - Parameters:
    ///   - arguments: The command line, without the program.
    ///   - root: The program's commands.
    ///   - program: The program's module and mocks.
    ///   - name: What the user calls the program.
    ///   - environment: Variables beside an almost empty environment.
    ///   - folder: The working directory.
    ///   - input: What the command reads from standard input.
    package init<Root: CommandLineRoot>(
        _ arguments: [String], of root: Root.Type, _ program: HostSettings, name: String,
        environment: [String: String] = [:], folder: URL = CommandRun.repository, input: String? = nil
    ) throws {
        #if !os(Linux)
            // A thread has no working folder of its own that the threads it starts would share.
            guard folder.standardizedFileURL == Self.repository.standardizedFileURL else {
                let process = try CommandProcess(
                    CommandProcess.executable(name), arguments, environment: environment, folder: folder, input: input)
                (status, output, errors) = (process.status, process.output, process.errors)
                return
            }
        #endif
        let pipe = Pipe()
        // Small enough for the pipe's buffer, so that this cannot wait for a command that does not read.
        if let input { try pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8)) }
        try pipe.fileHandleForWriting.close()
        let context = CommandContext(
            programName: name, environment: CommandEnvironment.almostEmpty(environment),
            input: pipe.fileHandleForReading)
        status = try Self.inFolder(folder.path) { Root.status(of: arguments, program, in: context) }
        (output, errors) = (context.outputText, context.errorText)
    }

    /// The standard output as a JSON object.
    package func json() throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any] ?? [:]
    }

    /// Runs a closure on a thread whose working directory is a folder. Its stack is a main thread's.
    private static func inFolder(_ path: String, _ body: @escaping @Sendable () -> Int32) throws -> Int32 {
        let result = Lock<Result<Int32, any Error>?>(nil)
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            #if os(Linux)
                let isThere = thread_unshare_folder() == 0 && chdir(path) == 0
                // The umask with which people start programs; `main` would make it stricter.
                umask(0o022)
            #else
                let isThere = chdir(path) == 0
            #endif
            let outcome: Result<Int32, any Error> =
                isThere ? .success(body()) : .failure(POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO))
            result.withLock { $0 = outcome }
            done.signal()
        }
        thread.stackSize = 8 << 20
        thread.start()
        done.wait()
        guard let outcome = result.withLock({ $0 }) else { preconditionFailure("the thread ended without an outcome") }
        return try outcome.get()
    }
}

/// The environment variables of a command that a test runs.
package enum CommandEnvironment {
    /// An almost empty environment with variables beside it, or instead of its own.
    package static func almostEmpty(_ own: [String: String]) -> [String: String] {
        let basis = ["PATH": "/usr/bin:/bin", "TMPDIR": NSTemporaryDirectory()]
        return own.merging(basis) { own, _ in own }.merging(Sanitizer.environment) { own, _ in own }
    }
}
