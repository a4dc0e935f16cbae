@testable import GlassBase
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct BroadcastTests {
    @Test func everyListenerGetsEachValueInOrder() async {
        let broadcast = Broadcast<Int>()
        let streams = [broadcast.values(limit: 10), broadcast.values(startingWith: 0, limit: 10)]
        for value in 1...3 { broadcast.send(value) }
        broadcast.finish()
        var seen: [[Int]] = []
        for stream in streams { seen.append(await stream.reduce(into: []) { $0.append($1) }) }
        #expect(seen == [[1, 2, 3], [0, 1, 2, 3]])
    }

    @Test func slowListenerLosesOldestValues() async {
        let broadcast = Broadcast<Int>()
        let stream = broadcast.values(startingWith: 0, limit: 2)
        for value in 1...5 { broadcast.send(value) }
        broadcast.finish()
        #expect(await stream.reduce(into: []) { $0.append($1) } == [4, 5])
    }

    @Test func cancelledListenerIsRemoved() async {
        let broadcast = Broadcast<Int>()
        do {
            let stream = broadcast.values(startingWith: 1, limit: 2)
            #expect(broadcast.listenerCount == 1)
            for await value in stream where value == 1 { break }
        }
        #expect(broadcast.listenerCount == 0)
    }

    @Test func finishEndsCurrentAndLaterStreams() async {
        var broadcast: Broadcast<Int>? = Broadcast()
        let stream = broadcast?.values(limit: 1)
        broadcast?.finish()
        let late = broadcast?.values(startingWith: 7, limit: 1)
        broadcast = nil
        #expect(await stream?.first { _ in true } == nil)
        #expect(await late?.reduce(into: []) { $0.append($1) } == [7])
    }

    /// Four threads add and remove listeners while four others send: a listener that stays loses no value, and nothing
    /// races.
    @Test func listenersComeAndGoWhileOthersSend() async {
        let broadcast = Broadcast<Int>()
        let stream = broadcast.values(limit: .max)
        let rounds = 1000
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask { for value in 0..<rounds { broadcast.send(value) } }
                group.addTask { for _ in 0..<rounds { _ = broadcast.values(limit: 1) } }
            }
        }
        #expect(broadcast.listenerCount == 1)
        broadcast.finish()
        #expect(await stream.reduce(0) { $0 + $1 } == 4 * rounds * (rounds - 1) / 2)
    }
}
