import GlassDeepLinking

/// Why a link is routed as it is, as JSON.
struct LinkOutput: Encodable {
    struct Candidate: Encodable {
        let pattern: String
        let routable: String
        let wins: Bool
        let reason: String
    }

    let market: String
    let link: String
    let outcome: String
    @Nullable var reason: String?
    @Nullable var refusal: String?
    let scheme: String
    let host: String
    let segments: [String]
    let candidates: [Candidate]
    let nearMisses: [NearestRoute]
    let takers: [String]

    init(_ explanation: LinkExplanation, _ others: [NearestRoute], market: String) {
        self.market = market
        link = explanation.result.text
        outcome = explanation.result.outcome.name
        reason = explanation.result.reason
        refusal = explanation.refusal?.description
        scheme = explanation.scheme
        host = explanation.host
        segments = explanation.segments
        candidates = explanation.candidates.map {
            Candidate(
                pattern: $0.declaration.pattern, routable: $0.declaration.routableID, wins: $0.isWinner,
                reason: $0.reason)
        }
        nearMisses = explanation.nearMisses.map { NearestRoute($0, in: market) } + others
        takers = explanation.takers
    }
}
