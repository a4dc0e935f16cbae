/// One service on the way to the one that could not be resolved.
public struct ResolutionStep: Sendable, Hashable, CustomStringConvertible {
    /// The key of the service.
    public let id: ServiceID
    /// Where it is registered, if it is.
    public let site: RegistrationSite?

    /// The key, as `Networking`.
    public var description: String { id.description }
}

/// Why a service could not be resolved.
///
/// ```swift
/// do {
///     let networking = try container.require((any Networking).self)
/// } catch {
///     print(error)  // says what is missing, on which path, and what to do
/// }
/// ```
public enum ContainerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Nobody registered the last service of `path`; `nearest` are the registered ones whose names come closest.
    case missing(path: [ResolutionStep], nearest: [ServiceID])
    /// Resolving the last service of `path`, which is also its first, needs itself.
    case cyclic(path: [ResolutionStep])
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
        case .failed(let path, let underlying):
            (["the factory of \(path.last?.description ?? "the service") threw: \(underlying)"] + Self.path(path)
                + Self.sites(path.suffix(1))).joined(separator: "\n  ")
        case .misuse(let text):
            text
        }
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
        case (.misuse(let text), .misuse(let otherText)):
            text == otherText
        default:
            false
        }
    }

    /// Ends the process with the error's text, in debug and release alike.
    func stop() -> Never {
        fatalError(description)
    }
}
