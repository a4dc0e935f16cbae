import GlassDeepLinking
import GlassSchema

extension LinkExplanation {
    /// An explanation as it is passed to a script.
    var scriptValue: ScriptValue {
        [
            "outcome": .string(result.outcome.name),
            "reason": result.reason.map { .string($0) } ?? .nil,
            "refusal": refusal.map { .string($0.description) } ?? .nil,
            "scheme": .string(scheme),
            "host": .string(host),
            "candidates": .list(
                candidates.map { candidate in
                    [
                        "pattern": .string(candidate.declaration.pattern),
                        "routable": .string(candidate.declaration.routableID),
                        "wins": .boolean(candidate.isWinner), "reason": .string(candidate.reason),
                    ]
                }),
            "nearMisses": .list(
                nearMisses.map { ["written": .string($0.written), "suggestion": .string($0.suggestion)] }),
            "text": .string(description),
        ]
    }
}
