import Foundation
import GlassBase
import Logging

/// Writes the log of the services to standard error, one line per event.
struct ConsoleLogHandler: LogHandler {
    let label: String
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    var logLevel = Logger.Level.info

    init(label: String) {
        self.label = label
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(metadataProvider?.get() ?? [:]) { $1 }.merging(event.metadata ?? [:]) { $1 }
        let notes = all.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" as DisplayText }.joined()
        let time = Date.now.formatted(.iso8601)
        // The logging system belongs to the process rather than to a command.
        CommandContext.ofProcess.serviceMessages.print(
            "\(time) \(event.level) \(label):\(notes) [\(event.source)] \(event.message)")
    }
}
