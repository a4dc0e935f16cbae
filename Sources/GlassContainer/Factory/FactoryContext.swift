import GlassBase

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A situation that a process can run in, for which `context` registers something else.
public enum FactoryContextType: Equatable, Sendable {
    /// The process has an argument.
    case arg(String)
    /// The process has one of some arguments.
    case args([String])
    /// The process draws Xcode previews.
    case preview
    /// The process runs tests.
    case test
    /// The library was built for debugging.
    case debug
    /// The process runs in a simulator.
    case simulator
    /// The process does not run in a simulator.
    case device

    enum Plain: Hashable {
        case preview, test, debug, simulator, device

        var isForReleaseToo: Bool { self == .simulator || self == .device }

        /// The modifier that registers for it.
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

/// What the process runs in.
///
/// ```swift
/// FactoryContext.setArg("demo", forKey: "mode")
/// ```
public struct FactoryContext: Sendable {
    /// The arguments of the process.
    public var arguments: [String] = CommandLine.arguments
    /// Arguments that were set while the process ran.
    public var runtimeArguments: [String: String] = [:]
    /// Whether the process draws Xcode previews.
    public var isPreview = Self.environment("XCODE_RUNNING_FOR_PREVIEWS") == "1"
    /// Whether the process runs tests.
    public var isTest =
        Self.environment("XCTestConfigurationFilePath") != nil
        || isTestRunner(CommandLine.arguments.first ?? "")
    /// Whether the process runs in a simulator.
    public var isSimulator = Self.environment("SIMULATOR_UDID") != nil
    /// Whether the library was built for debugging.
    public var isDebug = Self.isDebugBuild

    /// Whether a program runs tests: `xctest`, a test bundle, or SwiftPM's own.
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

    /// The process's own, or that of the test which the task belongs to.
    @TaskLocal private static var bound = Lock(FactoryContext())

    /// What the process runs in; may be changed, to try a context out.
    ///
    /// A test with the trait `.container` of GlassContainerTesting has a copy of its own, so that what it changes holds in
    /// no other test.
    public static var current: FactoryContext {
        get { bound.withLock { $0 } }
        set { bound.withLock { $0 = newValue } }
    }

    /// Runs something with a copy of the current context: what it changes holds for its task, and for those that it starts.
    package static func withCopy<Result>(_ operation: () async throws -> Result) async rethrows -> Result {
        try await $bound.withValue(Lock(current), operation: operation)
    }

    /// Adds an argument to those of the process.
    ///
    /// - Parameters:
    ///   - argument: The argument.
    ///   - key: What `removeArg` removes it by.
    public static func setArg(_ argument: String, forKey key: String) {
        bound.withLock { $0.runtimeArguments[key] = argument }
    }

    /// Removes an argument that `setArg` added.
    ///
    /// - Parameter key: What it was added by.
    public static func removeArg(forKey key: String) {
        bound.withLock { $0.runtimeArguments[key] = nil }
    }
}
