import GlassBase

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A context that a process can run in, for which `context` registers a different factory.
public enum FactoryContextType: Equatable, Sendable {
    /// The process has an argument.
    case arg(String)
    /// The process has one of several arguments.
    case args([String])
    /// The process renders Xcode previews.
    case preview
    /// The process runs tests.
    case test
    /// The library was built in debug mode.
    case debug
    /// The process runs in a simulator.
    case simulator
    /// The process doesn't run in a simulator.
    case device

    enum Plain: Hashable {
        case preview, test, debug, simulator, device

        var isForReleaseToo: Bool { self == .simulator || self == .device }

        /// The modifier that registers a factory for it.
        var modifier: String {
            switch self {
            case .preview: "onPreview"
            case .test: "onTest"
            case .debug: "onDebug"
            case .simulator: "onSimulator"
            case .device: "onDevice"
            }
        }
    }

    enum Kind {
        case arguments([String])
        case plain(Plain)
    }

    var plain: Kind {
        switch self {
        case .arg(let argument): .arguments([argument])
        case .args(let arguments): .arguments(arguments)
        case .preview: .plain(.preview)
        case .test: .plain(.test)
        case .debug: .plain(.debug)
        case .simulator: .plain(.simulator)
        case .device: .plain(.device)
        }
    }
}

/// The context that the process runs in.
///
/// ```swift
/// FactoryContext.setArg("demo", forKey: "mode")
/// ```
public struct FactoryContext: Sendable {
    /// The arguments of the process.
    public var arguments: [String] = CommandLine.arguments
    /// The arguments that were added at run time, by key.
    public var runtimeArguments: [String: String] = [:]
    /// Whether the process renders Xcode previews.
    public var isPreview = Self.environment("XCODE_RUNNING_FOR_PREVIEWS") == "1"
    /// Whether the process runs tests.
    public var isTest =
        Self.environment("XCTestConfigurationFilePath") != nil
        || isTestRunner(CommandLine.arguments.first ?? "")
    /// Whether the process runs in a simulator.
    public var isSimulator = Self.environment("SIMULATOR_UDID") != nil
    /// Whether the library was built in debug mode.
    public var isDebug = Self.isDebugBuild

    /// Returns whether a program runs tests: `xctest`, a test bundle, or SwiftPM's test helper.
    static func isTestRunner(_ path: String) -> Bool {
        path.split(separator: "/").contains { $0.hasSuffix("xctest") || $0.hasSuffix("swiftpm-testing-helper") }
    }

    static var isDebugBuild: Bool {
        #if DEBUG
            true
        #else
            false
        #endif
    }

    package init() {}

    private static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// The context of the process, or that of the test that the task belongs to.
    @TaskLocal private static var bound = Lock(FactoryContext())

    /// The current context. You can change it, to try out a context.
    ///
    /// A test with the `.container` trait of GlassContainerTesting has its own copy, so that its changes don't affect
    /// other tests.
    public static var current: FactoryContext {
        get { bound.withLock { $0 } }
        set { bound.withLock { $0 = newValue } }
    }

    /// Whether the current task belongs to a test with the `.container` trait of GlassContainerTesting.
    @TaskLocal package static var isOfTest = false

    /// Runs an operation with a copy of the current context, as a test does. Its changes apply in its task, and in tasks that it
    /// starts.
    package static func withCopy<Result>(_ operation: () async throws -> Result) async rethrows -> Result {
        try await $isOfTest.withValue(true) {
            try await $bound.withValue(Lock(current), operation: operation)
        }
    }

    /// Adds an argument to those of the process.
    ///
    /// - Parameters:
    ///   - argument: The argument.
    ///   - key: The key to pass to `removeArg`.
    public static func setArg(_ argument: String, forKey key: String) {
        bound.withLock { $0.runtimeArguments[key] = argument }
    }

    /// Removes an argument that `setArg` added.
    ///
    /// - Parameter key: The key that it was added with.
    public static func removeArg(forKey key: String) {
        bound.withLock { $0.runtimeArguments[key] = nil }
    }
}
