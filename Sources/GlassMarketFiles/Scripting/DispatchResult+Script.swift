import GlassDeepLinking
import GlassMarkets
import GlassSchema

extension DispatchResult {
    /// A dispatched link as it is passed to a script.
    var scriptValue: ScriptValue {
        var query: [String: ScriptValue] = [:]
        for item in queryItems where query[item.name] == nil { query[item.name] = .string(item.value ?? "") }
        return [
            "url": .string(text),
            "outcome": .string(outcome.name),
            "routable": routableID.map { .string($0) } ?? .nil,
            "pattern": pattern.map { .string($0) } ?? .nil,
            "parameters": .map(parameters.dictionary.mapValues { .string($0) }),
            "rawParameters": .map(parameters.ambiguousRawValues.mapValues { .string($0) }),
            "query": .map(query),
            "reason": reason.map { .string($0) } ?? .nil,
            "explanation": outcome.explanation.map { .string($0) } ?? .nil,
            "navigation": [
                "tab": .string(navigation.tab),
                "screens": .list(
                    navigation.screens.map { screen in
                        ["name": .string(screen.name), "parameters": .map(screen.parameters.mapValues { .string($0) })]
                    }),
            ],
        ]
    }
}
