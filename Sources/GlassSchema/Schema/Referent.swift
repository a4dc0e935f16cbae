/// What a text names. Editors complete such names and find what they stand for.
package enum Referent: String, Sendable {
    case market, attribute, unit, condition, overlay, variant, layer, precondition, handler

    /// A text of this kind, with an article.
    fileprivate var expectation: String {
        switch self {
        case .market: "the id of a market"
        case .attribute, .unit: "an attribute"
        case .condition, .overlay, .variant, .layer, .precondition, .handler: "the name of \(article) \(rawValue)"
        }
    }

    private var article: String { self == .overlay ? "an" : "a" }

    /// A name that many markets have, for examples; nil if markets choose their own.
    fileprivate var example: String? {
        switch self {
        case .unit: "installID"
        case .variant: "control"
        case .overlay: "debugBuild"
        case .market, .attribute, .condition, .layer, .precondition, .handler: nil
        }
    }
}

extension StringFormat {
    /// A name, by default any text, because only a reader of the whole market knows the names.
    package static func name(of referent: Referent, matching format: StringFormat = .any) -> StringFormat {
        StringFormat(name: "name", expectation: referent.expectation, matches: format.matches).naming(referent)
    }

    /// The same format, for texts that name something.
    package func naming(_ referent: Referent) -> StringFormat {
        var format = self
        format.referent = referent
        return format
    }

    /// The example of the thing that a text names, if it has this format.
    var exampleOfReferent: String? { referent?.example.flatMap { matches($0) ? $0 : nil } }
}
