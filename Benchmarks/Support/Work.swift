import Benchmark

/// The times of some samples of each, in nanoseconds.
public typealias Times = (floor: [Int], ours: [Int])

/// Runs a measurement where it belongs, for example on a thread that only some may use.
public typealias Place = @Sendable (@Sendable () throws -> Times) throws -> Times

/// Something that is measured against a floor in the same run.
///
/// The two take turns in one benchmark, `ID.xBATCH`, and are its metrics `floor` and `ours`; the report knows the budget of
/// each id.
///
/// - Parameters:
///   - id: The name under which the report knows the budget.
///   - batch: How often one sample does the work; the same for both, so that the ratio needs no scale. A sample is best
///     shorter than a millisecond: a longer one rarely has the core for itself on a shared machine.
///   - place: Where to measure.
///   - floor: Does that many times what no implementation can avoid.
///   - ours: Does the work that many times.
public func work(
    _ id: String, batch: Int, in place: @escaping Place = { try $0() }, floor: @escaping @Sendable (Int) throws -> Void,
    ours: @escaping @Sendable (Int) throws -> Void
) {
    work(id, batch: batch, in: place) {
        batch
    } floor: {
        try floor($0)
    } ours: {
        try ours($0)
    }
}

/// The same for work on something that takes long to build.
///
/// Each benchmark runs in a process of its own that defines all of them, so what one needs is built by its `setup`.
///
/// - Parameters:
///   - id: The name under which the report knows the budget.
///   - batch: How often one sample does the work.
///   - place: Where to measure.
///   - setup: Builds what both work on, once, outside what is measured.
///   - floor: Does `batch` times what no implementation can avoid.
///   - ours: Does the work `batch` times.
public func work<State: Sendable>(
    _ id: String, batch: Int, in place: @escaping Place = { try $0() },
    setup: @escaping @Sendable () throws -> State,
    floor: @escaping @Sendable (State) throws -> Void, ours: @escaping @Sendable (State) throws -> Void
) {
    let (floorTime, oursTime) = (BenchmarkMetric.custom("floor"), BenchmarkMetric.custom("ours"))
    let configuration = Benchmark.Configuration(
        // Nanoseconds as they are: the package would choose a unit by their size.
        metrics: [floorTime, oursTime], units: [floorTime: .count, oursTime: .count], warmupIterations: 3,
        // What ends sooner on a free core waits that long for one.
        maxDuration: .seconds(6), maxIterations: 60)
    Benchmark("\(id).x\(batch)", configuration: configuration) { (benchmark, state: State) in
        // Each turn begins with what the other left in the caches, and most of its samples do not.
        let times = try place {
            (
                floor: try (0..<8).map { _ in try Spin.sample { try floor(state) } },
                ours: try (0..<8).map { _ in try Spin.sample { try ours(state) } }
            )
        }
        for time in times.floor { benchmark.measurement(floorTime, time) }
        for time in times.ours { benchmark.measurement(oursTime, time) }
    } setup: {
        try setup()
    }
}
