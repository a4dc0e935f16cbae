import GlassBase
import Logging

/// What the services write to the log with: its messages cannot forge a line or drive a terminal, whatever handler the
/// app has, because they are `DisplayText`.
struct SafeLogger: Sendable {
    private let logger: Logger

    /// Creates a logger.
    init(label: String) {
        self.init(Logger(label: label))
    }

    /// Writes to a logger of the app's.
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

    /// Writes a message that somebody may want to know.
    func notice(
        _ message: @autoclosure () -> DisplayText, file: String = #fileID, function: String = #function,
        line: UInt = #line
    ) {
        log(.notice, message(), file: file, function: function, line: line)
    }

    /// Writes a message about something that should not be.
    func warning(
        _ message: @autoclosure () -> DisplayText, file: String = #fileID, function: String = #function,
        line: UInt = #line
    ) {
        log(.warning, message(), file: file, function: function, line: line)
    }

    /// Writes a message about something that failed.
    func error(
        _ message: @autoclosure () -> DisplayText, file: String = #fileID, function: String = #function,
        line: UInt = #line
    ) {
        log(.error, message(), file: file, function: function, line: line)
    }
}
