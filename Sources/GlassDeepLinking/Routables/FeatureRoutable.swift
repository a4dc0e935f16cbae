/// A routable that opens one feature with typed values.
///
/// Each feature of the catalogue has a protocol of its own that refines this one. An app that opens a feature in its own
/// way conforms to that:
///
/// ```swift
/// final class MyAccountRoutable: AccountRoutable {
///     let actionRoutes = ["myaccount"]
///
///     func open(_ parameters: AccountParameters, state: DeepLinkNavigationState) -> Bool {
///         state.show("mine")
///         return true
///     }
/// }
/// ```
public protocol FeatureRoutable<Parameters>: Routable {
    /// What a link to the feature asks for.
    associatedtype Parameters: FeatureParameters

    /// Opens the feature.
    ///
    /// - Parameters:
    ///   - parameters: What the link asks for.
    ///   - state: What to change.
    /// - Returns: False to decline the link.
    /// - Throws: Any error; the link's outcome is then `failed`.
    func open(_ parameters: Parameters, state: DeepLinkNavigationState) throws -> Bool
}

extension FeatureRoutable {
    /// The feature's id.
    public var id: String { Parameters.feature.id }

    /// Reads the parameters and opens the feature.
    ///
    /// - Parameters:
    ///   - deepLink: The link.
    ///   - state: What to change.
    /// - Returns: False when the link lacks a value, or when `open` declines.
    /// - Throws: What `open` throws.
    public func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) throws -> Bool {
        guard let parameters = Parameters(deepLink) else { return false }
        return try open(parameters, state: state)
    }
}
