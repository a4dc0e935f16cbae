// Public because the inlined read path uses atomics.
public import Synchronization

/// The lifetime of instances, and what caches them.
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
/// A custom scope is a new instance of one of the kinds. `ContainerManager.reset(scope:)` discards the instances that
/// are cached in it.
public class Scope: @unchecked Sendable, CustomStringConvertible {  // constants only, in the subclasses too
    // All subclasses are in this file. The compiler can't check the conformance of a class that isn't final.

    /// The lifetimes of instances, shortest first.
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

    /// Whether this is a custom scope, which can be reset independently of the built-in ones.
    var isCustom: Bool {
        self !== Scope.cached && self !== Scope.shared && self !== Scope.Singleton.process && lifetime > .graph
    }

    fileprivate init(_ lifetime: Lifetime) {
        self.lifetime = lifetime
    }

    /// The scope that creates a new instance for each resolution; the default in the Factory style.
    public static let unique = Unique()
    /// The scope with one instance, created on first use and cached by the container; the default in the Glass style.
    public static let cached = Cached()
    /// The scope with one instance, which lives as long as something else holds it. Only class instances can be cached
    /// this way.
    public static let shared = Shared()
    /// The scope with one instance for each resolution that begins outside any factory. All factories that run during
    /// the resolution share the instance.
    public static let graph = Graph()
    /// The scope with one instance for the process, created on first use. Binding another singleton scope gives a task
    /// its own singletons.
    @TaskLocal public static var singleton = Singleton.process

    /// The scope's name.
    public var description: String { lifetime.name }

    /// The kind of scope that doesn't cache instances.
    public final class Unique: Scope, @unchecked Sendable {  // adds nothing to `Scope`
        /// Creates a scope of this kind.
        public init() {
            super.init(.unique)
        }
    }

    /// The kind of scope whose instances are released with their container.
    public final class Cached: Scope, @unchecked Sendable {  // adds nothing to `Scope`
        /// Creates a scope of this kind, which can be reset independently of others.
        public init() {
            super.init(.container)
        }
    }

    /// The kind of scope whose instances the container holds weakly.
    public final class Shared: Scope, @unchecked Sendable {  // adds nothing to `Scope`
        /// Creates a scope of this kind, which can be reset independently of others.
        public init() {
            super.init(.shared)
        }
    }

    /// The kind of scope whose instances live for one resolution, on the resolving thread.
    public final class Graph: Scope, @unchecked Sendable {  // adds nothing to `Scope`
        fileprivate init() {
            super.init(.graph)
        }
    }

    /// The kind of scope whose instances outlive every container.
    public final class Singleton: Scope, @unchecked Sendable {  // adds a constant `Store`
        /// The singleton scope that's bound by default.
        @usableFromInline static let process = Singleton(store: Store())
        /// Whether a task may have its own singletons. As long as none can, reads skip the task-local value.
        @usableFromInline static let othersExist = Atomic<Bool>(false)

        let store: Store

        private init(store: Store) {
            self.store = store
            super.init(.process)
        }

        /// Creates a scope with its own instances, to be bound with `Scope.$singleton.withValue`.
        public convenience init() {
            // Set before this scope can be bound; otherwise, a read in its task could still skip the task-local value.
            Self.othersExist.store(true, ordering: .sequentiallyConsistent)
            self.init(store: Store())
        }

        /// Discards all cached instances of this scope. An instance that was already resolved lives as long as
        /// something holds it.
        public func reset() {
            store.reset(.scope)
        }

        /// Returns an independent scope with the instances that this one currently caches.
        ///
        /// - Returns: The new scope. Instances that either scope creates or discards later don't affect the other.
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
