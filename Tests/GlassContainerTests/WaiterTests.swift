import Testing

@testable import GlassContainer

/// Threads that wait for one another, played by one thread: each announces and withdraws when the test says so.
@Suite struct WaiterTests {
    private let first = Waiter()
    private let second = Waiter()
    private let path = [ResolutionStep(id: ServiceID(Int.self), site: nil)]

    private func build(of owner: Waiter) -> Build { Build(owner: owner, generation: 0, depth: 0) }

    @Test func threadsThatWaitForEachOtherAreACycle() {
        #expect(first.announce(build(of: second), path: path, isAwaited: false) == nil)
        #expect(second.announce(build(of: first), path: path, isAwaited: false) != nil)
    }

    /// Between finding a build in progress and announcing the wait for it, its thread may end it and go on.
    @Test func aBuildThatEndedBeforeTheWaitForItWasAnnouncedClosesNoCycle() {
        let ended = build(of: second)
        ended.end()
        #expect(second.announce(build(of: first), path: [], isAwaited: false) == nil)
        #expect(first.announce(ended, path: path, isAwaited: false) == nil)
    }

    /// A thread whose build was made goes on before those that waited for it have woken up.
    @Test func aThreadThatHasNotWokenUpYetClosesNoCycle() {
        let made = build(of: first)
        #expect(second.announce(made, path: path, isAwaited: false) == nil)
        made.end()
        #expect(first.announce(build(of: second), path: path, isAwaited: false) == nil)
    }
}
