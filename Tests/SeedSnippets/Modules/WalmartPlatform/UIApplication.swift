// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Declarations that seed 000 assumes; the library documents its own.
public import GlassPlatform

/// Replaces the UIKit class, which the app of seed 000 uses.
public final class UIApplication: ApplicationURLHandler {
    public static let shared = UIApplication()

    public func canOpen(_ url: String) -> Bool { false }

    public func open(_ url: String) async throws(ApplicationURLError) { throw .noOpener("UIKit") }
}
