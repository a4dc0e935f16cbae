import GlassBase
import FlyingFox
import Foundation

/// Accepts batches of events, each key once, and counts them.
final class Collector: Sendable {
    /// The counts so far.
    struct Report: Encodable {
        /// Requests, including repeated ones.
        var requests = 0
        /// Distinct keys.
        var batches = 0
        /// Distinct events.
        var events = 0
        /// Events that arrived in two batches with different keys.
        var duplicates = 0
        /// Events whose number does not follow that of the previous event from the same process.
        var outOfOrder = 0
        /// Events that the senders dropped because an outbox was full.
        var dropped = 0
        /// Invalid batches.
        var malformed = 0
    }

    fileprivate struct Batch: Decodable {
        struct Event: Decodable {
            var id: String
            var name: String
            var process: String
            var sequence: Int
        }

        var dropped: Int
        var events: [Event]
    }

    fileprivate struct State {
        var report = Report()
        var keys: Set<String> = []
        var ids: Set<String> = []
        var names: [String] = []
        var sequences: [String: Int] = [:]
    }

    private let state = Lock(State())

    /// The counts.
    var report: Report { state.withLock { $0.report } }
    /// The name of each event in order of arrival, one per line.
    var names: String { state.withLock { $0.names.map { $0 + "\n" }.joined() } }

    /// Accepts a batch.
    func take(_ body: Data, key: String?) -> HTTPResponse {
        let batch: Batch
        do {
            batch = try JSONDecoder().decode(Batch.self, from: body)
        } catch {
            state.withLock { $0.report.malformed += 1 }
            return .failure(400)
        }
        return state.withLock { state in
            state.report.requests += 1
            guard let key, !key.isEmpty else {
                state.report.malformed += 1
                return .failure(400)
            }
            guard state.keys.insert(key).inserted else { return .json(["taken": "before"]) }
            state.report.batches += 1
            state.report.dropped += batch.dropped
            for event in batch.events { state.take(event) }
            return .json(["taken": "now"])
        }
    }
}

extension Collector.State {
    fileprivate mutating func take(_ event: Collector.Batch.Event) {
        guard ids.insert(event.id).inserted else {
            report.duplicates += 1
            return
        }
        report.events += 1
        names.append(event.name)
        if event.sequence != (sequences[event.process] ?? 0) + 1 { report.outOfOrder += 1 }
        sequences[event.process] = event.sequence
    }
}
