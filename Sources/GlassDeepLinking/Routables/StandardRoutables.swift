/// The standard features, in the order of the product's documentation.
package enum StandardRoutables {
    /// The parameter types of the features, which also provide the features themselves.
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
}
