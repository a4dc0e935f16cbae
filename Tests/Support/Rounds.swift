#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// How many rounds a test goes that finds more the longer it runs.
///
/// A race or a leak shows in few rounds or in many, so each check counts the same; more rounds are more chances.
/// `scripts/test --all` and the sanitizers set `GLASS_ALL_ROUNDS`.
///
/// - Parameters:
///   - all: With `GLASS_ALL_ROUNDS` in the environment.
///   - few: Without it, for who waits for the answer: still so many that the test can fail.
public func rounds(all: Int, few: Int) -> Int {
    getenv("GLASS_ALL_ROUNDS") == nil ? few : all
}
