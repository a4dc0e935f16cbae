/// How long an instance lives: made anew each time, kept by the container, or kept by the process.
///
/// ```swift
/// extension Container {
///     var session: Factory<Session> { self { Session() }.cached }
/// }
/// ```
public class Scope: @unchecked Sendable, CustomStringConvertible {
    // Subclasses are in this file only, and all they hold is constant or a `Store`, which is safe to share.

    /// What keeps instances of this scope.
    enum Lifetime: Int, Comparable {
        case unique, container, process

        var name: String {
            switch self {
            case .unique: "unique"
            case .container: "cached"
            case .process: "singleton"
            }
        }

        static func < (first: Self, second: Self) -> Bool { first.rawValue < second.rawValue }
    }

    let lifetime: Lifetime

    fileprivate init(_ lifetime: Lifetime) {
        self.lifetime = lifetime
    }

    /// A new instance for each resolution; the default of the Factory style.
    public static let unique = Unique()
    /// One instance, made on first use and kept by the container; the default of the Glass style.
    public static let cached = Cached()
    /// One instance for the process, made on first use. Binding another one gives a task singletons of its own.
    @TaskLocal public static var singleton = Singleton()

    /// The scope's name.
    public var description: String { lifetime.name }

    /// The kind of scope that keeps nothing.
    public final class Unique: Scope, @unchecked Sendable {
        // Holds nothing.

        fileprivate init() {
            super.init(.unique)
        }
    }

    /// The kind of scope whose instances go with their container.
    public final class Cached: Scope, @unchecked Sendable {
        // Holds nothing.

        fileprivate init() {
            super.init(.container)
        }
    }

    /// The kind of scope whose instances outlive every container.
    public final class Singleton: Scope, @unchecked Sendable {
        // A `Store` is safe to share.

        let store = Store(family: Family())

        /// Makes a scope that keeps instances of its own, to be bound with `Scope.$singleton.withValue`.
        public init() {
            super.init(.process)
        }

        /// Drops every instance that this scope keeps. What was resolved before lives on with whoever holds it.
        public func reset() {
            store.resetAll()
        }
    }
}
