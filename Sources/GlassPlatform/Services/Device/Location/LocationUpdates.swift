import GlassBase
public import GlassContainer
import GlassDeepLinking

/// Distributes the locations of one source to many listeners.
///
/// ```swift
/// let updates = LocationUpdates(allowsBackgroundLocationUpdates: false)
/// for try await place in updates.locations() { show(place) }
/// ```
public final class LocationUpdates: LocationUpdatesProvider, Disposable {
    private typealias Listener = AsyncThrowingStream<Location, any Error>.Continuation

    private struct State: Sendable {
        var latest: Location?
        var listeners = ListenerList<Listener>()
        /// The number of starts, so that locations from an abandoned source are ignored.
        var run = 0
        var pump: Task<Void, Never>?
        var isDisposed = false
    }

    /// Whether updates continue while the app is in the background.
    public let allowsBackgroundLocationUpdates: Bool
    private let source: (any LocationSource)?
    private let permission: (any LocationPermissionProvider)?
    private let state = Lock(State())

    /// Creates the service for the system's receiver, which the first listener starts.
    ///
    /// - Parameters:
    ///   - allowsBackgroundLocationUpdates: Whether updates continue while the app is in the background.
    ///   - permission: The permission that must be granted for listeners to get locations; `nil` requires none.
    public convenience init(
        allowsBackgroundLocationUpdates: Bool, permission: (any LocationPermissionProvider)? = nil
    ) {
        self.init(
            allowsBackgroundLocationUpdates: allowsBackgroundLocationUpdates, source: nil, permission: permission)
    }

    /// Creates the service. The first listener starts the source.
    package init(
        allowsBackgroundLocationUpdates: Bool, source: (any LocationSource)?,
        permission: (any LocationPermissionProvider)? = nil
    ) {
        self.allowsBackgroundLocationUpdates = allowsBackgroundLocationUpdates
        self.permission = permission
        #if canImport(CoreLocation)
            self.source = source ?? CoreLocationSource()
        #else
            self.source = source
        #endif
    }

    deinit { stop(throwing: nil) }

    /// The location that was last reported to a listener.
    public var latest: Location? { state.withLock { $0.latest } }

    /// The locations from now on.
    ///
    /// - Returns: A sequence for one listener. It ends when the source ends or when this service is disposed of. It
    ///   throws ``LocationError``, immediately if there is no source or no permission.
    public func locations() -> AsyncThrowingStream<Location, any Error> {
        let (stream, listener) = AsyncThrowingStream.makeStream(
            of: Location.self, throwing: (any Error).self, bufferingPolicy: .bufferingNewest(64))
        if let refusal {
            listener.finish(throwing: refusal)
            return stream
        }
        let number: Int? = state.withLock { state in
            guard !state.isDisposed else { return nil }
            if state.pump == nil { start(&state) }
            return state.listeners.add(listener)
        }
        guard let number else {
            listener.finish()
            return stream
        }
        listener.onTermination = { [weak self] _ in self?.leave(number) }
        return stream
    }

    /// Stops the source and ends every sequence.
    public func dispose() {
        state.withLock { $0.isDisposed = true }
        stop(throwing: nil)
    }

    // MARK: Steps

    /// The reason why listeners cannot get locations now, if any.
    private var refusal: LocationError? {
        if source == nil { return .noSource }
        guard let status = permission?.status, status != .granted else { return nil }
        return .notPermitted(status)
    }

    private func start(_ state: inout State) {
        guard let source else { return }
        state.run += 1
        state.pump = Task { [weak self, run = state.run, allowsBackgroundLocationUpdates] in
            // If it was abandoned before it started, do not start the receiver without a listener.
            if Task.isCancelled { return }
            do {
                for try await place in source.locations(allowsBackgroundUpdates: allowsBackgroundLocationUpdates) {
                    guard let self, self.report(place, run) else { return }
                }
                self?.stop(run, throwing: nil)
            } catch {
                self?.stop(run, throwing: error as? LocationError ?? .sourceFailed(cause: error))
            }
        }
    }

    private func report(_ place: Location, _ run: Int) -> Bool {
        if let refusal {
            stop(run, throwing: refusal)
            return false
        }
        guard place.isValid else { return true }
        let listeners: [Listener]? = state.withLock { state in
            guard state.run == run, state.pump != nil else { return nil }
            state.latest = place
            return state.listeners.all
        }
        // Yield outside the lock. The order is preserved because each run reports from a single task.
        for listener in listeners ?? [] { listener.yield(place) }
        return listeners != nil
    }

    private func leave(_ number: Int) {
        // Remove the listener under the lock and release it afterward, because releasing it can run other code.
        let (left, abandoned): (Listener?, Task<Void, Never>?) = state.withLock { state in
            let left = state.listeners.remove(number)
            guard state.listeners.count == 0 else { return (left, nil) }
            defer { state.pump = nil }
            return (left, state.pump)
        }
        _ = left
        abandoned?.cancel()
    }

    /// Ends a given run, or the current one, and every sequence with it.
    private func stop(_ run: Int? = nil, throwing error: LocationError?) {
        let (listeners, abandoned): ([Listener], Task<Void, Never>?) = state.withLock { state in
            guard run == nil || run == state.run && state.pump != nil else { return ([], nil) }
            defer { state.pump = nil }
            return (state.listeners.removeAll(), state.pump)
        }
        abandoned?.cancel()
        for listener in listeners { listener.finish(throwing: error) }
    }
}
