// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// What seed 000 takes for granted; the library documents its own.
public import GlassPlatform

/// Stands in for UIKit's, which the app of seed 000 has.
public final class UIApplication: ApplicationURLHandler {
    public static let shared = UIApplication()

    public func canOpen(_ url: String) -> Bool { false }

    public func open(_ url: String) async throws(ApplicationURLError) { throw .noOpener("UIKit") }
}
