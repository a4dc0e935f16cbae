import GlassBase
import GlassDeepLinking

/// Sends the events of an outbox to one sink: one batch at a time, in order, and repeatedly until it is acknowledged.
final class AnalyticsSender: Sendable {
    private struct Flush {
        let target: Int64
        let continuation: CheckedContinuation<Result<Void, AnalyticsError>, Never>
    }

    private struct State {
        var flushes: [Int: Flush] = [:]
        var lastFlush = 0
        var hasEnded = false
        /// The number of events tracked here since the outbox was last read, which avoids reading it for each event.
        var news = 0
    }

    /// The result of one round of the loop.
    private enum Round {
        case progress
        case nothing
        case idle(Duration)
    }

    private let sink: any AnalyticsSink
    private let outbox: AnalyticsOutbox
    private let batching: AnalyticsBatching
    private let retry: Backoff
    private let clock: TelemetryClock
    private let logger: SafeLogger
    private let wakeup = Wakeup()
    private let state = Lock(State())

    init(
        sink: any AnalyticsSink, outbox: AnalyticsOutbox, batching: AnalyticsBatching, retry: Backoff,
        clock: TelemetryClock, logger: SafeLogger
    ) {
        self.sink = sink
        self.outbox = outbox
        // Lower values would check repeatedly without ever sending.
        self.batching = batching.withAtLeast(events: 1, interval: .milliseconds(10))
        self.retry = retry
        self.clock = clock
        self.logger = logger
    }

    /// Records that an event was stored.
    func noticeEvent() {
        let isWorthALook = state.withLock { state in
            state.news += 1
            return state.news == 1 || state.news == batching.maximumEvents
        }
        if isWorthALook { wakeup.wake(.events) }
    }

