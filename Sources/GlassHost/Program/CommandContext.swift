package import Foundation
import GlassBase
import GlassMarkets

/// The program name, environment variables, and standard streams of a command. A program uses those of its process; a
/// test that runs a command in its own process supplies others.
///
/// The working directory is not part of the context. Paths are shown as the user wrote them and opened relative to the
/// working directory of the thread, so a resolved form of each path would have to be passed along with it.
package final class CommandContext: Sendable {
    /// The name by which the user invokes the program.
    package let programName: String
    /// The environment variables.
    package let environment: [String: String]
    /// The stream for results.
    let output: StandardStream
    /// The stream for messages.
    let errors: StandardStream
    /// The input that `-` and pipes refer to.
    let input: FileHandle
    /// The folder where services store their state, if the user does not name one.
    let temporaryState = TemporaryState()
    /// The maximum size of most results, and of the messages of services, in bytes.
    let outputLimit: Int
    /// The messages of services while they run.
    let serviceMessages: ServiceMessages
    /// Whether the process runs only this command, so that the command may change process-wide state: environment
    /// variables, signal handlers, and the exit of the process.
    let ownsProcess: Bool

    /// The limit of output that users have.
    package static let usualOutputLimit = 16 << 20

    private let markets = Lock<[Market]>([])
    private let wayToProject = Lock<String?>(nil)
    private let endStatus = Lock<Int32?>(nil)
    /// What a result is preceded by.
    private let introduction = Lock<DisplayText?>(nil)

    /// The context of the command that runs in this task.
    @TaskLocal package static var current = ofProcess

    /// The context of the process itself.
    static let ofProcess = CommandContext(
        programName: CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? ProgramName.inHelp,
        environment: ProcessInfo.processInfo.environment, output: .ofProcess(STDOUT_FILENO),
        errors: .ofProcess(STDERR_FILENO), input: .standardInput, ownsProcess: true)

    /// Creates a context whose output is kept in memory; the text of each stream has both if it joins them.
    package convenience init(
        programName: String = ProgramName.inHelp, environment: [String: String], input: FileHandle = .nullDevice,
        outputLimit: Int = usualOutputLimit, joinsStreams: Bool = false
    ) {
        let output = StandardStream.inMemory(isForMessages: false)
        self.init(
            programName: programName, environment: environment, output: output,
            errors: .inMemory(isForMessages: true, joining: joinsStreams ? output : nil), input: input,
            ownsProcess: false, outputLimit: outputLimit)
    }

    private init(
        programName: String, environment: [String: String], output: StandardStream, errors: StandardStream,
        input: FileHandle, ownsProcess: Bool, outputLimit: Int = usualOutputLimit
    ) {
        self.programName = programName
        self.environment = environment
        self.output = output
        self.errors = errors
        self.input = input
        self.ownsProcess = ownsProcess
        self.outputLimit = outputLimit
        serviceMessages = ServiceMessages(errors, limit: outputLimit)
    }

    /// The text that a command in memory wrote to standard output.
    package var outputText: String { output.text }
    /// The text that a command in memory wrote to standard error.
    package var errorText: String { errors.text }

    /// A market's secret, which is an environment variable. An empty variable counts as unset.
    func secret(_ name: String) -> String? {
        environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Sets what standard error has before the first result. A command that fails first does not print it.
    func introduceResult(with text: DisplayText) { introduction.withLock { $0 = $0 ?? text } }

    /// Returns what the first result is preceded by, once.
    func takeIntroduction() -> DisplayText? {
        introduction.withLock { text in
            defer { text = nil }
            return text
        }
    }

    /// Keeps a market alive until the command ends. If it were released earlier, a task would dispose of its services
    /// while the process exits.
    func keep(_ market: Market) { markets.withLock { $0.append(market) } }

    /// The relative path to the project's folder, which is found once.
    func wayToProject(_ find: () -> String) -> String {
        wayToProject.withLock { way in
            if let way { return way }
            let found = find()
            way = found
            return found
        }
    }

    /// Ends the command from code that cannot throw. A program exits with the status; a command in memory keeps the
    /// status and discards any further output.
    func end(with status: Int32, _ message: DisplayText? = nil) {
        if let message { errors.write(message + "\n") }
        temporaryState.remove()
        if ownsProcess { exit(status) }
        endStatus.withLock { $0 = $0 ?? status }
        output.close()
        errors.close()
    }

    /// Runs a command whose output is kept in memory, and releases what it created.
    func run(_ body: () -> Int32) -> Int32 {
        let status = Self.$current.withValue(self, operation: body)
        temporaryState.remove()
        markets.withLock { $0 = [] }
        return endStatus.withLock { $0 } ?? status
    }
}
