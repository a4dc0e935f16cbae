/// An association file as served for a host or stored in a folder.
package struct ServedFile: Sendable, Equatable {
    /// The kind of file.
    package enum Kind: String, Sendable, CaseIterable {
        /// The file for Apple's devices, which they read through Apple's servers.
        case siteAssociation = "apple-app-site-association"
        /// The file for Android.
        case assetLinks = "assetlinks.json"

        /// The path on the site (RFC 8615).
        package var path: String { "/.well-known/" + rawValue }

        /// The fallback path that devices try second; nil if devices try only ``path``.
        package var olderPath: String? { self == .siteAssociation ? "/" + rawValue : nil }
    }

    /// The result of reading a file.
    package enum Content: Sendable, Equatable {
        /// The file.
        case bytes([UInt8])
        /// The file does not exist, with the server's status; nil in a folder.
        case missing(status: Int?)
        /// The server redirects; nil if it does not say where.
        case redirect(to: String?)
        /// Another status.
        case status(Int)
        /// The file exceeds the maximum size, in bytes.
        case tooLong(limit: Int)
        /// There was no response, with the reason.
        case unreachable(String)
    }

    /// The host in lowercase.
    package let host: String
    /// The kind of file.
    package let kind: Kind
    /// The URL or the path that was read.
    package let place: String
    /// The result of reading the file.
    package let content: Content
    /// The `Content-Type` field; nil if there is none.
    package let contentType: String?
    /// Whether the file came from a server, which specifies its content type.
    package let isServed: Bool
    /// Whether the file is at the older path.
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
