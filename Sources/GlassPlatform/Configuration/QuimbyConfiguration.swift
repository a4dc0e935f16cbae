public import GlassSchema

/// The source of remote configuration, and the headers that identify the user in requests.
public struct QuimbyConfiguration: ConfigurationSection {
    /// The service that provides it. Without a service of this name, nothing is requested.
    public var service = "quimby"
    /// The path below the service's base URL.
    public var path = "ccm/v1"
    /// The time for which received values are used before they are requested again, in seconds.
    public var refreshSeconds = 300
    /// The maximum time for a response, in seconds.
    public var timeoutSeconds = 3.0
    /// The header field for the customer's number.
    public var customerHeader = "WM-Customer-ID"
    /// The header field for the cart's identity.
    public var cartHeader = "WM-Cart-ID"

    /// The keys of the section.
    public static let keys: [ConfigurationKey<Self>] = [
        .init(
            "service", \.service, .string(.identifier),
            "The service that provides it. If no environment has this service, nothing is requested."),
        .init("path", \.path, .string(.servicePath), "The path below the service's base URL. \(DefaultNameNote.note)"),
        .init(
            "refreshSeconds", \.refreshSeconds, .integer(1...604_800),
            "The time for which received values are used before they are requested again."
        ).varying(.live),
        .init("timeoutSeconds", \.timeoutSeconds, .number(1...60), "The maximum time for a response."),
        .init(
            "customerHeader", \.customerHeader, .string(.headerName),
            "The header field with the customer's number. \(DefaultNameNote.note)"),
        .init(
            "cartHeader", \.cartHeader, .string(.headerName),
            "The header field with the cart's identity. \(DefaultNameNote.note)"),
    ]

    /// Values that are requested again before an answer must arrive are never used.
    public static let rules: [ConfigurationRule<Self>] = [
        .init(reads: ["refreshSeconds", "timeoutSeconds"], severity: .warning, code: .numbersDisagree) { quimby in
            guard quimby.timeoutSeconds > Double(quimby.refreshSeconds) else { return [] }
            return [
                Inconsistency(
                    "refreshSeconds",
                    "\(quimby.refreshSeconds) is less than timeoutSeconds, \(quimby.timeoutSeconds.brief): values are "
                        + "requested again before the previous request times out",
                    hint: "write a longer time, such as 300", others: ["timeoutSeconds"])
            ]
        }
    ]

    /// Creates the configuration with every default.
    public init() {}
}

/// The note in the reference for names that no standard defines and that backends may change.
enum DefaultNameNote {
    /// Marks a default that is specific to this package.
    static let note = "The default is specific to this package; backends may use another name."
}

extension StringFormat {
    /// A path below a base URL, without a leading slash and without segments that leave it.
    static let servicePath = StringFormat(
        name: "servicePath", expectation: "a path below a service's URL, such as \"ccm/v1\"", matches: isServicePath
    ) { text in
        text.split(separator: "/").joined(separator: "/")
    }

    @Sendable
    private static func isServicePath(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 512
            && text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { segment in
                !segment.isEmpty && segment != "." && segment != ".."
                    && segment.utf8.allSatisfy { byte in
                        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                            || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "-._~".utf8.contains(byte)
                    }
            }
    }
}
