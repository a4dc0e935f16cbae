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

@Suite struct ReaderLocksTests {
    @Test func retiredObjectIsReleasedImmediatelyWithoutReaders() {
        let counter = Counter()
        ReaderLocks.all.retire([LiveNetworking(counter)])
        #expect(counter.madeCount == 1 && counter.liveCount == 0)
    }

    @Test func retiredObjectLivesUntilReadersLeave() async {
        let counter = Counter()
        let stripes = ReaderLocks.all
        let isReading = Atomic(false)
        await awaitThreads(2) { thread in
            if thread == 0 {
                let stripe = stripes.enter()
                isReading.store(true, ordering: .releasing)
                while counter.madeCount == 0 { usleep(100) }
                // Enough time for a writer that doesn't wait to release the object.
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
