import GlassBase
import Synchronization

extension Store {
    /// How a key is resolved in the current call.
    struct Plan {
        /// The entry that registers or defines the key; its name is on the path.
        let holder: Entry
        let scope: Scope
        let timeToLive: Double?
        /// Distinguishes the instances of a key.
        let key: AnyHashable?
        /// Distinguishes the running factories of a key.
        let parameter: AnyHashable?
        /// The receiver of reports about the factory, if any.
        let watch: Observation.Strict?
    }

    /// Resolves the key of an entry in its scope, with decorators, traces, and strict mode.
    func resolve<Service>(
        _ own: Entry, holder: Entry, owner: @autoclosure () -> String, parameter: AnyHashable? = nil,
        watching: [Observation] = [], overruled: @autoclosure () -> Registration?, _ make: () throws -> Service
    ) throws(ContainerError) -> Service {
        let options = read { own.state.options }
        let observation = read { self.observation }.joined(with: watching)
        let end = read { self.end }
        let plan = Plan(
            holder: holder, scope: read { own.scope(default: defaultScope) }, timeToLive: options.timeToLive,
            key: options.isScopedOnParameters ? parameter : nil, parameter: parameter, watch: observation.overruled)
        if let end { throw .expired(path: ThreadSlot.path + [ResolutionStep(holder)], end: end) }
        if options.hasContexts, let watch = observation.overruled { watch.check(own, options, overruled()) }
        let line = observation.isTracing ? beginTrace(own, owner()) : nil
        let service: Service
        let isNew: Bool
        do throws(ContainerError) {
            (service, isNew) = try resolve(own, plan, observation.strict, make)
        } catch {
            if let line { endTrace(line, "! \(error)", observation.log) }
            throw error
        }
        if let line { endTrace(line, traceResult(holder, isNew, service), observation.log) }
        if !isNew { read { holder.record.hits += 1 } }
        if let decorator = options.decorator as? (Service, Bool) -> Void { decorator(service, isNew) }
        observation.decorator?(service)
        return service
    }

    private func resolve<Service>(
        _ own: Entry, _ plan: Plan, _ strict: Observation.Strict?, _ make: () throws -> Service
    ) throws(ContainerError) -> (Service, isNew: Bool) {
        let holder = plan.holder
        if let strict { holder.store.check(holder, strict) }
        switch plan.scope.lifetime {
        case .unique:
            return (try holder.store.new(plan, make), true)
        case .graph:
            return try holder.store.inGraph(plan, make)
        case .container, .shared:
            return try holder.store.kept(holder, plan, make)
        case .process:
            let scope = try singletons(of: plan)
            let entry = scope.store.entry(like: holder)
            let result = try scope.store.kept(entry, plan, make)
            publishSingleton(entry, of: scope, for: own)
            return result
        }
    }

    /// The singleton scope that caches the service being resolved.
    func singletons(of plan: Plan) throws(ContainerError) -> Scope.Singleton {
        let scope = plan.scope === Scope.Singleton.process ? Scope.singleton : plan.scope
        guard let scope = scope as? Scope.Singleton else { throw .misuse("singleton scopes must be Scope.Singleton") }
        return scope
    }

    /// Lets reads of `own` find the process's singleton without the lock.
    func publishSingleton(_ entry: Entry, of scope: Scope.Singleton, for own: Entry) {
        guard scope === Scope.Singleton.process else { return }
        read {
            guard own.singletonCell != entry.cell else { return }
            own.singletonCell = entry.cell
            refresh(own)
        }
    }

    /// Reports a service if it's live, for a container in strict mode.
    func check(_ entry: Entry, _ strict: Observation.Strict) {
        let live: LiveDependency? = read {
            let registration = entry.state.registration
            let isMock =
                entry.state.options.current != nil || registration?.isOverride == true
                || registration != nil && strict.origin == entry.origin && entry.state.order > strict.liveOrder
            if isMock || strict.allowed.contains(entry.id.typeIdentifier) { return nil }
            return LiveDependency(id: entry.id, site: entry.site)
        }
        if let live, strict.isNew(live.id) { strict.report(live) }
    }

    // MARK: - Scopes

