/// The parameters of the feature `item`.
public struct ItemParameters: FeatureParameters {
    /// The feature.
    public static let feature = Feature(
        id: "item", tab: "shop", screen: "item", paths: ["ip/:itemID(int)", "ip/:slug/:itemID(int)"],
        requires: ["itemID"], takes: ["slug"], "One item, by its number.")

    /// The item's number.
    public let itemID: Int64

    /// The item's name as written in the link, for display only.
    public let slug: String?

    /// Creates parameters.
    package init(itemID: Int64, slug: String? = nil) {
        self.itemID = itemID
        self.slug = slug
    }

    /// Reads the values of a link; `nil` without `itemID`.
    public init?(_ link: DeepLink) {
        guard let itemID = link.integer("itemID") else { return nil }
        self.init(itemID: itemID, slug: link.value("slug"))
    }

    /// The values by name.
    public var texts: [String: String?] { ["itemID": String(itemID), "slug": slug] }
}

/// The feature `item`: one item, by its number.
public protocol ItemRoutable: FeatureRoutable where Parameters == ItemParameters {}
extension StandardRoutable: ItemRoutable where Parameters == ItemParameters {}

/// Opens one item's page.
public typealias StandardItemRoutable = StandardRoutable<ItemParameters>

/// The parameters of the feature `search`.
public struct SearchParameters: FeatureParameters {
    /// The feature.
    public static let feature = Feature(
        id: "search", tab: "shop", screen: "search", paths: ["search", "search?q"], takes: ["q"],
        "The search, with or without a query.")

    /// The text to search for; `nil` opens an empty search.
    public let q: String?

    /// Creates parameters.
    package init(q: String? = nil) {
        self.q = q
    }

    /// Reads the values of a link.
    public init(_ link: DeepLink) {
        self.init(q: link.value("q"))
    }

    /// The values by name.
    public var texts: [String: String?] { ["q": q] }
}

/// The feature `search`: the search, with or without a query.
public protocol SearchRoutable: FeatureRoutable where Parameters == SearchParameters {}
extension StandardRoutable: SearchRoutable where Parameters == SearchParameters {}

/// Opens the search.
public typealias StandardSearchRoutable = StandardRoutable<SearchParameters>

/// The parameters of the feature `browse`.
public struct BrowseParameters: FeatureParameters {
    /// The feature.
    public static let feature = Feature(
        id: "browse", tab: "shop", screen: "browse",
        paths: ["browse", "browse/*category", "cp/:name(slug)/:categoryID(int)"], takes: ["category", "categoryID"],
        "The departments, or one category.")

    /// The path of the category, such as `food/fruit`.
    public let category: String?

    /// The category's number.
    public let categoryID: Int64?

    /// Creates parameters.
    package init(category: String? = nil, categoryID: Int64? = nil) {
        self.category = category
        self.categoryID = categoryID
    }

    /// Reads the values of a link.
    public init(_ link: DeepLink) {
        self.init(category: link.value("category"), categoryID: link.integer("categoryID"))
    }

    /// The values by name.
    public var texts: [String: String?] { ["category": category, "categoryID": categoryID.map { String($0) }] }
}

/// The feature `browse`: the departments, or one category.
public protocol BrowseRoutable: FeatureRoutable where Parameters == BrowseParameters {}
extension StandardRoutable: BrowseRoutable where Parameters == BrowseParameters {}

/// Opens the departments or one category.
public typealias StandardBrowseRoutable = StandardRoutable<BrowseParameters>

/// The parameters of the feature `reorder`.
public struct ReorderParameters: FeatureParameters {
    /// The feature.
    public static let feature = Feature(
        id: "reorder", tab: "shop", screen: "reorder", paths: ["reorder", "orders/:orderID(slug)/reorder"],
        takes: ["orderID"], "Items to buy again, from all orders or from one of them.")

    /// The order whose items to buy again; `nil` shows the usual items.
    public let orderID: String?

    /// Creates parameters.
    package init(orderID: String? = nil) {
        self.orderID = orderID
    }

    /// Reads the values of a link.
    public init(_ link: DeepLink) {
        self.init(orderID: link.value("orderID"))
    }

    /// The values by name.
    public var texts: [String: String?] { ["orderID": orderID] }
}

