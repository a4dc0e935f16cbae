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
/// `scripts/test --all-rounds` sets `GLASS_ALL_ROUNDS` to `1`. Under a sanitizer, which makes each round many times slower, it is
/// `races`: there more rounds find more only where threads or processes race.
///
/// - Parameters:
///   - all: With `GLASS_ALL_ROUNDS=1` in the environment.
///   - few: Otherwise, for who waits for the answer: still so many that the test can fail.
///   - races: Whether threads or processes race in a round, so that `GLASS_ALL_ROUNDS=races` asks for all of them too.
public func rounds(all: Int, few: Int, races: Bool = false) -> Int {
    guard let wanted = getenv("GLASS_ALL_ROUNDS") else { return few }
    return races || String(cString: wanted) != "races" ? all : few
}
