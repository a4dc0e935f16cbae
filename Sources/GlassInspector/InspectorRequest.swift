/// A request of the page about the markets.
package enum InspectorRequest: Sendable, Equatable {
    /// The markets, their states and their events.
    case state
    /// The outcome of a link in each market, with some preconditions unmet.
    case link(String, held: [String])
    /// All values of a market, with the values that each overrides.
    case values(market: String)
    /// The details of one value.
    case value(market: String, key: String)
    /// The keys that each market sets.
    case matrix
    /// The differences between two markets.
    case comparison(String, String)
    /// The effects of the changes to the folder's files since a commit.
    case review(base: String)
    /// The services of a market.
    case services(market: String)
    /// The services of a market as an SVG document.
    case picture(market: String)
    /// The link sheet of a market as an HTML document.
    case sheet(market: String)
    /// All keys that a market can set.
    case schema
}

/// The situation that a page shows: the attributes that differ from the default situation, as a command takes them.
///
/// It belongs to the page, which sends it with each request. Its values may be personal, so nothing keeps or logs them.
package struct InspectorSituation: Sendable, Equatable {
    /// The texts of the values, by attribute.
    package let attributes: [String: String]

    /// Creates a situation; by default, the default one.
    package init(_ attributes: [String: String] = [:]) {
        self.attributes = attributes
    }
}

/// A response for the page.
package struct InspectorResponse: Sendable, Equatable {
    /// The format of a response.
    package enum Form: String, Sendable {
        /// A JSON object.
        case json = "application/json"
        /// An SVG document.
        case svg = "image/svg+xml"
        /// An HTML document.
        case html = "text/html; charset=utf-8"
    }

    /// The format of ``bytes``.
    package let form: Form
    /// The document.
    package let bytes: [UInt8]

    /// Creates a response.
    package init(_ form: Form = .json, _ bytes: [UInt8]) {
        self.form = form
        self.bytes = bytes
    }
}

/// The reason that a request has no result.
package struct InspectorFailure: Error, Equatable {
    /// The message to display.
    package let message: String
    /// Whether the requested object doesn't exist, rather than being too large.
    package let isMissing: Bool
    /// The attribute of the situation that is the reason; nil if there is another one.
    package let attribute: String?

    /// Creates a failure.
    package init(_ message: String, isMissing: Bool = false, attribute: String? = nil) {
        self.message = message
        self.isMissing = isMissing
        self.attribute = attribute
    }
}

/// The page's data source.
package protocol InspectorDataSource: Sendable {
    /// Responds to a request in the situation of its page. Calls are serialized, on a thread that may block.
    func answer(_ question: InspectorRequest, in situation: InspectorSituation) throws -> InspectorResponse
}
