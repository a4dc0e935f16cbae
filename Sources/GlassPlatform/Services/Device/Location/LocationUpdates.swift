import GlassBase
public import GlassContainer
import GlassDeepLinking

/// One source of places for many listeners.
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
        /// Counts the starts, so that what an abandoned source still says reaches nobody.
        var run = 0
        var pump: Task<Void, Never>?
        var isDisposed = false
    }

    /// Whether updates go on while the app is in the background.
    public let allowsBackgroundLocationUpdates: Bool
    private let source: (any LocationSource)?
    private let permission: (any LocationPermissionProvider)?
    private let state = Lock(State())

    /// Creates the service over the system's receiver, which is started by the first listener.
    ///
    /// - Parameters:
    ///   - allowsBackgroundLocationUpdates: Whether updates go on while the app is in the background.
    ///   - permission: Listeners get places only while it is granted; nil lets them all have them.
    public convenience init(
        allowsBackgroundLocationUpdates: Bool, permission: (any LocationPermissionProvider)? = nil
    ) {
        self.init(
            allowsBackgroundLocationUpdates: allowsBackgroundLocationUpdates, source: nil, permission: permission)
    }

    /// Creates the service; the source is started by the first listener.
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

    /// The latest place that was reported to anybody.
    public var latest: Location? { state.withLock { $0.latest } }

    /// The places from now on.
    ///
    /// - Returns: A sequence for one listener; it ends with the source or with this service. It throws
    ///   ``LocationError``, at once where there is no source or no permission.
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

    /// Why nobody may have places now.
    private var refusal: LocationError? {
        if source == nil { return .noSource }
        guard let status = permission?.status, status != .granted else { return nil }
        return .notPermitted(status)
    }

    private func start(_ state: inout State) {
        guard let source else { return }
        state.run += 1
        state.pump = Task { [weak self, run = state.run, allowsBackgroundLocationUpdates] in
            // Abandoned before it began: a receiver need not start for nobody.
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
        // Outside of the lock; the order holds all the same, because a run reports from one task.
        for listener in listeners ?? [] { listener.yield(place) }
        return listeners != nil
    }

    private func leave(_ number: Int) {
        // Taken out under the lock and released after it: releasing may call out.
        let (left, abandoned): (Listener?, Task<Void, Never>?) = state.withLock { state in
            let left = state.listeners.remove(number)
            guard state.listeners.count == 0 else { return (left, nil) }
            defer { state.pump = nil }
            return (left, state.pump)
        }
        _ = left
        abandoned?.cancel()
    }

    /// Ends a run, or whichever there is, and with it every sequence.
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
