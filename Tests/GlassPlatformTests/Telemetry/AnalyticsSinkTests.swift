import GlassBase
import Foundation
import GlassDeepLinking
import Logging
import Testing

@testable import GlassPlatform

/// The sinks that do not need a network.
struct AnalyticsSinkTests {
    private func batch(_ key: String, _ numbers: ClosedRange<Int>, dropped: Int = 0) -> AnalyticsBatch {
        AnalyticsBatch(key: key, dropped: dropped, events: numbers.map { Data(#"{"n":\#($0)}"#.utf8) })
    }

    private func lines(_ file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
    }

    @Test func batchIsOneJSONObject() {
        #expect(
            String(decoding: batch("k", 1...2, dropped: 3).json, as: UTF8.self)
                == #"{"schema":1,"batch":"k","dropped":3,"events":[{"n":1},{"n":2}]}"#)
    }

    @Test func linesAreAppendedAndBatchIsNotWrittenTwice() async throws {
        let folder = try TestFolder()
        let file = folder.url.appending(path: "events.jsonl")
        let sink = JSONLinesAnalyticsSink(file: file)
        try await sink.send(batch("k1", 1...2))
        try await sink.send(batch("k2", 3...3, dropped: 7))
        try await sink.send(batch("k2", 3...3, dropped: 7))
        #expect(
            try lines(file) == [
                #"{"batch":"k1","n":1}"#, #"{"batch":"k1","n":2}"#, #"{"batch":"k2","dropped":7,"n":3}"#, "",
            ])
    }

    @Test(arguments: [1, 20, 24, 40, 62])
    func batchInterruptedByCrashIsCompleted(bytes: Int) async throws {
        let folder = try TestFolder()
        let file = folder.url.appending(path: "events.jsonl")
        let sink = JSONLinesAnalyticsSink(file: file)
        try await sink.send(batch("k1", 1...1))
        let before = try Data(contentsOf: file)
        try await sink.send(batch("k2", 2...4))
        let after = try Data(contentsOf: file)
        try after.prefix(before.count + bytes).write(to: file)
        try await sink.send(batch("k2", 2...4))
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        // A fragment too short to be recognized stays on its own line; the events occur exactly once in any case.
        #expect(text.hasSuffix(String(decoding: after.dropFirst(before.count), as: UTF8.self)))
        #expect(text.split(separator: "\n").filter { $0.hasPrefix(#"{"batch":"k2","#) }.count == 3)
    }

    @Test func unwritableFileIsReported() async throws {
        let folder = try TestFolder()
        let file = folder.url.appending(path: "missing/events.jsonl")
        let error = await #expect(throws: AnalyticsSinkError.self) {
            try await JSONLinesAnalyticsSink(file: file).send(batch("k", 1...1))
        }
        #expect(error.map { "\($0)" } == "cannot open \(file.path): No such file or directory")
    }

    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "only Linux has a device that is always full")
    )
    func fullDiskIsRetryableError() async throws {
        let error = await #expect(throws: AnalyticsSinkError.self) {
            try await JSONLinesAnalyticsSink(file: URL(filePath: "/dev/full")).send(batch("k", 1...1))
        }
        #expect(error.map { "\($0)" } == "cannot write /dev/full: No space left on device")
    }

    @Test func eventsAreLoggedIndividuallyWithBatch() async throws {
        let messages = Lock<[String]>([])
        var logger = Logger(label: "test") { _ in RecordingLogHandler(messages: messages) }
        logger.logLevel = .trace
        try await LogAnalyticsSink(logger: logger, level: .debug).send(batch("k", 1...2, dropped: 4))
        #expect(
            messages.withLock { $0 } == [
                "warning 4 analytics events were dropped: the outbox was full []", #"debug {"n":1} ["batch": k]"#,
                #"debug {"n":2} ["batch": k]"#,
            ])
    }
}

private struct RecordingLogHandler: LogHandler {
    let messages: Lock<[String]>
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    init(messages: Lock<[String]>) { self.messages = messages }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let metadata = event.metadata.map { "\($0)" } ?? "[]"
        messages.withLock { $0.append("\(event.level) \(event.message) \(metadata)") }
    }
}
