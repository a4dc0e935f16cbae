import GlassBase
import GlassContainer
import GlassSchema

/// A container whose services are looked up when they are used, so that they may be registered later.
///
/// It does not retain the container, which usually caches the service that holds this value.
struct LateContainer: Sendable {
    private let reference: WeakContainer
    private let hadContainer: Bool

    /// The error for a service that is first used when its container no longer exists.
    private struct Released: Error, CustomStringConvertible {
        let description = "the container of the service was released"
    }

    /// Creates a value for a container and its parents; `nil` has no services.
    init(_ container: Container?) {
        reference = WeakContainer(container)
        hadContainer = container != nil
    }

    /// The reason why the container no longer has services: it was released or shut down; `nil` if it has some.
    var end: (any Error)? {
        guard hadContainer else { return nil }
        guard let container = reference.container else { return Released() }
        do throws(ContainerError) {
            _ = try container.require(PlatformHost.self)
        } catch .expired(let path, let end) {
            return ContainerError.expired(path: path, end: end)
        } catch {
            // Other errors don't mean that the container has ended.
        }
        return nil
    }

    /// A value for the container whose factory is running on this thread, if any.
    static var building: LateContainer { LateContainer(Container.building) }

    /// The service, if it is registered now. A container that was shut down has none, and neither has the factory of
    /// the service itself. Any other error of a factory stops the program, as with `get`.
    func get<Service>(_ type: Service.Type = Service.self) -> Service? {
        guard let container = reference.container, container.isRegistered(type) else { return nil }
        do throws(ContainerError) {
            return try container.require(type)
        } catch .expired, .reentrant, .cyclic {
            return nil
        } catch {
            return container.get(type)
        }
    }

    /// The program's settings, or the default ones: they store data in a folder with the app's bundle identifier, as
    /// `setupPlatformDependencies(with:)` does.
    var host: PlatformHost {
        if let host = self.get(PlatformHost.self) { return host }
        let identifier =
            get(PlatformConfig.self)?.appInfo.bundleIdentifier ?? get((any AppInfoAPI).self)?.bundleIdentifier
        return identifier.map { PlatformHost.standard.placed(for: $0) } ?? .standard
    }

    /// The container's events, if it has any analytics.
    var tracking: (any AnalyticsTracking)? {
        self.get((any AnalyticsTracking).self) ?? get((any Analytics).self)
    }

    /// The header fields of Quimby that the container's configuration declares.
    var quimby: QuimbyConfiguration { self.get(PlatformConfig.self)?.quimby ?? QuimbyConfiguration() }

    /// The identity of the app: the container's, or the one that its configuration declares, or that of the program.
    var appInfo: any AppInfoAPI {
        if let info = get((any AppInfoAPI).self) { return info }
        let platform = get(PlatformConfig.self)
        return AppInfoPlatformAPI(configuration: platform?.appInfo ?? AppInfoConfiguration(program: .main))
    }

    /// The secrets that the container's services have, for reports.
    var secrets: [Secret] {
        (get(PlatformConfig.self)?.secrets ?? [])
            + (get((any URLSessionConfigurationAPI).self)?.secretHeaders.values.map(\.self) ?? [])
            + ((get((any Analytics).self) as? AsyncAnalyticsManager)?.secrets ?? [])
    }
}

/// A service of a container that is looked up at each use until it is found. Until then, a default takes its place.
final class LateService<Service: Sendable>: Sendable {
    private struct State: Sendable {
        var found: Service?
        var substitute: Service?
    }

    /// The service or the default, if one was used before.
    var known: Service? { state.withLock { $0.found ?? $0.substitute } }

    private let find: @Sendable () -> Service?
    private let makeDefault: @Sendable () -> Service
    private let state = Lock(State())

    init(_ find: @escaping @Sendable () -> Service?, default makeDefault: @escaping @Sendable () -> Service) {
        self.find = find
        self.makeDefault = makeDefault
    }

    /// The service, or else the default. Both are looked up without the lock, because this may run factories of the app.
    var value: Service {
        let known = state.withLock { $0 }
        if let found = known.found { return found }
        if let service = find() { return keep(service, \.found) }
        return known.substitute ?? keep(makeDefault(), \.substitute)
    }

    /// Another thread may have been first.
    private func keep(_ service: Service, _ path: WritableKeyPath<State, Service?>) -> Service {
        state.withLock { state in
            let first = state[keyPath: path] ?? service
            state[keyPath: path] = first
            return first
        }
    }
}
