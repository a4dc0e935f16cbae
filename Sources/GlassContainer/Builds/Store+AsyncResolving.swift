import GlassBase
import Synchronization

extension Store {
    /// Resolves a key whose factory takes time, as the synchronous `resolve` does for the others.
    func resolve<Service: Sendable>(
        _ own: Entry, holder: Entry, owner: @autoclosure () -> String, watching: [Observation] = [],
        _ make: @Sendable () async throws -> Service
    ) async throws -> Service {
        let options = read { own.state.options }
        let observation = read { self.observation }.joined(with: watching)
        let plan = Plan(
            holder: holder, scope: read { own.scope(default: defaultScope) }, timeToLive: options.timeToLive,
            key: nil, parameter: nil)
        if let end = read({ self.end }) {
            throw ContainerError.expired(path: ThreadSlot.path + [ResolutionStep(holder)], end: end)
        }
        // Lines of several tasks cannot wait for one another, so each is written when it is complete.
        let line = observation.isTracing ? traceLine(own, owner(), depth: AsyncFrame.active?.chain.count ?? 0) : nil
        do {
            let (service, isNew) = try await resolve(own, plan, observation.strict, make)
            if let line { observation.log.write(["\(line) \(traceResult(holder, isNew, service))"]) }
            if !isNew { read { holder.record.hits += 1 } }
            if let decorator = options.decorator as? (Service, Bool) -> Void { decorator(service, isNew) }
            observation.decorator?(service)
            return service
        } catch {
            if let line { observation.log.write(["\(line) ! \(error)"]) }
            throw error
        }
    }

    private func resolve<Service: Sendable>(
        _ own: Entry, _ plan: Plan, _ strict: Observation.Strict?, _ make: @Sendable () async throws -> Service
    ) async throws -> (Service, isNew: Bool) {
        let holder = plan.holder
        if let strict { holder.store.check(holder, strict) }
        switch plan.scope.lifetime {
        case .unique:
            return (try await holder.store.new(plan, make), true)
        case .graph:
            guard let cycle = AsyncFrame.active?.cycle(of: holder.store) else {
                return (try await holder.store.new(plan, make), true)
            }
            return try await cycle.kept(cycle.entry(like: holder), plan, make)
        case .container, .shared:
            return try await holder.store.kept(holder, plan, make)
        case .process:
            let scope = try singletons(of: plan)
            let entry = scope.store.entry(like: holder)
            let result = try await scope.store.kept(entry, plan, make)
            publishSingleton(entry, of: scope, for: own)
            return result
        }
    }

    private enum AsyncStep<Service> {
        case found(Service)
        case wait(AsyncBuild, Int)
        case build(AsyncBuild)
    }

    /// The kept instance of `entry`, made by `make` if there is none: by one task, however many ask.
    private func kept<Service: Sendable>(
        _ entry: Entry, _ plan: Plan, _ make: @Sendable () async throws -> Service
    ) async throws -> (Service, isNew: Bool) {
        let frame = AsyncFrame.active
        frame?.note(plan.holder)
        while true {
            // Looking and taking the build on are one step, or two tasks would both build.
            let step: AsyncStep<Service> = read {
                if let service: Service = instance(of: entry, plan) { return .found(service) }
                if let build = entry.asyncBuild {
                    build.waiterCount += 1
                    return .wait(build, build.waiterCount)
                }
                // A cycle is found below, by whoever comes to a build in progress.
                let build = AsyncBuild(generation: entry.generation)
                entry.asyncBuild = build
                return .build(build)
            }
            switch step {
            case .found(let service):
                return (service, false)
            case .build(let build):
                if let cycle = frame?.cycle(to: plan.holder) {
                    finish(build, of: entry, .abandoned)
                    throw cycle
                }
                return (try await run(build, entry, plan, make), true)
            case .wait(let build, let number):
                if let cycle = frame?.cycle(to: plan.holder) { throw cycle }
                let wait = try frame.map { try $0.announce(build) }
                defer { wait.map(WaitGraph.all.withdraw) }
                switch await self.wait(for: build, number) {
                case .finished(let result):
                    // The instance is for those who waited for it, even if nobody keeps it.
                    if let service = result as? Service { return (service, false) }
                case .abandoned: break
                case .failed(let error): throw error
                case .cancelled: throw CancellationError()
                }
            }
        }
    }

    private func run<Service: Sendable>(
        _ build: AsyncBuild, _ entry: Entry, _ plan: Plan, _ make: @Sendable () async throws -> Service
    ) async throws -> Service {
        do {
            let service = try await recorded(plan, build, isRecording: true, make)
            update { garbage in
                // Registering or resetting meanwhile means that this instance is for its callers only.
                if entry.generation == build.generation, let kept = box(service, plan.scope) {
                    keep(kept, in: entry, for: nil, &garbage)
                }
            }
            finish(build, of: entry, .finished(service))
            return service
        } catch  where Task.isCancelled {
            // Not every library says that it was cancelled with a `CancellationError`.
            finish(build, of: entry, .abandoned)
            throw error
        } catch {
            finish(build, of: entry, .failed(error))
            throw error
        }
    }

    /// A new instance, kept by nobody.
    private func new<Service: Sendable>(
        _ plan: Plan, _ make: @Sendable () async throws -> Service
    ) async throws -> Service {
        let frame = AsyncFrame.active
        frame?.note(plan.holder)
        if let cycle = frame?.cycle(to: plan.holder) { throw cycle }
        return try await recorded(plan, nil, isRecording: read { !plan.holder.record.isCurrent }, make)
    }

    /// Runs a factory, with its key on the task's path.
    private func recorded<Service: Sendable>(
        _ plan: Plan, _ build: AsyncBuild?, isRecording: Bool, _ make: @Sendable () async throws -> Service
    ) async throws -> Service {
        let holder = plan.holder
        let outer = AsyncFrame.active
        let frame = AsyncFrame(holder, build, previous: outer, isRecording: isRecording)
        let start = ContinuousClock.now
        let header = stripes.header
        // Relaxed: what counts is that this task and its children find the count above zero, who are ordered with it anyway.
        if isRecording { header.pointee.recordingBuilds.wrappingAdd(1, ordering: .relaxed) }
        defer {
            frame.end()
            if isRecording { header.pointee.recordingBuilds.wrappingSubtract(1, ordering: .relaxed) }
        }
        do {
            let service = try await AsyncFrame.$current.withValue(frame) {
                try await withTaskExecutorPreference(frame.marker) { try await make() }
            }
            holder.store.note(holder, outer?.entry.id, ContinuousClock.now - start, frame.end())
            return service
        } catch let error as CancellationError where Task.isCancelled {
            throw error
        } catch {
            let path = frame.chain.map { ResolutionStep($0.entry) }
            throw error as? ContainerError ?? .failed(path: path, underlying: error)
        }
    }

    private func finish(_ build: AsyncBuild, of entry: Entry, _ outcome: AsyncBuild.Outcome) {
        // Outcome and waiters change together: who asks under the lock later finds the outcome, who asked before is resumed.
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
                // The end of the build and the cancellation may both come before the continuation is there, and either one
                // resumes it, once: whoever takes it out under the lock.
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
