import Synchronization
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@testable import GlassContainer

@Suite struct StripesTests {
    @Test func whatWasUnlinkedGoesAtOnceWhereNobodyReads() {
        let counter = Counter()
        ReaderLocks.all.retire([LiveNetworking(counter)])
        #expect(counter.madeCount == 1 && counter.liveCount == 0)
    }

    @Test func whatWasUnlinkedLivesUntilWhoReadsHasLeft() async {
        let counter = Counter()
        let stripes = ReaderLocks.all
        let isReading = Atomic(false)
        await awaitThreads(2) { thread in
            if thread == 0 {
                let stripe = stripes.enter()
                isReading.store(true, ordering: .releasing)
                while counter.madeCount == 0 { usleep(100) }
                // Time enough for a writer that does not wait to let go.
                usleep(20_000)
                #expect(counter.liveCount == 1)
                stripes.leave(stripe)
            } else {
                while !isReading.load(ordering: .acquiring) { usleep(100) }
                stripes.retire([LiveNetworking(counter)])
            }
        }
        #expect(counter.liveCount == 0)
    }
}
