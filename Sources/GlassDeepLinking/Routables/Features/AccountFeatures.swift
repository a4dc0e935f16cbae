/// The parameters of the feature `account`, which takes none.
public struct AccountParameters: FeatureParameters {
    /// The feature.
    public static let feature = Feature(
        id: "account", tab: "account", screen: "account", paths: ["account"], "The account page.")

    /// Creates parameters; the feature takes none.
    package init() {}

    /// Accepts any link.
    public init(_ link: DeepLink) {}
}

/// The feature `account`: the account page.
public protocol AccountRoutable: FeatureRoutable where Parameters == AccountParameters {}
extension StandardRoutable: AccountRoutable where Parameters == AccountParameters {}

/// Opens the account page.
public typealias StandardAccountRoutable = StandardRoutable<AccountParameters>

/// The parameters of the feature `orders`, which takes none.
public struct OrdersParameters: FeatureParameters {
    /// The feature.
    public static let feature = Feature(
        id: "orders", tab: "account", screen: "orders", paths: ["orders"], "The list of orders.")

    /// Creates parameters; the feature takes none.
    package init() {}

    /// Accepts any link.
    public init(_ link: DeepLink) {}
}

/// The feature `orders`: the list of orders.
public protocol OrdersRoutable: FeatureRoutable where Parameters == OrdersParameters {}
extension StandardRoutable: OrdersRoutable where Parameters == OrdersParameters {}

/// Opens the list of orders.
public typealias StandardOrdersRoutable = StandardRoutable<OrdersParameters>

/// The parameters of the feature `orderDetail`.
public struct OrderDetailParameters: FeatureParameters {
    /// The feature.
    public static let feature = Feature(
        id: "orderDetail", tab: "account", screen: "orderDetail", paths: ["orders/:orderID(slug)"],
        requires: ["orderID"], "One order.")

    /// The order's number.
    public let orderID: String

    /// Creates parameters.
    package init(orderID: String) {
        self.orderID = orderID
    }

    /// Reads the values of a link; `nil` without `orderID`.
    public init?(_ link: DeepLink) {
        guard let orderID = link.value("orderID") else { return nil }
        self.init(orderID: orderID)
    }

    /// The values by name.
    public var texts: [String: String?] { ["orderID": orderID] }
}

/// The feature `orderDetail`: one order.
public protocol OrderDetailRoutable: FeatureRoutable where Parameters == OrderDetailParameters {}
extension StandardRoutable: OrderDetailRoutable where Parameters == OrderDetailParameters {}

/// Opens one order.
public typealias StandardOrderDetailRoutable = StandardRoutable<OrderDetailParameters>

/// The parameters of the feature `lists`.
public struct ListsParameters: FeatureParameters {
    /// The feature.
    public static let feature = Feature(
        id: "lists", tab: "account", screen: "lists", paths: ["lists", "lists/:listID"], takes: ["listID"],
        "The shopper's lists, or one of them.")

    /// The list; `nil` shows all lists.
    public let listID: String?

    /// Creates parameters.
    package init(listID: String? = nil) {
        self.listID = listID
    }

    /// Reads the values of a link.
    public init(_ link: DeepLink) {
        self.init(listID: link.value("listID"))
    }

    /// The values by name.
    public var texts: [String: String?] { ["listID": listID] }
}

/// The feature `lists`: the shopper's lists, or one of them.
public protocol ListsRoutable: FeatureRoutable where Parameters == ListsParameters {}
extension StandardRoutable: ListsRoutable where Parameters == ListsParameters {}

/// Opens the shopper's lists or one of them.
public typealias StandardListsRoutable = StandardRoutable<ListsParameters>

/// The parameters of the feature `registry`.
public struct RegistryParameters: FeatureParameters {
    /// The feature.
    public static let feature = Feature(
        id: "registry", tab: "account", screen: "registry", paths: ["registry", "registry/:registryID(alnum)"],
        takes: ["registryID"], "Gift registries, or one of them.")

    /// The gift registry; `nil` shows the start page.
    public let registryID: String?

    /// Creates parameters.
    package init(registryID: String? = nil) {
        self.registryID = registryID
    }

    /// Reads the values of a link.
    public init(_ link: DeepLink) {
        self.init(registryID: link.value("registryID"))
    }

    /// The values by name.
    public var texts: [String: String?] { ["registryID": registryID] }
}

/// The feature `registry`: gift registries, or one of them.
public protocol RegistryRoutable: FeatureRoutable where Parameters == RegistryParameters {}
extension StandardRoutable: RegistryRoutable where Parameters == RegistryParameters {}