    /// Returns the cached instance of `entry`. If there is none, `make` creates it: once, regardless of how many
    /// threads request it.
    func kept<Service>(
        _ entry: Entry, _ plan: Plan, _ make: () throws -> Service
    ) throws(ContainerError) -> (Service, isNew: Bool) {
        let slot = ThreadSlot.current
        slot.note(plan.holder)
        if let service: Service = read({ instance(of: entry, plan) }) { return (service, false) }
        if let cycle = slot.cycle(to: plan.holder, parameter: plan.parameter) { throw cycle }
        while true {
            // Checking and starting the build are one step, or two threads could both build.
            let step: Step<Service> = read {
                if let service: Service = instance(of: entry, plan) { return .found(service) }
                if let build = entry.builds[plan.key] { return .wait(build) }
                let build = slot.begin(generation: entry.generation)
                entry.builds[plan.key] = build
                return .build(build)
            }
            switch step {
            case .found(let service):
                return (service, false)
            case .wait(let build) where slot.isBuilding(build):
                throw slot.cycle(of: build)
            case .wait(let build):
                try wait(for: build, slot)
                // The threads that waited get the instance even if it isn't cached.
                if let made = read({ build.made }) as? BuildResult<Service> { return (made.service, false) }
            case .build(let build):
                return (try run(build, slot, entry, plan, make), true)
            }
        }
    }

    private enum Step<Service> {
        case found(Service)
        case wait(Build)
        case build(Build)
    }

    /// The cached instance, if it hasn't expired. Call under the lock.
    func instance<Service>(of entry: Entry, _ plan: Plan) -> Service? {
        guard let kept = entry.state.kept[plan.key], kept.scope.lifetime == plan.scope.lifetime else { return nil }
        if let limit = plan.timeToLive, now() >= kept.created + limit { return nil }
        if let strong = kept as? StrongInstance<Service> { return strong.service }
        guard let object = kept.any else { return nil }
        return object as? Service
    }

    /// Waits until another thread's build has ended.
    func wait(for build: Build, _ slot: ThreadSlot) throws(ContainerError) {
        let failure = try slot.wait(for: build) {
            // `sleep` releases the lock while it waits, and holds it again when the failure is read.
            read {
                sleep(until: build)
                return build.failure
            }
        }
        if let failure { throw failure }
    }

    private func run<Service>(
        _ build: Build, _ slot: ThreadSlot, _ entry: Entry, _ plan: Plan, _ make: () throws -> Service
    ) throws(ContainerError) -> Service {
        do throws(ContainerError) {
            let service = try recorded(plan, build, isRecording: true, slot, make)
            // Cache the instance and end the build in one step, or a concurrent reader could find neither.
            update { garbage in
                // If the service was registered again or reset in the meantime, only the waiting callers get this
                // instance.
                if entry.generation == build.generation, let kept = box(service, plan.scope) {
                    keep(kept, in: entry, for: plan.key, &garbage)
                }
                if build.finished != nil { build.made = BuildResult(service) }
                finish(build, slot, of: entry, plan.key, failure: nil)
            }
            return service
        } catch {
            read { finish(build, slot, of: entry, plan.key, failure: error) }
            throw error
        }
    }

    private func finish(
        _ build: Build, _ slot: ThreadSlot, of entry: Entry, _ key: AnyHashable?, failure: ContainerError?
    ) {
        build.failure = failure
        // After a reset, another build may already have taken this one's place.
        if entry.builds[key] === build { entry.builds[key] = nil }
        slot.end(build)
    }

    /// Wraps an instance for caching in a scope. Returns nil for a nil, which isn't cached, and for a value that can't
    /// be held weakly.
    func box<Service>(_ service: Service, _ scope: Scope) -> CachedInstance? {
        var some: Any? = service
        if isOptional(type(of: service as Any)), let optional = service as? any OptionalService {
            some = optional.wrapped
        }
        guard let some else { return nil }
        guard scope.lifetime == .shared else {
            return StrongInstance(service, scope: scope, created: now(), number: nextConstruction())
        }
        guard type(of: some) is any AnyObject.Type else { return nil }
        return WeakInstance(
            service, object: some as AnyObject, scope: scope, created: now(), number: nextConstruction())
    }

    /// Returns the instance of this thread's current outermost resolution.
    private func inGraph<Service>(
        _ plan: Plan, _ make: () throws -> Service
    ) throws(ContainerError) -> (Service, isNew: Bool) {
        let slot = ThreadSlot.current
        let key = ThreadSlot.GraphKey(entry: plan.holder, parameter: plan.key)
        if let kept = slot.graph[key] as? StrongInstance<Service> {
            slot.note(plan.holder)
            return (kept.service, false)
        }
        let service = try new(plan, make)
        // Outside any factory, the resolution has already ended, and the next one must not find the instance.
        if slot.top != nil {
            slot.graph[key] = StrongInstance(service, scope: plan.scope, created: 0, number: 0)
            slot.head.pointee.hasCycleState = true
        }
        return (service, true)
    }

