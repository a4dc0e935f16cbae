package import GlassContainer

/// The catalogue of the standard routables, for the loader of market files and for listings.
///
/// ```swift
/// for feature in StandardRoutables.all {
///     print(feature.id, feature.paths)
/// }
/// ```
package enum StandardRoutables {
    package static let parameters: [any FeatureParameters.Type] = [
        HomeParameters.self,
        AccountParameters.self,
        CartParameters.self,
        CheckoutParameters.self,
        ItemParameters.self,
        SearchParameters.self,
        BrowseParameters.self,
        OrdersParameters.self,
        OrderDetailParameters.self,
        ReorderParameters.self,
        ListsParameters.self,
        RegistryParameters.self,
        StoreFinderParameters.self,
        StoreDetailParameters.self,
        PharmacyParameters.self,
        ScanParameters.self,
        MembershipParameters.self,
        DealsParameters.self,
        HelpParameters.self,
        NotificationsParameters.self,
        ReturnsParameters.self,
        GiftCardsParameters.self,
    ]

    /// The features in the order of the product's documentation.
    package static let all: [Feature] = parameters.map { $0.feature }

    /// The feature of an id.
    ///
    /// - Parameter id: The id, such as `account`.
    /// - Returns: The feature, or `nil`.
    package static func feature(id: String) -> Feature? {
        all.first { $0.id == id }
    }

    /// Creates the standard routable of a feature.
    ///
    /// - Parameters:
    ///   - id: The feature's id, such as `account`.
    ///   - container: The container with the services that the feature uses; it is held weakly.
    ///   - configuration: How a market changes the routable; by default it has its standard paths.
    /// - Returns: The routable, or `nil` where the catalogue has no such feature.
    package static func makeRoutable(
        id: String, container: Container, configuration: RoutableConfiguration = RoutableConfiguration()
    ) -> (any Routable)? {
        func make<P: FeatureParameters>(_: P.Type) -> any Routable {
            StandardRoutable<P>(container: container, configuration: configuration)
        }
        return parameters.first { $0.feature.id == id }.map { make($0) }
    }
}
