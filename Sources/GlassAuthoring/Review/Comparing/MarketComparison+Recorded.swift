import GlassBase
import GlassDeepLinking
import GlassMarkets
import GlassSchema

/// A recorded link that no longer opens what it opened before.
struct RecordedChange {
    let link: RecordedLink
    /// Its scheme, or the host of a universal link, in lowercase; empty if the market still has it.
    let beginning: String
    /// The routable and the pattern that it opened.
    let before: Target
    /// The routable and the pattern that it opens; nil for nothing.
    let after: Target?
    /// The parameters that it no longer has.
    let gone: [String]

    struct Target: Hashable {
        let routable: String
        let pattern: String

        init?(_ result: DispatchResult) {
            guard result.outcome.name != "external", result.outcome.name != "failed", let routable = result.routableID
            else { return nil }
            self.routable = routable
            pattern = result.pattern ?? ""
        }
    }
}

extension MarketComparison {
    /// Finds the recorded links that changed. Returns how many links were tried.
    ///
    /// Each link is first routed without opening it, which takes microseconds. Links that differ are then opened,
    /// because a handler may decline them. When the time runs out, the rest is skipped.
    mutating func replay(
        _ links: ArraySlice<RecordedLink>, within time: Duration, spending: (Duration) -> Void
    ) -> Int {
        var found: [RecordedChange] = []
        var asked = 0
        let clock = WorkBudget(cpuTime: time)
        defer { spending(time - clock.timeLeft) }
        for link in links {
            do throws(WorkBudget.Exceeded) {
                try clock.spend(32 + link.text.utf8.count / 16, on: .comparing)
            } catch {
                break
            }
            asked += 1
            let was = base.deepLinker.dryRun(link.text)
            guard let before = RecordedChange.Target(was) else { continue }
            let now = head.deepLinker.dryRun(link.text)
            let after = RecordedChange.Target(now)
            let names = Set(now.parameters.elements.map(\.name))
            let gone = was.parameters.elements.map(\.name).filter { !names.contains($0) }
            if let after, after.routable == before.routable, gone.isEmpty { continue }
            guard case .routable(before.routable) = Self.open(link.text, in: base),
                Self.open(link.text, in: head) != .routable(before.routable) || !gone.isEmpty
            else { continue }
            let beginning: String
            switch now.outcome {
            case .unroutable(.unknownScheme(let scheme)): beginning = scheme.lowercased()
            case .unroutable(.unknownHost(let host)): beginning = host.lowercased()
            default: beginning = ""
            }
            found.append(
                RecordedChange(link: link, beginning: beginning, before: before, after: after, gone: gone))
        }
        recorded = found
        return asked
    }
}
