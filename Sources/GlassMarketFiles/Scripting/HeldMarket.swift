import GlassBase
import GlassMarkets
import GlassSchema
import LuaBridge

/// A market that a script holds, directly or through one of its services.
///
/// What the market's Lua uses after the load, in handlers of links, is charged to the script: its CPU time, and its
/// memory growth for as long as the script holds the market.
final class HeldMarket: Sendable {
    let market: Market
    private let returned: DeferredRelease
    private let counted: Lock<(bytes: Int, cpuTime: Duration)>
    private let bytesAtFirst: Int

    /// Starts counting.
    init(_ market: Market, returned: DeferredRelease) {
        self.market = market
        self.returned = returned
        bytesAtFirst = market.meter.memory
        counted = Lock((0, market.meter.cpuTime))
    }

    /// The names of the services that a script can use.
    var serviceNames: [String] {
        market.module.services.filter { $0.scriptObject(in: market.container) != nil }.map(\.name)
    }

    deinit {
        // Deferred: this may run while Lua is executing, when its memory account cannot be changed.
        returned.add(counted.withLock { $0.bytes })
    }

    /// Charges what the market's Lua used since the last call.
    func settle(in context: LuaContext) throws(LuaError) {
        returned.giveBack(in: context)
        let (memory, cpuTime) = (market.meter.memory, market.meter.cpuTime)
        let (growth, time) = counted.withLock { counted in
            let bytes = max(0, memory - bytesAtFirst)
            defer { counted = (bytes, cpuTime) }
            return (bytes - counted.bytes, cpuTime - counted.cpuTime)
        }
        context.charge(cpuTime: time)
        if growth < 0 { context.giveBack(bytes: -growth) }
        guard growth > 0 else { return }
        do {
            try context.charge(bytes: growth)
        } catch {
            counted.withLock { $0.bytes -= growth }
            throw error
        }
    }
}

/// The bytes of markets that are no longer held, until the script's memory account can be changed.
final class DeferredRelease: Sendable {
    private let bytes = Lock(0)

    func add(_ count: Int) {
        bytes.withLock { $0 += count }
    }

    /// Releases the bytes.
    func giveBack(in context: LuaContext) {
        let count = bytes.withLock { bytes in
            defer { bytes = 0 }
            return bytes
        }
        if count > 0 { context.giveBack(bytes: count) }
    }
}
