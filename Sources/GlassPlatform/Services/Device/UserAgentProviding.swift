import GlassBase
package import GlassSchema

/// Provides the text that identifies the app to servers.
public protocol UserAgentProviding: AnyObject, Sendable {
    /// The value of the `User-Agent` header (RFC 9110 §10.1.5).
    var userAgent: String { get }
}

extension UserAgentProviding {
    /// The only getter.
    package var scriptMethods: [ScriptMethod] {
        [ScriptMethod("userAgent", [], "The value of the User-Agent header.") { _ in .string(self.userAgent) }]
    }
}

/// A user agent that consists of the app's name, version, and bundle, and the operating system: `Walmart/24.3.0
/// (com.walmart.electronics; build 2403; Linux)`.
public final class GlassUserAgent: UserAgentProviding {
    /// The value of the `User-Agent` header.
    public var userAgent: String { made.value }
    private let made: LazyValue<String>

    /// Creates the service.
    ///
    /// - Parameters:
    ///   - appInfo: The identity of the app.
    ///   - system: The name of the operating system; `nil` uses the one that this library was built for.
    public init(appInfo: any AppInfoAPI, system: String? = nil) {
        // Compute it lazily, because the app's version may have to be read from its bundle.
        made = LazyValue {
            let product = String(
                appInfo.name.unicodeScalars.filter { $0.isASCII && $0.properties.isAlphabetic }.map(Character.init))
            return
                "\(product.isEmpty ? "App" : product)/\(appInfo.version) (\(appInfo.bundleIdentifier); build \(appInfo.build); \(system ?? Self.currentSystem))"
        }
    }

    /// The operating system that this library was built for.
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
