/// An association file as a server serves it for a host, or as a folder has it.
package struct ServedFile: Sendable, Equatable {
    /// Which file.
    package enum Kind: String, Sendable, CaseIterable {
        /// What Apple's devices read, through Apple's servers.
        case siteAssociation = "apple-app-site-association"
        /// What Android reads.
        case assetLinks = "assetlinks.json"

        /// Where a site has it (RFC 8615).
        package var path: String { "/.well-known/" + rawValue }

        /// Where devices look for it second; nil where they do not.
        package var olderPath: String? { self == .siteAssociation ? "/" + rawValue : nil }
    }

    /// What came back.
    package enum Content: Sendable, Equatable {
        /// The file.
        case bytes([UInt8])
        /// There is none: the status that says so, nil in a folder.
        case missing(status: Int?)
        /// The server sends whoever asks somewhere else; nil where it does not say where.
        case redirect(to: String?)
        /// Another status.
        case status(Int)
        /// More bytes than are read.
        case tooLong(limit: Int)
        /// No answer: why.
        case unreachable(String)
    }

    /// The host that it is for, in lower case.
    package let host: String
    /// Which file.
    package let kind: Kind
    /// The URL or the path that was read.
    package let place: String
    /// What came back.
    package let content: Content
    /// The field `Content-Type`; nil where there is none.
    package let contentType: String?
    /// Whether it came from a server, which says what it is.
    package let isServed: Bool
    /// Whether it is at the older place.
    package let isAtOlderPlace: Bool

    /// Creates a file.
    package init(
        host: String, kind: Kind, place: String, content: Content, contentType: String? = nil, isServed: Bool = true,
        isAtOlderPlace: Bool = false
    ) {
        self.host = host
        self.kind = kind
        self.place = place
        self.content = content
        self.contentType = contentType
        self.isServed = isServed
        self.isAtOlderPlace = isAtOlderPlace
    }
}