/// Opens the gift registries or one of them.
public typealias StandardRegistryRoutable = StandardRoutable<RegistryParameters>

/// The parameters of the feature `membership`.
public struct MembershipParameters: FeatureParameters {
    /// The feature.
    public static let feature = Feature(
        id: "membership", tab: "account", screen: "membership", paths: ["plus", "plus/:section(benefits|join|manage)"],
        takes: ["section"], "The membership, or a part of it.")

    /// The part of the membership; `nil` shows its start page.
    public let section: String?

    /// Creates parameters.
    package init(section: String? = nil) {
        self.section = section
    }

    /// Reads the values of a link.
    public init(_ link: DeepLink) {
        self.init(section: link.value("section"))
    }

    /// The values by name.
    public var texts: [String: String?] { ["section": section] }
}

/// The feature `membership`: the membership, or a part of it.
public protocol MembershipRoutable: FeatureRoutable where Parameters == MembershipParameters {}
extension StandardRoutable: MembershipRoutable where Parameters == MembershipParameters {}

/// Opens the membership or a part of it.
public typealias StandardMembershipRoutable = StandardRoutable<MembershipParameters>

/// The parameters of the feature `help`.
public struct HelpParameters: FeatureParameters {
    /// The feature.
    public static let feature = Feature(
        id: "help", tab: "account", screen: "help", paths: ["help", "help/*topic"], takes: ["topic"],
        "Help, or one topic.")

    /// The path of the topic; `nil` shows the start page.
    public let topic: String?

    /// Creates parameters.
    package init(topic: String? = nil) {
        self.topic = topic
    }

    /// Reads the values of a link.
    public init(_ link: DeepLink) {
        self.init(topic: link.value("topic"))
    }

    /// The values by name.
    public var texts: [String: String?] { ["topic": topic] }
}

/// The feature `help`: help, or one topic.
public protocol HelpRoutable: FeatureRoutable where Parameters == HelpParameters {}
extension StandardRoutable: HelpRoutable where Parameters == HelpParameters {}

/// Opens the help or one topic.
public typealias StandardHelpRoutable = StandardRoutable<HelpParameters>

/// The parameters of the feature `notifications`, which takes none.
public struct NotificationsParameters: FeatureParameters {
    /// The feature.
    public static let feature = Feature(
        id: "notifications", tab: "account", screen: "notifications", paths: ["notifications"],
        "The list of notifications.")

    /// Creates parameters; the feature takes none.
    package init() {}

    /// Accepts any link.
    public init(_ link: DeepLink) {}
}

/// The feature `notifications`: the list of notifications.
public protocol NotificationsRoutable: FeatureRoutable where Parameters == NotificationsParameters {}
extension StandardRoutable: NotificationsRoutable where Parameters == NotificationsParameters {}

/// Opens the list of notifications.
public typealias StandardNotificationsRoutable = StandardRoutable<NotificationsParameters>

/// The parameters of the feature `returns`.
public struct ReturnsParameters: FeatureParameters {
    /// The feature.
    public static let feature = Feature(
        id: "returns", tab: "account", screen: "returns", paths: ["returns", "returns/:orderID(slug)"],
        takes: ["orderID"], "Returns for all orders, or for one of them.")

    /// The order to return items of; `nil` shows the start page.
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

/// The feature `returns`: returns for all orders, or for one of them.
public protocol ReturnsRoutable: FeatureRoutable where Parameters == ReturnsParameters {}
extension StandardRoutable: ReturnsRoutable where Parameters == ReturnsParameters {}

/// Opens the returns. It does not start a return by itself.
public typealias StandardReturnsRoutable = StandardRoutable<ReturnsParameters>

/// The parameters of the feature `giftCards`, which takes none.
public struct GiftCardsParameters: FeatureParameters {
    /// The feature.
    public static let feature = Feature(
        id: "giftCards", tab: "account", screen: "giftCards", paths: ["gift-cards"], "The gift cards.")

    /// Creates parameters; the feature takes none.
    package init() {}

    /// Accepts any link.
    public init(_ link: DeepLink) {}
}

/// The feature `giftCards`: the gift cards.
public protocol GiftCardsRoutable: FeatureRoutable where Parameters == GiftCardsParameters {}
extension StandardRoutable: GiftCardsRoutable where Parameters == GiftCardsParameters {}

/// Opens the gift cards.
public typealias StandardGiftCardsRoutable = StandardRoutable<GiftCardsParameters>
