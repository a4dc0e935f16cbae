import Synchronization
import TestSupport
import Testing

@testable import GlassDeepLinking

/// Every result of eight concurrent threads on a router must also be possible on one thread, and every link has exactly
/// one outcome.
@Suite(.timeLimit(.minutes(5))) struct HistoryTests {
    private enum Operation: Sendable {
        /// Sets the configuration with this number.
        case configure(Int)
        /// Opens a link with the scheme of this configuration.
        case open(Int, outcome: String)
        case set(Int, Bool)
        /// Queries whether a precondition is satisfied.
        case ask(Int, Bool)
        case other
    }

    /// Configuration *n* only knows the scheme of link *n*, and every second configuration refuses that link. If two
    /// configurations each decided part of how a link is handled, the link would get an outcome that neither gives.
    private static func configuration(_ number: Int) -> DeepLinkConfiguration {
        DeepLinkConfiguration(
            schemes: ["s\(number)", "wait"], linkParameters: number.isMultiple(of: 2) ? [] : ["value"])
    }

    private static func outcome(of link: Int, in configuration: Int) -> String {
        guard link == configuration else { return "unroutable unknownScheme" }
        return link.isMultiple(of: 2) ? "routed " : "refused nestedLink"
    }

    @Test func concurrentHistoryIsLinearizable() throws {
        for _ in 0..<rounds(all: 20, few: 1, races: true) {
            let seed = UInt64.random(in: .min ... .max)
            print("the history of a router: seed \(seed)")
            let router = DeepLinkRouter(configuration: Self.configuration(0), waitingPolicy: WaitingPolicy(limit: 16))
            let outcomes = Recorder<String>()
            router.outcomeHandler = { outcomes.append($0.text) }
            router.declarePreconditions(["p0", "p1"])
            try router.add(routables: [
                TestRoutable(id: "value", actionRoutes: ["go/:value"]),
                TestRoutable(id: "p0", actionRoutes: ["p0/:n"], requiredPreconditions: ["p0"]),
                // Every third of the links that waited is declined, so that the next route is tried.
                TestRoutable(id: "p1", actionRoutes: ["p1/:n(int)"], requiredPreconditions: ["p1"]) { link, _ in
                    link.parameters["n"]?.hasSuffix("3") == false
                },
                TestRoutable(id: "both", actionRoutes: ["p1/:n"], requiredPreconditions: .all),
            ])
            let links = Atomic(0)
            let history = recordHistory(operations: 10_000, seed: seed) { _, random -> Operation in
                let name = Int.random(in: 0..<2, using: &random)
                switch Int.random(in: 0..<40, using: &random) {
                case 0..<4:
                    let number = Int.random(in: 0..<4, using: &random)
                    router.configuration = Self.configuration(number)
                    return .configure(number)
                case 4..<20:
                    let number = Int.random(in: 0..<4, using: &random)
                    let result = router.open("s\(number)://go/not%20a%20link")
                    return .open(number, outcome: "\(result.outcome.name) \(result.reason ?? "")")
                case 20..<23:
                    router.satisfyPrecondition("p\(name)")
                    return .set(name, true)
                case 23..<25:
                    router.resetPrecondition("p\(name)")
                    return .set(name, false)
                case 25..<30:
                    return .ask(name, !router.unmetPreconditions.contains("p\(name)"))
                case 30..<38:
                    router.open("wait://p\(name)/\(links.add(1, ordering: .relaxed).newValue)")
                case 38:
                    router.updateHooks { $0.preExecutionHandler = { _ in } }
                default:
                    router.cancelWaitingLinks()
                }
                return .other
            }
            let configurations = history.filter {
                if case .configure = $0.operation { return true }
                if case .open = $0.operation { return true }
                return false
            }
            let wrong = firstInexplicable(in: configurations, from: 0) { current, recorded in
                switch recorded.operation {
                case .configure(let number): number
                case .open(let link, let outcome): Self.outcome(of: link, in: current) == outcome ? current : nil
                default: current
                }
            }
            #expect(wrong.map { "\($0)" } == nil, "seed \(seed): no order of configurations explains it")
            for name in 0..<2 {
                let own = history.filter {
                    switch $0.operation {
                    case .set(name, _), .ask(name, _): true
                    default: false
                    }
                }
                let wrong = firstInexplicable(in: own, from: false) { holds, recorded in
                    switch recorded.operation {
                    case .set(_, let value): value
                    case .ask(_, let answer): answer == holds ? holds : nil
                    default: holds
                    }
                }
                #expect(wrong.map { "\($0)" } == nil, "seed \(seed): no order of p\(name) explains it")
            }
            for name in ["p0", "p1"] { router.satisfyPrecondition(name) }
            #expect(router.waitingLinks.isEmpty, "seed \(seed)")
            let waited = outcomes.elements.filter { $0.hasPrefix("wait:") }
            #expect(waited.count == links.load(ordering: .relaxed), "seed \(seed): a link has no outcome, or two")
            #expect(Set(waited).count == waited.count, "seed \(seed): a link has two outcomes")
        }
    }
}
