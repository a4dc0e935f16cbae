// Public because the inlined read path uses atomics.
public import Synchronization

/// How long an instance lives, and who keeps it.
///
/// ```swift
/// extension Scope {
///     static let visit = Cached()
/// }
/// extension Container {
///     var visit: Factory<Visit> { self { Visit() }.scope(.visit) }
/// }
/// ```
///
/// A scope of one's own is a new instance of one of the kinds; `ContainerManager.reset(scope:)` drops what it keeps.
public class Scope: @unchecked Sendable, CustomStringConvertible {  // constants only, in the subclasses too
    // Its subclasses are in this file only. Because it has some, the compiler does not check it.

    /// What keeps instances of this scope.
    enum Lifetime: Int, Comparable {
        case unique, graph, shared, container, process

        var name: String {
            switch self {
            case .unique: "unique"
            case .graph: "graph"
            case .shared: "shared"
            case .container: "cached"
            case .process: "singleton"
            }
        }

        static func < (first: Self, second: Self) -> Bool { first.rawValue < second.rawValue }
    }

    let lifetime: Lifetime

    /// Whether this is a scope of somebody's own, which may be reset apart from the library's.
    var isCustom: Bool {
        self !== Scope.cached && self !== Scope.shared && self !== Scope.Singleton.process && lifetime > .graph
    }

    fileprivate init(_ lifetime: Lifetime) {
        self.lifetime = lifetime
    }

    /// A new instance for each resolution; the default of the Factory style.
    public static let unique = Unique()
    /// One instance, made on first use and kept by the container; the default of the Glass style.
    public static let cached = Cached()
    /// One instance for as long as somebody else holds it. Only instances of classes can be kept this way.
    public static let shared = Shared()
    /// One instance for each resolution that begins outside of any factory, with all that its factories resolve.
    public static let graph = Graph()
    /// One instance for the process, made on first use. Binding another one gives a task singletons of its own.
    @TaskLocal public static var singleton = Singleton.process

    /// The scope's name.
    public var description: String { lifetime.name }

    /// The kind of scope that keeps nothing.
    public final class Unique: Scope, @unchecked Sendable {  // adds nothing to `Scope`
        /// Makes a scope of this kind.
        public init() {
            super.init(.unique)
        }
    }

    /// The kind of scope whose instances go with their container.
    public final class Cached: Scope, @unchecked Sendable {  // adds nothing to `Scope`
        /// Makes a scope of this kind, to be reset apart from others.
        public init() {
            super.init(.container)
        }
    }

    /// The kind of scope whose instances the container holds weakly.
    public final class Shared: Scope, @unchecked Sendable {  // adds nothing to `Scope`
        /// Makes a scope of this kind, to be reset apart from others.
        public init() {
            super.init(.shared)
        }
    }

    /// The kind of scope whose instances last for one resolution, on the thread that resolves.
    public final class Graph: Scope, @unchecked Sendable {  // adds nothing to `Scope`
        fileprivate init() {
            super.init(.graph)
        }
    }

    /// The kind of scope whose instances outlive every container.
    public final class Singleton: Scope, @unchecked Sendable {  // adds a constant `Store`
        /// The one that is bound where nobody bound another.
        @usableFromInline static let process = Singleton(store: Store())
        /// Whether a task may have singletons of its own. While none can, reads need not ask the task.
        @usableFromInline static let othersExist = Atomic<Bool>(false)

        let store: Store

        private init(store: Store) {
            self.store = store
            super.init(.process)
        }

        /// Makes a scope that keeps instances of its own, to be bound with `Scope.$singleton.withValue`.
        public convenience init() {
            Self.othersExist.store(true, ordering: .sequentiallyConsistent)
            self.init(store: Store())
        }

        /// Drops every instance that this scope keeps. What was resolved before lives on with whoever holds it.
        public func reset() {
            store.reset(.scope)
        }

        /// A scope of its own that keeps what this one keeps now.
        ///
        /// - Returns: The scope; what either makes or drops later is not seen by the other.
        public func clone() -> Singleton {
            let clone = Singleton()
            for (entry, kept) in store.inspect({ ($0, $0.state.kept) }) {
                let copy = clone.store.entry(like: entry)
                clone.store.read {
                    copy.state.kept = kept
                    clone.store.refresh(copy)
                }
            }
            return clone
        }
    }
}
