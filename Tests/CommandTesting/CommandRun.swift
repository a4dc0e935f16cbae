import CThreadFolder
package import Foundation
import GlassBase
package import GlassHost
import TestSupport

/// The result of a command that ran in the process of the tests, in its own working folder.
///
/// A separate process costs a tenth of a second and, under a sanitizer, seconds. Tests of processes (signals, pipes,
/// terminals, limits that end the process) use ``CommandProcess`` instead.
package struct CommandRun: Sendable {
    package let status: Int32
    package let output: String
    package let errors: String

    /// The repository, located relative to this file.
    package static let repository = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// A limit of output for a test that reaches it: that of users with all rounds, and where a command in another
    /// folder is a process; otherwise a sixteenth of it.
    package static let outputLimit: Int = {
        #if os(Linux)
            rounds(all: CommandContext.usualOutputLimit, few: CommandContext.usualOutputLimit / 16)
        #else
            CommandContext.usualOutputLimit
        #endif
    }()

    /// Runs a command and waits until it ends.
    ///
    /// - Parameters:
    ///   - arguments: The command line, without the program.
    ///   - root: The program's commands.
    ///   - program: The program's module and mocks.
    ///   - name: The name by which the user calls the program.
    ///   - environment: Variables in addition to an almost empty environment.
    ///   - folder: The working directory.
    ///   - input: The standard input of the command.
    ///   - outputLimit: The maximum size of a result, and of the messages of services, in bytes; by default that of users. Of no effect on a command that
    ///     this system runs in a process, like the next one.
    ///   - joinsStreams: Whether `output` and `errors` are both what the command wrote to either stream, in order.
    package init<Root: CommandLineRoot>(
        _ arguments: [String], of root: Root.Type, _ program: HostSettings, name: String,
        environment: [String: String] = [:], folder: URL = CommandRun.repository, input: String? = nil,
        outputLimit: Int = CommandContext.usualOutputLimit, joinsStreams: Bool = false
    ) throws {
        #if !os(Linux)
            // A thread's own working folder would not be inherited by the threads that it starts.
            guard folder.standardizedFileURL == Self.repository.standardizedFileURL else {
                let process = try CommandProcess(
                    CommandProcess.executable(name), arguments, environment: environment, folder: folder, input: input)
                (status, output, errors) = (process.status, process.output, process.errors)
                return
            }
        #endif
        let pipe = Pipe()
        // Small enough for the pipe's buffer, so this does not block on a command that does not read.
        if let input { try pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8)) }
        try pipe.fileHandleForWriting.close()
        let context = CommandContext(
            programName: name, environment: CommandEnvironment.almostEmpty(environment),
            input: pipe.fileHandleForReading, outputLimit: outputLimit, joinsStreams: joinsStreams)
        status = try Self.inFolder(folder.path) { Root.status(of: arguments, program, in: context) }
        (output, errors) = (context.outputText, context.errorText)
    }

    /// The standard output as a JSON object.
    package func json() throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any] ?? [:]
    }

    /// Runs a closure on a thread whose working directory is the folder. Its stack is as large as a main thread's.
    private static func inFolder(_ path: String, _ body: @escaping @Sendable () -> Int32) throws -> Int32 {
        let result = Lock<Result<Int32, any Error>?>(nil)
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            #if os(Linux)
                let isThere = thread_unshare_folder() == 0 && chdir(path) == 0
                // The umask with which users start programs; `main` would make it stricter.
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

/// The environment variables of a command in a test.
package enum CommandEnvironment {
    /// An almost empty environment, with the given variables added or replaced.
    package static func almostEmpty(_ own: [String: String]) -> [String: String] {
        let basis = ["PATH": "/usr/bin:/bin", "TMPDIR": NSTemporaryDirectory()]
        return own.merging(basis) { own, _ in own }.merging(Sanitizer.environment) { own, _ in own }
    }
}
