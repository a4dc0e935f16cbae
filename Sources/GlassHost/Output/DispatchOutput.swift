import GlassDeepLinking

/// The outcome of a link, as JSON.
struct DispatchOutput: Encodable {
    struct Navigation: Encodable {
        struct Screen: Encodable {
            let name: String
            let parameters: [String: String]
        }

        let tab: String
        let screens: [Screen]
    }

    struct QueryItem: Encodable {
        let name: String
        @Nullable var value: String?

        init(name: String, value: String?) {
            self.name = name
            self.value = value
        }
    }

    let outcome: String
    let market: String
    @Nullable var routable: String?
    @Nullable var pattern: String?
    let parameters: [String: String]
    /// Omitted if no value contains an escaped delimiter.
    let rawParameters: [String: String]?
    let query: [QueryItem]
    @Nullable var reason: String?
    let navigation: Navigation
    /// Suggestions for a link that is not routed.
    let nearMisses: [NearestRoute]

    init(_ result: DispatchResult, _ nearest: [NearestRoute], market: String) {
        nearMisses = nearest
        outcome = result.outcome.name
        self.market = market
        routable = result.routableID
        pattern = result.pattern
        parameters = result.parameters.dictionary
        let raw = result.parameters.ambiguousRawValues
        rawParameters = raw.isEmpty ? nil : raw
        query = result.queryItems.map { QueryItem(name: $0.name, value: $0.value) }
        reason = result.reason
        navigation = Navigation(
            tab: result.navigation.tab,
            screens: result.navigation.screens.map {
                Navigation.Screen(name: $0.name, parameters: $0.parameters)
            })
    }
}
