/// The route of an HTTP request.
enum InspectorRoute: Equatable {
    /// A file of the page.
    case file(PageFile)
    /// The exchange of the token for a session.
    case session
    /// The stream of events from now on.
    case events
    /// The outcome of a link. The body contains the link.
    case link
    /// Any other request about the markets.
    case question(InspectorRequest)

    /// Whether the route requires the session. The page's own files contain nothing from the markets.
    var needsSession: Bool {
        switch self {
        case .file, .session: false
        case .events, .link, .question: true
        }
    }

    /// Finds the route of a request; nil if there is none. Paths are compared exactly as sent, so no path has two
    /// meanings.
    init?(_ head: HTTPHead) {
        let path = String(head.path)
        if let file = path == "/pages.css" ? PageStyle.file : PageFile.all[path] {
            self = .file(file)
            return
        }
        let market = head.parameter("market")
        switch path {
        case "/api/session": self = .session
        case "/api/events": self = .events
        case "/api/link": self = .link
        case "/api/state": self = .question(.state)
        case "/api/matrix": self = .question(.matrix)
        case "/api/schema": self = .question(.schema)
        case "/api/values":
            guard let market else { return nil }
            self = .question(.values(market: market))
        case "/api/value":
            guard let market, let key = head.parameter("key") else { return nil }
            self = .question(.value(market: market, key: key))
        case "/api/services":
            guard let market else { return nil }
            self = .question(.services(market: market))
        case "/api/picture":
            guard let market else { return nil }
            self = .question(.picture(market: market))
        case "/sheet":
            guard let market else { return nil }
            self = .question(.sheet(market: market))
        case "/api/compare":
            guard let one = head.parameter("a"), let other = head.parameter("b") else { return nil }
            self = .question(.comparison(one, other))
        case "/api/review":
            guard let base = head.parameter("base") else { return nil }
            self = .question(.review(base: base))
        default: return nil
        }
    }
}
