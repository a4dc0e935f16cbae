import CAllocations

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A service that is used by reading its number, so that no compiler can leave the reading out.
protocol Service: AnyObject, Sendable {
    var number: Int { get }
}

/// Fills up the cache lines of an object, and makes it begin with one by being aligned to 64 bytes: what two threads cost
/// each other shall not depend on what happens to lie beside the object whose references they count.
typealias CacheLine = SIMD8<Int64>

final class LiveService: Service {
    let number: Int
    private let padding = CacheLine()

    init(_ number: Int = 1) {
        self.number = number
    }
}

/// A closure that no compiler can see through.
final class Opaque<Value>: @unchecked Sendable {
    // Written once, by `init`.
    private let body: () -> Value
    private let padding = CacheLine()

    init(_ body: @escaping () -> Value) {
        self.body = body
    }

    @inline(never)
    func callAsFunction() -> Value { body() }
}

func nanoseconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

/// How often one call asks for memory, after the first hundred; nil where that cannot be counted.
func allocations(_ work: () -> Int) -> Double? {
    guard allocations_are_counted() else { return nil }
    var sum = 0
    for _ in 0..<100 { sum &+= work() }
    let before = allocations_count()
    for _ in 0..<10_000 { sum &+= work() }
    let count = Double(allocations_count() - before) / 10_000
    precondition(sum != 0, "The work returned nothing.")
    return count
}

/// Runs `work` on some threads at once and waits for all.
func onThreads(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) {
    final class Job: Sendable {
        let index: Int
        let work: @Sendable (Int) -> Void

        init(_ index: Int, _ work: @escaping @Sendable (Int) -> Void) {
            self.index = index
            self.work = work
        }

        static func run(_ pointer: UnsafeMutableRawPointer) {
            let job = Unmanaged<Job>.fromOpaque(pointer).takeRetainedValue()
            job.work(job.index)
        }
    }
    let threads = (0..<count).map { index -> pthread_t in
        let job = Unmanaged.passRetained(Job(index, work)).toOpaque()
        #if canImport(Darwin)
            var thread: pthread_t?
            pthread_create(
                &thread, nil,
                {
                    Job.run($0)
                    return nil
                }, job)
            return thread!
        #else
            var thread = pthread_t()
            pthread_create(
                &thread, nil,
                {
                    Job.run($0!)
                    return nil
                }, job)
            return thread
        #endif
    }
    for thread in threads { pthread_join(thread, nil) }
}

/// Whether two threads that spin get as far in wall time as each does in processor time.
func areBothCoresFree() -> Bool {
    let start = nanoseconds(CLOCK_MONOTONIC)
    onThreads(2) { _ in
        let end = nanoseconds(CLOCK_THREAD_CPUTIME_ID) + 2e6
        while nanoseconds(CLOCK_THREAD_CPUTIME_ID) < end {}
    }
    return nanoseconds(CLOCK_MONOTONIC) - start < 2.6e6
}

/// What was measured of two pieces of work in turns.
struct Pair {
    let floor: Double
    let ours: Double
}

/// The wall time of one call of each, in nanoseconds: the medians of up to fifteen samples in turns, each of which had
/// both cores free before and after. Nil if there were not five of those.
func measure(_ floor: () -> Void, _ ours: () -> Void, calls: Int) -> Pair? {
    func sample(_ work: () -> Void) -> Double? {
        guard areBothCoresFree() else { return nil }
        let start = nanoseconds(CLOCK_MONOTONIC)
        work()
        let time = (nanoseconds(CLOCK_MONOTONIC) - start) / Double(calls)
        return areBothCoresFree() ? time : nil
    }
    floor()
    ours()
    var floors: [Double] = []
    var works: [Double] = []
    for _ in 0..<150 where floors.count < 15 || works.count < 15 {
        if floors.count < 15, let time = sample(floor) { floors.append(time) }
        if works.count < 15, let time = sample(ours) { works.append(time) }
    }
    guard floors.count >= 5, works.count >= 5 else { return nil }
    return Pair(floor: floors.sorted()[floors.count / 2], ours: works.sorted()[works.count / 2])
}
