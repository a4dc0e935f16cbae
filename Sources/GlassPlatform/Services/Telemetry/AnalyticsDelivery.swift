import GlassBase

/// The outbox of an ``AsyncAnalyticsManager``, and the senders that empty it.
final class AnalyticsDelivery: Sendable {
    let session: (any AnalyticsSessionProvider)?
    let info: AnalyticsInfoProviders
    let outbox: AnalyticsOutbox
    let senders: [AnalyticsSender]
    let clock: TelemetryClock
    let grace: Duration
    private let tasks = Lock<[Task<Void, Never>]>([])

    /// Creates the outbox without opening it, and senders that send nothing until ``start()``.
    init(_ setup: AnalyticsSetup, outbox: AnalyticsOutbox? = nil, logger: SafeLogger) {
        let (sinks, host) = (setup.sinks, setup.host)
        precondition(Set(sinks.map(\.name)).count == sinks.count, "two analytics sinks have the same name")
        let outbox =
            outbox
            ?? AnalyticsOutbox(
                file: setup.outboxFile, sinks: sinks.map(\.name), retired: host.retiredSinks, limits: host.outbox,
                clock: host.clock, suspension: host.suspension)
        session = setup.session
        info = setup.info
        self.outbox = outbox
        clock = host.clock
        grace = host.shutdownGrace
        senders = sinks.map {
            AnalyticsSender(
                sink: $0, outbox: outbox, batching: setup.batching[$0.name] ?? host.batching, retry: host.retry,
                clock: host.clock, logger: logger)
        }
    }

    deinit { cancel() }

    /// Starts to send, first the events that an earlier process left. Call it once.
    func start() {
        tasks.withLock { tasks in
            tasks = senders.map { sender in Task.detached { await sender.run() } }
        }
    }

    /// Waits until every sink has accepted every event that is in the outbox now.
    func deliverEverything() async throws(AnalyticsError) {
        let target: Int64
        do {
            target = try outbox.lastID()
        } catch {
            throw .unavailable(cause: error)
        }
        let results = await withTaskGroup(of: Result<Void, AnalyticsError>.self) { group in
            for sender in senders {
                group.addTask {
                    do throws(AnalyticsError) {
                        try await sender.flush(through: target)
                        return .success(())
                    } catch {
                        return .failure(error)
                    }
                }
            }
            var results: [Result<Void, AnalyticsError>] = []
            for await result in group { results.append(result) }
            return results
        }
        for result in results { try result.get() }
    }

    /// Sends what it can within the grace period, and stops.
    func stop() async {
        if !senders.isEmpty {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    // Undelivered events are kept, and the sender has logged the error.
                    try? await self.deliverEverything()  // see above
                }
                // Only the end of the delay matters.
                group.addTask { try? await self.clock.sleep(self.grace) }  // see above
                await group.next()
                group.cancelAll()
            }
        }
        cancel()
        for task in tasks.withLock({ $0 }) { await task.value }
        outbox.close()
    }

    private func cancel() {
        for task in tasks.withLock({ $0 }) { task.cancel() }
    }
}