/// The feature `reorder`: items to buy again, from all orders or from one of them.
public protocol ReorderRoutable: FeatureRoutable where Parameters == ReorderParameters {}
extension StandardRoutable: ReorderRoutable where Parameters == ReorderParameters {}

/// Opens the items to buy again. It does not add anything to the cart by itself.
public typealias StandardReorderRoutable = StandardRoutable<ReorderParameters>

/// The parameters of the feature `storeFinder`.
public struct StoreFinderParameters: FeatureParameters {
    /// The feature.
    public static let feature = Feature(
        id: "storeFinder", tab: "shop", screen: "storeFinder", paths: ["store-finder", "store-finder/:postalCode"],
        takes: ["postalCode"], "The store finder.")

    /// The postal code to search near; `nil` searches near the device.
    public let postalCode: String?

    /// Creates parameters.
    package init(postalCode: String? = nil) {
        self.postalCode = postalCode
    }

    /// Reads the values of a link.
    public init(_ link: DeepLink) {
        self.init(postalCode: link.value("postalCode"))
    }

    /// The values by name.
    public var texts: [String: String?] { ["postalCode": postalCode] }
}

/// The feature `storeFinder`: the store finder.
public protocol StoreFinderRoutable: FeatureRoutable where Parameters == StoreFinderParameters {}
extension StandardRoutable: StoreFinderRoutable where Parameters == StoreFinderParameters {}

/// Opens the store finder.
public typealias StandardStoreFinderRoutable = StandardRoutable<StoreFinderParameters>

/// The parameters of the feature `storeDetail`.
public struct StoreDetailParameters: FeatureParameters {
    /// The feature.
    public static let feature = Feature(
        id: "storeDetail", tab: "shop", screen: "storeDetail", paths: ["store/:storeID(int)"], requires: ["storeID"],
        "One store.")

    /// The store's number.
    public let storeID: Int64

    /// Creates parameters.
    package init(storeID: Int64) {
        self.storeID = storeID
    }

    /// Reads the values of a link; `nil` without `storeID`.
    public init?(_ link: DeepLink) {
        guard let storeID = link.integer("storeID") else { return nil }
        self.init(storeID: storeID)
    }

    /// The values by name.
    public var texts: [String: String?] { ["storeID": String(storeID)] }
}

/// The feature `storeDetail`: one store.
public protocol StoreDetailRoutable: FeatureRoutable where Parameters == StoreDetailParameters {}
extension StandardRoutable: StoreDetailRoutable where Parameters == StoreDetailParameters {}

/// Opens one store.
public typealias StandardStoreDetailRoutable = StandardRoutable<StoreDetailParameters>

/// The parameters of the feature `scan`, which takes none.
public struct ScanParameters: FeatureParameters {
    /// The feature.
    public static let feature = Feature(
        id: "scan", tab: "shop", screen: "scan", paths: ["scan"], "The barcode scanner.")

    /// Creates parameters; the feature takes none.
    package init() {}

    /// Accepts any link.
    public init(_ link: DeepLink) {}
}

/// The feature `scan`: the barcode scanner.
public protocol ScanRoutable: FeatureRoutable where Parameters == ScanParameters {}
extension StandardRoutable: ScanRoutable where Parameters == ScanParameters {}

/// Opens the barcode scanner.
public typealias StandardScanRoutable = StandardRoutable<ScanParameters>

/// The parameters of the feature `deals`.
public struct DealsParameters: FeatureParameters {
    /// The feature.
    public static let feature = Feature(
        id: "deals", tab: "shop", screen: "deals", paths: ["deals", "deals/:category(slug)"], takes: ["category"],
        "Deals in all categories, or in one of them.")

    /// The category of the deals; `nil` shows all.
    public let category: String?

    /// Creates parameters.
    package init(category: String? = nil) {
        self.category = category
    }

    /// Reads the values of a link.
    public init(_ link: DeepLink) {
        self.init(category: link.value("category"))
    }

    /// The values by name.
    public var texts: [String: String?] { ["category": category] }
}

/// The feature `deals`: deals in all categories, or in one of them.
public protocol DealsRoutable: FeatureRoutable where Parameters == DealsParameters {}
extension StandardRoutable: DealsRoutable where Parameters == DealsParameters {}

/// Opens the deals.
public typealias StandardDealsRoutable = StandardRoutable<DealsParameters>
