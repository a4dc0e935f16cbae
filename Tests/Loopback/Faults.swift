import GlassBase
import TestSupport

/// The faults of requests: those that a query requests, and random ones.
final class Faults: Sendable {
    /// The faults of one request.
    struct Fault {
        /// Waits before anything else.
        var delay: Duration?
        /// Responds with a status instead of serving.
        var statusBefore: Int?
        /// Serves, but responds with a status.
        var statusAfter: Int?
        /// Serves, but closes the connection in the middle of the response.
        var drops = false
    }

    private struct State {
        var asked: [String: Int] = [:]
        var rate = 0.0
        var random = SplitMix64(state: 1)
    }

    private let state = Lock(State())

    /// Makes a proportion of all requests fail from now on.
    func set(rate: Double, seed: UInt64?) {
        state.withLock { state in
            state.rate = rate
            if let seed { state.random = SplitMix64(state: seed) }
        }
    }

    /// The fault of the next request.
    ///
    /// - Parameters:
    ///   - key: Groups similar requests, for `times`.
    ///   - query: The request's query.
    func next(key: String, query: [String: String]) -> Fault {
        let asksForFault = query["fail"] != nil || query["drop"] != nil || query["delay"] != nil
        return state.withLock { state in
            guard asksForFault else {
                return Double.random(in: 0..<1, using: &state.random) < state.rate ? .random(&state.random) : Fault()
            }
            let count = (state.asked[key] ?? 0) + 1
            state.asked[key] = count
            guard count <= query["times"].flatMap(Int.init) ?? .max else { return Fault() }
            return Fault(
                delay: query["delay"].flatMap(Int.init).map { .milliseconds($0) },
                statusBefore: query["fail"].flatMap(Int.init), drops: query["drop"] != nil)
        }
    }
}

extension Faults.Fault {
    fileprivate static func random(_ random: inout SplitMix64) -> Self {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: Self(statusBefore: 503)
        case 1: Self(statusAfter: 500)
        case 2: Self(drops: true)
        case 3: Self(delay: .milliseconds(Int.random(in: 10...300, using: &random)))
        default: Self(statusBefore: 429)
        }
    }
}