    /// Creates an instance that isn't cached.
    private func new<Service>(
        _ plan: Plan, _ make: () throws -> Service
    ) throws(ContainerError) -> Service {
        let slot = ThreadSlot.current
        slot.note(plan.holder)
        if let cycle = slot.cycle(to: plan.holder, parameter: plan.parameter) { throw cycle }
        // Dependencies are recorded once for each registration, so that later resolutions don't pay for it.
        let isRecording = read { !plan.holder.record.isCurrent }
        return try recorded(plan, nil, isRecording: isRecording, slot, make)
    }

    /// Runs a factory, with its key on the thread's path.
    private func recorded<Service>(
        _ plan: Plan, _ build: Build?, isRecording: Bool, _ slot: ThreadSlot, _ make: () throws -> Service
    ) throws(ContainerError) -> Service {
        let holder = plan.holder
        let header = stripes.header
        let details = FrameDetails(
            build: build, isRecording: isRecording, parameter: plan.parameter, watch: plan.watch)
        let creator = slot.creator?.id
        let start = ContinuousClock.now
        // Relaxed: only reads on this thread have to see this, and they come after it in program order.
        if isRecording { header.pointee.recordingBuilds.wrappingAdd(1, ordering: .relaxed) }
        defer { if isRecording { header.pointee.recordingBuilds.wrappingSubtract(1, ordering: .relaxed) } }
        do {
            let service = try slot.framed(holder, details) {
                do {
                    return try make()
                } catch {
                    throw error as? ContainerError ?? .failed(path: slot.path, underlying: error)
                }
            }
            holder.store.note(holder, creator, ContinuousClock.now - start, isRecording ? details.dependencies : nil)
            return service
        } catch let error as ContainerError {
            throw error
        } catch {
            throw .failed(path: slot.path, underlying: error)
        }
    }

    /// Records a run of a factory.
    func note(_ entry: Entry, _ creator: ServiceID?, _ duration: Duration, _ dependencies: [Entry]?) {
        read {
            if entry.record.builds == 0 { entry.record.creator = creator }
            entry.record.builds += 1
            entry.record.duration = duration
            guard let dependencies else { return }
            entry.record.dependencies = dependencies.map(\.id)
            entry.record.origins = dependencies.map(\.origin)
            entry.record.isCurrent = true
            refresh(entry)
        }
    }

    // MARK: - Traces

    private func beginTrace(_ entry: Entry, _ owner: String) -> Int {
        let slot = ThreadSlot.current
        slot.trace.append(traceLine(entry, owner, depth: slot.traceDepth))
        slot.traceDepth += 1
        return slot.trace.count - 1
    }

    func traceLine(_ entry: Entry, _ owner: String, depth: Int) -> String {
        let indent = String(repeating: "    ", count: depth)
        let key = entry.id.property ?? entry.id.name.map { "get(\"\($0)\")" } ?? "get"
        return "\(depth): \(indent)\(owner).\(key)<\(entry.id.displayName)>"
    }

    func traceResult(_ entry: Entry, _ isNew: Bool, _ service: some Any) -> String {
        "= \(origin(entry, isNew)):\(Self.address(service))"
    }

    private func endTrace(_ line: Int, _ result: String, _ log: TraceLog) {
        let slot = ThreadSlot.current
        slot.trace[line] += " \(result)"
        slot.traceDepth -= 1
        // Logged together when the outermost resolution ends, because the result of a line is known only after its
        // nested lines.
        guard slot.traceDepth == 0 else { return }
        let lines = slot.trace
        slot.trace = []
        log.write(lines)
    }

    /// The origin of an instance: the cache, a context, a registration, or the definition.
    private func origin(_ entry: Entry, _ isNew: Bool) -> String {
        guard isNew else { return "C" }
        return entry.store.read {
            entry.state.options.current != nil ? "O" : entry.state.registration != nil ? "R" : "F"
        }
    }

    private static func address(_ service: some Any) -> String {
        var some: Any = service
        if let optional = service as? any OptionalService { some = optional.wrapped ?? service }
        let type = type(of: some)
        guard type is any AnyObject.Type else { return "\(type)" }
        return "\(UInt(bitPattern: ObjectIdentifier(some as AnyObject))) \(type)"
    }
}
