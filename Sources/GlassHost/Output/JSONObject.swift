/// An object of a result as JSON: each key as it is printed, with its value. An absent value is shown as `null`, so that
/// every object of a kind has the same keys.
package struct JSONObject: Encodable, ExpressibleByDictionaryLiteral {
    private var members: [String: Member]

    /// Creates an object.
    package init(dictionaryLiteral members: (String, (any Encodable)?)...) {
        self.members = Dictionary(uniqueKeysWithValues: members.map { ($0, Member(value: $1)) })
    }

    /// The value of a key. Setting nil shows the key as `null`.
    package subscript(key: String) -> (any Encodable)? {
        get { members[key]?.value }
        set { members[key] = Member(value: newValue) }
    }

    /// Writes the object.
    package func encode(to encoder: any Encoder) throws { try members.encode(to: encoder) }

    private struct Member: Encodable {
        let value: (any Encodable)?

        func encode(to encoder: any Encoder) throws {
            if let value { return try value.encode(to: encoder) }
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        }
    }
}
