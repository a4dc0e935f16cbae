#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The sanitizer that the tests are built with, set by `scripts/test --sanitize`.
public enum Sanitizer {
    /// `address` or `thread`; `nil` without one.
    public static let name = variable("GLASS_SANITIZER")

    /// The variables that a test must pass to a process with a custom environment, so that it reports like this one.
    public static let environment: [String: String] = {
        var options: [String: String] = [:]
        for name in ["ASAN_OPTIONS", "TSAN_OPTIONS"] { options[name] = variable(name) }
        return options
    }()

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
