import GlassBase
import Logging

/// The logger of the services. Its messages cannot forge lines or control a terminal, regardless of the app's log
/// handler, because they are `DisplayText`.
struct SafeLogger: Sendable {
    private let logger: Logger

    /// Creates a logger.
    init(label: String) {
        self.init(Logger(label: label))
    }

    /// Creates a logger that writes to one of the app.
    init(_ logger: Logger) {
        self.logger = logger
    }

    /// Writes a message.
    func log(
        _ level: Logger.Level, _ message: @autoclosure () -> DisplayText,
        metadata: @autoclosure () -> [String: DisplayText]? = nil,
        file: String = #fileID, function: String = #function, line: UInt = #line
    ) {
        logger.log(
            level: level, "\(message().plain)", metadata: metadata()?.mapValues { .string($0.plain) }, file: file,
            function: function, line: line)
    }

    /// Writes a message that may be of interest.
    func notice(
        _ message: @autoclosure () -> DisplayText, file: String = #fileID, function: String = #function,
        line: UInt = #line
    ) {
        log(.notice, message(), file: file, function: function, line: line)
    }

    /// Writes a message about something unexpected.
    func warning(
        _ message: @autoclosure () -> DisplayText, file: String = #fileID, function: String = #function,
        line: UInt = #line
    ) {
        log(.warning, message(), file: file, function: function, line: line)
    }

    /// Writes a message about a failure.
    func error(
        _ message: @autoclosure () -> DisplayText, file: String = #fileID, function: String = #function,
        line: UInt = #line
    ) {
        log(.error, message(), file: file, function: function, line: line)
    }
}
