import Foundation
import GlassBase
import GlassMarkets
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

/// A user agent that consists of the app's name and version, the device, the operating system with its version, and the
/// app's bundle: `Walmart/24.3.0 (iPhone15,2; iOS 18.1; com.walmart.electronics; build 2403)`.
///
/// Letters lose their accents, because many servers accept only ASCII: `México` becomes `Mexico`.
public final class GlassUserAgent: UserAgentProviding {
    /// The value of the `User-Agent` header.
    public var userAgent: String { text() }
    private let text: @Sendable () -> String

    /// Creates the service.
    ///
    /// - Parameters:
    ///   - appInfo: The identity of the app.
    ///   - system: The operating system with its version, such as `iOS 18.1`; `nil` uses the one that it runs on.
    ///   - device: The model of the device, such as `iPhone15,2`; `nil` uses the one that it runs on.
    public init(appInfo: any AppInfoAPI, system: String? = nil, device: String? = nil) {
        // Compute it lazily, because the app's version may have to be read from its bundle.
        let made = LazyValue {
            Self.text(appInfo, device: device ?? Self.currentDevice, system: system ?? Self.currentSystem)
        }
        text = { made.value }
    }

    /// Creates the service for the app of a container: its ``AppInfoAPI``, or else what its configuration declares, or
    /// else the program's bundle.
    init(_ container: LateContainer) {
        text = { Self.text(container.appInfo, device: Self.currentDevice, system: Self.currentSystem) }
    }

    private static func text(_ app: any AppInfoAPI, device: String, system: String) -> String {
        let product = app.name.foldedToASCII.filter { $0.isASCII && $0.isLetter }
        let version = app.version.isEmpty ? "" : "/\(app.version)"
        let comment = [device.asComment, system.asComment, app.bundleIdentifier, "build \(app.build)"]
        return "\(product.isEmpty ? "App" : product)\(version) "
            + "(\(comment.filter { !$0.isEmpty }.joined(separator: "; ")))"
    }

    /// The operating system with its version, such as `iOS 18.1`.
    package static var currentSystem: String {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        return "\(systemName) \(version.majorVersion).\(version.minorVersion)"
    }

    #if os(iOS)
        private static let systemName = "iOS"
    #elseif os(macOS)
        private static let systemName = "macOS"
    #elseif os(watchOS)
        private static let systemName = "watchOS"
    #elseif os(tvOS)
        private static let systemName = "tvOS"
    #elseif os(visionOS)
        private static let systemName = "visionOS"
    #else
        private static let systemName = "Linux"
    #endif

    /// The model of the device as the kernel names it, such as `iPhone15,2` or `x86_64`. A simulator has the one that it
    /// simulates in its environment.
    package static var currentDevice: String {
        if let simulated = ProcessInfo.processInfo.environment["SIMULATOR_MODEL_IDENTIFIER"] { return simulated }
        var name = utsname()
        guard uname(&name) == 0 else { return "unknown" }
        return withUnsafeBytes(of: &name.machine) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}

extension String {
    /// The text without what would end a comment of a header field (RFC 9110 §5.6.5).
    fileprivate var asComment: String {
        let text = foldedToASCII.filter { $0.isASCII && !$0.isNewline && !"();\\".contains($0) }
        return text.isEmpty ? "unknown" : text
    }
}