    /// Waits until the sink has every event up to an id.
    func flush(through target: Int64) async throws(AnalyticsError) {
        let id = state.withLock { state in
            state.lastFlush += 1
            return state.lastFlush
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.hasEnded || Task.isCancelled { return true }
                    state.flushes[id] = Flush(target: target, continuation: continuation)
                    return false
                }
                if isOver {
                    let error: AnalyticsError =
                        Task.isCancelled ? .notDelivered(sink: sink.name, cause: CancellationError()) : .shutDown
                    continuation.resume(returning: .failure(error))
                } else {
                    wakeup.wake(.flush)
                }
            }
        } onCancel: {
            let flush = state.withLock { $0.flushes.removeValue(forKey: id) }
            flush?.continuation.resume(
                returning: .failure(.notDelivered(sink: sink.name, cause: CancellationError())))
        }
        try result.get()
    }

    /// Sends until the task is canceled.
    func run() async {
        var failures = 0
        var firstSeen: Duration?
        var unrecorded: OutboxBatch?
        while !Task.isCancelled {
            do {
                switch try await round(isRepetition: failures > 0, &firstSeen, &unrecorded) {
                case .progress: failures = 0
                case .nothing:
                    failures = 0
                    await wakeup.sleep(batching.pollInterval, unless: .events, clock)
                case .idle(let pause): await wakeup.sleep(pause, unless: .events, clock)
                }
            } catch {
                if Task.isCancelled { break }
                failures += 1
                endFlushes { _ in .failure(.notDelivered(sink: sink.name, cause: error)) }
                var requested: Duration?
                if case .unavailable(_, let pause, _)? = error as? AnalyticsSinkError { requested = pause }
                let pause = retry.pause(after: failures, requested: requested, random: .random(in: 0...1))
                let text = Redactor().redact("\(error)")
                let seconds = max(1, Int((pause / .seconds(1)).rounded()))
                logger.notice(
                    "the analytics sink \(sink.name) failed \(failures.counted("time")); next try in \(seconds) s: \(text)"
                )
                await wakeup.sleep(pause, unless: .flush, clock)
            }
        }
        // If this cannot be recorded now, the batch is sent again with the same key, which identifies it to the
        // receiver.
        if let unrecorded { try? outbox.acknowledge(unrecorded) }  // see above
        // If this cannot be recorded now, the lease expires on its own.
        try? outbox.releaseLease(for: sink.name)  // see above
        state.withLock { $0.hasEnded = true }
        endFlushes { _ in .failure(.shutDown) }
    }

    private func round(
        isRepetition: Bool, _ firstSeen: inout Duration?, _ unrecorded: inout OutboxBatch?
    ) async throws -> Round {
        if let batch = unrecorded {
            // The batch was acknowledged, but the disk was full or locked then. It must not be sent again.
            try outbox.acknowledge(batch)
            unrecorded = nil
            settleFlushes(through: batch.lastID)
        }
        let waiting = try outbox.waiting(for: sink.name, limit: batching.maximumEvents)
        let isFlushing = state.withLock { state in
            state.news = waiting.count
            return !state.flushes.isEmpty
        }
        guard waiting.count > 0 else {
            firstSeen = nil
            settleFlushes(through: waiting.lastID)
            return .nothing
        }
        if !isFlushing, !isRepetition, waiting.count < batching.maximumEvents {
            let now = clock.uptime()
            let seen = firstSeen.map { min($0, now) } ?? now
            firstSeen = seen
            if now - seen < batching.delay { return .idle(min(batching.delay - (now - seen), batching.pollInterval)) }
        }
        firstSeen = nil
        switch try outbox.claim(for: sink.name, batching: batching) {
        case .empty: return .progress
        case .busy(let rest):
            // The lease holder may finish at any time, without notice.
            return .idle(min(rest, isFlushing ? .milliseconds(20) : batching.pollInterval))
        case .batch(let batch):
            try await deliver(batch, &unrecorded)
            return .progress
        }
    }

    private func deliver(_ batch: OutboxBatch, _ unrecorded: inout OutboxBatch?) async throws {
        do {
            try await sendRenewingLease(
                AnalyticsBatch(key: batch.key, dropped: batch.dropped, events: batch.payloads))
        } catch AnalyticsSinkError.refused(let reason) {
            if try outbox.split(batch) {
                logger.error("the analytics sink \(sink.name) permanently rejected an event: \(reason)")
                settleFlushes(through: batch.lastID)
            }
            return
        } catch {
            // The lease ends even if this cannot be recorded.
            try? outbox.releaseLease(for: sink.name)  // see above
            throw error
        }
        unrecorded = batch
        try outbox.acknowledge(batch)
        unrecorded = nil
        settleFlushes(through: batch.lastID)
    }

    private func sendRenewingLease(_ batch: AnalyticsBatch) async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await self.sink.send(batch)
                return true
            }
            group.addTask {
                while !Task.isCancelled {
                    try await self.clock.sleep(max(self.outbox.limits.leaseDuration / 3, .milliseconds(10)))
                    // Sending continues even if the lease cannot be renewed.
                    try? self.outbox.renewLease(for: self.sink.name)  // see above
                }
                return false
            }
            defer { group.cancelAll() }
            while let isSent = try await group.next() {
                if isSent { return }
            }
        }
    }

    private func settleFlushes(through id: Int64) {
        endFlushes { $0.target <= id ? .success(()) : nil }
    }

    private func endFlushes(_ verdict: (Flush) -> Result<Void, AnalyticsError>?) {
        let ended: [(Flush, Result<Void, AnalyticsError>)] = state.withLock { state in
            var ended: [(Flush, Result<Void, AnalyticsError>)] = []
            for (id, flush) in state.flushes {
                guard let result = verdict(flush) else { continue }
                state.flushes[id] = nil
                ended.append((flush, result))
            }
            return ended
        }
        for (flush, result) in ended { flush.continuation.resume(returning: result) }
    }
}

extension AnalyticsBatching {
    fileprivate func withAtLeast(events: Int, interval: Duration) -> Self {
        var batching = self
        batching.maximumEvents = max(maximumEvents, events)
        batching.pollInterval = max(pollInterval, interval)
        return batching
    }
}

extension Backoff {
    /// The delay after a failed attempt to send.
    package func pause(after attempt: Int, requested: Duration?, random: Double) -> Duration {
        // Here, the random fraction is counted from the lower end.
        min(max(pause(beforeRetry: attempt, random: 1 - random), requested ?? .zero), maximumDelay)
    }
}
