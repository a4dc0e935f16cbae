import Benchmark

/// Something that is measured against a floor in the same run.
///
/// The two become two benchmarks, `ID.xBATCH.floor` and `ID.xBATCH.ours`; the report joins them by name and knows the
/// budget of each id.
///
/// - Parameters:
///   - id: The name under which the report knows the budget.
///   - batch: How often one sample does the work; the same for both, so that the ratio needs no scale.
///   - seconds: How long to measure each at most.
///   - floor: Does that many times what no implementation can avoid.
///   - ours: Does the work that many times.
public func work(
    _ id: String, batch: Int, seconds: Double = 0.7, floor: @escaping @Sendable (Int) throws -> Void,
    ours: @escaping @Sendable (Int) throws -> Void
) {
    work(id, batch: batch, seconds: seconds) {
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
///   - seconds: How long to measure each at most.
///   - setup: Builds what both work on, once in each process, outside what is measured.
///   - floor: Does `batch` times what no implementation can avoid.
///   - ours: Does the work `batch` times.
public func work<State>(
    _ id: String, batch: Int, seconds: Double = 0.7, setup: @escaping @Sendable () throws -> State,
    floor: @escaping @Sendable (State) throws -> Void, ours: @escaping @Sendable (State) throws -> Void
) {
    let configuration = Benchmark.Configuration(
        metrics: [.wallClock], warmupIterations: 3, maxDuration: .milliseconds(Int(seconds * 1_000)), maxIterations: 500
    )
    for (kind, body) in [("floor", floor), ("ours", ours)] {
        Benchmark("\(id).x\(batch).\(kind)", configuration: configuration) { (_, state: State) in
            try body(state)
        } setup: {
            try setup()
        }
    }
}
