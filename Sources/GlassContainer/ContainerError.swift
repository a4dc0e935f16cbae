/// One service on the way to the one that could not be resolved.
public struct ResolutionStep: Sendable, Hashable, CustomStringConvertible {
    /// The key of the service.
    public let id: ServiceID
    /// Where it is registered, if it is.
    public let site: RegistrationSite?

    init(id: ServiceID, site: RegistrationSite?) {
        self.id = id
        self.site = site
    }

    /// Not under the lock of the entry's store.
    init(_ entry: Entry) {
        self.init(id: entry.id, site: entry.store.site(of: entry))
    }

    /// The key, as `Networking`.
    public var description: String { id.description }
}

/// Why a service could not be resolved.
///
/// ```swift
/// do {
///     try container.require((any Networking).self).connect()
/// } catch {
///     print(error)  // says what is missing, on which path, and what to do
/// }
/// ```
public enum ContainerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Nobody registered the last service of `path`; `nearest` are the registered ones whose names come closest.
    case missing(path: [ResolutionStep], nearest: [ServiceID])
    /// Resolving the last service of `path`, which is also its first, needs itself.
    case cyclic(path: [ResolutionStep])
    /// The factory of a service resolves that very service.
    case reentrant(ResolutionStep)
    /// The last service of `path` was asked for by name and is not of the type that was expected.
    case wrongType(path: [ResolutionStep], expected: String)
    /// The container of the last service of `path` was shut down at `end`.
    case expired(path: [ResolutionStep], end: RegistrationSite)
    /// The last service of `path` is made asynchronously, and nobody made it yet.
    case asynchronous(path: [ResolutionStep])
    /// The factory of the last service of `path` threw `underlying`.
    case failed(path: [ResolutionStep], underlying: any Error)
    /// The call itself makes no sense; the text says what to write instead.
    case misuse(String)

    /// What failed, where, and what to do.
    public var description: String {
        switch self {
        case .missing(let path, let nearest):
            missingDescription(path, nearest)
        case .cyclic(let path):
            (["\(Self.arrows(path)) is a cycle"] + Self.sites(path.dropLast())
                + ["hint: let one of them take what it needs later, or move what they share into a third service"])
                .joined(separator: "\n  ")
        case .reentrant(let step):
            (["the factory of \(step) resolves \(step) itself"] + Self.sites([step])
                + ["hint: let it take what it needs as an argument, or read it when it is used"])
                .joined(separator: "\n  ")
        case .wrongType(let path, let expected):
            (["\(Self.last(path)) is no \(expected)"] + Self.path(path) + Self.sites(path.suffix(1))
                + ["hint: ask for \(path.last?.id.source ?? "the registered type")"]).joined(separator: "\n  ")
        case .expired(let path, let end):
            (["\(Self.last(path)) cannot be resolved, because its container was shut down at \(end)"]
                + Self.path(path) + Self.sites(path.suffix(1))
                + ["hint: resolve before shutdown(), or reset() the container to use it again"])
                .joined(separator: "\n  ")
        case .asynchronous(let path):
            (["\(Self.last(path)) is made asynchronously and is not there yet"] + Self.path(path)
                + Self.sites(path.suffix(1)) + [
                    "hint: await it first, with resolveAsync(\(path.last?.id.source ?? "…"))"
                ])
                .joined(separator: "\n  ")
        case .failed(let path, let underlying):
            (["the factory of \(path.last?.description ?? "the service") threw: \(underlying)"] + Self.path(path)
                + Self.sites(path.suffix(1))).joined(separator: "\n  ")
        case .misuse(let text):
            text
        }
    }

    /// The error for a factory that belongs to an actor and runs elsewhere. A wrong call, which no caller can handle.
    static func misplaced(path: [ResolutionStep], site: RegistrationSite?, actor: String) -> Self {
        let place = site.map { ["\(last(path)) is registered at \($0)"] } ?? []
        return .misuse(
            (["the factory of \(last(path)) belongs to \(actor), and runs outside of it"] + Self.path(path) + place + [
                "hint: resolve it on \(actor), or write { @Sendable … in … }, which belongs to no actor"
            ]).joined(separator: "\n  "))
    }

    private func missingDescription(_ path: [ResolutionStep], _ nearest: [ServiceID]) -> String {
        guard let missing = path.last?.id else { return "a service is not registered" }
        // Equal names from two modules are told apart by the module.
        let isAmbiguous = nearest.contains { $0.displayName == missing.displayName && $0.type != missing.type }
        func name(_ id: ServiceID) -> String { id.describe(isAmbiguous ? id.qualifiedName : id.displayName) }
        var lines = ["\(name(missing)) is not registered"]
        lines += Self.path(path)
        lines += Self.sites(path.dropLast().suffix(1))
        if !nearest.isEmpty { lines.append("nearest: \(nearest.map(name).joined(separator: ", "))") }
        let nameArgument = missing.name.map { ", name: \"\($0)\"" } ?? ""
        lines.append(
            "hint: register(\(missing.source)\(nameArgument)) { … } before it is read, or read it with getIfRegistered()"
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

    /// Whether two errors say the same; the errors that factories threw are compared by their texts.
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
        case (.asynchronous(let path), .asynchronous(let otherPath)):
            path == otherPath
        case (.misuse(let text), .misuse(let otherText)):
            text == otherText
        default:
            false
        }
    }

    /// Ends the process with the error's text, in debug and release alike.
    func stop() -> Never {
        fatalError(description)  // what Factory traps for, with the path that led here
    }
}
