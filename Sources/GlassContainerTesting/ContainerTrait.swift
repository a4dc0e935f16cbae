public import GlassContainer
public import Testing

/// Gives each test a shared container and singletons of its own, in debug and release, also when tests run in parallel.
///
/// ```swift
/// @Suite(.container) struct SessionTests {
///     @Test(.container { $0.clock.register { FixedClock() } })
///     func aSessionBegins() {
///         #expect(Container.shared.session().begin == 0)
///     }
/// }
/// ```
///
/// The singletons are new: what another test, or the app, made is not seen. On a suite, each test of it gets its own. What a test
/// changes of `FactoryContext` holds in that test only. What it registers for a service in vain, since a context of the property
/// comes first (`onTest`, `onDebug` and their like), is an issue of the test that names both places.
public struct ContainerTrait<C: SharedContainer>: TestTrait, SuiteTrait, TestScoping {
    /// Prepares a container for a test.
    public typealias Transform = @Sendable (C) async -> Void

    private let shared: TaskLocal<C>
    private let container: @Sendable () throws -> C
    private var transforms: [Transform] = []
    private var isStrict = false
    private var allowed: Set<ObjectIdentifier> = []

    /// Each test of a suite has a scope of its own.
    public var isRecursive: Bool { true }

    /// Makes a trait for a container type of one's own, whose `shared` is `@TaskLocal`.
    ///
    /// - Parameters:
    ///   - shared: The task-local: `PaymentContainer.$shared`.
    ///   - container: Makes the container of a test; what it throws is the test's failure.
    public init(shared: TaskLocal<C>, container: @autoclosure @escaping @Sendable () throws -> C) {
        self.shared = shared
        self.container = container
    }

    /// The trait with another step to prepare the container.
    ///
    /// - Parameter transform: Prepares the container, after the steps before.
    /// - Returns: The trait.
    public func callAsFunction(transform: @escaping Transform) -> Self {
        var copy = self
        copy.transforms.append(transform)
        return copy
    }

    /// The trait with a strict container: a live service that is made is an issue of the test that names it.
    ///
    /// - Parameter allowed: Types that may be live.
    /// - Returns: The trait.
    public func strict(allowing allowed: [Any.Type] = []) -> Self {
        var copy = self
        copy.isStrict = true
        copy.allowed = Set(allowed.map { ObjectIdentifier($0) })
        return copy
    }

    /// Runs a test with its container.
    ///
    /// - Parameters:
    ///   - test: The test.
    ///   - testCase: Its case.
    ///   - function: Runs it.
    /// - Throws: What the test throws.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withContainer(shared: shared, container: try container()) {
            let container = C.shared
            let report: @Sendable (LiveDependency) -> Void = { Issue.record("\($0)") }
            // A mock that a context of its property comes before would test something else in silence.
            container.manager.reportOverruled(report)
            if isStrict { container.manager.strict(allowing: allowed, report: report) }
            for transform in transforms { await transform(container) }
            try await function()
        }
    }
}

extension Trait where Self == ContainerTrait<Container> {
    /// Gives each test a `Container.shared` and singletons of its own.
    public static var container: ContainerTrait<Container> {
        ContainerTrait(shared: Container.$shared, container: Container())
    }

    /// Gives each test a `Container.shared` that is made for it, such as that of a market which a `MarketLoader` has just
    /// loaded, and singletons of its own.
    ///
    /// - Parameter container: Makes the container of a test; what it throws is the test's failure.
    /// - Returns: The trait.
    public static func container(
        _ container: @autoclosure @escaping @Sendable () throws -> Container
    ) -> ContainerTrait<Container> {
        ContainerTrait(shared: Container.$shared, container: try container())
    }
}

/// Runs something with a shared container, singletons and a `FactoryContext` of its own, for tests of other frameworks.
///
/// - Parameters:
///   - shared: The task-local: `Container.$shared`.
///   - container: The container to bind.
///   - operation: What to run.
///   - transform: Prepares the container.
/// - Returns: What `operation` returns.
/// - Throws: What `operation` throws.
public func withContainer<C: SharedContainer, Result>(
    shared: TaskLocal<C>, container: C, operation: () async throws -> Result,
    transform: ContainerTrait<C>.Transform? = nil
) async rethrows -> Result {
    try await FactoryContext.withCopy {
        try await Scope.$singleton.withValue(Scope.Singleton()) {
            try await shared.withValue(container) {
                await transform?(container)
                return try await operation()
            }
        }
    }
}
