#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The sanitizer that the tests are built with, as `scripts/test --sanitize` says.
public enum Sanitizer {
    /// `address` or `thread`; nil without one.
    public static let name = variable("GLASS_SANITIZER")

    /// What a process that a test starts with an environment of its own must find in it, to report as this one does.
    public static let environment: [String: String] = {
        var options: [String: String] = [:]
        for name in ["ASAN_OPTIONS", "TSAN_OPTIONS"] { options[name] = variable(name) }
        return options
    }()

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
