import Foundation
import GlassBase
import GlassDeepLinking
import GlassSites

// Association files that a site serves: whatever their bytes are, `verify` finishes in time, with findings of limited
// length.
//
// libFuzzer calls from one thread. GLASS_FUZZ_CPU_MS is the CPU time limit for one input.

/// One run of the fuzzer.
///
/// - Parameters:
///   - data: The input.
///   - count: Its length.
/// - Returns: 0.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzAssociation(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = Array(UnsafeBufferPointer(start: data, count: count))
    let start = processorTime()
    for kind in ServedFile.Kind.allCases { check(input, kind) }
    let used = processorTime() - start
    guard used <= maximumProcessorTime else {
        preconditionFailure("this input took \(used) of CPU time; the limit is \(maximumProcessorTime)")
    }
    return 0
}

private let maximumProcessorTime = Duration.milliseconds(
    ProcessInfo.processInfo.environment["GLASS_FUZZ_CPU_MS"].flatMap { Int($0) } ?? 2_000)

private func processorTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    // A debug build is slower, and its limits are scaled accordingly.
    return (.seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))) / BuildSpeed.slowdown
}

private let files: SiteFiles = {
    do {
        let patterns = ["cart", "ip/:id(int)", "search?q", "help/*topic", ":l(en|fr)/:u(uuid)", "/"]
        let market = SiteInput.Market(
            id: "us", universalHosts: ["www.example.com"], schemes: [],
            app: SiteInput.App(
                teamIdentifier: "ABCDE12345", bundleIdentifier: "com.example.app", androidPackage: "com.example.app",
                certificateDigests: [String(repeating: "0A", count: 32)]),
            routes: try patterns.map { SiteInput.Route(routableID: "r", pattern: try RoutePattern($0)) })
        return try SiteFiles(SiteInput(markets: [market]))
    } catch { preconditionFailure("no files: \(error)") }
}()

private func check(_ input: [UInt8], _ kind: ServedFile.Kind) {
    let file = ServedFile(
        host: "www.example.com", kind: kind, place: "https://www.example.com" + kind.path, content: .bytes(input),
        contentType: "application/json")
    let findings = files.verify([file], budget: WorkBudget())
    var bytes = 0
    for finding in findings {
        precondition(!finding.message.isEmpty)
        bytes += finding.headline.plain.utf8.count + (finding.hint?.utf8.count ?? 0)
        bytes += finding.links.reduce(0) { $0 + $1.utf8.count }
    }
    precondition(bytes <= 256 << 10, "the findings have \(bytes) bytes")
}
