public import GlassContainer
public import Testing

/// Gives each test its own shared container and singletons, in debug and release builds, even when tests run in
/// parallel.
///
/// ```swift
/// @Suite(.container) struct SessionTests {
///     @Test(.container { $0.clock.register { FixedClock() } })
///     func sessionBegins() {
///         #expect(Container.shared.session().begin == 0)
///     }
/// }
/// ```
///
/// The singletons are new: instances that another test or the app created are not visible. On a suite, each of its
/// tests gets its own. Changes that a test makes to `FactoryContext` apply only to that test. A registration that has
/// no effect, because a context of the property takes precedence (`onTest`, `onDebug` and so on), records an issue that
/// names both source positions. In debug builds, so does a factory that is isolated to an actor and runs outside it: a
/// warning, or an error in strict mode.
public struct ContainerTrait<C: SharedContainer>: TestTrait, SuiteTrait, TestScoping {
    /// Prepares a container for a test.
    public typealias Transform = @Sendable (C) async -> Void

    private let shared: TaskLocal<C>
    private let container: @Sendable () throws -> C
    private var transforms: [Transform] = []
    private var isStrict = false
    private var allowed: Set<ObjectIdentifier> = []

    /// Each test of a suite has its own scope.
    public var isRecursive: Bool { true }

    /// Creates a trait for a custom container type, whose `shared` is `@TaskLocal`.
    ///
    /// - Parameters:
    ///   - shared: The task-local: `PaymentContainer.$shared`.
    ///   - container: Creates the container of a test. If it throws, the test fails.
    public init(shared: TaskLocal<C>, container: @autoclosure @escaping @Sendable () throws -> C) {
        self.shared = shared
        self.container = container
    }

    /// Adds a step that prepares the container.
    ///
    /// - Parameter transform: Prepares the container, after the earlier steps.
    /// - Returns: The trait.
    public func callAsFunction(transform: @escaping Transform) -> Self {
        var copy = self
        copy.transforms.append(transform)
        return copy
    }

    /// Makes the container strict: creating a live service records an issue that names it.
    ///
    /// - Parameter allowed: The types that may be live.
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
            let report: @Sendable (LiveDependency) -> Void = { [isStrict] in
                // Factory runs such a factory, and tests written for it must pass.
                Issue.record("\($0)", severity: $0.isMisplaced && !isStrict ? .warning : .error)
            }
            // Otherwise, a test whose mock is overridden by a context of its property would silently test something
            // else.
            container.manager.reportOverruled(report)
            if isStrict { container.manager.strict(allowing: allowed, report: report) }
            for transform in transforms { await transform(container) }
            try await function()
        }
    }
}

extension Trait where Self == ContainerTrait<Container> {
    /// Gives each test its own `Container.shared` and singletons.
    public static var container: ContainerTrait<Container> {
        ContainerTrait(shared: Container.$shared, container: Container())
    }

    /// Gives each test its own singletons, and a `Container.shared` that is created for it, such as the container of a
    /// market that a `MarketLoader` has just loaded.
    ///
    /// - Parameter container: Creates the container of a test. If it throws, the test fails.
    /// - Returns: The trait.
    public static func container(
        _ container: @autoclosure @escaping @Sendable () throws -> Container
    ) -> ContainerTrait<Container> {
        ContainerTrait(shared: Container.$shared, container: try container())
    }
}

/// Runs an operation with its own shared container, singletons and `FactoryContext`, for other test frameworks.
///
/// - Parameters:
///   - shared: The task-local: `Container.$shared`.
///   - container: The container to bind.
///   - operation: The operation to run.
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
