public import GlassSchema

/// Where remote configuration comes from, and how requests for it name who asks.
public struct QuimbyConfiguration: ConfigurationSection {
    /// The service that has it; without a service of this name nothing is asked for.
    public var service = "quimby"
    /// The path below the service's base URL.
    public var path = "ccm/v1"
    /// How long what was received counts before it is asked for again.
    public var refreshSeconds = 300
    /// The longest that an answer may take.
    public var timeoutSeconds = 3.0
    /// The field that carries the customer's number.
    public var customerHeader = "WM-Customer-ID"
    /// The field that carries the cart's identity.
    public var cartHeader = "WM-Cart-ID"

    /// The keys of the section.
    public static let keys: [ConfigurationKey<Self>] = [
        .init(
            "service", \.service, .string(.identifier),
            "The service that has it; without a service of this name nothing is asked for."),
        .init("path", \.path, .string(.servicePath), "The path below the service's base URL. \(DefaultNameNote.note)"),
        .init(
            "refreshSeconds", \.refreshSeconds, .integer(1...604_800),
            "How long what was received counts before it is asked for again."),
        .init("timeoutSeconds", \.timeoutSeconds, .number(1...60), "The longest that an answer may take."),
        .init(
            "customerHeader", \.customerHeader, .string(.headerName),
            "The header field with the customer's number. \(DefaultNameNote.note)"),
        .init(
            "cartHeader", \.cartHeader, .string(.headerName),
            "The header field with the cart's identity. \(DefaultNameNote.note)"),
    ]

    /// Creates the configuration with every default.
    public init() {}

    /// Creates the configuration.
    ///
    /// - Parameters:
    ///   - service: The service that has it; without a service of this name nothing is asked for.
    ///   - path: The path below the service's base URL.
    ///   - refreshSeconds: How long what was received counts before it is asked for again.
    ///   - timeoutSeconds: The longest that an answer may take.
    ///   - customerHeader: The field that carries the customer's number.
    ///   - cartHeader: The field that carries the cart's identity.
    public init(
        service: String = "quimby", path: String = "ccm/v1", refreshSeconds: Int = 300, timeoutSeconds: Double = 3.0,
        customerHeader: String = "WM-Customer-ID", cartHeader: String = "WM-Cart-ID"
    ) {
        self.service = service
        self.path = path
        self.refreshSeconds = refreshSeconds
        self.timeoutSeconds = timeoutSeconds
        self.customerHeader = customerHeader
        self.cartHeader = cartHeader
    }
}

/// What the reference says of names that no standard gives and a backend may call otherwise.
enum DefaultNameNote {
    /// Marks a default.
    static let note = "The default is this package's own; backends may name it otherwise."
}

extension StringFormat {
    /// A path below a base URL, without a leading slash and without segments that lead elsewhere.
    static let servicePath = StringFormat(
        name: "servicePath", expectation: "a path below a service's URL, such as \"ccm/v1\""
    ) { text in
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
