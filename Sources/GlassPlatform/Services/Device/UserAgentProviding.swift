import GlassBase
package import GlassSchema

/// The text by which servers recognise the app.
public protocol UserAgentProviding: AnyObject, Sendable {
    /// The value of the `User-Agent` header (RFC 9110 §10.1.5).
    var userAgent: String { get }
}

extension UserAgentProviding {
    /// The one getter.
    package var scriptMethods: [ScriptMethod] {
        [ScriptMethod("userAgent", [], "The value of the User-Agent header.") { _ in .string(self.userAgent) }]
    }
}

/// The user agent made of the app's name, version and bundle, and the system it runs on:
/// `Walmart/24.3.0 (com.walmart.electronics; build 2403; Linux)`.
public final class GlassUserAgent: UserAgentProviding {
    /// The value of the `User-Agent` header.
    public var userAgent: String { made.value }
    private let made: LazyValue<String>

    /// Creates the service.
    ///
    /// - Parameters:
    ///   - appInfo: Who the app is.
    ///   - system: The system's name; nil for the one that this library was built for.
    public init(appInfo: any AppInfoAPI, system: String? = nil) {
        // The app's version may have to be read from its bundle.
        made = LazyValue {
            let product = String(
                appInfo.name.unicodeScalars.filter { $0.isASCII && $0.properties.isAlphabetic }.map(Character.init))
            return
                "\(product.isEmpty ? "App" : product)/\(appInfo.version) (\(appInfo.bundleIdentifier); build \(appInfo.build); \(system ?? Self.currentSystem))"
        }
    }

    /// The system that this library was built for.
    package static var currentSystem: String {
        #if os(Linux)
            "Linux"
        #elseif os(iOS)
            "iOS"
        #elseif os(macOS)
            "macOS"
        #else
            "unknown"
        #endif
    }
}
