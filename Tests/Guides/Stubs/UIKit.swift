// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The part of UIKit that the guides use, for systems without it.
public import Foundation

@MainActor
open class UIViewController {
    public init() {}

    public var extensionContext: NSExtensionContext? { nil }
}

@MainActor
public final class NSExtensionContext {
    public func open(_ url: URL) async -> Bool { false }
}
