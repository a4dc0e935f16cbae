#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The number of rounds for a test that finds more the longer it runs.
///
/// A race or a leak can show in any round, so each one counts the same; more rounds are more chances. `scripts/test
/// --all-rounds` sets `GLASS_ALL_ROUNDS` to `1`. Under a sanitizer, which makes each round many times slower, it is
/// `races`: there, more rounds only find more if threads or processes race.
///
/// - Parameters:
///   - all: The number with `GLASS_ALL_ROUNDS=1` in the environment.
///   - few: The number otherwise, for quick runs: still enough that the test can fail.
///   - races: Whether threads or processes race in a round, so that `GLASS_ALL_ROUNDS=races` also uses the full number.
public func rounds(all: Int, few: Int, races: Bool = false) -> Int {
    guard let wanted = getenv("GLASS_ALL_ROUNDS") else { return few }
    return races || String(cString: wanted) != "races" ? all : few
}

/// Whether tests run at their full size, as in the nightly runs: with the real limits, and with every row of a table.
public let runsAllRounds = rounds(all: 1, few: 0) == 1

/// The rows of a large table that run: all of them at the full size; otherwise every fifth one, and the first of each kind
/// that has none among these.
///
/// Not every fourth one: where a table has four rows of each kind, that would always be the same of the four.
public func someRows<Row>(of rows: [Row], kind: (Row) -> some Hashable) -> [Row] {
    if runsAllRounds { return rows }
    var kinds = Set(stride(from: 0, to: rows.count, by: 5).map { kind(rows[$0]) })
    return rows.enumerated().filter { offset, row in offset % 5 == 0 || kinds.insert(kind(row)).inserted }.map(
        \.element)
}
