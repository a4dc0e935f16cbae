import Benchmark
import Synchronization

/// Arithmetic that takes as long each time, unless something else uses the core.
///
/// The other thread of a core, on a rented machine often somebody else's, slows this one down to six tenths of its speed
/// for some milliseconds at a time. No clock shows that, but arithmetic that keeps the whole core busy takes longer.
enum Spin {
    private static let clock = ContinuousClock()

    /// The shortest time that a spin took in this process.
    private static let shortest = Mutex(findShortest())

    /// The time of a spin on a free core, which comes again and again to the nanosecond, while times on a busy one scatter:
    /// spins until one in ten took hardly longer than the shortest, for six seconds at most.
    private static func findShortest() -> Duration {
        let end = clock.now + .seconds(6)
        var times: [Duration] = []
        while true {
            for _ in 0..<5_000 { times.append(spin()) }
            let shortest = times.min() ?? .zero
            let likeIt = times.count { $0 * 100 <= shortest * 101 }
            if likeIt * 10 >= times.count || clock.now > end { return shortest }
        }
    }

    /// The nanoseconds of wall time that a call of `work` takes: of the first call that had the core for itself, as spins
    /// before and after it tell.
    ///
    /// After 100 ms of trying it is the last call, so that work which takes longer than the core is ever free, or a machine
    /// that is always busy, is measured as it is.
    static func sample(_ work: () throws -> Void) rethrows -> Int {
        let end = clock.now + .milliseconds(100)
        while true {
            let wasFree = isCoreFree()
            let time = try clock.measure(work)
            if wasFree && isCoreFree() || clock.now > end { return Int(time / .nanoseconds(1)) }
        }
    }

    /// Whether a spin takes at most a twentieth longer than the shortest.
    private static func isCoreFree() -> Bool {
        let time = spin()
        return shortest.withLock {
            $0 = min($0, time)
            return time * 20 <= $0 * 21
        }
    }

    /// How long four independent chains of arithmetic take, some 15 microseconds.
    private static func spin() -> Duration {
        clock.measure {
            var (a, b, c, d): (UInt64, UInt64, UInt64, UInt64) = (1, 2, 3, 4)
            for _ in 0..<20_000 {
                a = a &* 3 &+ 1
                b = b &* 5 &+ 1
                c = c &* 7 &+ 1
                d = d &* 9 &+ 1
            }
            blackHole(a ^ b ^ c ^ d)
        }
    }
}
