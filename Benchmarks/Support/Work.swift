public import Benchmark

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
    let configuration = Benchmark.Configuration(
        metrics: [.wallClock], warmupIterations: 3, maxDuration: .milliseconds(Int(seconds * 1_000)), maxIterations: 500
    )
    Benchmark("\(id).x\(batch).floor", configuration: configuration) { _ in try floor(batch) }
    Benchmark("\(id).x\(batch).ours", configuration: configuration) { _ in try ours(batch) }
}
