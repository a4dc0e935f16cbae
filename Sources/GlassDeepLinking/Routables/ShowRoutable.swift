/// A declarative routable: it selects a tab and shows a screen with strings derived from the link.
///
/// ```swift
/// let coupons = try ShowRoutable(
///     id: "coupons", configuration: .init(paths: ["coupons", "coupons/:code"]), tab: "deals", screen: "coupons",
///     parameters: ["code": "{code|all}", "source": "{?utm_source}", "market": "ca"])
/// try router.add(routables: [coupons])
/// print(router.open("walmart://coupons").navigation.screens[0].parameters)  // ["code": "all", "market": "ca"]
/// ```
package struct ShowRoutable: Routable {
    /// The maximum number of parameters of a screen.
    package static let parameterLimit = 64

    /// The id that identifies the routable in markets and results.
    package let id: String

    /// The patterns, and the preconditions that links wait for.
    package let configuration: RoutableConfiguration

    /// The tab that it selects; `nil` leaves the tab unchanged.
    package let tab: String?

    /// The screen that it shows; `nil` for a tab's root.
    package let screen: String?

    /// The parameters of the screen, by name; `nil` passes the path parameters unchanged.
    ///
    /// A parameter is omitted if its template yields no text for a link.
    package let parameters: [String: LinkTemplate]?

    /// The required parameters of the screen, without which it declines a link.
    package let requires: [String]

    /// Creates a routable.
    package init(
        id: String, configuration: RoutableConfiguration, tab: String? = nil, screen: String? = nil,
        parameters: [String: String]? = nil, requires: [String] = []
    ) throws(ShowRoutableError) {
        var check = ShowRoutableCheck(configuration: configuration)
        self.parameters = check.templates(parameters)
        check.checkRequired(requires, among: parameters)
        check.checkTarget(tab: tab, screen: screen, parameters: parameters)
        if !check.issues.isEmpty { throw ShowRoutableError(routableID: id, issues: check.issues) }
        self.id = id
        self.configuration = configuration
        self.tab = tab
        self.screen = screen
        self.requires = requires
    }

    /// The configured patterns.
    package var actionRoutes: [String] { configuration.routes(standard: []) }

    /// Whether links wait for any precondition.
    package var waitForPreconditions: Bool { configuration.waitForPreconditions.waits }

    /// The preconditions that links wait for.
    package var requiredPreconditions: PreconditionRequirement { configuration.waitForPreconditions }

    /// Selects the tab and shows the screen.
    package func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) -> Bool {
        let shown = shownParameters(deepLink)
        guard requires.allSatisfy({ shown[$0] != nil }) else { return false }
        if let tab { state.select(tab: tab) }
        if let screen { state.show(screen, parameters: shown) }
        return true
    }

    private func shownParameters(_ link: DeepLink) -> [String: String] {
        let values = link.parameters.dictionary
        guard let parameters else { return values }
        let query = link.queryItems
        return parameters.compactMapValues { $0.text(parameters: values, query: query) }
    }
}

/// Validates a ``ShowRoutable``.
private struct ShowRoutableCheck {
    /// The names of the patterns' parameters; `nil` if a pattern does not compile, so that they are unknown.
    private let names: [String]?
    private(set) var issues: [ShowRoutableError.Issue] = []

    init(configuration: RoutableConfiguration) {
        var names: Set<String>? = []
        for pattern in configuration.routes(standard: []) {
            guard let pattern = try? RoutePattern(pattern) else {  // the route table reports why it does not compile
                names = nil
                break
            }
            names?.formUnion(pattern.parameterNames)
        }
        self.names = names?.sorted()
    }

    mutating func templates(_ parameters: [String: String]?) -> [String: LinkTemplate]? {
        guard let parameters else { return nil }
        if parameters.count > ShowRoutable.parameterLimit {
            issues.append(.tooManyParameters(parameters.count))
            return [:]
        }
        var templates: [String: LinkTemplate] = [:]
        for (key, text) in parameters.sorted(by: { $0.key < $1.key }) {
            do throws(LinkTemplateError) {
                let template = try LinkTemplate(text)
                templates[key] = template
                guard let names else { continue }
                var known = Set(names)
                for name in template.parameterNames where known.insert(name).inserted {
                    issues.append(.unknownName(name, parameter: key, names: names))
                }
            } catch {
                issues.append(.template(error, parameter: key))
            }
        }
        return templates
    }

    mutating func checkRequired(_ requires: [String], among parameters: [String: String]?) {
        guard let shown = parameters.map({ $0.keys.sorted() }) ?? names else { return }
        let known = Set(shown)
        for name in requires where !known.contains(name) {
            issues.append(.unknownRequirement(name, names: shown))
        }
    }

    mutating func checkTarget(tab: String?, screen: String?, parameters: [String: String]?) {
        guard screen == nil else { return }
        if tab == nil { issues.append(.nothingToShow) }
        if parameters != nil { issues.append(.parametersWithoutScreen) }
    }
}
