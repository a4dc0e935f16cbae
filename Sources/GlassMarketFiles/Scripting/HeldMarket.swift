import GlassBase
import GlassMarkets
import GlassSchema
import LuaBridge

/// A market that a script holds, itself or one of its services.
///
/// What the market's Lua uses after it was loaded, in handlers of links, is the script's: its CPU time, and what its memory
/// grows by for as long as the script holds it.
final class HeldMarket: Sendable {
    let market: Market
    private let returned: DeferredRelease
    private let counted: Lock<(bytes: Int, cpuTime: Duration)>
    private let bytesAtFirst: Int

    /// Begins to count.
    init(_ market: Market, returned: DeferredRelease) {
        self.market = market
        self.returned = returned
        bytesAtFirst = market.meter.memory
        counted = Lock((0, market.meter.cpuTime))
    }

    /// The services that a script can use.
    var serviceNames: [String] {
        market.module.services.filter { $0.scriptObject(in: market.container) != nil }.map(\.name)
    }

    deinit {
        // In the middle of Lua's own work, perhaps, where its account cannot be used.
        returned.add(counted.withLock { $0.bytes })
    }

    /// Counts what the market's Lua used since the last time.
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

/// Bytes that were counted for markets that are no longer held, until the script's account can be used.
final class DeferredRelease: Sendable {
    private let bytes = Lock(0)

    /// Takes bytes.
    func add(_ count: Int) {
        bytes.withLock { $0 += count }
    }

    /// Gives them back.
    func giveBack(in context: LuaContext) {
        let count = bytes.withLock { bytes in
            defer { bytes = 0 }
            return bytes
        }
        if count > 0 { context.giveBack(bytes: count) }
    }
}
