/// What the page asks about the markets.
package enum InspectorRequest: Sendable, Equatable {
    /// Which markets there are, how they are, and what happened to them.
    case state
    /// What each market makes of a link, while some preconditions do not hold.
    case link(String, held: [String])
    /// Each value of a market, with the values that it beat.
    case values(market: String)
    /// All about one value.
    case value(market: String, key: String)
    /// Which market sets what.
    case matrix
    /// What differs between two markets.
    case comparison(String, String)
    /// What the files of the folder do to people, compared with those of a commit.
    case review(base: String)
    /// The services of a market.
    case services(market: String)
    /// The services of a market as an SVG document.
    case picture(market: String)
    /// Each key that a market can set.
    case schema
}

/// An answer for the page.
package struct InspectorResponse: Sendable, Equatable {
    /// What the bytes are.
    package enum Form: String, Sendable {
        /// A JSON object.
        case json = "application/json"
        /// An SVG document.
        case svg = "image/svg+xml"
    }

    /// What the bytes are.
    package let form: Form
    /// The document.
    package let bytes: [UInt8]

    /// Creates an answer.
    package init(_ form: Form = .json, _ bytes: [UInt8]) {
        self.form = form
        self.bytes = bytes
    }
}

/// Why a question has no answer.
package struct InspectorFailure: Error, Equatable {
    /// What is told.
    package let message: String
    /// Whether what was asked about is not there, rather than too large.
    package let isMissing: Bool

    /// Creates a failure.
    package init(_ message: String, isMissing: Bool = false) {
        self.message = message
        self.isMissing = isMissing
    }
}

/// Who knows the markets.
package protocol InspectorDataSource: Sendable {
    /// Answers a question. Called for one question at a time, on a thread that may block.
    func answer(_ question: InspectorRequest) throws -> InspectorResponse
}
