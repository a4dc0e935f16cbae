import Foundation
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSchema
import LuaBridge
import TestSupport

// Whole loads: the input is a market, or a link that real markets open. Whatever it is, the result comes in time.
//
// libFuzzer calls from one thread. GLASS_FUZZ names the target, and GLASS_FUZZ_CPU_MS is the CPU time limit for one
// input; libFuzzer's own limits apply to memory.

/// One run of the fuzzer.
///
/// - Parameters:
///   - data: The input.
///   - count: Its length.
/// - Returns: 0.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLoads(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = Array(UnsafeBufferPointer(start: data, count: count))
    let start = processorTime()
    if opensLinks { open(String(decoding: input, as: UTF8.self)) } else { check(input) }
    let used = processorTime() - start
    guard used <= maximumProcessorTime else {
        preconditionFailure("this input took \(used) of CPU time; the limit is \(maximumProcessorTime)")
    }
    return 0
}

private let environment = ProcessInfo.processInfo.environment
private let opensLinks = environment["GLASS_FUZZ"] == "open"
private let maximumProcessorTime = Duration.milliseconds(environment["GLASS_FUZZ_CPU_MS"].flatMap { Int($0) } ?? 1000)

private func processorTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
}

private let market: FuzzedMarket = {
    do { return try FuzzedMarket() } catch { preconditionFailure("no folder: \(error)") }
}()

private let loader = MarketLoader(.platform, folder: MarketFolder(path: market.folder.path), secrets: { _ in nil })

private func check(_ input: [UInt8]) {
    do {
        try market.write(input)
    } catch {
        preconditionFailure("no files: \(error)")
    }
    do {
        let check = try loader.check(FuzzedMarket.id)
        var bytes = 0
        for finding in check.findings {
            precondition(!finding.message.isEmpty)
            bytes += finding.description.utf8.count
        }
        precondition(bytes <= 1 << 20, "the findings have \(bytes) bytes")
        if let market = check.market {
            market.preconditions.satisfyAll()
            for route in market.routes.prefix(4) { _ = market.explain("walmart://\(route.pattern)", others: []) }
            _ = market.open("walmart://cart")
        } else {
            precondition(check.findings.contains { $0.severity == .error }, "no market, and no error")
        }
    } catch {
        precondition(error is MarketFolderError || error is LuaError, "an error of an unknown kind: \(error)")
    }
}

private let markets: [Market] = ["us", "ca", "mx"].map { id in
    do {
        let market = try loader.load(id)
        market.preconditions.satisfyAll()
        return market
    } catch {
        preconditionFailure("\(id): \(error)")
    }
}

private func open(_ link: String) {
    for market in markets {
        let routable = market.deepLinker.canRoute(deepLink: link)
        let result = market.open(link)
        if case .refused = result.outcome { precondition(!routable, "\(link) is refused but can be routed") }
        _ = market.explain(link, others: [])
    }
}
