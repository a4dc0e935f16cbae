import GlassBase
import Foundation
public import Logging

/// Logs events with swift-log, with one message per event.
package final class LogAnalyticsSink: AnalyticsSink {
    /// The name that identifies the sink of an outbox.
    package let name: String
    private let logger: SafeLogger
    private let level: Logger.Level

    /// Creates a sink.
    package init(
        logger: Logger = Logger(label: "glass.analytics.events"), level: Logger.Level = .info, name: String = "log"
    ) {
        self.logger = SafeLogger(logger)
        self.level = level
        self.name = name
    }

    /// Logs a batch.
    package func send(_ batch: AnalyticsBatch) async throws {
        if batch.dropped > 0 { logger.warning("\(batch.dropped) analytics events were dropped: the outbox was full") }
        for event in batch.events {
            logger.log(
                level, DisplayText(json: String(decoding: event, as: UTF8.self)), metadata: ["batch": "\(batch.key)"])
        }
    }
}

extension AnalyticsSinkDefinition {
    /// Logs events with swift-log, with one message per event.
    ///
    /// - Parameters:
    ///   - level: The level of the messages.
    ///   - label: The logger's label.
    ///   - name: The name that identifies the sink of an outbox.
    /// - Returns: The definition.
    public static func log(
        level: Logger.Level = .info, label: String = "glass.analytics.events", name: String = "log"
    ) -> Self {
        Self(name: name) { _ in LogAnalyticsSink(logger: Logger(label: label), level: level, name: name) }
    }
}
