/// One asynchronous construction of a kept instance.
final class AsyncBuild: @unchecked Sendable {
    // `generation` is constant, the rest is guarded by the lock of the store that keeps the instance.

    enum Outcome: Sendable {
        case finished
        case failed(any Error)
        /// The task that built was cancelled, which is no fault of those who wait.
        case abandoned
        /// The task that waits was cancelled.
        case cancelled
    }

    let generation: Int
    var waiters: [Int: CheckedContinuation<Outcome, Never>] = [:]
    /// Waiters that were cancelled before they began to wait.
    var cancelled: Set<Int> = []
    var waiterCount = 0
    var outcome: Outcome?

    init(generation: Int) {
        self.generation = generation
    }
}

/// One asynchronous factory that runs in a task.
final class AsyncFrame: Sendable {
    let entry: Entry
    let previous: AsyncFrame?

    init(_ entry: Entry, _ previous: AsyncFrame?) {
        self.entry = entry
        self.previous = previous
    }

    /// What the current task is building. Tasks that a factory starts inherit it.
    @TaskLocal static var current: AsyncFrame?

    static var frames: [Entry] {
        var frames: [Entry] = []
        var next = current
        while let frame = next {
            frames.append(frame.entry)
            next = frame.previous
        }
        return frames.reversed()
    }
}

extension Store {
    private enum AsyncStep<Service> {
        case found(Service)
        case wait(AsyncBuild, Int)
        case build(AsyncBuild)
        case ended(RegistrationSite)
    }

    /// The kept instance of `entry`, made by `make` if there is none: by one task, however many ask.
    ///
    /// - Throws: `ContainerError`, or `CancellationError` when the calling task is cancelled while it waits.
    func kept<Service: Sendable>(
        _ entry: Entry, _ make: @Sendable () async throws -> Service
    ) async throws -> Service {
        while true {
            let step: AsyncStep<Service> = read {
                if let end { return .ended(end) }
                if let kept = entry.state.kept[nil] as? StrongKept<Service> {
                    entry.record.hits += 1
                    return .found(kept.service)
                }
                if let build = entry.asyncBuild {
                    build.waiterCount += 1
                    return .wait(build, build.waiterCount)
                }
                let build = AsyncBuild(generation: entry.generation)
                entry.asyncBuild = build
                return .build(build)
            }
            switch step {
            case .found(let service):
                noteAsync(entry)
                return service
            case .ended(let end):
                throw ContainerError.expired(path: path(to: entry), end: end)
            case .build(let build):
                noteAsync(entry)
                return try await run(build, entry, make)
            case .wait(let build, let number):
                if let cycle = cycle(to: entry) { throw cycle }
                noteAsync(entry)
                waitsFor(entry)
                defer { stopsWaiting(entry) }
                if let cycle = crossCycle(from: entry) { throw cycle }
                switch await wait(for: build, number) {
                case .finished, .abandoned: continue
                case .failed(let error): throw error
                case .cancelled: throw CancellationError()
                }
            }
        }
    }

    private func path(to entry: Entry) -> [ResolutionStep] {
        (AsyncFrame.frames + [entry]).map { ResolutionStep($0) }
    }

    /// Notes that the asynchronous factory that runs in this task resolved `entry`.
    private func noteAsync(_ entry: Entry) {
        guard let outer = AsyncFrame.current?.entry, outer.store.family === family else { return }
        outer.store.read {
            if !outer.record.dependencies.contains(entry.id) { outer.record.dependencies.append(entry.id) }
        }
    }

    /// The cycle that resolving `entry` would close in this task.
    private func cycle(to entry: Entry) -> ContainerError? {
        let frames = AsyncFrame.frames
        guard let first = frames.firstIndex(where: { $0 === entry }) else { return nil }
        let steps = frames[first...].map { ResolutionStep($0) }
        return steps.count == 1 ? .reentrant(steps[0]) : .cyclic(path: steps + steps.prefix(1))
    }

    private func waitsFor(_ entry: Entry) {
        guard let outer = AsyncFrame.current?.entry else { return }
        AsyncWaits.all.update { $0.append((outer, entry)) }
    }

    private func stopsWaiting(_ entry: Entry) {
        guard let outer = AsyncFrame.current?.entry else { return }
        AsyncWaits.all.update { waits in
            if let index = waits.lastIndex(where: { $0.waiting === outer && $0.awaited === entry }) {
                waits.remove(at: index)
            }
        }
    }

    /// The cycle of builds in several tasks that this task's wait closes.
    private func crossCycle(from entry: Entry) -> ContainerError? {
        guard let outer = AsyncFrame.current?.entry else { return nil }
        let steps: [Entry]? = AsyncWaits.all.update { waits in
            var paths = [[outer, entry]]
            var seen: Set<ObjectIdentifier> = [ObjectIdentifier(entry)]
            while let path = paths.popLast(), let last = path.last {
                for wait in waits where wait.waiting === last {
                    if wait.awaited === outer { return path }
                    if seen.insert(ObjectIdentifier(wait.awaited)).inserted { paths.append(path + [wait.awaited]) }
                }
            }
            return nil
        }
        return steps.map { steps in .cyclic(path: (steps + steps.prefix(1)).map { ResolutionStep($0) }) }
    }

    private func run<Service: Sendable>(
        _ build: AsyncBuild, _ entry: Entry, _ make: @Sendable () async throws -> Service
    ) async throws -> Service {
        let creator = AsyncFrame.current?.entry.id
        let start = ContinuousClock.now
        read { entry.record.dependencies = [] }
        do {
            let service = try await AsyncFrame.$current.withValue(AsyncFrame(entry, AsyncFrame.current)) {
                try await make()
            }
            update { garbage in
                if entry.generation == build.generation, let kept = box(service, .cached) {
                    keep(kept, in: entry, for: nil, &garbage)
                }
            }
            note(entry, creator, ContinuousClock.now - start, nil)
            finish(build, of: entry, .finished)
            return service
        } catch let error as CancellationError where Task.isCancelled {
            finish(build, of: entry, .abandoned)
            throw error
        } catch {
            let failure =
                error as? ContainerError
                ?? .failed(path: path(to: entry), underlying: error)
            finish(build, of: entry, .failed(failure))
            throw failure
        }
    }

    private func finish(_ build: AsyncBuild, of entry: Entry, _ outcome: AsyncBuild.Outcome) {
        let waiters = read {
            build.outcome = outcome
            if entry.asyncBuild === build { entry.asyncBuild = nil }
            defer { build.waiters = [:] }
            return build.waiters
        }
        for waiter in waiters.values { waiter.resume(returning: outcome) }
    }

    private func wait(for build: AsyncBuild, _ number: Int) async -> AsyncBuild.Outcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome: AsyncBuild.Outcome? = read {
                    if let outcome = build.outcome { return outcome }
                    if build.cancelled.contains(number) { return .cancelled }
                    build.waiters[number] = continuation
                    return nil
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            let waiter = read {
                build.cancelled.insert(number)
                return build.waiters.removeValue(forKey: number)
            }
            waiter?.resume(returning: .cancelled)
        }
    }
}

/// Which asynchronous builds wait for which, in all containers: entered only by a factory that waits for another task.
final class AsyncWaits: @unchecked Sendable {
    // The list is guarded by the lock.

    static let all = AsyncWaits()

    private let lock = Lock()
    private var waits: [(waiting: Entry, awaited: Entry)] = []

    func update<Result>(_ body: (inout [(waiting: Entry, awaited: Entry)]) -> Result) -> Result {
        lock.withLock { body(&waits) }
    }
}
