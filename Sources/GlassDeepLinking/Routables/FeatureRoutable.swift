/// A routable that opens one feature with typed values.
///
/// Each feature of the catalog has a protocol that refines this one. To open a feature in a custom way, conform to that
/// protocol:
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
    /// The parameters of the feature.
    associatedtype Parameters: FeatureParameters

    /// Opens the feature.
    ///
    /// - Parameters:
    ///   - parameters: The parameters of the link.
    ///   - state: The navigation state to change.
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
    ///   - state: The navigation state to change.
    /// - Returns: False if the link lacks a value, or if `open` declines.
    /// - Throws: The errors of `open`.
    public func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) throws -> Bool {
        guard let parameters = Parameters(deepLink) else { return false }
        return try open(parameters, state: state)
    }
}
