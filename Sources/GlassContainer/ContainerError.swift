/// A service on the path to the one that couldn't be resolved.
public struct ResolutionStep: Sendable, Hashable, CustomStringConvertible {
    /// The key of the service.
    public let id: ServiceID
    /// The position of its registration, if it's registered.
    public let site: RegistrationSite?

    /// The key, as `Networking`.
    public var description: String { id.description }
}

extension ResolutionStep {
    /// Takes the lock of the entry's store, so don't call this under it.
    init(_ entry: Entry) {
        self.init(id: entry.id, site: entry.store.site(of: entry))
    }
}

/// The reason that a service couldn't be resolved.
///
/// ```swift
/// do {
///     try container.require((any Networking).self).connect()
/// } catch {
///     print(error)  // What is missing, on which path, and how to fix it
/// }
/// ```
public enum ContainerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The last service of `path` isn't registered; `nearest` are the registered services with the most similar names.
    case missing(path: [ResolutionStep], nearest: [ServiceID])
    /// The last service of `path`, which is also its first, depends on itself.
    case cyclic(path: [ResolutionStep])
    /// The factory of a service resolves the service itself.
    case reentrant(ResolutionStep)
    /// The last service of `path` was resolved by the name of its type and isn't of the expected type.
    case wrongType(path: [ResolutionStep], expected: String)
    /// The container of the last service of `path` was shut down at `end`.
    case expired(path: [ResolutionStep], end: RegistrationSite)
    /// The factory of the last service of `path` threw `underlying`.
    case failed(path: [ResolutionStep], underlying: any Error)
    /// The call itself is invalid; the text describes what to write instead.
    case misuse(String)

    /// A description of what failed, where, and how to fix it.
    public var description: String {
        switch self {
        case .missing(let path, let nearest):
            missingDescription(path, nearest)
        case .cyclic(let path):
            (["\(Self.arrows(path)) is a cycle"] + Self.sites(path.dropLast())
                + ["hint: resolve one of them lazily, or move the shared part to a third service"])
                .joined(separator: "\n  ")
        case .reentrant(let step):
            (["the factory of \(step) resolves \(step) itself"] + Self.sites([step])
                + ["hint: pass the dependency as an argument, or resolve it when it is used"])
                .joined(separator: "\n  ")
        case .wrongType(let path, let expected):
            (["\(Self.last(path)) is not of type \(expected)"] + Self.path(path) + Self.sites(path.suffix(1))
                + ["hint: resolve \(path.last?.id.source ?? "the registered type") instead"]).joined(separator: "\n  ")
        case .expired(let path, let end):
            (["\(Self.last(path)) cannot be resolved because its container was shut down at \(end)"]
                + Self.path(path) + Self.sites(path.suffix(1))
                + ["hint: resolve it before shutdown(), or call reset() to use the container again"])
                .joined(separator: "\n  ")
        case .failed(let path, let underlying):
            (["the factory of \(path.last?.description ?? "the service") threw: \(underlying)"] + Self.path(path)
                + Self.sites(path.suffix(1))).joined(separator: "\n  ")
        case .misuse(let text):
            text
        }
    }

    /// The report about a factory that's isolated to an actor but runs elsewhere.
    static func misplacedLines(path: [ResolutionStep], site: RegistrationSite?, actor: String) -> [String] {
        let place = site.map { ["\(last(path)) is registered at \($0)"] } ?? []
        return ["the factory of \(last(path)) is isolated to \(actor) but runs outside it"] + Self.path(path) + place
            + ["hint: resolve it on \(actor), or write { @Sendable … in … }, which is not isolated"]
    }

    private func missingDescription(_ path: [ResolutionStep], _ nearest: [ServiceID]) -> String {
        guard let missing = path.last?.id else { return "a service is not registered" }
        // Equal names from two modules are qualified with their modules.
        let isAmbiguous = nearest.contains { $0.displayName == missing.displayName && $0.type != missing.type }
        func name(_ id: ServiceID) -> String { id.describe(isAmbiguous ? id.qualifiedName : id.displayName) }
        var lines = ["\(name(missing)) is not registered"]
        lines += Self.path(path)
        lines += Self.sites(path.dropLast().suffix(1))
        if !nearest.isEmpty { lines.append("nearest: \(nearest.map(name).joined(separator: ", "))") }
        let nameArgument = missing.name.map { ", name: \"\($0)\"" } ?? ""
        lines.append(
            "hint: register(\(missing.source)\(nameArgument)) { … } before resolving it, or use getIfRegistered()"
        )
        return lines.joined(separator: "\n  ")
    }

    private static func last(_ path: [ResolutionStep]) -> String { path.last?.description ?? "the service" }

    private static func arrows(_ path: [ResolutionStep]) -> String {
        path.map(\.description).joined(separator: " → ")
    }

    private static func path(_ path: [ResolutionStep]) -> [String] {
        path.count > 1 ? ["path: \(arrows(path))"] : []
    }

    private static func sites(_ steps: ArraySlice<ResolutionStep>) -> [String] {
        steps.compactMap { step in step.site.map { "\(step) is registered at \($0)" } }
    }

    /// Returns whether two errors are equal. Errors that factories threw are compared by their descriptions.
    public static func == (first: Self, second: Self) -> Bool {
        switch (first, second) {
        case (.missing(let path, let nearest), .missing(let otherPath, let otherNearest)):
            path == otherPath && nearest == otherNearest
        case (.cyclic(let path), .cyclic(let otherPath)):
            path == otherPath
        case (.failed(let path, let error), .failed(let otherPath, let otherError)):
            path == otherPath && "\(error)" == "\(otherError)"
        case (.reentrant(let step), .reentrant(let other)):
            step == other
        case (.wrongType(let path, let type), .wrongType(let otherPath, let otherType)):
            path == otherPath && type == otherType
        case (.expired(let path, let end), .expired(let otherPath, let otherEnd)):
            path == otherPath && end == otherEnd
        case (.misuse(let text), .misuse(let otherText)):
            text == otherText
        default:
            false
        }
    }

    /// Traps with the error's description, in debug and release builds.
    func stop() -> Never {
        fatalError(description)  // Factory traps, too; this message has the path
    }
}
