/// Stands in for the view of the same name where there is no SwiftUI.
public struct EmptyView {
    /// Makes a view that shows nothing.
    public init() {}
}

/// Stands in for Observation's protocol of the same name, which SwiftUI brings along.
public protocol Observable {}
