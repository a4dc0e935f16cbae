/// A stub of the view with the same name, for systems without SwiftUI.
public struct EmptyView {
    /// Creates an empty view.
    public init() {}
}

/// A stub of Observation's protocol with the same name, which SwiftUI exports.
public protocol Observable {}
