/// The catalogue of the standard routables, for the loader of market files and for listings.
///
/// ```swift
/// for definition in StandardRoutables.all {
///     print(definition.id, definition.paths)
/// }
/// ```
public enum StandardRoutables {
    /// The routables in the order of the product's documentation.
    public static let all: [StandardRoutableDefinition] = [
        StandardHomeRoutable.definition,
        StandardAccountRoutable.definition,
        StandardCartRoutable.definition,
        StandardCheckoutRoutable.definition,
        StandardItemRoutable.definition,
        StandardSearchRoutable.definition,
        StandardBrowseRoutable.definition,
        StandardOrdersRoutable.definition,
        StandardOrderDetailRoutable.definition,
        StandardReorderRoutable.definition,
        StandardListsRoutable.definition,
        StandardRegistryRoutable.definition,
        StandardStoreFinderRoutable.definition,
        StandardStoreDetailRoutable.definition,
        StandardPharmacyRoutable.definition,
        StandardScanRoutable.definition,
        StandardMembershipRoutable.definition,
        StandardDealsRoutable.definition,
        StandardHelpRoutable.definition,
        StandardNotificationsRoutable.definition,
        StandardReturnsRoutable.definition,
        StandardGiftCardsRoutable.definition,
    ]

    /// The routable of an id.
    ///
    /// - Parameter id: The id, such as `account`.
    /// - Returns: Its entry, or `nil`.
    public static func definition(id: String) -> StandardRoutableDefinition? {
        all.first { $0.id == id }
    }
}
